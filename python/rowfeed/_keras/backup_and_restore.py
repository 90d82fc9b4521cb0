# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`BackupAndRestore`: a callback that lets `fit` go on within an epoch."""

from __future__ import annotations

import os
import time
import warnings
from contextlib import ExitStack, nullcontext
from typing import Any

import keras

from rowfeed._catalog.catalog import Catalog
from rowfeed._keras.backup import Backup, Backups
from rowfeed._keras.resumable import resumable
from rowfeed._keras.torch_generators import read_generators, set_generators
from rowfeed._keras.variables import Group, Variable, add_metrics, assign, read
from rowfeed._keras_calls.asking import asking
from rowfeed._keras_calls.match import check_fit
from rowfeed._keras_calls.source import source_below
from rowfeed._mix.mixture_parameters import MixtureParameters
from rowfeed._native import core
from rowfeed._process.checks import check_integer
from rowfeed._process.option_names import names_options
from rowfeed._state import state


class BackupAndRestore(keras.callbacks.Callback):  # type: ignore[misc]
    """Backs up a `fit`, within epochs too, and goes on from the backup.

    It works with Keras on TensorFlow, on JAX and on PyTorch.

    If `fit` was killed and the same program starts it again, it goes on at the batch
    after the backup. Weights, optimizer, random generators and the order of rows are
    then what they would have been. The final weights are those of a training without
    interruption, bit for bit where the training itself is deterministic.

    It differs from `keras.callbacks.BackupAndRestore` in these points:

     * It goes on within an epoch, where Keras begins the epoch again. For that it takes
       the dataset, and sets the dataset's epoch as each epoch of `fit` begins: epoch e
       of `fit` is always epoch `first_epoch + e` of the data, even if other code has
       iterated over the dataset in between.
     * It saves `model.variables`, which include the states of random generators such as
       Dropout's, `optimizer.variables`, and the metrics of the epoch. Under PyTorch it
       also saves PyTorch's own generators, as a Dropout without a `seed` draws from
       them. A plain `DataLoader` draws from them, too, as each iteration begins, and
       so do pipelines of `tf.data` under PyTorch: with these give a Dropout a `seed`.
     * `every_steps` and `every_s` replace `save_freq`. It also saves at the end of
       every epoch.
     * The newest `keep` backups stay, on a local or mounted file system. Each is
       written whole or not at all. If one cannot be read, the one before is used.
     * If the model or the data has changed since the backup, an error names the
       difference; for data, each file that differs, as the catalog is saved too.
     * If `fit` is stopped within an epoch (`model.stop_training`), the backup stays.

    In the epoch that goes on, `fit` trains on the remaining batches only, which
    callbacks and the progress bar count from 0. The loss and metrics of that epoch, in
    the history too, are those of all its batches. Earlier epochs are not in the
    history.

    Put this callback last in `callbacks`, so that it saves what the others have
    changed. State that other callbacks keep in themselves (the patience of
    `EarlyStopping`) is not saved. Learning rate schedules go on, since they follow
    `optimizer.iterations`, which is saved.

    Args:
        backup_dir: Directory of the backups, for one training alone.
        dataset: The data that `fit` trains on, or the `ParquetDataset` below it, which
            has `num_epochs=1`. Under every backend that is a dataset of
            `rowfeed.tensorflow`, or a pipeline of `map` and `prefetch` over one; under
            JAX and PyTorch also a `rowfeed.keras.Loader`, a `rowfeed.torch.Loader` or
            `DataLoader(dataset, batch_size=None)`. `fit` may be given such data, but
            none that changes the number of batches or their order.
        every_steps: Number of steps of an epoch after which it saves again. Default:
            not by steps.
        every_s: Number of seconds after which it saves again. Default: not by time.
        keep: Number of newest backups that stay, at least 1.
        delete_checkpoint: Whether the backups are deleted when `fit` is done.

    Raises:
        NotImplementedError: `dataset` is a mixture or grows, `backup_dir` is a URI, or
            under JAX or PyTorch several processes train.
        TypeError: `dataset` is not a ParquetDataset, or a number is of another type.
        ValueError: `dataset` has `num_epochs` other than 1, a pipeline over it may
            change batches or their order, or a number is out of range. In `fit`: the
            model is not built, its inputs are not the features of the data, `fit`
            trains on other data or has another number of steps than the dataset, or the
            backup is of another model or of other data.

    Example:
        >>> backup = BackupAndRestore("backup", dataset)  # doctest: +SKIP
        >>> model.fit(dataset, epochs=5, callbacks=[backup])  # doctest: +SKIP
    """

    # Keras' first look at the data then needs no warning.
    _rowfeed_sets_place_in = ("fit",)

    @names_options
    def __init__(
        self,
        backup_dir: str | os.PathLike[str],
        dataset: Any,
        *,
        every_steps: int | None = None,
        every_s: float | None = None,
        keep: int = 2,
        delete_checkpoint: bool = True,
    ) -> None:
        super().__init__()
        if not os.fspath(backup_dir):
            raise ValueError("backup_dir is empty")
        if every_steps is not None:
            check_integer("every_steps", every_steps, 1)
        if every_s is not None and not every_s > 0:
            raise ValueError(f"every_s must be greater than 0, not {every_s}")
        check_integer("keep", keep, 1)
        self._dataset = resumable(dataset)
        self._fitted: Any = None  # The model that `fit` trains.
        if isinstance(self._dataset._parameters, MixtureParameters):
            raise NotImplementedError(
                "BackupAndRestore is for datasets that are no mixtures: save "
                "state_dict() of a mixture in a callback of your own"
            )
        if self._dataset._parameters.options.growth is not None:
            raise NotImplementedError(
                "BackupAndRestore is for datasets that do not grow, whose epochs have "
                "one length: save state_dict() in a callback of your own"
            )
        catalog = Catalog(self._dataset._parameters.catalog)
        self._backups = Backups(backup_dir, keep, catalog)
        self._every_steps, self._every_s = every_steps, every_s
        self._delete_checkpoint = delete_checkpoint
        # The backup from which the next epoch goes on.
        self._restored: Backup | None = None
        # The current epoch of `fit`: its number, the row at which it starts, the number
        # of its steps, and how many of these are done.
        self._epoch, self._row, self._steps, self._done = 0, 0, 0, 0
        # The step and the time of the last backup.
        self._saved_step, self._saved_s = 0, 0.0
        self._given_initial_epoch: int | None = None
        # The metrics that an epoch had before it went on.
        self._metrics: list[Variable] = []
        # The generators to set when the first batch of an epoch that goes on is there.
        self._generators: list[Variable] = []
        self._silence = ExitStack()

    def on_train_begin(self, logs: Any = None) -> None:  # noqa: ARG002
        """Restores the newest backup, if there is one."""
        # Under JAX each look at `self.model` copies the state of the training into the
        # variables. So what is asked in each step is asked of this.
        self._fitted = self.model
        check_fit(self._fitted)
        self._check_data()
        self._check_steps()
        if not self.model.built:
            raise ValueError(
                "the model is not built: give it an Input, or call it on the features "
                "of dataset.peek(), before fit, so that its variables can be restored"
            )
        optimizer = self.model.optimizer
        if optimizer is not None and not optimizer.built:
            strategy = self._strategy
            with nullcontext() if strategy is None else strategy.scope():
                optimizer.build(self.model.trainable_variables)
        self._given_initial_epoch = self.model._initial_epoch
        self._done = self._steps = 0
        self._saved_s = time.monotonic()
        self._row = 0
        self._restored = self._backups.load()
        if self._restored is not None:
            self._go_on_from(self._restored)

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
        """Moves the dataset to the epoch of `fit`, and to its row after a restore."""
        self.model._initial_epoch = self._given_initial_epoch
        if self._restored is None:
            self._row = 0
        elif epoch != self._epoch:
            raise ValueError(
                f"the backup {self._restored.path} is in epoch {self._epoch}, but fit "
                f"begins with epoch {epoch}: give fit the initial_epoch that it had"
            )
        elif self._row:
            # This epoch had begun before the backup, and other callbacks have just
            # begun it again (a schedule may have multiplied the learning rate once
            # more). Restoring the variables here undoes that.
            self._assign(self._restored)
            saved = self._restored.variables
            self._metrics = [v for v in saved if v.group == "metrics"]
            # A DataLoader draws from the generator when its iteration begins, which was
            # before the backup.
            self._generators = saved
        else:
            set_generators(self._restored.variables)
        self._restored = None
        self._epoch, self._done, self._saved_step = epoch, 0, 0
        self._steps = self._steps_from(self._row)
        self._move()

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:  # noqa: ARG002
        """Moves the dataset again before the first batch; ends a shorter epoch.

        Raises:
            RuntimeError: Under PyTorch, another callback has moved the dataset.
            StopIteration: `fit` takes this as the end of the data. An epoch that goes
                on has fewer steps than `fit` counts, and a step that finds no data
                still draws random numbers and counts in the optimizer. Under PyTorch
                `fit` finds out by itself, because it pulls a batch before this call.
        """
        if batch >= self._steps:
            raise StopIteration
        if batch:
            return
        set_generators(self._generators)
        self._generators = []
        # Other callbacks may have moved the dataset since the epoch began.
        if keras.backend.backend() == "torch":
            self._check_begun()
        else:
            # `fit` has made the epoch's iterator by now, but not pulled a batch.
            self._move()

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:  # noqa: ARG002
        """Saves a backup if one is due."""
        if self._metrics:
            add_metrics(self.model, self._metrics)
            self._metrics = []
        # With steps_per_execution `batch` may be beyond the last batch.
        self._done = min(batch + 1, self._steps)
        if self._done == self._steps:
            if self._row:  # The epoch has fewer steps than `fit` counts.
                self._silence.enter_context(warnings.catch_warnings())
                warnings.filterwarnings(
                    "ignore", "Your input ran out of data", UserWarning
                )
            return  # `on_epoch_end` saves, after the other callbacks have run.
        if self._is_due() or self._fitted.stop_training:
            self._save(
                self._epoch, self._row_reached(), "model", "optimizer", "metrics"
            )

    def on_test_begin(self, logs: Any = None) -> None:  # noqa: ARG002
        """Lets warnings through again, which the end of an epoch had turned off."""
        self._silence.close()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
        """Saves at the end of the epoch."""
        self._silence.close()
        if self._done == self._steps:
            self._save(epoch + 1, 0, "model", "optimizer")
        elif not self.model.stop_training:
            raise RuntimeError(
                f"epoch {epoch} of fit ended after {self._done} of {self._steps} "
                "batches: another callback moved the dataset, or the pipeline between "
                "the dataset and fit lost batches"
            )

    def on_train_end(self, logs: Any = None) -> None:  # noqa: ARG002
        """Deletes the backups of a training that is done."""
        self.model._initial_epoch = self._given_initial_epoch
        if self._delete_checkpoint and self._done == self._steps and self._writes():
            self._backups.delete()

    def _check_data(self) -> None:
        """Refuses a `fit` that trains on other data than the dataset."""
        call = asking()
        if call is None or call.model is not self._fitted:
            return
        data = call.arguments["x"]
        if keras.backend.backend() == "tensorflow":
            found = source_below(data)
        else:
            found = resumable(data)
        # None stands for a pipeline of TensorFlow that cannot be followed.
        if found is not None and found is not self._dataset:
            raise ValueError(
                "fit trains on another dataset than the one that BackupAndRestore was "
                "given: give BackupAndRestore the data that fit gets"
            )

    def _check_begun(self) -> None:
        """Refuses an epoch that another callback has moved after it began.

        By now `fit` has pulled the first batch, so the dataset is to go on with the
        next epoch.
        """
        following = self._dataset._parameters.options.first_epoch + self._epoch + 1
        place = self._dataset._next_place()
        if (place.epoch, place.row) != (following, 0):
            raise RuntimeError(
                f"another callback has iterated over the dataset, or set its place, "
                f"after epoch {self._epoch} of fit had begun: put BackupAndRestore "
                "last in callbacks, or give that callback a dataset of its own"
            )

    def _check_steps(self) -> None:
        steps, batches = (self.params or {}).get("steps"), len(self._dataset)
        if steps != batches:
            raise ValueError(
                f"an epoch of fit has {'unknown' if steps is None else steps} steps, "
                f"but one of the dataset has {batches} batches: the pipeline between "
                "them must keep batches one to one (map, prefetch; not filter, batch, "
                "repeat, take), and steps_per_epoch be left out"
            )

    def _steps_from(self, row: int) -> int:
        """Returns the number of steps from a row to the end of the current epoch."""
        steps: int = self._dataset._parameters.steps_in(self._epoch, row)
        return steps

    def _go_on_from(self, backup: Backup) -> None:
        place: Any = backup.fields.get("dataset")
        epoch: Any = backup.fields.get("epoch")
        try:
            self._dataset.load_state_dict(place, catalog=self._catalog_of(backup))
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"the backup {backup.path}: {error}. Give fit the data and the options "
                f"that it had, or delete {backup.path.parent} to begin anew"
            ) from error
        first = self._dataset._parameters.options.first_epoch
        self._epoch, self._row = place["epoch"] - first, place["row"]
        if self._epoch != epoch:
            raise ValueError(
                f"the backup {backup.path} is in epoch {epoch} of fit, which was epoch "
                f"{place['epoch']} of the data: that is not so with first_epoch={first}"
            )
        if not self._steps_from(self._row):
            self._epoch, self._row = self._epoch + 1, 0
        self._assign(backup)
        self.model._initial_epoch = self._epoch

    def _catalog_of(self, backup: Backup) -> Catalog | None:
        """Returns the catalog of a backup if the data has changed since, else None."""
        place = backup.fields.get("dataset")
        fingerprint = place.get("fingerprint") if isinstance(place, dict) else None
        if fingerprint == self._dataset._parameters.catalog.fingerprint:
            return None
        catalog = backup.catalog()
        is_its = catalog is not None and catalog.fingerprint == fingerprint
        return catalog if is_its else None

    def _move(self) -> None:
        self._dataset.load_state_dict(self._state(self._epoch, self._row))

    def _state(self, epoch: int, row: int) -> state.State:
        """Returns the dataset's state before row `row` of epoch `epoch` of `fit`."""
        parameters = self._dataset._parameters
        epoch += parameters.options.first_epoch
        place = core.Progress(epoch=epoch, row=row, next_epoch=epoch + 1, epochs_done=0)
        return state.make(place, parameters)

    def _is_due(self) -> bool:
        steps = self._done - self._saved_step
        seconds = time.monotonic() - self._saved_s
        return (self._every_steps is not None and steps >= self._every_steps) or (
            self._every_s is not None and seconds >= self._every_s
        )

    def _row_reached(self) -> int:
        parameters = self._dataset._parameters
        rows, delivery = (
            parameters.epochs.rows_in(self._epoch),
            parameters.stream.delivery,
        )
        return core.row_of_step(rows, self._row, self._done, delivery)

    def _save(self, epoch: int, row: int, *groups: Group) -> None:
        self._saved_step, self._saved_s = self._done, time.monotonic()
        if self._writes():
            fields = {"epoch": epoch, "dataset": self._state(epoch, row)}
            self._backups.save(fields, read(self.model, *groups) + read_generators())

    def _assign(self, backup: Backup) -> None:
        try:
            assign(self.model, backup.variables)
        except ValueError as error:
            raise ValueError(
                f"the backup {backup.path} is of another model: {error}"
            ) from error

    @property
    def _strategy(self) -> Any:
        """Strategy of TensorFlow; None under the other backends."""
        return getattr(self._fitted, "distribute_strategy", None)

    def _writes(self) -> bool:
        """Returns whether this process writes backups: one of a strategy's does."""
        strategy = self._strategy
        return strategy is None or bool(strategy.extended.should_checkpoint)
