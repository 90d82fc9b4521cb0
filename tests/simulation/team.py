# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The ranks of a simulated training, each with the walk that the model expects."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.simulation.forked_rank import ForkedRank
from tests.simulation.ranks import Answer, Rank, answer_of
from tests.simulation.walk import Place, Walk


class Member:
    """A rank, and its walk.

    Attributes:
        walk: What it must deliver.
        has_failed: Whether it met the fault of a file, and has to go on from its state.
        suspects: Names of files whose faults it may have met while it read ahead.
    """

    def __init__(self, rank: Rank | ForkedRank, walk: Walk) -> None:
        self.rank, self.walk, self.has_failed = rank, walk, False
        self.suspects = set[str]()

    def ask(self, call: str, *arguments: Any) -> Answer:
        """Returns what the rank answers to the call of a method."""
        if isinstance(self.rank, ForkedRank):
            return self.rank.ask(call, *arguments)
        return answer_of(getattr(self.rank, call), *arguments)

    def end(self, how: str) -> None:
        """Ends the rank: kills its process, or drops or closes its objects."""
        if isinstance(self.rank, ForkedRank):
            self.rank.kill(how)
        else:
            self.rank.drop(how)


class Team:
    """All ranks of one start.

    Args:
        case: The case.
        run: Options of this start.
        folders: Folder of the files of each source; the last one is for snapshots.
        place: Place at which the ranks begin.
        opened: Catalog of each source, if the ranks do not open paths.

    Attributes:
        run: Options of this start.
        members: The ranks.
    """

    def __init__(
        self,
        case: dict[str, Any],
        run: dict[str, Any],
        folders: list[Path],
        place: Place,
        opened: list[Any] | None,
    ) -> None:
        self._case, self._folders, self._opened = case, folders, opened
        self.run, self.members = run, list[Member]()
        for _ in range(run["world_size"]):
            self.join(place)

    def join(self, place: Place) -> Member:
        """Adds a rank, whose dataset is yet to be made."""
        number = len(self.members)
        arguments = self._case, self.run, number, self._folders, self._opened
        rank = ForkedRank(*arguments) if self.run["processes"] else Rank(*arguments)
        self.members.append(Member(rank, Walk(self._case, self.run, number, place)))
        return self.members[-1]

    def race(self, count: int) -> list[list[Answer]]:
        """Lets all ranks take batches at the same time, each in its own thread."""

        def take(member: Member) -> list[Answer]:
            answers = list[Answer]()
            while len(answers) < count:
                answers.append(member.ask("take"))
                if answers[-1][0] != "rows":
                    break
            return answers

        with ThreadPoolExecutor(len(self.members)) as threads:
            return list(threads.map(take, self.members))

    def end(self, how: str) -> None:
        """Ends all ranks."""
        for member in self.members:
            member.end(how)
        self.members = []
