"""The command as a process of its own: pipes that break, Ctrl-C, standard input, and how much help loads."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

import kingsolve as ks
from command import DEAL, DEALS, RUSSIAN, good, pbn, process
from kingsolve_cli.progress import games_in
from play import play_on

POSIX = pytest.mark.skipif(os.name != "posix", reason="pipes and signals of POSIX")


def said(child: "subprocess.Popen[bytes]", input: bytes | None = None) -> tuple[int, str, str]:
    with child:
        try:
            out, err = child.communicate(input, timeout=120)
        except subprocess.TimeoutExpired:
            child.kill()
            raise
    return child.returncode, out.decode(), err.decode()


def test_standard_input_to_standard_output() -> None:
    child = process("analyze", "-", "--contract", "no-king", "-f", "json", stdin=subprocess.PIPE)
    code, out, err = said(child, pbn(DEAL).encode())
    assert (code, err) == (0, "")
    assert json.loads(out)["guarantee"] == {"N": -16, "E": 0, "S": 0, "W": 0}


def read_a_little(child: "subprocess.Popen[bytes]") -> tuple[int, bytes]:
    """Reads the start of what the command prints, goes away, and gives its exit code and what it said."""
    assert child.stdout is not None
    assert child.stderr is not None
    with child:
        child.stdout.read(10)
        child.stdout.close()
        said = child.stderr.read()
    return child.returncode, said


@POSIX
@pytest.mark.parametrize("format", ["table", "json", "csv"])
def test_a_broken_pipe_is_quiet(format: str) -> None:
    child = process("analyze", RUSSIAN, DEALS / "parlett-4.pbn", "--format", format)
    assert read_a_little(child) == (0, b"")


@POSIX
@pytest.mark.parametrize(
    "arguments",
    [
        ["variants", "show", "rifki"],
        ["deal", "--seed", "1", "-n", "2000"],
        ["analyze", "--help"],
        ["score", RUSSIAN],
    ],
)
def test_head_is_quiet_for_other_commands(arguments: list[str]) -> None:
    code, err = read_a_little(process(*arguments))
    assert code == 0
    assert b"Error" not in err
    assert b"Traceback" not in err


@POSIX
@pytest.mark.parametrize(
    ("jobs", "signal_sent", "expected"),
    [
        ("1", "SIGINT", 130),
        ("3", "SIGINT", 130),
        ("1", "SIGTERM", 143),
        ("3", "SIGTERM", 143),
        ("1", "SIGHUP", 129),
    ],
)
def test_an_interruption_ends_a_long_solve_at_once(
    jobs: str, signal_sent: str, expected: int, tmp_path: Path
) -> None:
    target = tmp_path / "values.json"
    arguments = "analyze", DEALS / "bridge.pbn", "--time-limit", "0", "--jobs", jobs, "-o", target
    child = process(*arguments)
    deadline = time.monotonic() + 60
    while not list(tmp_path.iterdir()) and time.monotonic() < deadline:  # the output's temporary name
        time.sleep(0.05)
    time.sleep(1)
    assert child.poll() is None
    began = time.monotonic()
    child.send_signal(getattr(signal, signal_sent))
    code, out, err = said(child)
    assert time.monotonic() - began < 5
    assert (code, out) == (expected, "")
    assert err.strip() == "kingsolve: interrupted"
    assert list(tmp_path.iterdir()) == []


@POSIX
def test_a_full_disk_is_one_line() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full:
        child = process("analyze", RUSSIAN, "--contract", "king", stdout=full)
        code, _, err = said_err(child)
    assert code == 1
    assert err == "kingsolve: standard output: no space left on device\n"
    for words in (["--version"], ["deal", "--help"]):  # options that no command is invoked for
        with open("/dev/full", "wb") as full:
            child = process(*words, stdout=full)
            code, _, err = said_err(child)
        assert (code, err) == (1, "kingsolve: standard output: no space left on device\n")

    child = process("deal", "--seed", "1", "-n", "5000", "-f", "pbn", "-o", "/dev/full")
    assert said(child) == (1, "", "kingsolve: '/dev/full': no space left on device\n")


@POSIX
def test_streams_that_are_closed() -> None:
    """As `>&-` and `<&-` leave them: one line, or nothing where they are not needed."""
    for words, closed, code, said_ in (
        (["variants", "list"], 1, 1, "kingsolve: standard output: bad file descriptor\n"),
        (
            ["analyze", RUSSIAN, "--contract", "king"],
            1,
            1,
            "kingsolve: standard output: bad file descriptor\n",
        ),
        (["deal", "--seed", "1"], 1, 1, "kingsolve: standard output: bad file descriptor\n"),
        (["analyze", RUSSIAN, "--contract", "king", "-o", "/dev/null"], 1, 0, ""),
        (["analyze", "-"], 0, 1, "kingsolve: '<stdin>': bad file descriptor\n"),
        (["convert", "-", "-"], 0, 1, "kingsolve: '<stdin>': bad file descriptor\n"),
    ):
        child = process(*words, preexec_fn=partial(os.close, closed))
        found, out, err = said(child)
        assert (found, out, err) == (code, "", said_), words


@POSIX
def test_sigterm_leaves_nothing_of_a_conversion(tmp_path: Path) -> None:
    """Begun with a pipe that stays open, so that it is surely under way."""
    child = process("convert", "-", tmp_path / "out.pbn", stdin=subprocess.PIPE)
    assert child.stdin is not None
    child.stdin.write(pbn(DEAL).encode() * 2000)
    child.stdin.flush()
    deadline = time.monotonic() + 60
    while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.05)
    child.send_signal(signal.SIGTERM)
    code, out, err = said(child)
    assert (code, out, err) == (143, "", "kingsolve: interrupted\n")
    assert list(tmp_path.iterdir()) == []


@POSIX
def test_signals_that_are_ignored_stay_ignored() -> None:
    child = process(
        "analyze", "-", "--contract", "king", "-f", "json", stdin=subprocess.PIPE, preexec_fn=_deaf
    )
    assert child.stdin is not None
    time.sleep(1)
    child.send_signal(signal.SIGHUP)
    code, out, err = said(child, pbn(DEAL).encode())
    assert (code, err) == (0, "")
    assert json.loads(out)["contract"] == "king"


def _deaf() -> None:
    """As nohup makes a process."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


@pytest.mark.parametrize("words", [["--version"], ["analyze", RUSSIAN], ["bench", "--quick"]])
def test_an_instruction_set_that_is_none_is_one_line(words: list[str]) -> None:
    code, out, err = said(process(*words, env={"KINGSOLVE_ISA": "nonsense"}))
    assert (code, out) == (1, "")
    expected = "expected KINGSOLVE_ISA to be 'base', or 'v3' on a processor that has it"
    assert err == f"kingsolve: {expected}, got 'nonsense'\n"


def said_err(child: "subprocess.Popen[bytes]") -> tuple[int, None, str]:
    _, err = child.communicate(timeout=120)
    return child.returncode, None, err.decode()


def test_help_loads_neither_the_library_nor_numpy() -> None:
    code = (
        "import sys; from kingsolve_cli import main\n"
        "try: main(['analyze', '--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'kingsolve', 'numpy', 'pandas', 'rich'} & {*sys.modules}))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_a_table_loads_no_pandas() -> None:
    code = (
        "import sys; from kingsolve_cli import main\n"
        f"try: main(['analyze', '--deal', {DEAL!r}, '--contract', 'king'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'pandas', 'numba', 'pyarrow'} & {*sys.modules}))"
    )
    env = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=env)
    assert ran.stdout.decode().splitlines()[-1] == "[]"


def test_an_ascii_terminal_gets_letters() -> None:
    child = process("analyze", RUSSIAN, "--contract", "king", env={"PYTHONIOENCODING": "ascii"})
    code, out, err = said(child)
    assert (code, err) == (0, "")
    assert out.isascii()


@POSIX
def test_progress_is_shown_on_a_terminal(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    source = tmp_path / "many.pbn"
    source.write_bytes(good("deal", "--seed", "3", "-n", "99").encode())
    arguments = ["analyze", str(source), "--contract", "king", "-o", str(tmp_path / "out.json")]
    at_once = "import kingsolve_cli.progress as progress; progress.DELAY = 0"
    code = f"{at_once}; from kingsolve_cli import main; main({arguments!r})"
    leader, follower = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", code], stderr=follower) as child:
        os.close(follower)
        shown = b""
        while chunk := _read(leader):
            shown += chunk
    os.close(leader)
    assert child.returncode == 0
    assert b"games" in shown
    assert b"/99" in shown
    assert (tmp_path / "out.json").read_text().count("\n") == 99


def _read(leader: int) -> bytes:
    try:
        return os.read(leader, 65536)
    except OSError:  # how Linux says that the other side closed
        return b""


def test_how_many_games_a_file_seems_to_hold(tmp_path: Path) -> None:
    assert games_in([RUSSIAN, str(DEALS / "bridge.pbn")]) == 4
    assert games_in(["-"]) is None
    dots = tmp_path / "deals.dds"
    dots.write_text(f"{DEAL}\n{DEAL}\n")
    assert games_in([str(dots)]) == 2
    match = tmp_path / "match.json"
    match.write_text(play_on(ks.Match("short-king", seed=8), 4, 0).to_json() + "\n")
    assert games_in([str(match)]) == 4
