# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`fit` for data that grows, whose epochs differ in length."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf

from rowfeed._keras.pipeline import source_of
from rowfeed._keras_calls.match import check_data
from rowfeed._process.option_names import check_options
from rowfeed._state.state import start_of


def fit(
    model: Any,
    dataset: Any,
    *,
    epochs: int = 1,
    initial_epoch: int = 0,
    callbacks: Sequence[Any] | None = None,
    verbose: str | int = "auto",
    **keywords: Any,
) -> Any:
    """Trains as `model.fit` does, with as many steps as each epoch of the data has.

    `Model.fit` asks only once how many steps an epoch has. This function is for a
    dataset with `refresh="epoch"`, which knows it when an epoch begins. Progress bar
    and callbacks get the right number of steps, and callbacks see one training.

    Args:
        model: A compiled Keras model.
        dataset: A `rowfeed.tensorflow.ParquetDataset` with `num_epochs=1`, or a
            pipeline of `map` and `prefetch` over it.
        epochs: Number of the epoch before which to stop, as in `Model.fit`.
        initial_epoch: Number of the epoch to begin with.
        callbacks: Callbacks, as in `Model.fit`, without
            `rowfeed.keras.BackupAndRestore`, which needs epochs of one length.
        verbose: Mode of the progress bar, as in `Model.fit`.
        keywords: Further arguments of `Model.fit`, but not `steps_per_epoch` and
            `shuffle`.

    Returns:
        Keras' `History` of all epochs.

    Raises:
        TypeError: `dataset` is neither a `ParquetDataset` nor a pipeline over one, or
            a keyword is unknown.
        ValueError: The pipeline may change the number of batches, an epoch has none,
            the inputs of the model are not the features of the dataset, or the
            optimizer has `use_ema`, which would average the weights after each epoch.

    Example:
        >>> data = ParquetDataset(
        ...     "data", 256, label="y", refresh="epoch", snapshot_dir="snapshots"
        ... )  # doctest: +SKIP
        >>> rowfeed.keras.fit(model, data, epochs=10)  # doctest: +SKIP
    """
    _check_keywords(model, keywords)
    source = source_of(dataset)
    for data in (dataset, keywords.get("validation_data")):
        check_data("fit", model, data)
    if getattr(model.optimizer, "use_ema", False):
        raise ValueError(
            "the optimizer has use_ema, which overwrites the weights whenever a fit "
            "ends: here that is each epoch"
        )
    training = Training(
        list(callbacks or ()),
        source,
        add_history=True,
        add_progbar=verbose != 0,
        model=model,
    )
    for epoch in range(initial_epoch, epochs):
        training.place = source._begin_next()
        steps = source._parameters.steps_in(training.place.epoch, training.place.row)
        if not steps and training.place.row:  # A state was loaded at an epoch's end.
            source._move(start_of(training.place.next_epoch))
            training.place = source._begin_next()
            steps = source._parameters.steps_in(
                training.place.epoch, training.place.row
            )
        if not steps:
            raise ValueError(f"epoch {epoch} of the data has no batch")
        training.set_params({"verbose": verbose, "epochs": epochs, "steps": steps})
        model.fit(
            dataset.apply(tf.data.experimental.assert_cardinality(steps)),
            epochs=epoch + 1,
            initial_epoch=epoch,
            callbacks=training,
            verbose=verbose,
            shuffle=False,  # Else Keras warns that it does not shuffle.
            **keywords,
        )
        if model.stop_training:
            break
    training.end()
    return model.history


def _check_keywords(model: Any, keywords: dict[str, Any]) -> None:
    """Refuses keywords that `Model.fit` does not have, or that `fit` itself gives."""
    theirs = inspect.signature(model.fit).parameters
    if any(each.kind is each.VAR_KEYWORD for each in theirs.values()):
        return  # The class of the model has a `fit` of its own.
    known = {**inspect.signature(fit).parameters, **theirs}
    for name in ("keywords", "x", "steps_per_epoch", "shuffle"):
        known.pop(name, None)
    check_options("rowfeed.keras.fit", keywords, known)


class Training(keras.callbacks.CallbackList):  # type: ignore[misc]
    """Callbacks that see one training, though `Model.fit` is called for each epoch.

    Attributes:
        place: Place of the data at which the epoch begins.
    """

    # Keras' first look at the data then needs no warning.
    _rowfeed_sets_place_in = ("fit",)

    def __init__(self, callbacks: list[Any], source: Any, **keywords: Any) -> None:
        super().__init__(callbacks, **keywords)
        self.place: Any = None
        self._source = source
        self._begun = False
        self._logs: Any = None

    def on_train_begin(self, logs: Any = None) -> None:
        """Sets the place of the epoch; calls the callbacks in the first epoch only."""
        # Under a strategy `fit` has just built the model with a batch, which moved the
        # place.
        self._source._move(self.place)
        if not self._begun:
            self._begun = True
            super().on_train_begin(logs)

    def on_train_end(self, logs: Any = None) -> None:
        """Keeps the logs for the end of the training."""
        self._logs = logs

    def end(self) -> None:
        """Tells the callbacks that the training has ended."""
        if self._begun:
            super().on_train_end(self._logs)
