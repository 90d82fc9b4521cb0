# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Parquet as a tf.data.Dataset."""

from __future__ import annotations

# First: it says what to install where TensorFlow is missing.
from rowfeed._tensorflow.ops import (
    HOST,
    at_once,
    count_rows,
    create_cursor,
    delete_cursor,
    load_rows,
    ops,
)

# isort: split
import uuid
import weakref
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from rowfeed._catalog.catalog import Catalog
from rowfeed._catalog.paths import DataPaths
from rowfeed._columns.stack import Stack
from rowfeed._keras_calls.match import check_given
from rowfeed._keras_calls.peek import warn_of_peeks
from rowfeed._native import core
from rowfeed._options.keywords import Keywords
from rowfeed._options.resolved import Resolved
from rowfeed._ranks.agreement import Turn
from rowfeed._ranks.plans import plan_of
from rowfeed._state import state
from rowfeed._stats.json import parse
from rowfeed._stats.numbers import Stats
from rowfeed._tensorflow.files import open_catalog
from rowfeed._tensorflow.graph import (
    element_spec,
    keeper_of,
    make_variant,
    options_of,
    without_prefetch,
)
from rowfeed._tensorflow.ranks import StrategyAgreement

__all__ = ["ParquetDataset"]


class ParquetDataset(Keywords, tf.data.Dataset):  # type: ignore[misc]
    """Rows of Parquet files, shuffled, sharded and resumable, as a tf.data.Dataset.

    Elements are dicts from column name to tensor; with `label` they are
    `(features, label)`, with `sample_weight` too `(features, label, weight)`, as
    `Model.fit` takes them. Tensors are [batch], [batch, list_size] for fixed-size
    lists and binaries, or a `tf.RaggedTensor` for lists of any length; strings and
    binaries of any length are `tf.string`. Where rows may be fill (remainder="pad",
    refresh) a label has a weight: 0 for rows that are fill, for others their sample
    weight, or 1. Without a label the features have a `__valid`. Null values are refused
    unless the column has a fill: see `rowfeed.Column`.

    Shuffling and batching are done by the kernel, which also reads ahead: `shuffle`,
    `batch` or `prefetch` of tf.data directly on top cost time, and put rows into
    checkpoints.

    Each iteration takes the next epoch when it begins, whichever way it was made: by
    `for`, by `fit`, below `map`, in a `tf.function`, under a strategy. Iterators are
    saved and restored by `tf.train.Checkpoint(iterator=iterator)`, exactly. `fit`
    reads ahead and keeps its iterator: `rowfeed.keras.BackupAndRestore` makes it go on
    within an epoch. By hand, count steps and give `state_at(epoch, step)` to
    `load_state_dict`; under a strategy, and under Keras' other backends, give `fit` the
    callback `rowfeed.keras.StartAt`, because `fit` first builds the model with a batch.

    The options of tf.data are TensorFlow's defaults, but for automatic sharding, which
    is off with more than one rank; `with_options` overrides that. Under a strategy of
    several workers use `distribute_datasets_from_function` with
    `rank=context.input_pipeline_id, world_size=context.num_input_pipelines`.

    Random access (`tf.data.experimental.at`) and tf.data's global shuffle are exact but
    slow: each element out of turn decodes a window. In the tf.data service a split is
    one window of an epoch, batches do not cross windows, and every job starts with
    `first_epoch`.

    The keywords are documented in `ParquetDataset.__init__`.

    Attributes:
        placed: The place that `load_state_dict` or `set_epoch` was given last.

    Example:
        >>> dataset = ParquetDataset(
        ...     "data", 256, label="price", shuffle=True
        ... )  # doctest: +SKIP
        >>> model.fit(dataset, epochs=5)  # doctest: +SKIP
    """

    placed: core.Progress | None = None

    def _open_paths(
        self,
        paths: DataPaths,
        columns: Sequence[str] | None,
        num_threads: int,
        *,
        grows: bool,
    ) -> core.Catalog:
        return open_catalog(paths, columns, num_threads, grows=grows)

    agreement: StrategyAgreement | None = None

    def _meet_ranks(self, rank: int, world_size: int) -> None:
        self.agreement = StrategyAgreement.of_strategy(rank, world_size)

    def _mixes(self, sources: Sequence[Any]) -> None:
        options = sources[0].resolved.options
        self._meet_ranks(options.rank, options.world_size)

    def _build(self, resolved: Resolved) -> None:
        _refuse_what_tensorflow_lacks(resolved)
        self.resolved = resolved
        self._num_meetings = 0  # With the other workers of a strategy.
        self._cursor_name = f"rowfeed_{uuid.uuid4().hex}"
        self._element_spec = element_spec(resolved)
        keeper = keeper_of(self)
        with tf.init_scope():
            # In a graph of TensorFlow 1 the op makes the cursor as the graph runs.
            if tf.executing_eagerly():
                create_cursor(resolved, self._cursor_name)
                finalizer = weakref.finalize(keeper, delete_cursor, self._cursor_name)
                finalizer.atexit = False
        with tf.device(HOST):
            variant = make_variant(resolved, self._cursor_name, self._element_spec)
            source = tf.data.experimental.from_variant(variant, self._element_spec)
            self._source = source.with_options(options_of(resolved))
        tf.data.Dataset.__init__(self, tf.data.experimental.to_variant(self._source))

    def __iter__(self) -> Any:
        """Returns an iterator of tf.data that takes the next epoch with its first pull.

        Steps of tf.data on top do not come here: they have iterators of their own.
        """
        check_given(self)
        return iter(without_prefetch(self))

    def _inputs(self) -> list[Any]:
        return [self._source]  # From where tf.data takes the options.

    @property
    def element_spec(self) -> Any:
        """The types of an element, with a batch size where every batch is full."""
        return self._element_spec

    def state_dict(self) -> state.State:
        """Returns the state of the iteration begun last; before one, the start.

        It is where that iteration stands, not where its consumer does: whatever steps
        of tf.data on top or `fit` have read ahead counts as delivered. (TensorFlow
        makes a `map` parallel and adds a `prefetch` behind other steps by itself.) The
        dict is JSON-able and the same for every face; docs/reference.md describes it.
        """
        place, _ = self._ask(ops.rowfeed_cursor_progress)
        return state.make(place, self.resolved)

    def load_state_dict(
        self,
        state_dict: state.State,
        *,
        strict: bool = True,
        catalog: Catalog | None = None,
    ) -> None:
        """Makes the next iteration go on from a state: see the NumPy face's.

        The graph keeps its order: with `strict=False` order options that were left at
        None do not take the state's value.

        Raises:
            TypeError: As in the NumPy face.
            ValueError: As there; or options left at None would take the state's value:
                the message says what to give to the constructor.
        """
        self.count_rows()
        progress, resolved = state.check(
            state_dict, self.resolved, strict=strict, catalog=catalog, adopts=strict
        )
        if resolved is not self.resolved:
            order = resolved.stream.order
            raise ValueError(
                "the graph of a dataset keeps its order: to go on from this state, "
                f"give shuffle_window={order.shuffle_window}, "
                f"block_rows={order.block_rows or None} and "
                f"num_lanes={order.num_lanes} to the constructor"
            )
        self._put(progress)

    def state_at(self, epoch: int, step: int) -> state.State:
        """Returns the state before step `step` of epoch `epoch`, by arithmetic."""
        self.count_rows()
        return state.at(epoch, step, self.resolved)

    def batch_at(self, epoch: int, step: int) -> Any:
        """Returns the element that step `step` of epoch `epoch` delivers, eagerly.

        For a look at what was, or will be, trained on: it decodes the windows that the
        batch lies in and moves nothing, neither iterators nor the next epoch.

        Raises:
            TypeError: An argument is not an int.
            ValueError: The epoch is negative or has no such step.
        """
        self.count_rows()
        place = state.place_of(epoch, step, self.resolved)
        replay = object.__new__(type(self))
        replay._build(self.resolved)
        replay.move(place)
        return next(iter(replay))

    def stats(self) -> Stats:
        """Returns what the iterations have done: `str` of it says what limits them.

        It covers all iterators of this object in this process, whichever way they were
        made; see `rowfeed.stats`. The consumer is tf.data: what `fit` or a `prefetch`
        has read ahead was waited for by them, so put no `prefetch` in between to see
        what a training waits for. Splits of the tf.data service and elements by index
        are not counted.
        """
        with at_once():
            said = ops.rowfeed_cursor_stats(cursor_name=self._cursor_name)
        return parse(said.numpy())

    def set_epoch(self, epoch: int) -> None:
        """Makes the next iteration start with epoch `epoch`."""
        self._put(state.start_of(epoch))

    def _put(self, place: core.Progress) -> None:
        """Moves to a place that the user has named."""
        warn_of_peeks()
        self.move(place)
        self.placed = place

    def next_place(self) -> core.Progress:
        """Returns where the next iteration begins."""
        return self.begin_next()

    def begin_epoch(self) -> int:
        """Begins the epoch that the next iteration takes: see the NumPy face's.

        If a strategy has as many workers as the dataset has ranks, they meet here:
        each waits for the others. They compare their plans, and the place where they
        begin, as the ranks of PyTorch do. The first time they count what a filter
        leaves, each its share of row groups; of data that grows, rank 0 lists each
        epoch for all.

        Raises:
            RuntimeError: Rank 0 could not list, or another rank could not count.
            TimeoutError: A worker did not come within half an hour.
            ValueError: The workers have different plans, or begin at different places.
        """
        place = self.begin_next()
        self.count_rows()
        return self.resolved.steps_in(place.epoch, place.row)

    def count_rows(self) -> None:
        """Learns how many rows the filter leaves from the kernel of the op.

        Python has a kernel of its own: what one of them has counted, the other would
        count again.
        """
        if self.resolved.snapshots is not None:
            return  # Each epoch is counted when it begins.
        if all(rows.is_known for rows in self.resolved.all_rows):
            return
        try:
            survivors = count_rows(self._cursor_name)
        except (RuntimeError, tf.errors.OpError):
            return  # Python counts, and says what is wrong in its own words.
        for rows, saved in zip(self.resolved.all_rows, survivors, strict=True):
            rows.load(saved)

    def begin_next(self) -> core.Progress:
        """Returns where the next iteration begins; lists a growing data set."""
        place, fingerprint = self._ask(ops.rowfeed_begin_epoch)
        if self.agreement is not None:
            self._meet(self.agreement, place)
            if self.resolved.snapshots is not None and not fingerprint:
                self.agreement.list_epoch(self.resolved.snapshots, place.epoch, _never)
                self.move(place)
        return place

    def _meet(self, agreement: StrategyAgreement, place: core.Progress) -> None:
        plan, grows = plan_of(self.resolved, place), self.resolved.snapshots is not None
        rows = [] if grows else self.resolved.all_rows
        is_counted = all(each.is_known for each in rows)
        turn = Turn(self._num_meetings, plan, self._count_meeting)
        agreement.compare(turn, _never, rows)
        if not is_counted or turn.number == 0:
            load_rows(self._cursor_name, self.resolved)

    def _count_meeting(self) -> None:
        self._num_meetings += 1

    def _ask(self, op: Any) -> tuple[core.Progress, str]:
        """Returns what an op says of the cursor, and learns of the epoch's data."""
        with at_once():
            fields, snapshot = op(cursor_name=self._cursor_name)
        epoch, row, next_epoch, epochs_done = fields.numpy().tolist()
        found = snapshot.numpy().decode()
        if self.resolved.snapshots is not None and found:
            self.resolved.snapshots.resume(epoch, found, may_be_gone=True)
        place = core.Progress(
            epoch=epoch, row=row, next_epoch=next_epoch, epochs_done=epochs_done
        )
        return place, found

    def _snapshot_in(self, epoch: int) -> str:
        if self.resolved.snapshots is None:
            return ""
        return self.resolved.snapshots.fingerprint_of(epoch)

    def move(self, progress: core.Progress) -> None:
        """Makes the next iteration start at `progress`."""
        fields = [
            *(progress.epoch, progress.row, progress.next_epoch, progress.epochs_done)
        ]
        with at_once():
            ops.rowfeed_move_cursor(
                progress=tf.constant(fields, tf.int64),
                fingerprint=self._snapshot_in(progress.epoch),
                cursor_name=self._cursor_name,
            )


def _never() -> bool:
    return False


def _refuse_what_tensorflow_lacks(resolved: Resolved) -> None:
    options, layout = resolved.options, resolved.layout
    if not (resolved.outputs or layout.valid):
        raise ValueError(
            "columns is empty: the elements of a tf.data.Dataset have a tensor at least"
        )
    if options.transform is not None:
        raise TypeError(
            "transform is for NumPy and torch: a tf.data.Dataset has "
            "dataset.map(function, num_parallel_calls=tf.data.AUTOTUNE)"
        )
    for name, spec in (options.columns or {}).items():
        if isinstance(spec, Stack) and spec.layout != "rows":
            raise ValueError(
                f"Stack {name!r}: TensorFlow has no tensors with layout={spec.layout!r}"
            )
