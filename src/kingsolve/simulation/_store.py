"""A run's folder: manifest.json and one Parquet part per finished chunk; nothing else is the truth.

Files are written under a temporary name, made durable and renamed, so that a file with its name is whole. A
part carries the hash of its run and a digest of its values, and is redone where it does not verify.
"""

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ..cards import SEATS
from ..errors import KingError
from ._chunks import STATUSES, Chunk
from ._plan import Plan

MANIFEST = "manifest.json"
_TEMPORARY = re.compile(r"\.(part-\d{6,}\.parquet|manifest\.json)\.[0-9a-f]{16}\.tmp")
_KEY = b"kingsolve"


def part_name(index: int) -> str:
    """The file name of a chunk's part."""
    return f"part-{index:06d}.parquet"


def value_columns(plan: Plan) -> list[str]:
    """The names of the columns of points: `points_N` ..., or `low_N` ..., `high_N` ... ."""
    seats = SEATS[: plan.seats]
    kinds = ("low", "high") if plan.play.bounded else ("points",)
    return [f"{kind}_{seat}" for kind in kinds for seat in seats]


def _names(plan: Plan) -> dict[str, list[str]]:
    """The texts that the columns of names may hold, by number."""
    return {
        "contract": [contract.name for contract in plan.contracts],
        "leader": list(SEATS[: plan.seats]),
        "status": list(STATUSES),
    }


def table_of(plan: Plan, index: int, chunk: Chunk) -> pa.Table:
    """The part of a chunk as an Arrow table, with what says whose it is in its metadata."""
    names = _names(plan)

    def texts(name: str, codes: NDArray[np.int8]) -> pa.Array:
        return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(names[name]))

    values = [chunk.low] if not plan.play.bounded else [chunk.low, chunk.high]
    columns = {
        "deal": pa.array(chunk.deal),
        "contract": texts("contract", chunk.contract),
        "leader": texts("leader", chunk.leader),
    }
    points = [np.ascontiguousarray(value[:, seat]) for value in values for seat in range(plan.seats)]
    columns |= dict(zip(value_columns(plan), map(pa.array, points), strict=True))
    columns |= {"nodes": pa.array(chunk.nodes), "status": texts("status", chunk.status)}
    table = pa.table(columns)
    facts = {"run": plan.run, "part": index, "digest": digest(plan, table)}
    return table.replace_schema_metadata({_KEY: json.dumps(facts)})


def codes_of(plan: Plan, table: pa.Table, name: str) -> NDArray[np.int8]:
    """A column of names as numbers: of the plan's contracts, of seats, of STATUSES."""
    column = table.column(name).combine_chunks()
    wanted = _names(plan)[name]
    numbers = np.array([wanted.index(text) for text in column.dictionary.to_pylist()], np.int8)
    return np.asarray(numbers[column.indices.to_numpy()])


def digest(plan: Plan, table: pa.Table) -> str:
    """A hash of every value of the table, however it is stored."""
    total = hashlib.blake2b(digest_size=16)
    for name in table.column_names:
        total.update(name.encode())
        values = (
            codes_of(plan, table, name)
            if name in ("contract", "leader", "status")
            else table.column(name).to_numpy()
        )
        total.update(np.ascontiguousarray(values).view(np.uint8).data)
    return total.hexdigest()


def write_part(folder: Path, plan: Plan, index: int, chunk: Chunk) -> None:
    """Writes the part of a chunk, whole or not at all; OSError, naming the file, when there is no room."""
    table = table_of(plan, index, chunk)

    def write(path: str) -> None:
        pq.write_table(
            table, path, compression="zstd", compression_level=3, write_page_checksum=True,
            use_dictionary=["contract", "leader", "status"],
        )  # fmt: skip

    _write_durably(folder / part_name(index), write)


def read_part(folder: Path, plan: Plan, index: int) -> pa.Table:
    """The part as an Arrow table. Raises KingError, saying what is wrong, unless it verifies."""
    path = folder / part_name(index)
    try:
        table = pq.read_table(path, page_checksum_verification=True, use_threads=False, memory_map=False)
        facts = json.loads((table.schema.metadata or {}).get(_KEY, b"{}"))
        reason = None
        if table.schema.names != ["deal", "contract", "leader", *value_columns(plan), "nodes", "status"]:
            reason = "it has other columns"
        elif facts.get("run") != plan.run or facts.get("part") != index:
            reason = "it is of another run"
        elif facts.get("digest") != digest(plan, table):
            reason = "its values are not those that were written"
    except FileNotFoundError:
        reason = "no such file"
    except (OSError, ValueError, KeyError, TypeError, AttributeError, pa.ArrowException) as error:
        reason = " ".join(str(error).split())[:200]
    if reason is not None:
        msg = f"{path}: expected part {index} of the run, whole: {reason}"
        raise KingError(msg)
    return table


def is_there(folder: Path, index: int) -> bool:
    """Whether the part has its file, verified or not."""
    return (folder / part_name(index)).exists()


def write_manifest(folder: Path, plan: Plan) -> None:
    """Writes manifest.json, whole or not at all."""
    made_with = {
        "python": ".".join(map(str, sys.version_info[:3])),
        "numpy": np.__version__,
        "numba": version("numba"),
        "pyarrow": pa.__version__,
    }
    text = json.dumps(plan.to_json() | {"made_with": made_with}, indent=1, ensure_ascii=False) + "\n"

    def write(path: str) -> None:
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)

    _write_durably(folder / MANIFEST, write)


def read_manifest(folder: Path) -> Plan:
    """The plan of the run in a folder. Raises KingError where there is none that can be read."""
    path = folder / MANIFEST
    try:
        with open(path, encoding="utf-8") as stream:
            return Plan.from_json(json.load(stream))
    except FileNotFoundError:
        msg = f"expected the folder of a run, got {str(folder)!r}: it has no {MANIFEST}"
    except OSError as error:
        msg = f"{path}: {(error.strerror or str(error)).lower()}"
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        msg = f"{path}: expected the manifest of a run, got one that cannot be read: {error}"
    raise KingError(msg)


def check_folder(folder: Path, asked: Plan) -> None:
    """Raises KingError unless the folder is empty or not there, or holds the run asked for; names every
    difference, or a file that is somebody else's."""
    if not (folder / MANIFEST).exists():
        names = (
            sorted(name for name in os.listdir(folder) if not name.endswith(".tmp"))
            if folder.is_dir()
            else []
        )
        if names:
            msg = f"{folder}: expected an empty folder or one with a run, got {names[0]!r} and no {MANIFEST}"
            raise KingError(msg)
        return
    there = read_manifest(folder)
    old, new = there.parameters, asked.parameters
    different = [
        f"{name} {old.get(name)!r} there, {new.get(name)!r} asked"
        for name in new
        if old.get(name) != new[name]
    ]
    if not different and there.run != asked.run:
        different = ["another set of rules under the same name"]
    if different:
        msg = f"{folder}: expected the parameters of the run in this folder: {'; '.join(different)}"
        raise KingError(msg)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds the folder against a second run; the system gives it free when the process ends, however.

    Raises KingError where another run holds it. A file system without locks goes without.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                msg = f"{folder}: another run is writing into this folder"
                raise KingError(msg) from None
        yield
    finally:
        os.close(descriptor)


def remove_leftovers(folder: Path) -> int:
    """Removes the temporary files that killed runs have left; how many there were."""
    found = [path for path in folder.iterdir() if _TEMPORARY.fullmatch(path.name)]
    for path in found:
        path.unlink(missing_ok=True)
    return len(found)


def _write_durably(path: Path, write: Callable[[str], None]) -> None:
    """A file that is there whole or not at all, and survives the power going once it is there.

    Raises OSError, naming the file, where it cannot be written; then nothing is left of it.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        write(str(temporary))
        _sync(temporary)
        os.replace(temporary, path)
        _sync(path.parent)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno:  # Arrow's do not name the file, or the temporary one
            raise OSError(error.errno, os.strerror(error.errno), str(path)) from None
        raise


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
