# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""When an iteration of PyTorch compares where it stands with the other ranks.

An iteration hands over its first batch without waiting, so that one rank can look at a
batch; then the ranks are apart, and must not go on in silence. So each iteration
compares its place once: before it hands over its second batch, or says that it has
ended. Then the ranks stand at the same point of their program, and none waits for a
rank that waits for it in a collective of the training. An iteration that begins a
further epoch compares it in the same way, since the epoch is the dataset's next one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from rowfeed._native import core
from rowfeed._ranks.agreement import Turn
from rowfeed._ranks.plans import LAST_ITERATION, plan_of
from rowfeed._state import state

if TYPE_CHECKING:
    from rowfeed._options.resolved import Resolved
    from rowfeed._torch.epoch_record import EpochRecord
    from rowfeed._torch.ranks import GroupAgreement

# So many iterations in a row may take one batch and be left. The next one compares
# before its first batch, since each of them may have been a step of a training.
MOST_UNMET: Final = 4


class Iterated(Protocol):
    """The dataset that is iterated, as far as its turns know it."""

    last_ended: bool | None


class RankTurns:
    """The comparisons of one iteration.

    Attributes:
        is_due: Whether a place is to be compared yet.
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
        """Compares nothing yet.

        Args:
            dataset: The dataset that is iterated.
            agreement: How it meets those of the other ranks.
            record: Where the rank's processes count the meetings.
            is_abandoned: Whether to give up waiting.
            num_free: Number of batches that are handed over before the ranks compare.
            in_worker: Whether a DataLoader's worker iterates. What it has made was
                perhaps not asked for by the training.
        """
        self._dataset, self._agreement, self._record = dataset, agreement, record
        self._is_abandoned = is_abandoned
        self._num_free, self._in_worker = num_free, in_worker
        self.is_due = False
        # What was compared last: how many states were loaded before, and the place.
        self._met: tuple[int, tuple[int, ...]] | None = None

    def begin(
        self,
        resolved: Resolved,
        place: core.Progress,
        num_loads: int,
        *,
        is_shared: bool,
    ) -> None:
        """Prepares for an iteration that is to begin at `place`.

        The first time it waits until all ranks have made the dataset, and if they are
        to count rows together, until all iterate.

        Args:
            resolved: The dataset.
            place: Where the iteration begins.
            num_loads: How many states it has loaded.
            is_shared: Whether the other ranks begin at this place, too.

        Raises:
            RuntimeError: Another rank met an error.
            TimeoutError: Another rank did not come.
            ValueError: The plans differ.
        """
        if (
            num_loads,
            place.astuple(),
        ) == self._met:  # It begins again, after an error.
            return
        self._resolved, self._place, self._is_shared = resolved, place, is_shared
        self._num_loads = num_loads
        self.is_due, self._free = True, self._num_free
        is_first, counts = not self._record.agreed, False
        if is_first:
            counts = self._agreement.counts_rows(self._is_abandoned)
        if counts or self._record.unmet >= MOST_UNMET:
            self.meet()
        if is_first:
            self._record.agree()

    def taken(self) -> None:
        """Says that the iteration has taken its place."""
        if self.is_due:
            self._record.begin_unmet()

    def before_batch(self) -> None:
        """Compares, if it is time to; else lets a batch go."""
        if self._free == 0:
            self.meet()
        else:
            self._free -= 1

    def next_epoch(self, progress: core.Progress) -> None:
        """Says that a batch was handed over, perhaps the first of a further epoch."""
        if progress.epoch == self._place.epoch:  # Another iteration took an epoch.
            return
        self._place = core.Progress(
            progress.epoch, 0, progress.next_epoch, progress.epochs_done
        )
        self.is_due, self._free, self._is_shared = True, 0, True

    def end(self) -> None:
        """Compares, if it is time to, as the iteration has ended.

        A worker ends before the training has asked for its last batches.
        """
        if self.is_due and not self._in_worker:
            self.meet()
        self._dataset.last_ended = True

    def meet(self) -> None:
        """Waits for the other ranks and compares."""
        grows = self._resolved.snapshots is not None  # Then each epoch is counted.
        rows = [] if grows else self._resolved.all_rows
        self._agreement.compare(self.turn(), self._is_abandoned, rows)
        self.is_due = False
        self._met = self._num_loads, self._place.astuple()
        self._dataset.last_ended = False

    def turn(self) -> Turn:
        """Returns the next meeting."""
        plan = plan_of(self._resolved, self._place, begins=self._is_shared)
        return Turn(self._record.meetings, {**plan, **self._past()}, self._record.meet)

    def fail(self, error: Exception) -> None:
        """Tells the other ranks of an error of this iteration."""
        self._agreement.fail(self._record.meetings, error)

    def _past(self) -> state.State:
        """Returns how the iteration before was left, where ranks make equal steps."""
        ended = self._dataset.last_ended
        is_uneven = self._resolved.stream.delivery.remainder == "uneven"
        if ended is None or is_uneven or self._in_worker:
            return {}
        return {LAST_ITERATION: "ended" if ended else "left early"}
