# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A rank of the simulated training, in this process: a dataset and its iteration."""

from __future__ import annotations

import importlib
import json
import pickle
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
from tests.simulation.rows import BrokenPromiseError, groups_of, ids_of

import rowfeed

Answer = tuple[str, Any]  # ("rows", ids), ("end", None) or ("error", [class, text])


def filter_of(condition: list[Any] | None) -> Any:
    """Returns the filter of a source in rowfeed's words; `model.passes` judges it."""
    if condition is None:
        return None
    kind, *numbers = condition
    if kind == "below":
        return [("id", "<", numbers[0])]
    if kind == "bits":
        return pc.bit_wise_and(pc.field("id"), numbers[0]) == numbers[1]
    if kind == "among":
        return [("id", "in", numbers[0])]
    return pc.field("maybe").is_null()


def split_of(split: dict[str, Any] | None) -> rowfeed.Split | None:
    """Returns the split of a source."""
    return None if split is None else rowfeed.Split(**split)


def columns_of(case: dict[str, Any]) -> Any:
    """Returns the columns that ranks ask for."""
    if case["run"]["by_pattern"]:
        stored = set(case["sources"][0]["stored"])
        left_out = [f"!{name}" for name in sorted(stored - set(case["columns"]))]
        filled = [rowfeed.Column("maybe", fill=-1)] if "maybe" in stored else []
        if "maybe" not in case["columns"]:
            filled = []
        return ["*", *filled, *left_out]
    return [
        rowfeed.Column("maybe", fill=-1) if name == "maybe" else name
        for name in case["columns"]
    ]


def same(element: Any) -> Any:
    """Returns the element: a transform that changes nothing."""
    return element


def opened_once(case: dict[str, Any], folders: list[Path]) -> list[Any] | None:
    """Returns a catalog of each source, or None if ranks open the paths themselves."""
    excludes = any(source["excluded"] for source in case["sources"])
    if case["run"]["opens"] == "paths" and not excludes:
        return None
    catalogs = []
    for source, folder in zip(case["sources"], folders, strict=False):
        catalog = rowfeed.Catalog.open(folder)
        if source["excluded"]:
            groups = set(range(len(catalog.row_groups))) - set(source["excluded"])
            catalog = catalog.select(row_groups=sorted(groups))
        catalogs.append(catalog)
    return catalogs


class Rank:
    """A dataset with the options of a case, and the iteration over it.

    Args:
        case: The case.
        run: Options of this start: ranks, batch size, threads and the like.
        rank: Number of the rank.
        folders: Folder of the files of each source; the last one is for snapshots.
        opened: Catalog of each source; None if the folders are opened.
    """

    def __init__(
        self,
        case: dict[str, Any],
        run: dict[str, Any],
        rank: int,
        folders: list[Path],
        opened: list[Any] | None,
    ) -> None:
        self._case, self._run, self._rank = case, run, rank
        self._folders, self._opened = folders, opened
        self._dataset: Any = None
        self._batches: Any = None

    def make(self, state: dict[str, Any] | None, strict: bool) -> None:
        """Makes the dataset, which goes on from a state if there is one."""
        self._batches, budget = None, None
        if self._run["budget"] is not None:
            budget = 1
            # Sources of a mixture are refused first, and then all of it; a state may
            # have more lanes.
            for _ in range(len(self._case["sources"]) + 2):
                budget = self._needed(budget, state)
            budget = int(budget * self._run["budget"])
        self._dataset = self._built(budget)
        if state is not None:
            self._dataset.load_state_dict(state, strict=strict)

    def _needed(self, budget: int, state: dict[str, Any] | None) -> int:
        """Returns the number of bytes that the refusal of a budget asks for."""
        try:
            dataset = self._built(budget)
            if state is not None:
                dataset.load_state_dict(state)
        except ValueError as error:
            if needed := re.search(r"is less than the (\d+) needed", str(error)):
                return int(needed[1])
            raise
        return budget

    def _built(self, budget: int | None) -> Any:
        face = self._run["face"]
        module = importlib.import_module(
            "rowfeed" if face == "numpy" else f"rowfeed.{face}"
        )
        sources = [
            module.ParquetDataset(
                self._opened[i] if self._opened else folder,
                self._run["batch_size"],
                **self._keywords(source, budget),
            )
            for i, (source, folder) in enumerate(
                zip(self._case["sources"], self._folders, strict=False)
            )
        ]
        if self._case["mixture"] is None:
            return sources[0]
        mixture = self._case["mixture"]
        return rowfeed.mix(sources, mixture["weights"], stop=mixture["stop"])

    def _keywords(self, source: dict[str, Any], budget: int | None) -> dict[str, Any]:
        run = self._run
        keywords = {
            **source["order"],
            **self._case["options"],
            "columns": columns_of(self._case),
            "filter": filter_of(source["filter"]),
            "split": split_of(source["split"]),
            "rank": self._rank,
            "world_size": run["world_size"],
            "num_threads": run["num_threads"],
            "memory_budget_bytes": budget,
            "use_statistics": run["use_statistics"],
            "verify_checksums": run["verify_checksums"],
        }
        if run["transform"]:
            keywords["transform"] = same
        if self._case["grows"]:
            keywords |= {"refresh": "epoch", "snapshot_dir": self._folders[-1]}
        return keywords

    def take(self) -> Answer:
        """Returns the ids of the next batch, or that the iteration has ended."""
        if self._batches is None:
            self._batches = iter(self._dataset)
        element = next(self._batches, None)
        if element is not None:
            return "rows", ids_of(element)
        if next(self._batches, None) is not None:
            raise BrokenPromiseError("an iteration that had ended went on")
        self._batches = None
        return "end", None

    def state(self, source: str) -> dict[str, Any]:
        """Returns the state of the dataset or of its iteration, by way of JSON."""
        at = self._dataset if source == "dataset" else self._batches or self._dataset
        state: dict[str, Any] = json.loads(json.dumps(at.state_dict()))
        return state

    def load(self, state: dict[str, Any], at: str) -> None:
        """Goes on from a state with the same objects, or with a new iteration."""
        if at == "iteration" and self._batches is not None:
            self._batches.load_state_dict(state)
        else:
            self._dataset.load_state_dict(state)
            self._batches = None

    def set_epoch(self, epoch: int) -> None:
        """Makes a new iteration begin with an epoch."""
        self._dataset.set_epoch(epoch)
        self._batches = None

    def iterate(self) -> None:
        """Leaves the iteration, so that the next batch is that of a new one."""
        self._batches = None

    def begin_epoch(self) -> int:
        """Begins the next epoch, and returns the number of its batches."""
        return int(self._dataset.begin_epoch())

    def peek(self) -> Answer:
        """Returns the ids of the first batch of the next iteration, or its end."""
        try:
            return "rows", ids_of(self._dataset.peek())
        except StopIteration:
            return "end", None

    def batch_at(self, epoch: int, step: int) -> Answer:
        """Returns the ids of a step of an epoch."""
        return "rows", ids_of(self._dataset.batch_at(epoch, step))

    def which(self, epoch: int, step: int) -> Answer:
        """Returns the ids of the rows where `which` says that a step has them."""
        rows = self._dataset.which(epoch, step)
        stored = {
            (number, str(file["name"]), index): ids
            for number, source in enumerate(self._case["sources"])
            for file, index, ids in groups_of(source["files"])
        }
        columns = (rows.source.tolist(), rows.path, rows.row_group.tolist())
        places = zip(*columns, rows.row.tolist(), strict=True)
        return "rows", [
            None if path is None else stored[source, Path(path).name, group][row]
            for source, path, group, row in places
        ]

    def windows(self) -> list[int]:
        """Returns the shuffle windows in force; None takes one from the data."""
        parts = self._dataset._parameters.parts
        return [part.value("shuffle_window") for part in parts]

    def resize(self, rank: int, world_size: int) -> None:
        """Goes on as another rank, with another number of ranks."""
        self._dataset.resize(rank, world_size)
        self._rank = rank
        self._run = {**self._run, "world_size": world_size}

    def pickled(self) -> None:
        """Goes on with a copy of the dataset that was sent through a pickle."""
        self._dataset = pickle.loads(pickle.dumps(self._dataset))
        self._batches = None

    def drop(self, how: str) -> None:
        """Ends the rank: objects are dropped, or closed, perhaps within a batch."""
        batches, dataset = self._batches, self._dataset
        self._batches = self._dataset = None
        if dataset is None or how == "dropped":
            return
        if how == "inside" and batches is not None:
            begun = threading.Event()
            waiting = threading.Thread(target=_pull, args=(batches, begun))
            waiting.start()
            begun.wait()
            batches.close()
            waiting.join()
        dataset.close()


def _pull(batches: Any, begun: threading.Event) -> None:
    begun.set()
    try:
        for _ in batches:
            pass
    except (OSError, RuntimeError, ValueError):  # It is closed, or a file has a fault.
        return


def answer_of(call: Callable[..., Any], *arguments: Any) -> Answer:
    """Returns what a call returns, or the error that it raises, as an answer.

    Raises:
        BrokenPromiseError: The call has delivered a wrong row.
    """
    try:
        found = call(*arguments)
    except BrokenPromiseError:
        raise
    except Exception as error:
        return "error", [type(error).__name__, str(error)]
    return found if isinstance(found, tuple) else ("done", found)
