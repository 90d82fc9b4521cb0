# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`which`, `where` and `replay` in every dataset, and what they say of wrong places."""

from __future__ import annotations

import shutil
import tracemalloc
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from growing import Folder, dataset_of
from numbered_rows import NUM_ROWS
from recorded import PLACE, told
from rowfeed import Catalog, ParquetDataset

FACES = ["numpy", "torch", "tensorflow"]
SHUFFLED: dict[str, Any] = {
    "columns": ["id", *PLACE],
    "shuffle": True,
    "seed": 5,
    "shuffle_window": 200,
    "num_lanes": 6,
}
TWO: dict[str, Any] = {"rank": 1, "world_size": 2}


def make(face: str, paths: Any, batch_size: int | None = 16, **keywords: Any) -> Any:
    module = rowfeed if face == "numpy" else pytest.importorskip(f"rowfeed.{face}")
    return module.ParquetDataset(paths, batch_size, **SHUFFLED, **keywords)


def places(batch: Any) -> list[tuple[int, ...]]:
    columns = [np.atleast_1d(np.asarray(batch[name])).tolist() for name in PLACE]
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize("face", FACES)
def test_every_dataset_tells_and_replays_its_batches(numbers: Path, face: str) -> None:
    dataset = make(face, numbers, **TWO, first_epoch=3)
    batches = list(islice(dataset, 5))
    stands = dataset.state_dict()
    assert [told(dataset.which(3, step)) for step in range(5)] == [
        places(batch) for batch in batches
    ]
    replayed = list(dataset.replay(3, range(1, 4)))
    assert [places(batch) for batch in replayed] == [
        places(batch) for batch in batches[1:4]
    ]
    assert type(replayed[0]["id"]) is type(batches[0]["id"])
    apart = dataset.replay(3, [4, 0, 1])
    assert [places(batch) for batch in apart] == [
        places(batches[step]) for step in (4, 0, 1)
    ]
    assert dataset.state_dict() == stands


def test_single_rows_are_batches_of_one(numbers: Path) -> None:
    dataset = make("numpy", numbers, None)
    rows = [row for row, _ in zip(dataset, range(7), strict=False)]
    assert [told(dataset.which(0, step)) for step in range(7)] == [
        places(row) for row in rows
    ]


def test_the_batch_after_a_state_of_another_global_batch(numbers: Path) -> None:
    first = make("numpy", numbers, 10)
    batches = iter(first)
    next(batches)
    state = batches.state_dict()
    resumed = make("numpy", numbers, 7, rank=2, world_size=3, remainder="wrap")
    with pytest.warns(rowfeed.StateWarning, match="global batch of 10"):
        resumed.load_state_dict(state)
    delivered = list(resumed)
    for step, batch in enumerate(delivered):
        rows = resumed.which(0, start_row=10 + 21 * step)
        assert told(rows) == places(batch)
        assert rows.step == (10 + 21 * step) // 21


def test_no_file_is_needed_without_a_filter(numbers: Path, tmp_path: Path) -> None:
    shutil.copytree(numbers, tmp_path / "data")
    dataset = make("numpy", tmp_path / "data")
    expected = [places(batch) for batch in dataset]
    state = dataset.state_at(0, 4)
    dataset.catalog.save(tmp_path / "catalog")
    shutil.rmtree(tmp_path / "data")
    catalog = Catalog.load(tmp_path / "catalog")
    again = ParquetDataset.from_state(state, catalog, 16)
    assert told(again.which(0, 4)) == expected[4]
    file, group, row = expected[4][9]
    assert (0, 4, 0, 9) in again.where(file, group, row, range(1))


def test_a_filter_needs_its_file_and_says_which(numbers: Path, tmp_path: Path) -> None:
    shutil.copytree(numbers, tmp_path / "data")
    dataset = make("numpy", tmp_path / "data", filter=[("half", "<", 90)])
    expected = [places(batch) for batch in dataset]
    assert [told(dataset.which(0, s)) for s in range(len(dataset))] == expected
    shutil.rmtree(tmp_path / "data")
    with pytest.raises(FileNotFoundError, match=r"data/\d\.parquet"):
        dataset.which(0, 0)


def test_a_filter_is_read_in_the_row_groups_of_the_batch_alone(
    numbers: Path, tmp_path: Path
) -> None:
    shutil.copytree(numbers, tmp_path / "data")
    keywords: dict[str, Any] = {
        "filter": [("even", "==", True)],
        "cache_dir": tmp_path / "counts",
    }
    dataset = ParquetDataset(tmp_path / "data", 16, columns=PLACE, **keywords)
    expected = [places(batch) for batch in dataset]
    state = dataset.state_at(0, 0)
    for name in ("1.parquet", "2.parquet"):
        (tmp_path / "data" / name).unlink()
    again = ParquetDataset.from_state(
        state, dataset.catalog, 16, columns=PLACE, **keywords
    )
    assert told(again.which(0, 0)) == expected[0]
    _, group, row = expected[0][3]
    assert again.where("0.parquet", group, row, [0]) == [(0, 0, 0, 3)]
    assert again.where("0.parquet", 0, 1, [0]) == []
    with pytest.raises(FileNotFoundError, match=r"data/2\.parquet"):
        again.which(0, len(expected) - 1)


def test_an_epoch_of_growing_data_is_what_it_was(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0, 1)
    dataset = dataset_of(folder, columns=PLACE)
    expected, states = [], []
    for epoch in range(2):
        batches = iter(dataset)
        expected.append([places(next(batches)) for _ in range(3)])
        states.append(batches.state_dict())
        list(batches)
        folder.write(2 + epoch)
    for epoch in range(2):
        assert [told(dataset.which(epoch, s)) for s in range(3)] == expected[epoch]
    folder.remove(0)
    later = dataset_of(folder, columns=PLACE)
    with pytest.raises(ValueError, match="epoch 1 has not begun"):
        later.which(1, 0)
    (kept,) = folder.snapshots.glob("epoch-00000001-*.catalog")
    alone = ParquetDataset.from_state(states[1], Catalog.load(kept), 16)
    assert told(alone.which(1, 2)) == expected[1][2]
    keywords: dict[str, Any] = {"columns": PLACE, **folder.keywords()}
    again = ParquetDataset.from_state(
        states[1], folder.path, 16, strict=False, **keywords
    )
    assert told(again.which(1, 2)) == expected[1][2]
    later.load_state_dict(states[1], strict=False)
    rows = later.which(1, 2)
    assert told(rows) == expected[1][2]
    file, group, row = expected[1][2][5]
    assert later.where(file, group, row, [1])[0] == (1, 2, 0, 5)
    with pytest.raises(ValueError, match="epoch 0 has not begun"):
        later.where(0, 0, 0, range(2))


def test_a_row_may_come_twice_in_an_epoch(numbers: Path) -> None:
    dataset = make("numpy", numbers, 48, rank=0, world_size=3, remainder="wrap")
    last = dataset.which(1, len(dataset) - 1)
    assert len(last) == 48
    came = dataset.where(last.path[-1], int(last.row_group[-1]), int(last.row[-1]), [1])
    assert [step for _, step, _, _ in came] == [0, len(dataset) - 1]
    assert came[1] == (1, len(dataset) - 1, 0, 47)


def test_rows_of_fill_are_marked(numbers: Path) -> None:
    dataset = make("numpy", numbers, 48, rank=2, world_size=3, remainder="pad")
    last = dataset.which(0, len(dataset) - 1)
    num_valid = len(range(144 * (len(dataset) - 1) + 2, NUM_ROWS, 3))
    assert last.valid.tolist() == [True] * num_valid + [False] * (48 - num_valid)
    assert last.path[-1] is None
    assert last.row[-1] == last.file[-1] == -1
    table = last.to_arrow()
    assert table["row"].null_count == table["path"].null_count == 48 - num_valid
    assert f"of which {48 - num_valid} rows of fill" in repr(last)


def test_a_table_has_all_and_goes_to_a_file(numbers: Path, tmp_path: Path) -> None:
    dataset = make("numpy", numbers)
    ranks = [dataset.which(2, 1, rank=rank, world_size=3) for rank in range(3)]
    table = pa.concat_tables(rows.to_arrow() for rows in ranks)
    assert table.column_names == [
        *("epoch", "step", "rank", "place"),
        *("path", "row_group", "row", "valid"),
    ]
    assert table["rank"].to_pylist() == [0] * 16 + [1] * 16 + [2] * 16
    assert table["place"].to_pylist() == list(range(16)) * 3
    pq.write_table(table, tmp_path / "rows.parquet")
    assert pq.read_table(tmp_path / "rows.parquet").equals(table)
    assert pa.table(ranks[0]).equals(ranks[0].to_arrow())
    files = [file.path for file in dataset.catalog.files]
    assert ranks[1].path == [files[i] for i in ranks[1].file]
    assert repr(ranks[1]).startswith("rows of epoch 2, step 1, rank 1 of 3\n")
    assert len(repr(dataset.which(0, 0, batch_size=200)).splitlines()) < 20
    assert "<table" in ranks[1]._repr_html_()


def test_a_mixture_names_the_source(numbers: Path) -> None:
    sources = [
        make("numpy", numbers, filter=[("even", "==", even)]) for even in (True, False)
    ]
    mixture = rowfeed.mix(sources, [2, 1])
    ids = {
        (s, *place): row
        for s, source in enumerate(sources)
        for batch in source
        for place, row in zip(places(batch), batch["id"].tolist(), strict=True)
    }
    for step, batch in enumerate(mixture):
        rows = mixture.which(0, step)
        found = zip(rows.source.tolist(), told(rows), strict=True)
        assert [ids[s, *(at or ())] for s, at in found] == batch["id"].tolist()
    assert "source" in mixture.which(0, 0).to_arrow().column_names
    with pytest.raises(ValueError, match=r"source must be in \[0, 1\]"):
        mixture.where(0, 0, 0, [0])


def test_an_endless_mixture_is_searched_up_to_a_step(numbers: Path) -> None:
    sources = [make("numpy", numbers) for _ in range(2)]
    mixture = rowfeed.mix(sources, stop="endless")
    with pytest.raises(ValueError, match="num_steps must be given"):
        mixture.where(0, 0, 7, [0], source=1)
    found = mixture.where(0, 0, 7, [0], source=1, num_steps=100)
    assert len(found) >= 100 * 16 // 2 // NUM_ROWS
    for _, step, _, place in found:
        rows = mixture.which(0, step)
        assert (rows.source[place], told(rows)[place]) == (1, (0, 0, 7))


@pytest.mark.parametrize(
    ("keywords", "error", "said"),
    [
        ({"epoch": -1, "step": 0}, ValueError, "epoch must be >= 0"),
        ({"epoch": 0, "step": 16}, ValueError, r"step must be in \[0, 15\]"),
        ({"epoch": 0, "step": -1}, ValueError, "step must be >= 0"),
        ({"epoch": 0, "step": "1"}, TypeError, "step must be an int"),
        ({"epoch": 0}, TypeError, "either step or start_row"),
        (
            {"epoch": 0, "step": 0, "start_row": 0},
            TypeError,
            "either step or start_row",
        ),
        ({"epoch": 0, "start_row": NUM_ROWS}, ValueError, "start_row must be"),
        ({"epoch": 0, "step": 0, "rank": 1}, ValueError, r"rank must be in \[0, 0\]"),
        ({"epoch": 0, "step": 0, "world_size": 0}, ValueError, "world_size must be"),
        ({"epoch": 0, "step": 0, "batch_size": 0}, ValueError, "batch_size must be"),
    ],
)
def test_batches_that_are_not_there(
    numbers: Path, keywords: Any, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        make("numpy", numbers).which(**keywords)


def test_ranks_that_make_no_step_are_told(numbers: Path) -> None:
    dataset = make("numpy", numbers, remainder="drop")
    with pytest.raises(ValueError, match="global batch of 1600 rows"):
        dataset.which(0, 0, world_size=100)


def test_a_number_of_steps_of_numpy_does_not_overflow(numbers: Path) -> None:
    dataset = make("numpy", numbers)
    found = dataset.where(0, 0, 0, [0])
    assert len(found) == 1
    for num_steps in (np.int8(100), np.int32(2**31 - 1)):
        assert dataset.where(0, 0, 0, [0], num_steps=num_steps) == found


def test_a_batch_larger_than_the_epoch_takes_memory_for_the_rows_there_are(
    numbers: Path,
) -> None:
    dataset = make("numpy", numbers)
    tracemalloc.start()
    rows = dataset.which(0, 0, batch_size=2**24)
    _, most_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(rows) == NUM_ROWS
    assert most_bytes < 2**24


def test_endless_steps_to_replay_are_refused_at_the_first_that_is_not_there(
    numbers: Path,
) -> None:
    steps = iter(count())
    with pytest.raises(ValueError, match=r"step must be at most 15, .*: 16"):
        make("numpy", numbers).replay(0, steps)
    assert next(steps) == 17


def test_steps_to_replay_are_checked_before_the_first(numbers: Path) -> None:
    dataset = make("numpy", numbers)
    with pytest.raises(ValueError, match="step must be at most 15"):
        dataset.replay(0, range(3, 20))
    with pytest.raises(TypeError, match="steps must be numbers such as range"):
        dataset.replay(0, 3)
    assert list(dataset.replay(0, [])) == []
