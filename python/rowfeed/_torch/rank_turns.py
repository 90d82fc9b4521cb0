# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Decides when an iteration of PyTorch compares its place with the other ranks.

An iteration hands over its first batch without waiting, so that one rank alone can look
at a batch. Such a look moves one rank ahead of the others, which must be found out. So
each iteration compares its place once: before it hands over its second batch or, if it
has only one, before it ends. At this point all ranks are at the same step of their
program, so no rank waits here for one that waits for it in a collective. An iteration
that begins a further epoch compares again, since that epoch comes from the dataset.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from rowfeed._native import core
from rowfeed._ranks.agreement import Turn
from rowfeed._ranks.plans import LAST_ITERATION, plan_of
from rowfeed._state import state

if TYPE_CHECKING:
    from rowfeed._options.parameters import Parameters
    from rowfeed._torch.epoch_record import EpochRecord
    from rowfeed._torch.ranks import GroupAgreement

# How many iterations in a row may be left after one batch without a comparison. The
# next one compares before its first batch, since each may have been a training step.
MOST_UNMET: Final = 4


class Iterated(Protocol):
    """The attribute of the iterated dataset that `RankTurns` uses."""

    _last_ended: bool | None


class RankTurns:
    """Compares the places of one iteration with those of the other ranks.

    Attributes:
        is_due: Whether the iteration has a place that is not compared yet.
    """

    def __init__(
        self,
        dataset: Iterated,
        agreement: GroupAgreement,
        record: EpochRecord,
        is_abandoned: Callable[[], bool],
        *,
        num_free: int = 1,
        in_worker: bool = False,
    ) -> None:
        """Makes the object. Nothing is compared before `begin` is called.

        Args:
            dataset: Dataset that is iterated.
            agreement: Way in which the dataset meets those of the other ranks.
            record: Record in which the processes of this rank count the meetings.
            is_abandoned: Function that tells whether to give up waiting.
            num_free: Number of batches that are handed over before the ranks compare.
            in_worker: Whether a DataLoader worker iterates. It makes batches ahead, for
                which the training may never ask.
        """
        self._dataset, self._agreement, self._record = dataset, agreement, record
        self._is_abandoned = is_abandoned
        self._num_free, self._in_worker = num_free, in_worker
        self.is_due = False
        # The last comparison: how many states were loaded before it, and its place.
        self._met: tuple[int, tuple[int, ...]] | None = None

    def begin(
        self,
        parameters: Parameters,
        place: core.Progress,
        num_loads: int,
        *,
        is_shared: bool,
    ) -> None:
        """Prepares for an iteration that is about to begin at `place`.

        The first time it waits until all ranks have made the dataset. If the ranks are
        to count rows together, it also waits until all of them iterate.

        Args:
            parameters: Parameters of the dataset.
            place: Place at which the iteration begins.
            num_loads: Number of states that the iteration has loaded.
            is_shared: Whether the other ranks must begin at the same place.

        Raises:
            RuntimeError: Another rank met an error.
            TimeoutError: Another rank did not come.
            ValueError: The plans differ.
        """
        # After an error an iteration begins again at a place that was compared.
        if (num_loads, place.astuple()) == self._met:
            return
        self._parameters, self._place, self._is_shared = parameters, place, is_shared
        self._num_loads = num_loads
        self.is_due, self._free = True, self._num_free
        is_first, counts = not self._record.agreed, False
        if is_first:
            here = self._agreement.place_in(parameters, place.epoch)
            counts = self._agreement.counts_rows(self._is_abandoned, here)
        if counts or self._record.unmet >= MOST_UNMET:
            self.meet()
        if is_first:
            self._record.agree()

    def taken(self) -> None:
        """Counts an iteration that took a place which the ranks have not compared."""
        if self.is_due:
            self._record.begin_unmet()

    def before_batch(self) -> None:
        """Compares with the other ranks, unless this batch is free.

        Called before each batch while a comparison is due. A batch is free if the
        iteration may hand it over before the comparison: see `num_free` of `__init__`.
        """
        if self._free == 0:
            self.meet()
        else:
            self._free -= 1

    def next_epoch(self, progress: core.Progress) -> None:
        """Makes a comparison with the other ranks due if a further epoch has begun.

        Called after a batch, if the number of the dataset's next epoch has grown since
        the batch before.

        Args:
            progress: Place of the iteration after the batch.
        """
        # The number also grows when another iteration takes an epoch.
        if progress.epoch == self._place.epoch:
            return
        self._place = core.Progress(
            progress.epoch, 0, progress.next_epoch, progress.epochs_done
        )
        self.is_due, self._free, self._is_shared = True, 0, True

    def end(self) -> None:
        """Compares at the end of an iteration, if it has not compared yet.

        A worker does not: it ends before the training has asked for all its batches.
        """
        if self.is_due and not self._in_worker:
            self.meet()
        self._dataset._last_ended = True

    def meet(self) -> None:
        """Waits for the other ranks, and compares places with them."""
        rows = self._parameters.epochs.countable
        self._agreement.compare(self.turn(), self._is_abandoned, rows)
        self.is_due = False
        self._met = self._num_loads, self._place.astuple()
        self._dataset._last_ended = False

    def turn(self) -> Turn:
        """Returns the next meeting, with the plan of this rank."""
        plan = plan_of(self._parameters, self._place, begins=self._is_shared)
        here = self._agreement.place_in(self._parameters, self._place.epoch)
        past = self._past()
        return Turn(self._record.meetings, {**plan, **past}, self._record.meet, here)

    def fail(self, error: Exception) -> None:
        """Tells the other ranks of an error of this iteration."""
        self._agreement.fail(self._record.meetings, error)

    def _past(self) -> state.State:
        """Returns a field that says how the last iteration was left.

        It is empty where ranks may differ in that: with the remainder "uneven" and in
        workers.
        """
        ended = self._dataset._last_ended
        is_uneven = self._parameters.stream.delivery.remainder == "uneven"
        if ended is None or is_uneven or self._in_worker:
            return {}
        return {LAST_ITERATION: "ended" if ended else "left early"}
