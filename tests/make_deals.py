"""Writes the made deals of data/deals: random deals, some with a round played by the solver, with slips.

    python tests/make_deals.py [FOLDER]

Seeds are fixed, so the files come out the same each time (as long as the solver's values do).
"""

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import kingsolve as ks
from kingsolve.dealing import random_deal
from kingsolve.notation import Game, leader_of, write_pbn
from kingsolve.solver import Solver

SEED = 2026
SLIP = 0.15
"""How often a player plays any card instead of a best one."""
SOLVED = 7
"""Cards a hand from which players look for their best card; before, they play any card."""
MADE: dict[str, tuple[str | None, ...]] = {
    "russian-14": ("no-queens",),
    "full-king": ("eralash", "trumps-h"),
    "short-king": ("no-last-two", None),
    "parlett-3": ("no-queens", "king"),
    "parlett-4": ("no-men", None),
    "dealers-choice-20": (None, "no-king"),
    "jeu-du-roi": ("trumps-s", None),
    "king-1993": (),
    "rifki": (None, "no-hearts"),
    "kierki": ("no-7th-last", None),
}
"""For each variant the contracts of its made deals; None: a deal and no round."""

DEAL = "N:QJ.A98.A.T7 T.KJT7.J8.Q AK9..KT.AK9 87.Q.Q97.J8"
ENDING = "N:J.98.. .T7.8. A.K..9 8.Q..J"
BRIDGE = "N:42.AT2.KT94.AJ86 K9863.Q84.852.K4 AJ5.KJ75.Q763.53 QT7.963.AJ.QT972"
BRIDGE_PLAY = (
    "S7 S2 SK SA/H3 HA H8 H5/H6 HT H4 H7/H9 H2 HQ HK/C2 S4 D2 HJ/DJ DK D5 D6/DA DT D8 D3/CT CA C4 C3/"
    "C7 D9 S3 D7/ST D4 S6 DQ/CQ C8 CK C5/SQ C6 S9 S5/C9 CJ S8 SJ"
)
KING_1993 = (
    (
        "men",
        "N",
        "N:KT.KT.J8.J9 .AQJ.AKQ.T8 AQ97.8.9.Q7 J8.97.T7.AK",
        "ThJh8h7h 8c7cAcJc Td8dKd9d Ad7s7dJd Ah9s9hKh TcQcKc9c 8sTsQdQs AsJsKsQh",
    ),
    (
        "king",
        "E",
        "N:A8.KT87.Q7. KQT.AQ.AJ.K 97.J.T9.AT9 J.9.K8.QJ87",
        "Qs9sJsAs 7dJdTd8d Ks7s8c8s Ad9dKdQd Kc9cJcKh",
    ),
)
"""Deals 1 and 14 of the match of seed 1 recorded from the program: contract, leader, deal, cards."""


def main(folder: Path) -> None:
    """Writes a file for each variant, and one of bridge."""
    for id in MADE:
        write_pbn(games(id), folder / f"{id}.pbn")
    rows = "\n".join(BRIDGE_PLAY.split("/"))
    tags = '[Event "A bridge deal"]\n[Board "13"]\n[Dealer "N"]\n'
    text = f'{tags}[Deal "{BRIDGE}"]\n[Declarer "S"]\n[Play "W"]\n{rows}\n'
    (folder / "bridge.pbn").write_text(text)


def games(id: str) -> Iterator[Game]:
    """The games of one file."""
    variant = ks.load_variant(id)
    tags = {"KingVariant": id}
    number = 0
    if id == "russian-14":
        number = 1
        yield game(1, ks.Deal.of(DEAL, dealer="N"), {"Event": "A deal", **tags})
    for contract, leader, hands, cards in KING_1993 if id == "king-1993" else ():
        number += 1
        round_ = ks.Round(variant.contract(contract), leader, hands, cards)
        dealer = "NESW"["NESW".index(leader) - 1]
        board = {"Event": "KING2, match of seed 1", "Board": "1" if number == 1 else "14", **tags}
        yield Game(number, number, ks.Deal.of(hands, dealer=dealer), board, round_)
    for name in MADE[id]:
        number += 1
        dealer = "NESW"[(number - 1) % variant.seats]
        deal = random_deal(variant, seed=SEED, number=number, dealer=dealer)
        deal = ks.Deal(deal.hands, dealer)
        made = game(number, deal, {"Event": "A deal" if name is None else "A round", **tags})
        if name is not None:
            played = play(variant.contract(name), deal, leader_of(made, variant), number)
            made = replace(made, round=played)
        yield made
    if id == "russian-14":
        yield game(number + 1, ks.Deal.of(ENDING, dealer="N"), {"Event": "An ending", **tags})


def game(number: int, deal: ks.Deal, tags: dict[str, str]) -> Game:
    """A game of the file."""
    return Game(number, number, deal, {"Board": str(number), "Dealer": deal.dealer or "", **tags})


def play(contract: ks.Contract, deal: ks.Deal, leads: str, number: int) -> ks.Round:
    """A round in which each seat plays a card that keeps its guarantee, but for slips."""
    chance = random.Random(f"{SEED} {contract.variant} {number}")
    position = ks.Position(contract, deal, leader=leads)
    cards = []
    while not position.is_over:
        card = chance.choice(position.legal_cards())
        if position.tricks_left <= SOLVED and chance.random() >= SLIP:
            side = 1 << contract.seat_names.index(position.turn)
            worth = Solver().cards(position, side)
            best = max(worth.values())
            card = chance.choice([name for name, value in worth.items() if value == best])
        position.push(card)
        cards.append(card)
    return ks.Round(contract, leads, deal, cards)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "data/deals"))
