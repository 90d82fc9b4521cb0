# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`which` is what was really delivered, and `where` its inverse, over drawn options."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from recorded import Case, Row, Training, cases, told

_BOTH = (HealthCheck.too_slow, HealthCheck.filter_too_much)


def with_training(case: Case, check: Callable[[Training], None]) -> None:
    """Calls a function with the training of a case, if the case makes sense."""
    with TemporaryDirectory() as folder:
        try:
            training = Training(case, Path(folder))
            steps = [dataset.begin_epoch() for dataset in training.ranks]
        except ValueError:  # No batch, or a source of a mixture without rows.
            assume(False)
        assume(max(steps) > 0)
        check(training)


def places_are_those_delivered(training: Training) -> None:
    """Compares every batch of the epoch, and the inverse for some of its rows."""
    case, epoch = training.case, training.case.epoch
    asked = training.ranks[0]
    came = defaultdict[Row, list[Any]](list)
    for rank in range(case.world_size):
        for step, batch in enumerate(training.delivered(rank)):
            before = asked.state_dict()
            rows = asked.which(epoch, step, rank=rank)
            assert told(rows) == batch
            assert asked.state_dict() == before
            sources = rows.source.tolist()
            for place, (source, at) in enumerate(zip(sources, batch, strict=True)):
                if at is not None:
                    came[(source, *at)].append((epoch, step, rank, place))
    chosen = random.Random(epoch)
    for row in chosen.sample(sorted(came), min(4, len(came))):
        source, *place_of_row = row
        found = asked.where(*place_of_row, [epoch], source=source)
        assert found == sorted(came[row])
    not_delivered_is_nowhere(training, came)


def not_delivered_is_nowhere(training: Training, came: dict[Row, list[Any]]) -> None:
    """Looks for a row that no rank gets, such as one that is dropped or filtered."""
    for source, catalog in enumerate(training.catalogs):
        for group in catalog.row_groups:
            at = (group.file, group.index, group.rows - 1)
            if group.rows and (source, *at) not in came:
                epoch = training.case.epoch
                assert training.ranks[0].where(*at, [epoch], source=source) == []
                return


@settings(max_examples=25, suppress_health_check=_BOTH)
@given(cases())
def test_which_is_what_was_delivered_and_where_its_inverse(case: Case) -> None:
    with_training(case, places_are_those_delivered)


# Most drawn epochs have more than 5 batches, so these are far more than 1,000 places.
@pytest.mark.slow
@pytest.mark.timeout(3600)
@settings(max_examples=400, suppress_health_check=_BOTH)
@given(cases())
def test_which_is_what_was_delivered_at_a_thousand_places(case: Case) -> None:
    with_training(case, places_are_those_delivered)


def other_ranks_are_those_of_a_dataset_made_for_them(training: Training) -> None:
    """Asks one dataset for the batches of another batch size and world size."""
    case, epoch = training.case, training.case.epoch
    asked = training.ranks[0]
    other = Training.dataset(training, 1, 3)
    other.set_epoch(epoch)
    for step in range(min(3, other.begin_epoch())):
        expected = other.which(epoch, step)
        rows = asked.which(epoch, step, rank=1, world_size=3)
        assert told(rows) == told(expected)
        whole = asked.which(
            epoch, step, rank=0, world_size=1, batch_size=3 * case.batch_size
        )
        assert told(whole)[1::3][: len(rows)] == told(rows)


@settings(max_examples=15, suppress_health_check=_BOTH)
@given(cases())
def test_other_ranks_are_asked_for_by_their_number(case: Case) -> None:
    with_training(case, other_ranks_are_those_of_a_dataset_made_for_them)
