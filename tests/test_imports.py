"""Imports run one way, libraries stay in the rooms that are theirs, and `import kingsolve` stays light."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = ROOT / "src" / "kingsolve"
COMMAND = ROOT / "cli" / "kingsolve_cli"

ORDER = (
    "errors cards deal contract variants position dealing rounds _match_json _turns match notation "
    "solver bulk _dds benchmark cardwise analysis choice _deduction _facts worlds knowledge sampling players "
    "advisor advice arena review statistics simulation histograms tables plots"
).split()
"""A module imports only what stands to its left; a package's own modules are one place in the row."""

CORE_IMPORTERS = {"solver", "bulk", "cardwise", "_dds", "benchmark"}
JIT_IMPORTERS = {"sampling", "players", "simulation"}
CORE_MAY_IMPORT = {"numpy", "libc", "posix", "cpython", "cython", "os", "threading", "kingsolve._core"}
ROOMS = {
    "click": {"kingsolve_cli"},
    "rich": {"kingsolve_cli"},
    "pandas": {"tables", "kingsolve_cli"},
    "pyarrow": {"simulation", "histograms", "tables", "kingsolve_cli"},
    "numba": {"_jit"},
    "matplotlib": {"plots"},
    "endplay": {"_dds"},
    "distributed": {"simulation"},
    "textual": {"kingsolve_cli"},
    "platformdirs": {"_jit", "kingsolve_cli"},
}
"""The only modules that may import the library on the left."""


class Import(NamedTuple):
    """One import: where it stands, the module of the house it stands in, and what it imports, absolute."""

    where: str
    room: str
    target: str
    for_types: bool = False
    """Under `if TYPE_CHECKING`: never run."""


def room_of(path: Path) -> str:
    """The place in the row of the module in `path`: `notation` for `notation/pbn.py`, `kingsolve` for its
    __init__."""
    if COMMAND in path.parents:
        return "kingsolve_cli"
    inside = path.relative_to(LIBRARY)
    return "kingsolve" if inside == Path("__init__.py") else inside.parts[0].removesuffix(".py")


def imports_in(path: Path) -> Iterator[Import]:
    """Every import of a Python file, those inside functions too."""
    root = LIBRARY.parent if LIBRARY in path.parents else COMMAND.parent
    package = path.relative_to(root).with_suffix("").parts
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_types = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = [*package[: -node.level]] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            # `from . import x` imports the module x, `from .x import y` the module x.
            targets = [stem] if node.module else [f"{stem}.{alias.name}" for alias in node.names]
        else:
            continue
        for target in targets:
            yield Import(f"{path.relative_to(ROOT)}:{node.lineno}", room_of(path), target, node in for_types)


def every_import() -> list[Import]:
    """Every import of the library and the command."""
    files = [*sorted(LIBRARY.rglob("*.py")), *sorted(COMMAND.rglob("*.py"))]
    return [found for path in files for found in imports_in(path)]


IMPORTS = every_import()


def target_room(target: str) -> str | None:
    """The place in the row that an import reaches, None for what is not of the house."""
    parts = target.split(".")
    if parts[0] == "kingsolve_cli":
        return "kingsolve_cli"
    if parts[0] != "kingsolve":
        return None
    return parts[1] if len(parts) > 1 else "kingsolve"


def faults() -> Iterator[str]:
    """The lines that break the rule, in words."""
    for where, room, target, for_types in IMPORTS:
        to = target_room(target)
        library = target.partition(".")[0]
        if room not in ROOMS.get(library, {room}) and not for_types:
            yield f"{where}: {library} belongs in {' and '.join(sorted(ROOMS[library]))}, not in {room}"
        if to is None or to == room or room == "kingsolve_cli":
            continue
        if to == "kingsolve_cli":
            yield f"{where}: the library must not import the command"
        elif to == "kingsolve":
            yield f"{where}: a module imports modules, not the package that imports it ({target})"
        elif to == "_core" and room not in CORE_IMPORTERS:
            yield f"{where}: only {' '.join(sorted(CORE_IMPORTERS))} imports _core"
        elif to == "_jit" and room not in JIT_IMPORTERS:
            yield f"{where}: only {' '.join(sorted(JIT_IMPORTERS))} import _jit"
        elif room in ORDER and to in ORDER[ORDER.index(room) :]:
            yield f"{where}: {room} stands left of {to} and must not import it"


def test_every_module_has_its_place() -> None:
    rooms = {room_of(path) for path in LIBRARY.rglob("*.py")} - {"kingsolve", "_core", "_jit"}
    assert rooms <= set(ORDER), "a new module: say in ORDER (and in DESIGN's row) where it stands"


def test_imports_run_one_way() -> None:
    assert not (found := list(faults())), "\n".join(found)


def test_the_rule_sees_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test of the test: one line of each kind that is forbidden."""
    bad = [
        Import("a:1", "cards", "kingsolve.deal"),
        Import("a:2", "position", "kingsolve._core.rules"),
        Import("a:3", "analysis", "kingsolve_cli"),
        Import("a:4", "position", "pandas"),
        Import("a:5", "deal", "kingsolve"),
        Import("a:6", "solver", "kingsolve._jit"),
        Import("a:7", "solver", "numba.core"),
    ]
    good = [
        Import("b:1", "deal", "kingsolve.cards"),
        Import("b:2", "solver", "kingsolve._core"),
        Import("b:3", "kingsolve_cli", "kingsolve"),
        Import("b:4", "variants", "kingsolve.variants._model"),
    ]
    monkeypatch.setattr(sys.modules[__name__], "IMPORTS", bad + good)
    assert [line.partition(": ")[0] for line in faults()] == [found.where for found in bad]


_CYTHON_IMPORT = re.compile(r"\s*(?:from\s+([\w.]+)\s+c?import\b|c?import\s+([\w.]+))")


@pytest.mark.parametrize(
    "path", sorted(p for p in (LIBRARY / "_core").iterdir() if p.suffix in (".pyx", ".pxd", ".pxi", ".py")),
    ids=lambda path: path.name,
)  # fmt: skip
def test_the_core_imports_numpy_and_c_only(path: Path) -> None:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = _CYTHON_IMPORT.match(line)
        name = match and (match[1] or match[2])
        if name and not name.startswith("."):
            root = "kingsolve._core" if name.startswith("kingsolve._core") else name.partition(".")[0]
            assert root in CORE_MAY_IMPORT, f"{path.relative_to(ROOT)}:{number}: {line.strip()}"


def test_import_kingsolve_is_light() -> None:
    """It loads neither numba, nor pandas, nor click; nor what they would bring."""
    heavy = ["numba", "pandas", "click", "rich", "pyarrow", "textual", "platformdirs", "kingsolve_cli"]
    code = f"import sys, kingsolve; print([name for name in {heavy!r} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_commands_do_not_load_the_game() -> None:
    """textual comes in when somebody plays; the tables and the kernels when a command needs them."""
    heavy = ["textual", "platformdirs", "numba", "pandas", "pyarrow"]
    code = (
        "import sys, contextlib, kingsolve_cli\n"
        "with contextlib.suppress(SystemExit):\n"
        "    kingsolve_cli.main(['play', '--help'])\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"
