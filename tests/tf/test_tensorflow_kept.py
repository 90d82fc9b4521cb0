# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Steps of tf.data that keep elements on disk: later epochs, another process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

from kept_elements import KEPT, epochs_of
from numbered_rows import NUM_ROWS
from repository import SUPPORT
from tf_numbers import ids, make


@pytest.mark.parametrize("name", KEPT)
def test_a_cache_in_a_file_fails_in_the_second_epoch(
    numbers: Path, tmp_path: Path, name: str
) -> None:
    """A later process reads what was kept, and the rows are whole there too."""
    here = epochs_of(name, numbers, tmp_path)
    script = str(SUPPORT / "kept_elements.py")
    command = [sys.executable, script, name, str(numbers), str(tmp_path)]
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    there = json.loads(said.stdout.splitlines()[-1])
    assert len(here) == len(there) == 3
    for epoch in here + there:
        assert sorted(epoch) == list(range(NUM_ROWS))
    if "rows" not in name:  # Its shuffle is that of tf.data.
        assert here + there == [ids(make(numbers))] * 6


@pytest.mark.parametrize("name", ["window", "unique", "shuffle"])
def test_steps_that_hold_many_elements_keep_the_rows(numbers: Path, name: str) -> None:
    rows = make(numbers).map(lambda x: x["id"]).unbatch()
    steps: dict[str, Callable[[], Any]] = {
        "window": lambda: rows.window(7).flat_map(lambda part: part.batch(7)),
        "unique": lambda: rows.concatenate(rows).unique().batch(7),
        "shuffle": lambda: rows.shuffle(100).batch(7),
    }
    dataset = steps[name]()
    assert dataset.options().experimental_symbolic_checkpoint is None
    for _ in range(2):
        assert sorted(ids(dataset)) == list(range(NUM_ROWS))


def test_an_iterator_over_a_cache_is_restored(numbers: Path, tmp_path: Path) -> None:
    def dataset() -> Any:
        return make(numbers).cache(str(tmp_path / "cache"))

    whole = ids(dataset())
    iterator = iter(dataset())
    head = [i for _ in range(3) for i in next(iterator)["id"].numpy().tolist()]
    saved = tf.train.Checkpoint(iterator=iterator).save(str(tmp_path / "saved"))
    again = iter(dataset())
    tf.train.Checkpoint(iterator=again).restore(saved)
    assert head + ids(again) == whole
