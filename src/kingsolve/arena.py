"""Players against each other over duplicate matches: who scores more, by how much, and how surely.

A *deal set* is the deals of one match. It is played at several *tables*: every lineup of players in every
rotation of the seats, so that each of them holds every hand and what is compared is the players, not their
cards. Lineups are of three kinds (KINDS). Deals and choices follow from the seed: neither processes nor the
clock change a result, unless the time of a move is capped.
"""

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from itertools import combinations, pairwise
from math import sqrt
from multiprocessing import active_children, get_context
from signal import SIG_IGN, SIGINT, signal
from typing import IO, Any, NoReturn

from .bulk import processors
from .dealing import MAX_SEED, stream
from .errors import KingError
from .match import Match
from .players import OPEN, REVISION, AnyPlayer, Table, load_player, warm_up
from .players.open import OpenSeat
from .players.quick import is_quick, quick_match
from .variants import Variant

KINDS = ("ladder", "mixed", "pairs")
"""`ladder`: each player against the one named before it, two against two in alternating seats, both ways
round; `pairs`: so for every two players; `mixed`: all players at one table, in every rotation."""

FORMAT, VERSION = "kingsolve arena", 1
PLAYERS_VERSION = f"{version('kingsolve')}/{REVISION}"

Seats = tuple[str, ...]
"""Who sits where: the players, as they are named in the contest, in seat order."""


@dataclass(frozen=True, kw_only=True)
class Contest:
    """What is to be played. Players are named `hard`, or `hard:200` with a budget of deals a move.

    Raises KingError for what cannot be played.
    """

    variant: Variant
    players: tuple[str, ...]
    sets: int
    """Deal sets: matches, each of them played at every table."""
    seed: int
    kinds: tuple[str, ...] = ("ladder", "mixed")
    budget: int | None = None
    """Deals a move of every player named without; None: its own."""
    seconds: float | None = None
    """A cap on the time of a move; None: none."""

    def __post_init__(self) -> None:
        twice = [name for name in self.players if self.players.count(name) > 1]
        unknown = [kind for kind in self.kinds if kind not in KINDS]
        for fault, msg in (
            (self.variant.plan is None, f"a variant with a [match], got {self.variant.id!r}"),
            (len(self.players) < 2, f"two players or more, got {' '.join(self.players) or 'none'}"),
            (bool(twice), f"each player once, got {' '.join(self.players)!r}"),
            (not self.kinds or bool(unknown), f"tables among {' '.join(KINDS)}, got {list(self.kinds)}"),
            (self.sets < 1, f"deal sets of at least 1, got {self.sets!r}"),
            (not 0 <= self.seed <= MAX_SEED, f"a seed from 0 to {MAX_SEED}, got {self.seed!r}"),
        ):
            if fault:
                text = f"expected {msg}"
                raise KingError(text)
        for name in self.players:
            self.player(name)

    def player(self, name: str) -> AnyPlayer:
        """A player as named in the contest; KingError when there is none."""
        word, colon, deals = name.partition(":")
        if colon and not (deals.isascii() and deals.isdigit() and int(deals)):
            msg = f"expected a player and its deals a move, such as 'hard:200', got {name!r}"
            raise KingError(msg)
        if word == OPEN:
            return OpenSeat()
        budget = int(deals) if colon else self.budget
        return load_player(word, seed=self.seed, deals=budget, seconds=self.seconds)

    def warm_up(self) -> None:
        """Loads the compiled code of the players, which is no time of a move."""
        for name in self.players:
            warm_up(name.partition(":")[0])

    @cached_property
    def against(self) -> tuple[tuple[str, str], ...]:
        """The pairs that meet head to head, the later named first."""
        found = list(pairwise(self.players)) if "ladder" in self.kinds else []
        if "pairs" in self.kinds:
            found += [pair for pair in combinations(self.players, 2) if pair not in found]
        return tuple((b, a) for a, b in found)

    def pair_tables(self, pair: tuple[str, str]) -> tuple[Seats, ...]:
        """The tables at which two players meet: each in as many seats as the other, both ways round."""
        seats = self.variant.seats
        a, b = pair
        lineups = [(a, b) * (seats // 2) + extra for extra in ([()] if seats % 2 == 0 else [(a,), (b,)])]
        return tuple(dict.fromkeys(turned for lineup in lineups for turned in _rotations(lineup)))

    @cached_property
    def mixed_tables(self) -> tuple[Seats, ...]:
        """All players in every rotation; where seats are left over each player in turn fills them, where
        there are too few every choice of players."""
        seats, players = self.variant.seats, self.players
        if "mixed" not in self.kinds:
            return ()
        if len(players) >= seats:
            lineups = list(combinations(players, seats))
        else:
            times, left = divmod(seats, len(players))
            lineups = [players * times + extra for extra in combinations(players, left)]
        return tuple(dict.fromkeys(turned for lineup in lineups for turned in _rotations(lineup)))

    @cached_property
    def tables(self) -> tuple[Seats, ...]:
        """Every table, in the order played."""
        paired = [table for pair in self.against for table in self.pair_tables(pair)]
        return tuple(dict.fromkeys([*paired, *self.mixed_tables]))

    def match(self, number: int) -> Match:
        """The match of deal set `number`, from 1, before its first card."""
        return Match(self.variant, seed=stream(self.seed, number)(1 << 63))


def _rotations(lineup: Seats) -> Iterator[Seats]:
    for turn in range(len(lineup)):
        yield lineup[turn:] + lineup[:turn]


# --- playing ---


@dataclass(frozen=True, kw_only=True)
class Played:
    """One match that was played."""

    number: int
    """Its deal set."""
    seats: Seats
    totals: tuple[int, ...]
    """Points of the match, in seat order."""
    moves: Mapping[str, int]
    """By player, how often it had to choose between two cards or more; all cards of compiled policies."""
    seconds: Mapping[str, float]
    """What these choices took, by player."""
    slowest: Mapping[str, float]
    """The longest of them; the mean for compiled policies, whose single choices are not timed."""

    @property
    def won(self) -> tuple[float, ...]:
        """The share of the victory of each seat: seats of equal highest totals share it."""
        best = max(self.totals)
        winners = self.totals.count(best)
        return tuple((total == best) / winners for total in self.totals)


def play_one(contest: Contest, number: int, seats: Seats) -> Played:
    """Plays the match of a deal set at a table."""
    names = dict(zip(contest.variant.seat_names, seats, strict=True))
    made = {name: contest.player(name) for name in dict.fromkeys(seats)}
    players = {seat: made[name] for seat, name in names.items()}
    match = contest.match(number)
    moves, spent, slowest = dict.fromkeys(made, 0), dict.fromkeys(made, 0.0), dict.fromkeys(made, 0.0)
    if is_quick(players):
        began = time.perf_counter()
        cards = quick_match(match, players)
        each = (time.perf_counter() - began) / cards
        for name in made:
            moves[name] = cards * seats.count(name) // len(seats)
            spent[name], slowest[name] = each * moves[name], each
    else:
        table = Table(match, players)
        while not table.is_over:
            name = names[table.seat]
            began = time.perf_counter()
            what = table.ask()
            took = time.perf_counter() - began
            if table.choosing or table.options > 1:
                moves[name] += 1
                spent[name] += took
                slowest[name] = max(slowest[name], took)
            table.act(what)
    return Played(
        number=number, seats=seats, totals=match.totals, moves=moves, seconds=spent, slowest=slowest
    )


# --- the matches kept ---


class Kept:
    """A file of matches, JSON lines: what it holds of a contest need not be played again.

    The first line says what all others depend on: variant, seed, cap, and the version of the players. A last
    line that was cut short is dropped. Raises KingError for a file of something else, with the line.
    """

    def __init__(self, path: str, contest: Contest) -> None:
        self._path = path
        self._head = {
            "format": FORMAT,
            "version": VERSION,
            "kingsolve": PLAYERS_VERSION,
            "variant": contest.variant.id,
            "sha256": contest.variant.sha256,
            "seed": contest.seed,
            "budget": contest.budget,
            "seconds": contest.seconds,
        }
        self.played: list[Played] = []
        """The matches there."""
        self._stream: IO[bytes] | None = None
        data = b""
        if os.path.exists(path):
            if not os.path.isfile(path):  # a device may have no end
                msg = f"{path}: expected a file for the matches, got something else"
                raise KingError(msg)
            with open(path, "rb") as stream:
                data = stream.read()
        whole = data[: data.rfind(b"\n") + 1]
        if data and not whole and not _line(self._head).startswith(data):
            self._refuse(1, "a line")
        lines = whole.splitlines()
        if lines:
            self._check_head(self._read(1, lines[0]))
        for number, line in enumerate(lines[1:], 2):
            record = self._read(number, line)
            try:
                self.played.append(_played(record, contest.variant.seats))
            except (KeyError, TypeError, ValueError):
                self._refuse(number, f"a match of {contest.variant.seats} seats")
        self._keep = len(whole)

    def _read(self, number: int, line: bytes) -> Any:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            self._refuse(number, "JSON")
        if not isinstance(record, dict):
            self._refuse(number, "an object of JSON")
        return record

    def _check_head(self, head: dict[str, Any]) -> None:
        if (head.get("format"), head.get("version")) != (FORMAT, VERSION):
            self._refuse(1, f"the matches of an arena ({FORMAT!r} version {VERSION})")
        for name, value in self._head.items():
            if head.get(name) != value:
                msg = f"{self._path}: expected matches of {name} {value!r}, got {head.get(name)!r}"
                raise KingError(msg)

    def _refuse(self, number: int, wanted: str) -> NoReturn:
        msg = f"{self._path}:{number}: expected {wanted}, got something else"
        raise KingError(msg)

    def add(self, one: Played) -> None:
        """Writes one match more, at once. OSError, with the name of the file, where that cannot be done."""
        record = {"set": one.number, **{name: getattr(one, name) for name in _FIELDS}}
        try:
            if self._stream is None:
                self._stream = open(self._path, "ab", buffering=0)  # closed by `close`
                self._stream.truncate(self._keep)
                if not self._keep:
                    self._write(_line(self._head))
            self._write(_line(record))
        except OSError as error:
            raise OSError(error.errno, error.strerror, self._path) from None

    def _write(self, line: bytes) -> None:
        assert self._stream is not None
        while line:
            line = line[self._stream.write(line) :]

    def close(self) -> None:
        """Closes the file."""
        if self._stream is not None:
            self._stream.close()


_FIELDS = ("seats", "totals", "moves", "seconds", "slowest")


def _line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


def _played(record: dict[str, Any], seats: int) -> Played:
    """A match of its record; KeyError, TypeError or ValueError for what is none."""
    names, totals = tuple(map(str, record["seats"])), tuple(map(int, record["totals"]))
    if len(names) != seats or len(totals) != seats:
        raise ValueError
    times = {
        name: {player: float(record[name][player]) for player in names} for name in ("seconds", "slowest")
    }
    moves = {player: int(record["moves"][player]) for player in names}
    return Played(number=int(record["set"]), seats=names, totals=totals, moves=moves, **times)


# --- several processes ---

_contest: Contest | None = None
"""In a process of `play`: what it plays."""


def _begin(contest: Contest) -> None:
    """Prepares a process; Ctrl-C is the parent's to handle."""
    global _contest
    signal(SIGINT, SIG_IGN)
    _contest = contest
    contest.warm_up()


def _work(number: int, seats: Seats) -> Played:
    assert _contest is not None
    return play_one(_contest, number, seats)


def play(
    contest: Contest,
    *,
    jobs: int | None = None,
    done: Iterable[Played] = (),
    told: Callable[[Played], None] | None = None,
) -> list[Played]:
    """Plays all matches that are not in `done` on `jobs` processes (one for each processor); all of them, in
    order.

    `told` is called with each new match when it is over, in any order.
    """
    found = {(one.number, one.seats): one for one in done}
    wanted = [(number, seats) for number in range(1, contest.sets + 1) for seats in contest.tables]
    missing = [key for key in wanted if key not in found]
    count = min(jobs or processors(), len(missing))
    fresh = _alone(contest, missing) if count < 2 else _spread(contest, missing, count)
    for one in fresh:
        found[one.number, one.seats] = one
        if told is not None:
            told(one)
    return [found[key] for key in wanted]


def _alone(contest: Contest, keys: Iterable[tuple[int, Seats]]) -> Iterator[Played]:
    """Matches one after another, in this process."""
    for key in keys:
        contest.warm_up()  # once
        yield play_one(contest, *key)


def _spread(contest: Contest, keys: Iterable[tuple[int, Seats]], jobs: int) -> Iterator[Played]:
    """Matches on several processes, as they end. Players are Python in part: threads would wait for one
    another."""
    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin, initargs=(contest,))
    try:
        waiting: set[Future[Played]] = set()
        for key in keys:
            waiting.add(pool.submit(_work, *key))
            while len(waiting) >= 4 * jobs:
                ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in ended)
        while waiting:
            ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in ended)
    finally:
        for process in set(active_children()) - others:
            process.terminate()  # a match may take minutes: nobody waits for it after an error
        pool.shutdown(wait=True, cancel_futures=True)


# --- what came of it ---


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line of the result: how a player did at mixed tables, or by how much it did better than another.

    `points` is the mean of a match, for one seat of the player, less that of the other player where there is
    one; `low` and `high` are its 95 % interval, deal sets being independent and the tables of one not.
    """

    player: str
    against: str | None
    """The player it met head to head; None: all of them, at mixed tables."""
    sets: int
    """Deal sets played at all of these tables."""
    matches: int
    points: float
    low: float
    high: float
    points_a_deal: float
    wins: float
    """The share of all victories that fell to the player's seats, for as many seats as it had: what is fair
    is `fair`."""
    fair: float
    move: float
    """Mean seconds of a choice of the player."""
    slowest: float
    """Its longest, in seconds."""


def rows(contest: Contest, played: Iterable[Played]) -> list[Row]:
    """The result: each player at the mixed tables, then each pair head to head. Only deal sets played at all
    tables of a row count; rows without any are left out."""
    at: dict[Seats, dict[int, Played]] = {}
    for one in played:
        at.setdefault(one.seats, {})[one.number] = one
    found = [_row(contest, at, contest.mixed_tables, name, None) for name in contest.players]
    found += [_row(contest, at, contest.pair_tables(pair), *pair) for pair in contest.against]
    return [row for row in found if row is not None]


def _row(
    contest: Contest, at: dict[Seats, dict[int, Played]], tables: tuple[Seats, ...], name: str,
    against: str | None,
) -> Row | None:  # fmt: skip
    here = tuple(table for table in tables if name in table)
    numbers = set.intersection(*(set(at.get(table, {})) for table in here)) if here else set()
    if not numbers:
        return None
    means, wins, matches = [], 0.0, []
    for number in sorted(numbers):
        ours = [at[table][number] for table in here]
        matches += ours
        mean = _mean(_of(ours, name))
        means.append(mean - _mean(_of(ours, against)) if against is not None else mean)
        wins += sum(won for one in ours for won, seat in zip(one.won, one.seats, strict=True) if seat == name)
    held = sum(one.seats.count(name) for one in matches)
    mean = _mean(means)
    half = _half_width(means)
    moves = sum(one.moves[name] for one in matches)
    plan = contest.variant.plan
    assert plan is not None
    seats = contest.variant.seats
    share = 1 if against is None else seats / 2
    return Row(
        player=name, against=against, sets=len(numbers), matches=len(matches), points=mean, low=mean - half,
        high=mean + half, points_a_deal=mean / plan.rounds, wins=wins / held * share, fair=share / seats,
        move=sum(one.seconds[name] for one in matches) / max(moves, 1),
        slowest=max(one.slowest[name] for one in matches),
    )  # fmt: skip


def _of(matches: Iterable[Played], name: str) -> list[int]:
    """The totals of a player's seats."""
    return [
        total for one in matches for total, seat in zip(one.totals, one.seats, strict=True) if seat == name
    ]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _half_width(values: list[float]) -> float:
    """Half a 95 % interval of the mean: Student's t, as R. A. Fisher and E. A. Cornish (1960) expand it;
    infinite for one value."""
    n = len(values)
    if n < 2:
        return float("inf")
    mean, z, v = _mean(values), 1.959964, n - 1
    t = z + (z**3 + z) / (4 * v) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
    t += (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    return t * sqrt(sum((value - mean) ** 2 for value in values) / (n * (n - 1)))
