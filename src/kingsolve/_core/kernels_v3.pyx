"""The kernels for x86-64-v3: processors with BMI2 and AVX2. _core/__init__.py says when they are used."""

include "kernels.pxi"
