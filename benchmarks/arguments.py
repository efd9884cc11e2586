"""What the scripts here make of their arguments: whole numbers within bounds, and a fault as one line."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from kingsolve import KingError


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """A type for argparse: whole numbers from `least` on, up to `most`."""

    def number(text: str) -> int:
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least or (most is not None and value > most):
            msg = f"expected a whole number {bounds}, got {text!r}"
            raise argparse.ArgumentTypeError(msg)
        return value

    return number


def output_file(text: str) -> Path:
    """A type for argparse: a file that can be written when the work is done."""
    path = Path(text)
    if not path.parent.is_dir():
        msg = f"expected a file in a folder that exists, got {text!r}"
        raise argparse.ArgumentTypeError(msg)
    return path


def run(main: Callable[[], int]) -> None:
    """Ends with what `main` returns; what the library refuses is one line and exit code 1."""
    try:
        code = main()
    except KingError as error:
        sys.exit(f"{Path(sys.argv[0]).name}: error: {error}")
    sys.exit(code)
