# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""In TensorFlow: states over data that changed, or of another order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from changing_numbers import (
    CHANGES,
    KEPT,
    LOST,
    ROW,
    SHUFFLED,
    STEP,
    change,
    epochs,
    go_on,
    write_data,
)

pytest.importorskip("tensorflow")

from rowfeed.tensorflow import ParquetDataset
from tf_numbers import ids


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path / "data")


def make(data: Path, **keywords: Any) -> Any:
    return ParquetDataset(data, 16, **{**SHUFFLED, **keywords})


@pytest.mark.parametrize("kind", CHANGES)
def test_changed_data(data: Path, kind: str) -> None:
    state, before, text = change(data, kind)
    dataset = make(data)
    with pytest.raises(ValueError, match=f"^state: fingerprint is .*: {text}$"):
        dataset.load_state_dict(state, catalog=before)
    with pytest.raises(ValueError, match=r"^state: fingerprint .*`catalog`$"):
        dataset.load_state_dict(state)
    assert dataset.state_dict()["row"] == 0
    message = go_on(dataset, state, catalog=before)
    assert (KEPT if kind == "rewritten with the same size" else LOST) in message
    first, second = epochs(data, 2)
    assert ids(dataset) == first[ROW:]
    assert ids(dataset) == second


def test_another_order(data: Path) -> None:
    state = make(data).state_at(0, STEP)
    dataset = make(data, seed=12)
    with pytest.raises(ValueError, match=r"^state: seed is 11, but 12 in this data"):
        dataset.load_state_dict(state)
    assert go_on(dataset, state).endswith(LOST)
    assert ids(dataset) == epochs(data, 1, seed=12)[0][ROW:]


def test_options_left_at_none_keep_the_values_of_the_graph(data: Path) -> None:
    state = make(data).state_at(0, STEP)
    loose: dict[str, Any] = {"shuffle_window": None, "num_lanes": None}
    dataset = make(data, **loose)
    with pytest.raises(ValueError, match="give shuffle_window=50, block_rows=10 and"):
        dataset.load_state_dict(state)
    message = go_on(dataset, state)
    assert "num_lanes is 4, but 1 in this dataset" in message
    assert message.endswith(LOST)
    assert ids(dataset) == epochs(data, 1, **loose)[0][ROW:]
