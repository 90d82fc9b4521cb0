# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What loading costs a `fit`, beside its losses in TensorBoard."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import Any

import keras
import tensorflow as tf

from rowfeed._keras_calls.match import check_fit
from rowfeed._stats.numbers import Stats, Sums
from rowfeed.tensorflow import ParquetDataset

_SCALARS = (
    *("wait_share", "busy_share", "rows_per_second", "batches_per_second"),
    *("read_seconds", "read_bytes_per_second", "convert_seconds", "shuffle_seconds"),
    *("assemble_seconds", "stopped_seconds", "requests", "filtered_rows"),
    "lost_rows",
    *("fetch_seconds", "fetched_bytes", "fetch_requests", "fetch_retries"),
)


class TensorBoardStats(keras.callbacks.Callback):  # type: ignore[misc]
    """Writes what loading took in each epoch of `fit`, for TensorBoard.

    The scalars are those of `rowfeed.stats`, as "rowfeed/wait_share" and so on, the
    seconds of each column as "rowfeed/columns/NAME", and "rowfeed/advice" is the text
    that says what limits. Steps are the epochs of `fit`. Validation between epochs is
    not in the numbers unless it is of the same dataset.

    What waits is the host: a GPU that has steps queued computes meanwhile, so that it
    waits no longer than the numbers say.

    Args:
        log_dir: Where event files are written: what `keras.callbacks.TensorBoard` has,
            or another directory that TensorBoard is shown.
        dataset: The `ParquetDataset` that `fit` trains on, or that lies below the
            pipeline which it trains on.

    Raises:
        ImportError: TensorBoard is not installed, which `tf.summary` writes with.
        TypeError: `dataset` is not a `rowfeed.tensorflow.ParquetDataset`.
        ValueError: In `fit`: the inputs of the model are not the features of what it
            gets.

    Example:
        >>> stats = TensorBoardStats("logs", dataset)  # doctest: +SKIP
        >>> model.fit(dataset, epochs=5, callbacks=[stats])  # doctest: +SKIP
    """

    def __init__(self, log_dir: str | os.PathLike[str], dataset: ParquetDataset):
        super().__init__()
        if find_spec("tensorboard") is None:
            raise ImportError(
                "TensorBoardStats needs TensorBoard: pip install tensorboard"
            )
        if not isinstance(dataset, ParquetDataset):
            raise TypeError(
                "dataset must be a rowfeed.tensorflow.ParquetDataset, not a "
                f"{type(dataset).__name__}: give the one below the pipeline"
            )
        self._log_dir, self._dataset = os.fspath(log_dir), dataset
        self._writer: Any = None
        self._before: Stats | None = None  # When the epoch began.

    def on_train_begin(self, logs: Any = None) -> None:  # noqa: ARG002
        """Opens the event file, in the process of a strategy that writes."""
        check_fit(self.model)
        if self.model.distribute_strategy.extended.should_checkpoint:
            self._writer = tf.summary.create_file_writer(self._log_dir)

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
        """Notes where the numbers stand."""
        self._before = self._dataset.stats()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
        """Writes what has been added."""
        if self._writer is None or self._before is None:
            return
        sums = self._dataset.stats().since(self._before)
        with self._writer.as_default(step=epoch):
            _write(sums)
        self._writer.flush()

    def on_train_end(self, logs: Any = None) -> None:  # noqa: ARG002
        """Closes the event file."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def _write(sums: Sums) -> None:
    for name in _SCALARS:
        tf.summary.scalar(f"rowfeed/{name}", getattr(sums, name))
    for name, column in sums.columns.items():
        tf.summary.scalar(f"rowfeed/columns/{name}", column.seconds)
    tf.summary.text("rowfeed/advice", str(sums))
