# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What cannot be mixed is refused by name, and what mixes badly is warned of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from rowfeed import Column, Padded, ParquetDataset, Stack, Vocabulary

N = 40


def written(folder: Path, **columns: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), folder / "x.parquet")
    return folder


def pair(root: Path, first: Any, second: Any) -> tuple[Path, Path]:
    return written(root / "a", x=first), written(root / "b", x=second)


def mixed(paths: Any, *options: dict[str, Any], **keywords: Any) -> ParquetDataset:
    own = options or ({}, {})
    return rowfeed.mix(
        [ParquetDataset(p, 4, **o) for p, o in zip(paths, own, strict=True)], **keywords
    )


INTS = pa.array(range(N), pa.int32())
LONGS = pa.array(range(N), pa.int64())
LISTS = pa.array([[1.0] * (i % 3) for i in range(N)], pa.list_(pa.float32()))
TRIPLES = pa.array([[1.0] * 3] * N, pa.list_(pa.float32(), 3))


@pytest.mark.parametrize(
    ("first", "second", "types"),
    [
        (INTS, LONGS, "column 'x' of source 1 is int64, but 'x' of source 0 is int32"),
        (INTS, LONGS.cast(pa.string()), "is string, but 'x' of source 0 is int32"),
        (LISTS, TRIPLES, r"is float32 \[3\], but 'x' of source 0 is list of float32"),
        (
            LONGS.cast(pa.timestamp("ms")),
            LONGS.cast(pa.timestamp("us")),
            r"is int64 \(us\), but 'x' of source 0 is int64 \(ms\)",
        ),
    ],
)
def test_other_types_are_refused_with_both(
    tmp_path: Path, first: Any, second: Any, types: str
) -> None:
    with pytest.raises(ValueError, match=types) as refused:
        mixed(pair(tmp_path, first, second))
    assert "Column(name, dtype=" in str(refused.value)


@pytest.mark.parametrize(
    ("first", "second", "specs"),
    [
        (INTS, LONGS, (Column("x"), Column("x", dtype="int32"))),
        (INTS, LONGS, (Column("x", dtype="float64"), Column("x", dtype="float64"))),
        (LISTS, TRIPLES, (Column("x", pad=Padded(3)), Column("x"))),
        (
            INTS,
            pa.array(["b", "a"] * (N // 2)),
            (Column("x"), Column("x", encode=Vocabulary(["a", "b"]), dtype="int32")),
        ),
    ],
)
def test_feature_specs_make_them_the_same(
    tmp_path: Path, first: Any, second: Any, specs: tuple[Column, Column]
) -> None:
    options = [{"columns": [spec]} for spec in specs]
    mixture = mixed(pair(tmp_path, first, second), *options)
    elements = list(mixture)
    assert sum(len(element["x"]) for element in elements) == 2 * N
    assert len({element["x"].dtype for element in elements}) == 1


def test_features_are_matched_by_their_names(tmp_path: Path) -> None:
    a = written(tmp_path / "a", x=INTS, y=INTS)
    b = written(tmp_path / "b", y=INTS, z=INTS)
    with pytest.raises(ValueError, match="feature 'x' is in source 0, but not in sour"):
        mixed((a, b))
    with pytest.raises(ValueError, match="feature 'z' is in source 1, but not in sour"):
        mixed((a, b), {"columns": ["y"]}, {})
    with pytest.raises(ValueError, match="in another order, "):
        mixed((a, b), {}, {"columns": {"y": "y", "x": "z"}})
    with pytest.raises(ValueError, match="source 0 has a label, but source 1 has none"):
        mixed((a, b), {"columns": ["y"], "label": "x"}, {"columns": ["y"]})
    renamed = mixed((a, b), {}, {"columns": {"x": "z", "y": "y"}})
    assert list(next(iter(renamed))) == ["x", "y"]


def test_masks_and_stacks_are_matched(tmp_path: Path) -> None:
    a, b = pair(tmp_path, INTS, INTS)
    masked = {"columns": [Column("x", mask=True)]}
    with pytest.raises(ValueError, match="feature 'x__mask' is in source 0"):
        mixed((a, b), masked, {})
    assert "x__mask" in next(iter(mixed((a, b), masked, masked)))
    stacked = {"columns": {"s": Stack(["x"])}}
    assert next(iter(mixed((a, b), stacked, stacked)))["s"].shape == (4, 1)


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("num_epochs", 1, 2),
        ("num_lanes", 1, 2),
        ("remainder", "drop", "wrap"),
        ("first_epoch", 0, 1),
        ("reshuffle_each_iteration", True, False),
        ("num_threads", 1, 2),
        ("transform", None, len),
    ],
)
def test_what_a_mixture_has_once_must_be_the_same(
    tmp_path: Path, name: str, first: Any, second: Any
) -> None:
    paths = pair(tmp_path, INTS, INTS)
    with pytest.raises(ValueError, match=f"{name} is .* in source 1, but .* in sourc"):
        mixed(paths, {name: first}, {name: second})


def test_what_is_no_list_of_datasets_is_refused(tmp_path: Path) -> None:
    a, b = pair(tmp_path, INTS, INTS)
    source = ParquetDataset(a, 4)
    with pytest.raises(TypeError, match="must be a list of datasets"):
        rowfeed.mix([])
    with pytest.raises(TypeError, match="must be a list of datasets"):
        rowfeed.mix(source)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="source 1 must be a ParquetDataset, not"):
        rowfeed.mix([source, b])  # type: ignore[type-var]
    with pytest.raises(TypeError, match="source 1 is a mixture: mix its sources"):
        rowfeed.mix([source, rowfeed.mix([source])])
    with pytest.raises(ValueError, match="stop must be one of first_exhausted"):
        rowfeed.mix([source], stop="last_exhausted")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="3 weights for 1 datasets"):
        rowfeed.mix([source], [1, 2, 3])
    with pytest.raises(AttributeError, match="a mixture has no catalog"):
        _ = rowfeed.mix([source, ParquetDataset(b, 4)]).catalog


def test_a_source_without_rows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="source 1 has no rows"):
        mixed(pair(tmp_path, INTS, INTS[:0]))


def test_a_budget_below_the_windows_of_all_sources_is_refused(tmp_path: Path) -> None:
    paths = pair(tmp_path, INTS, INTS)
    options = {"memory_budget_bytes": 3000, "num_threads": 1, "shuffle": True}
    with pytest.raises(ValueError, match="memory_budget_bytes = 3000 is less than"):
        mixed([*paths, *paths], *[options] * 4)


def test_a_pinned_order_has_one_set_of_weights(tmp_path: Path) -> None:
    pinned = {"reshuffle_each_iteration": False}
    with pytest.raises(ValueError, match="weights of several epochs have no effect"):
        mixed(
            pair(tmp_path, INTS, INTS), pinned, pinned, weights={0: [1, 1], 1: [1, 2]}
        )


def test_steps_without_some_source_are_warned_of(tmp_path: Path) -> None:
    lanes = {"num_lanes": 4}
    with pytest.warns(UserWarning, match="4 rows has 1 rounds of num_lanes=4 rows"):
        mixed(pair(tmp_path, INTS, INTS), lanes, lanes)


@pytest.mark.parametrize("source", [0, 1])
def test_a_source_that_grows_is_refused(tmp_path: Path, source: int) -> None:
    paths = pair(tmp_path, INTS, INTS)
    options: list[dict[str, Any]] = [{}, {}]
    options[source] = {"refresh": "epoch", "snapshot_dir": tmp_path / "snapshots"}
    with pytest.raises(ValueError, match=f"source {source} grows"):
        mixed(paths, *options)


def test_a_feature_that_is_called_label_is_no_label(tmp_path: Path) -> None:
    paths = [written(tmp_path / name, x=INTS, label=INTS) for name in "ab"]
    label, feature = {"columns": ["x"], "label": "label"}, {"columns": ["x", "label"]}
    with pytest.raises(ValueError, match="source 0 has a label, but source 1 has none"):
        mixed(paths, label, feature)
    with pytest.raises(ValueError, match="source 1 has a label, but source 0 has none"):
        mixed(paths, feature, label)
