# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What is given as keywords, checked one by one: types, ranges, what goes together."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from rowfeed._catalog.catalog import Catalog
from rowfeed._catalog.filters import Filter
from rowfeed._catalog.paths import DataPaths, Partitions, Paths, local_directory
from rowfeed._columns.column import Column
from rowfeed._columns.stack import Stack
from rowfeed._native import core

Remainder: TypeAlias = Literal["drop", "pad", "wrap", "uneven"]

REFRESH: Final = "epoch"
REMAINDERS: Final = ("drop", "pad", "wrap", "uneven")
_INT64_MAX: Final = 2**63 - 1
# Far above what can be meant, and their products far below what overflows. A plan holds
# something for each lane, and there is one for each rank where num_lanes is not given.
LIMITS: Final = {
    "batch_size": 2**31 - 1,
    "world_size": 2**20,
    "shuffle_window": 2**40,
    "block_rows": 2**40,
    "num_lanes": 2**20,
    "num_epochs": 2**31 - 1,
    "num_threads": 2**12,
    "memory_budget_bytes": _INT64_MAX,
}
# The last epoch that one may begin with; 64 bits hold all that can follow it.
MAX_EPOCH: Final = 2**62


@dataclass(frozen=True)
class Growth:
    """Where the data is listed anew for each epoch, and what each was is kept."""

    paths: tuple[bytes, ...]
    snapshot_dir: bytes
    partitions: tuple[str, bytes]  # The rule of `DataPaths`.


@dataclass(frozen=True, kw_only=True)
class Options:
    """The keywords as they were given, checked one by one."""

    batch_size: int | None
    columns: dict[str, Column | Stack] | None
    label: Column | None
    sample_weight: Column | None
    shuffle: bool
    shuffle_window: int | None
    block_rows: int | None
    seed: int
    num_epochs: int | None
    first_epoch: int
    reshuffle_each_iteration: bool
    rank: int
    world_size: int
    num_lanes: int | None
    remainder: Remainder | None
    num_threads: int | None
    memory_budget_bytes: int | None
    transform: Callable[[Any], Any] | None
    device: str | None
    filter: Filter | None
    cache_dir: str
    verify_checksums: bool
    use_statistics: bool
    growth: Growth | None

    def __post_init__(self) -> None:
        """Checks types and ranges."""
        for name in (
            "shuffle",
            "reshuffle_each_iteration",
            "verify_checksums",
            "use_statistics",
        ):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} must be a bool, not {getattr(self, name)!r}")
        for name, limit in LIMITS.items():
            optional = name != "world_size"
            check_integer(name, getattr(self, name), 1, limit, optional=optional)
        check_integer("seed", self.seed, 0, 2**64 - 1)
        check_integer("first_epoch", self.first_epoch, 0, MAX_EPOCH)
        check_integer("rank", self.rank, 0)
        if self.rank >= self.world_size:
            raise ValueError(
                f"rank must be < world_size, but rank={self.rank} and "
                f"world_size={self.world_size}"
            )
        if self.remainder is not None and not isinstance(self.remainder, str):
            raise TypeError(f"remainder must be a str, not {self.remainder!r}")
        if self.remainder not in (None, *REMAINDERS):
            raise ValueError(
                f"remainder must be one of {', '.join(REMAINDERS)}, "
                f"not {self.remainder!r}"
            )
        if self.transform is not None and not callable(self.transform):
            raise TypeError(f"transform must be a function, not {self.transform!r}")
        if self.transform is not None and self.device is not None:
            raise ValueError(
                f"device={self.device!r} and transform exclude each other: what "
                "transform returns is delivered as it is, so copy that yourself"
            )
        if self.batch_size is None and self.device is not None:
            raise ValueError(
                f"device={self.device!r} and batch_size=None exclude each other: a "
                "copy for each row would cost far more than the row"
            )


def check_integer(
    name: str,
    value: object,
    low: int,
    high: int = _INT64_MAX,
    *,
    optional: bool = False,
) -> None:
    """Raises TypeError or ValueError unless `value` is an integer in [low, high]."""
    if value is None and optional:
        return
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int, not {value!r}")
    if not low <= value.__index__() <= high:
        bound = f">= {low}" if value.__index__() < low else f"<= {high}"
        raise ValueError(f"{name} must be {bound}, not {value!r}")


def data_of(paths: Paths | Catalog, partitions: Partitions) -> DataPaths | Catalog:
    """Returns what a dataset is made of: paths, or a catalog as it is.

    Raises:
        TypeError: `paths` or `partitions` has the wrong type, or `partitions` is given
            with a catalog, which has its partitions.
        ValueError: `paths` is empty.
    """
    if not isinstance(paths, Catalog):
        return DataPaths.of(paths, partitions)
    if partitions is not True:
        raise TypeError(
            "partitions says how paths are listed: give it to rowfeed.Catalog.open, "
            "not with a Catalog"
        )
    return paths


def growth_of(
    paths: DataPaths | Catalog,
    refresh: str | None,
    snapshot_dir: str | os.PathLike[str] | None,
) -> Growth | None:
    """Returns what `refresh` asks for; None: the data stays as it is.

    Raises:
        NotImplementedError: `snapshot_dir` is a URI.
        TypeError: `paths` is a catalog, which cannot be listed anew.
        ValueError: `refresh` is unknown, or one of the two is given alone.
    """
    if refresh not in (None, REFRESH):
        raise ValueError(f"refresh must be {REFRESH!r} or None, not {refresh!r}")
    if (refresh is None) != (snapshot_dir is None):
        missing = "refresh" if refresh is None else "snapshot_dir"
        raise ValueError(
            "refresh and snapshot_dir go together, as an epoch can only be resumed if "
            f"what it was is kept: there is no {missing}"
        )
    if refresh is None or snapshot_dir is None:
        return None
    if isinstance(paths, Catalog):
        raise TypeError("refresh lists paths anew: give paths, not a Catalog")
    folder = local_directory("snapshot_dir", snapshot_dir).absolute()
    kept = (core.without_secrets(path) for path in paths.encoded)
    place, base = paths.partitions
    rule = (place, core.without_secrets(base))
    return Growth(tuple(kept), os.fsencode(folder), rule)
