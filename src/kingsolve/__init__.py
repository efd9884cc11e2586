"""kingsolve: an exact solver and analysis toolkit for the trick-taking compendium game King.

    import kingsolve as ks

    v = ks.load_variant("russian-14")
    p = ks.Position(v.contract("no-queens"), "N:QJ.A98.A.T7 T.KJT7.J8.Q AK9..KT.AK9 87.Q.Q97.J8", leader="E")
    ks.guarantee(p, side="N")

Importing it loads neither numba nor pandas nor click.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .analysis import Analysis, Step, analyze_position, trace
from .bulk import Bulk, solve_many, solve_many_bounds
from .contract import CONTRACT_DTYPE, Contract
from .deal import Deal
from .dealing import deal_count, deal_number, numbered_deal, random_deal
from .errors import (
    CardError,
    DealError,
    IllegalCard,
    KingError,
    KnowledgeError,
    MatchError,
    NotationError,
    Unsolved,
    VariantError,
)
from .knowledge import Knowledge, Reason
from .match import Match, Result
from .notation import Game, read_games, read_pbn, write_games, write_pbn
from .position import Position
from .review import DealReview, review_round
from .rounds import Round, Trick
from .simulation import Run, open_run, simulate
from .solver import (
    Bounds,
    Limits,
    Solution,
    Solver,
    best_case,
    coalitions,
    equilibria,
    guarantee,
    maxn,
    perft,
    shapley,
    solve,
)
from .variants import Variant, load_variant, variant_ids

if TYPE_CHECKING:
    from .advice import Advice, Option, advise, analyze_hand
    from .sampling import count, enumerate_deals, sample

__version__ = "0.1.0"

__all__ = [
    "CONTRACT_DTYPE",
    "Advice",
    "Analysis",
    "Bounds",
    "Bulk",
    "CardError",
    "Contract",
    "Deal",
    "DealError",
    "DealReview",
    "Game",
    "IllegalCard",
    "KingError",
    "Knowledge",
    "KnowledgeError",
    "Limits",
    "Match",
    "MatchError",
    "NotationError",
    "Option",
    "Position",
    "Reason",
    "Result",
    "Round",
    "Run",
    "Solution",
    "Solver",
    "Step",
    "Trick",
    "Unsolved",
    "Variant",
    "VariantError",
    "advise",
    "analyze_hand",
    "analyze_position",
    "best_case",
    "coalitions",
    "count",
    "deal_count",
    "deal_number",
    "enumerate_deals",
    "equilibria",
    "guarantee",
    "load_variant",
    "maxn",
    "numbered_deal",
    "open_run",
    "perft",
    "random_deal",
    "read_games",
    "read_pbn",
    "review_round",
    "sample",
    "shapley",
    "simulate",
    "solve",
    "solve_many",
    "solve_many_bounds",
    "trace",
    "variant_ids",
    "write_games",
    "write_pbn",
]

_LAZY = {
    "Advice": "advice",
    "Option": "advice",
    "advise": "advice",
    "analyze_hand": "advice",
    "count": "sampling",
    "enumerate_deals": "sampling",
    "sample": "sampling",
}
"""Names whose modules load Numba: they come in when first asked for."""


def __getattr__(name: str) -> Any:
    """The public name of a module that is loaded when first asked for."""
    if name not in _LAZY:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    found = getattr(import_module(f".{_LAZY[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """The public names, those not loaded yet too."""
    return sorted({*globals(), *_LAZY})
