# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The torch face without workers: tensors, ranks, loaders, states."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from numbered_rows import NUM_ROWS
from rowfeed._native import core

torch = pytest.importorskip("torch")

from torch.utils.data import DataLoader, IterableDataset  # noqa: E402

from rowfeed.torch import ParquetDataset  # noqa: E402

DTYPES = {"id": torch.int64, "half": torch.float32, "even": torch.bool}


def batches(loader: Any) -> list[list[int]]:
    return [batch["id"].tolist() for batch in loader]


def test_elements_are_tensors_of_the_same_values(numbers: Path) -> None:
    keywords: dict[str, Any] = {"shuffle": True, "label": "even", "num_epochs": 2}
    dataset = ParquetDataset(numbers, 16, **keywords)
    assert isinstance(dataset, IterableDataset)
    arrays = rowfeed.ParquetDataset(numbers, 16, **keywords)
    count = 0
    for (features, label), (expected, expected_label) in zip(
        dataset, arrays, strict=True
    ):
        count += 1
        assert list(features) == list(expected)
        assert label.dtype == torch.bool
        assert label.tolist() == expected_label.tolist()
        for name, tensor in features.items():
            assert tensor.tolist() == expected[name].tolist()
            if name in DTYPES:
                assert tensor.dtype == DTYPES[name]
            else:
                assert isinstance(tensor, rowfeed.Ragged)
                assert isinstance(tensor.values, torch.Tensor)
                assert tensor.offsets.dtype == torch.int64
                assert tensor.to_pyarrow().to_pylist() == tensor.tolist()
    assert count == len(dataset)


def test_tensors_are_the_kernels_memory(numbers: Path) -> None:
    batch = next(iter(ParquetDataset(numbers, 64)))
    flat = [batch["id"], batch["half"], batch["even"], batch["name"].offsets]
    places = sorted(tensor.data_ptr() for tensor in flat)
    assert all(place % 64 == 0 for place in places)
    assert places[-1] - places[0] < 64 * 64, "they are parts of one arena"
    batch["id"] += 1  # Written to without a warning.


@pytest.mark.parametrize("has_exchange", [True, False])
def test_tensors_of_any_dtype_with_and_without_an_exchange(
    has_exchange: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_exchange:  # Old versions of PyTorch have none.
        monkeypatch.setattr(ParquetDataset, "_dlpack_exchange", None)
    names = [f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
    names += ["bool", "float16", "float32", "float64"]
    table = pa.table(
        {name: np.array([0, 1, 3], dtype=name) for name in names}
        | {
            "pair": pa.array([[1, 2], [3, 4], [5, 6]], pa.list_(pa.int16(), 2)),
            "list": [[1.5], [], [2.5, 3.5]],
            "text": ["a", "", "bc"],
        }
    )
    pq.write_table(table, tmp_path / "file.parquet")
    columns: dict[str, Any] = {name: name for name in table.column_names}
    columns["brain"] = rowfeed.Column("float32", dtype="bfloat16")
    columns["stack"] = rowfeed.Stack(["int8", "int16"], layout="columns", dtype="int32")
    batch = next(iter(ParquetDataset(tmp_path, 3, columns=columns)))
    assert list(batch) == list(columns)
    for name in names:
        assert batch[name].dtype == getattr(torch, name)
        assert batch[name].tolist() == table[name].to_pylist()
    assert batch["brain"].dtype == torch.bfloat16
    assert batch["brain"].tolist() == [0, 1, 3]
    assert batch["pair"].tolist() == table["pair"].to_pylist()
    assert batch["pair"].is_contiguous()
    assert batch["pair"].dtype == torch.int16
    assert batch["list"].tolist() == table["list"].to_pylist()
    assert batch["text"].tolist() == table["text"].to_pylist()
    assert batch["stack"].tolist() == [[0, 0], [1, 1], [3, 3]]
    assert batch["stack"].stride(0) == 1
    saved = batch["int64"].untyped_storage().nbytes()
    assert saved == 24, "saved alone, a tensor takes nothing along"


def test_stacked_columns_of_a_small_batch_take_no_others_along(tmp_path: Path) -> None:
    table = pa.table({name: np.zeros(1000, dtype="float32") for name in "xyz"})
    pq.write_table(table, tmp_path / "file.parquet")
    stack = rowfeed.Stack(["x", "y", "z"], layout="columns")
    batch = next(iter(ParquetDataset(tmp_path, 16, columns={"all": stack})))
    assert batch["all"].untyped_storage().nbytes() == 3 * 16 * 4


def test_what_is_no_exchange_of_dlpack_is_left_alone() -> None:
    for found in (None, object(), datetime.datetime_CAPI):
        assert not core.is_dlpack_exchange(found)
    assert core.is_dlpack_exchange(ParquetDataset._dlpack_exchange)


def test_padded_weights(numbers: Path) -> None:
    columns = ["id", "__valid"]
    dataset = ParquetDataset(
        numbers, 96, columns=columns, label="even", remainder="pad"
    )
    *_, (features, _, weight) = dataset
    assert weight.dtype == torch.float32
    assert weight.sum() == NUM_ROWS % 96
    assert features["__valid"].tolist() == weight.bool().tolist()


def test_rows(numbers: Path) -> None:
    row = list(ParquetDataset(numbers, None))[7]
    assert row["id"].shape == ()
    assert row["id"] == 7
    assert row["name"] == "row 7"


def test_a_data_loader_without_workers(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 16, shuffle=True)
    expected = rowfeed.ParquetDataset(numbers, 16, shuffle=True)
    loader = DataLoader(dataset, batch_size=None)
    assert len(loader) == len(dataset) == 16
    for _ in range(3):
        assert batches(loader) == batches(expected)
    assert dataset.state_dict() == expected.state_dict()


def test_ragged_columns_move_and_pin_as_tensors_do(
    numbers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = next(iter(ParquetDataset(numbers, 16)))
    moved = batch["parts"].to("meta")
    assert moved.values.device.type == moved.offsets.device.type == "meta"
    # Pinning needs a device: see that a DataLoader would reach each tensor.
    pinned = []

    def pin(tensor: Any, *_: Any) -> Any:
        pinned.append(tensor)
        return tensor

    monkeypatch.setattr(torch.Tensor, "pin_memory", pin)
    result = torch.utils.data._utils.pin_memory.pin_memory(batch)
    assert len(pinned) == 3 + 2 * 2
    assert result["name"].tolist() == batch["name"].tolist()


def test_a_state_of_one_face_resumes_the_other(numbers: Path) -> None:
    arrays = rowfeed.ParquetDataset(numbers, 16, shuffle=True, num_epochs=2)
    whole = batches(arrays)
    arrays.set_epoch(0)
    walk = iter(arrays)
    for _ in range(19):
        next(walk)
    tensors = ParquetDataset(numbers, 16, shuffle=True, num_epochs=2)
    tensors.load_state_dict(walk.state_dict())
    resumed = iter(tensors)
    assert [next(resumed)["id"].tolist() for _ in range(5)] == whole[19:24]
    arrays.load_state_dict(resumed.state_dict())
    assert batches(arrays) == whole[24:]
    assert batches(resumed) == whole[24:]


@pytest.mark.fault(39)
def test_rank_and_world_size_of_the_process_group(
    numbers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.distributed, "is_initialized", lambda: True)
    monkeypatch.setattr("rowfeed.torch.GroupAgreement.of_group", lambda: None)
    monkeypatch.setattr(torch.distributed, "get_rank", lambda: 2)
    monkeypatch.setattr(torch.distributed, "get_world_size", lambda: 3)
    monkeypatch.setenv("WORLD_SIZE", "3")
    delivery = ParquetDataset(numbers, 4)._parameters.stream.delivery
    assert (delivery.rank, delivery.world_size) == (2, 3)
    given = ParquetDataset(numbers, 4, rank=0, world_size=1)._parameters.stream.delivery
    assert (given.rank, given.world_size) == (0, 1)


@pytest.mark.fault(39)
def test_a_launcher_without_a_process_group_is_an_error(
    numbers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORLD_SIZE", "4")
    with pytest.raises(RuntimeError, match=r"WORLD_SIZE=4.*init_process_group"):
        ParquetDataset(numbers, 4)
    assert len(ParquetDataset(numbers, 4, rank=1, world_size=2)) == 31
    assert len(rowfeed.ParquetDataset(numbers, 4)) == 63
    monkeypatch.setenv("WORLD_SIZE", "1")
    assert len(ParquetDataset(numbers, 4)) == 63


def test_lists_become_nested_tensors(tmp_path: Path) -> None:
    lists = [[1.5], [], [2.5, 3.5]]
    table = pa.table({"x": lists, "s": ["a", "b", "c"], "v": [[[1]], [], [[2]]]})
    pq.write_table(table, tmp_path / "x.parquet")
    (batch,) = ParquetDataset(tmp_path, 3)
    nested = batch["x"].to_nested_tensor()
    assert nested.layout == torch.jagged
    assert [row.tolist() for row in nested.unbind()] == lists
    assert nested.values().data_ptr() == batch["x"].values.data_ptr()
    for name in ("s", "v"):
        with pytest.raises(TypeError, match="cannot be a nested tensor"):
            batch[name].to_nested_tensor()
