# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Opens catalogs of files that only TensorFlow's own file systems reach."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

import tensorflow as tf

from rowfeed._catalog.paths import PLACES, DataPaths, open_native
from rowfeed._native import core
from rowfeed._process.caller_warnings import warn_caller
from rowfeed._tensorflow.ops import at_once, ops

# The exception that the constructor raises for each error of an op.
_ERRORS: Final[dict[type, type[Exception]]] = {
    tf.errors.NotFoundError: FileNotFoundError,
    tf.errors.PermissionDeniedError: PermissionError,
    tf.errors.InvalidArgumentError: ValueError,
    tf.errors.UnimplementedError: NotImplementedError,
}


def open_catalog(
    paths: DataPaths, columns: Sequence[str] | None, num_threads: int, *, grows: bool
) -> core.Catalog:
    """Opens a catalog; TensorFlow's file systems read paths that the kernel cannot."""
    others = [path for path in paths.encoded if not core.has_client(path)]
    if not others:
        return open_native(paths, columns, num_threads, grows=grows)
    if grows:
        raise ValueError(
            f"refresh lists what rowfeed itself can read, not {os.fsdecode(others[0])}"
        )
    place, base = paths.partitions
    try:
        with at_once():
            catalog, notices = ops.rowfeed_open_catalog(
                paths=paths.encoded,
                columns=columns or tf.constant([], tf.string),
                all_columns=columns is None,
                num_threads=num_threads,
                partitions_from=PLACES.index(place),
                partitions_base=base,
            )
    except tf.errors.OpError as error:
        raise _ERRORS.get(type(error), OSError)(error.message) from None
    for notice in notices.numpy():
        warn_caller(notice.decode(errors="backslashreplace"))
    return core.Catalog.parse(catalog.numpy())
