import numpy as np
from numpy.typing import NDArray

ISA: str

class Context:
    weights: list[list[int]]
    take_weights: list[int]
    side_weights: list[int]
    relax_from: int
    @property
    def search(self) -> str: ...
    @property
    def counts(self) -> tuple[int, int]: ...
    def __init__(self, table_bytes: int) -> None: ...
    def patterns(self) -> list[tuple[int, int, tuple[int, int], tuple[int, int], int, int]]: ...
    def relaxed(self, hands: NDArray[np.uint64], leader: int, broken: bool) -> int: ...
    def begin(self, record: NDArray[np.void], scores: int, raises: int, plain: bool = False) -> None: ...
    def value(
        self,
        hands: NDArray[np.uint64],
        leader: int,
        trick: NDArray[np.int32],
        broken: bool,
        nodes: int = 0,
        seconds: float = 0,
        cancel: NDArray[np.int32] | None = None,
    ) -> tuple[int, int, int, int]: ...
    def values(
        self,
        record: NDArray[np.void],
        hands: NDArray[np.uint64],
        leaders: NDArray[np.int8],
        sides: NDArray[np.int32],
        low: NDArray[np.int16],
        high: NDArray[np.int16],
        nodes: NDArray[np.uint64],
        limit: int = 0,
        cancel: NDArray[np.int32] | None = None,
    ) -> None: ...

class MaxN:
    @property
    def counts(self) -> tuple[int, int]: ...
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

class Equilibria:
    @property
    def counts(self) -> tuple[int, int]: ...
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
