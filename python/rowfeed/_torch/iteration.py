# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""One pass over a dataset for PyTorch, in the training's process or in a worker."""

from __future__ import annotations

import warnings
from typing import Any, Protocol

import torch
import torch.profiler

from rowfeed._catalog.catalog import Catalog
from rowfeed._native import core
from rowfeed._process.caller_warnings import DataWarning, PerformanceWarning
from rowfeed._state import state
from rowfeed._stream.every_nth import EveryNth
from rowfeed._stream.iteration import Iteration, Owner
from rowfeed._stream.streams import Stream
from rowfeed._torch.epoch_claims import Claim, Worker
from rowfeed._torch.epoch_record import EpochRecord, EpochRecords
from rowfeed._torch.rank_turns import RankTurns
from rowfeed._torch.ranks import GroupAgreement

_SPAN = "rowfeed.next"  # The name of the wait for a batch in traces of torch.profiler.


class TorchOwner(Owner, Protocol):
    """The attributes of a PyTorch dataset that its iterations use."""

    _records: EpochRecords
    _agreement: GroupAgreement | None
    _last_ended: bool | None
    _num_iterations: int
    _ranked_in_worker: bool


class TorchIteration(Iteration):
    """An iteration that takes its epochs from the record shared with workers."""

    _dataset: TorchOwner

    def __init__(self, dataset: TorchOwner) -> None:
        super().__init__(dataset)
        self._worker: Worker | None = None
        self._claim: Claim | None = None  # The claim made last.
        self._turns = self._turns_of()  # None if there are no other ranks to meet.

    @property
    def _record(self) -> EpochRecord:
        return self._dataset._records.own

    def _reopen(self, place: core.Progress | None) -> None:
        super()._reopen(place)
        self._turns = self._turns_of()

    def _begin(self) -> None:
        restored, claim = self._restored, self._claim
        if restored is None:
            claim = None
        elif claim is None or claim.progress is not restored:
            claim = Claim(restored, self._record.generation)
        was_restored = claim is not None and claim.generation is not None
        # A claim without generation is one that this signal handler interrupted.
        if claim is None or claim.generation is None:
            claim = Claim(self._next())
        place = claim.progress
        if self._turns is not None:
            # All ranks begin at one place, except that each DataLoader worker may be
            # restored to a place of its own.
            is_shared = self._worker is None or not was_restored
            loads = self._num_loads
            self._turns.begin(self._parameters, place, loads, is_shared=is_shared)
        self._dataset._begin_epoch(place.epoch, self._is_abandoned)
        self._check_open()
        if self._restored is not restored:  # A signal handler has loaded a state.
            return
        self._stand_at(claim, was_restored=was_restored)
        if self._restored is place:  # Else another iteration took the place first.
            self._next_epoch = place.next_epoch
            if self._turns is not None:
                self._turns.taken()
            self._take(place)

    def _stand_at(self, claim: Claim, *, was_restored: bool) -> None:
        """Takes the claimed epoch from the record.

        If a loaded state set the place, only the epoch after it is taken. This
        iteration and the dataset report the claimed place before the record is changed,
        so that a state which another thread or a signal handler takes meanwhile leaves
        no epoch out.
        """
        latest, self._dataset._latest = self._dataset._latest, claim
        if claim is self._claim:  # It was taken already, before an error.
            return
        if was_restored:
            self._record.restore(claim, by_workers=self._worker is not None)
            self._claim = claim
            return
        self._claim, self._restored = claim, claim.progress
        try:
            self._record.claim(claim, self._worker)
        finally:
            if claim.generation is None:
                if self._restored is claim.progress:
                    self._restored = None
                if self._dataset._latest is claim:
                    self._dataset._latest = latest

    def _next(self) -> core.Progress:
        """Returns the place at which this iteration would begin now."""
        return core.Progress(*self._record.peek(self._worker))

    def _turns_of(self) -> RankTurns | None:
        agreement = self._dataset._agreement
        # A copy in another process that is no worker takes no part in the comparison.
        if agreement is None or self._dataset._records.is_copy:
            return None
        return RankTurns(self._dataset, agreement, self._record, self._is_abandoned)

    def _pull(self) -> Any:
        if self._turns is not None and self._turns.is_due:
            self._turns.before_batch()
        try:
            # A span costs microseconds even while no profiler runs.
            if torch.autograd.profiler._is_profiler_enabled:
                with torch.profiler.record_function(_SPAN):
                    element = super()._pull()
            else:
                element = super()._pull()
        except StopIteration:
            if self._turns is not None:
                self._turns.end()
            raise
        except Exception as error:
            if self._turns is not None and not self._closed:
                self._turns.fail(error)
            raise
        next_epoch = self._stream.next_epoch
        if next_epoch > self._next_epoch:
            self._next_epoch = next_epoch
            assert self._claim is not None  # An iteration that has begun has a claim.
            self._record.reach(next_epoch, self._claim)
            if self._turns is not None:
                self._turns.next_epoch(self._stream.progress)
        return element

    def _stands(self) -> core.Progress:
        if self._begun:
            return super()._stands()
        # The next place is read first. If another thread begins this iteration right
        # after, `_restored` or the stream already has the place that it took.
        start = self._next()
        return self._restored or (self._stream.progress if self._begun else start)


class WorkerIteration(TorchIteration):
    """The batches j, j + n, ... of an iteration, in worker j of n."""

    # A state's order options are not adopted in a worker: the workers of the next pass
    # would not know them.
    _adopts = False

    def __init__(self, dataset: TorchOwner, info: Any) -> None:
        self._id, self._num_workers = info.id, info.num_workers
        if self._num_workers > 1 and dataset._parameters.options.growth is not None:
            raise ValueError(
                f"refresh with {info.num_workers} DataLoader workers: each would list "
                "for itself; num_workers=0 is faster, as rowfeed has its own threads"
            )
        super().__init__(dataset)
        self._skip = info.id  # How many batches of other workers come before ours.
        self._worker = Worker(
            info.seed - info.id, dataset._num_iterations, info.num_workers, info.id
        )
        # The place after the last batch of this worker, also at the end of the epoch: a
        # worker that has ended is asked again after a restore, and must end again.
        self._progress: core.Progress | None = None
        if info.id == 0 and self._record.warn_once():
            if dataset._parameters.options.transform is None:
                warnings.warn(
                    f"each of the {info.num_workers} DataLoader workers decodes all "
                    "rows and delivers a part of the batches; num_workers=0 is faster, "
                    "as rowfeed's own threads do the work",
                    PerformanceWarning,
                    stacklevel=2,
                )
            if self._num_workers > 1 and dataset._ranked_in_worker:
                warnings.warn(
                    "rank and world_size were given in a DataLoader worker, and the "
                    f"batches of that rank are divided among the {info.num_workers} "
                    "workers once more: if it is the worker's and not the training's, "
                    "rows are lost; give the training's or none",
                    DataWarning,
                    stacklevel=2,
                )

    @property
    def _record(self) -> EpochRecord:
        return self._dataset._records.of_worker

    def _next(self) -> core.Progress:
        order = self._record.order
        if order and order != self._parameters.order_digest:
            raise RuntimeError(
                "the state that was loaded has changed the order of the dataset, of "
                "which a persistent worker keeps a copy: make a new DataLoader"
            )
        return super()._next()

    def _turns_of(self) -> RankTurns | None:
        """Returns the comparisons with other ranks, in one worker; None in the others.

        The one worker makes the batch that the DataLoader requests when the training
        asks for its second batch, if the loader reads ahead two batches of each worker,
        as it does by default. So a training that takes one batch waits for no rank.
        """
        agreement = self._dataset._agreement
        if agreement is None or self._id != 1 % self._num_workers:
            return None
        return RankTurns(
            self._dataset,
            agreement,
            self._record,
            self._is_abandoned,
            num_free=3 if self._num_workers == 1 else 2,
            in_worker=True,
        )

    def _share(self, stream: Stream) -> Stream:
        assert isinstance(stream, core.BatchStream)
        self._every_nth = EveryNth(stream, self._num_workers)
        return self._every_nth

    def _take(self, place: core.Progress | None) -> None:
        super()._take(place)
        self._every_nth.skip = self._skip
        self._progress = self._stream.progress

    def _pull(self) -> Any:
        try:
            element = super()._pull()
        except StopIteration:
            if not self.has_ended:
                assert self._worker is not None
                self._record.end(self._worker)
            raise
        self._skip = self._num_workers - 1
        self._progress = self._stream.progress
        return element

    def _stands(self) -> core.Progress:
        return self._restored or self._progress or self._next()

    def state_dict(self) -> state.State:
        """Returns the state of this worker, for the same worker of as many."""
        worker = [self._id, self._num_workers, self._skip]
        return {**super().state_dict(), "worker": worker}

    def load_state_dict(
        self,
        state_dict: state.State,
        *,
        strict: bool = True,
        catalog: Catalog | None = None,
    ) -> None:
        """Goes on from a state that the same worker returned."""
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
