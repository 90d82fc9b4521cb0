# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Faults planted between the library and the model, each of which seeds must find.

A planted fault changes what the library gets or gives, as a fault of the library would.
docs/reliability.md has the seed that finds each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow.compute as pc
from tests.simulation import ranks
from tests.simulation.ranks import Answer, Rank

import rowfeed
from rowfeed._native import core
from rowfeed._state import state as states


def _instead(owner: Any, name: str, make: Callable[[Any], Any]) -> Any:
    """Returns a patch that replaces a function by what `make` makes of it."""
    return patch.object(owner, name, make(getattr(owner, name)))


def _places(change: Callable[[core.Progress, int], tuple[int, int]]) -> Any:
    """Returns a patch that changes the row and the epochs done of loaded states."""

    def changed(check: Any) -> Any:
        def check_and_change(state: Any, parameters: Any, **keywords: Any) -> Any:
            place, parameters = check(state, parameters, **keywords)
            full = int(parameters.stream.delivery.global_batch)
            row, done = change(place, full)
            fields = place.epoch, max(row, 0), place.next_epoch, done
            return core.Progress(*fields), parameters

        return check_and_change

    return _instead(states, "check", changed)


def a_resume_repeats_a_batch() -> Any:
    """A state that is loaded goes back by a step."""
    return _places(lambda place, full: (place.row - full, place.epochs_done))


def a_state_is_adopted_with_the_wrong_row() -> Any:
    """A state that is loaded within an epoch goes on one row later."""
    return _places(lambda place, _: (place.row + (place.row > 0), place.epochs_done))


def a_resume_forgets_the_epochs_that_are_done() -> Any:
    """A state that is loaded counts its epoch as the first of the iteration."""
    return _places(lambda place, _: (place.row, 0))


def a_rank_that_is_resized_skips_a_step() -> Any:
    """A rank that is resized and is not the first goes on one step later."""

    def late(resize: Any) -> Any:
        def resized(self: Rank, rank: int, world_size: int) -> None:
            resize(self, rank, world_size)
            if rank:
                self.take()

        return resized

    return _instead(Rank, "resize", late)


def _keywords(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Returns a patch that changes the options with which datasets are made."""

    def changed(make: Any) -> Any:
        def keywords(self: Rank, *arguments: Any) -> dict[str, Any]:
            return change(make(self, *arguments))

        return keywords

    return _instead(Rank, "_keywords", changed)


def two_ranks_have_one_lane() -> Any:
    """Rank 1 reads what rank 0 reads."""
    return _keywords(lambda given: {**given, "rank": given["rank"] & ~1})


def an_epoch_has_the_order_of_the_first() -> Any:
    """Epochs are not shuffled anew."""
    return _keywords(lambda given: {**given, "reshuffle_each_iteration": False})


def a_row_is_in_another_split() -> Any:
    """Hashes of rows have another seed."""

    def another(make: Any) -> Any:
        def split_of(split: Any) -> Any:
            return make(split and {**split, "seed": split["seed"] ^ 1})

        return split_of

    return _instead(ranks, "split_of", another)


def a_filter_loses_the_last_row_of_a_group() -> Any:
    """A filter does not let the last row of the first row group pass."""

    def losing(make: Any) -> Any:
        def keywords(self: Rank, source: Any, *rest: Any) -> dict[str, Any]:
            given: dict[str, Any] = make(self, source, *rest)
            if source["filter"] is not None:
                file = min(source["files"], key=lambda file: str(file["name"]))
                group = next((n for n in file["groups"] if n), 1)
                last = 1000 * file["number"] + group - 1
                condition = given["filter"]
                if isinstance(condition, list):
                    given["filter"] = [*condition, ("id", "!=", last)]
                else:
                    given["filter"] = condition & (pc.field("id") != last)
            return given

        return keywords

    return _instead(Rank, "_keywords", losing)


def a_mixture_takes_from_the_wrong_source() -> Any:
    """The weights of a mixture are those of other sources."""

    def reversed_(mix: Any) -> Any:
        def mixed(sources: Any, weights: Any, **keywords: Any) -> Any:
            return mix(sources, weights[::-1], **keywords)

        return mixed

    return _instead(rowfeed, "mix", reversed_)


def growth_loses_a_file() -> Any:
    """Files whose names begin with "c" are not listed."""

    def losing(build: Any) -> Any:
        def built(self: Rank, budget: Any) -> Any:
            folder = self._folders[0]
            if self._case["grows"] and list(folder.glob("[ab]*.parquet")):
                self._folders[0] = folder / "[ab]*.parquet"
            try:
                return build(self, budget)
            finally:
                self._folders[0] = folder

        return built

    return _instead(Rank, "_built", losing)


def _answers(change: Callable[[Rank, Callable[[], Answer]], Answer]) -> Any:
    """Returns a patch that changes the batches that ranks deliver."""

    def changed(take: Any) -> Any:
        return lambda self: change(self, lambda: take(self))

    return _instead(Rank, "take", changed)


def _left(rank: Rank) -> tuple[int, int]:
    """Returns the steps left in the epoch of a rank, and the rows of its last batch."""
    iteration = rank._batches
    if iteration is None or not iteration._begun:
        return -1, 0
    place = iteration._stands()
    parameters = rank._dataset._parameters
    rows = parameters.epochs.rows_in(place.epoch)
    return parameters.steps_in(place.epoch, place.row), rows - place.row


def the_last_partial_batch_is_lost() -> Any:
    """The last batch of an epoch is not delivered unless it is full."""

    def losing(rank: Rank, take: Callable[[], Answer]) -> Answer:
        steps, rows = _left(rank)
        full = rank._dataset._parameters.stream.delivery.global_batch
        answer = take()
        return take() if steps == 1 and rows < full else answer

    return _answers(losing)


def ranks_make_unequal_numbers_of_steps() -> Any:
    """Rank 1 ends one step before the others."""

    def ending(rank: Rank, take: Callable[[], Answer]) -> Answer:
        if rank._rank == 1 and _left(rank)[0] == 1:
            take()
        return take()

    return _answers(ending)


def wrap_takes_wrong_rows() -> Any:
    """A batch is filled up with its own first row."""

    def filling(rank: Rank, take: Callable[[], Answer]) -> Answer:
        steps, rows = _left(rank)
        answer = take()
        delivery = rank._dataset._parameters.stream.delivery
        if steps == 1 and delivery.remainder == "wrap" and answer[0] == "rows":
            own = rows // delivery.world_size + 1
            ids = answer[1]
            return "rows", [*ids[:own], *(ids[0] for _ in ids[own:])]
        return answer

    return _answers(filling)


def a_read_error_ends_the_epoch() -> Any:
    """An error of a file is taken for the end of the iteration."""

    def swallowing(_: Rank, take: Callable[[], Answer]) -> Answer:
        try:
            return take()
        except OSError:
            return "end", None

    return _answers(swallowing)


def _elements(change: Callable[[dict[str, Any]], None]) -> Any:
    """Returns a patch that changes the features of batches."""

    def changed(make: Any) -> Any:
        def ids_of(element: dict[str, Any]) -> Any:
            element = dict(element)
            if np.ndim(element["id"]):
                change(element)
            return make(element)

        return ids_of

    return _instead(ranks, "ids_of", changed)


def fill_rows_are_marked_valid() -> Any:
    """Fill rows are delivered as if they were rows."""

    def marking(element: dict[str, Any]) -> None:
        if "__valid" in element:
            element["__valid"] = np.ones_like(element["__valid"])

    return _elements(marking)


def a_column_is_shifted_by_a_row() -> Any:
    """The values of a column are those of the rows beside."""

    def shifting(element: dict[str, Any]) -> None:
        if "half" in element:
            element["half"] = np.roll(element["half"], 1)

    return _elements(shifting)


def a_state_counts_a_batch_read_ahead() -> Any:
    """A state is one step ahead of the batches that were delivered."""

    def counting(make: Any) -> Any:
        def state(self: Rank, source: str) -> dict[str, Any]:
            found: dict[str, Any] = make(self, source)
            if _left(self)[0] > 1:
                found["row"] += found["global_batch"]
            return found

        return state

    return _instead(Rank, "state", counting)


PLANTED: dict[str, Callable[[], Any]] = {
    plant.__name__: plant
    for plant in (
        a_resume_repeats_a_batch,
        a_state_is_adopted_with_the_wrong_row,
        a_resume_forgets_the_epochs_that_are_done,
        a_state_counts_a_batch_read_ahead,
        a_rank_that_is_resized_skips_a_step,
        two_ranks_have_one_lane,
        the_last_partial_batch_is_lost,
        an_epoch_has_the_order_of_the_first,
        wrap_takes_wrong_rows,
        fill_rows_are_marked_valid,
        ranks_make_unequal_numbers_of_steps,
        a_filter_loses_the_last_row_of_a_group,
        a_row_is_in_another_split,
        growth_loses_a_file,
        a_mixture_takes_from_the_wrong_source,
        a_read_error_ends_the_epoch,
        a_column_is_shifted_by_a_row,
    )
}


@contextmanager
def planted(name: str | None) -> Iterator[None]:
    """Plants a fault as long as the block runs; None plants nothing."""
    if name is None:
        yield
        return
    with PLANTED[name]():
        yield
