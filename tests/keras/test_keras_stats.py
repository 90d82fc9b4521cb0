# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""TensorBoardStats: what it writes is read back from the event file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

keras = pytest.importorskip("keras")
tf = pytest.importorskip("tensorflow")
pytest.importorskip("tensorboard")

from numbered_rows import NUM_ROWS  # noqa: E402
from rowfeed.keras import TensorBoardStats  # noqa: E402
from rowfeed.tensorflow import ParquetDataset  # noqa: E402


def read(log_dir: Path) -> dict[str, dict[int, Any]]:
    """Returns the value of each tag at each step."""
    values: dict[str, dict[int, Any]] = {}
    (path,) = log_dir.rglob("events.*")
    for event in tf.compat.v1.train.summary_iterator(str(path)):
        for value in event.summary.value:
            tensor = tf.make_ndarray(value.tensor)
            values.setdefault(value.tag, {})[event.step] = tensor.ravel()[0]
    return values


def fit(callback: Any, dataset: Any, **keywords: Any) -> None:
    inputs = {"id": keras.Input((), name="id", dtype="int64")}
    number = keras.layers.Lambda(lambda x: keras.ops.cast(x, "float32")[:, None])
    model = keras.Model(inputs, keras.layers.Dense(1)(number(inputs["id"])))
    model.compile("sgd", "mse")
    model.fit(dataset, verbose=0, shuffle=False, callbacks=[callback], **keywords)


def make(data: Path) -> ParquetDataset:
    return ParquetDataset(data, 16, columns=["id"], label="half", shuffle=True)


def test_each_epoch_of_fit_has_its_numbers(numbers: Path, tmp_path: Path) -> None:
    dataset = make(numbers)
    next(iter(dataset))  # What was before is not in them.
    fit(TensorBoardStats(tmp_path, dataset), dataset.prefetch(1), epochs=2)
    values = read(tmp_path)
    assert set(values["rowfeed/wait_share"]) == {0, 1}
    for step in (0, 1):
        assert 0 <= values["rowfeed/wait_share"][step] <= 1
        assert values["rowfeed/rows_per_second"][step] > 0
        assert values["rowfeed/requests"][step] > 0
        assert values["rowfeed/columns/id"][step] > 0
        assert values["rowfeed/advice"][step].startswith(b"The model waited for data")
    assert dataset.stats().rows > 2 * NUM_ROWS


def test_only_a_dataset_of_ours_has_stats(numbers: Path, tmp_path: Path) -> None:
    pipeline = make(numbers).prefetch(1)
    with pytest.raises(TypeError, match="give the one below the pipeline"):
        TensorBoardStats(tmp_path, pipeline)


def test_without_tensorboard_it_says_what_to_install(
    numbers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rowfeed._keras.stats.find_spec", lambda _: None)
    with pytest.raises(ImportError, match="pip install tensorboard"):
        TensorBoardStats(tmp_path, make(numbers))
