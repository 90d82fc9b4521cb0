# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The repr of a dataset says what it is, and opens, counts and moves nothing."""

from __future__ import annotations

import importlib
import shutil
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import rowfeed
from numbered_rows import GROUP_ROWS, write_numbers
from rowfeed import Column, ParquetDataset, Stack, Vocabulary

FACES = pytest.mark.parametrize("face", ["", ".torch", ".tensorflow"])
BELOW_50 = [("half", "<", 50)]


def class_of(face: str) -> Any:
    if face:
        pytest.importorskip(face[1:])
    return importlib.import_module(f"rowfeed{face}").ParquetDataset


def line_of(thing: Any, label: str) -> str:
    """Returns the line with a label, without the label."""
    (line,) = [x for x in repr(thing).splitlines() if x.startswith(f"  {label}  ")]
    return line.removeprefix(f"  {label}").strip()


@FACES
def test_a_dataset_says_the_same_in_every_face(face: str, numbers: Path) -> None:
    dataset = class_of(face)(
        numbers,
        32,
        columns=["id", "name", "parts"],
        label="even",
        sample_weight="half",
        shuffle=True,
        seed=7,
        num_epochs=2,
        remainder="drop",
        rank=1,
        world_size=2,
    )
    lines = repr(dataset).splitlines()
    assert lines[:11] == [
        f"rowfeed{face}.ParquetDataset",
        "  data            3 files, 9 row groups, 250 rows",
        "  batches         32 rows; rank=1, world_size=2; 3 steps per epoch",
        "  order           shuffle=True, seed=7",
        "  options         num_epochs=2, remainder='drop'",
        "  next iteration  epoch 0, step 0 of 3",
        "  features        id     int64   [32]",
        "                  name   string  [32]",
        "                  parts  int32   [32, None]",
        "  label           even  bool  [32]",
        "  weight          half  float32  [32]",
    ]
    if face == ".tensorflow":  # Every tf.data.Dataset has it in its repr.
        assert lines[11] == f"  element_spec    {dataset.element_spec!r}"
        del lines[11]
    assert len(lines) == 11


@FACES
def test_places_are_those_of_the_next_and_the_last_iteration(
    face: str, numbers: Path
) -> None:
    dataset = class_of(face)(numbers, 32, columns=["id"])
    assert line_of(dataset, "next iteration") == "epoch 0, step 0 of 8"
    assert "last iteration" not in repr(dataset)
    batches = iter(dataset)
    for _ in range(3):
        next(batches)
    before = dataset.state_dict()
    assert line_of(dataset, "next iteration") == "epoch 1, step 0 of 8"
    assert line_of(dataset, "last iteration") == "epoch 0, step 3 of 8"
    assert dataset.state_dict() == before
    assert [len(batch["id"]) for batch in batches] == [32] * 4 + [26]
    assert "last iteration" not in repr(dataset)  # It has none to go on from.
    dataset.set_epoch(5)
    assert line_of(dataset, "next iteration") == "epoch 5, step 0 of 8"


def test_a_split_is_not_called_a_filter(numbers: Path) -> None:
    options: dict[str, Any] = {"columns": ["id"], "split": rowfeed.Split(0.0, 0.5)}
    dataset = rowfeed.ParquetDataset(numbers, 32, **options)
    assert line_of(dataset, "split").startswith("Split(0.0, 0.5): the rows that pass")
    assert "filter" not in repr(dataset)
    both = rowfeed.ParquetDataset(numbers, 32, **options, filter=BELOW_50)
    assert " and Split(0.0, 0.5)" in line_of(both, "filter and split")
    assert "filter" not in str(dataset.explain())


@FACES
def test_a_repr_opens_no_file_and_counts_no_filter(face: str, tmp_path: Path) -> None:
    folder = write_numbers(tmp_path / "data", GROUP_ROWS)
    dataset = class_of(face)(folder, 32, columns=["id"], filter=BELOW_50)
    copied = tmp_path / "copied"
    shutil.move(folder, copied)
    assert line_of(dataset, "filter").endswith("the rows that pass are not counted yet")
    assert "steps per epoch are not known" in line_of(dataset, "batches")
    assert line_of(dataset, "next iteration") == "epoch 0, step 0"
    shutil.move(copied, folder)
    list(dataset)
    shutil.move(folder, copied)
    assert line_of(dataset, "filter").endswith("100 rows of these pass")
    assert line_of(dataset, "batches") == "32 rows; 4 steps per epoch"


def test_a_repr_lists_no_epoch_of_growing_data(tmp_path: Path) -> None:
    folder = write_numbers(tmp_path / "data", GROUP_ROWS)
    kept = tmp_path / "kept"
    dataset = rowfeed.ParquetDataset(folder, 32, refresh="epoch", snapshot_dir=kept)
    assert line_of(dataset, "data").endswith("at first; listed anew for each epoch")
    assert "when the epoch has begun (begin_epoch)" in line_of(dataset, "batches")
    assert not kept.exists() or not list(kept.iterdir())
    assert dataset.state_dict()["fingerprint"] is None


class _Unreachable:
    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a repr asks other ranks: {name}")


@pytest.mark.parametrize("face", [".torch", ".tensorflow"])
def test_a_repr_waits_for_no_other_rank(face: str, numbers: Path) -> None:
    dataset = class_of(face)(numbers, 32, filter=BELOW_50)
    dataset._agreement = _Unreachable()
    assert "not counted yet" in repr(dataset)


def test_a_repr_does_not_wait_for_a_batch(numbers: Path) -> None:
    asked, may_go_on = threading.Event(), threading.Event()

    def wait(batch: Any) -> Any:
        asked.set()
        may_go_on.wait()
        return batch

    dataset = rowfeed.ParquetDataset(numbers, 32, transform=wait)
    batches = iter(dataset)
    thread = threading.Thread(target=next, args=(batches,))
    thread.start()
    asked.wait()
    assert line_of(dataset, "last iteration") == "epoch 0, step 0 of 8"
    assert line_of(batches, "next") == "epoch 0, step 0 of 8"
    assert line_of(dataset, "options").endswith("<locals>.wait")
    may_go_on.set()
    thread.join()


def test_iterators_say_which_step_comes_next(numbers: Path) -> None:
    dataset = rowfeed.ParquetDataset(numbers, 32)
    batches = iter(dataset)
    assert repr(batches).splitlines() == [
        "iterator of rowfeed.ParquetDataset",
        "  next  the dataset's next epoch, which it takes at its first element",
    ]
    assert dataset.state_dict() == dataset.state_at(0, 0)
    next(batches)
    assert line_of(batches, "next") == "epoch 0, step 1 of 8"
    batches.close()
    assert line_of(batches, "next") == "it is closed"


def test_a_place_between_two_steps_is_a_row(numbers: Path) -> None:
    state = rowfeed.ParquetDataset(numbers, 30).state_at(0, 1)
    dataset = rowfeed.ParquetDataset(numbers, 32)
    with pytest.warns(UserWarning, match="global batch"):
        dataset.load_state_dict(state)
    place = "row 30 of epoch 0, 7 steps before its end"
    assert line_of(dataset, "next iteration") == place


def test_a_value_that_a_state_gave_is_shown(numbers: Path) -> None:
    first = rowfeed.ParquetDataset(numbers, 32, shuffle=True, shuffle_window=150)
    dataset = rowfeed.ParquetDataset(numbers, 32, shuffle=True)
    dataset.load_state_dict(first.state_dict())
    assert line_of(dataset, "order") == "shuffle=True, shuffle_window=150"


@FACES
def test_a_mixture_shows_its_sources(face: str, numbers: Path) -> None:
    sources = [
        class_of(face)(numbers, 32, columns=["id"], shuffle=True, seed=1),
        class_of(face)(numbers, 32, columns=["id"], filter=BELOW_50),
    ]
    mixture = rowfeed.mix(sources, [3, 1], stop="endless")
    assert line_of(mixture, "mixture") == "2 sources, stop='endless'"
    data = "3 files, 9 row groups, 250 rows"
    assert (
        line_of(mixture, "source 0") == f"3 of 4 rounds; {data}; shuffle=True, seed=1"
    )
    said = line_of(mixture, "source 1")
    assert said.startswith(f"1 of 4 rounds; {data}; filter ")
    assert said.endswith("not counted yet")
    assert line_of(mixture, "batches") == "32 rows; epochs have no end"
    assert "\n  order  " not in repr(mixture)


def test_an_error_over_one_dataset_to_mix_is_one_line(numbers: Path) -> None:
    wrong: Any = rowfeed.ParquetDataset(numbers, 32)
    with pytest.raises(TypeError, match=r"not rowfeed\.ParquetDataset$"):
        rowfeed.mix(wrong)


def test_of_many_columns_the_first_are_shown(tmp_path: Path) -> None:
    names = [f"column {i}" for i in range(100)]
    pq.write_table(pa.table({name: [0.5] for name in names}), tmp_path / "x.parquet")
    for thing, has_all in (
        (rowfeed.ParquetDataset(tmp_path, 1), "element_spec"),
        (rowfeed.ParquetMapDataset(tmp_path), "element_spec"),
        (rowfeed.Catalog.open(tmp_path), "schema"),
    ):
        lines = repr(thing).splitlines()
        assert len(lines) < 20
        assert "column 10 " in lines[-2]
        assert lines[-1].strip() == f"… and 89 more; {has_all} has all of them"
        assert len(getattr(thing, has_all)) == 100


def test_a_name_of_two_lines_is_on_one(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a\nb": [1]}), tmp_path / "x.parquet")
    for thing in (
        rowfeed.ParquetDataset(tmp_path, 1, label="a\nb"),
        rowfeed.Catalog.open(tmp_path),
    ):
        assert r"a\nb" in repr(thing).splitlines()[-1]


def test_rows_by_index(numbers: Path) -> None:
    rows = rowfeed.ParquetMapDataset(numbers, columns=["id", "parts"])
    assert repr(rows).splitlines() == [
        "rowfeed.ParquetMapDataset",
        "  data      3 files, 9 row groups, 250 rows",
        "  features  id     int64  [None]",
        "            parts  int32  [None, None]",
    ]


def test_a_catalog(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1, 2], "ids": [[1], [2]]}), tmp_path / "x.parquet")
    catalog = rowfeed.Catalog.open(tmp_path)
    assert repr(catalog).splitlines() == [
        "rowfeed.Catalog",
        "  data         1 file, 1 row group, 2 rows",
        f"  fingerprint  {catalog.fingerprint}",
        "  columns      id   int64                 int64",
        "               ids  list<element: int64>  int64 [None]",
    ]


def test_stats_show_their_main_numbers_and_the_advice(numbers: Path) -> None:
    dataset = rowfeed.ParquetDataset(numbers, 32, columns=["id", "name"])
    assert line_of(dataset.stats(), "advice") == str(dataset.stats())
    list(dataset)
    stats = dataset.stats()
    lines = repr(stats).splitlines()
    assert lines[0] == "rowfeed.stats.Stats"
    assert line_of(stats, "delivered") == "250 rows in 8 batches"
    assert line_of(stats, "advice") == str(stats)
    assert sorted(line.split()[-6] for line in lines[-2:]) == ["id", "name"]
    assert repr(stats.epochs[0]).splitlines()[:2] == [
        "rowfeed.stats.EpochStats",
        "  epoch      0",
    ]
    assert repr(stats.since(stats)).startswith("rowfeed.stats.Sums\n")
    rows = rowfeed.ParquetMapDataset(numbers)
    rows.take([1, 2])
    assert line_of(rows.stats(), "taken") == "2 rows in 1 take"


def test_a_dataset_that_workers_iterate_does_not_know_their_place(
    numbers: Path,
) -> None:
    dataset = class_of(".torch")(numbers, 32, columns=["id"])
    dataset._records.own._content["by_workers"] = True  # A worker's claim sets it.
    assert line_of(dataset, "next iteration") == "epoch 0, step 0 of 8"
    assert line_of(dataset, "last iteration") == "not known in this process"


def test_in_a_graph_of_tensorflow_1_no_place_is_known(numbers: Path) -> None:
    tf = pytest.importorskip("tensorflow")
    with tf.Graph().as_default():
        dataset = class_of(".tensorflow")(numbers, 32, columns=["id"])
        assert line_of(dataset, "next iteration") == "not known in this process"


def test_a_large_vocabulary_was_printed_as_a_whole(tmp_path: Path) -> None:
    names = [f"city {i}" for i in range(100_000)]
    pq.write_table(pa.table({"city": names[:4]}), tmp_path / "x.parquet")
    column = Column("city", encode=Vocabulary(names, unknown=-1))
    dataset = ParquetDataset(tmp_path, 2, columns={"x": Stack([column])})
    one = ParquetDataset(tmp_path, 2, columns=[column])
    said = (
        "Vocabulary(values=('city 0', 'city 1', 'city 2', 'city 3', 'city 4', "
        "'city 5', ... 100,000 in all), unknown=-1, first=0)"
    )
    assert repr(column.encode) == said
    having: list[object] = [column, Stack([column]), one.settings, dataset.settings]
    for thing in having:
        assert said in repr(thing)
    others = [dataset, one, iter(one), one.catalog, one.element_spec, one.stats()]
    for thing in others:
        assert len(repr(thing)) < 5000
        html = getattr(thing, "_repr_html_", None)
        assert html is None or len(html()) < 10_000


def test_a_small_vocabulary_is_shown_as_it_was_given() -> None:
    lists: list[list[str | bytes]] = [["a"], ["a", b"b", "c"]]
    for values in lists:
        given = Vocabulary(values, first=2)
        assert eval(repr(given), {"Vocabulary": Vocabulary}) == given


def test_a_filter_for_many_values_is_cut_short(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": range(100)}), tmp_path / "x.parquet")
    for kept in (pc.field("x").isin(range(9999)), [("x", "in", range(9999))]):
        dataset = ParquetDataset(tmp_path, 2, filter=kept)
        for thing in (dataset, dataset.settings, dataset.explain()):
            assert len(repr(thing)) < 5000


@FACES
def test_features_have_the_keys_of_the_batch(face: str, tmp_path: Path) -> None:
    """A field of a struct is in a dict of its own, unless it is asked for by name."""
    address = [{"zip": i, "geo": {"north": 0.5}} for i in range(4)]
    pq.write_table(pa.table({"address": address}), tmp_path / "x.parquet")
    for columns, shown in (
        (None, ['address["zip"]', 'address["geo"]["north"]']),
        ({"a": "address"}, ['a["zip"]', 'a["geo"]["north"]']),
        (["address.zip"], ["address.zip"]),
    ):
        dataset = class_of(face)(tmp_path, 2, columns=columns)
        lines = str(dataset).split("features")[1].splitlines()
        assert [line.split()[0] for line in lines[: len(shown)]] == shown
        for key in shown:
            first, *below = key.replace("]", "").split("[")
            found = dataset.peek()[first]
            for name in below:
                found = found[name.strip('"')]
            assert len(found) == 2
