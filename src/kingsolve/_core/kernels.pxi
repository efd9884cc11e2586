# All kernels in one compilation unit, so that one source gives a module for each instruction set.

from libc.stdlib cimport calloc, free, qsort, realloc
from libc.string cimport memcmp, memcpy, memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from threading import current_thread, main_thread

from cpython.exc cimport PyErr_CheckSignals

from kingsolve._core.rules cimport *

cdef enum:
    FAR = 1 << 29                   # beyond any value

include "limits.pxi"
include "table.pxi"
include "patterns.pxi"
include "search.pxi"
include "side_order.pxi"
include "avoid.pxi"
include "avoid_order.pxi"
include "gaps.pxi"
include "take.pxi"
include "take_sure.pxi"
include "take_order.pxi"
include "context.pxi"
include "maxn.pxi"
include "equilibria.pxi"
