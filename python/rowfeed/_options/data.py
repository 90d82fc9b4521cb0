# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The data of a dataset: a catalog, or paths that may be listed for each epoch."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from rowfeed._catalog.catalog import Catalog
from rowfeed._catalog.paths import DataPaths, Partitions, Paths, local_directory
from rowfeed._native import core

REFRESH: Final = "epoch"


@dataclass(frozen=True)
class Growth:
    """The paths that are listed anew for each epoch, and where catalogs are kept."""

    paths: tuple[bytes, ...]
    snapshot_dir: bytes
    partitions: tuple[str, bytes]  # The same rule as in `DataPaths`.

    def encoded(self) -> tuple[tuple[bytes, ...], bytes, tuple[str, bytes]]:
        """Returns the growth as the kernel takes it."""
        return self.paths, self.snapshot_dir, self.partitions


def data_of(
    paths: Paths | Catalog,
    partitions: Partitions,
    storage_options: Mapping[str, Any] | None,
    filesystem: object,
) -> DataPaths | Catalog:
    """Returns the data of a dataset: its paths, or a catalog unchanged.

    Raises:
        TypeError: An argument has the wrong type, or another one than `paths` is given
            with a catalog, whose paths are listed.
        ValueError: `paths` is empty, or no URI can carry an option of the store.
    """
    if not isinstance(paths, Catalog):
        return DataPaths.of(paths, partitions, storage_options, filesystem)
    for name, is_given in (
        ("partitions", partitions is not True),
        ("storage_options", storage_options is not None),
        ("filesystem", filesystem is not None),
    ):
        if is_given:
            raise TypeError(
                f"{name} says how paths are listed: give it to rowfeed.Catalog.open, "
                "not with a Catalog"
            )
    return paths


def growth_of(
    paths: DataPaths | Catalog,
    refresh: str | None,
    snapshot_dir: str | os.PathLike[str] | None,
) -> Growth | None:
    """Returns the growth that `refresh` asks for; None if the data does not grow.

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
