"""Plants faults in the core, one at a time, and says which test catches each: a test of the tests.

    python tests/mutants.py                    every fault; 25 minutes on one core
    python tests/mutants.py pulled key-leader  some
    python tests/mutants.py --list             what there is
    python tests/mutants.py --check            only whether every place to plant a fault is still there
    python tests/mutants.py --write            and make docs/mutants.md's table of it
    python tests/mutants.py --write --rest     go on after an interruption

Random deals are weak tests of rare rules: a fault in one may pass thousands. So each fault named in
docs/solver.md as a trap is planted in a private copy of the tree (kernels for any processor only, compiled
in a hurry), and the quick tests of the core must fail. One that survives asks for a better test. When a
place in the core has been rewritten, its anchor here is gone and the script says so: write it anew, so that
the fault is again the one described. Not run by pytest. Exit 1 when a fault survives.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
CORE = Path("src/kingsolve/_core")
PAGE = ROOT / "docs" / "mutants.md"
QUICK = (
    "test_patterns", "test_house_rules", "test_gaps", "test_core", "test_invariants", "test_against_naive",
)  # fmt: skip
"""The tests that must notice, those first that take least time."""
FIRST = {
    "gaps.pxi": "test_gaps",
    "gap-odd": "test_gaps",
    "gap-root": "test_gaps",
    "gap-seats": "test_gaps",
    "maxn.pxi": "test_against_naive",
    "equilibria.pxi": "test_against_naive",
    "key-broken": "test_invariants",
    "kind-waiver": "test_core",
    "pulled": "test_against_naive",
    "pulled-each": "test_against_naive",
    "clean-owed": "test_against_naive",
    "window": "test_against_naive",
    "stale": "test_invariants",
    "fits": "test_house_rules",
    "side-answer": "test_house_rules",
    "side-asked": "test_house_rules",
    "takers-part": "test_house_rules",
    "takers-first": "test_house_rules",
    "takers-waiver": "test_house_rules",
}
"""Tests to begin with for a fault, by its name or file, to be done sooner."""
CRASHES = (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGFPE, signal.SIGILL)
TIMEOUT = 3600
BUILD = (
    ("setup.py", 'V3 = platform.system() == "Linux" and platform.machine() == "x86_64"', "V3 = False"),
    ("setup.py", '["-O3"]', '["-O1"]'),
)
"""Changes of the copy that make it quick to build."""


class Mutant(NamedTuple):
    """A fault: its name, what it is, and the text of a file of the core that it replaces, found just once."""

    name: str
    fault: str
    file: str
    old: str
    new: str


MUTANTS = (
    Mutant(
        "key-kinds", "the key says where scoring cards are, but not which",
        "rules.pxd",
        "    if g.mixed:\n        key.word[2] = (",
        "    if g.mixed and False:\n        key.word[2] = (",
    ),
    Mutant(
        "key-leader", "the key leaves out who leads",
        "rules.pxd", " | <uint64_t>leader << 54 | flag << 56", " | flag << 56",
    ),
    Mutant(
        "key-broken", "the key leaves out whether the bar is broken",
        "rules.pxd", " | <uint64_t>leader << 54 | flag << 56", " | <uint64_t>leader << 54",
    ),
    Mutant(
        "equal-kinds", "cards of different points or duties are taken for equals",
        "rules.pxd",
        "if higher and bit_of(ctz(higher)) & cards and g.kind[ctz(higher)] == g.kind[card]:",
        "if higher and bit_of(ctz(higher)) & cards:",
    ),
    Mutant(
        "equal-suits", "a run of equals goes on into the next suit",
        "rules.pxd",
        "        higher = (hand | others) & above(card)\n",
        "        higher = (hand | others) & ~((bit_of(card) << 1) - 1)\n",
    ),
    Mutant(
        "kind-waiver", "cards that a waiver names are of a kind with their neighbours",
        "rules.pyx", "and (c.waiver >> card ^ c.waiver >> other) & 1 == 0", "and True",
    ),
    Mutant(
        "place", "each trick has the points of the next, so the last two are the wrong ones",
        "rules.pyx",
        "contract.trick_points[contract.hand_size - i] //",
        "contract.trick_points[max(contract.hand_size - i - 1, 0)] //",
    ),
    Mutant(
        "best-avoid", "an avoider's or his field's equals are judged without the best card of the trick",
        "avoid.pxi",
        "        others |= bit_of(t.best)\n", "        pass\n",
    ),
    Mutant(
        "best-side", "likewise in the search for any side",
        "search.pxi", "            others |= bit_of(best)\n", "            others |= 0\n",
    ),
    Mutant(
        "best-take", "likewise among takers",
        "take.pxi",
        "    if t.best >= 0:\n        others |= bit_of(t.best)\n",
        "    if t.best >= 0:\n        others |= 0\n",
    ),
    Mutant(
        "best-maxn", "likewise in max^n",
        "maxn.pxi", "            others |= bit_of(best)\n", "            others |= 0\n",
    ),
    Mutant(
        "best-sets", "likewise in equilibria",
        "equilibria.pxi", "        others |= bit_of(best)\n", "        others |= 0\n",
    ),
    Mutant(
        "pulled", "the clean test counts cards that a rule may pull out of the hand",
        "avoid.pxi",
        " & ~at_mercy(own, x.g.contract.must_discard) & ~at_mercy(own, x.g.contract.forced_under)\n",
        "\n",
    ),
    Mutant(
        "pulled-each", "or takes the cards of both rules for those of one",
        "avoid.pxi",
        "at_mercy(own, x.g.contract.must_discard) & ~at_mercy(own, x.g.contract.forced_under)",
        "at_mercy(own, x.pulled)",
    ),
    Mutant(
        "clean-lead", "the clean test is used for an avoider on lead",
        "avoid.pxi", "if leader != x.avoider and clean(", "if clean(",
    ),
    Mutant(
        "clean-owed", "an avoider void in the led suit throws what he likes, an owed discard or not",
        "avoid.pxi",
        "    cards = discards(x, own)\n    while cards:",
        "    cards = own\n    while cards:",
    ),
    Mutant(
        "escape-bar", "a card under a bar counts as a sure way out of the lead",
        "avoid.pxi", "exits = own & ~lane & ~g.contract.barred  #", "exits = own & ~lane  #",
    ),
    Mutant(
        "escape-last", "who must beat the next lead may have thrown that card by then",
        "avoid.pxi",
        "if x.hand[seat] & lane or popcount(x.hand[seat] & lane_of(exit_)) > 1:",
        "if True:",
    ),
    Mutant(
        "forced-over", "an avoider is made to win over his highest card, where he may play a lower one",
        "avoid.pxi", "        under = below(ctz(own))\n", "        under = below(top(own))\n",
    ),
    Mutant(
        "bounds", "lower and upper bounds change places when stored",
        "table.pxi", "    if value >= bound:\n        entry.low", "    if value < bound:\n        entry.low",
    ),
    Mutant(
        "stale", "a table keeps the entries of another side",
        "context.pxi",
        "    next_generation(&x.table)\n    x.kind",
        "    if x.table.generation == 0:\n        next_generation(&x.table)\n    x.kind",
    ),
    Mutant(
        "stale-patterns",
        "patterns of another side are kept",
        "context.pxi",
        "    forget_patterns(&x.patterns)\n    for seat",
        "    for seat",
    ),
    Mutant(
        "window", "the window behind a trick is not moved by what the trick brought",
        "search.pxi",
        "side_boundary(x, winner, left - 1, broken, bound - gain, rel)",
        "side_boundary(x, winner, left - 1, broken, bound, rel)",
    ),
    Mutant(
        "rel-winner", "a trick's winner does not join what the proof looked at",
        "take.pxi", "    if rivals & (rivals - 1):\n        rel[0]", "    if False:\n        rel[0]",
    ),
    Mutant(
        "rel-entry", "nor does the card with which a friend is entered",
        "take_sure.pxi",
        "        rel[0] |= lowest_of(best[entry].winners if best[entry].joint",
        "        rel[0] |= 0 & lowest_of(best[entry].winners if best[entry].joint",
    ),
    Mutant(
        "rel-run", "nor do the equals that a card stood for",
        "take.pxi", "            united |= run_below(g, card, every, hand, others)\n", "            pass\n",
    ),
    Mutant(
        "rel-overtrump", "nor does the trump that a rule asks to beat",
        "take.pxi",
        "            return bit_of(top(t.cards & x.g.trump))\n",
        "            return 0\n",
    ),
    Mutant(
        "rel-waiver", "nor do the cards of a waiver",
        "take.pxi",
        "return c.waiver if c.waiver and not (c.until_broken and t.broken) else 0",
        "return 0",
    ),
    Mutant(
        "rel-tops", "nor do the tops of the suits that end a long run",
        "take.pxi", "                rel[0] = tops\n", "                rel[0] = 0\n",
    ),
    Mutant(
        "low-cards", "a card refuted by its rank refutes the lower ones of its suit",
        "take.pxi", "if low == 0 or low > bit_of(card):", "if low == 0 or low >= bit_of(card):",
    ),
    Mutant(
        "overtaking", "sure tricks forget friends who have to overtake",
        "take_sure.pxi",
        "    if others != foes:\n",
        "    if others != foes and False:\n",
    ),
    Mutant(
        "sure-ruffed", "sure tricks forget that a hand may ruff",
        "take_sure.pxi",
        "                    follow = min(follow, popcount(x.hand[other] & lane))\n",
        "                    follow = min(follow, 13)\n",
    ),
    Mutant(
        "sure-barred", "sure tricks are counted in a suit that may not be led",
        "take_sure.pxi",
        "    return not lane & c.barred or (c.until_broken and broken)\n", "    return True\n",
    ),
    Mutant(
        "sure-stranded", "a friend's low cards win though the leader has to overtake him",
        "take_sure.pxi",
        "            longest = max(longest, popcount(x.hand[other] & lane))\n    if found.tricks >= longest:",
        "            longest = max(longest, popcount(x.hand[other] & foes))\n    if found.tricks >= longest:",
    ),
    Mutant(
        "after-behind", "the foes still to play are forgotten when a hand is sure of a trick",
        "take_sure.pxi", "            behind |= held\n", "            pass\n",
    ),
    Mutant(
        "after-friend", "a friend is not made to overtake it there",
        "take_sure.pxi", "if own == 0 or friends > card:", "if own == 0:",
    ),
    Mutant(
        "after-card", "nor does the card that wins it join what the proof looked at",
        "take_sure.pxi", "    rel[0] = card\n", "    rel[0] = 0\n",
    ),
    Mutant(
        "tops-thrown", "a hand keeps the tops of more suits than it has cards left",
        "take.pxi", " and tops_kept(x, leader, tops, left - run):", ":",
    ),
    Mutant(
        "takers-part", "takers are given contracts that bar part of a suit",
        "context.pxi", "if c.barred & lane and c.barred & lane != lane:", "if False:",
    ),
    Mutant(
        "takers-first", "and those that bar side suits on the first trick",
        "context.pxi",
        "if c.first_barred & lane and (suit != c.trump or c.first_barred & lane != lane):",
        "if False:",
    ),
    Mutant(
        "takers-waiver", "and those in which a waiver's cards may go while the bar stands",
        "context.pxi",
        "return c.waiver == 0 or (c.until_broken and c.waiver & ~c.barred == 0)",
        "return True",
    ),
    Mutant(
        "bounds-avoid", "an avoider's lower and upper bounds change places when stored",
        "avoid.pxi", "        elif value >= bound:\n", "        elif value < bound:\n",
    ),
    Mutant(
        "fits", "patterns keep values that do not fit into a byte",
        "context.pxi", "units_to_win(x) < 128", "units_to_win(x) < 100000",
    ),
    Mutant(
        "odd-crests", "an avoider's patterns do not say where the odd cards stand",
        "patterns.pxi", "    if not all_hands & g.odd:\n", "    if True:\n",
    ),
    Mutant(
        "odd-owners", "nor who holds which",
        "avoid.pxi", "        rel[0] |= odd  #", "        rel[0] |= 0  #",
    ),
    Mutant(
        "odd-proved", "a card refuted by its rank refutes the odd ones below it",
        "avoid.pxi", "proved |= lane & (low - 1) & ~g.odd  #", "proved |= lane & (low - 1)  #",
    ),
    Mutant(
        "odd-proves", "an odd card refuted by its rank refutes the lower ones of its suit",
        "avoid.pxi", "            if bit_of(card) & g.odd:\n", "            if False:\n",
    ),
    Mutant(
        "avoid-winner", "a trick's winner does not join what an avoider's proof looked at",
        "avoid.pxi", "        rel[0] |= bit_of(t.best)  # rank", "        rel[0] |= 0  # rank",
    ),
    Mutant(
        "avoid-run", "nor do the equals that a card stood for",
        "avoid.pxi", "united |= run_below(g, card, every, hand, others)", "united |= 0",
    ),
    Mutant(
        "avoid-clean", "nor do the cards that show a hand clean",
        "avoid.pxi", "            shown |= lowest_of(others & lane)\n", "            shown |= 0\n",
    ),
    Mutant(
        "avoid-beaten", "nor does the card that beats him",
        "avoid.pxi",
        "                rel[0] = bit_of(t.best)\n                return value\n        elif",
        "                rel[0] = 0\n                return value\n        elif",
    ),
    Mutant(
        "avoid-below", "nor does the card that he can stay below",
        "avoid.pxi", "rel[0] = bit_of(t.best) if own & t.led else 0", "rel[0] = 0",
    ),
    Mutant(
        "avoid-forced", "nor does his card that nobody must beat",
        "avoid.pxi",
        "rel[0] = bit_of(t.best) if t.best_seat == x.avoider else lowest_of(own & t.led)",
        "rel[0] = 0",
    ),
    Mutant(
        "avoid-escape", "nor does the leader's lowest card that he can stay below",
        "avoid.pxi",
        "            rel[0] |= bit_of(card)\n            continue\n",
        "            continue\n",
    ),
    Mutant(
        "avoid-exit", "nor do the cards that must beat his way out",
        "avoid.pxi",
        "                        rel[0] |= lowest_of(x.hand[seat] & lane_of(exit_))\n",
        "                        rel[0] |= 0\n",
    ),
    Mutant(
        "avoid-under", "nor does the card under which a penalty is forced",
        "avoid.pxi", "            asked = bit_of(top(t.cards & t.led))\n", "            asked = 0\n",
    ),
    Mutant(
        "side-odd", "nor, in the search for any side, do the cards that rules or scores tell from others",
        "search.pxi", "        rel[0] |= x.all_hands & x.g.odd  # who", "        rel[0] |= 0  # who",
    ),
    Mutant(
        "side-asked", "nor there the card that a rule asks to be beaten or stayed under",
        "search.pxi", "    rel[0] = united | asked\n", "    rel[0] = united\n",
    ),
    Mutant(
        "side-answer", "nor there, when one card answers",
        "search.pxi", "            rel[0] = found | asked\n", "            rel[0] = found\n",
    ),
    Mutant(
        "gap-wall", "the wall below a gap is no part of what a relaxed proof looked at",
        "gaps.pxi",
        "    return lane & ~(bit_of(top(lower)) - 1) if lower else lane\n",
        "    return lane & ~((bit_of(top(lower)) << 1) - 1) if lower else lane\n",
    ),
    Mutant(
        "gap-part", "a window that its part of the nodes did not suffice for counts as answered",
        "gaps.pxi",
        "        limits.stop = RUNNING\n        return False\n",
        "        limits.stop = RUNNING\n        return True\n",
    ),
    Mutant(
        "gap-odd", "cards of equal points on both sides of a gap are taken for equals in the relaxed game",
        "avoid.pxi",
        "distinct(g, moves & g.odd, hand & g.odd, others)",
        "distinct(g, moves & g.odd, hand & g.odd, t.walls)",
    ),
    Mutant(
        "gap-seats", "the relaxed game lets only the last seat of the winning gap lead",
        "avoid.pxi",
        "                then.winners |= 1 << seat\n",
        "                then.winners = 1 << seat\n",
    ),
    Mutant(
        "gap-root", "an avoider's card that takes the trick at the start is no wall",
        "avoid.pxi", "            t.walls |= bit_of(t.best)\n", "            t.walls |= 0\n",
    ),
    Mutant(
        "gap-bound", "the relaxed loss is taken for the true one",
        "avoid.pxi",
        "        high = bound = relaxed_loss(x, p, &t, &low)\n",
        "        low = high = bound = relaxed_loss(x, p, &t, &low)\n",
    ),
    Mutant(
        "tie-order", "ties of max^n fall by absolute rank, which its table does not know",
        "maxn.pxi",
        "        score = 4 * popcount(x.in_play & below(card)) + 3 - (card >> 4)\n",
        "        score = 4 * (card & 15) + 3 - (card >> 4)\n",
    ),
    Mutant(
        "maxn-early", "max^n stops at a card that brings all that the cards bring, without the tricks",
        "maxn.pxi", "most = x.plus + g.gains[left]\n", "most = x.plus\n",
    ),
    Mutant(
        "maxn-given", "max^n takes every card of a positive contract to give the trick away",
        "maxn.pxi",
        "x.only_gains and best >= 0 and not beats(g, card, best):\n",
        "x.only_gains and best >= 0:\n",
    ),
    Mutant(
        "maxn-over", "max^n ends a round while a card that scores is out",
        "maxn.pxi",
        "        if x.g.contract.class_mask[i] & x.in_play:\n            return False\n    return True\n\n\n"
        "cdef inline int in_card_order",
        "        if x.g.contract.class_mask[i] & x.in_play & (x.in_play - 1):\n"
        "            return False\n    return True\n\n\ncdef inline int in_card_order",
    ),
    Mutant(
        "sets-worst", "a card's equilibria are held against the worst of the last other card only",
        "equilibria.pxi", "highest = max(highest, worst)", "highest = worst",
    ),
)  # fmt: skip


class Missing(Exception):
    """An anchor that is not there, or more than once."""


def planted(mutant: Mutant, text: str) -> str:
    """The text of its file with the fault in it; Missing where the anchor is not there just once."""
    count = text.count(mutant.old)
    if count != 1:
        msg = f"{mutant.name}: expected once in {mutant.file}, found {count} times: {mutant.old!r}"
        raise Missing(msg)
    return text.replace(mutant.old, mutant.new)


class Copy:
    """A private copy of the tree, built with one fault at a time."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in ("src", "tests", "cli", "data", "setup.py", "pyproject.toml", "README.md"):
            source = ROOT / name
            ignored = shutil.ignore_patterns("*.so", "*.c", "__pycache__", "*.egg-info")
            if source.is_dir():
                shutil.copytree(source, root / name, ignore=ignored)
            else:
                shutil.copy(source, root / name)
        for file, old, new in BUILD:
            path = root / file
            text = path.read_text()
            if text.count(old) != 1:
                msg = f"expected {old!r} once in {file}"
                raise Missing(msg)
            path.write_text(text.replace(old, new))
        folders = os.pathsep.join(str(root / name) for name in ("src", "cli"))
        self.env = {
            **os.environ,
            "PYTHONPATH": folders,
            "KINGSOLVE_ISA": "base",
            "NUMBA_CACHE_DIR": str(root / ".numba"),
        }
        self.env.pop("KINGSOLVE_DEBUG", None)

    def _run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, *words],
            cwd=self.root, env=self.env, capture_output=True, text=True, timeout=TIMEOUT, check=False,
        )  # fmt: skip

    def build(self) -> None:
        """Compiles what has changed."""
        ran = self._run("setup.py", "-q", "build_ext", "--inplace")
        if ran.returncode:
            msg = f"the copy does not compile:\n{ran.stdout[-2000:]}\n{ran.stderr[-4000:]}"
            raise RuntimeError(msg)

    def test(self, first: str = QUICK[0]) -> str | None:
        """The first test that fails, None when all pass; `first` are run before the others."""
        tests = [f"tests/{name}.py" for name in dict.fromkeys((first, *QUICK))]
        try:
            ran = self._run("-m", "pytest", "-n", "0", "-x", "-q", "-p", "no:cacheprovider", *tests)
        except subprocess.TimeoutExpired:
            return "no end of the tests"
        if ran.returncode == 0:
            return None
        found = re.findall(r"^(?:FAILED|ERROR) tests/(\S+)", ran.stdout, re.MULTILINE)
        if found:
            return str(found[0])
        if -ran.returncode in CRASHES:
            return f"a crash ({signal.Signals(-ran.returncode).name})"
        msg = f"pytest failed without a failing test:\n{ran.stdout[-2000:]}\n{ran.stderr[-2000:]}"
        raise RuntimeError(msg)

    def caught_by(self, mutant: Mutant) -> str | None:
        """The first test that notices the fault, None when it survives."""
        path = self.root / CORE / mutant.file
        text = path.read_text()
        try:
            path.write_text(planted(mutant, text))
            self.build()
            return self.test(FIRST.get(mutant.name) or FIRST.get(mutant.file) or QUICK[0])
        finally:
            path.write_text(text)


def chosen(names: Iterable[str]) -> list[Mutant]:
    """The faults of those names; all without any."""
    known = {mutant.name: mutant for mutant in MUTANTS}
    wanted = list(names) or list(known)
    unknown = [name for name in wanted if name not in known]
    if unknown:
        msg = f"expected faults among {' '.join(known)}, got {' '.join(unknown)}"
        raise SystemExit(msg)
    return [known[name] for name in wanted]


def row(mutant: Mutant, test: str | None) -> str:
    """The line of the table."""
    caught = f"`{test}`" if test is not None and "::" in test else test or "**survives**"
    return f"| {mutant.name} | {mutant.file} | {mutant.fault} | {caught} |"


def write_page(rows: dict[str, str]) -> None:
    """Puts the rows into docs/mutants.md, in the order of MUTANTS, keeping those of faults not run now."""
    head, begin, rest = PAGE.read_text(encoding="utf-8").partition("<!-- table -->\n")
    old, end, tail = rest.partition("<!-- end -->\n")
    assert begin, f"expected the marks of a table in {PAGE}"
    assert end, f"expected the marks of a table in {PAGE}"
    kept = {line.split("|")[1].strip(): line for line in old.splitlines() if line.startswith("| ")}
    kept |= rows
    lines = [kept[mutant.name] for mutant in MUTANTS if mutant.name in kept]
    table = ["| name | in | the fault | caught by |", "|---|---|---|---|", *lines]
    PAGE.write_text(head + begin + "\n".join(table) + "\n" + end + tail, encoding="utf-8")


def main() -> int:
    """0, or 1 when a fault survives or has no place to be planted."""
    parser = argparse.ArgumentParser(description="Plants faults in the core; the tests must notice each.")
    parser.add_argument("names", nargs="*", help="faults (default: all)")
    parser.add_argument("--list", action="store_true", help="list them")
    parser.add_argument("--check", action="store_true", help="only look for the anchors")
    parser.add_argument("--write", action="store_true", help=f"write the table of {PAGE.relative_to(ROOT)}")
    parser.add_argument("--rest", action="store_true", help="only those that the table has no row of")
    parser.add_argument("--trust", action="store_true", help="do not see the tests pass without a fault")
    parser.add_argument("--jobs", type=int, default=1, help="copies at work at once (default: %(default)s)")
    options = parser.parse_args()
    mutants = chosen(options.names)
    if options.rest:
        done = {line.split("|")[1].strip() for line in PAGE.read_text().splitlines() if line[:2] == "| "}
        mutants = [mutant for mutant in mutants if mutant.name not in done]
    if options.list:
        print("\n".join(f"{mutant.name:<16}{mutant.file:<16}{mutant.fault}" for mutant in mutants))
        return 0
    missing = []
    for mutant in mutants:
        try:
            planted(mutant, (ROOT / CORE / mutant.file).read_text())
        except Missing as error:
            missing.append(str(error))
    if missing:
        print("\n".join(missing), file=sys.stderr)
        return 1
    if options.check:
        return 0
    return run(mutants, jobs=options.jobs, write=options.write, trust=options.trust)


def run(mutants: list[Mutant], *, jobs: int, write: bool, trust: bool) -> int:
    """Plants them all and prints the table as it grows."""
    with tempfile.TemporaryDirectory(prefix="kingsolve-mutants-") as folder:
        copies: Queue[Copy] = Queue()
        for number in range(jobs):
            copies.put(Copy(Path(folder) / str(number)))

        def one(mutant: Mutant) -> str | None:
            copy = copies.get()
            try:
                start = time.monotonic()
                found = copy.caught_by(mutant)
                print(
                    f"{mutant.name:<16}{time.monotonic() - start:5.0f} s  {found or 'SURVIVES'}", flush=True
                )
                if write:
                    write_page({mutant.name: row(mutant, found)})
                return found
            finally:
                copies.put(copy)

        def unharmed() -> str | None:
            copy = copies.get()
            try:
                copy.build()
                return copy.test()
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(jobs) as pool:
            baseline = None if trust else pool.submit(unharmed)
            results = list(pool.map(one, mutants))
        if baseline is not None and (failed := baseline.result()) is not None:
            print(f"expected the tests to pass without a fault, but {failed} fails", file=sys.stderr)
            return 1
    print("\n".join(row(mutant, found) for mutant, found in zip(mutants, results, strict=True)))
    survivors = [mutant.name for mutant, found in zip(mutants, results, strict=True) if found is None]
    print(f"{len(mutants) - len(survivors)} of {len(mutants)} caught", *survivors)
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
