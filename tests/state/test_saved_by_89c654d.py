# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the version of commit 89c654d has saved is read, or refused in a sentence."""

from __future__ import annotations

import json
import os
import pickle
import shutil
from collections.abc import Iterable
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import pytest

import rowfeed
from loader_warnings import LOADER_WARNINGS
from rowfeed import Catalog

pytestmark = LOADER_WARNINGS

SAVED = Path(__file__).parent / "saved_by_89c654d"
EXPECTED = json.loads((SAVED / "expected.json").read_text())
BATCH = 8
MOST_BATCHES = 20  # What make.py has kept of an endless dataset.
KEYWORDS: dict[str, dict[str, Any]] = run_path(str(SAVED / "keywords.py"))["KEYWORDS"]
SHUFFLED = KEYWORDS["shuffled"]


@pytest.fixture(autouse=True)
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what was saved, as the working directory, with the times of files."""
    copy = shutil.copytree(SAVED, tmp_path / "saved")
    for name, time in EXPECTED["times"].items():
        os.utime(copy / "data" / name, ns=(time, time))
    monkeypatch.chdir(copy)
    return copy


def rows_of(batches: Iterable[Any]) -> list[list[int]]:
    found = []
    for batch in batches:
        features = batch[0] if isinstance(batch, tuple) else batch
        found.append(np.asarray(features["id"]).tolist())
        if len(found) == MOST_BATCHES:
            break
    return found


def face(name: str) -> Any:
    if name == "numpy":
        return rowfeed.ParquetDataset
    return pytest.importorskip(f"rowfeed.{name}").ParquetDataset


def mixture(make: Any) -> Any:
    sources = [
        make("data", BATCH, columns=["id"], shuffle=True, seed=seed) for seed in (1, 2)
    ]
    return rowfeed.mix(sources, weights=[2, 1])


@pytest.mark.fault(42)
@pytest.mark.parametrize("framework", ["numpy", "torch", "tensorflow"])
@pytest.mark.parametrize("name", EXPECTED["states"])
def test_a_state_of_89c654d_goes_on(name: str, framework: str) -> None:
    expected, make = EXPECTED["states"][name], face(framework)
    order = name.partition(", ")[0]
    dataset = (
        mixture(make)
        if order == "mixture"
        else make("data", BATCH, columns=["id"], **KEYWORDS[order])
    )
    dataset.load_state_dict(expected["state"])
    assert rows_of(dataset) == expected["rows"]


def test_a_snapshot_of_89c654d_goes_on() -> None:
    dataset = rowfeed.ParquetDataset(
        "data", BATCH, columns=["id"], refresh="epoch", snapshot_dir="snapshots"
    )
    dataset.load_state_dict(EXPECTED["growing"]["state"])
    assert rows_of(dataset) == EXPECTED["growing"]["rows"]


@pytest.mark.parametrize("num_workers", [0, 2])
def test_a_state_of_a_loader_of_89c654d_goes_on(num_workers: int) -> None:
    stateful = pytest.importorskip("torchdata.stateful_dataloader")
    dataset = face("torch")("data", BATCH, columns=["id"], **SHUFFLED)
    loader = stateful.StatefulDataLoader(
        dataset, batch_size=None, num_workers=num_workers
    )
    state = pickle.loads(Path(f"loader_{num_workers}.pickle").read_bytes())
    loader.load_state_dict(state)
    assert rows_of(loader) == EXPECTED["loaders"][f"loader, {num_workers} workers"]


def test_a_checkpoint_of_an_iterator_of_89c654d_goes_on() -> None:
    tf = pytest.importorskip("tensorflow")
    dataset = face("tensorflow")("data", BATCH, columns=["id"], **SHUFFLED)
    iterator = iter(dataset)
    tf.train.Checkpoint(data=iterator).read("checkpoint/data")
    assert rows_of(iterator) == EXPECTED["checkpoint"]


@pytest.mark.parametrize(
    "name", ["numpy", "torch", "filter", "columns", "mixture", "take"]
)
def test_a_pickled_dataset_of_89c654d_is_refused_with_what_to_do(name: str) -> None:
    if name == "torch":
        pytest.importorskip("torch")
    pickled = Path(f"{name}.pickle").read_bytes()
    with pytest.raises(ValueError, match="make the dataset anew, and give its state"):
        pickle.loads(pickled)


def test_a_pickled_batch_of_89c654d_has_its_values() -> None:
    batch = pickle.loads(Path("batch.pickle").read_bytes())
    assert batch["id"].tolist() == list(range(BATCH))
    assert batch["name"].tolist() == [f"row {i}" for i in range(BATCH)]
    assert batch["parts"].tolist() == [[i] * (i % 4) for i in range(BATCH)]


def test_a_catalog_of_89c654d_makes_the_dataset_that_it_made() -> None:
    opened = Catalog.open("data")
    pickled = pickle.loads(Path("catalog.pickle").read_bytes())
    for catalog in (Catalog.load("data.catalog"), pickled):
        assert catalog.fingerprint == opened.fingerprint
        dataset = rowfeed.ParquetDataset(catalog, BATCH, columns=["id"], **SHUFFLED)
        assert rows_of(dataset) == EXPECTED["states"]["shuffled, 0"]["rows"]


def test_a_backup_of_89c654d_goes_on_in_its_epoch() -> None:
    keras: Any = pytest.importorskip("keras")
    callbacks = pytest.importorskip("rowfeed.keras")
    dataset = face("tensorflow")(
        "data", BATCH, columns=["half"], label="id", **SHUFFLED
    )
    steps: list[int] = []

    class Count(keras.callbacks.Callback):  # type: ignore[misc]
        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
            steps.append(0)

        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:  # noqa: ARG002
            steps[-1] += 1

    half = keras.Input((), name="half")
    dense = keras.layers.Dense(1, kernel_initializer="zeros")
    model = keras.Model({"half": half}, dense(keras.layers.Reshape((1,))(half)))
    model.compile(keras.optimizers.SGD(1e-5), "mae")
    backup = callbacks.BackupAndRestore("backup", dataset, every_steps=2, keep=1)
    model.fit(dataset, epochs=2, shuffle=False, verbose=0, callbacks=[backup, Count()])
    assert steps == [5, 9]
    assert int(model.optimizer.iterations) == 18
