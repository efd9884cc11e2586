"""Variants: sets of house rules, one TOML file each, and the strict loader. Their shape: docs/variants.md."""

import os
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..errors import VariantError
from ._fields import variant_file
from ._loader import base_tables, read_variant
from ._model import Chooser, FirstLead, Plan, Quota, Variant

__all__ = ["Chooser", "FirstLead", "Plan", "Quota", "Variant", "as_variant", "load_variant", "variant_ids"]


def variant_ids() -> list[str]:
    """The ids of the variants that ship, sorted.

    >>> "russian-14" in variant_ids()
    True
    """
    names = (entry.name for entry in files(__name__).iterdir())
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def load_variant(id_or_path: str | os.PathLike[str]) -> Variant:
    """The variant that ships under an id, or a user's own: a path with a slash, ending .toml, or that exists.

    A user's variant has the file's name without .toml as its id, which may be that of a variant that ships
    only if its rules are the same: records name rules by their id. Raises VariantError for an unknown id
    (listing those that ship), a file that cannot be read, and anything wrong inside it (file, table and key).

    >>> load_variant("parlett-3").hand_size
    12
    """
    name = os.fspath(id_or_path) if isinstance(id_or_path, str | os.PathLike) else None
    if not isinstance(name, str):
        msg = f"expected a variant, one of {' '.join(variant_ids())}, or a path to a file, got {id_or_path!r}"
        raise VariantError(msg)
    if isinstance(id_or_path, str) and name in variant_ids():
        return _shipped(name)
    if not _looks_like_path(name):
        msg = f"expected a variant, one of {' '.join(variant_ids())}, or a path to a file, got {name!r}"
        raise VariantError(msg)
    path = Path(name)
    data = variant_file(path, name)

    def base(other: str) -> tuple[dict[str, Any], bytes]:
        return _base(other, path.parent, name)

    variant = read_variant(data, name, path.stem, base=base)
    if path.stem in variant_ids() and variant.sha256 != _shipped(path.stem).sha256:
        msg = f"{name}: expected another name for rules of one's own, got that of a variant that ships"
        raise VariantError(msg)
    return variant


def as_variant(variant: Variant | str | os.PathLike[str]) -> Variant:
    """The variant itself, or what `load_variant` makes of an id or a path: what functions take for one."""
    return variant if isinstance(variant, Variant) else load_variant(variant)


def _looks_like_path(name: str, folder: Path = Path()) -> bool:
    try:
        return name.endswith(".toml") or "/" in name or os.sep in name or (folder / name).is_file()
    except ValueError:
        return False


@lru_cache(maxsize=32)
def _shipped(id: str) -> Variant:
    source = f"{id}.toml"
    data = (files(__name__) / source).read_bytes()
    return read_variant(data, source, id, base=lambda other: _base(other, None, source))


def _base(name: str, folder: Path | None, source: str) -> tuple[dict[str, Any], bytes]:
    """The tables of the variant that `source` extends: an id that ships, or a path relative to `folder`."""
    if name in variant_ids():
        return base_tables((files(__name__) / f"{name}.toml").read_bytes(), f"{name}.toml", name)
    if folder is None or not _looks_like_path(name, folder):
        msg = f"{source}: extends: expected a variant that ships or a path to a file, got {name!r}"
        raise VariantError(msg)
    path = folder / name
    try:
        data = variant_file(path, name)
    except VariantError as error:
        msg = f"{source}: extends: {error}"
        raise VariantError(msg) from None
    return base_tables(data, str(path), path.stem)
