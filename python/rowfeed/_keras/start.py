# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`StartAt`: a callback that lets Keras begin at the place of its dataset."""

from __future__ import annotations

from typing import Any

import keras

from rowfeed._keras_calls.match import check_fit
from rowfeed._keras_calls.peek import warn_of_peeks
from rowfeed._keras_calls.source import source_below
from rowfeed._process.option_names import names_options
from rowfeed._state.state import State


class StartAt(keras.callbacks.Callback):  # type: ignore[misc]
    """Makes Keras begin where the dataset stood before it built the model.

    Under the backends JAX and PyTorch, and under a strategy of TensorFlow, `fit` and
    `evaluate` build a model with a batch of the dataset before they begin. Under JAX
    `predict` does so, too, if the model is not built. Taking that batch is an
    iteration, which uses up an epoch. Without the callback `fit` then trains on the
    epoch after the one that `load_state_dict` or `set_epoch` set.

    The callback sets the place when `fit`, `evaluate` or `predict` begins. It is the
    place that the user set last, by `load_state_dict` or `set_epoch`, or else the place
    at which the next iteration would have begun when the callback was made. A later
    call with the same callback goes on after the last one.

    Args:
        dataset: The data that Keras is given, or the `ParquetDataset` below it: one of
            `rowfeed.tensorflow` or a pipeline of `tf.data` over it, one of
            `rowfeed.torch` or a `DataLoader` over it, or a `rowfeed.keras.Loader`.
        state: State to begin at, as `load_state_dict` takes it. Default: the place of
            the dataset.

    Raises:
        NotImplementedError: `dataset` grows (`refresh="epoch"`); use
            `rowfeed.keras.fit` for it.
        TypeError: `dataset` is not one of these, or `state` is not a dict.
        ValueError: `state` is of other data or another order. In `fit`, `evaluate`
            and `predict`: the inputs of the model are not the features of the data.

    Example:
        >>> dataset.load_state_dict(state)  # doctest: +SKIP
        >>> model.fit(dataset, callbacks=[StartAt(dataset)])  # doctest: +SKIP
    """

    # Keras' first look at the data then needs no warning.
    _rowfeed_sets_place_in = ("fit", "evaluate", "predict")

    @names_options
    def __init__(self, dataset: Any, state: State | None = None) -> None:
        super().__init__()
        source = source_below(dataset)
        if source is None:
            raise TypeError(
                "dataset must be a ParquetDataset of rowfeed.tensorflow or "
                "rowfeed.torch, a pipeline or DataLoader over one, or a "
                "rowfeed.keras.Loader, not a "
                f"{type(dataset).__name__}"
            )
        if source._parameters.options.growth is not None:
            raise NotImplementedError(
                "StartAt is for datasets that do not grow: rowfeed.keras.fit begins "
                "each epoch of one that does"
            )
        if state is not None:
            source.load_state_dict(state)
        self._source = source
        self._set = source._placed  # The last place set by the user that was seen.
        self._place = source._next_place()
        self._trains = False

    def on_train_begin(self, logs: Any = None) -> None:  # noqa: ARG002
        """Sets the place again, which building the model may have moved."""
        check_fit(self.model)
        self._trains = True
        self._move()

    def on_test_begin(self, logs: Any = None) -> None:  # noqa: ARG002
        """Sets the place for an `evaluate` or `predict` that is not within a `fit`."""
        if not self._trains:
            check_fit(self.model)
            self._move()

    on_predict_begin = on_test_begin

    def on_test_end(self, logs: Any = None) -> None:  # noqa: ARG002
        """Remembers the place at which a later call goes on."""
        if not self._trains:
            self._place = self._source._next_place()

    on_predict_end = on_test_end

    def on_train_end(self, logs: Any = None) -> None:  # noqa: ARG002
        """Remembers the place at which a later `fit` goes on."""
        self._trains = False
        self._place = self._source._next_place()

    def _move(self) -> None:
        if self._source._placed is not self._set:  # The user has set it.
            self._set = self._source._placed
            self._place = self._set
        self._source._move(self._place)


warn_of_peeks()
