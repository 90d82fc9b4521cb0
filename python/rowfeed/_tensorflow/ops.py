# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The op library: its ops, functions that run them, and its shutdown."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rowfeed._native import load_tensorflow_ops
from rowfeed._options.parameters import Parameters

ops = load_tensorflow_ops()

import tensorflow as tf  # noqa: E402  (the loader says what to install instead)

HOST: Final = "/device:CPU:0"  # The device that the cursor resource belongs to.


@atexit.register
def _close_streams() -> None:
    """Closes all streams, so that no thread works in the kernel at Python's exit."""
    if tf.executing_eagerly():
        ops.rowfeed_close_streams()
        return
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        session.run(ops.rowfeed_close_streams())


@contextmanager
def at_once() -> Iterator[None]:
    """Runs the ops in its block now and on the host, even in the trace of a function.

    Raises:
        RuntimeError: The code runs in a graph of TensorFlow 1.
    """
    with tf.init_scope(), tf.device(HOST):
        if not tf.executing_eagerly():
            raise RuntimeError(
                "this needs eager execution, not a graph of TensorFlow 1"
            )
        yield


def create_cursor(parameters: Parameters, name: str) -> None:
    """Makes the cursor resource, from which a dataset's iterators take epochs."""
    with at_once():
        ops.rowfeed_create_cursor(
            catalogs=[catalog.serialize() for catalog in parameters.catalogs],
            options=parameters.stream.serialize(),
            survivors=[rows.save() for rows in parameters.all_rows],
            first_epoch=parameters.options.first_epoch,
            cursor_name=name,
        )


def count_rows(name: str) -> list[bytes]:
    """Counts the rows that each source's filter lets pass.

    Returns:
        Result for each source, in the form of `DatasetRows.save`.

    Raises:
        RuntimeError: Ops cannot be run now.
        tf.errors.OpError: The rows cannot be counted.
    """
    with at_once():
        survivors: list[bytes] = (
            ops.rowfeed_count_rows(cursor_name=name).numpy().tolist()
        )
    return survivors


def load_rows(name: str, parameters: Parameters) -> None:
    """Gives the op the known counts of rows that each source's filter lets pass."""
    with at_once():
        ops.rowfeed_load_rows(
            survivors=[rows.save() for rows in parameters.all_rows], cursor_name=name
        )


def delete_cursor(name: str) -> None:
    """Deletes a cursor resource by its name; iterators that use it keep it alive."""
    with at_once():
        ops.rowfeed_delete_cursor(cursor_name=name)
