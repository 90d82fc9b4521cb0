# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A DataLoader for trainers, which hands over the batches of a dataset as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.utils.data import DataLoader, IterableDataset, Sampler

from rowfeed._state import state
from rowfeed._stream.dataset import Dataset
from rowfeed._torch.accelerated import device_of_accelerate, gradient_state
from rowfeed._torch.moving import moved


class Loader(DataLoader[Any]):
    """A DataLoader of a `ParquetDataset` or a mixture, for trainers.

    Accelerate, Lightning and other trainers take it as it is. Each rank iterates its
    own share of the rows, and nobody makes batches of the batches or deals them out
    once more. There are no worker processes: the threads of rowfeed read ahead.

    As in any DataLoader whose dataset makes the batches, `batch_size` is None: the
    number of rows in a batch is an option of the dataset. `len(loader)` is the number
    of batches of an iteration. `dataset` is the dataset.

    Each iteration takes the next epoch, unless `set_epoch` or `load_state_dict` has
    given the place.

    Example:
        >>> train = ParquetDataset("data", 256, shuffle=True)  # doctest: +SKIP
        >>> loader = Loader(train)  # doctest: +SKIP
        >>> accelerator = accelerate.Accelerator()  # doctest: +SKIP
        >>> model, optimizer, loader = accelerator.prepare(
        ...     model, optimizer, loader
        ... )  # doctest: +SKIP
    """

    dataset: Any

    # Accelerate leaves a loader with the first attribute as it is, and saves the state
    # of one with the second in `save_state`.
    _is_accelerate_prepared = True
    use_stateful_dataloader = True
    # Whether the batch delivered last is the last of its iteration, for Accelerate,
    # which then ends an accumulation of gradients; and how many of its rows are padding
    # that Accelerate made, where -1 stands for none.
    end_of_dataloader = False
    remainder = -1

    def __init__(
        self,
        dataset: Any,
        *,
        device: torch.device | str | int | None = None,
        **of_trainer: Any,
    ) -> None:
        """Makes the loader; nothing is read before it is iterated.

        Args:
            dataset: `rowfeed.torch.ParquetDataset`, or a mixture of such, whose
                elements are batches.
            device: Device to which the tensors of each batch are moved. Default: where
                Accelerate is in use, its device; else they stay where the dataset makes
                them. For CUDA the `device` of the dataset is faster: it copies a batch
                at once.
            of_trainer: Options of `torch.utils.data.DataLoader`, with the values that
                this loader has: Lightning makes the loader anew with all of them.

        Raises:
            TypeError: `dataset` is not an iterable dataset of `rowfeed.torch`.
            ValueError: The elements of the dataset are single rows, or another option
                of a DataLoader has an effect there.
        """
        if not (isinstance(dataset, Dataset) and isinstance(dataset, IterableDataset)):
            raise TypeError(
                "Loader takes a rowfeed.torch.ParquetDataset or a mixture of such, not "
                f"{type(dataset).__name__}; a ParquetMapDataset goes into "
                "torch.utils.data.DataLoader(rows, batch_size, "
                "collate_fn=ParquetMapDataset.collate)"
            )
        if dataset._parameters.single:
            raise ValueError(
                "Loader hands over batches, but the dataset has batch_size=None: give "
                "the dataset a batch_size"
            )
        super().__init__(dataset, batch_size=None, collate_fn=self._moved)
        for name, value in of_trainer.items():
            if isinstance(getattr(value, "__self__", None), Loader):
                continue  # This is the `collate_fn` of the loader that is made anew.
            if value and value != getattr(self, name, None):
                raise ValueError(
                    f"{name}={value!r}: Loader takes no options of a DataLoader; "
                    "batch_size, shuffle and num_threads are options of the dataset"
                )
        # A DataLoader takes no sampler for an iterable dataset, and none later.
        object.__setattr__(self, "sampler", _Epochs(self))
        self._device = None if device is None else torch.device(device)
        # The epoch and row of a loaded state, with which the next iteration goes on.
        self._resumed: tuple[int, int] | None = None

    @property
    def device(self) -> torch.device | None:
        """Device to which batches are moved; None if they stay where they are."""
        return self._device or device_of_accelerate()

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]
        """Yields the batches of an iteration of the dataset.

        A state that was taken after the last batch of an epoch has no batch left. From
        such a state the loader goes on with the next epoch, since trainers count the
        epoch as done.
        """
        resumed, self._resumed = self._resumed, None
        is_empty = True
        for batch in self._batches():
            is_empty = False
            yield batch
        if is_empty and resumed is not None and self._is_an_end(*resumed):
            yield from self._batches()

    def _is_an_end(self, epoch: int, row: int) -> bool:
        """Returns whether no rank has a batch from a row to the end of an epoch.

        Only an uneven remainder leaves a batch to some ranks and none to others.
        """
        parameters = self.dataset._parameters
        if parameters.stream.delivery.remainder != "uneven":
            return True
        num_rows: int = parameters.epochs.rows_in(epoch)
        return row >= num_rows

    def _batches(self) -> Iterator[Any]:
        iteration: Any = iter(self.dataset)
        gradients = gradient_state()
        if gradients is not None:
            gradients._add_dataloader(self)
        try:
            for batch in iteration:
                if gradients is not None:
                    self.end_of_dataloader = iteration.has_delivered_all
                yield self._moved(batch)
        finally:
            self.end_of_dataloader = False
            if gradients is not None:
                gradients._remove_dataloader(self)

    def _moved(self, batch: Any) -> Any:
        """Returns a batch on the device of the loader; None for one that is skipped."""
        device = self.device
        return batch if device is None else moved(batch, device)

    def __len__(self) -> int:
        """Returns the number of batches of a whole iteration: see the dataset's."""
        return len(self.dataset)

    def set_epoch(self, epoch: int) -> None:
        """Makes the next iteration begin with `epoch`.

        Trainers call it at the beginning of each epoch, also of one in whose middle
        they resume. So nothing changes where the next iteration goes on within `epoch`.

        Raises:
            ValueError: An iteration of the dataset has several epochs.
        """
        num_epochs = self.dataset._parameters.options.num_epochs
        if num_epochs not in (1, None):
            raise ValueError(
                f"num_epochs={num_epochs}: a trainer that sets the epoch of a Loader "
                "takes each iteration for one epoch, so that epochs would come twice: "
                "give the dataset num_epochs=1"
            )
        if self.dataset._next_place().epoch != epoch:
            self.dataset.set_epoch(epoch)

    def state_dict(self) -> state.State:
        """Returns the dataset's state after the last batch delivered.

        The state of any rank serves all ranks, at any world size.
        """
        found: state.State = self.dataset.state_dict()
        return found

    def load_state_dict(self, state_dict: state.State) -> None:
        """Makes the next iteration go on from a state: see the dataset's method."""
        self.dataset.load_state_dict(state_dict)
        place = self.dataset._next_place()
        self._resumed = place.epoch, place.row


class _Epochs(Sampler[None]):
    """The sampler of a loader: trainers tell samplers which epoch begins."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def set_epoch(self, epoch: int) -> None:
        self._loader.set_epoch(epoch)

    def __iter__(self) -> Iterator[None]:
        while True:
            yield None
