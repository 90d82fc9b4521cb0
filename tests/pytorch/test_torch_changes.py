# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""In torch: states over data that changed, also those that loaders and workers load."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from changing_numbers import (
    KEPT,
    LOST,
    ROW,
    SHUFFLED,
    STEP,
    change,
    epochs,
    go_on,
    ids,
    write_data,
)
from loader_warnings import LOADER_WARNINGS

torch = pytest.importorskip("torch")

from rowfeed.torch import ParquetDataset  # noqa: E402

pytestmark = LOADER_WARNINGS

WORKERS = pytest.mark.parametrize("num_workers", [0, 2])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path / "data")


def make(data: Path, **keywords: Any) -> Any:
    return ParquetDataset(data, 16, **{**SHUFFLED, **keywords})


@pytest.mark.parametrize("kind", ["added", "rewritten with the same size"])
@pytest.mark.parametrize("through", ["dataset", "iterator"])
def test_changed_data(data: Path, kind: str, through: str) -> None:
    state, before, text = change(data, kind)
    dataset = make(data)
    loader = dataset if through == "dataset" else iter(dataset)
    with pytest.raises(ValueError, match=f"^state: fingerprint is .*: {text}$"):
        loader.load_state_dict(state, catalog=before)
    with pytest.raises(ValueError, match=r"^state: fingerprint .*`catalog`$"):
        loader.load_state_dict(state)
    message = go_on(loader, state, catalog=before)
    assert (KEPT if kind.startswith("rewritten") else LOST) in message
    first, second = epochs(data, 2)
    assert ids(loader) == first[ROW:]
    assert ids(dataset) == second


def test_another_order(data: Path) -> None:
    state = make(data).state_at(0, STEP)
    dataset = make(data, seed=12)
    with pytest.raises(ValueError, match=r"^state: seed is 11, but 12 in this data"):
        dataset.load_state_dict(state)
    assert go_on(dataset, state).endswith(LOST)
    assert ids(dataset) == epochs(data, 1, seed=12)[0][ROW:]


def steps_from(data: Path, step: int) -> list[list[int]]:
    dataset = make(data)
    dataset.load_state_dict(dataset.state_at(0, step))
    return [batch["id"].tolist() for batch in dataset]


@WORKERS
def test_a_loader_begins_where_the_dataset_was_moved_to(
    data: Path, num_workers: int
) -> None:
    state, *_ = change(data, "added")
    dataset = make(data)
    go_on(dataset, state)
    loader: Any = torch.utils.data.DataLoader(
        dataset, batch_size=None, num_workers=num_workers
    )
    assert [batch["id"].tolist() for batch in loader] == steps_from(data, STEP)


@WORKERS
def test_a_stateful_loader_gives_states_alone(data: Path, num_workers: int) -> None:
    """Without keywords, to the dataset and to its iterators."""
    loaders = pytest.importorskip("torchdata.stateful_dataloader")

    def load() -> Any:
        return loaders.StatefulDataLoader(
            make(data), batch_size=None, num_workers=num_workers
        )

    loader = load()
    walk = iter(loader)
    for _ in range(STEP):
        next(walk)
    state = loader.state_dict()
    again = load()
    again.load_state_dict(state)
    assert [batch["id"].tolist() for batch in again] == steps_from(data, STEP)
    change(data, "added")
    again = load()
    again.load_state_dict(state)
    with pytest.raises(ValueError, match="fingerprint is"):
        next(iter(again))
