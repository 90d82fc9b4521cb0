# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""torch's dataset by index: samplers, DataLoader, workers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from loader_warnings import LOADER_WARNINGS
from numbered_rows import NUM_ROWS

torch = pytest.importorskip("torch")

from torch.utils.data import (  # noqa: E402
    BatchSampler,
    ConcatDataset,
    DataLoader,
    DistributedSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    Subset,
    WeightedRandomSampler,
    random_split,
)

from rowfeed.torch import ParquetDataset, ParquetMapDataset  # noqa: E402

pytestmark = LOADER_WARNINGS


def ids(loader: Any) -> list[list[int]]:
    return [batch["id"].tolist() for batch in loader]


def flat(loader: Any) -> list[int]:
    return [i for batch in ids(loader) for i in batch]


def test_rows_are_those_of_single_rows(numbers: Path) -> None:
    rows = ParquetMapDataset(numbers, label="even")
    singles = list(ParquetDataset(numbers, None, label="even"))
    assert len(rows) == len(singles)
    for index in (0, 63, -1):
        (row, label), (single, single_label) = rows[index], singles[index]
        assert row["name"] == single["name"]
        assert torch.equal(row["parts"], single["parts"])
        assert row["half"].dtype == single["half"].dtype == torch.float32
        assert row["id"].shape == ()
        assert torch.equal(label, single_label)


@pytest.mark.parametrize(
    "index", [7, torch.tensor(7), torch.tensor(7, dtype=torch.int16)]
)
def test_integers_of_torch_are_indices(numbers: Path, index: Any) -> None:
    rows = ParquetMapDataset(numbers)
    assert rows[index]["id"] == 7
    assert rows[[index, 3]]["id"].tolist() == [7, 3]
    assert rows.take(torch.tensor([7, -1]))["id"].tolist() == [7, NUM_ROWS - 1]


@pytest.mark.parametrize("index", [torch.tensor(True), torch.tensor(1.0)])
def test_other_tensors_are_refused(numbers: Path, index: Any) -> None:
    rows = ParquetMapDataset(numbers)
    for wrong in (index, [index], index[None]):
        with pytest.raises(TypeError):
            rows[wrong]


@pytest.mark.parametrize(
    "sampler",
    [
        RandomSampler(range(NUM_ROWS)),
        RandomSampler(range(NUM_ROWS), replacement=True, num_samples=500),
        SequentialSampler(range(NUM_ROWS)),
        WeightedRandomSampler([1.0] * 10 + [5.0] * (NUM_ROWS - 10), 300),
        DistributedSampler(
            range(NUM_ROWS),  # type: ignore[arg-type]
            num_replicas=3,
            rank=1,
        ),
    ],
    ids=lambda sampler: type(sampler).__name__,
)
def test_samplers_choose_the_rows(numbers: Path, sampler: Sampler[int]) -> None:
    rows = ParquetMapDataset(numbers)

    chosen = []

    class Noting(Sampler[int]):
        def __iter__(self) -> Iterator[int]:
            for index in sampler:
                chosen.append(int(index))
                yield index

    loader = DataLoader(rows, 32, sampler=Noting(), collate_fn=rows.collate)
    assert flat(loader) == chosen
    assert len(chosen) == len(sampler)  # type: ignore[arg-type]


def test_the_ranks_of_a_distributed_sampler_share_the_rows(numbers: Path) -> None:
    rows = ParquetMapDataset(numbers, columns=["id"])
    found = []
    for rank in range(2):
        sampler: Any = DistributedSampler(rows, num_replicas=2, rank=rank, seed=5)
        assert len(sampler) == NUM_ROWS // 2
        found += flat(DataLoader(rows, 10, sampler=sampler, collate_fn=rows.collate))
    assert sorted(found) == list(range(NUM_ROWS))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers_deliver_the_same(numbers: Path, method: str) -> None:
    rows = ParquetMapDataset(numbers, label="even")
    rows.take([0])  # Threads of the parent run.
    batches = list(BatchSampler(range(NUM_ROWS - 1, -1, -1), 40, drop_last=False))
    keywords: dict[str, Any] = {"batch_sampler": batches, "collate_fn": rows.collate}
    alone = list(DataLoader(rows, **keywords))
    shared = list(
        DataLoader(rows, num_workers=2, multiprocessing_context=method, **keywords)
    )
    assert len(alone) == len(shared) == len(batches)
    for mine, theirs, batch in zip(alone, shared, batches, strict=True):
        assert mine[0]["id"].tolist() == theirs[0]["id"].tolist() == batch
        assert mine[0]["parts"].tolist() == theirs[0]["parts"].tolist()
        assert torch.equal(mine[1], theirs[1])


def test_a_batch_sampler_as_sampler_needs_no_collate(numbers: Path) -> None:
    rows = ParquetMapDataset(numbers)
    sampler: Any = BatchSampler(SequentialSampler(rows), 100, drop_last=False)
    batches = list(DataLoader(rows, batch_size=None, sampler=sampler))
    assert [len(batch["parts"]) for batch in batches] == [100, 100, NUM_ROWS - 200]
    assert batches[1]["id"].tolist() == list(range(100, 200))


def test_the_default_collate_makes_the_same_batches(numbers: Path) -> None:
    rows = ParquetMapDataset(numbers, columns=["half", "name"], label="id")
    features, label = next(iter(DataLoader(rows, 5)))
    fast, fast_label = next(iter(DataLoader(rows, 5, collate_fn=rows.collate)))
    assert torch.equal(features["half"], fast["half"])
    assert torch.equal(label, fast_label)
    assert features["name"] == fast["name"].tolist()


def test_subsets_take_rows_together(numbers: Path) -> None:
    rows = ParquetMapDataset(numbers)
    subset = Subset(rows, range(30, 20, -1))
    loader = DataLoader(subset, 4, collate_fn=rows.collate)
    assert ids(loader) == [[30, 29, 28, 27], [26, 25, 24, 23], [22, 21]]
    parts = random_split(rows, [0.8, 0.2], torch.Generator().manual_seed(1))
    found = [flat(DataLoader(part, 16, collate_fn=rows.collate)) for part in parts]
    assert sorted(found[0] + found[1]) == list(range(NUM_ROWS))


def test_concatenated_rows_are_collated_one_by_one(numbers: Path) -> None:
    rows = ParquetMapDataset(numbers, columns=["id"])
    both: Any = ConcatDataset([rows, rows])
    loader = DataLoader(both, 3, sampler=[0, NUM_ROWS, 1], collate_fn=rows.collate)
    assert ids(loader) == [[0, 0, 1]]


@pytest.mark.parametrize("label", [None, "id"])
@pytest.mark.parametrize("of_concat", [False, True])
def test_lists_that_torch_cannot_stack_are_an_error_that_names_collate(
    of_concat: bool, label: str | None, numbers: Path
) -> None:
    rows: Any = ParquetMapDataset(numbers, columns=["parts"], label=label)
    source = ConcatDataset([rows, rows]) if of_concat else rows
    expected = r"column 'parts'.*collate_fn=rows.collate.*one ParquetMapDataset"
    loaders = [DataLoader(source, 4)]
    if of_concat:
        loaders.append(DataLoader(source, 4, collate_fn=rows.collate))
    for loader in loaders:
        with pytest.raises(TypeError, match=expected):
            next(iter(loader))
    same = DataLoader(source, 2, sampler=[1, 1])  # Lists of one length.
    batch = next(iter(same))
    features = batch if label is None else batch[0]
    assert features["parts"].tolist() == [[1], [1]]


@pytest.mark.filterwarnings("ignore:the DataLoader makes batches:UserWarning")
def test_lists_of_lists_in_the_default_collate_are_an_error_that_names_collate(
    tmp_path: Path,
) -> None:
    table = pa.table({"lists": [[[1], [2, 3]], [[4], [5, 6]]]})
    pq.write_table(table, tmp_path / "lists.parquet")
    expected = "collate_fn=rows.collate"
    with pytest.raises(TypeError, match=rf"column 'lists'.*{expected}"):
        next(iter(DataLoader(ParquetMapDataset(tmp_path), 2)))
    for batch_size in (2, None):
        with pytest.raises(TypeError, match=rf"batch_size=None.*{expected}"):
            next(iter(DataLoader(ParquetDataset(tmp_path, batch_size), 2)))


@pytest.mark.parametrize("num_workers", [0, 1])
@pytest.mark.parametrize(
    "options", [{"columns": ["id", "parts"]}, {"columns": ["id"], "label": "name"}]
)
@pytest.mark.filterwarnings("ignore:the DataLoader makes batches:UserWarning")
def test_batches_that_torch_cannot_stack_are_an_error_that_says_what_to_give(
    options: dict[str, Any], num_workers: int, numbers: Path
) -> None:
    dataset = ParquetDataset(numbers, 4, **options)
    expected = "torch's default collate cannot stack .*batch_size=None"
    with pytest.raises(TypeError, match=expected):
        next(iter(DataLoader(dataset, num_workers=num_workers)))


@pytest.mark.parametrize("batch_size", ["map", None])
def test_labels_that_torch_cannot_stack_are_an_error_that_names_collate(
    batch_size: str | None, numbers: Path
) -> None:
    options: dict[str, Any] = {"columns": ["id"], "label": "parts"}
    rows: Any = (
        ParquetMapDataset(numbers, **options)
        if batch_size == "map"
        else ParquetDataset(numbers, None, **options)
    )
    with pytest.raises(TypeError, match=r"the label: .*collate_fn=rows.collate"):
        next(iter(DataLoader(rows, 4)))
    features, label = next(iter(DataLoader(rows, 1)))
    assert features["id"].tolist() == [0]
    assert label.tolist() == [[]]


def test_the_advice_for_rows_with_lists_and_a_label_of_lists_of_lists_comes_once(
    tmp_path: Path,
) -> None:
    table = pa.table({"lists": [[1], [2, 3]], "deep": [[[1], [2]], [[3]]]})
    pq.write_table(table, tmp_path / "lists.parquet")
    rows: Any = ParquetMapDataset(tmp_path, columns=["lists"], label="deep")
    sources: list[Any] = [rows, ConcatDataset([rows])]
    for source in sources:
        with pytest.raises(TypeError, match=r"^the label: torch's") as raised:
            next(iter(DataLoader(source, 2)))
        assert str(raised.value).count("torch's default collate") == 1


def test_rows_of_a_batch_are_a_sequence(numbers: Path) -> None:
    rows = ParquetMapDataset(numbers).__getitems__([4, 2, 9])
    assert len(rows) == 3
    assert [row["name"] for row in rows] == ["row 4", "row 2", "row 9"]
    assert rows[-1]["id"] == 9
    assert [row["id"].item() for row in rows[1:]] == [2, 9]
    with pytest.raises(IndexError):
        rows[3]


def test_bad_indices_are_errors(numbers: Path) -> None:
    rows = ParquetMapDataset(numbers)
    with pytest.raises(IndexError, match=f"row {NUM_ROWS} of"):
        rows.__getitems__([0, NUM_ROWS])
    loader = DataLoader(rows, 2, sampler=[0, NUM_ROWS], collate_fn=rows.collate)
    with pytest.raises(IndexError, match=f"row {NUM_ROWS} of"):
        next(iter(loader))
