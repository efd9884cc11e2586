"""The kernels for any processor of the platform."""

include "kernels.pxi"
