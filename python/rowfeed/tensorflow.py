# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`ParquetDataset` for TensorFlow: a tf.data.Dataset of Parquet files."""

from __future__ import annotations

# This import comes first: its error says what to install if TensorFlow is missing.
from rowfeed._tensorflow.ops import (
    HOST,
    delete_cursor,
    give_cursor,
)

# isort: split
import uuid
import weakref
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import tensorflow as tf

from rowfeed._catalog.catalog import Catalog
from rowfeed._columns.stack import Stack
from rowfeed._keras_calls.match import check_given
from rowfeed._keras_calls.placed import Placed
from rowfeed._look.look import Look
from rowfeed._look.remedies import remedies_of
from rowfeed._native import core
from rowfeed._options.keywords import Keywords
from rowfeed._options.options import ADOPTED
from rowfeed._options.parameters import Parameters
from rowfeed._process.public_names import publish
from rowfeed._ranks.agreement import Turn
from rowfeed._ranks.plans import plan_of
from rowfeed._recorder.recorder import Recorder
from rowfeed._sheet.sheet import Sheet
from rowfeed._state import state
from rowfeed._stats.json import parse
from rowfeed._stats.numbers import Stats
from rowfeed._tensorflow.graph import (
    element_spec,
    keeper_of,
    make_variant,
    options_of,
    without_prefetch,
)
from rowfeed._tensorflow.ranks import StrategyAgreement

__all__ = ["ParquetDataset"]


class ParquetDataset(Look, Recorder, Placed, Keywords, tf.data.Dataset):  # type: ignore[misc]
    """Rows of Parquet files, shuffled, sharded and resumable, as a tf.data.Dataset.

    Elements are dicts from column name to tensor; with `label` they are
    `(features, label)`, with `sample_weight` too `(features, label, weight)`, as
    `Model.fit` takes them. Tensors are [batch], [batch, list_size] for fixed-size
    lists and binaries, or a `tf.RaggedTensor` for lists of any length; strings and
    binaries of any length are `tf.string`. If there may be fill rows (remainder="pad",
    refresh), elements with a label have a weight: 0 for fill rows, and for others their
    sample weight, or 1. Without a label the features then have a `__valid`. Null values
    are refused unless the column has a fill: see `rowfeed.Column`.

    The kernel shuffles, batches and reads ahead. A `shuffle`, `batch` or `prefetch` of
    tf.data directly on top costs time, and puts rows into checkpoints.

    Each iteration takes the next epoch when it begins, whichever way it was made: by
    `for`, by `fit`, below `map`, in a `tf.function`, under a strategy.
    `tf.train.Checkpoint(iterator=iterator)` saves and restores an iterator exactly.
    `fit` reads ahead and keeps its iterator to itself: use
    `rowfeed.keras.BackupAndRestore` to go on within an epoch. To do that by hand, count
    steps and give `state_at(epoch, step)` to `load_state_dict`. Under a strategy, and
    under other backends of Keras, `fit` first builds the model with a batch; give it
    the callback `rowfeed.keras.StartAt`, which sets the place again.

    The options of tf.data are TensorFlow's defaults, except that automatic sharding is
    off with more than one rank; `with_options` overrides that. Under a strategy of
    several workers use `distribute_datasets_from_function` with
    `rank=context.input_pipeline_id, world_size=context.num_input_pipelines`.

    Random access (`tf.data.experimental.at`) and tf.data's global shuffle are exact but
    slow: each element out of order decodes a window. In the tf.data service a split is
    one window of an epoch, batches do not cross windows, and every job starts with
    `first_epoch`.

    The keywords are documented in `ParquetDataset.__init__`.

    Example:
        >>> dataset = ParquetDataset(
        ...     "data", 256, label="price", shuffle=True
        ... )  # doctest: +SKIP
        >>> model.fit(dataset, epochs=5)  # doctest: +SKIP
    """

    _agreement: StrategyAgreement | None = None

    def _meet_ranks(self, rank: int, world_size: int) -> None:
        self._agreement = StrategyAgreement.of_strategy(rank, world_size)

    def _mixes(self, sources: Sequence[Any]) -> None:
        options = sources[0]._parameters.options
        self._meet_ranks(options.rank, options.world_size)

    def _build(self, parameters: Parameters) -> None:
        _refuse_what_tensorflow_lacks(parameters)
        self._parameters = parameters
        self._num_meetings = 0  # Counts meetings with other workers of a strategy.
        self._cursor_name = f"rowfeed_{uuid.uuid4().hex}"
        self._element_spec = element_spec(parameters)
        keeper = keeper_of(self)
        with tf.init_scope():
            # In a graph of TensorFlow 1 the op makes the cursor when the graph runs.
            self._shared: core.DatasetPlace | None = None
            if tf.executing_eagerly():
                self._shared = core.DatasetPlace(parameters.new_cursor())
                give_cursor(self._cursor_name, self._shared)
                finalizer = weakref.finalize(keeper, delete_cursor, self._cursor_name)
                finalizer.atexit = False
        with tf.device(HOST):
            variant = make_variant(parameters, self._cursor_name, self._element_spec)
            source = tf.data.experimental.from_variant(variant, self._element_spec)
            self._source = source.with_options(options_of(parameters))
        tf.data.Dataset.__init__(self, tf.data.experimental.to_variant(self._source))

    def __iter__(self) -> Any:
        """Returns an iterator of tf.data, which takes the next epoch at its first pull.

        Steps of tf.data on top of the dataset do not call this method: they have
        iterators of their own.
        """
        check_given(self)
        if tf.executing_eagerly() and self._parameters.epochs.countable:
            # The op would count at the first pull, but only Python can warn. If the
            # count fails, the op fails too, with an error of TensorFlow's.
            with suppress(OSError, RuntimeError, ValueError):
                self._parameters.count()
        self._parameters.warn_if_empty()
        return iter(without_prefetch(self))

    def cardinality(self) -> Any:
        """Returns the number of batches of a whole iteration, as a tensor.

        It is `tf.data.Dataset.cardinality`, which warns here if no row is left.
        """
        found = super().cardinality()
        self._parameters.warn_if_empty()
        return found

    def _inputs(self) -> list[Any]:
        return [self._source]  # tf.data takes options from the inputs of a dataset.

    @property
    def element_spec(self) -> Any:
        """Types of an element, with the batch size if every batch is full."""
        return self._element_spec

    def state_dict(self) -> state.State:
        """Returns the state of the iteration begun last; before one, of the start.

        Batches that `fit`, or steps of tf.data on top, have read ahead count as
        delivered, although the training has not seen them. (TensorFlow by itself makes
        a `map` parallel and adds a `prefetch` after other steps.) The state is a
        JSON-able dict, the same in NumPy, PyTorch and TensorFlow; docs/reference.md
        describes it.
        """
        return state.make(self._stands(), self._parameters)

    def load_state_dict(
        self,
        state_dict: state.State,
        *,
        strict: bool = True,
        catalog: Catalog | None = None,
    ) -> None:
        """Makes the next iteration go on from a state.

        See `load_state_dict` of `rowfeed.ParquetDataset` for the arguments and errors.
        The graph cannot change its order of rows: order options that the user left at
        None never take the state's values.

        Raises:
            TypeError: The state is not a dict, or `catalog` is not a Catalog.
            ValueError: The state does not fit the data; or with `strict` an order
                option that was left at None has another value in the state, and the
                message says what to give to the constructor.
        """
        progress, parameters = state.check(
            state_dict, self._parameters, strict=strict, catalog=catalog, adopts=strict
        )
        if parameters is not self._parameters:
            # A value that stands for None, such as 0 block_rows, is no one's to give.
            order = [f"{name}={parameters.value(name) or None}" for name in ADOPTED]
            raise ValueError(
                "the graph of a dataset keeps its order: to go on from this state, "
                f"give {', '.join(order[:-1])} and {order[-1]} to the constructor"
            )
        self._put(progress)

    def state_at(self, epoch: int, step: int) -> state.State:
        """Returns the state before step `step` of epoch `epoch`, by arithmetic."""
        return state.at(epoch, step, self._parameters)

    def _elements_from(self, place: core.Progress) -> Generator[Any]:
        """Yields the elements of an iteration that begins at a place.

        They are those of another dataset, whose cursor stands at the place.
        """
        replay = object.__new__(type(self))
        replay._build(self._parameters)
        replay._move(place)
        yield from replay

    def stats(self) -> Stats:
        """Returns counts and times of loading; their `str` says what limits it.

        They cover all iterators of this object in this process, whichever way they were
        made; see `rowfeed.stats`. The waiting times are those of tf.data. A `prefetch`
        waits in the place of the training, so put none on top to see how long the
        training waits. Splits of the tf.data service and elements by index are not
        counted.
        """
        return parse(
            self._place.cursor.stats(),
            num_epochs=self._parameters.options.num_epochs,
            find=partial(remedies_of, self._parameters),
        )

    def _next_place(self) -> core.Progress:
        """Returns the place at which the next iteration begins."""
        return self._begin_next()

    def begin_epoch(self) -> int:
        """Begins the epoch that the next iteration takes; returns its batches.

        If a strategy has as many workers as the dataset has ranks, the workers meet
        here: each waits for the others, and they compare their plans and places. The
        first time, they count together the rows that a filter lets pass, each worker
        for its share of row groups. If the data grows, rank 0 lists each epoch for all.

        Returns:
            Number of batches of this rank, from the place where the iteration will
            begin to the end of the epoch.

        Raises:
            RuntimeError: Rank 0 could not list, or another rank could not count.
            TimeoutError: A worker did not come within half an hour.
            ValueError: The workers have different plans, or begin at different places.
        """
        place = self._begin_next()
        return self._parameters.steps_in(place.epoch, place.row)

    def _begin_next(self) -> core.Progress:
        """Returns the place of the next iteration; lists a growing data set's epoch."""
        place = self._start()
        epochs = self._parameters.epochs
        if self._agreement is not None:
            self._meet(self._agreement, place)
            if epochs.snapshots is not None and not epochs.knows(place.epoch):
                self._agreement.list_epoch(epochs.snapshots, place.epoch, _never)
        elif epochs.snapshots is not None and self._parameters.options.world_size == 1:
            epochs.begin(place.epoch)
        return place

    def _meet(self, agreement: StrategyAgreement, place: core.Progress) -> None:
        plan, rows = plan_of(self._parameters, place), self._parameters.epochs.countable
        here = agreement.place_in(self._parameters, place.epoch)
        turn = Turn(self._num_meetings, plan, self._count_meeting, here)
        agreement.compare(turn, _never, rows)

    def _count_meeting(self) -> None:
        self._num_meetings += 1

    @property
    def _place(self) -> core.DatasetPlace:
        """Place of the dataset, which the op's iterators share.

        Raises:
            RuntimeError: The dataset was made in a graph of TensorFlow 1.
        """
        if self._shared is None:
            raise RuntimeError(
                "this needs eager execution, not a graph of TensorFlow 1"
            )
        return self._shared

    def _start(self) -> core.Progress:
        return self._place.cursor.peek()

    def _stands(self) -> core.Progress:
        return self._place.latest()

    def _sheet(self) -> Sheet:
        """Returns the description, with the line of every other tf.data.Dataset."""
        sheet = super()._sheet()
        spec = ("element_spec", repr(self.element_spec))
        return replace(sheet, entries=[*sheet.entries, spec])

    def _move(self, progress: core.Progress) -> None:
        """Makes the next iteration start at `progress`."""
        self._place.move(progress)


def _never() -> bool:
    return False


def _refuse_what_tensorflow_lacks(parameters: Parameters) -> None:
    options, layout = parameters.options, parameters.layout
    if not (parameters.outputs or layout.valid):
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


publish(__name__, ParquetDataset)
