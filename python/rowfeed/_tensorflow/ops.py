# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The op library: its ops, how they are run from Python, and its end."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rowfeed._native import load_tensorflow_ops
from rowfeed._options.resolved import Resolved

ops = load_tensorflow_ops()

import tensorflow as tf  # noqa: E402  (the loader says what to install instead)

HOST: Final = "/device:CPU:0"  # Resources belong to a device: the cursor's is this one.


@atexit.register
def _close_streams() -> None:
    """Leaves no thread working in the kernel when the process goes."""
    if tf.executing_eagerly():
        ops.rowfeed_close_streams()
        return
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        session.run(ops.rowfeed_close_streams())


@contextmanager
def at_once() -> Iterator[None]:
    """Runs ops now and on the host, also while a function is traced."""
    with tf.init_scope(), tf.device(HOST):
        if not tf.executing_eagerly():
            raise RuntimeError(
                "this needs eager execution, not a graph of TensorFlow 1"
            )
        yield


def create_cursor(resolved: Resolved, name: str) -> None:
    """Makes the resource from which the iterators of a dataset take their epochs."""
    with at_once():
        ops.rowfeed_create_cursor(
            catalogs=[catalog.serialize() for catalog in resolved.catalogs],
            options=resolved.stream.serialize(),
            survivors=[rows.save() for rows in resolved.all_rows],
            first_epoch=resolved.options.first_epoch,
            cursor_name=name,
        )


def count_rows(name: str) -> list[bytes]:
    """Returns what the filter of each source leaves, as `DatasetRows.save` does.

    Raises:
        RuntimeError: Ops cannot be run now.
        tf.errors.OpError: It cannot be counted.
    """
    with at_once():
        survivors: list[bytes] = (
            ops.rowfeed_count_rows(cursor_name=name).numpy().tolist()
        )
    return survivors


def load_rows(name: str, resolved: Resolved) -> None:
    """Tells the op what is known of what the filters leave."""
    with at_once():
        ops.rowfeed_load_rows(
            survivors=[rows.save() for rows in resolved.all_rows], cursor_name=name
        )


def delete_cursor(name: str) -> None:
    """Forgets it; iterators that use it keep it."""
    with at_once():
        ops.rowfeed_delete_cursor(cursor_name=name)
