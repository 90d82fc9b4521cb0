# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a mixture of datasets resolves to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rowfeed._mix.weights import Schedule
from rowfeed._native import core
from rowfeed._options.resolved import Resolved

STOPS: Final = ("first_exhausted", "all_exhausted", "endless")


@dataclass(frozen=True)
class MixedResolved(Resolved):
    """What a mixture is. Options, catalog and layout are those of its first source.

    Attributes:
        sources: What its datasets are.
        schedule: From which epoch on, the rounds of each source in a period.
        stop: Where an epoch ends.
    """

    sources: tuple[Resolved, ...]
    schedule: Schedule
    stop: str

    @property
    def parts(self) -> Sequence[Resolved]:
        """The sources."""
        return self.sources

    @property
    def is_endless(self) -> bool:
        """Whether an epoch has no end."""
        return self.stop == "endless"

    def rounds_in(self, epoch: int) -> list[int]:
        """Returns the rounds of each source in a period of the epoch."""
        pinned = self.stream.pinned_epoch
        ordered = epoch if pinned is None else pinned
        return [rounds for first, rounds in self.schedule if first <= ordered][-1]

    def schedule_from(self, epoch: int) -> list[tuple[int, list[int]]]:
        """Returns the schedule that is left from an epoch on, without repetitions."""
        found = [(epoch, self.rounds_in(epoch))]
        for first, rounds in self.schedule:
            if first > epoch and rounds != found[-1][1]:
                found.append((first, rounds))
        return found

    def num_batches_from(self, epoch: int) -> int | None:
        """Batches of an iteration that begins with `epoch`; None: it has no end."""
        num_epochs = self.options.num_epochs
        if num_epochs is None or self.is_endless:
            return None
        end = epoch + num_epochs
        changes = [first for first, _ in self.schedule if epoch < first < end]
        return sum(
            (after - first) * self.steps_in(first)
            for first, after in zip([epoch, *changes], [*changes, end], strict=True)
        )

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles the fields alone."""
        fields = (self.options, self.catalog, self.stream, self.layout)
        return MixedResolved, (*fields, self.sources, self.schedule, self.stop)


def mixed(sources: Sequence[Resolved], schedule: Schedule, stop: str) -> MixedResolved:
    """Mixes what datasets are, and checks it as a whole.

    Raises:
        ValueError: Types or shapes differ, or the budget is too small.
    """
    first = sources[0]
    if not first.options.reshuffle_each_iteration and len(schedule) > 1:
        raise ValueError(
            "weights of several epochs have no effect with "
            "reshuffle_each_iteration=False: every epoch is as the first one"
        )
    streams = [source.stream for source in sources]
    stream = core.StreamOptions.mix(streams, stop=stop, weights=schedule)
    stream.memory_budget_bytes = first.options.memory_budget_bytes or 0
    catalogs = [source.catalog for source in sources]
    stream.validate(catalogs)
    if stream.memory_budget_bytes == 0:
        stream.memory_budget_bytes = core.default_memory_budget(catalogs, stream)
    # Whatever the remainder, there is a batch: an epoch has at least the rows of the
    # smallest source, which has one.
    return MixedResolved(
        *(first.options, first.catalog, stream, first.layout),
        *(tuple(sources), schedule, stop),
    )
