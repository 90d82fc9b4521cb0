# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The times of a consumer that gets the elements of a `transform`.

The kernel's own clock runs in the thread that pulls batches for the `transform`. That
thread is ahead of the consumer: it pulls its last batch before the consumer has waited
for the elements that are made of it.
"""

from __future__ import annotations

import resource
import threading
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from time import perf_counter_ns, thread_time_ns
from typing import Final, NamedTuple

_MOST_EPOCHS: Final = 16  # The kernel keeps the counts of as many epochs.


class CallCounts(NamedTuple):
    """Counts of what calls of a function did on the CPUs.

    Attributes:
        computed_ns: CPU time of the calls, in nanoseconds.
        yields: Number of times that a call left its CPU to wait.
        preemptions: Number of times that the system took the CPU from a call.
    """

    computed_ns: int = 0
    yields: int = 0
    preemptions: int = 0

    def plus(self, begin: CallCounts, end: CallCounts) -> CallCounts:
        """Adds what a thread did between two moments."""
        sums = zip(self, begin, end, strict=True)
        return CallCounts(*(mine + after - before for mine, before, after in sums))


@dataclass
class ConsumerTimes:
    """Times of one span, in nanoseconds; `wait_ns` is at most `elapsed_ns`.

    `calls` is what the calls of the `transform` did, in all threads that call it.
    """

    elapsed_ns: int = 0
    wait_ns: int = 0
    calls: CallCounts = field(default_factory=CallCounts)

    def add(self, elapsed_ns: int, wait_ns: int) -> None:
        """Adds the times of one pull."""
        self.elapsed_ns += elapsed_ns
        self.wait_ns += wait_ns


class ConsumerClock:
    """Sums of the consumer's times over all iterations of a dataset."""

    def __init__(self) -> None:
        """Makes a clock at zero."""
        # The lock is reentrant, because a signal handler may iterate too.
        self._lock = threading.RLock()
        self._totals = ConsumerTimes()
        self._epochs: OrderedDict[int, ConsumerTimes] = OrderedDict()

    @property
    def totals(self) -> ConsumerTimes:
        """Times of all pulls so far."""
        with self._lock:
            return replace(self._totals)

    def of_epoch(self, epoch: int) -> ConsumerTimes | None:
        """Returns the times of the latest run of an epoch; None if it is forgotten."""
        with self._lock:
            times = self._epochs.get(epoch)
            return times and replace(times)

    def of_thread(self) -> CallCounts:
        """Returns what the calling thread did so far."""
        used = resource.getrusage(resource.RUSAGE_THREAD)
        return CallCounts(thread_time_ns(), used.ru_nvcsw, used.ru_nivcsw)

    def add_call(self, begin: CallCounts) -> None:
        """Counts a call of the `transform` that ends now, in the epoch that runs.

        Args:
            begin: What the calling thread did before the call, by `of_thread`.
        """
        end = self.of_thread()
        with self._lock:
            found = [self._totals]
            if self._epochs:
                found.append(self._epochs[next(reversed(self._epochs))])
            for times in found:
                times.calls = times.calls.plus(begin, end)

    def after_fork(self) -> None:
        """Replaces the lock, which a thread of the parent may hold for ever."""
        self._lock = threading.RLock()

    def _add(self, times: ConsumerTimes | None, elapsed_ns: int, wait_ns: int) -> None:
        with self._lock:
            self._totals.add(elapsed_ns, wait_ns)
            if times is not None:
                times.add(elapsed_ns, wait_ns)

    def _begin(self, epoch: int) -> ConsumerTimes:
        with self._lock:
            times = self._epochs[epoch] = ConsumerTimes()
            self._epochs.move_to_end(epoch)
            while len(self._epochs) > _MOST_EPOCHS:
                self._epochs.popitem(last=False)
            return times


class PullWatch:
    """Measures the pulls of one iteration for the clock of its dataset."""

    def __init__(self, clock: ConsumerClock) -> None:
        """Makes a watch whose elapsed time begins with its first pull."""
        self._clock = clock
        self._counted_until: int | None = None
        self._epoch: int | None = None
        self._times: ConsumerTimes | None = None

    def after_fork(self) -> None:
        """Replaces the clock's lock, in the child process."""
        self._clock.after_fork()

    def add(self, begin_ns: int, epoch: int | None) -> None:
        """Counts a pull that ends now.

        Args:
            begin_ns: Time of `perf_counter_ns` at which the pull began.
            epoch: Epoch of the element that was pulled; None if there is no element.
        """
        end = perf_counter_ns()
        since = begin_ns if self._counted_until is None else self._counted_until
        self._counted_until = end
        if epoch is not None and epoch != self._epoch:
            self._epoch, self._times = epoch, self._clock._begin(epoch)
        times = None if epoch is None else self._times
        self._clock._add(times, end - since, end - begin_ns)
