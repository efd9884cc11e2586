"""Game: one deal read from a file, with its tags, its recorded play and what was odd about it.

What every format shares is here once: which variant a game is of, who leads, the order of play rebuilt from
the seat columns of a Play section, the scores written beside a round.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ..cards import ALL_CARDS, SEATS, SUITS, mask_of, pack_mask, parse_seat
from ..contract import Contract
from ..deal import Deal
from ..errors import DealError, IllegalCard, KingError, KnowledgeError, NotationError, VariantError, require
from ..rounds import Round
from ..variants import Variant, as_variant, load_variant, variant_ids

VariantLike = str | os.PathLike[str] | Variant | None
_SCORE = re.compile(r"([NESWnesw]):([+-]?[0-9]{1,9})", re.ASCII)


@dataclass(frozen=True)
class Warning:
    """Something odd that did not keep a game from being read: where, about what, and the words."""

    line: int
    about: str
    text: str


@dataclass(frozen=True)
class PlayRecord:
    """A recorded play as the file gives it, whatever the contract.

    `rows` are the tricks of a PBN Play section: seat columns, clockwise from `leader`, None for a card not
    given. `cards` are cards in the order of play, as LIN gives them; a record has one or the other.
    """

    leader: str | None
    rows: tuple[tuple[str | None, ...], ...] = ()
    cards: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)
    lines: tuple[tuple[int, ...], ...] = field(default=(), compare=False)
    """The file's line of each card: a tuple a row, or one for `cards`; empty where it is not known."""

    def line_of(self, number: int, card: str) -> int:
        """The line of the card played as number `number`, from 1, in the round; `line` where not known."""
        if self.cards and self.lines:
            return self.lines[0][number - 1]
        trick = (number - 1) // len(self.rows[0]) if self.rows else 0
        if trick >= len(self.lines):
            return self.line
        places = zip(self.rows[trick], self.lines[trick], strict=True)
        return [line for played, line in places if played == card][-1]  # of one twice in a row, the second


@dataclass(frozen=True)
class Game:
    """One game of a file. `number` counts from 1 in the file, faulty games too; `line` is where it starts.

    `deal` is None where the file gives no cards; its dealer is the Dealer tag, else the deal's first seat.
    `tags` are the tags after inheritance, all but Deal and Play, which `deal` and `play` hold. `round` is
    there where the contract of King is recorded. `sections` are the lines of data that follow a tag (Auction,
    tables), unread.
    """

    number: int
    line: int
    deal: Deal | None
    tags: Mapping[str, str] = field(default_factory=dict)
    round: Round | None = None
    warnings: tuple[Warning, ...] = ()
    play: PlayRecord | None = None
    sections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    file: str | None = field(default=None, compare=False)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)
    """The line of each tag, where the file has lines of its own for them."""

    def fault(self, message: str, *, line: int | None = None) -> NotationError:
        """The error that says `message` of this game, with file, line (its first unless given) and number."""
        return NotationError(message, file=self.file, line=line or self.line, game=self.number)

    def replay_fault(self, error: KingError, record: Round, what: str = "") -> NotationError:
        """What kept this game's `record` from being replayed, at the line of the card, or deal, at fault."""
        number = error.number if isinstance(error, IllegalCard | KnowledgeError) else None
        line = self.lines.get("Deal") if isinstance(error, DealError) else None
        if number is not None and self.play is not None:
            line = self.play.line_of(number, record.cards[number - 1])
        return self.fault(f"{what}{error}", line=line)

    def noted(self, warning: Warning) -> str:
        """The warning with its place: file and line, and the game's number."""
        return str(self.fault(warning.text, line=warning.line))


def only_games(games: Iterable[Game]) -> Iterator[Game]:
    """The games one by one; NotationError for anything else among them."""
    if not isinstance(games, Iterable):
        msg = f"expected games, got {games!r}"
        raise NotationError(msg)
    for game in games:
        require(game, Game, NotationError)
        yield game


def variant_of(game: Game, variant: VariantLike = None) -> Variant:
    """The variant of a game: the one given (Variant, id or path), else tag KingVariant, else the one that its
    recorded round was played by, else by its cards.

    By its cards: three seats `parlett-3`; hands of at most eight cards, all within 7-A, `russian-14`; else
    `dealers-choice-20`. Raises NotationError for a tag that names no variant that ships, and for a game with
    neither tag nor deal; VariantError for a bad argument.
    """
    if variant is not None:
        return as_variant(variant)
    name = game.tags.get("KingVariant", "")
    if name:
        if name not in variant_ids():  # a path in a data file is never opened
            among = f"one of {' '.join(variant_ids())}"
            msg = (
                f"expected tag KingVariant to name a variant, {among}, got {name!r}: "
                "rules of your own are given with --variant FILE"
            )
            raise game.fault(msg)
        return load_variant(name)
    if game.round is not None and game.round.contract.variant in variant_ids():
        return load_variant(game.round.contract.variant)
    if game.deal is None:
        msg = "expected a Deal or KingVariant tag to tell the variant, got neither"
        raise game.fault(msg)
    return load_variant(_variant_by_cards(game.deal))


def _variant_by_cards(deal: Deal) -> str:
    if deal.seats == 3:
        return "parlett-3"
    hands = [hand for hand in deal.hands if hand is not None]
    small = all(hand.bit_count() <= 8 and not hand & ~pack_mask("7-A") for hand in hands)
    return "russian-14" if small else "dealers-choice-20"


def leader_of(game: Game, variant: Variant, leader: str | None = None) -> str:
    """The seat that leads first: `leader`, else tag KingLeader, else by dealer and variant.

    The dealer is the Dealer tag, else the deal's first seat; the chooser, where one leads, is the dealer only
    where the variant says so, else eldest (as in `Match`).
    Raises CardError for a `leader` that is no seat, NotationError where the game names no seat at all.
    """
    if leader is not None:
        return SEATS[parse_seat(leader, variant.seats)]
    if game.tags.get("KingLeader"):
        return _seat_tag(game, "KingLeader", variant.seats)
    dealer = game.deal.dealer if game.deal is not None else None
    if dealer is None:
        msg = "expected a leader, a KingLeader tag or a Dealer tag, got none"
        raise game.fault(msg)
    try:
        number = parse_seat(dealer, variant.seats)
    except KingError as error:
        msg = f"tag Dealer: {error}"
        raise game.fault(msg) from None
    if _eldest_leads(variant):
        number = (number + (1 if variant.clockwise else -1)) % variant.seats
    return SEATS[number]


def _eldest_leads(variant: Variant) -> bool:
    """Whether the seat after the dealer leads: as such, or as the chooser."""
    if variant.first_lead == "chooser":
        return variant.plan is not None and variant.plan.chooser in ("eldest", "rotates")
    return variant.first_lead == "left-of-dealer"


def _seat_tag(game: Game, name: str, seats: int) -> str:
    try:
        return SEATS[parse_seat(game.tags[name], seats)]
    except KingError as error:
        msg = f"tag {name}: {error}"
        raise game.fault(msg) from None


def round_of(
    game: Game, contract: Contract, *, leader: str | None = None, variant: VariantLike = None
) -> Round:
    """A game's recorded round, taken as one of `contract`: its cards in order of play, as far as recorded.

    The leader is the seat of the Play section (the first card's owner in LIN), else `leader`, else as
    `leader_of` says. The legality of the cards is not looked at: that is the replay's question. Raises
    NotationError for a game without a deal, for a record with gaps, and where `leader` or tag KingLeader is
    not who leads in the record.
    """
    if game.deal is None:
        msg = "expected a deal, got none"
        raise game.fault(msg)
    if game.deal.seats != contract.seats:
        msg = f"expected {contract.seats} hands ({contract.variant} {contract.name}), got {game.deal.seats}"
        raise game.fault(msg)
    play, recorded = game.play, recorded_leader(game)
    named = SEATS[parse_seat(leader, contract.seats)] if leader is not None else None
    if named is None and game.tags.get("KingLeader"):
        named = _seat_tag(game, "KingLeader", contract.seats)
    if None not in (named, recorded) and named != recorded:
        what = "the leader" if leader is not None else "tag KingLeader"
        msg = f"expected {what} to be {recorded}, who leads in the recorded play, got {named!r}"
        raise game.fault(msg, line=game.lines.get("KingLeader") if leader is None else None)
    first = recorded or named or leader_of(game, variant_of(game, variant))
    cards: Iterable[str] = ()
    if play is not None:
        cards = play.cards or _in_order(game, game.deal, play, SEATS.index(first), contract)
    elif game.round is not None:
        cards = game.round.cards
    return Round(contract, first, game.deal, cards)


def recorded_leader(game: Game) -> str | None:
    """The seat that led the first trick by the play recorded, whatever tags say; None where that is open."""
    if game.play is not None:
        return game.play.leader
    return game.round.leader if game.round is not None and game.round.cards else None


def _in_order(game: Game, deal: Deal, play: PlayRecord, leader: int, contract: Contract) -> list[str]:
    """The cards of the columns in the order of play: each trick's winner leads the next."""
    seats, step = contract.seats, 1 if contract.clockwise else -1
    first = leader  # the rows' columns begin with who leads the first trick
    rows = play.rows
    turned = tuple((row[0], *reversed(row[1:])) for row in rows)
    if not contract.clockwise and not _fits(rows, first, deal) and _fits(turned, first, deal):
        rows = turned  # columns written in the direction of play
    cards: list[str] = []
    for number, row in enumerate(rows):
        trick: list[str] = []
        for i in range(seats):
            card = row[(leader + step * i - first) % seats]
            if card is None:
                break
            trick.append(card)
        cards += trick
        if len(trick) < seats:
            later = len(trick) < sum(card is not None for card in row) or any(map(any, rows[number + 1 :]))
            if later:
                missing = SEATS[(leader + step * len(trick)) % seats]
                msg = (
                    f"expected the card of {missing} in trick {number + 1} of the Play section, got none "
                    "but later cards"
                )
                raise game.fault(msg, line=play.lines[number][0] if play.lines else play.line)
            break
        leader = (leader + step * winner(trick, contract.trump)) % seats
    return cards


def _fits(rows: tuple[tuple[str | None, ...], ...], first: int, deal: Deal) -> bool:
    """Whether every card of the clockwise columns was held by its seat."""
    return all(
        card is None or (hand := deal.hands[(first + i) % deal.seats]) is None or hand >> ALL_CARDS[card] & 1
        for row in rows
        for i, card in enumerate(row)
    )


def winner(trick: list[str], trump: str | None) -> int:
    """Which card of a trick in order of play takes it: the highest trump, else the highest of the led suit.

    >>> winner(["Qd", "Ad", "8d", "Th"], None), winner(["Qd", "Ad", "8d", "Th"], "h")
    (1, 3)
    """
    bits = [ALL_CARDS[card] for card in trick]
    suit = bits[0] >> 4
    if trump is not None and any(bit >> 4 == SUITS.index(trump) for bit in bits):
        suit = SUITS.index(trump)
    return max((bit, i) for i, bit in enumerate(bits) if bit >> 4 == suit)[1]


def scores_of(game: Game) -> tuple[int, ...] | None:
    """The points of tag KingScores, `"N:-4 E:0 S:-8 W:-4"`, in seat order; None without the tag.

    Raises NotationError when it is not one whole number for each seat.
    """
    text = game.tags.get("KingScores", "")
    if not text.strip():
        return None
    seats = game.deal.seats if game.deal is not None else 4
    found: dict[str, int] = {}
    for word in text.replace("\u2212", "-").replace(",", " ").split():
        match = _SCORE.fullmatch(word)
        seat = match[1].upper() if match else ""
        if not match or seat in found or seat not in SEATS[:seats]:
            break
        found[seat] = int(match[2])
    else:
        if len(found) == seats:
            return tuple(found[seat] for seat in SEATS[:seats])
    names = " ".join(f"{seat}:points" for seat in SEATS[:seats])
    msg = f"expected tag KingScores as {names!r}, got {text!r}"
    raise game.fault(msg, line=game.lines.get("KingScores"))


def scores_text(scores: Iterable[int]) -> str:
    """Points in seat order as the KingScores tag has them.

    >>> scores_text([-4, 0, -8, -4])
    'N:-4 E:0 S:-8 W:-4'
    """
    return " ".join(f"{seat}:{points}" for seat, points in zip(SEATS, scores, strict=False))


class Settler:
    """Checks the games of one file against their variants, each loaded once, and builds their rounds."""

    def __init__(self, variant: VariantLike, contract: str | None = None) -> None:
        self._given = None if variant is None else as_variant(variant)
        self._contract = contract
        self._loaded: dict[str, Variant] = {}

    @property
    def given(self) -> Variant | None:
        """The variant given by the caller, None without one."""
        return self._given

    def given_pack(self) -> int | None:
        """The pack of the variant given by the caller, None without one."""
        return self._given.pack if self._given is not None else None

    def variant(self, game: Game) -> Variant:
        """As `variant_of`."""
        if self._given is not None:
            return self._given
        key = game.tags.get("KingVariant") or (_variant_by_cards(game.deal) if game.deal else "")
        if key not in self._loaded:
            self._loaded[key] = variant_of(game)
        return self._loaded[key]

    def contract(self, variant: Variant, name: str) -> Contract | None:
        """The contract that a round recorded as one of `name` is taken for: the one given by the caller, None
        where the variant has it not; else that of the name, VariantError where there is none."""
        return variant.contract(name) if self._contract is None else variant.contracts.get(self._contract)

    def settle(self, game: Game, lines: Mapping[str, int]) -> Game:
        """`game` with its round; `lines` are its tags' lines. NotationError says what is wrong, and where."""
        try:
            return self._settle(game, lines)
        except VariantError as error:
            raise game.fault(str(error), line=lines.get("KingContract")) from None

    def _settle(self, game: Game, lines: Mapping[str, int]) -> Game:
        name = game.tags.get("KingContract", "")
        if game.deal is None and not name and not game.tags.get("KingVariant"):
            return game
        try:
            variant = self.variant(game)
        except NotationError as error:
            raise game.fault(error.message, line=lines.get("KingVariant")) from None
        if game.deal is not None:
            deal = fitted(game.deal, variant)
            if deal.seats == 3 and deal.dealer == "W" and game.tags.get("Dealer") != "W":
                deal = replace(deal, dealer="N")  # named by the deal's first seat alone, where nobody sits
            faults = deal_faults(deal, variant)
            if faults:
                raise game.fault("; ".join(faults), line=lines.get("Deal"))
            game = replace(game, deal=deal, play=_fitted_play(game.play, deal.seats))
        contract = self.contract(variant, name) if name else None
        if contract is None or game.deal is None:
            return game
        odd = _odd_leader(game, variant)
        warnings = (
            (*game.warnings, Warning(lines.get("Play", game.line), "Play", odd)) if odd else game.warnings
        )
        return replace(game, round=round_of(game, contract, variant=variant), warnings=warnings)


def _odd_leader(game: Game, variant: Variant) -> str | None:
    """What is odd about who leads in the recorded play, in words: another than is due, and no tag says so."""
    recorded = recorded_leader(game)
    told = game.deal is None or game.deal.dealer is None or game.tags.get("KingLeader")
    if recorded is None or told or variant.first_lead not in ("dealer", "left-of-dealer"):
        return None
    due = leader_of(game, variant)
    if recorded == due:
        return None
    return f"expected {due} to lead by the dealer and the variant, got {recorded} in the recorded play"


def with_order(deal: Deal, order: Mapping[str, tuple[str, ...]]) -> Deal:
    """The deal with each seat's cards in the order dealt; DealError where they are not those of the hands."""
    if list(order) != list(SEATS[: deal.seats]):
        msg = f"expected the cards as dealt for {' '.join(SEATS[: deal.seats])}, got {' '.join(order)!r}"
        raise DealError(msg)
    for (seat, cards), hand in zip(order.items(), deal.hands, strict=True):
        if hand is not None and mask_of(cards) != hand:
            msg = f"expected the cards of {seat} in the order dealt, got {' '.join(cards)!r}"
            raise DealError(msg)
    return replace(deal, order=tuple(order.values()))


def fitted(deal: Deal, variant: Variant) -> Deal:
    """The deal without a fourth hand given as unknown, where three play: nobody sits there."""
    if variant.seats == 3 and deal.seats == 4 and deal.hands[3] is None:
        return replace(deal, hands=deal.hands[:3])
    return deal


def _fitted_play(play: PlayRecord | None, seats: int) -> PlayRecord | None:
    """The play without the column of W, where three play."""
    if play is None or not play.rows or len(play.rows[0]) == seats or play.leader == "W":
        return play
    absent = 3 - SEATS.index(play.leader or "N")
    rows = tuple(row[:absent] + row[absent + 1 :] for row in play.rows)
    return replace(play, rows=rows, lines=tuple(row[:absent] + row[absent + 1 :] for row in play.lines))


def deal_faults(deal: Deal, variant: Variant) -> list[str]:
    """What keeps the deal from being one of the variant, in words: cards, sizes, number of hands."""
    faults = deal.faults(variant.pack)
    if deal.seats != variant.seats:
        faults.append(f"expected {variant.seats} hands ({variant.id}), got {deal.seats}")
    size = max((hand.bit_count() for hand in deal.hands if hand is not None), default=0)
    if size > variant.hand_size:
        faults.append(f"expected at most {variant.hand_size} cards a hand ({variant.id}), got {size}")
    if deal.dealer is not None and deal.dealer not in SEATS[: deal.seats]:
        faults.append(f"expected a dealer among {' '.join(SEATS[: deal.seats])}, got {deal.dealer!r}")
    return faults
