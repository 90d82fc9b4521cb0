# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Datasets of rowfeed as the beginning of a pipeline of Grain."""

from __future__ import annotations

from typing import Any

from rowfeed._mix.mix import built
from rowfeed._process.public_names import publish
from rowfeed._state.state import State
from rowfeed._stream.dataset import Dataset
from rowfeed._stream.iteration import Iteration
from rowfeed._stream.nth_iteration import NthIteration

try:
    import grain
except ImportError as error:
    raise ImportError(
        "rowfeed.integrations.grain needs Grain: pip install grain"
    ) from error

__all__ = ["ParquetIterDataset"]


class ParquetIterDataset(grain.IterDataset):  # type: ignore[misc]
    """A `grain.IterDataset` whose elements are those of a dataset of rowfeed.

    As Grain wants it, each iterator begins at the same place: where the dataset stood
    when this object was made. The number of epochs is that of the dataset
    (`num_epochs`). The state of an iterator has the position in the data.

    With `mp_prefetch`, worker j of n delivers the batches j, j + n, ..., so that the
    pipeline delivers the same batches in the same order as without. Each worker decodes
    all rows: workers are worth it if a function in `map` holds the GIL for long.

    Example:
        >>> train = rowfeed.ParquetDataset(  # doctest: +SKIP
        ...     "data", 256, shuffle=True, num_epochs=3
        ... )
        >>> pipeline = ParquetIterDataset(train).map(augment)  # doctest: +SKIP
        >>> for batch in pipeline:  # doctest: +SKIP
        ...     train_step(batch)
    """

    def __init__(self, dataset: Any) -> None:
        """Makes the dataset; nothing is read before it is iterated.

        Args:
            dataset: `rowfeed.ParquetDataset`, `rowfeed.jax.ParquetDataset`, or a
                mixture of such.

        Raises:
            TypeError: `dataset` is no such dataset.
        """
        kinds = {base.__module__ for base in type(dataset).__mro__}
        if not isinstance(dataset, Dataset) or "rowfeed.torch" in kinds:
            raise TypeError(
                "ParquetIterDataset takes a rowfeed.ParquetDataset or "
                f"rowfeed.jax.ParquetDataset, not a {type(dataset).__module__}."
                f"{type(dataset).__name__}"
            )
        super().__init__()
        self._dataset, self._start = dataset, dataset.state_dict()
        # The batches of this object: the first, and every how many-th from there on.
        self._first, self._every = 0, 1

    def set_slice(
        self,
        sl: slice,
        sequential_slice: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        """Keeps every n-th batch; Grain calls it in the workers of `mp_prefetch`.

        Args:
            sl: Slice from the number of the first batch on, with step n.
            sequential_slice: Whether each worker shall have batches that follow each
                other, which is refused.

        Raises:
            ValueError: `sequential_slice` is true, `sl` has an end, or the dataset has
                `refresh`.
        """
        if sequential_slice:
            raise ValueError(
                "sequential_slice=True: the workers of mp_prefetch take the batches of "
                "a rowfeed dataset in turn: leave it out"
            )
        if sl.stop is not None:
            raise ValueError(f"a pipeline over a rowfeed dataset has no {sl!r}")
        if self._dataset._parameters.options.growth is not None:
            raise ValueError(
                "refresh with the workers of mp_prefetch: each would list the files "
                "for itself: leave mp_prefetch out, as rowfeed has its own threads"
            )
        self._first += self._every * (sl.start or 0)
        self._every *= sl.step or 1

    def __iter__(self) -> _Iterator:
        """Returns a new iterator, from the beginning on."""
        return _Iterator(self._dataset, self._start, self._first, self._every)


class _Iterator(grain.DatasetIterator):  # type: ignore[misc]
    def __init__(self, dataset: Dataset, start: State, first: int, every: int) -> None:
        super().__init__()
        if dataset._closed:
            raise ValueError("the dataset is closed")
        # Iterations of one dataset take its epochs in turn, so this one has a copy.
        copy = built([dataset], dataset._parameters)
        copy.load_state_dict(start)
        self._iteration: Iteration = iter(copy)
        if every > 1:
            self._iteration = NthIteration(copy, first, every)

    def __next__(self) -> Any:
        return next(self._iteration)

    def get_state(self) -> State:
        found: State = self._iteration.state_dict()
        return found

    def set_state(self, state: State) -> None:
        if "worker" in state and not isinstance(self._iteration, NthIteration):
            raise ValueError(
                "a state of one of the workers of mp_prefetch: a pipeline goes on with "
                "as many workers as it had when the state was taken"
            )
        self._iteration.load_state_dict(state)

    def close(self) -> None:
        super().close()
        self._iteration.close()


publish(__name__, ParquetIterDataset)
