# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A `fit` that begins where its dataset stood, whatever Keras took before."""

from __future__ import annotations

from typing import Any

import keras

from rowfeed._keras_calls.match import check_fit
from rowfeed._keras_calls.peek import source_below, warn_of_peeks
from rowfeed._state.state import State


class StartAt(keras.callbacks.Callback):  # type: ignore[misc]
    """Makes `fit` begin where the dataset stood before Keras built the model.

    Under the backends JAX and PyTorch, and under a strategy of TensorFlow, `fit` and
    `evaluate` build a model with a batch of the dataset before they begin. This
    iteration takes an epoch, as every iteration does: without the callback `fit` then
    trains on the epoch behind the one that `load_state_dict` or `set_epoch` set.

    The place is set when training begins. It is the one that `load_state_dict` or
    `set_epoch` was given last, or where the next iteration would have begun when the
    callback was made. A later `fit` with the same callback goes on behind the last.

    Args:
        dataset: The dataset that `fit` trains on: a `ParquetDataset` of
            `rowfeed.tensorflow` or a pipeline of `tf.data` over one, or one of
            `rowfeed.torch` or a `DataLoader` over it.
        state: The state to begin at, as of `load_state_dict`. Default: the dataset's.

    Raises:
        NotImplementedError: `dataset` grows (`refresh="epoch"`), which
            `rowfeed.keras.fit` is for.
        TypeError: There is no such dataset below `dataset`, or `state` is no dict.
        ValueError: `state` is of other data or another order; in `fit`: the inputs of
            the model are not the features of what `fit` gets.

    Example:
        >>> dataset.load_state_dict(state)  # doctest: +SKIP
        >>> model.fit(dataset, callbacks=[StartAt(dataset)])  # doctest: +SKIP
    """

    _rowfeed_sets_place = (
        True  # So that Keras' first look at the data needs no warning.
    )

    def __init__(self, dataset: Any, state: State | None = None) -> None:
        super().__init__()
        source = source_below(dataset)
        if source is None:
            raise TypeError(
                "dataset must be a ParquetDataset of rowfeed.tensorflow or "
                "rowfeed.torch, or a pipeline or DataLoader over one, not a "
                f"{type(dataset).__name__}"
            )
        if source.resolved.options.growth is not None:
            raise NotImplementedError(
                "StartAt is for datasets that do not grow: rowfeed.keras.fit begins "
                "each epoch of one that does"
            )
        if state is not None:
            source.load_state_dict(state)
        self._source = source
        self._set = source.placed  # What was set last, as far as this knows.
        self._place = source.next_place()
        self._trains = False

    def on_train_begin(self, logs: Any = None) -> None:  # noqa: ARG002
        """Sets the place, which building the model may have used up."""
        check_fit(self.model)
        self._trains = True
        self._move()

    def on_test_begin(self, logs: Any = None) -> None:  # noqa: ARG002
        """Sets the place for an `evaluate` that is not the validation of a `fit`."""
        if not self._trains:
            check_fit(self.model)
            self._move()

    def on_test_end(self, logs: Any = None) -> None:  # noqa: ARG002
        """Notes where a later call goes on."""
        if not self._trains:
            self._place = self._source.next_place()

    def on_train_end(self, logs: Any = None) -> None:  # noqa: ARG002
        """Notes where a later `fit` goes on."""
        self._trains = False
        self._place = self._source.next_place()

    def _move(self) -> None:
        if self._source.placed is not self._set:  # It was set since.
            self._set = self._source.placed
            self._place = self._set
        self._source.move(self._place)


warn_of_peeks()
