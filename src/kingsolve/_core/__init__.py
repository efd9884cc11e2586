"""The compiled core: integers and contract_t, nothing else. Its public face is kingsolve.solver.

The kernels come compiled for any processor and, on x86-64, for the instructions of x86-64-v3 too; the
processor decides when this module is loaded, unless KINGSOLVE_ISA says `base` or `v3`.
"""

import os

from .rules import has_v3

ISA = os.environ.get("KINGSOLVE_ISA") or ("v3" if has_v3() else "base")

if ISA == "v3" and has_v3():
    from .kernels_v3 import Context, Equilibria, MaxN
elif ISA == "base":
    from .kernels_base import Context, Equilibria, MaxN
else:
    msg = f"expected KINGSOLVE_ISA to be 'base', or 'v3' on a processor that has it, got {ISA!r}"
    raise ImportError(msg)

__all__ = ["ISA", "Context", "Equilibria", "MaxN"]
