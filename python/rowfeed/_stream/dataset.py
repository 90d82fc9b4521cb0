# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The base class of the streaming datasets for NumPy and for PyTorch."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rowfeed._catalog.catalog import Catalog
from rowfeed._keras_calls.placed import Placed
from rowfeed._look.look import Look
from rowfeed._native import core
from rowfeed._options.keywords import Keywords
from rowfeed._options.parameters import Parameters
from rowfeed._process.option_names import names_options
from rowfeed._recorder.recorder import Recorder
from rowfeed._state import state
from rowfeed._stream.elements import Elements
from rowfeed._stream.iteration import Iteration
from rowfeed._stream.resizable import Resizable
from rowfeed._stream.step_infos import step_info_of, step_of
from rowfeed._stream.streams import Position, Stream

if TYPE_CHECKING:
    from rowfeed._stats.consumer_clock import ConsumerClock
    from rowfeed._stats.numbers import Stats


class Dataset(Resizable, Look, Recorder, Placed, Elements, Keywords):
    """A dataset: its parameters, and a cursor that hands an epoch to each iteration."""

    def _build(self, parameters: Parameters) -> None:
        self._closed = False
        self._iterations: weakref.WeakSet[Iteration] = weakref.WeakSet()
        self._adopt(parameters)

    def _adopt(self, parameters: Parameters) -> None:
        """Takes new parameters; iterations that have begun keep the old ones."""
        self._parameters = parameters
        self._convert(parameters.outputs)
        self._cursor = parameters.new_cursor()
        self._clock: ConsumerClock | None = None
        if parameters.options.transform is not None:
            # This import is slow, and few users transform.
            from rowfeed._stats.consumer_clock import ConsumerClock

            self._clock = ConsumerClock()
        # The stream of the iteration begun last, which knows its place even when it is
        # closed.
        self._latest: Position | None = None

    def _move(self, progress: core.Progress) -> None:
        """Makes the next iteration start at `progress`."""
        self._cursor.move(progress)
        self._latest = None

    def __iter__(self) -> Iteration:
        """Returns a new iteration, which starts when its first element is asked for."""
        if self._closed:
            raise ValueError("the dataset is closed")
        iteration = self._iterate()
        self._iterations.add(iteration)
        return iteration

    def _iterate(self) -> Iteration:
        return Iteration(self)

    @property
    def element_spec(self) -> Any:
        """Element with a spec in the place of each array or tensor.

        A spec has a `dtype` (of NumPy or of PyTorch) and a `shape`, in which None
        stands for any length. Ragged levels have None, and so has the batch axis if
        not every batch has as many rows. The `dtype` of a `Ragged` is that of its
        values, uint8 for strings and binaries. With `transform` the element is the
        argument of that function, not its result.

        Example:
            >>> dataset = ParquetDataset("data", 256, columns=["price"])
            ... # doctest: +SKIP
            >>> dataset.element_spec  # doctest: +SKIP
            {'price': ArraySpec(dtype=dtype('float32'), shape=(None,))}
        """
        rows = () if self._parameters.single else (self._parameters.static_batch_size,)
        return self._spec(self._parameters, rows)

    def __len__(self) -> int:
        """Returns the number of batches of a whole iteration, over all its epochs.

        In a mixture whose weights change, epochs differ in length. Then the number is
        that of an iteration that would begin now.

        Raises:
            TypeError: The dataset is endless (num_epochs=None, or a mixture with
                stop="endless"), or it grows (`refresh`).
        """
        if self._parameters.options.growth is not None:
            raise TypeError(
                "a growing data set has no length, as each epoch has its own: "
                "begin_epoch() returns that of the next one"
            )
        length = self._parameters.num_batches_from(self._start().epoch)
        if length is None:
            raise TypeError(
                'an endless dataset (num_epochs=None, or stop="endless") has no length'
            )
        return length

    def begin_epoch(self) -> int:
        """Begins the epoch that the next iteration takes.

        With `refresh` the files are listed now, and not at the first element.

        Returns:
            Number of batches of this rank, from the place where the iteration will
            begin to the end of the epoch.
        """
        place = self._start()
        self._begin_epoch(place.epoch, lambda: self._closed)
        return self._parameters.steps_in(place.epoch, place.row)

    def _begin_epoch(self, epoch: int, is_abandoned: Callable[[], bool]) -> None:
        """Lists or counts what an epoch has, where that is not known."""
        self._parameters.epochs.begin(epoch, is_abandoned)

    def state_dict(self) -> state.State:
        """Returns the state of the iteration begun last; before one, of the start.

        The state is a JSON-able dict, the same in NumPy, PyTorch and TensorFlow;
        docs/reference.md describes it.
        """
        return state.make(self._stands(), self._parameters)

    def _stands(self) -> core.Progress:
        # Another thread may begin an iteration, which sets `latest` before it takes the
        # start, or may move the start. So `latest` is read before and after the start.
        while True:
            before, start, latest = self._latest, self._start(), self._latest
            if latest is not None:
                return latest.progress
            if before is None:  # Else the start was just moved: read both again.
                return start

    @names_options
    def load_state_dict(
        self,
        state_dict: state.State,
        *,
        strict: bool = True,
        catalog: Catalog | None = None,
    ) -> None:
        """Makes the next iteration go on from a state.

        Args:
            state_dict: State, taken by any rank, with any world size, in NumPy, PyTorch
                or TensorFlow.
            strict: Whether a state of other data or another order is refused. If not,
                the iteration goes on at its place, and a warning says what differs and
                what is given up.
            catalog: Catalog of the data when the state was taken, saved beside it. It
                serves to name the files that have changed since and, with
                `strict=False`, to know whether the order of rows is still the same.

        Raises:
            TypeError: The state is not a dict, or `catalog` is not a Catalog.
            ValueError: The state is malformed, has another format or order version, or
                does not belong to `catalog`. With `strict` also: the state is of other
                data or another order. The message names the first field that differs
                and, with `catalog`, each file that differs and how.
        """
        progress, parameters = state.check(
            state_dict, self._parameters, strict=strict, catalog=catalog
        )
        if parameters is not self._parameters:
            self._adopt(parameters)
        self._put(progress)

    def state_at(self, epoch: int, step: int) -> state.State:
        """Returns the state before step `step` of epoch `epoch`, by arithmetic."""
        return state.at(epoch, step, self._parameters)

    def _elements_from(self, place: core.Progress) -> Generator[Any]:
        """Yields the elements of an iteration that begins at a place.

        It has a cursor and a stream of its own.
        """
        parameters = self._parameters
        stream = self._stream_of(parameters.new_cursor(), parameters)
        with closing(stream):
            stream.restore(place)
            while (batch := stream.next()) is not None:
                yield self._delivered(batch, place, stream.progress, parameters)

    def stats(self) -> Stats:
        """Returns counts and times of loading; their `str` says what limits it.

        They cover all iterations of this object in this process; see `rowfeed.stats`.
        The call takes microseconds, and any thread may make it at any time.
        """
        # These imports are slow, and few users ask for statistics.
        from rowfeed._look.remedies import remedies_of
        from rowfeed._stats.json import parse

        return parse(
            self._cursor.stats(),
            num_epochs=self._parameters.options.num_epochs,
            consumer=self._clock,
            find=partial(remedies_of, self._parameters),
        )

    def _next_place(self) -> core.Progress:
        """Returns the place at which the next iteration begins."""
        return self._start()

    def close(self) -> None:
        """Closes all iterations; the dataset makes no more of them."""
        self._closed = True
        for iteration in list(self._iterations):
            iteration.close()

    def __enter__(self) -> Any:
        """Returns the dataset; the end of the `with` block closes it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Closes the dataset."""
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        """Pickles parameters and the cursor's place, without iterations."""
        start, epochs = self._start(), self._parameters.epochs
        return {
            "parameters": self._parameters,
            "start": start.astuple(),
            "fingerprint": epochs.fingerprint_in(start.epoch),
            "counts": epochs.counts_in(start.epoch),
        }

    def __setstate__(self, pickled: dict[str, Any]) -> None:
        """Makes an independent dataset that starts at the same place."""
        self._build(pickled["parameters"])
        start = core.Progress(*pickled["start"])
        counts = pickled.get("counts", b"")  # Pickles of earlier versions have none.
        self._resume(start, pickled["fingerprint"], counts)
        self._move(start)

    def _resume(
        self, start: core.Progress, fingerprint: str | None, counts: bytes = b""
    ) -> None:
        """Gives the current epoch of a growing data set the files that it had.

        Args:
            start: Place of the epoch.
            fingerprint: Fingerprint of the epoch's files; None if it had not begun.
            counts: Numbers of rows that the filter lets pass in the epoch, as
                `Epochs.counts_in` returns them. Without them the rows are counted when
                they are needed, which fails if files of the epoch are gone.
        """
        epochs = self._parameters.epochs
        if fingerprint in (None, epochs.fingerprint_in(start.epoch)):
            return
        try:
            epochs.resume(start.epoch, fingerprint, may_be_gone=True, counts=counts)
        except (OSError, ValueError) as error:
            raise ValueError(
                f"the copy cannot go on in epoch {start.epoch}, as what that was is "
                f"not there: {error}"
            ) from error

    def _start(self) -> core.Progress:
        """Returns the place at which the next iteration starts."""
        return self._cursor.peek()

    def _stream_of(self, cursor: core.Cursor, parameters: Parameters) -> Stream:
        """Returns a stream of native batches, which `delivered` makes elements of."""
        return core.BatchStream(cursor, parameters.stream, self._dlpack_exchange)

    def _delivered(
        self,
        batch: core.Batch,
        before: core.Progress,
        after: core.Progress,
        parameters: Parameters,
    ) -> Any:
        """Returns the element of a native batch, after `transform` if there is one.

        Args:
            batch: Native batch; its list is changed.
            before: Place before the batch, or before earlier batches of its stream.
            after: Place after the batch.
            parameters: Parameters of the stream.
        """
        element = self._element(batch, parameters)
        options = parameters.options
        transform: Any = options.transform
        if transform is None:
            return element
        arguments = [element]
        if options.tells_step:
            arguments.append(step_info_of(parameters, before, after))
        try:
            return transform(*arguments)
        except Exception as error:
            epoch, step = after.epoch, step_of(parameters, before, after)
            error.add_note(
                f"transform raised this error at step {step} of epoch {epoch}: "
                f"dataset.batch_at({epoch}, {step}) reads that batch again and calls "
                "transform with it"
            )
            raise
