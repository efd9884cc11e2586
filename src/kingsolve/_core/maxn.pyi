import numpy as np
from numpy.typing import NDArray

class MaxN:
    def __init__(self, table_bytes: int) -> None: ...
    def begin(self, record: NDArray[np.void], spiteful: bool) -> None: ...
    def value(
        self,
        hands: NDArray[np.uint64],
        leader: int,
        trick: NDArray[np.int32],
        broken: bool,
        nodes: int = 0,
        seconds: float = 0,
        cancel: NDArray[np.int32] | None = None,
    ) -> tuple[tuple[int, ...], int, int]: ...
