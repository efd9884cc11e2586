"""The extension modules and their one directive table; everything else is in pyproject.toml.

KINGSOLVE_DEBUG=1 turns on bounds checks and the core's assertions.
"""

import os
import platform

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

FLAGS = ["-O1", "-g", "-UNDEBUG"] if DEBUG else ["-O3"]

# The kernels are compiled once more for newer x86-64 processors; which ones run is decided at import.
# Not on macOS, where one compiler call may have to serve two architectures.
V3 = platform.system() == "Linux" and platform.machine() == "x86_64"
MODULES = {
    "rules": ["-DKS_V3"] if V3 else [],
    "kernels_base": [],
    **({"kernels_v3": ["-march=x86-64-v3"]} if V3 else {}),
}

EXTENSIONS = [
    Extension(
        f"kingsolve._core.{name}",
        [f"src/kingsolve/_core/{name}.pyx"],
        extra_compile_args=FLAGS + flags,
    )
    for name, flags in MODULES.items()
]

setup(ext_modules=cythonize(EXTENSIONS, compiler_directives=DIRECTIVES, force=DEBUG))
