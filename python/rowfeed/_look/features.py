# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Tables of the features of a dataset: name, dtype and shape of each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rowfeed._columns.layout import Tree
from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._sheet.text import clipped

Row = tuple[str, ...]


def tables_of(
    parameters: Parameters, rows: tuple[int | None, ...]
) -> list[tuple[str, list[Row]]]:
    """Returns a table for each part of an element: features, label and weight.

    Args:
        parameters: Parameters of the dataset.
        rows: Begin of each shape, before that of one row: the batch, or nothing.
    """
    layout, options = parameters.layout, parameters.options
    features = list(_rows("", layout.features, parameters, rows))
    if layout.valid is not None:
        features.append((clipped(layout.valid), "bool", _shape(rows)))
    found = [("features", features)]
    if layout.label is not None and options.label is not None:
        label = _rows(options.label.name, layout.label, parameters, rows)
        found.append(("label", list(label)))
    if layout.has_weight:
        weight: list[Row] = [("0 for fill rows, else 1", "float32", _shape(rows))]
        if layout.sample_weight is not None and options.sample_weight is not None:
            name = options.sample_weight.name
            weight = list(_rows(name, layout.sample_weight, parameters, rows))
        found.append(("weight", weight))
    return found


def _rows(
    name: str, tree: Tree, parameters: Parameters, rows: tuple[int | None, ...]
) -> Iterator[Row]:
    if not isinstance(tree, int):
        for field, branch in tree.items():
            # Keys of dicts within the batch, unlike the dots in a column's own name.
            key = json.dumps(field, ensure_ascii=False)
            below = f"{name}[{key}]" if name else field
            yield from _rows(below, branch, parameters, rows)
        return
    column: core.Column = parameters.outputs[tree]
    shape = (*rows, *[None] * column.ragged_rank, *column.dense_shape)
    yield clipped(name), column.dtype, _shape(shape)


def _shape(shape: tuple[Any, ...]) -> str:
    return f"[{', '.join(map(str, shape))}]"
