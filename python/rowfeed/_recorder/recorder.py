# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`Recorder`: which rows a dataset delivers where, and the batches of steps again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, Self

from rowfeed._catalog.catalog import Catalog
from rowfeed._catalog.paths import Paths
from rowfeed._native import core
from rowfeed._options.options import MAX_EPOCH
from rowfeed._options.parameters import Parameters
from rowfeed._process.checks import check_integer
from rowfeed._process.option_names import names_options
from rowfeed._recorder.batch_rows import BatchRows, rows_of_batch
from rowfeed._recorder.epoch_order import EpochOrder
from rowfeed._recorder.file_names import group_of
from rowfeed._recorder.saved import dataset_of
from rowfeed._recorder.steps import delivery_of, start_of_step, steps_with
from rowfeed._state import state


class RowDelivery(NamedTuple):
    """A place at which a row is delivered.

    Attributes:
        epoch: Number of the epoch.
        step: Index of the step in the epoch.
        rank: Rank that gets the row.
        place: Index of the row in the rank's batch.
    """

    epoch: int
    step: int
    rank: int
    place: int


class Recorder:
    """The methods of a dataset that tell of any batch, past or future."""

    _parameters: Parameters

    def _elements_from(self, place: core.Progress) -> Iterator[Any]:
        """Yields the elements from a place on; see `Look._elements_from`."""
        raise NotImplementedError

    @classmethod
    @names_options
    def from_state(
        cls,
        state_dict: state.State,
        paths: Paths | Catalog | Sequence[Paths | Catalog],
        batch_size: int | None,
        *,
        strict: bool = True,
        **options: Any,
    ) -> Self:
        """Makes the dataset that a state is of, at the place of the state.

        All options that decide the order of rows come from the state. So a state, the
        data and the batch size are enough to ask a crashed run for its batches, or to
        go on with it.

        Args:
            state_dict: State that `state_dict` or `state_at` of a dataset returned.
            paths: Paths of the data, or a `rowfeed.Catalog`, as the constructor takes
                them. For the state of a mixture, a list with those of each source.
            batch_size: Number of rows in a batch of one rank.
            strict: Whether a state of other data is refused: see `load_state_dict`.
            options: Other options of the constructor, such as `rank`, `world_size`,
                `columns`, `remainder`, and the `filter` or `split` that the state was
                taken with. For the state of a mixture, `filter` and `split` are lists
                with one entry for each source.

        Raises:
            TypeError: An option is one that the state has, or has the wrong type.
            ValueError: The state is malformed, or is not of this data or filter.

        Example:
            >>> state = json.loads(Path("state.json").read_text())  # doctest: +SKIP
            >>> dataset = ParquetDataset.from_state(
            ...     state, "data", 256, rank=0, world_size=8
            ... )  # doctest: +SKIP
            >>> dataset.which(state["epoch"], step=10)  # doctest: +SKIP
        """
        made: Any = dataset_of(cls, state_dict, paths, batch_size, options)
        made.load_state_dict(state_dict, strict=strict)
        return made  # type: ignore[no-any-return]

    @names_options
    def which(
        self,
        epoch: int,
        step: int | None = None,
        *,
        start_row: int | None = None,
        rank: int | None = None,
        world_size: int | None = None,
        batch_size: int | None = None,
    ) -> BatchRows:
        """Returns where the rows of a batch are stored, for any batch of any epoch.

        The answer comes from the order's arithmetic: no data is read, files may be
        gone, and no position moves. Under a filter, the rows that pass are counted as
        for `len`, and the filter's columns are read in the batch's row groups.

        Args:
            epoch: Number of the epoch.
            step: Index of the step, where every step of the epoch has a global batch of
                `batch_size * world_size` rows.
            start_row: Row of the epoch at which the step begins, in the place of
                `step`: the `row` of a state that was saved right before it. It finds a
                batch after the global batch has changed within the epoch.
            rank: Rank that gets the batch. Default: the dataset's own.
            world_size: Number of ranks. Default: the dataset's own. The `num_lanes` and
                the `remainder` stay those of the dataset, although their defaults in
                the constructor depend on the number of ranks.
            batch_size: Number of rows in a batch of one rank. Default: the dataset's
                own.

        Returns:
            `BatchRows`: file, row group and row of each row of the batch, in its order,
            as NumPy arrays; `to_arrow()` makes a table of them. Rows that came as fill
            because their file was gone are named by their place.

        Raises:
            OSError: A file that a filter has to read is gone.
            TypeError: An argument is not an int, or not exactly one of `step` and
                `start_row` is given.
            ValueError: The epoch has no such step, `rank` is not below `world_size`, or
                the data grows and the epoch is not known here: load a state of it.

        Example:
            >>> rows = dataset.which(epoch=3, step=10)  # doctest: +SKIP
            >>> rows.path[17], rows.row_group[17], rows.row[17]  # doctest: +SKIP
            ('data/part-1.parquet', 2, 801)
        """
        check_integer("epoch", epoch, 0, MAX_EPOCH)
        delivery = delivery_of(self._parameters, rank, world_size, batch_size)
        order = EpochOrder(self._parameters, int(epoch))
        start = start_of_step(delivery, order.num_rows, step, start_row)
        return rows_of_batch(order, int(epoch), start, delivery)

    @names_options
    def where(
        self,
        file: int | str | os.PathLike[str],
        row_group: int,
        row: int,
        epochs: Iterable[int],
        *,
        source: int | None = None,
        world_size: int | None = None,
        batch_size: int | None = None,
        num_steps: int | None = None,
    ) -> list[RowDelivery]:
        """Returns each place at which a row is delivered: the inverse of `which`.

        It makes the plan of each epoch, whose cost grows with the number of blocks. No
        data is read and no position moves. Under a filter, the rows that pass are
        counted as for `len`, and the filter's columns are read in the row group.

        Args:
            file: Path of the file, its name below the directory that was given, or its
                index in `catalog.files`.
            row_group: Index of the row group in the file.
            row: Index of the row in the row group.
            epochs: Numbers of the epochs to search, such as `range(10)`.
            source: Index of the source in a mixture, which needs it.
            world_size: Number of ranks. Default: the dataset's own.
            batch_size: Number of rows in a batch of one rank. Default: the dataset's
                own.
            num_steps: Number of steps to search in each epoch, from its first one.
                Default: all; a mixture with stop="endless" needs a number.

        Returns:
            One `RowDelivery` for each time that the row comes, with `epoch`, `step`,
            `rank` and `place`, by ascending epoch and step as the epochs are given. An
            epoch has none if the row is left out by a filter, or by remainder="drop",
            and it may have several with remainder="wrap" and in mixtures.

        Raises:
            OSError: A file that a filter has to read is gone.
            TypeError: An argument has the wrong type.
            ValueError: There is no such file, row group, row or source, or the data
                grows and an epoch is not known here.

        Example:
            >>> dataset.where("part-1.parquet", 2, 801, range(2))  # doctest: +SKIP
            [RowDelivery(epoch=0, step=31, rank=0, place=5),
             RowDelivery(epoch=1, step=8, rank=0, place=77)]
        """
        parameters = self._parameters
        delivery = delivery_of(parameters, 0, world_size, batch_size)
        number = _source(parameters, source)
        check_integer("num_steps", num_steps, 0, optional=True)
        # An integer of NumPy would overflow where steps become rows.
        num_steps = None if num_steps is None else int(num_steps)
        if num_steps is None and parameters.is_endless:
            raise ValueError(
                "num_steps must be given, as the epochs of a mixture with "
                'stop="endless" have no end'
            )
        if not isinstance(epochs, Iterable):
            raise TypeError(f"epochs must be numbers such as range(10), not {epochs!r}")
        found = []
        for epoch in epochs:
            check_integer("an epoch of epochs", epoch, 0, MAX_EPOCH)
            order = EpochOrder(parameters, int(epoch))
            group = group_of(order.catalogs[number], file, row_group, row)
            end = None if num_steps is None else num_steps * delivery.global_batch
            rows = order.find(number, group, int(row), end)
            found += sorted(
                RowDelivery(int(epoch), *place)
                for at in rows
                for place in steps_with(delivery, order.num_rows, at, num_steps)
            )
        return found

    @names_options
    def replay(self, epoch: int, steps: Iterable[int]) -> Iterator[Any]:
        """Returns the elements of steps of an epoch again, or in advance.

        They are read on demand, and neither iterations nor the next epoch move. Steps
        that follow each other are read as one stream, which reads ahead; others decode
        the windows of their rows, as `batch_at` does. In TensorFlow it must be called
        eagerly.

        Args:
            epoch: Number of the epoch.
            steps: Indices of the steps, such as `range(120, 130)`.

        Returns:
            Iterator of the elements of this rank, after `transform` if there is one.

        Raises:
            TypeError: An argument has the wrong type.
            ValueError: The epoch has no such step, or the data grows and the epoch is
                not known here.

        Example:
            >>> for batch in dataset.replay(3, range(120, 130)):  # doctest: +SKIP
            ...     print(batch["price"].max())
        """
        if not isinstance(steps, Iterable):
            raise TypeError(f"steps must be numbers such as range(10), not {steps!r}")
        check_integer("epoch", epoch, 0, MAX_EPOCH)
        num_steps = self._parameters.steps_in(int(epoch))
        listed = []
        for step in steps:  # It may have far more steps than the epoch.
            check_integer("a step of steps", step, 0)
            if step >= num_steps:
                state.place_of(epoch, step, self._parameters)  # It raises the error.
            listed.append(int(step))
        return self._replayed(int(epoch), listed)

    def _replayed(self, epoch: int, steps: list[int]) -> Iterator[Any]:
        while steps:
            length = 1
            while length < len(steps) and steps[length] == steps[0] + length:
                length += 1
            place = state.place_of(epoch, steps[0], self._parameters)
            yield from islice(self._elements_from(place), length)
            steps = steps[length:]


def _source(parameters: Parameters, source: int | None) -> int:
    """Returns the index of the source that a user means."""
    num_sources = len(parameters.parts)
    if source is None and num_sources > 1:
        raise ValueError(
            f"source must be in [0, {num_sources - 1}], as this is a mixture of "
            f"{num_sources} datasets"
        )
    check_integer("source", source, 0, num_sources - 1, optional=True)
    return 0 if source is None else int(source)
