# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The op library: its ops, functions that run them, and its shutdown."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rowfeed._native import core, load_tensorflow_ops

ops = load_tensorflow_ops()

import tensorflow as tf  # noqa: E402  (the loader says what to install instead)

HOST: Final = "/device:CPU:0"  # The device that the cursor resource belongs to.


# TensorFlow destroys no iterator when Python exits; their threads must not work then.
atexit.register(core.close_streams)


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


def give_cursor(name: str, place: core.DatasetPlace) -> None:
    """Gives a dataset's place to the graph, whose iterators take epochs from it."""
    core.leave_place(name, place)
    with at_once():
        ops.rowfeed_give_cursor(cursor_name=name)


def delete_cursor(name: str) -> None:
    """Deletes a cursor resource by its name; iterators that use it keep it alive."""
    with at_once():
        ops.rowfeed_delete_cursor(cursor_name=name)
