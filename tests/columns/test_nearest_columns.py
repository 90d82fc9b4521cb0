# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Unknown columns: the error has the names that the user may have meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import rowfeed
from reading import FACES, module_of
from rowfeed import Catalog, Column, Stack


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of more columns than the kernel's errors list, the meant ones last."""
    folder = tmp_path_factory.mktemp("data") / "country=ch"
    folder.mkdir()
    table: dict[str, Any] = {f"f{i:02d}": [float(i)] for i in range(30)}
    table |= {"price": [1.0], "clicked": [1], "user": [{"city": "Bern", "age": 1}]}
    pq.write_table(pa.table(table), folder / "x.parquet")
    return folder.parent


def meant(wrong: str, right: str) -> str:
    """Returns the pattern of an error that names `right` first."""
    wrong = re.escape(wrong)
    names = rf"'{right}'( or '[^']+')*"
    return rf"there is no column '{wrong}'; did you mean {names}\? the columns are"


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("opened", [False, True], ids=["paths", "catalog"])
@pytest.mark.parametrize(
    ("keywords", "wrong", "right"),
    [
        ({"columns": ["prise"]}, "prise", "price"),
        ({"columns": [Column("prise", fill=0)]}, "prise", "price"),
        ({"columns": {"p": Column("PRICE")}}, "PRICE", "price"),
        ({"columns": {"x": Stack(["f01", "prize"])}}, "prize", "price"),
        ({"columns": {"x": Stack(["prize*"])}}, "prize*", "price"),
        ({"columns": ["f01"], "label": "click"}, "click", "clicked"),
        ({"label": "click"}, "click", "clicked"),
        (
            {"label": "clicked", "sample_weight": "prise"},
            "prise",
            "price",
        ),
        ({"filter": [("prise", "<", 1)]}, "prise", "price"),
        ({"filter": pc.field("prise") < 1, "columns": ["f01"]}, "prise", "price"),
        ({"columns": ["user.cty"]}, "user.cty", "user.city"),
        ({"columns": ["city"]}, "city", "user.city"),
        ({"columns": ["usr"]}, "usr", "user"),
        ({"columns": ["contry"]}, "contry", "country"),
        ({"columns": ["__rows"]}, "__rows", "__row"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_dataset_names_the_nearest_columns(
    face: str,
    keywords: dict[str, Any],
    wrong: str,
    right: str,
    opened: bool,
    path: Path,
) -> None:
    data = Catalog.open(path) if opened else path
    with pytest.raises(KeyError, match=meant(wrong, right)):
        module_of(face).ParquetDataset(data, 1, **keywords)


@pytest.mark.parametrize(
    "call",
    [
        lambda path: Catalog.open(path, columns=["prise"]),
        lambda path: Catalog.open(path).count([("prise", "<", 1)]),
        lambda path: Catalog.open(path).take([0], columns=["prise"]),
        lambda path: Catalog.open(path).vocabulary("prise"),
        lambda path: rowfeed.ParquetMapDataset(path, columns=["prise"]),
        lambda path: rowfeed.ParquetMapDataset(path, filter=[("prise", "<", 1)]),
    ],
    ids=["open", "count", "take", "vocabulary", "map-columns", "map-filter"],
)
def test_catalogs_and_rows_by_index_name_the_nearest_columns(
    call: Callable[[Path], Any], path: Path
) -> None:
    with pytest.raises(KeyError, match=meant("prise", "price")):
        call(path)


def test_at_most_three_columns_are_named(path: Path) -> None:
    with pytest.raises(KeyError) as caught:
        rowfeed.ParquetDataset(path, 1, columns=["f99x"])
    asked = str(caught.value).partition("?")[0]
    assert asked.count(" or ") <= 2


def test_an_error_without_a_near_column_lists_the_columns(path: Path) -> None:
    with pytest.raises(KeyError, match=r"no column 'zzzzzz'; the columns are 'f00', "):
        rowfeed.ParquetDataset(path, 1, columns=["zzzzzz"])


def test_a_column_with_a_quote_in_its_name_is_named(tmp_path: Path) -> None:
    pq.write_table(pa.table({"it's": [1]}), tmp_path / "x.parquet")
    with pytest.raises(KeyError) as caught:
        rowfeed.ParquetDataset(tmp_path, 1, columns=["its"])
    assert 'did you mean "it\'s"? the columns are' in caught.value.args[0]


def test_a_wrong_name_is_not_named_as_what_was_meant(path: Path) -> None:
    # A struct has no values, so a filter does not know its name.
    with pytest.raises(
        KeyError, match=r"no column 'user'; did you mean 'user\.age' or"
    ):
        rowfeed.ParquetDataset(path, 1, filter=[("user", "==", 1)])
