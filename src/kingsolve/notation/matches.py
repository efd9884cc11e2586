"""Whole matches as games and back: one game a round, so that a match is a file of PBN or JSON lines too."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..cards import SEATS
from ..deal import Deal
from ..dealing import MAX_SEED
from ..errors import KingError, NotationError
from ..match import Match
from ..rounds import Round
from ..variants import Variant
from .game import Game, VariantLike, round_of, scores_of, scores_text, variant_of

SEAT_TAGS = dict(zip(SEATS, ("North", "East", "South", "West"), strict=True))
SEED_TAG = "KingSeed"


def match_games(match: Match, *, number: int = 1, line: int = 1, file: str | None = None) -> Iterator[Game]:
    """A game for each round of the match, the one in progress last if a card of it has been played.

    Board is the round, KingSeed the match's seed, North to West its players, KingScores the points of a
    finished round. A round of which only the scores are known has no deal. Games are numbered from `number`;
    `line` and `file` are where the match was read.
    """
    names = {SEAT_TAGS[seat]: name for seat, name in match.players.items()}
    common = {"Event": f"King: {match.variant.title}", **names, SEED_TAG: str(match.seed)}
    for result in match.results:
        tags = {**common, "Board": str(result.number), "KingScores": scores_text(result.scores)}
        game = Game(number, line, None, tags, result.round, file=file)
        if result.round is None:
            named = {"KingVariant": match.variant.id, "KingContract": result.contract.name}
            yield replace(game, tags={**tags, **named, "KingLeader": result.leader, "Dealer": result.dealer})
        else:
            deal = result.round.deal
            yield replace(game, deal=deal if deal.dealer else replace(deal, dealer=result.dealer))
        number += 1
    if match.cards:
        played = match.current
        yield Game(number, line, played.deal, {**common, "Board": str(match.number)}, played, file=file)


def match_of(games: Iterable[Game], *, variant: VariantLike = None) -> Match:
    """The match whose rounds are `games`, in their order: the opposite of `match_games`.

    The rules are `variant`, else those of the first game. Every round is replayed and must follow: contract,
    dealer, leader, scores. The seed is tag KingSeed of the first game, else 0: it gives the deals of rounds
    still to be played. Raises NotationError naming the game that is no round of the match.
    """
    match: Match | None = None
    over = False
    for game in games:
        try:
            if match is None:
                match = _begun(game, variant_of(game, variant))
            elif over:
                raise game.fault("expected no game after a round in progress, got one")  # noqa: EM101
            over = not _add(match, game)
        except NotationError:
            raise
        except KingError as error:
            raise game.fault(str(error)) from None  # the one place
    if match is None:
        msg = "expected at least one game, got none"
        raise NotationError(msg)
    return match


def _begun(game: Game, variant: Variant) -> Match:
    """The match that begins with `game`."""
    text = game.tags.get(SEED_TAG, "").strip() or "0"
    if not (text.isascii() and text.isdecimal()) or int(text) > MAX_SEED:
        msg = f"expected tag {SEED_TAG} from 0 to {MAX_SEED}, got {text!r}"
        raise game.fault(msg)
    players = {
        seat: name for seat in variant.seat_names if (name := game.tags.get(SEAT_TAGS[seat], "").strip())
    }
    bare = Match(variant, seed=int(text), players=players)
    dealer = game.deal.dealer if game.deal is not None else game.tags.get("Dealer") or None
    if dealer is None or bare.first_dealer is None or dealer == bare.first_dealer:
        return bare
    return Match(variant, seed=int(text), first_dealer=dealer, players=players)


def _add(match: Match, game: Game) -> bool:
    """Adds a game to the match; whether it is a whole round."""
    written = scores_of(game)
    name = game.tags.get("KingContract") or (game.round.contract.name if game.round else "")
    if not name:
        msg = "expected a recorded round with its contract (tag KingContract), got none"
        raise game.fault(msg)
    if game.deal is None:
        if written is None:
            msg = "expected a deal with its cards, or tag KingScores, got neither"
            raise game.fault(msg)
        if match.contract is None:
            match.choose(name)
        if match.contract is None or match.contract.name != name:
            msg = f"expected {match.contract and match.contract.name!r} (round {match.number}), got {name!r}"
            raise game.fault(msg)
        match.record(written)
        return True
    played = round_of(game, match.variant.contract(name), variant=match.variant)
    if not played.position().is_over:
        _go_on(match, played)
        return False
    result = match.play(played)
    if written is not None and written != result.scores:
        expected, got = scores_text(result.scores), scores_text(written)
        msg = f"expected tag KingScores {expected!r} after these cards, got {got!r}"
        raise game.fault(msg)
    return True


def _go_on(match: Match, played: Round) -> None:
    """Plays the cards of a round in progress; KingError where it is not the match's next."""
    if match.contract is None:
        match.choose(played.contract.name)
    ours = match.current
    if (played.contract, played.leader, played.deal.hands) != (ours.contract, ours.leader, ours.deal.hands):
        msg = (
            f"expected the round in progress to be round {match.number} of seed {match.seed}, "
            f"{_words(ours)}, got {_words(played)}"
        )
        raise KingError(msg)
    for card in played.cards:
        match.push(card)


def _words(record: Round) -> str:
    """Contract, leader and deal."""
    return f"{record.contract.name} led by {record.leader} on {Deal(record.deal.hands).pbn()!r}"
