# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a SampleWriter refuses, in which words, and that nothing of it is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from rowfeed import SampleWriter
from rowfeed._write.sample_file import SampleFile
from sampling import SCHEMA, ids_in, rows_of

WRONG: list[tuple[Any, type[Exception], str]] = [
    ({"id": [1]}, ValueError, r"'state' missing: expected .* found \['id'\]"),
    (rows_of(0, 2) | {"z": [1, 2]}, ValueError, "'z' not in the schema"),
    (rows_of(0, 2) | {"id": [1]}, ValueError, "different numbers of rows"),
    (
        rows_of(0, 2) | {"id": np.zeros(2)},
        TypeError,
        "'id': expected int64, found float64",
    ),
    (
        rows_of(0, 2) | {"state": np.zeros((2, 4), np.float32)},
        ValueError,
        r"'state': expected shape \('rows', 3\), found \(2, 4\)",
    ),
    (
        rows_of(0, 2) | {"state": [np.zeros(3, "f4"), np.zeros(2, "f4")]},
        ValueError,
        r"'state': expected rows of shape \(3,\)",
    ),
    (rows_of(0, 2) | {"id": [1, None]}, ValueError, "'id': expected no nulls, found 1"),
    (rows_of(0, 2) | {"id": ["a", "b"]}, TypeError, "'id': expected int64"),
    (rows_of(0, 2) | {"id": 7}, TypeError, "'id': expected int64"),
    ([{"id": 1, "state": np.zeros(3, "f4")}, {"id": 2}], ValueError, "row 1: 'state'"),
    (7, TypeError, "rows must be a dict"),
    (
        pa.table({"id": pa.array([1], pa.int32()), "state": [[1.0, 2.0, 3.0]]}),
        TypeError,
        "'id': expected int64, found int32",
    ),
]


@pytest.mark.parametrize(("rows", "error", "message"), WRONG)
def test_wrong_rows_are_named_and_nothing_of_them_is_written(
    rows: Any, error: type[Exception], message: str, tmp_path: Path
) -> None:
    with SampleWriter(tmp_path, SCHEMA) as writer:
        writer.write(rows_of(0, 4))
        with pytest.raises(error, match=message):
            writer.write(rows)
        writer.write(rows_of(4, 5))
    assert ids_in(tmp_path) == [*range(5)]


@pytest.mark.parametrize(
    ("schema", "options", "error", "message"),
    [
        (7, {}, TypeError, "schema must be"),
        ({}, {}, ValueError, "no columns"),
        ({"x": "no dtype"}, {}, TypeError, "column 'x': 'no dtype' is no dtype"),
        ({"x": object}, {}, TypeError, "column 'x'"),
        ({"x": ("f4", (0,))}, {}, ValueError, r"column 'x': \(0,\) has a size below 1"),
        ({"x": ("f4", (None,))}, {}, TypeError, "column 'x': no shape of ints"),
        ({"x": pa.month_day_nano_interval()}, {}, NotImplementedError, "interval"),
        (SCHEMA, {"rows_per_group": 0}, ValueError, "rows_per_group must be >= 1"),
        (SCHEMA, {"rows_per_file": 1.5}, TypeError, "rows_per_file must be an int"),
        (SCHEMA, {"max_bytes": -1}, ValueError, "max_bytes must be >= 1"),
        (SCHEMA, {"max_bytes": 9, "keep_epochs": 0}, ValueError, "keep_epochs"),
        (SCHEMA, {"compression": "best"}, ValueError, "(?i)best"),
        (SCHEMA, {"compression": {"y": "zstd"}}, ValueError, "no such columns.*'y'"),
    ],
)
def test_wrong_options_are_refused_at_once(
    schema: Any,
    options: dict[str, Any],
    error: type[Exception],
    message: str,
    tmp_path: Path,
) -> None:
    with pytest.raises(error, match=message):
        SampleWriter(tmp_path / "samples", schema, **options)
    assert not (tmp_path / "samples").exists()


def test_closed_writer_takes_nothing(tmp_path: Path) -> None:
    writer = SampleWriter(tmp_path, SCHEMA)
    writer.write(rows_of(0, 3))
    writer.close()
    writer.close()
    with pytest.raises(ValueError, match="closed"):
        writer.write(rows_of(3, 4))
    with pytest.raises(ValueError, match="closed"):
        writer.flush()
    assert ids_in(tmp_path) == [0, 1, 2]


@pytest.mark.parametrize("call", ["write", "flush", "close"])
def test_a_signal_handler_within_a_write_is_refused_and_nothing_comes_twice(
    call: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    writer = SampleWriter(tmp_path, SCHEMA, rows_per_group=10)
    arguments = [rows_of(90, 95)] if call == "write" else []
    refused: list[str] = []
    write = SampleFile.write

    def interrupted(self: SampleFile, batch: Any) -> None:
        write(self, batch)
        with pytest.raises(RuntimeError) as error:
            getattr(writer, call)(*arguments)
        refused.append(str(error.value))

    monkeypatch.setattr(SampleFile, "write", interrupted)
    writer.write(rows_of(0, 25))
    writer.close()
    assert len(refused) == 3
    assert "signal handler" in refused[0]
    assert ids_in(tmp_path) == list(range(25))


@pytest.mark.parametrize("values", [np.array(["a"]), np.array([{}], object), ["a"]])
def test_what_is_no_number_is_named_by_its_column(values: Any, tmp_path: Path) -> None:
    writer = SampleWriter(tmp_path, {"x": "int64"})
    with pytest.raises(TypeError, match="column 'x': expected int64"):
        writer.write({"x": values})


def test_snapshots_in_a_store_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotImplementedError, match="snapshot_dir must be a local"):
        SampleWriter(tmp_path, SCHEMA, max_bytes=1, snapshot_dir=["/x", "s3://b/x"])
