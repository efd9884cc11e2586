"""The command `kingsolve`: a thin layer over the library, one module a command.

stdout is data, stderr is talk. Exit codes: 0 done; 1 something wrong inside a file; 2 something wrong with an
option or path as typed; 130 interrupted. The library is imported only once a command runs, so that help is
quick.
"""

from .app import main

__all__ = ["main"]
