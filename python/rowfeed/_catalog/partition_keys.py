# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Refuses a directory whose path gives one key two values, such as `k=1/k=2`."""

from __future__ import annotations

import os

from rowfeed._native import core


def check_keys(catalog: core.Catalog) -> None:
    """Raises ValueError if the path of a file gives a key two values."""
    if not any(column.is_partition for column in catalog.columns):
        return
    directories = catalog.partitions
    for found in set(directories):
        values: dict[str, str] = {}
        for directory in os.fsdecode(found).rstrip("/").split("/"):
            key, _, value = directory.partition("=")
            if values.setdefault(key, value) != value:
                path = catalog.files[directories.index(found)][0]
                raise ValueError(
                    f"{path}: the directories {key}={values[key]} and {directory} give "
                    f"{key!r} two values: rename one, or give partitions= the "
                    "directory below which the keys begin, or False"
                )
