# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Notebooks show the lines of a repr as plain tables, with every name escaped."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed

NAME = "<b>&\nnot bold</b>"


@pytest.fixture
def things(tmp_path: Path) -> list[Any]:
    """Returns one object of each kind, over a column with a name full of markup."""
    pq.write_table(pa.table({NAME: [1, 2]}), tmp_path / "x.parquet")
    dataset = rowfeed.ParquetDataset(tmp_path, 2, filter=[(NAME, ">", 0)])
    batches = iter(dataset)
    next(batches)
    rows = rowfeed.ParquetMapDataset(tmp_path)
    rows.take([0])
    mixture = rowfeed.mix([dataset, dataset])
    catalog = rowfeed.Catalog.open(tmp_path)
    return [
        *(dataset, batches, rows, mixture, catalog),
        *(catalog.describe(), dataset.stats(), rows.stats()),
    ]


def words_of(text: str) -> list[str]:
    return [word for word in text.split() if word.isalnum()]


def test_a_table_has_the_words_of_the_repr(things: list[Any]) -> None:
    for thing in things:
        table = ET.fromstring(thing._repr_html_())
        assert table.tag == "table"
        shown = words_of(" ".join(table.itertext()))
        assert shown == words_of(repr(thing))


def test_names_are_escaped_and_on_one_line(things: list[Any]) -> None:
    for thing in things:
        html = thing._repr_html_()
        assert "<b>" not in html
        if NAME.partition("\n")[0] in repr(thing):
            assert r"&lt;b&gt;&amp;\nnot bold&lt;/b&gt;" in html


def test_what_is_left_out_is_told_over_the_whole_width(tmp_path: Path) -> None:
    table = pa.table({f"x{i}": [0.5] for i in range(30)})
    pq.write_table(table, tmp_path / "x.parquet")
    html = rowfeed.ParquetDataset(tmp_path, 1)._repr_html_()
    said = "… and 19 more; element_spec has all of them"
    assert f'<td colspan="3" style="text-align: left">{said}</td>' in html
    assert "x10" in html
    assert "x11" not in html


def test_a_tensorflow_dataset_has_a_table(numbers: Path) -> None:
    tensorflow = pytest.importorskip("rowfeed.tensorflow")
    html = tensorflow.ParquetDataset(numbers, 32)._repr_html_()
    assert "<caption>rowfeed.tensorflow.ParquetDataset</caption>" in html
