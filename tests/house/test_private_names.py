# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""No message has a private name: what finds them, and all methods called wrongly.

tests/conftest.py checks each error that a test catches with `pytest.raises`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from numbered_rows import write_numbers
from private_names import private_names
from reading import FACES, module_of


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("Keywords.__init__() got an unexpected keyword", "Keywords"),
        ("Dataset.state_at() missing 1 required argument", "Dataset"),
        ("source 1 is a rowfeed._stream.numpy_dataset.X", "rowfeed._stream"),
        ("paths must be a str, not an Iteration", "Iteration"),
        ("<MixtureParameters object at 0x7f>", "MixtureParameters"),
        ("'ParquetDataset' object has no attribute '_parameters'", "_parameters"),
        ("_known_count() takes 1 positional argument", "_known_count"),
    ],
)
def test_a_private_name_in_a_message_is_found(message: str, found: str) -> None:
    assert private_names(message) == [found]


@pytest.mark.parametrize(
    "message",
    [
        "rowfeed.ParquetDataset has no option 'seeds': did you mean 'seed'?",
        "dataset must be a tf.data.Dataset, not a Catalog",
        "/data/_metadata: no *.parquet, *.parq or *.pq in this directory",
        "there is no column '_key'; the columns are 'x'",
        "File not found. Options are given by name",
        'Traceback:\n  File "x.py", line 1, in _judge\n    self._load()\nnothing',
    ],
)
def test_public_names_and_words_are_no_finding(message: str) -> None:
    assert private_names(message) == []


def outcome(error: BaseException) -> str:
    """Returns what becomes of a test that catches an error with `pytest.raises`."""
    try:
        with pytest.raises(ValueError, match="planted"):
            raise error
    except pytest.fail.Exception as failure:
        return str(failure)
    return "passed"


def test_an_error_with_a_private_name_fails_the_test_that_catches_it() -> None:
    assert outcome(ValueError("planted")) == "passed"
    assert "['MapDataset']" in outcome(ValueError("planted by MapDataset"))
    own = type("Own", (ValueError,), {"__module__": "rowfeed._stream"})
    assert "private class Own" in outcome(own("planted"))
    caused = ValueError("planted")
    caused.__cause__ = TypeError("Keywords.__init__() takes 3 arguments")
    assert "['Keywords']" in outcome(caused)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_numbers(tmp_path_factory.mktemp("data"), [5], num_files=1)


def wrong_calls(made: Any) -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    """Yields wrong calls of the public methods that the package gives an object."""
    own = [base for base in type(made).__mro__ if base.__module__.startswith("rowfeed")]
    names = {name for base in own for name in vars(base) if not name.startswith("_")}
    for name in sorted(names):
        if not inspect.isroutine(inspect.getattr_static(made, name)):
            continue
        yield name, (), {"zzz": 1}
        yield name, tuple(range(9)), {}


def check_methods(made: Any) -> None:
    calls = list(wrong_calls(made))
    assert calls
    for name, arguments, keywords in calls:
        with pytest.raises(TypeError) as caught:  # Its message is checked.
            getattr(made, name)(*arguments, **keywords)
        assert f"{name}" in str(caught.value)


@pytest.mark.parametrize("face", FACES)
def test_a_method_of_a_dataset_that_is_called_wrongly_is_named_as_users_know_it(
    face: str, path: Path
) -> None:
    check_methods(module_of(face).ParquetDataset(path, 4))


@pytest.mark.parametrize("face", ["numpy", "torch"])
def test_a_method_of_an_iterator_that_is_called_wrongly_is_named_as_users_know_it(
    face: str, path: Path
) -> None:
    check_methods(iter(module_of(face).ParquetDataset(path, 4)))


@pytest.mark.parametrize("face", ["numpy", "torch"])
def test_a_method_of_rows_by_index_that_is_called_wrongly_is_named_as_users_know_it(
    face: str, path: Path
) -> None:
    check_methods(module_of(face).ParquetMapDataset(path))


def test_a_method_of_a_catalog_that_is_called_wrongly_is_named_as_users_know_it(
    path: Path,
) -> None:
    check_methods(rowfeed.Catalog.open(path))


@pytest.mark.parametrize(
    "method",
    [
        rowfeed.ParquetDataset.load_state_dict,
        rowfeed.ParquetMapDataset.take,
        rowfeed.Catalog.count,
    ],
    ids=["load_state_dict", "take", "count"],
)
def test_a_method_without_an_object_is_named_as_users_know_it(method: Any) -> None:
    name = re.escape(method.__qualname__)
    with pytest.raises(TypeError, match=rf"\b{name}\(\) missing"):
        method()
