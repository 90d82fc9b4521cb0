# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Files that differ in a column and join a data set that grows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from differing_rows import dataset_class, plain
from drifting import CASES, NUMBERS, ROWS, Drift, fills
from reading import FACES
from rowfeed import Column


class Pile:
    """A directory to which the files of a drift are added one by one."""

    def __init__(self, drift: Drift, path: Path) -> None:
        self.drift, self.path, self.snapshots = drift, path / "data", path / "kept"
        self.path.mkdir()

    def add(self, index: int) -> None:
        self.drift.write_file(self.path, index)

    def dataset(self, face: str = "numpy", **keywords: Any) -> Any:
        given: dict[str, Any] = {
            "columns": self.drift.columns(),
            "shuffle": True,
            **keywords,
        }
        return dataset_class(face)(
            self.path, 9, refresh="epoch", snapshot_dir=self.snapshots, **given
        )


def of_valid(batches: Any) -> dict[int, Any]:
    """Returns the rows of a growing data set, whose batches say which are valid."""
    found = {}
    for batch in batches:
        valid = batch["__valid"]
        rows = zip(plain(batch["id"]), plain(batch["x"]), plain(valid), strict=True)
        found.update({i: x for i, x, is_valid in rows if is_valid})
    return found


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize(
    "name", ["missing", "null", "widths", "units", "strings_and_binaries"]
)
def test_a_file_that_differs_joins_growing_data(
    tmp_path: Path, name: str, face: str
) -> None:
    drift = next(case for case in CASES if case.name == name)
    pile = Pile(drift, tmp_path)
    pile.add(0)
    dataset = pile.dataset(face, num_epochs=None)
    iterator = iter(dataset)
    steps = -(-ROWS // 9)
    assert of_valid(next(iterator) for _ in range(steps)) == drift.rows(0)
    pile.add(1)
    steps = -(-2 * ROWS // 9)
    found: dict[int, Any] = {}
    for _ in range(3):  # An epoch that was made ahead does not have the file yet.
        found = of_valid(next(iterator) for _ in range(steps))
        if len(found) == 2 * ROWS:
            break
    assert found == drift.rows(0, 1)


def test_growing_data_refuses_what_is_not_settled(tmp_path: Path) -> None:
    pile = Pile(Drift("", [NUMBERS, fills(0)], {}, None), tmp_path)
    pile.add(0)
    dataset = pile.dataset()
    assert of_valid(dataset) == pile.drift.rows(0)
    pile.add(1)
    dataset.set_epoch(1)
    with pytest.raises(
        ValueError, match=r"'x' is int64 in .*0\.parquet, missing in .*1\.parq"
    ):
        list(dataset)
    settled = pile.dataset(columns=["id", Column("x", fill=0)], first_epoch=1)
    assert of_valid(settled) == pile.drift.rows()


def test_growing_data_that_begins_without_the_column(tmp_path: Path) -> None:
    pile = Pile(Drift("", [fills(-1), NUMBERS], {"fill": -1}, None), tmp_path)
    pile.add(0)
    with pytest.raises(KeyError, match="no column 'x'"):
        pile.dataset()
    pile.add(1)
    assert of_valid(pile.dataset()) == pile.drift.rows()
