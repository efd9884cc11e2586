"""Worlds: which places may hold each hidden card, and whether and how the cards fit into the places.

A place is a seat, or the pile of cards left out of the deal, which comes after the seats. Whether cards fit
is Hall's theorem (P. Hall, "On representatives of subsets", 1935) for places with room: for every set of
places, the cards that can lie only there are no more than its room, when all cards together fill all room.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from ._deduction import Case, card_words
from .cards import SEATS, bits_of


@dataclass(frozen=True)
class World:
    """What each place certainly holds, what else it may hold (masks), and how many cards it has room for."""

    holds: tuple[int, ...]
    may: tuple[int, ...]
    rooms: tuple[int, ...]
    """All the cards of the place, those it certainly holds counted."""
    cards: int
    """Every card that lies somewhere, as a mask."""
    seats: int
    """How many of the places are seats."""

    def with_case(self, place: int, case: Case) -> "World":
        """The world in which `place` also holds and lacks what the case says; it may be impossible."""
        holds, may = list(self.holds), list(self.may)
        taken = case.holds & ~holds[place]
        if taken & ~may[place] or case.lacks & holds[place]:
            # what it is to hold it may not, or the other way: no room makes the world impossible
            return replace(self, rooms=(-1,) * len(self.rooms))
        holds[place] |= taken
        may[place] &= ~(case.lacks | taken)
        for other in range(len(may)):
            if other != place:
                may[other] &= ~taken
        return replace(self, holds=tuple(holds), may=tuple(may))

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The room of each place beside what it certainly holds."""
        return tuple(room - held.bit_count() for room, held in zip(self.rooms, self.holds, strict=True))

    @cached_property
    def groups(self) -> dict[int, int]:
        """The cards not certain (masks) by the set of places, as bits, in which they may lie."""
        hidden = self.cards
        for mask in self.holds:
            hidden &= ~mask
        found: dict[int, int] = {}
        for bit in bits_of(hidden):
            owners = sum(1 << place for place, mask in enumerate(self.may) if mask >> bit & 1)
            found[owners] = found.get(owners, 0) | 1 << bit
        return found


def _overfull(free: tuple[int, ...], counts: dict[int, int]) -> int | None:
    """A set of places for which more cards have no other place than it has room; None where all fits."""
    if min(free) < 0:
        return -1
    places = (1 << len(free)) - 1
    for chosen in range(places + 1):
        room = sum(free[place] for place in range(len(free)) if chosen >> place & 1)
        if sum(count for owners, count in counts.items() if not owners & ~chosen) > room:
            return chosen
    return None if sum(counts.values()) == sum(free) else places


def feasible(world: World) -> bool:
    """Whether some deal is as the world says."""
    if min(world.rooms) < 0:
        return False
    counts = {owners: cards.bit_count() for owners, cards in world.groups.items()}
    return _overfull(world.free, counts) is None


def possible(world: World) -> World:
    """The same set of deals, with every `may` exact: what no deal shows is taken out, the certain made sure.

    `world` is feasible.
    """
    while True:
        counts = {owners: cards.bit_count() for owners, cards in world.groups.items()}
        may = list(world.may)
        for owners, cards in world.groups.items():
            for place in bits_of(owners):
                if not world.free[place]:
                    may[place] &= ~cards
                    continue
                free = list(world.free)
                free[place] -= 1
                without = counts | {owners: counts[owners] - 1}
                if _overfull(tuple(free), without) is not None:
                    may[place] &= ~cards
        tight = replace(world, may=tuple(may))
        holds = list(tight.holds)
        for owners, cards in tight.groups.items():
            if owners.bit_count() == 1:
                place = owners.bit_length() - 1
                holds[place] |= cards
                may[place] &= ~cards
        settled = replace(world, holds=tuple(holds), may=tuple(may))
        if settled == world:
            return world
        world = settled


def count_clash(world: World) -> str:
    """What keeps the cards of the world from fitting, in words: who would have to hold what, and the room."""
    counts = {owners: cards.bit_count() for owners, cards in world.groups.items()}
    chosen = _overfull(world.free, counts)
    assert chosen is not None
    if chosen < 0:
        place = min(range(len(world.free)), key=world.free.__getitem__)
        name, held = _place(place, world), world.holds[place]
        return f"{name} would hold {card_words(held)}, with {world.rooms[place]} cards in hand"
    cards = sum(mask for owners, mask in world.groups.items() if not owners & ~chosen)
    if not chosen:
        return f"nobody else could hold {card_words(cards)}"
    room = sum(world.free[place] for place in bits_of(chosen))
    where = " and ".join(_place(place, world) for place in bits_of(chosen))
    if cards.bit_count() <= room:
        return f"{cards.bit_count()} cards are left for the {room} places of {where}"
    what = card_words(cards) if cards.bit_count() <= 8 else f"{cards.bit_count()} hidden cards"
    room_words = f"{room} cards are" if room != 1 else "1 card is"
    return f"{what} could lie only with {where}, where {room_words} unknown"


def _place(place: int, world: World) -> str:
    return SEATS[place] if place < world.seats else "the cards left out"
