# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Misspelt options: the error names what was called, the option and the nearest one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from numbered_rows import write_numbers
from reading import FACES, module_of

# Each call has a misspelt option. Beside it are the name of what was called, the option
# and the option that it should have been.
CALLS: list[tuple[Callable[[Path], Any], str, str, str]] = [
    (
        lambda path: rowfeed.ParquetMapDataset(path, colums=["id"]),  # type: ignore[call-arg]
        "rowfeed.ParquetMapDataset",
        "colums",
        "columns",
    ),
    (
        lambda path: rowfeed.Catalog.open(path, column=["id"]),  # type: ignore[call-arg]
        "rowfeed.Catalog.open",
        "column",
        "columns",
    ),
    (
        lambda path: rowfeed.Catalog.open(path).take([0], num_thread=1),  # type: ignore[call-arg]
        "rowfeed.Catalog.take",
        "num_thread",
        "num_threads",
    ),
    (
        lambda path: rowfeed.Catalog.open(path).count([("id", "<", 1)], cachedir="x"),  # type: ignore[call-arg]
        "rowfeed.Catalog.count",
        "cachedir",
        "cache_dir",
    ),
    (
        lambda path: rowfeed.Catalog.open(path).vocabulary("name", unkown=1),  # type: ignore[call-arg]
        "rowfeed.Catalog.vocabulary",
        "unkown",
        "unknown",
    ),
    (
        lambda path: rowfeed.mix([rowfeed.ParquetDataset(path, 4)], weigths=[1]),  # type: ignore[call-arg]
        "rowfeed.mix",
        "weigths",
        "weights",
    ),
    (
        lambda path: rowfeed.ParquetDataset(path, 4).load_state_dict({}, strickt=False),  # type: ignore[call-arg]
        "rowfeed.ParquetDataset.load_state_dict",
        "strickt",
        "strict",
    ),
    (
        lambda _: rowfeed.Column("id", dtyp="int8"),  # type: ignore[call-arg]
        "rowfeed.Column",
        "dtyp",
        "dtype",
    ),
    (
        lambda _: rowfeed.Padded(3, vale=0),  # type: ignore[call-arg]
        "rowfeed.Padded",
        "vale",
        "value",
    ),
    (
        lambda _: rowfeed.Stack(["id"], lay_out="rows"),  # type: ignore[call-arg]
        "rowfeed.Stack",
        "lay_out",
        "layout",
    ),
    (
        lambda _: rowfeed.Vocabulary(["a"], unkown=1),  # type: ignore[call-arg]
        "rowfeed.Vocabulary",
        "unkown",
        "unknown",
    ),
    (
        lambda _: rowfeed.HashBuckets(num_bucket=1),  # type: ignore[call-arg]
        "rowfeed.HashBuckets",
        "num_bucket",
        "num_buckets",
    ),
    (
        lambda path: rowfeed.SampleWriter(path / "new", shema=None),  # type: ignore[call-arg]
        "rowfeed.SampleWriter",
        "shema",
        "schema",
    ),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_numbers(tmp_path_factory.mktemp("data"), [5], num_files=1)


def said(called: str, option: str, nearest: str) -> str:
    return re.escape(f"{called} has no option {option!r}: did you mean {nearest!r}?")


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize(
    ("option", "nearest"),
    [
        ("batch_sizes", "batch_size"),
        ("filtr", "filter"),
        ("num_thread", "num_threads"),
        ("shuffel", "shuffle"),
    ],
)
def test_a_misspelt_option_of_a_dataset_is_named_with_the_nearest_one(
    face: str, option: str, nearest: str, path: Path
) -> None:
    module = module_of(face)
    expected = said(f"{module.__name__}.ParquetDataset", option, nearest)
    with pytest.raises(TypeError, match=expected):
        module.ParquetDataset(path, **{option: 3})


@pytest.mark.parametrize(("call", "called", "option", "nearest"), CALLS)
def test_a_misspelt_option_is_named_with_what_was_called(
    call: Callable[[Path], Any], called: str, option: str, nearest: str, path: Path
) -> None:
    with pytest.raises(TypeError, match=said(called, option, nearest)):
        call(path)


def test_all_options_are_listed_where_none_is_near(path: Path) -> None:
    expected = r"ParquetDataset has no option 'zzz': it has 'paths', 'batch_size', "
    with pytest.raises(TypeError, match=expected):
        rowfeed.ParquetDataset(path, 4, zzz=1)  # type: ignore[call-arg]


def test_a_missing_or_surplus_argument_names_the_class_that_was_called(
    path: Path,
) -> None:
    name = r"rowfeed\.ParquetDataset\(\)"
    with pytest.raises(TypeError, match=rf"{name} missing .* 'batch_size'"):
        rowfeed.ParquetDataset(path)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=rf"{name} takes 3 positional arguments"):
        rowfeed.ParquetDataset(path, 4, True)  # type: ignore[call-arg, arg-type]
    with pytest.raises(TypeError, match=rf"{name} got multiple values .* 'paths'"):
        rowfeed.ParquetDataset(path, 4, paths=path)  # type: ignore[misc]


def test_a_type_error_within_a_constructor_stays_as_it_is(path: Path) -> None:
    with pytest.raises(TypeError, match=r"^batch_size must be an int, not 'x'$"):
        rowfeed.ParquetDataset(path, "x")  # type: ignore[arg-type]


def test_a_derived_class_is_named_as_it_is(path: Path) -> None:
    class Own(rowfeed.ParquetDataset):
        pass

    with pytest.raises(TypeError, match=r"Own has no option 'seeds': .*'seed'"):
        Own(path, 4, seeds=1)  # type: ignore[call-arg]


def test_a_derived_class_with_a_constructor_of_its_own_is_not_named(
    path: Path,
) -> None:
    class Own(rowfeed.ParquetDataset):
        def __init__(self, name: str) -> None:
            super().__init__(path, 4, seeds=name)  # type: ignore[call-arg]

    expected = said("rowfeed.ParquetDataset", "seeds", "seed")
    with pytest.raises(TypeError, match=f"^{expected}"):
        Own("a")


def test_a_method_that_is_called_without_an_object_is_named_by_its_class() -> None:
    with pytest.raises(TypeError, match=r"^rowfeed\.Catalog\.take\(\) missing"):
        rowfeed.Catalog.take()  # type: ignore[call-arg]


def test_a_misspelt_option_of_the_entries_for_keras_is_named(tmp_path: Path) -> None:
    pytest.importorskip("tensorflow")
    import keras

    from rowfeed.keras import BackupAndRestore, StartAt, TensorBoardStats, fit, inputs

    model = keras.Sequential([keras.layers.Dense(1)])
    calls: list[tuple[Callable[[], Any], str, str, str]] = [
        (lambda: StartAt(None, stat={}), "StartAt", "stat", "state"),  # type: ignore[call-arg]
        (
            lambda: BackupAndRestore(tmp_path, None, every_step=1),  # type: ignore[call-arg]
            "BackupAndRestore",
            "every_step",
            "every_steps",
        ),
        (
            lambda: TensorBoardStats(logdir=tmp_path),  # type: ignore[call-arg]
            "TensorBoardStats",
            "logdir",
            "log_dir",
        ),
        (lambda: inputs(None, column=[]), "inputs", "column", "columns"),  # type: ignore[call-arg]
        (lambda: fit(model, None, epoch=1), "fit", "epoch", "epochs"),
        (
            lambda: fit(model, None, validation_step=1),
            "fit",
            "validation_step",
            "validation_steps",
        ),
    ]
    for call, called, option, nearest in calls:
        expected = said(f"rowfeed.keras.{called}", option, nearest)
        with pytest.raises(TypeError, match=expected):
            call()
