"""Where something was measured: the machine, the versions, the compiler and the commit."""

import shlex
import sysconfig
from pathlib import Path

from kingsolve.benchmark import first_line, machine

HERE = Path(__file__).parent


def where() -> dict[str, str]:
    """The machine, the compiler that extensions are built with, the versions and the commit."""
    return {
        **machine(),
        "compiler": first_line([*shlex.split(sysconfig.get_config_var("CC") or "cc"), "--version"]),
        "commit": first_line(["git", "-C", str(HERE), "describe", "--always", "--dirty"]),
    }
