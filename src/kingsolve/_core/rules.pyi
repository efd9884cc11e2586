import numpy as np
from numpy.typing import NDArray

def perft(
    record: NDArray[np.void],
    hands: NDArray[np.uint64],
    leader: int,
    trick: NDArray[np.int32],
    broken: bool,
    depth: int,
) -> int: ...
def legal_cards(
    record: NDArray[np.void], hands: NDArray[np.uint64], leader: int, trick: NDArray[np.int32], broken: bool
) -> tuple[int, int]: ...
def has_v3() -> bool: ...
def layout() -> tuple[int, dict[str, int]]: ...
