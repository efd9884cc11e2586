"""A variant in words: what each contract scores and obliges, how a match goes."""

import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator

from rich.text import Text

from kingsolve import Contract, Variant, load_variant, variant_ids
from kingsolve.cards import RANKS, SUITS, bits_of, cards_of, suit_mask
from kingsolve.deal import pack_words
from kingsolve.position import SUIT_WORDS

from .diagram import Group, banded
from .style import STRONG, Style, ink, signed

_LEADS = {
    "left-of-dealer": "eldest, next after the dealer, leads",
    "dealer": "the dealer leads",
    "chooser": "who chooses the contract leads",
    "given": "the leader comes with the deal",
}
_CHOOSERS = {
    "dealer": "the dealer chooses",
    "eldest": "eldest, next after the dealer, chooses",
    "rotates": "the seats choose in turn",
}


def print_lines(lines: Callable[[Style], Iterable[Text]]) -> None:
    """Prints the lines that `lines` makes for standard output."""
    style = Style(sys.stdout)
    for line in lines(style):
        style.print(line)


def list_lines(style: Style) -> Iterator[Text]:
    """A line for each variant that ships."""
    everything = [load_variant(id) for id in variant_ids()]
    label = Group("", ["id"], [[ink(found.id, STRONG)] for found in everything], left=True)
    numbers = [
        [
            f"{found.seats} x {found.hand_size}, {found.pack_name}",
            str(found.plan.rounds if found.plan else "—"),
        ]
        for found in everything
    ]
    titles = [[found.title] for found in everything]
    yield from banded(
        style,
        label,
        [
            Group("", ["cards", "rounds"], numbers),
            Group("", ["title"], titles, left=True),
        ],
    )


def _rounds(variant: Variant) -> str:
    return str(variant.plan.rounds) if variant.plan is not None else "—"


def variant_lines(style: Style, variant: Variant) -> Iterator[Text]:
    """The whole variant."""
    yield ink(variant.title, STRONG) + Text(f" ({variant.id})")
    yield Text()
    for sentence in _sentences(variant):
        yield from _paragraph(style, sentence, " ")
    yield Text()
    width = max(len(name) for name in variant.contracts) + 3
    for name, contract in variant.contracts.items():
        head = ink(f" {name}", STRONG)
        head.pad_right(width - head.cell_len)
        words = f"{contract.title}: {points_in_words(contract)}; {signed(contract.total)} in all."
        duties = duties_in_words(contract)
        if duties:
            text = "; ".join(duties)
            words += f" {text[0].upper()}{text[1:]}."
        for line in _paragraph(style, words, " " * width):
            yield head + Text(line.plain[width:]) if head.cell_len else line
            head = Text()


def _paragraph(style: Style, words: str, indent: str) -> Iterator[Text]:
    width = min(style.width, 110)
    wrapped = textwrap.wrap(
        words, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
    for line in wrapped:
        yield Text(line)


def _sentences(variant: Variant) -> Iterator[str]:
    pack = pack_words(variant.pack)
    out = f", {variant.out} left out" if variant.out else ""
    packets = f", dealt {variant.packet} at a time" if variant.packet > 1 else ""
    yield f"{variant.seats} seats, {pack}, {variant.hand_size} a hand{out}{packets}."
    way = "clockwise" if variant.clockwise else "counter-clockwise"
    stop = (
        "A round ends when nothing that scores is left." if variant.early_stop else "All tricks are played."
    )
    yield f"Dealing and play go {way}; {_LEADS[variant.first_lead]}. {stop}"
    plan = variant.plan
    if plan is None:
        yield "No match is laid down."
        return
    yield f"A match is {plan.rounds} rounds" + (
        f", {signed(variant.match_total)} points in all." if variant.match_total is not None else "."
    )
    if plan.chooser is not None:
        seen = f" after seeing {plan.named_after} cards" if plan.named_after is not None else ""
        yield f"Where there is a choice, {_CHOOSERS[plan.chooser]}{seen}."
    if plan.order:
        names = [names[0] if len(names) == 1 else f"one of ({' '.join(names)})" for names in plan.order]
        yield f"Order: {', '.join(_counted(names))}."
    for quota in plan.quotas:
        limits = [
            text
            for number, text in (
                (quota.each, f"each at most {quota.each} in the match"),
                (quota.per_seat, f"{quota.per_seat} of them by one seat"),
                (quota.per_seat_each, f"each at most {quota.per_seat_each} by one seat"),
            )
            if number is not None
        ]
        yield f"To choose from, {', '.join(limits)}: {' '.join(quota.of)}."


def _counted(names: list[str]) -> Iterator[str]:
    """The names with equal neighbours counted."""
    start = 0
    for i in range(1, len(names) + 1):
        if i == len(names) or names[i] != names[start]:
            yield f"{i - start} times {names[start]}" if i - start > 1 else names[start]
            start = i


def points_in_words(contract: Contract) -> str:
    """What a round of the contract scores, to the seat that takes the trick."""
    words = []
    trumps = f"{SUIT_WORDS[contract.trump]} are trumps: " if contract.trump is not None else ""
    usual = min(contract.trick_points, key=lambda points: (-contract.trick_points.count(points), points))
    if usual:
        words.append(f"{signed(usual)} a trick")
    places: dict[int, list[int]] = {}
    for place, points in enumerate(contract.trick_points, 1):
        if points != usual:
            places.setdefault(points, []).append(place)
    for points, numbers in places.items():
        which = " and ".join(str(number) for number in numbers)
        each = " each" if len(numbers) > 1 else ""
        words.append(f"{signed(points)}{each} for trick{'s' if len(numbers) > 1 else ''} {which}")
    words += [
        f"{signed(points)} for {'each of ' if mask.bit_count() > 1 else ''}{set_in_words(contract, mask)}"
        for mask, points in sorted(contract.card_points, key=lambda item: item[1])
    ]
    return trumps + (", ".join(words) or "nothing")


def set_in_words(contract: Contract, cards: int) -> str:
    """A set of cards in words where there are some: all hearts, all queens; else their names."""
    if contract.trump is not None and cards == contract.pack & suit_mask(contract.trump):
        return "the trumps"
    for suit in SUITS:
        if cards == contract.pack & suit_mask(suit):
            return f"the {SUIT_WORDS[suit]}"
    ranks = sorted({bit % 16 for bit in bits_of(cards)}, reverse=True)
    whole = sum(1 << bit for bit in bits_of(contract.pack) if bit % 16 in ranks)
    names = [RANKS[rank] for rank in ranks]
    if cards == whole and all(name in "AKQJ" for name in names):
        words = {"A": "aces", "K": "kings", "Q": "queens", "J": "jacks"}
        return "the " + " and ".join(words[name] for name in names)
    return " ".join(cards_of(cards))


def duties_in_words(contract: Contract) -> list[str]:
    """What a round of the contract obliges, in the order of the rules."""
    found = []
    if contract.first_barred:
        found.append(f"{set_in_words(contract, contract.first_barred)} may not be played on the first trick")
    if contract.barred:
        until = "until one has been played" if contract.until_broken else "while another suit is held"
        unless = f", unless holding {' '.join(cards_of(contract.waiver))}" if contract.waiver else ""
        found.append(f"{set_in_words(contract, contract.barred)} may not be led {until}{unless}")
    if contract.beat_trump:
        found.append("a trump that is led must be beaten if possible")
    if contract.forced_under:
        found.append(
            f"{set_in_words(contract, contract.forced_under)} must go under a higher card of their suit"
        )
    if contract.must_discard:
        what = set_in_words(contract, contract.must_discard)
        one_of = "one of " if contract.must_discard.bit_count() > 1 else ""
        found.append(f"who cannot follow suit must discard {one_of}{what}")
    if contract.void_trump != "free":
        beat = ", and beat the highest if possible" if contract.void_trump == "must-overtrump" else ""
        found.append(f"who cannot follow suit must trump{beat}")
    return found
