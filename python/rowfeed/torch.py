# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Datasets of Parquet files for PyTorch, whose elements are tensors."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from multiprocessing.context import get_spawning_popen
from typing import Any

from rowfeed._catalog.catalog import Catalog
from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._process.public_names import name_methods, publish
from rowfeed._ranks.agreement import Turn
from rowfeed._state import state
from rowfeed._state.skip import place_after
from rowfeed._stream.dataset import Dataset
from rowfeed._stream.iteration import Iteration
from rowfeed._stream.streams import Stream
from rowfeed._torch.epoch_record import EpochRecords

try:
    import torch
    import torch.distributed
    from torch.utils.data import IterableDataset, get_worker_info

    from rowfeed._torch.collated_again import warn_if_collated_again
    from rowfeed._torch.device import DeviceStream, named
    from rowfeed._torch.elements import TorchElements
    from rowfeed._torch.iteration import TorchIteration, WorkerIteration
    from rowfeed._torch.loader import Loader
    from rowfeed._torch.map_dataset import ParquetMapDataset
    from rowfeed._torch.ranks import GroupAgreement
    from rowfeed._torch.shared_again import refuse_to_be_shared_again
    from rowfeed._torch.skipping import SkippingIteration, num_skipped
except ImportError as error:
    raise ImportError(
        "rowfeed.torch needs PyTorch: pip install 'torch>=2.4'"
    ) from error

__all__ = ["Loader", "ParquetDataset", "ParquetMapDataset"]


class ParquetDataset(TorchElements, Dataset, IterableDataset[Any]):
    """Rows of Parquet files, shuffled, sharded and resumable, as tensors.

    Elements are dicts from column name to tensor, or `(features, label)` tuples;
    tensors are [batch], [batch, list_size] for fixed-size lists, or `rowfeed.Ragged`
    for strings, binaries and lists. They share the kernel's memory.
    Null values are refused unless the column has a fill: see `rowfeed.Column`.

    Batches are made by the kernel's threads, so a DataLoader needs no workers. With n
    workers, worker j yields the batches j, j + n, ..., and the loader delivers the same
    batches as without workers, but each worker decodes everything.

    `rank` and `world_size` are taken from `torch.distributed`, once, in the
    constructor. Then the ranks compare their plans before the first element, and their
    places before the second element of each epoch. If a file, an order option, the
    batch size, the remainder, the epochs or the place differs, all ranks raise one
    ValueError that names it. So all ranks must iterate equally often; `peek` gives
    one rank a batch to look at. The rows that a filter lets pass are counted at the
    first element, by each rank for its share of row groups. If `rank` and `world_size`
    are given, nothing is compared.

    `stats()` counts in this process alone. Each worker of a DataLoader has counts of
    its own, which only code that runs in the worker (`collate_fn`, a wrapping dataset)
    can ask for. While torch.profiler runs, the wait for each batch is a span
    "rowfeed.next".

    The keywords are documented in `ParquetDataset.__init__`.

    Example:
        >>> dataset = ParquetDataset("data", 256, shuffle=True)  # doctest: +SKIP
        >>> loader = torch.utils.data.DataLoader(
        ...     dataset, batch_size=None
        ... )  # doctest: +SKIP
        >>> for batch in loader:  # doctest: +SKIP
        ...     print(batch["price"].mean())
    """

    _records: EpochRecords
    # Whether the user gave `rank` and `world_size` in a DataLoader worker. They may be
    # the index and the number of workers, by mistake.
    _ranked_in_worker = False
    # In a DataLoader worker: the iteration made last.
    _in_worker: WorkerIteration | None = None
    # In a DataLoader worker: the iteration that the next `iter` returns, if it was made
    # before.
    _prepared: WorkerIteration | None = None
    # In a DataLoader worker: whether a state has told that `_in_worker` has ended.
    _has_said_end = False
    # How the dataset meets those of the other ranks. None if it does not.
    _agreement: GroupAgreement | None = None
    # Whether a warning has said that a DataLoader makes batches of the batches.
    _has_warned = False
    # Whether the iteration that the ranks compared last has ended. None if it does not
    # matter, because the place was set since.
    _last_ended: bool | None = None

    def _take_rank(self, world_size: int) -> None:
        self._ranked_in_worker = world_size != 1 and get_worker_info() is not None

    def _default_rank(self) -> tuple[int, int]:
        if torch.distributed.is_available() and torch.distributed.is_initialized():
            if get_worker_info() is None:
                self._agreement = GroupAgreement.of_group()
            return torch.distributed.get_rank(), torch.distributed.get_world_size()
        processes = os.environ.get("WORLD_SIZE", "1")
        if processes.strip() not in ("", "0", "1"):
            raise RuntimeError(
                f"the launcher started WORLD_SIZE={processes} processes but "
                "torch.distributed is not initialized: call init_process_group first, "
                "or give rank and world_size"
            )
        return 0, 1

    def _device(self, device: object) -> str | None:
        name = named(device)
        if name is not None and self._dlpack_exchange is None:
            raise NotImplementedError(
                f"device={device!r}: PyTorch {torch.__version__} makes no tensors from "
                "C (DLPack's exchange API): it is too old"
            )
        return name

    def _stream_of(self, cursor: core.Cursor, parameters: Parameters) -> Stream:
        """Returns a stream of native batches, which `delivered` makes elements of."""
        device = parameters.options.device
        if device is None:
            return super()._stream_of(cursor, parameters)
        packed = core.BatchStream(
            cursor, parameters.stream, self._dlpack_exchange, packs=True
        )
        return DeviceStream(packed, device)

    def _begin_epoch(self, epoch: int, is_abandoned: Callable[[], bool]) -> None:
        snapshots = self._parameters.epochs.snapshots
        if self._agreement is None or snapshots is None:
            super()._begin_epoch(epoch, is_abandoned)
        else:
            turn = self._turn(self._agreement, epoch)
            self._agreement.list_epoch(snapshots, epoch, is_abandoned, turn)

    def _turn(self, agreement: GroupAgreement, epoch: int) -> Turn:
        """Returns the meeting at which the ranks will compare an epoch."""
        in_worker = get_worker_info() is not None
        record = self._records.of_worker if in_worker else self._records.own
        here = agreement.place_in(self._parameters, epoch)
        return Turn(record.meetings, {"epoch": epoch}, record.meet, here)

    def _mixes(self, sources: Sequence[Any]) -> None:
        if any(source._agreement is not None for source in sources):
            self._agreement = GroupAgreement.of_group()
        self._ranked_in_worker = any(source._ranked_in_worker for source in sources)

    def _build(self, parameters: Parameters) -> None:
        super()._build(parameters)
        self._records = EpochRecords(super()._start().astuple())
        self._num_iterations = 0  # Counts the passes of a worker, in its own process.

    def _adopt(self, parameters: Parameters) -> None:
        """Takes new parameters; iterations that have begun keep the old ones."""
        super()._adopt(parameters)
        if hasattr(self, "_records"):  # The constructor calls this before they exist.
            self._records.own.adopt(parameters.order_digest)

    def _move(self, progress: core.Progress) -> None:
        """Makes the next iteration start at `progress`."""
        self._records.own.move(progress.astuple())
        self._latest = self._last_ended = None

    def _start(self) -> core.Progress:
        return core.Progress(*self._records.own.peek())

    def _after(self, num_steps: int, place: core.Progress) -> core.Progress:
        """Returns the place after a number of steps from a place on."""
        return place_after(
            num_steps,
            place,
            self._parameters,
            lambda epoch: self._begin_epoch(epoch, lambda: self._closed),
        )

    def set_epoch(self, epoch: int) -> None:
        """Makes the next iteration start with epoch `epoch`.

        Raises:
            RuntimeError: A trainer calls it that would share out this rank's batches
                once more.
        """
        # With DataLoader workers Accelerate calls nothing else in the process that
        # trains, and an error in a worker would reach rank 0 alone.
        self._refuse_to_be_shared_again()
        super().set_epoch(epoch)

    def _refuse_to_be_shared_again(self) -> None:
        delivery = self._parameters.stream.delivery
        refuse_to_be_shared_again(delivery.rank, delivery.world_size)

    def _iterate(self) -> Iteration:
        info = get_worker_info()
        if info is not None and self._parameters.options.device is not None:
            raise RuntimeError(
                f"device={self._parameters.options.device!r} is for the process that "
                "trains: a DataLoader worker sends batches through the host's memory. "
                "Batches are made by threads: give the DataLoader num_workers=0"
            )
        self._notice_collation(info)
        self._refuse_to_be_shared_again()
        if info is None:
            skipped = num_skipped(self)
            if not skipped:
                return TorchIteration(self)
            self._move(self._after(skipped, self._start()))
            return SkippingIteration(self, skipped)
        prepared, self._prepared = self._prepared, None
        if prepared is not None:
            return prepared
        self._num_iterations += 1
        self._in_worker, self._has_said_end = WorkerIteration(self, info), False
        return self._in_worker

    def _regroup(self) -> None:
        self._records.own.regroup()

    def _notice_collation(self, info: Any) -> None:
        """Warns, once, if a DataLoader makes batches of the batches."""
        is_first = info is None or (info.id == 0 and self._num_iterations == 0)
        if is_first and not self._has_warned and not self._parameters.single:
            self._has_warned = warn_if_collated_again(self)

    def _prepare(self) -> WorkerIteration:
        """Makes a worker's next iteration early, to ask it for a state or load one.

        A StatefulDataLoader may do either before it has made an iterator.
        """
        self._prepared = None
        Dataset.__iter__(self)  # A derived class may have an `__iter__` of its own.
        assert self._in_worker is not None
        self._prepared = self._in_worker
        return self._in_worker

    def state_dict(self) -> state.State:
        """Returns the state of the iteration begun last; before one, of the start.

        In a DataLoader worker the state is for the same worker of as many. A loader
        asks a worker once after an iteration has ended; the next call returns the state
        of the iteration to come.

        Raises:
            RuntimeError: DataLoader workers iterate, and this process does not know how
                many of their batches were delivered.
        """
        if get_worker_info() is not None:
            iteration = self._in_worker
            if iteration is None or self._has_said_end:
                iteration = self._prepare()
            self._has_said_end = iteration.has_ended
            return iteration.state_dict()
        return super().state_dict()

    def _stands(self) -> core.Progress:
        if self._records.own.by_workers:
            raise RuntimeError(
                "the dataset is iterated in DataLoader workers: take the state from "
                "torchdata's StatefulDataLoader, or state_at(epoch, step) for a step "
                "that you count"
            )
        return super()._stands()

    def load_state_dict(
        self,
        state_dict: state.State,
        *,
        strict: bool = True,
        catalog: Catalog | None = None,
    ) -> None:
        """Makes the next iteration go on from a state.

        See `load_state_dict` of `rowfeed.ParquetDataset`. In a DataLoader worker, which
        has a copy of the dataset, the state must be one of the same worker, taken with
        the order options that the dataset has.
        """
        in_worker = get_worker_info() is not None
        if in_worker and (self._records.is_copy or "worker" in state_dict):
            iteration = self._prepare()
            iteration.load_state_dict(state_dict, strict=strict, catalog=catalog)
        else:
            super().load_state_dict(state_dict, strict=strict, catalog=catalog)

    def __getstate__(self) -> dict[str, Any]:
        """Pickles parameters and the place; for workers, also the record's path."""
        spawns = get_spawning_popen() is not None
        return {
            **super().__getstate__(),
            "record": self._records.own.path if spawns else None,
            "agreement": self._agreement if spawns else None,
        }

    def __setstate__(self, pickled: dict[str, Any]) -> None:
        """Makes an independent dataset; a spawned worker's uses the parent's record."""
        super().__setstate__(pickled)
        if pickled["record"] is not None:
            self._records = EpochRecords(pickled["start"], pickled["record"])
        self._agreement = pickled["agreement"]


publish(__name__, Loader, ParquetDataset, ParquetMapDataset)
name_methods(WorkerIteration, "iter(dataset)")
