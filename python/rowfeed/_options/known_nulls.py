# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The warning for columns of which footers say that they have nulls, without a fill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rowfeed._columns.column import Column
from rowfeed._columns.layout import ColumnRequest
from rowfeed._native import core
from rowfeed._options.options import Options

_MOST_COLUMNS: Final = 40
_FILLS: Final = {"string": '""', "binary": 'b""', "bool": "False"}


def nulls_without_fill(
    opened: core.Catalog, asked: Sequence[ColumnRequest], options: Options
) -> str | None:
    """Returns a text that names all such columns and what to give; None without one.

    A column that the filter names is left out, since the filter may leave out its
    nulls.

    Args:
        opened: Catalog of the data.
        asked: Columns that the stream is asked for.
        options: Options as the user gave them.
    """
    groups = {opened.columns[index].name: rest for index, *rest in opened.null_groups}
    filtered = () if options.filter is None else options.filter.columns
    found = [
        request
        for request in asked
        if request.column.name in groups
        and request.column.name not in filtered
        and request.column.fill is None
        and not request.column.mask
    ]
    if not found:
        return None
    names = list(dict.fromkeys(request.column.name for request in found))
    count, first = groups[names[0]]
    total = len(opened.row_groups)
    file, index, _ = opened.row_groups[first]
    place = f"{opened.files[file][0]}, row group {index}"
    kept = (
        "" if options.condition is None else " unless the filter or split leaves it out"
    )
    flat = {c.name for c in opened.columns if not c.ragged_rank and not c.dense_shape}
    filterable = next((name for name in names if name in flat), None)
    other = (
        ""
        if filterable is None
        else ", or a filter that leaves these rows out, such as "
        f"filter=pc.field({filterable!r}).is_valid()"
    )
    return (
        f"{_listed([*map(repr, names)])}: footers say that there are nulls, and no "
        f"fill or mask is given ({names[0]!r} has nulls in {count} of {total} row "
        f"groups, first in {place}). A null is an error when its row comes{kept}. Give "
        f"{_given(found, opened, options)}{other}"
    )


def _filled(column: Column, opened: core.Catalog) -> str:
    """Returns the column with a fill, as Python writes it if it has no other option."""
    if column != Column(column.name):
        return f"a fill for Column({column.name!r}, ...)"
    dtype = column._column_spec(opened).column(opened).dtype
    fill = _FILLS.get(dtype, "0.0" if "float" in dtype else "0")
    return f"Column({column.name!r}, fill={fill})"


def _given(
    found: Sequence[ColumnRequest], opened: core.Catalog, options: Options
) -> str:
    """Returns the options that fill these columns, to be pasted."""
    named = {"label": options.label, "sample_weight": options.sample_weight}
    apart = {spec.name: keyword for keyword, spec in named.items() if spec is not None}
    features: list[str] = []
    others: list[str] = []
    for request in found:
        filled = _filled(request.column, opened)
        if request.stack is not None:
            others.append(f"{filled} in the Stack {request.stack[0]!r}")
        elif request.column.name in apart:
            keyword = apart[request.column.name]
            others.append(
                f"{keyword}={filled}"
                if filled.startswith("Column")
                else f"{filled} as {keyword}"
            )
        else:
            features.append(filled)
    given = []
    if features:
        line = _listed(features)
        is_all = options.columns is None
        line = f"columns=['*', {line}]" if is_all else f"{line} in columns="
        given.append(f"{line} (mask=True instead of a fill adds a mask)")
    return " and ".join([*given, *others[:_MOST_COLUMNS]])


def _listed(texts: list[str]) -> str:
    more = len(texts) - _MOST_COLUMNS
    shown = ", ".join(texts[:_MOST_COLUMNS])
    return f"{shown}, and {more} more" if more > 0 else shown
