# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""dataset.settings has the options in force, as the constructor takes them."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest

import rowfeed
from rowfeed import Column, ParquetDataset

FACES = pytest.mark.parametrize("face", ["", ".torch", ".tensorflow"])
EVERY: dict[str, Any] = {
    "columns": {"x": Column("half", dtype="float32"), "id": "id"},
    "label": "even",
    "shuffle": True,
    "shuffle_window": 150,
    "block_rows": 20,
    "seed": 3,
    "num_epochs": 2,
    "first_epoch": 4,
    "remainder": "wrap",
    "num_threads": 2,
    "memory_budget_bytes": 1 << 28,
    "filter": [("half", "<", 50)],
    "verify_checksums": True,
    "use_statistics": False,
}


def class_of(face: str) -> Any:
    if face:
        pytest.importorskip(face[1:])
    return importlib.import_module(f"rowfeed{face}").ParquetDataset


@FACES
@pytest.mark.parametrize("given", [{}, EVERY], ids=["defaults", "every"])
def test_they_make_the_same_dataset_again(
    face: str, given: dict[str, Any], numbers: Path
) -> None:
    dataset = class_of(face)(numbers, 16, **given)
    again = class_of(face)(dataset.catalog, **dataset.settings)
    assert again.state_at(4, 1) == dataset.state_at(4, 1)
    assert again.element_spec == dataset.element_spec
    shown, made = dataset.settings, again.settings
    assert str(shown.pop("filter")) == str(made.pop("filter"))
    assert shown == made


def test_they_are_the_keywords_of_the_constructor(numbers: Path) -> None:
    keywords = {*inspect.signature(ParquetDataset.__init__).parameters}
    settings = ParquetDataset(numbers, 16).settings
    data = {"paths", "partitions", "storage_options", "filesystem"}
    assert {*settings} == keywords - {"self", *data}


def test_defaults_are_filled_in(numbers: Path) -> None:
    settings = ParquetDataset(numbers, 16, shuffle=True).settings
    assert settings["remainder"] == "uneven"
    assert settings["num_lanes"] == settings["world_size"] == 1
    assert settings["shuffle_window"] > 0
    assert settings["memory_budget_bytes"] > 0
    assert settings["num_threads"] > 0
    for name in ("columns", "label", "filter", "block_rows", "cache_dir", "refresh"):
        assert settings[name] is None
    assert ParquetDataset(numbers, None).settings["batch_size"] is None
    assert ParquetDataset(numbers, 1).settings["batch_size"] == 1


def test_given_values_are_read_back(numbers: Path, tmp_path: Path) -> None:
    settings = ParquetDataset(numbers, 16, **EVERY, cache_dir=tmp_path).settings
    for name in EVERY.keys() - {"columns", "label", "filter"}:
        assert settings[name] == EVERY[name]
    assert settings["columns"] == {"x": EVERY["columns"]["x"], "id": Column("id")}
    assert settings["label"] == Column("even")
    assert settings["filter"].equals(pc.field("half") < 50)
    assert settings["cache_dir"] == str(tmp_path)


def test_those_of_growing_data_name_its_snapshots(
    numbers: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    settings = ParquetDataset(numbers, 16, refresh="epoch", snapshot_dir=kept).settings
    assert (settings["refresh"], settings["snapshot_dir"]) == ("epoch", str(kept))
    assert ParquetDataset(numbers, **settings).settings == settings


def test_a_value_that_a_state_gave_is_in_force(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 32, shuffle=True)
    other = ParquetDataset(numbers, 32, shuffle=True, shuffle_window=150)
    dataset.load_state_dict(other.state_dict())
    assert dataset.settings["shuffle_window"] == 150


@FACES
def test_a_mixture_has_what_its_sources_share(face: str, numbers: Path) -> None:
    sources = [class_of(face)(numbers, 32, columns=["id"], seed=i) for i in range(2)]
    settings = rowfeed.mix(sources, {0: [3, 1], 2: [1, 1]}, stop="endless").settings
    assert settings["batch_size"] == 32
    assert settings["weights"] == {0: [3, 1], 2: [1, 1]}
    assert settings["stop"] == "endless"
    assert "seed" not in settings
    assert rowfeed.mix(sources, [3, 1]).settings["weights"] == [3, 1]


def test_to_change_them_changes_no_dataset(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 32)
    dataset.settings["batch_size"] = 1
    assert dataset.settings["batch_size"] == 32
