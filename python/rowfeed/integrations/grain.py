# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Datasets of rowfeed as the beginning of a pipeline of Grain."""

from __future__ import annotations

from typing import Any

from rowfeed._mix.mix import built
from rowfeed._process.public_names import publish
from rowfeed._state.state import State
from rowfeed._stream.dataset import Dataset

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

    def __iter__(self) -> _Iterator:
        """Returns a new iterator, from the beginning on."""
        return _Iterator(self._dataset, self._start)


class _Iterator(grain.DatasetIterator):  # type: ignore[misc]
    def __init__(self, dataset: Dataset, start: State) -> None:
        super().__init__()
        if dataset._closed:
            raise ValueError("the dataset is closed")
        # Iterations of one dataset take its epochs in turn, so this one has a copy.
        copy = built([dataset], dataset._parameters)
        copy.load_state_dict(start)
        self._iteration = iter(copy)

    def __next__(self) -> Any:
        return next(self._iteration)

    def get_state(self) -> State:
        found: State = self._iteration.state_dict()
        return found

    def set_state(self, state: State) -> None:
        self._iteration.load_state_dict(state)

    def close(self) -> None:
        super().close()
        self._iteration.close()


publish(__name__, ParquetIterDataset)
