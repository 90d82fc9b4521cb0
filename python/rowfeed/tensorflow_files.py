# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Data that only TensorFlow's own file systems reach."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

import tensorflow as tf

from rowfeed._native import core
from rowfeed.paths import Paths, encode_paths, open_native
from rowfeed.tensorflow_ops import at_once, ops

# What the constructor raises, by what an op does.
_ERRORS: Final[dict[type, type[Exception]]] = {
    tf.errors.NotFoundError: FileNotFoundError,
    tf.errors.PermissionDeniedError: PermissionError,
    tf.errors.InvalidArgumentError: ValueError,
    tf.errors.UnimplementedError: NotImplementedError,
}


def open_catalog(
    paths: Paths, columns: Sequence[str] | None, num_threads: int, *, grows: bool
) -> core.Catalog:
    """Opens what the kernel reaches, or only file systems of TensorFlow."""
    encoded = encode_paths(paths)
    others = [path for path in encoded if not core.has_client(path)]
    if not others:
        return open_native(paths, columns, num_threads, grows=grows)
    if grows:
        raise ValueError(
            f"refresh lists what rowfeed itself can read, not {os.fsdecode(others[0])}"
        )
    try:
        with at_once():
            catalog = ops.rowfeed_open_catalog(
                paths=encoded,
                columns=columns or tf.constant([], tf.string),
                all_columns=columns is None,
                num_threads=num_threads,
            )
    except tf.errors.OpError as error:
        raise _ERRORS.get(type(error), OSError)(error.message) from None
    return core.Catalog.parse(catalog.numpy())
