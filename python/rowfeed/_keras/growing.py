# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`Model.fit` over epochs that are not equally long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf

from rowfeed._keras.pipeline import source_of
from rowfeed._keras_calls.match import check_inputs
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

    `Model.fit` asks once how many steps an epoch has. This is for a dataset with
    `refresh="epoch"`, which says so as each epoch begins: progress bar and callbacks
    know its steps, and none warns. Callbacks see one training.

    Args:
        model: A compiled Keras model.
        dataset: A `rowfeed.tensorflow.ParquetDataset` with `num_epochs=1`, or a
            pipeline of `map` and `prefetch` over it.
        epochs: The number of the epoch to stop before, as of `Model.fit`.
        initial_epoch: That to begin with.
        callbacks: As of `Model.fit`. Not `rowfeed.keras.BackupAndRestore`, which needs
            epochs of one length.
        verbose: As of `Model.fit`.
        keywords: Others of `Model.fit`; not `steps_per_epoch` and `shuffle`.

    Returns:
        The `History` of all epochs.

    Raises:
        TypeError: The dataset is no pipeline over a `ParquetDataset`.
        ValueError: The pipeline may change the number of batches, an epoch has none,
            the inputs of the model are not the features of the dataset, or the
            optimizer averages weights at the end of `fit`, which would be each epoch's.

    Example:
        >>> data = ParquetDataset(
        ...     "data", 256, label="y", refresh="epoch", snapshot_dir="snapshots"
        ... )  # doctest: +SKIP
        >>> rowfeed.keras.fit(model, data, epochs=10)  # doctest: +SKIP
    """
    source = source_of(dataset)
    for data in (dataset, keywords.get("validation_data")):
        check_inputs(model, data)
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
        training.place = source.begin_next()
        steps = source.resolved.steps_in(training.place.epoch, training.place.row)
        if not steps and training.place.row:  # From a state at an epoch's end.
            source.move(start_of(training.place.next_epoch))
            training.place = source.begin_next()
            steps = source.resolved.steps_in(training.place.epoch, training.place.row)
        if not steps:
            raise ValueError(f"epoch {epoch} of the data has no batch")
        training.set_params({"verbose": verbose, "epochs": epochs, "steps": steps})
        model.fit(
            dataset.apply(tf.data.experimental.assert_cardinality(steps)),
            epochs=epoch + 1,
            initial_epoch=epoch,
            callbacks=training,
            verbose=verbose,
            shuffle=False,  # Else Keras warns that it does not.
            **keywords,
        )
        if model.stop_training:
            break
    training.end()
    return model.history


class Training(keras.callbacks.CallbackList):  # type: ignore[misc]
    """Callbacks that see one training where there are several.

    Attributes:
        place: Where the epoch begins.
    """

    _rowfeed_sets_place = (
        True  # So that Keras' first look at the data needs no warning.
    )

    def __init__(self, callbacks: list[Any], source: Any, **keywords: Any) -> None:
        super().__init__(callbacks, **keywords)
        self.place: Any = None
        self._source = source
        self._begun = False
        self._logs: Any = None

    def on_train_begin(self, logs: Any = None) -> None:
        """Sets the place of the epoch; tells the callbacks of the first alone."""
        # Under a strategy fit has built the model with a batch: that is taken back.
        self._source.move(self.place)
        if not self._begun:
            self._begun = True
            super().on_train_begin(logs)

    def on_train_end(self, logs: Any = None) -> None:
        """Notes what the callbacks are told in the end."""
        self._logs = logs

    def end(self) -> None:
        """Tells the callbacks that the training has ended."""
        if self._begun:
            super().on_train_end(self._logs)
