"""The work of `kingsolve know`, and the knowledge of one seat of a game, which `analyze --seat` uses too."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.text import Text

from kingsolve import Game, Knowledge, Round, Variant
from kingsolve.cards import DISPLAY_SUITS, SYMBOLS, cards_of, suit_mask
from kingsolve.notation import variant_of

from .diagram import Group, banded
from .errors import bad_option
from .loading import Fault, games_of, round_led_by, variant_option
from .output import text_output, write_json
from .style import QUIET, STRONG, Style, ink


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Whose knowledge is asked for, and at which point of which contract."""

    seat: str
    after: int | None
    contract: str | None
    leader: str | None


def run(
    asked: Asked,
    *,
    files: Sequence[str],
    variant_name: str | None,
    games: Sequence[int],
    format: str,
    output: str | None,
) -> None:
    """Writes what the seat knows in each game."""
    variant = variant_option(variant_name)
    with text_output(output) as stream:
        style = Style(stream) if format == "table" else None
        first = True
        for file, game in games_of(files, variant=variant, contract=asked.contract, only=games):
            if isinstance(game, Fault):
                raise game.error
            rules = variant_of(game, variant)
            k = knowledge_of(asked, game, rules)
            if style is None:
                record = {"file": file} if len(files) > 1 else {}
                write_json(stream, {**record, "game": game.number, **knowledge_json(k, asked.after)})
                continue
            if not first:
                style.print()
            first = False
            for line in knowledge_lines(style, game, rules, k):
                style.print(line)


def record_of(asked: Asked, game: Game, variant: Variant) -> Round:
    """The recorded round of a game, as one of the contract asked for, or of its own."""
    name = asked.contract or (game.round.contract.name if game.round else game.tags.get("KingContract"))
    if not name:
        msg = "expected --contract, or tag KingContract for the contract recorded, got none"
        raise game.fault(msg)
    if name not in variant.contracts:
        among = " ".join(variant.contracts)
        bad_option("--contract", f"expected a contract of {variant.id}, one of {among}, got {name!r}")
    record = round_led_by(game, variant.contract(name), leader=asked.leader, variant=variant)
    if asked.after is not None and asked.after > len(record.cards):
        where = f"{len(record.cards)} cards recorded (game {game.number})"
        bad_option("--after", f"expected at most the {where}, got {asked.after}")
    return record


def knowledge_of(asked: Asked, game: Game, variant: Variant) -> Knowledge:
    """What the seat knows at the point asked for; whatever is wrong with the record is a fault of the
    game."""
    from kingsolve import KingError

    record = record_of(asked, game, variant)
    if asked.seat not in variant.seat_names:
        bad_option(
            "--seat", f"expected a seat of {variant.id}, one of {variant.seat_names}, got {asked.seat!r}"
        )
    try:
        return Knowledge.from_round(record, asked.seat, after=asked.after)
    except KingError as error:
        raise game.replay_fault(error, record) from None


def knowledge_json(k: Knowledge, after: int | None) -> dict[str, Any]:
    """What a seat knows as JSON values; docs/single-dummy.md describes them."""
    from kingsolve import count

    seats = k.contract.seat_names
    return {
        "variant": k.contract.variant,
        "contract": k.contract.name,
        "seat": k.seat,
        "after": len(k.plays) if after is None else after,
        "own": cards_of(k.own),
        "cards_held": dict(zip(seats, k.sizes, strict=True)),
        "consistent": count(k),
        "owners": {card: k.owners(card) for card in cards_of(k.hidden)},
        "reasons": [
            {"seat": r.seat, "text": r.text, "holds": list(r.holds), "lacks": list(r.lacks)}
            for r in k.reasons()
        ],
    }


def knowledge_lines(style: Style, game: Game, variant: Variant, k: Knowledge) -> Iterator[Text]:
    """The lines of one game: the hand, the deductions, the hidden cards by seat."""
    from kingsolve import count

    words = [f"game {game.number}", f"{variant.title} ({variant.id})", k.contract.title]
    yield from style.wrapped(ink(" · ".join(words), STRONG))
    held = style.cards(cards_of(k.own)) if k.own else ink("nothing", STRONG)
    head = Text("  ") + ink(f"{k.seat} holds ", STRONG) + held
    yield from style.wrapped(head + ink(f" after {len(k.plays)} cards", QUIET), "    ")
    if k.trick:
        yield Text("  ") + ink("trick: ", QUIET) + style.cards(k.trick)
    yield Text()
    for reason in k.reasons():
        yield from style.wrapped(Text("  " + reason.text), "    ")
    if not k.hidden:
        yield ink("  nothing is hidden", QUIET)
        return
    if not k.reasons():
        nothing = ink("  nothing to infer: every hidden card may lie with every other seat", QUIET)
        yield from style.wrapped(nothing, "    ")
    yield Text()
    yield from _table(style, k)
    yield Text()
    deals = count(k)
    fit = f"{deals:,} deals fit" if deals > 1 else "1 deal fits"
    yield from style.wrapped(ink(f"  + holds, · may hold; {fit}", QUIET), "    ")


def _table(style: Style, k: Knowledge) -> Iterator[Text]:
    """Hidden cards by seat, a group of columns a suit."""
    numbers = [
        i for i, seat in enumerate(k.contract.seat_names) if seat != k.seat or k.own.bit_count() < k.sizes[i]
    ]
    names = [f"{k.contract.seat_names[i]} ({k.sizes[i]})" for i in numbers]
    groups = []
    for suit in DISPLAY_SUITS:
        cards = cards_of(k.hidden & suit_mask(suit))
        if not cards:
            continue
        rows = [[_mark(k, i, card) for card in cards] for i in numbers]
        symbol = SYMBOLS[suit] if style.unicode else suit.upper()
        groups.append(Group("", [symbol + card[0] for card in cards], rows, gap=1))
    yield from banded(style, Group("", [""], [[name] for name in names], left=True), groups)


def _mark(k: Knowledge, seat: int, card: str) -> str:
    from kingsolve.cards import ALL_CARDS

    bit = ALL_CARDS[card]
    if k.holds[seat] >> bit & 1:
        return "+"
    return "·" if k.may_hold[seat] >> bit & 1 else ""


def with_after(asked: Asked, after: int | None) -> Asked:
    """The same question at another point."""
    return replace(asked, after=after)
