"""Seeded random deals shared by the benchmarks: those of `kingsolve deal`, the same everywhere."""

from kingsolve.benchmark import position

__all__ = ["position"]
