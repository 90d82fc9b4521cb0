# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a backup of `fit` refuses: pipelines, options, models and data, each by name."""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path
from typing import Any

import keras
import pytest
import tensorflow as tf

import rowfeed
from keras_noting import (
    Died,
    at_step,
    die,
    die_within_an_epoch,
    fit,
    inputs,
    labelled,
    noting,
)
from numbered_rows import write_numbers
from rowfeed.keras import BackupAndRestore, Loader, StartAt


def test_pipelines_that_do_not_keep_batches_are_refused(
    numbers: Path, tmp_path: Path
) -> None:
    dataset = labelled(numbers)
    backup = BackupAndRestore(tmp_path / "backup", dataset)
    model = noting()
    fine = {"verbose": 0, "shuffle": False, "callbacks": [backup]}
    flat = dataset.map(inputs)
    for pipeline, steps in [
        (flat.filter(lambda x, y: x[0] >= 0), "unknown"),  # noqa: ARG005
        (flat.unbatch().batch(10), 24),
        (flat.repeat(2), 30),
        (flat.take(5), 5),
    ]:
        with pytest.raises(ValueError, match=f"has {steps} steps.*has 15 batches"):
            model.fit(pipeline, **fine)
    with pytest.raises(ValueError, match=r"has 7 steps.*steps_per_epoch"):
        model.fit(flat, steps_per_epoch=7, **fine)
    with pytest.raises(ValueError, match="fit trains on another dataset"):
        model.fit(labelled(numbers).map(inputs), **fine)


def test_an_epoch_that_lost_batches_is_an_error(numbers: Path, tmp_path: Path) -> None:
    dataset = labelled(numbers)
    cut = keras.callbacks.LambdaCallback(
        on_train_batch_begin=lambda batch, logs: (  # noqa: ARG005
            dataset.load_state_dict(dataset.state_at(0, 9)) if batch == 0 else None
        )
    )
    backup = BackupAndRestore(tmp_path / "backup", dataset)
    with (
        pytest.warns(UserWarning, match="ran out of data"),
        pytest.raises(RuntimeError, match="ended after 6 of 15 batches"),
    ):
        fit(noting(), dataset, backup, cut)


def test_datasets_that_are_refused(numbers: Path, tmp_path: Path) -> None:
    dataset = labelled(numbers)
    other = tf.data.Dataset.range(3)
    for missing, error in [(None, "NoneType"), (other.map(id), "RangeDataset")]:
        with pytest.raises(TypeError, match=f"ParquetDataset that fit.*{error}"):
            BackupAndRestore("x", missing)
    for pipeline, name in [
        (dataset.map(inputs).filter(lambda x, y: True), "FilterDataset"),  # noqa: ARG005
        (dataset.shuffle(3).prefetch(1), "ShuffleDataset"),
        (dataset.batch(2), "BatchDataset"),
        (dataset.cache(), "CacheDataset"),
        (dataset.concatenate(dataset), "ConcatenateDataset"),
    ]:
        with pytest.raises(ValueError, match=f"has a {name}"):
            BackupAndRestore("x", pipeline)
    any_order = tf.data.Options()
    any_order.deterministic = False
    parallel = dataset.map(inputs, num_parallel_calls=4)
    for reordered in (
        dataset.map(inputs, num_parallel_calls=4, deterministic=False).prefetch(1),
        parallel.with_options(any_order),
    ):
        with pytest.raises(ValueError, match="deterministic=False"):
            BackupAndRestore("x", reordered)
    BackupAndRestore(tmp_path / "fine", parallel)
    for num_epochs in (None, 2):
        with pytest.raises(ValueError, match=f"must be 1, not {num_epochs}"):
            BackupAndRestore("x", labelled(numbers, num_epochs=num_epochs))
    growing = labelled(numbers, refresh="epoch", snapshot_dir=tmp_path)
    with pytest.raises(NotImplementedError, match="datasets that do not grow"):
        BackupAndRestore("x", growing)


def test_options_that_are_refused(numbers: Path) -> None:
    dataset = labelled(numbers)
    refused: list[tuple[Any, str]] = [
        ({"every_steps": 0}, "every_steps"),
        ({"every_s": 0.0}, "every_s"),
        ({"keep": 0}, "keep"),
    ]
    for options, name in refused:
        with pytest.raises(ValueError, match=name):
            BackupAndRestore("x", dataset, **options)
    with pytest.raises(TypeError, match="every_steps"):
        BackupAndRestore("x", dataset, every_steps="epoch")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="backup_dir"):
        BackupAndRestore("", dataset)


def test_a_warm_start_took_epochs_that_nobody_trained_on(
    numbers: Path, tmp_path: Path
) -> None:
    dataset = labelled(numbers)
    options = tf.data.Options()
    options.experimental_warm_start = True
    for callback in (BackupAndRestore(tmp_path / "b", dataset), StartAt(dataset)):
        with pytest.raises(ValueError, match=r"fit is given .*experimental_warm_start"):
            fit(noting(), dataset.with_options(options), callback)
    others = tf.data.Dataset.from_tensor_slices((list(range(32)), [0.0] * 32))
    others = others.batch(16).with_options(options)
    fit(noting(), dataset, StartAt(dataset), epochs=1, validation_data=others)


def test_models_that_are_refused(numbers: Path, tmp_path: Path) -> None:
    dataset = labelled(numbers)
    unbuilt = keras.Sequential([keras.layers.Dense(1)])
    unbuilt.compile("sgd", "mse")
    backup = BackupAndRestore(tmp_path / "backup", dataset)
    with pytest.raises(ValueError, match="not built"):
        fit(unbuilt, dataset, backup)

    die_within_an_epoch(tmp_path / "backup", numbers)
    with pytest.raises(ValueError, match=r"another model: .*/kernel'.* shape \(1, 2\)"):
        fit(noting(units=2), dataset, backup)
    other = noting()
    other.compile("adam", "mse")
    with pytest.raises(ValueError, match=r"another model: it has 8 .*the backup 4"):
        fit(other, dataset, backup)


def test_data_that_is_refused(numbers: Path, tmp_path: Path) -> None:
    die_within_an_epoch(tmp_path / "backup", numbers)
    others = {
        "seed is 7, but 8": labelled(numbers, seed=8),
        "fingerprint": labelled(write_numbers(tmp_path / "other", [100] * 3)),
        "first_epoch=1": labelled(numbers, first_epoch=1),
    }
    for error, dataset in others.items():
        with pytest.raises(ValueError, match=f"the backup .*{error}"):
            fit(noting(), dataset, BackupAndRestore(tmp_path / "backup", dataset))


def test_data_that_changed_is_refused_by_the_names_of_files(tmp_path: Path) -> None:
    data, folder = write_numbers(tmp_path / "data", [100] * 3), tmp_path / "backup"
    die_within_an_epoch(folder, data)
    was = (data / "2.parquet").read_bytes()
    (data / "2.parquet").rename(data / "3.parquet")
    shutil.copy(data / "0.parquet", data / "4.parquet")

    def go_on() -> Any:
        model, dataset = noting(), labelled(data, remainder="drop")
        fit(model, dataset, BackupAndRestore(folder, dataset))
        return model

    changed = r"'2\.parquet' was renamed to '3\.parquet'; '4\.parquet' was added, 100"
    advice = rf" rows\. Give fit the data .* had, or delete {folder} to begin anew$"
    with pytest.raises(ValueError, match=f"the backup .* {changed}{advice}"):
        go_on()
    for path in folder.glob("*/catalog"):
        path.write_bytes(b"damaged")
    with pytest.raises(ValueError, match=r"fingerprint is .*\. Give fit the data"):
        go_on()
    (data / "2.parquet").write_bytes(was)
    for name in ("3", "4"):
        (data / f"{name}.parquet").unlink()
    assert go_on().rows
    assert not folder.exists()


def test_a_line_that_begins_elsewhere_is_refused(numbers: Path, tmp_path: Path) -> None:
    dataset = labelled(numbers)
    backup = BackupAndRestore(tmp_path / "backup", dataset, every_steps=4)
    with pytest.raises(Died):
        fit(noting(), dataset, at_step(6, die, epoch=0), backup)
    with pytest.raises(ValueError, match=r"in epoch 0, but fit begins with epoch 2"):
        fit(noting(), dataset, backup, initial_epoch=2)


def test_a_loader_is_for_other_backends(numbers: Path) -> None:
    with pytest.raises(NotImplementedError, match=r"give fit a rowfeed\.tensorflow"):
        Loader(rowfeed.ParquetDataset(numbers, 16))


def test_another_keras_is_one_clear_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("rowfeed.keras")
    with monkeypatch.context() as patch:
        patch.setattr(keras.backend, "backend", lambda: "jax")
        importlib.reload(module)
        message = "TensorBoardStats needs Keras on TensorFlow, not on jax"
        with pytest.raises(ImportError, match=message):
            _ = module.TensorBoardStats
    monkeypatch.setitem(sys.modules, "keras", None)
    with pytest.raises(ImportError, match="needs Keras 3: pip install"):
        importlib.reload(module)
