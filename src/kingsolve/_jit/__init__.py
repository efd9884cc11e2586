"""Numba kernels: random numbers, samples, policies. Arrays and records in, arrays out; no names."""
