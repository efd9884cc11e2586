"""The command as the tests run it: within the process, and as one of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from kingsolve_cli import main

ROOT = Path(__file__).resolve().parents[1]
DEALS = ROOT / "data" / "deals"
RUSSIAN = str(DEALS / "russian-14.pbn")
DEAL = "N:QJ.A98.A.T7 T.KJT7.J8.Q AK9..KT.AK9 87.Q.Q97.J8"
ENDING = "N:J.98.. .T7.8. A.K..9 8.Q..J"


def run(*arguments: str | Path, input: str | bytes | None = None, **env: str) -> Result:
    """The command's result: `stdout`, `stderr`, `exit_code`; 80 columns unless COLUMNS says otherwise."""
    names = {"COLUMNS": "80", "NO_COLOR": None, "FORCE_COLOR": None, **env}
    return CliRunner(env=names).invoke(main, [str(argument) for argument in arguments], input=input)


def good(*arguments: str | Path, input: str | bytes | None = None, **env: str) -> str:
    """What a command that goes well prints, its notes left out."""
    result = run(*arguments, input=input, **env)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def records(*arguments: str | Path, input: str | bytes | None = None) -> list[dict[str, Any]]:
    """The JSON objects that a command prints."""
    lines = good(*arguments, "--format", "json", input=input).splitlines()
    return [json.loads(line) for line in lines]


def analysed(*arguments: str | Path, input: str | bytes | None = None) -> list[dict[str, Any]]:
    """The JSON objects of an analysis."""
    return records("analyze", *arguments, input=input)


def refused(*arguments: str | Path, code: int, input: str | bytes | None = None) -> str:
    """The one line that a command says on failing with `code`; nothing else on stderr."""
    result = run(*arguments, input=input)
    assert result.exit_code == code, (result.exit_code, result.stderr, result.stdout)
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("kingsolve: ")
    return lines[0]


def process(*arguments: str | Path, **options: Any) -> "subprocess.Popen[bytes]":
    """The command as a process of its own, with pipes."""
    env = {**os.environ, "COLUMNS": "80", **options.pop("env", {})}
    words = [sys.executable, "-m", "kingsolve_cli", *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    return subprocess.Popen(words, env=env, **{**pipes, **options})


def pbn(deal: str, *play: str, **tags: str) -> str:
    """A game of PBN."""
    lines = [f'[{name} "{value}"]' for name, value in {"Board": "1", **tags}.items()]
    return "\n".join([*lines[:1], f'[Deal "{deal}"]', *lines[1:], *play]) + "\n\n"
