# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What plays a CUDA device where there is none, and batches as they can be compared."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch

from rowfeed._columns.ragged import Ragged
from rowfeed._native import core
from rowfeed._torch import device as torch_device

HAS_CUDA = torch.cuda.is_available()


class Played:
    """Does what on_device does, or lets it do that."""

    def __init__(self) -> None:
        self.real = torch_device.on_device
        self.num_batches = 0
        self.errors: list[BaseException] = []  # To raise, one for each call.

    def __call__(self, batch: core.PackedBatch, device: Any) -> core.Batch:
        if self.errors:
            raise self.errors.pop()
        self.num_batches += 1
        if HAS_CUDA:
            return self.real(batch, device)
        arena = torch.empty(batch.num_bytes, dtype=torch.uint8, device="cpu")
        batch.copy_to(arena.data_ptr())
        return batch.tensors_in(arena)


def plain(element: Any, *, is_cuda: bool = HAS_CUDA) -> Any:
    """Returns tensors as lists, with their dtypes and kinds."""
    below = partial(plain, is_cuda=is_cuda)
    if isinstance(element, tuple):
        return tuple(map(below, element))
    if isinstance(element, dict):
        return {name: below(part) for name, part in element.items()}
    if isinstance(element, Ragged):
        parts = below(element.values), below(element.offsets)
        return (element.kind, *parts, element.tolist())
    assert element.is_cuda == is_cuda
    return (element.dtype, element.tolist())


on_host = partial(plain, is_cuda=False)


def write_mixed_types(path: Path) -> Path:
    """Writes columns of every kind that tensors are made of; rows differ in size."""
    random = np.random.default_rng(3)
    rows = 500
    words = [None if i % 11 == 3 else "w" * (i % 40) for i in range(rows)]
    tokens = [random.integers(0, 99, i % 7).tolist() for i in range(rows)]
    nested = [[tokens[i - 1], [], tokens[i]][: i % 4] for i in range(rows)]
    table = pa.table(
        {
            "id": np.arange(rows),
            "flag": pa.array(random.integers(0, 2, rows).astype(bool)),
            "half": pa.array(random.standard_normal(rows).astype(np.float16)),
            "word": words,
            "tokens": pa.array(tokens, pa.list_(pa.int32())),
            "nested": pa.array(nested, pa.list_(pa.list_(pa.int64()))),
            "image": pa.array([bytes(5000 + i) for i in range(rows)]),
            "fixed": pa.FixedSizeListArray.from_arrays(np.arange(rows * 3.0), 3),
            **{f"x{i}": random.standard_normal(rows) for i in range(5)},
        }
    )
    pq.write_table(table, path, row_group_size=60)
    return path
