# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Plays the schedule of a case with the library, and judges each answer."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from tests.simulation import model
from tests.simulation.epochs import Epochs
from tests.simulation.files import Files, Library
from tests.simulation.judge import judge_error, judge_state, judge_step
from tests.simulation.ledger import Ledger
from tests.simulation.model import Order
from tests.simulation.ranks import Answer, opened_once
from tests.simulation.rows import BrokenPromiseError, File
from tests.simulation.stores import Store
from tests.simulation.team import Member, Team
from tests.simulation.walk import Place

# Steps of a schedule after which files differ from those that cases share.
_CHANGES_FILES = {"fault", "add", "remove", "replace"}


class Saved(NamedTuple):
    """A state, and what the model has to remember of it."""

    state: dict[str, Any]
    place: Place
    files: list[File] | None  # Files of its epoch, if that has begun and data grows.
    order: Order


class World:
    """A case that runs.

    Args:
        case: The case, in the form of `draw.case_of`.
        library: Data sets that cases share.
        own: Folder for files of this case alone.
        counts: Counts what is done.
        store: Store that the ranks read from. None: they read the files themselves.
    """

    def __init__(
        self,
        case: dict[str, Any],
        library: Library,
        own: Path,
        counts: Counter[str],
        store: Store | None = None,
    ) -> None:
        self.case, self._own, self.counts = case, own, counts
        self.store = None if case["grows"] else store
        self.refused = set[str]()  # Names of all files while a store refuses requests.
        steps = {name for name, *_ in case["schedule"]}
        is_faulty = steps & _CHANGES_FILES and self.store is None
        changes = case["grows"] or is_faulty
        self.files = [
            Files(source, library.folder_of(source), own / str(i) if changes else None)
            for i, source in enumerate(case["sources"])
        ]
        self.folders: list[Any] = [files.folder for files in self.files]
        if self.store is not None:
            self.folders = [self.store.uri_of(folder) for folder in self.folders]
        if case["grows"]:
            self.folders.append(own / "snapshots")
        self.opened = opened_once(case, self.folders)
        self.ledger, self.saved = Ledger(), list[Saved]()
        self.most_dropped = 0
        self.team: Team | None = None
        self.epochs = Epochs(case, self.files, None)

    def first_place(self) -> Place:
        """Returns the place at which a start without a state begins."""
        first = self.case["options"]["first_epoch"]
        return Place(first, 0, first + 1, 0)

    @property
    def members(self) -> list[Member]:
        """The ranks of the present start."""
        assert self.team is not None
        return self.team.members

    @property
    def faulty(self) -> list[str]:
        """Names of the files that suffer a fault now."""
        names = [name for files in self.files for name in files.faulty]
        return [*names, *self.refused]

    def restore(self) -> None:
        """Ends the faults of all files, and of the store."""
        self.refused = set()
        if self.store is not None:
            self.store.restore()
        for files in self.files:
            files.restore()

    def fitting(self, run: dict[str, Any]) -> dict[str, Any]:
        """Returns options of a start with which each rank has a batch of an epoch."""
        remainder = self.case["options"]["remainder"]
        if remainder not in ("drop", "uneven") or self.case["grows"]:
            return run
        least = max(model.least_rows(self.case), 1)
        world_size = min(run["world_size"], least)
        size = run["batch_size"]
        if remainder == "uneven":
            return {**run, "world_size": world_size}
        size = size and max(1, min(size, least // world_size))
        return {**run, "world_size": world_size, "batch_size": size}

    def start(self, run: dict[str, Any], saved: Saved | None) -> None:
        """Starts ranks, which go on from a state if there is one."""
        run = self.fitting(run)
        place = saved.place if saved else self.first_place()
        self.epochs = Epochs(self.case, self.files, saved.order if saved else None)
        if saved is None:
            self.epochs.begin_anew(run["world_size"])
        elif saved.files is not None:
            self.epochs.known[place.epoch] = saved.files
        self.ledger.take_back(place)
        if self.opened is None:
            self.restore()  # A folder that is opened anew would be another data set.
        self.team = Team(self.case, run, self.folders, place, self.opened)
        self.most_dropped = max(self.most_dropped, self.members[0].walk.global_batch)
        for member in self.members:
            member.suspects = set(self.faulty)
            self._make(member, saved)

    def _make(self, member: Member, saved: Saved | None) -> None:
        state = saved.state if saved else None
        answer = member.ask("make", state, True)
        if answer[0] != "error":
            return
        if saved and saved.files and self.is_gone(saved.files):
            judge_error(answer, [file["name"] for file in saved.files], "resume")
            self.counts["resumes whose files are gone"] += 1
            answer = self._go_on_without(member, saved)
        else:
            judge_error(answer, member.suspects, "start")
            self.counts["errors that name the file"] += 1
            self.restore()
            answer = member.ask("make", state, True)
        if answer[0] == "error":
            raise BrokenPromiseError(f"the second start fails: {answer[1]}")

    @property
    def counts_by_reading(self) -> bool:
        """Whether values decide which rows an epoch of growing data has."""
        source = self.case["sources"][0]
        return source["filter"] is not None or bool((source["split"] or {}).get("by"))

    def _go_on_without(self, member: Member, saved: Saved) -> Answer:
        """Starts a rank whose epoch has lost files: their rows become fill rows.

        If values decide which rows an epoch has, the epoch cannot go on; the next one
        begins.
        """
        if not self.counts_by_reading:
            return member.ask("make", saved.state, False)
        answer = member.ask("make", None, True)
        if answer[0] != "error":
            following = saved.place.next_epoch
            member.walk.put(Place(following, 0, following + 1, 0))
            answer = member.ask("set_epoch", following)
        return answer

    def is_gone(self, files: list[File]) -> bool:
        """Returns whether a file of an epoch is gone."""
        return any(file["number"] in self.files[0].gone for file in files)

    def take(self, member: Member) -> bool:
        """Lets a rank take a batch; returns whether it delivered one."""
        if member.has_failed and not self._recover(member):
            return False
        return self.accept(member, member.ask("take"))

    def accept(self, member: Member, answer: Answer) -> bool:
        """Judges an answer to `take`; returns whether it is a batch."""
        walk = member.walk
        if answer[0] == "error":
            judge_error(answer, member.suspects, f"rank {walk.rank}")
            self.counts["errors that name the file"] += 1
            member.has_failed = True
            self._stay(member)
            return False
        step = walk.next_step(self.epochs.stream)
        what = f"rank {walk.rank} at {walk.place}"
        lost = judge_step(answer, step, self.files[0].gone, what)
        self.counts["fill rows of lost files"] += lost
        walk.go(step)
        if step.ids is None:
            return False
        self.counts["batches"] += 1
        self.counts["rows"] += len(answer[1])
        assert self.team is not None
        self.ledger.add(step, self.team.run["world_size"], answer[1])
        return True

    def _stay(self, member: Member) -> None:
        """Judges where a rank stands that met an error: where it was before.

        At the end of an epoch that may be the beginning of the next one, too.
        """
        walk = member.walk
        walk.stands = walk.place  # An iteration is there, though it has not begun.
        following = walk.following(self.epochs.stream)
        kind, state = member.ask("state", "iteration")
        if kind == "error":
            raise BrokenPromiseError(f"state_dict() fails after an error: {state}")
        if following is not None and state["epoch"] == following.epoch:
            walk.put(following)
        judge_state(state, walk.stands, f"rank {walk.rank} after an error")

    def _recover(self, member: Member) -> bool:
        """Lets a rank that met a fault go on from its own state."""
        answer = member.ask("state", "iteration")
        if answer[0] != "error":
            at = "iteration" if member.walk.place.row % 2 else "dataset"
            answer = member.ask("load", answer[1], at)
        if answer[0] == "error":
            judge_error(answer, member.suspects, "recovery")
            return False
        member.suspects = set(self.faulty)
        self.counts["recoveries"] += 1
        num_batches = member.walk.num_batches
        member.walk.put(member.walk.place)
        member.walk.num_batches = num_batches
        member.has_failed = False
        return True

    def check_state(self, member: Member, when: str, at: str = "iteration") -> Any:
        """Judges the state of a rank, and returns it."""
        kind, state = member.ask("state", at)
        if kind == "error":
            raise BrokenPromiseError(f"state_dict() fails {when}: {state}")
        what = f"rank {member.walk.rank} {when}"
        judge_state(state, member.walk.stands, what)
        return state

    def align(self) -> Member:
        """Brings all ranks to the step of the first of them, and returns that one."""
        ahead = max(self.members, key=lambda member: member.walk.place[:2])
        there = ahead.walk.place[:2]
        for member in self.members:
            while member.walk.place[:2] < there:
                if member.has_failed and not self._recover(member):
                    break
                step = member.walk.next_step(self.epochs.stream)
                if step.after[:2] > there:
                    break
                if not self.take(member) and member.has_failed:
                    break
        return ahead

    def finish(self) -> None:
        """Brings all ranks to the end of their iteration, and judges its epoch."""
        self.restore()
        counts = set()
        last = self.members[0].walk.place.epoch
        for member in self.members:
            while True:
                last = max(last, member.walk.place.epoch)
                count = member.walk.num_batches
                if not self.take(member) and not member.has_failed:
                    break
            counts.add(count)
        remainder = self.case["options"]["remainder"]
        if max(counts) - min(counts) > (remainder == "uneven"):
            raise BrokenPromiseError(f"ranks made unequal numbers of steps: {counts}")
        dropped = self.most_dropped - 1 if remainder == "drop" else 0
        if self.ledger.check(last, self.epochs.stream(last), dropped):
            self.counts["epochs judged as a whole"] += 1

    def close(self) -> None:
        """Ends the ranks, and removes the files of this case."""
        if self.team is not None:
            self.team.end("closed")
        shutil.rmtree(self._own, ignore_errors=True)
