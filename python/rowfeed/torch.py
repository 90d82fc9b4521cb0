# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Parquet as PyTorch tensors."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from multiprocessing.context import get_spawning_popen
from typing import Any

from rowfeed import state
from rowfeed._native import core
from rowfeed.agreement import Agreement
from rowfeed.ahead import Stream
from rowfeed.catalog import Catalog
from rowfeed.dataset import Dataset
from rowfeed.epoch_record import Claim, EpochRecord, EpochRecords, Pass
from rowfeed.every_nth import EveryNth
from rowfeed.iteration import Iteration
from rowfeed.resolved import Resolved

try:
    import torch
    import torch.distributed
    import torch.profiler
    from torch.utils.data import IterableDataset, get_worker_info

    from rowfeed.torch_elements import TorchElements
    from rowfeed.torch_map_dataset import ParquetMapDataset
    from rowfeed.torch_ranks import GroupAgreement
except ImportError as error:
    raise ImportError(
        "rowfeed.torch needs PyTorch: pip install 'rowfeed[torch]'"
    ) from error

__all__ = ["ParquetDataset", "ParquetMapDataset"]

_SPAN = "rowfeed.next"  # In traces of torch.profiler: the wait for a batch.


class ParquetDataset(TorchElements, Dataset, IterableDataset[Any]):
    """Rows of Parquet files, shuffled, sharded and resumable, as tensors.

    Elements are dicts from column name to tensor, or `(features, label)` tuples;
    tensors are [batch], [batch, list_size] for fixed-size lists, or `rowfeed.Ragged`
    for strings, binaries and lists. They are the kernel's own memory, not copies of it.
    Null values are refused unless the column has a fill: see `rowfeed.Column`.

    Batches are made by the kernel's threads, so a DataLoader needs no workers; with n
    of them, worker j yields the batches j, j + n, ..., and the loader the same as
    without, but each worker decodes everything.

    `rank` and `world_size` are taken from `torch.distributed`, once, in the
    constructor. Then the ranks compare their plans at the first element: each waits for
    the others, and if a file, an order option, the batch size, the remainder, the
    epochs or the place to begin at differs, all raise one ValueError that names it.
    What a filter leaves is then counted by all together, each its share of row groups.
    With `rank` and `world_size` given nothing is compared.

    `stats()` is of this process: each worker of a DataLoader has its own, which only
    code that runs in the worker (`collate_fn`, a wrapping dataset) can ask for. While
    torch.profiler runs, the wait for each batch is a span "rowfeed.next".

    The keywords are documented in `ParquetDataset.__init__`.

    Example:
        >>> dataset = ParquetDataset("data", 256, shuffle=True)  # doctest: +SKIP
        >>> loader = torch.utils.data.DataLoader(
        ...     dataset, batch_size=None
        ... )  # doctest: +SKIP
        >>> for batch in loader:  # doctest: +SKIP
        ...     print(batch["price"].mean())
    """

    records: EpochRecords

    def _default_rank(self) -> tuple[int, int]:
        if torch.distributed.is_available() and torch.distributed.is_initialized():
            if get_worker_info() is None:
                self.agreement = GroupAgreement.of_group()
            return torch.distributed.get_rank(), torch.distributed.get_world_size()
        processes = os.environ.get("WORLD_SIZE", "1")
        if processes.strip() not in ("", "0", "1"):
            raise RuntimeError(
                f"the launcher started WORLD_SIZE={processes} processes but "
                "torch.distributed is not initialized: call init_process_group first, "
                "or give rank and world_size"
            )
        return 0, 1

    def _list(self, epoch: int) -> None:
        snapshots = self.resolved.snapshots
        if self.agreement is None or snapshots is None:
            super()._list(epoch)
        else:
            self.agreement.list_epoch(snapshots, epoch, lambda: self._closed)

    def _mixes(self, sources: Sequence[Any]) -> None:
        if any(source.agreement is not None for source in sources):
            self.agreement = GroupAgreement.of_group()

    def _build(self, resolved: Resolved) -> None:
        super()._build(resolved)
        self.records = EpochRecords(super()._start().astuple())
        self.num_iterations = 0  # In this process: workers count their passes.

    def move(self, progress: core.Progress) -> None:
        """Makes the next iteration start at `progress`."""
        self.records.own.move(progress.astuple())
        self.latest = None

    def _start(self) -> core.Progress:
        return core.Progress(*self.records.own.peek())

    def _iterate(self) -> Iteration:
        info = get_worker_info()
        self.num_iterations += 1
        return _Iteration(self) if info is None else _WorkerIteration(self, info)

    def state_dict(self) -> state.State:
        """Returns the state of the iteration begun last; before one, the start.

        Raises:
            RuntimeError: DataLoader workers iterate: this process does not know how far
                their batches were delivered.
        """
        if get_worker_info() is not None:
            return {}  # StatefulDataLoader asks for it; the iterations have the state.
        if self.records.own.by_workers:
            raise RuntimeError(
                "the dataset is iterated in DataLoader workers: take the state from "
                "torchdata's StatefulDataLoader, or state_at(epoch, step) for a step "
                "that you count"
            )
        return super().state_dict()

    def load_state_dict(
        self,
        state_dict: state.State,
        *,
        strict: bool = True,
        catalog: Catalog | None = None,
    ) -> None:
        """Makes the next iteration go on from a state: see the NumPy face's."""
        if state_dict or get_worker_info() is None:
            super().load_state_dict(state_dict, strict=strict, catalog=catalog)

    def __getstate__(self) -> dict[str, Any]:
        """Pickles parameters, the place, and for workers the record of epochs."""
        spawns = get_spawning_popen() is not None
        return {
            **super().__getstate__(),
            "records": self.records,
            "agreement": self.agreement if spawns else None,
        }

    def __setstate__(self, pickled: dict[str, Any]) -> None:
        """Makes an independent dataset; in a spawned worker, one of the parent's."""
        super().__setstate__(pickled)
        self.records = pickled["records"]
        self.agreement = pickled["agreement"]


class _Iteration(Iteration):
    """An iteration that takes its epochs from the record shared with workers."""

    _dataset: ParquetDataset

    def __init__(self, dataset: ParquetDataset) -> None:
        super().__init__(dataset)
        self._pass: Pass | None = None
        self._claim: Claim | None = None  # The last one.

    @property
    def _record(self) -> EpochRecord:
        return self._dataset.records.own

    def _begin(self) -> None:
        restored, claim = self._restored, self._claim
        if restored is None:
            claim = None
        elif claim is None or claim.progress is not restored:
            claim = Claim(restored, self._record.generation)
        was_restored = claim is not None and claim.generation is not None
        if claim is None or claim.generation is None:  # In a handler within a claim.
            claim = Claim(self._next())
        place = claim.progress
        self._agree(place, was_restored=was_restored)
        self._count(place.epoch)
        self._check_open()
        if self._restored is not restored:  # A signal handler has loaded another.
            return
        self._stand_at(claim, was_restored=was_restored)
        if self._restored is place:  # Else another iteration was faster.
            self._next_epoch = place.next_epoch
            self._take(place)

    def _stand_at(self, claim: Claim, *, was_restored: bool) -> None:
        """Takes the next epoch, or of a place that was loaded what follows it.

        This iteration and the dataset say that they stand there from before on, so that
        a state which another thread or a signal handler takes meanwhile leaves no epoch
        out.
        """
        latest, self._dataset.latest = self._dataset.latest, claim
        if claim is self._claim:  # Taken before, and then an error came.
            return
        if was_restored:
            self._record.restore(claim, by_workers=self._pass is not None)
            self._claim = claim
            return
        self._claim, self._restored = claim, claim.progress
        try:
            self._record.claim(claim, self._pass)
        finally:
            if claim.generation is None:
                if self._restored is claim.progress:
                    self._restored = None
                if self._dataset.latest is claim:
                    self._dataset.latest = latest

    def _next(self) -> core.Progress:
        """Returns where it would begin now."""
        return core.Progress(*self._record.peek(self._pass))

    def _agree(self, place: core.Progress, *, was_restored: bool) -> None:
        """Compares plans with the other ranks, unless this dataset has done so."""
        agreement = self._agreement()
        if agreement is None or self._record.agreed:
            return
        # The places that a DataLoader's workers are restored to are their own.
        begins = self._pass is None or not was_restored
        agreement.agree(self._resolved, place, lambda: self._closed, begins=begins)
        self._record.agree()

    def _agreement(self) -> Agreement | None:
        # A copy in another process, unless it is a worker, is not the rank's dataset.
        records = self._dataset.records
        return self._dataset.agreement if records.parent is None else None

    def _pull(self) -> Any:
        # A span costs microseconds also where nobody looks at it.
        if torch.autograd.profiler._is_profiler_enabled:
            with torch.profiler.record_function(_SPAN):
                element = super()._pull()
        else:
            element = super()._pull()
        next_epoch = self._stream.next_epoch
        if next_epoch > self._next_epoch:
            self._next_epoch = next_epoch
            assert self._claim is not None  # As it has begun.
            self._record.reach(next_epoch, self._claim)
        return element

    def _stands(self) -> core.Progress:
        if self._begun:
            return super()._stands()
        start = self._next()  # First: who takes it says before that it stands there.
        return self._restored or (self._stream.progress if self._begun else start)


class _WorkerIteration(_Iteration):
    """The batches j, j + n, ... of an iteration, in worker j of n."""

    def __init__(self, dataset: ParquetDataset, info: Any) -> None:
        self._id, self._num_workers = info.id, info.num_workers
        if self._num_workers > 1 and dataset.resolved.snapshots is not None:
            raise ValueError(
                f"refresh with {info.num_workers} DataLoader workers: each would list "
                "for itself; num_workers=0 is faster, as rowfeed has its own threads"
            )
        super().__init__(dataset)
        self._skip = info.id  # Batches of other workers before the next of ours.
        self._pass = Pass(info.seed - info.id, dataset.num_iterations)
        # Behind the last batch of ours, also at the end: a worker that has ended is
        # asked again after a restore, and must end again.
        self._progress: core.Progress | None = None
        if info.id == 0 and self._record.warn_once():
            warnings.warn(
                f"each of the {info.num_workers} DataLoader workers decodes all rows "
                "and delivers a part of the batches; num_workers=0 is faster, as "
                "rowfeed's own threads do the work",
                stacklevel=2,
            )

    @property
    def _record(self) -> EpochRecord:
        # A dataset that was made in the worker is no copy.
        return self._dataset.records.parent or self._dataset.records.own

    def _agreement(self) -> Agreement | None:
        return self._dataset.agreement if self._id == 0 else None  # Once is enough.

    def _share(self, stream: core.BatchStream) -> Stream:
        self._every_nth = EveryNth(stream, self._num_workers)
        return self._every_nth

    def _take(self, place: core.Progress | None) -> None:
        super()._take(place)
        self._every_nth.skip = self._skip
        self._progress = self._stream.progress

    def _pull(self) -> Any:
        element = super()._pull()
        self._skip = self._num_workers - 1
        self._progress = self._stream.progress
        return element

    def _stands(self) -> core.Progress:
        return self._restored or self._progress or self._next()

    def state_dict(self) -> state.State:
        worker = [self._id, self._num_workers, self._skip]
        return {**super().state_dict(), "worker": worker}

    def load_state_dict(
        self,
        state_dict: state.State,
        *,
        strict: bool = True,
        catalog: Catalog | None = None,
    ) -> None:
        place = dict(state_dict)
        worker = place.pop("worker", None)
        if (
            not isinstance(worker, (list, tuple))
            or len(worker) != 3
            or list(worker[:2]) != [self._id, self._num_workers]
            or worker[2] not in (self._id, self._num_workers - 1)
        ):
            raise ValueError(
                f"not a state of worker {self._id} of {self._num_workers}: a "
                "StatefulDataLoader resumes with the number of workers it had; "
                "state_at(epoch, step) serves any number"
            )
        with self._lock:
            progress = self._load(place, strict=strict, catalog=catalog)
            claim = Claim(progress, self._record.generation)
            self._record.restore(claim, by_workers=True)
            self._skip = worker[2]
