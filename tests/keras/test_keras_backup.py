# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`fit` goes on where it was killed, with the rows and weights it would have had."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import keras
import pytest
import tensorflow as tf

from keras_noting import (
    BATCH_SIZE,
    EPOCHS,
    at_step,
    die_within_an_epoch,
    epochs_of,
    fit,
    inputs,
    labelled,
    noting,
    rest_of,
)
from repository import SUPPORT
from rowfeed.keras import BackupAndRestore
from tf_numbers import ids

STEPS = 15  # Steps of an epoch, with remainder="drop".
TRAINING = SUPPORT / "keras_training.py"
EVERY_STEPS = 4  # The constant is that of keras_training.py.


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
