# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""One pass over a dataset whose batches several worker processes share out."""

from __future__ import annotations

from typing import Any

from rowfeed._catalog.catalog import Catalog
from rowfeed._native import core
from rowfeed._state import state
from rowfeed._stream.every_nth import EveryNth
from rowfeed._stream.iteration import Iteration, Owner
from rowfeed._stream.streams import Stream


class NthIteration(Iteration):
    """The batches j, j + n, ... of an iteration, in worker j of n.

    Each worker has a dataset of its own, and all of them begin at the same place.
    """

    # A state's order options are not adopted: other workers would not know them.
    _adopts = False

    def __init__(self, dataset: Owner, index: int, num_workers: int) -> None:
        """Makes the iteration of worker `index` of `num_workers`."""
        self._index, self._num_workers = index, num_workers
        self._skip = index  # How many batches of other workers come before ours.
        # The place after the last batch of this worker, also at the end of the epochs:
        # a worker that is put back there must end again.
        self._progress: core.Progress | None = None
        super().__init__(dataset)

    def _share(self, stream: Stream) -> Stream:
        assert isinstance(stream, core.BatchStream)
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
        return self._restored or self._progress or self._stream.progress

    def state_dict(self) -> state.State:
        """Returns the state of this worker, for the same worker of as many."""
        worker = [self._index, self._num_workers, self._skip]
        return {**super().state_dict(), "worker": worker}

    def load_state_dict(
        self,
        state_dict: state.State,
        *,
        strict: bool = True,
        catalog: Catalog | None = None,
    ) -> None:
        """Goes on from a state that the same worker returned, or from a common start.

        A state without a worker is the place at which all workers begin.
        """
        place = dict(state_dict)
        worker = place.pop("worker", [self._index, self._num_workers, self._index])
        if (
            not isinstance(worker, (list, tuple))
            or len(worker) != 3
            or list(worker[:2]) != [self._index, self._num_workers]
            or worker[2] not in (self._index, self._num_workers - 1)
        ):
            raise ValueError(
                f"not a state of worker {self._index} of {self._num_workers}: a "
                "pipeline goes on with as many workers as it had when the state was "
                "taken"
            )
        super().load_state_dict(place, strict=strict, catalog=catalog)
        self._skip = worker[2]
