# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`TensorBoardStats`: a callback that shows in TensorBoard what loading costs `fit`."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import Any

import keras
import tensorflow as tf

from rowfeed._keras_calls.match import check_fit
from rowfeed._process.option_names import names_options
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
    """Writes counts and times of loading in each epoch of `fit`, for TensorBoard.

    The scalars are numbers of `rowfeed.stats`, as "rowfeed/wait_share" and so on, and
    the seconds of each column, as "rowfeed/columns/NAME". "rowfeed/advice" is the text
    that says what limits loading. The step of a value is the epoch of `fit`. Validation
    between epochs counts only if it reads the same dataset.

    The times are those that the host waits. A GPU that has steps queued computes
    meanwhile, so it waits no longer than the numbers say.

    Args:
        log_dir: Directory in which event files are written: the one that
            `keras.callbacks.TensorBoard` has, or another that TensorBoard reads.
        dataset: The `ParquetDataset` that `fit` trains on, or the one below the
            pipeline that it trains on.

    Raises:
        ImportError: TensorBoard is not installed, which `tf.summary` needs.
        TypeError: `dataset` is not a `rowfeed.tensorflow.ParquetDataset`.
        ValueError: In `fit`: the inputs of the model are not the features of the data.

    Example:
        >>> stats = TensorBoardStats("logs", dataset)  # doctest: +SKIP
        >>> model.fit(dataset, epochs=5, callbacks=[stats])  # doctest: +SKIP
    """

    @names_options
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
        self._before: Stats | None = None  # The counts when the epoch began.

    def on_train_begin(self, logs: Any = None) -> None:  # noqa: ARG002
        """Opens the event file; of the processes of a strategy, only one does."""
        check_fit(self.model)
        if self.model.distribute_strategy.extended.should_checkpoint:
            self._writer = tf.summary.create_file_writer(self._log_dir)

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
        """Remembers the counts at the beginning of the epoch."""
        self._before = self._dataset.stats()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
        """Writes the counts of the epoch."""
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
