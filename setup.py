"""The extension modules and their one directive table; everything else is in pyproject.toml.

KINGSOLVE_DEBUG=1 turns on bounds checks and the core's assertions.
"""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("KINGSOLVE_DEBUG") == "1"

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "cdivision": True,
    "overflowcheck": False,
    "embedsignature": True,
    "freethreading_compatible": True,
}

EXTENSIONS = [
    Extension(
        f"kingsolve._core.{name}",
        [f"src/kingsolve/_core/{name}.pyx"],
        extra_compile_args=["-O1", "-g", "-UNDEBUG"] if DEBUG else ["-O3"],
    )
    for name in ("rules", "search", "maxn", "equilibria")
]

setup(ext_modules=cythonize(EXTENSIONS, compiler_directives=DIRECTIVES, force=DEBUG))
