# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Hugging Face datasets: streamed from Parquet, or mapped from their Arrow cache.

Streaming takes row groups in random order through a shuffle buffer; the buffered one
does so with shards of the cache, as the library advises for speed. Mapped, a batch is
any rows at all: a permutation of the whole data set, asked for in batches, which
shuffles better than a window and pays for it with random access. Batches are Arrow's,
the fastest of its formats.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from typing import Any

from benchmarks.peers.loaders import Open, Setup
from benchmarks.peers.loaders.columns import arrays_of


def load(way: str) -> Open:
    """Imports datasets; `way` is "streaming", "mapped" or "buffered"."""
    _library()
    return {"streaming": _streaming, "mapped": _mapped, "buffered": _buffered}[way]


def convert(setup: Setup) -> None:
    """Fills the Arrow cache that the mapped one reads."""
    _open(setup, streaming=False)


def _library() -> Any:
    """Imports the package without access to a network."""
    os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    return importlib.import_module("datasets")


def _open(setup: Setup, *, streaming: bool) -> Any:
    module = _library()
    return module.load_dataset(
        "parquet",
        data_files=str(setup.path),
        split="train",
        streaming=streaming,
        cache_dir=str(setup.converted("hugging-face")),
    ).with_format("arrow")


def _streaming(setup: Setup) -> Iterator[Any]:
    yield from _through_a_buffer(_open(setup, streaming=True).reshard(), setup)


def _buffered(setup: Setup) -> Iterator[Any]:
    rows = _open(setup, streaming=False)
    shards = len(rows) // setup.dataset.group_rows
    yield from _through_a_buffer(rows.to_iterable_dataset(shards), setup)


def _through_a_buffer(rows: Any, setup: Setup) -> Iterator[Any]:
    rows = rows.shuffle(seed=0, buffer_size=setup.buffer_rows)
    for epoch in range(setup.epochs):
        rows.set_epoch(epoch)
        yield from map(arrays_of, rows.iter(setup.dataset.batch_size))


def _mapped(setup: Setup) -> Iterator[Any]:
    rows = _open(setup, streaming=False)
    for epoch in range(setup.epochs):
        shuffled = rows.shuffle(seed=epoch, keep_in_memory=True)
        yield from map(arrays_of, shuffled.iter(setup.dataset.batch_size))
