# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of a mixture of datasets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rowfeed._mix.weights import Schedule
from rowfeed._native import core
from rowfeed._options import memory
from rowfeed._options.make_parameters import settle
from rowfeed._options.parameters import Parameters

STOPS: Final = ("first_exhausted", "all_exhausted", "endless")


@dataclass(frozen=True)
class MixtureParameters(Parameters):
    """Parameters of a mixture; options, catalog and layout are its first source's.

    Attributes:
        sources: Parameters of the mixed datasets.
        schedule: Weights as pairs: an epoch, and from it on the number of rounds that
            each source has in a period.
        stop: Rule for the end of an epoch, one of `STOPS`.
    """

    sources: tuple[Parameters, ...]
    schedule: Schedule
    stop: str

    @property
    def parts(self) -> Sequence[Parameters]:
        """Parameters of the sources."""
        return self.sources

    @property
    def is_endless(self) -> bool:
        """Whether epochs have no end."""
        return self.stop == "endless"

    def rounds_in(self, epoch: int) -> list[int]:
        """Returns the number of rounds that each source has in a period of an epoch."""
        pinned = self.stream.pinned_epoch
        ordered = epoch if pinned is None else pinned
        return [rounds for first, rounds in self.schedule if first <= ordered][-1]

    def schedule_from(self, epoch: int) -> list[tuple[int, list[int]]]:
        """Returns the schedule from an epoch on, without entries of no effect."""
        found = [(epoch, self.rounds_in(epoch))]
        for first, rounds in self.schedule:
            if first > epoch and rounds != found[-1][1]:
                found.append((first, rounds))
        return found

    def num_batches_from(self, epoch: int) -> int | None:
        """Returns the batches of an iteration from `epoch` on; None if endless."""
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
        """Pickles the fields, and nothing that was computed from them."""
        fields = (self.options, self.catalog, self.stream, self.layout)
        return MixtureParameters, (*fields, self.sources, self.schedule, self.stop)


def mixed(
    sources: Sequence[Parameters], schedule: Schedule, stop: str
) -> MixtureParameters:
    """Makes the parameters of a mixture of datasets, and checks them.

    Raises:
        ValueError: Types or shapes of the sources differ, or the memory budget is too
            small, or there is none and the memory is too small.
    """
    first = sources[0]
    if not first.options.reshuffle_each_iteration and len(schedule) > 1:
        raise ValueError(
            "weights of several epochs have no effect with "
            "reshuffle_each_iteration=False: every epoch is as the first one"
        )
    streams = [source.stream for source in sources]
    stream = core.StreamOptions.mix(streams, stop=stop, weights=schedule)
    catalogs = [source.catalog for source in sources]
    settle(stream, first.options, catalogs)
    memory.check(catalogs, stream, first.options)
    # No check for at least one batch is needed: an epoch has at least the rows of the
    # smallest source, and each source has been checked to have a batch.
    return MixtureParameters(
        *(first.options, first.catalog, stream, first.layout),
        *(tuple(sources), schedule, stop),
    )
