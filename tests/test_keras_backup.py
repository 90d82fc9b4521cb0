# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`fit` goes on where it was killed, with the rows and weights it would have had."""

from __future__ import annotations

import importlib
import itertools
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import keras
import pytest
import tensorflow as tf

from conftest import write_numbers
from rowfeed.keras import BackupAndRestore
from tf_numbers import ids, make

BATCH_SIZE = 16
STEPS = 15  # Of an epoch, with remainder="drop".
EPOCHS = 3
TRAINING = Path(__file__).parent / "keras_training.py"
EVERY_STEPS = 4  # Of keras_training.py.


class Died(Exception):
    """Stands for a kill where one process is enough."""


class Noting(keras.Model):  # type: ignore[misc]
    """Notes which rows each step was given."""

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self.rows: list[list[int]] = []

    def note(self, rows: tf.Tensor) -> None:
        self.rows.append(rows.numpy().tolist())

    def taken(self) -> list[int]:
        return list(itertools.chain.from_iterable(self.rows))

    def train_step(self, data: Any) -> Any:
        tf.py_function(self.note, [data[0]], [])
        return super().train_step(data)


def noting(units: int = 1, **keywords: Any) -> Noting:
    number = keras.Input((), dtype="int64")
    scaled = keras.ops.cast(number, "float32")[:, None] / 1000
    model = Noting(number, keras.layers.Dense(units)(scaled))
    model.compile(optimizer="sgd", loss="mse", **keywords)
    return model


def labelled(path: Path, **keywords: Any) -> Any:
    return make(path, **{"label": "half", "remainder": "drop", **keywords})


def inputs(x: dict[str, Any], y: Any) -> Any:
    return x["id"], y


def fit(model: Any, dataset: Any, *callbacks: Any, **keywords: Any) -> Any:
    return model.fit(
        dataset.map(inputs),
        **{"epochs": EPOCHS, "shuffle": False, "verbose": 0, **keywords},
        callbacks=list(callbacks),
    )


def at_step(step: int, action: Callable[[], None], epoch: int = 1) -> Any:
    """Returns a callback that acts after a step of an epoch of `fit`."""
    now = [0]

    def act(batch: int, logs: Any) -> None:  # noqa: ARG001
        if (now[0], batch + 1) == (epoch, step):
            action()

    return keras.callbacks.LambdaCallback(
        on_epoch_begin=lambda epoch, logs: now.__setitem__(0, epoch),  # noqa: ARG005
        on_train_batch_end=act,
    )


def die() -> None:
    raise Died


def die_within_an_epoch(
    folder: Path, path: Path, *callbacks: Any, **options: Any
) -> Any:
    """Leaves a backup after step 8 of epoch 1; returns the model at step 10."""
    model, dataset = noting(), labelled(path)
    backup = BackupAndRestore(folder, dataset, **{"every_steps": 4, **options})
    with pytest.raises(Died):
        fit(model, dataset, *callbacks, at_step(10, die), backup)
    return model


def epochs_of(path: Path, first: int = 0) -> list[list[int]]:
    dataset = labelled(path, first_epoch=first)
    return [ids(dataset) for _ in range(EPOCHS)]


def rest_of(path: Path, row: int = 8 * BATCH_SIZE) -> list[int]:
    """Returns the rows from a row of epoch 1 on."""
    _, second, third = epochs_of(path)
    return second[row:] + third


def run_until_done(folder: Path, data: Path, strategy: str, steps: list[int]) -> Any:
    """Runs one line again and again; it kills itself after each of the steps."""
    folder.mkdir()
    line = [sys.executable, *map(str, (TRAINING, folder, data, strategy, *steps))]
    for start in range(len(steps) + 1):
        done = subprocess.run(
            line, check=False, capture_output=True, text=True, timeout=300
        )
        expected = 0 if start == len(steps) else -signal.SIGKILL
        assert done.returncode == expected, done.stderr
    assert "ran out of data" not in done.stderr
    return json.loads((folder / "result.json").read_text())


# New processes import frameworks, on a machine that is shared.
@pytest.mark.timeout(600)
@pytest.mark.parametrize("strategy", ["default", "mirrored"])
def test_fit_that_is_killed_ends_with_the_same_weights(
    numbers: Path, tmp_path: Path, strategy: str
) -> None:
    result = run_until_done(tmp_path / "run", numbers, strategy, [STEPS + 6])
    assert all(result["equal"])
    goes_on = 4  # The last backup was made after 4 of the 6 steps.
    assert result["batches"] == [
        *([1, batch] for batch in range(STEPS - goes_on)),
        *([2, batch] for batch in range(STEPS)),
    ]
    epochs, history = result["history"]
    assert epochs == [1, 2]
    for name, values in history.items():
        whole = result["whole"][1][name][1:]
        # The sums of replicas are added up in another order.
        assert values == (whole if strategy == "default" else pytest.approx(whole))


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize(
    ("strategy", "steps"),
    [
        ("default", list(range(1, EPOCHS * STEPS + 1))),
        ("mirrored", [2, 9, 15, 16, 23, 24, 29, 30, 41, 45]),
    ],
)
def test_fit_that_is_killed_many_times(
    numbers: Path, tmp_path: Path, strategy: str, steps: list[int]
) -> None:
    result = run_until_done(tmp_path / "run", numbers, strategy, steps)
    assert all(result["equal"])


def test_fit_goes_on_with_the_next_row(numbers: Path, tmp_path: Path) -> None:
    first = die_within_an_epoch(tmp_path / "backup", numbers)
    assert first.taken() == (
        epochs_of(numbers)[0] + epochs_of(numbers)[1][: 10 * BATCH_SIZE]
    )
    model, dataset = noting(), labelled(numbers)
    history = fit(model, dataset, BackupAndRestore(tmp_path / "backup", dataset))
    assert model.taken() == rest_of(numbers)
    assert history.epoch == [1, 2]
    assert model.optimizer.iterations.numpy() == EPOCHS * STEPS
    assert not (tmp_path / "backup").exists()
    # Another training of the same model begins where its line says.
    assert len(fit(model, dataset, epochs=1).epoch) == 1


@pytest.mark.parametrize(
    ("compiled", "fitted"),
    [({}, {"steps_per_epoch": STEPS}), ({"steps_per_execution": 4}, {})],
)
def test_fit_goes_on_with_steps_given(
    numbers: Path, tmp_path: Path, compiled: dict[str, Any], fitted: dict[str, Any]
) -> None:
    die_within_an_epoch(tmp_path / "backup", numbers)
    model, dataset = noting(**compiled), labelled(numbers)
    fit(model, dataset, BackupAndRestore(tmp_path / "backup", dataset), **fitted)
    assert model.taken() == rest_of(numbers)


def test_fit_goes_on_with_other_batches(numbers: Path, tmp_path: Path) -> None:
    die_within_an_epoch(tmp_path / "backup", numbers)
    model, dataset = noting(), labelled(numbers, batch_size=9, remainder="uneven")
    backup = BackupAndRestore(tmp_path / "backup", dataset, every_steps=3)
    stop = at_step(5, lambda: setattr(model, "stop_training", True))
    with pytest.warns(UserWarning, match="global batch of 16"):
        fit(model, dataset, stop, backup)
    assert len(model.rows) == 5
    fit(model, dataset, backup)
    whole = [ids(labelled(numbers, first_epoch=e, remainder="uneven")) for e in (1, 2)]
    assert model.taken() == whole[0][8 * BATCH_SIZE :] + whole[1]


def test_what_others_do_to_the_dataset_shifts_nothing(
    numbers: Path, tmp_path: Path
) -> None:
    model, dataset = noting(), labelled(numbers, first_epoch=2)
    peek = [lambda *_, **__: next(iter(dataset)), lambda *_: ids(dataset.take(3))]
    next(iter(dataset))
    backup = BackupAndRestore(tmp_path / "backup", dataset, every_steps=5)
    before = keras.callbacks.LambdaCallback(
        on_train_begin=peek[0], on_epoch_end=peek[1], on_train_batch_end=peek[0]
    )
    after = keras.callbacks.LambdaCallback(
        on_train_begin=peek[1], on_epoch_begin=peek[0]
    )
    fit(
        model,
        dataset,
        *(before, backup, after),
        validation_data=dataset.map(inputs),
        initial_epoch=1,
    )
    whole = epochs_of(numbers, first=2)
    assert model.taken() == whole[1] + whole[2]


def test_the_probe_of_a_strategy_shifts_nothing(numbers: Path, tmp_path: Path) -> None:
    with tf.distribute.MirroredStrategy(["CPU:0"]).scope():
        model = noting()
    dataset = labelled(numbers)
    fit(model, dataset, BackupAndRestore(tmp_path / "backup", dataset), epochs=2)
    assert model.taken() == epochs_of(numbers)[0] + epochs_of(numbers)[1]


def test_one_process_of_a_strategy_writes(
    numbers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    die_within_an_epoch(tmp_path / "backup", numbers)
    before = sorted((tmp_path / "backup").iterdir())
    extended = type(tf.distribute.get_strategy().extended)
    monkeypatch.setattr(extended, "should_checkpoint", False)
    model, dataset = noting(), labelled(numbers)
    fit(model, dataset, BackupAndRestore(tmp_path / "backup", dataset))
    assert model.taken() == rest_of(numbers)
    assert sorted((tmp_path / "backup").iterdir()) == before


# Keras asks NumPy in an old way.
@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
def test_callbacks_that_change_the_learning_rate(numbers: Path, tmp_path: Path) -> None:
    def halve() -> Any:
        return keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate / 2)  # noqa: ARG005

    die_within_an_epoch(tmp_path / "backup", numbers, halve())
    model, dataset = noting(), labelled(numbers)
    fit(model, dataset, halve(), BackupAndRestore(tmp_path / "backup", dataset))
    assert model.optimizer.learning_rate.numpy() == pytest.approx(0.01 / 2**EPOCHS)


def test_stopping_within_an_epoch_keeps_the_place(
    numbers: Path, tmp_path: Path
) -> None:
    model, dataset = noting(), labelled(numbers)
    stop = at_step(7, lambda: setattr(model, "stop_training", True))
    fit(
        model,
        dataset,
        *(stop, BackupAndRestore(tmp_path / "backup", dataset)),
        validation_data=dataset.map(inputs),
    )
    model = noting()
    fit(model, dataset, BackupAndRestore(tmp_path / "backup", dataset.prefetch(2)))
    assert model.taken() == rest_of(numbers, 7 * BATCH_SIZE)


def test_stopping_after_an_epoch_is_an_end(numbers: Path, tmp_path: Path) -> None:
    model, dataset = noting(), labelled(numbers)
    stop = keras.callbacks.EarlyStopping("loss", mode="max", start_from_epoch=1)
    history = fit(model, dataset, stop, BackupAndRestore(tmp_path / "b", dataset))
    assert len(history.epoch) == EPOCHS
    assert not (tmp_path / "b").exists()


def test_backups_by_time_and_their_number(numbers: Path, tmp_path: Path) -> None:
    folder = tmp_path / "far" / "backup"
    dataset = labelled(numbers)
    options: Any = {"every_s": 1e-9, "keep": 3, "delete_checkpoint": False}
    backup = BackupAndRestore(folder, dataset, **options)
    fit(noting(), dataset, backup, epochs=1)
    found = sorted(folder.iterdir())
    assert [int(path.name.partition("-")[2]) for path in found] == [13, 14, 15]
    states = [json.loads((path / "state.json").read_text()) for path in found]
    assert [s["dataset"] for s in states] == [
        *(dataset.state_at(0, 13), dataset.state_at(0, 14), dataset.state_at(1, 0)),
    ]
    model = noting()
    fit(model, dataset, backup, epochs=1)  # Nothing is left to do.
    assert model.taken() == []
    assert len(list(folder.iterdir())) == 3


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
        (labelled(numbers, num_epochs=2).map(inputs), 30),
    ]:
        with pytest.raises(ValueError, match=f"has {steps} steps.*has 15 batches"):
            model.fit(pipeline, **fine)
    with pytest.raises(ValueError, match=r"has 7 steps.*steps_per_epoch"):
        model.fit(flat, steps_per_epoch=7, **fine)


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


def test_datasets_that_are_refused(numbers: Path) -> None:
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
    for num_epochs in (None, 2):
        with pytest.raises(ValueError, match=f"must be 1, not {num_epochs}"):
            BackupAndRestore("x", labelled(numbers, num_epochs=num_epochs))


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


def test_another_keras_is_one_clear_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("rowfeed.keras")
    with monkeypatch.context() as patch:
        patch.setattr(keras.backend, "backend", lambda: "jax")
        with pytest.raises(ImportError, match="Keras on TensorFlow, not on jax"):
            importlib.reload(module)
    monkeypatch.setitem(sys.modules, "keras", None)
    with pytest.raises(ImportError, match="needs Keras 3: pip install"):
        importlib.reload(module)
