"""What is given of a position by hand or by a record, checked: sizes, facts of other seats, cards played."""

from collections.abc import Iterable, Mapping

from ._deduction import Case, Claim, card_words, read_plays
from .cards import (
    ALL_CARDS,
    SEATS,
    card_name,
    cards_of,
    display_key,
    mask_of,
    names_of,
    parse_seat,
    suit_mask,
)
from .contract import Contract
from .errors import CardError, KnowledgeError, require

Cards = str | Iterable[str]


def bits_of_cards(cards: Cards) -> Iterable[int]:
    """The bit numbers of `cards` in the order given; CardError for a name that is none or comes twice."""
    names = names_of(cards)
    mask_of(names)
    return [ALL_CARDS[name] for name in names]


def clash(one: str, other: str) -> KnowledgeError:
    """The error that two facts clash."""
    return KnowledgeError(f"expected facts that some deal satisfies, got a clash: {one}; but {other}")


def turns_from(contract: Contract, leader: int) -> list[int]:
    """For each seat, how many play before it in a trick that `leader` leads."""
    step = 1 if contract.clockwise else -1
    return [step * (seat - leader) % contract.seats for seat in range(contract.seats)]


def sizes_of(
    contract: Contract,
    seat: int,
    held: Mapping[int, int],
    leader: int,
    trick: list[int],
    gone: int,
    given: int | Mapping[str, int] | None,
) -> tuple[int, ...]:
    """The sizes of all hands now: those given, or what follows from the seat's own and the cards seen."""
    lying = len(trick)
    if lying >= contract.seats:
        msg = f"expected at most {contract.seats - 1} cards in the trick, got {lying}"
        raise KnowledgeError(msg)
    turns = turns_from(contract, leader)
    own = held[seat].bit_count()
    whole = own + (turns[seat] < lying)
    if given is None:
        out = contract.pack.bit_count() - contract.seats * contract.hand_size
        left = contract.pack.bit_count() - gone.bit_count() - out
        if not left % contract.seats and left // contract.seats != whole:
            should = left // contract.seats - (turns[seat] < lying)
            hand = f"the hand of {SEATS[seat]}"
            msg = f"expected {should} cards in {hand} ({left - lying} are not seen), got {own}"
            raise KnowledgeError(msg)
    if isinstance(given, int):
        whole = given
    sizes = [whole - (turn < lying) for turn in turns]
    if given is not None and not isinstance(given, int):
        require(given, Mapping, KnowledgeError)
        for name, size in given.items():
            sizes[parse_seat(name, contract.seats)] = size
    return tuple(sizes)


def given_claims(
    contract: Contract, void: Mapping[str, str], holds: Mapping[str, Cards], lacks: Mapping[str, Cards]
) -> list[Claim]:
    """The claims of facts given by hand."""
    claims = []
    for seat, suits in void.items():
        number = parse_seat(seat, contract.seats)
        for letter in _suits(suits):
            mask = suit_mask(letter)
            text = f"given: {SEATS[number]} holds no {card_words(mask)}"
            claims.append(Claim(number, text, (Case(0, mask),)))
    for facts, verb, is_held in ((holds, "holds", True), (lacks, "does not hold", False)):
        for seat, cards in facts.items():
            number = parse_seat(seat, contract.seats)
            mask = mask_of(cards)
            if mask & ~contract.pack:
                msg = f"expected cards of the pack, got {' '.join(cards_of(mask & ~contract.pack))!r}"
                raise KnowledgeError(msg)
            for name in sorted(cards_of(mask), key=display_key):
                bit = 1 << ALL_CARDS[name]
                text = f"given: {SEATS[number]} {verb} {card_words(bit)}"
                claims.append(Claim(number, text, (Case(bit, 0) if is_held else Case(0, bit),)))
    return claims


def _suits(text: str) -> list[str]:
    words = {
        "clubs": "c",
        "diamonds": "d",
        "hearts": "h",
        "spades": "s",
        "♣": "c",
        "♦": "d",
        "♥": "h",
        "♠": "s",
    }
    require(text, str, CardError)
    letters: list[str] = []
    for word in text.lower().replace(",", " ").split():
        letters += [words[word]] if word in words else [words.get(letter, letter) for letter in word]
    for letter in letters:
        if letter not in "cdhs":
            msg = f"expected suits such as 'h' or 'hs', got {text!r}"
            raise CardError(msg)
    return letters


def check_plays(
    cards: list[int], held: Mapping[int, int], contract: Contract, leader: int, size: int
) -> None:
    """The cards of a record come once each, from the pack, and own ones from own hands."""
    if len(cards) > size * contract.seats:
        msg = f"expected at most {size * contract.seats} cards played, got {len(cards)}"
        raise KnowledgeError(msg)
    played = 0
    plays, _, _, _ = read_plays(contract, leader=leader, cards=cards, place=contract.hand_size - size)
    for play in plays:
        bit, name, seat = 1 << play.card, card_words(1 << play.card), SEATS[play.seat]
        where = f"({seat}, trick {play.place + 1})"
        holder = next((SEATS[one] for one, hand in held.items() if hand & bit), None)
        fault: KnowledgeError | None = None
        if played & bit:
            msg = f"expected each card played once, got {card_name(play.card)!r} again {where}"
            fault = KnowledgeError(msg)
        elif holder is not None and holder != seat:
            fault = clash(f"{holder} holds {name}", f"{seat} played it on trick {play.place + 1}")
        elif play.seat in held and holder is None:
            fault = clash(f"{seat} was dealt no {name}", f"{seat} played it on trick {play.place + 1}")
        if fault is not None:
            fault.number = play.number + 1
            raise fault
        played |= bit
