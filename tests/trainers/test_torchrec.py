# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Columns of a batch as a KeyedJaggedTensor of torchrec, trained on."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from process_groups import script
from rowfeed import Column, Ragged
from trainers import installed

torch = installed("torch")
with warnings.catch_warnings():  # fbgemm's package for CPUs lacks some of its modules.
    warnings.simplefilter("ignore")
    torchrec = installed("torchrec")

from rowfeed.integrations.torchrec import keyed_jagged_tensor  # noqa: E402
from rowfeed.torch import ParquetDataset  # noqa: E402


@pytest.fixture
def batch(numbers: Path) -> Any:
    """A shuffled batch of 32 rows, whose lists are empty in every fourth row."""
    columns: list[str | Column] = ["id", Column("parts", dtype="int64"), "half", "name"]
    dataset = ParquetDataset(numbers, 32, columns=columns, shuffle=True, seed=7)
    return dataset.peek()


def lists_of(jagged: Any, name: str) -> list[list[int]]:
    """Returns the rows of a key as torchrec has them."""
    return [row.tolist() for row in jagged[name].to_dense()]


def addresses(*tensors: Any) -> list[int]:
    return [tensor.data_ptr() for tensor in tensors]


def test_one_column_shares_its_memory(batch: Any) -> None:
    parts = batch["parts"]
    jagged = keyed_jagged_tensor(batch, ["parts"])
    assert (jagged.keys(), jagged.stride()) == (["parts"], 32)
    assert addresses(jagged.values(), jagged.offsets()) == addresses(
        parts.values, parts.offsets
    )
    assert lists_of(jagged, "parts") == parts.tolist()
    one_per_row = keyed_jagged_tensor({"id": batch["id"]})
    assert addresses(one_per_row.values()) == addresses(batch["id"])
    assert lists_of(one_per_row, "id") == [[row] for row in batch["id"].tolist()]


def test_several_columns_are_the_keys_in_the_order_asked_for(batch: Any) -> None:
    jagged = keyed_jagged_tensor(batch, ["parts", "id"])
    assert (jagged.keys(), jagged.stride()) == (["parts", "id"], 32)
    assert lists_of(jagged, "parts") == batch["parts"].tolist()
    assert lists_of(jagged, "id") == [[row] for row in batch["id"].tolist()]
    pairs = torch.arange(64).reshape(32, 2)
    wide = keyed_jagged_tensor({"pairs": pairs, "id": batch["id"]})
    assert lists_of(wide, "pairs") == pairs.tolist()
    assert wide.to("cpu", non_blocking=True).keys() == ["pairs", "id"]


def test_an_epoch_has_the_rows_of_the_data_set(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 32, columns=["id", "parts"], shuffle=True)
    found: dict[int, list[int]] = {}
    for batch in dataset:
        jagged = keyed_jagged_tensor(batch, ["parts"])
        found.update(zip(batch["id"].tolist(), lists_of(jagged, "parts"), strict=True))
    assert found == {row: [row] * (row % 4) for row in range(250)}


def test_embedding_bags_of_torchrec_pool_what_pytorch_pools(batch: Any) -> None:
    tables = [
        torchrec.EmbeddingBagConfig(
            name=name, embedding_dim=4, num_embeddings=250, feature_names=[name]
        )
        for name in ("parts", "id")
    ]
    bags = torchrec.EmbeddingBagCollection(tables=tables)
    pooled = bags(keyed_jagged_tensor(batch, ["parts", "id"])).to_dict()
    weights = bags.embedding_bags["parts"].weight
    parts = batch["parts"]
    expected = torch.nn.functional.embedding_bag(
        parts.values, weights, parts.offsets[:-1], mode="sum"
    )
    assert torch.equal(pooled["parts"], expected)
    assert torch.equal(pooled["id"], bags.embedding_bags["id"].weight[batch["id"]])


def test_what_cannot_be_a_keyed_jagged_tensor_is_named(batch: Any) -> None:
    with pytest.raises(ValueError, match=r"'id' torch.int64 and 'half' torch.float32"):
        keyed_jagged_tensor(batch, ["id", "half"])
    with pytest.raises(TypeError, match=r"'name' is Ragged\(string, .* encode=\.\.\."):
        keyed_jagged_tensor(batch, ["name"])
    with pytest.raises(KeyError, match=r"no column 'ids', but \['id', 'parts'"):
        keyed_jagged_tensor(batch, ["ids"])
    with pytest.raises(ValueError, match="'id' has 32 and 'other' has 5"):
        keyed_jagged_tensor({"id": batch["id"], "other": torch.arange(5)})
    with pytest.raises(ValueError, match="at least one key"):
        keyed_jagged_tensor(batch, [])
    of_numpy = Ragged(np.array([1, 2]), np.array([0, 1, 2]))
    nested = Ragged(batch["parts"], torch.arange(33))
    for wrong in (of_numpy, nested, np.arange(3), torch.zeros(2, 2, 2)):
        with pytest.raises(TypeError, match="takes numbers or lists of numbers"):
            keyed_jagged_tensor({"wrong": wrong})


def test_the_script_of_the_page_trains(tmp_path: Path) -> None:
    code = script("train_torchrec.py", "trainers.md")
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
