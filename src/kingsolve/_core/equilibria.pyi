import numpy as np
from numpy.typing import NDArray

class Equilibria:
    def value(
        self,
        record: NDArray[np.void],
        hands: NDArray[np.uint64],
        leader: int,
        trick: NDArray[np.int32],
        broken: bool,
        memory: int,
        nodes: int = 0,
        seconds: float = 0,
        cancel: NDArray[np.int32] | None = None,
    ) -> tuple[list[tuple[int, ...]], int, int]: ...
