"""What the repository promises of itself: documented names, honest length, a changelog, no machine's paths,
and a README whose commands run and print what it shows."""

import ast
import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import kingsolve as ks
from kingsolve_cli import main

ROOT = Path(__file__).resolve().parents[1]
TEXTS = {".py", ".pyx", ".pxd", ".pxi", ".pyi", ".md", ".toml", ".txt", ".json", ".pbn", ".lin", ".jsonl", ""}
MODULES = [path for name in ("src", "cli", "benchmarks") for path in sorted((ROOT / name).rglob("*.py*"))]
PYTHON = [path for path in MODULES if path.suffix == ".py"]
CYTHON = sorted((ROOT / "src").rglob("*.p[yx][xdi]"))
LONG = 500


def tracked() -> list[Path]:
    """The files of the repository; where there is no git, those of its folders that are not built."""
    git = shutil.which("git")
    if git and (ROOT / ".git").exists():
        ran = subprocess.run([git, "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=True)
        return [path for name in ran.stdout.split("\0") if name and (path := ROOT / name).is_file()]
    folders = ("src", "cli", "tests", "benchmarks", "data", "docs")
    inside = [path for name in folders for path in (ROOT / name).rglob("*") if path.is_file()]
    return [path for path in ROOT.glob("*.*") if path.is_file()] + inside


def words(path: Path) -> str:
    """The text of a file, lone bytes included."""
    return path.read_bytes().decode("utf-8", "surrogateescape")


def name_of(path: Path) -> str:
    """The path as the repository has it."""
    return str(path.relative_to(ROOT))


def test_no_machine_paths() -> None:
    """No path of somebody's machine, and nothing outside the repository."""
    local = re.compile(r"(?<![\w.~])/(?:home|root|Users|work)/\w|\.\./" + "shared")
    found = [
        f"{name_of(path)}: {match[0]}"
        for path in tracked()
        if path.suffix in TEXTS and (match := local.search(words(path)))
    ]
    assert not found, "\n".join(found)


def test_changelog_has_sections_and_the_version() -> None:
    text = words(ROOT / "CHANGELOG.md")
    versions = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert versions
    assert versions[0] == "Unreleased" or versions[0].startswith(ks.__version__)
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= {"Added", "Changed", "Fixed", "Faster"}


OVERRIDES = {"convert", "shell_complete"}
"""Methods of click's parameter types: documented there."""


def undocumented(path: Path) -> Iterator[str]:
    """The public definitions of a module without a docstring, and the module itself."""
    tree = ast.parse(words(path))
    if not ast.get_docstring(tree) and words(path).strip():
        yield f"{name_of(path)}: the module"
    bodies: list[tuple[str, ast.Module | ast.ClassDef]] = [("", tree)]
    while bodies:
        prefix, body = bodies.pop()
        for node in body.body:
            if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith("_"):
                continue
            if prefix and node.name in OVERRIDES:
                continue
            if not ast.get_docstring(node):
                yield f"{name_of(path)}:{node.lineno}: {prefix}{node.name}"
            if isinstance(node, ast.ClassDef):
                bodies.append((f"{node.name}.", node))


@pytest.mark.parametrize("path", [path for path in PYTHON if path.parts[-2] != "benchmarks"], ids=name_of)
def test_public_names_have_docstrings(path: Path) -> None:
    assert not (found := list(undocumented(path))), "\n".join(found)


def test_every_exported_name_is_there() -> None:
    """`__all__` is sorted, and each name of it exists and says what it is."""
    assert sorted(ks.__all__, key=lambda name: (not name.isupper(), name)) == ks.__all__
    for name in ks.__all__:
        assert getattr(getattr(ks, name), "__doc__", None), name


@pytest.mark.parametrize("path", [*PYTHON, *CYTHON], ids=name_of)
def test_long_modules_say_why(path: Path) -> None:
    """A module over 500 lines says at its top why, with the word `lines` or `long`."""
    lines = words(path).splitlines()
    if len(lines) > LONG:
        head = "\n".join(lines[:30])
        assert re.search(r"\b(long|lines)\b", head), f"{len(lines)} lines: say at the top why"


# --- README ---

README = words(ROOT / "README.md")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the deals, to run README's commands in: what they write stays out of the repository."""
    shutil.copytree(ROOT / "data", tmp_path / "data")
    for language, block in BLOCKS:
        if language == "toml" and (name := re.match(r"# (\S+\.toml)\n", block)):
            (tmp_path / name[1]).write_text(block, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


def test_readme_commands_run(copy: Path) -> None:
    """Every `kingsolve` command of README succeeds, in order, since some use what others wrote; and what
    README shows under it is what it prints, `...` standing for any lines."""
    commands, shown = 0, 0
    for block in (block for language, block in BLOCKS if language == "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            program, *arguments = shlex.split(command)
            assert program == "kingsolve", command
            ran = CliRunner().invoke(main, arguments)
            assert ran.exit_code == 0, f"{command}\n{ran.output}"
            commands += 1
            if output:
                assert matches(output, ran.stdout), f"{command}\n{ran.stdout}"
                shown += 1
    assert commands >= 10
    assert shown >= 5


def test_the_json_that_the_docs_show_is_what_comes(copy: Path) -> None:
    page = words(ROOT / "docs" / "json.md")
    block = re.search(r"^```json\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert block is not None
    shown = json.loads(block[1])
    arguments = "--game 1 --contract no-king --format json".split()
    found = json.loads(CliRunner().invoke(main, ["analyze", "data/deals/russian-14.pbn", *arguments]).stdout)
    *line, rest = shown.pop("line")
    assert rest == "..."
    assert found.pop("line")[: len(line)] == line
    assert shown == found


def matches(wanted: str, got: str) -> bool:
    """Whether `got` reads as `wanted`, blanks at line ends aside, `...` standing for any lines."""
    wanted, got = (
        "".join(f"{line.rstrip()}\n" for line in text.strip("\n").splitlines()) for text in (wanted, got)
    )
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else re.escape(f"{line}\n") for line in wanted.splitlines()
    )
    return re.fullmatch(pattern, got) is not None


def test_readme_has_one_test_command() -> None:
    """The gate takes it from here."""
    assert len(re.findall(r"^python3 -m venv .*/pytest$", README, re.MULTILINE)) == 1


@pytest.mark.parametrize(
    "path", [path for path in tracked() if path.suffix == ".md"], ids=lambda path: name_of(path)
)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", words(path)):
        if not target.startswith(("http:", "https:", "mailto:")):
            assert (path.parent / target).exists(), f"{name_of(path)}: {target}"
