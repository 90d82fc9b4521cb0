# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The warning for columns of which footers say that they have nulls, without a fill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rowfeed._columns.layout import ColumnRequest
from rowfeed._native import core
from rowfeed._options.options import Options

_MOST_COLUMNS: Final = 5
_FILLS: Final = {"string": '""', "binary": 'b""', "bool": "False"}


def nulls_without_fill(
    opened: core.Catalog, asked: Sequence[ColumnRequest], options: Options
) -> str | None:
    """Returns a text that names all such columns and what to give; None without one.

    A column of the filter is left out, since the filter may leave out its nulls.

    Args:
        opened: Catalog of the data.
        asked: Columns that the stream is asked for.
        options: Options as the user gave them.
    """
    groups = {opened.columns[index].name: rest for index, *rest in opened.null_groups}
    filtered = () if options.condition is None else options.condition.columns
    found = {
        request.column.name: _filled(request, opened)
        for request in asked
        if request.column.name in groups
        and request.column.name not in filtered
        and request.column.fill is None
        and not request.column.mask
    }
    if not found:
        return None
    name = next(iter(found))
    count, first = groups[name]
    total = len(opened.row_groups)
    file, index, _ = opened.row_groups[first]
    place = f"{opened.files[file][0]}, row group {index}"
    return (
        f"{_listed([*map(repr, found)])}: footers say that there are nulls, and no "
        f"fill or mask is given ({name!r} has nulls in {count} of {total} row "
        f"groups, first in {place}). A null is an error when its row comes. Give "
        f"{_given(found, options)}, mask=True instead of a fill, or a filter that "
        f"leaves these rows out, such as filter=pc.field({name!r}).is_valid()"
    )


def _filled(request: ColumnRequest, opened: core.Catalog) -> str:
    """Returns the column with a fill, as Python writes it."""
    name = request.column.name
    if request.column.encode is not None:
        return f"Column({name!r}, encode=…, fill=…)"  # 0 is the first value's index.
    dtype = request.spec(opened).column(opened).dtype
    fill = _FILLS.get(dtype, "0.0" if "float" in dtype else "0")
    return f"Column({name!r}, fill={fill})"


def _given(filled: dict[str, str], options: Options) -> str:
    """Returns the options that fill these columns, to be pasted."""
    named = {"label": options.label, "sample_weight": options.sample_weight}
    apart = {spec.name: keyword for keyword, spec in named.items() if spec is not None}
    features, given = [], []
    for name, column in filled.items():
        if name in apart:
            given.append(f"{apart[name]}={column}")
        else:
            features.append(column)
    if features and options.columns is None:
        given.insert(0, f"columns=['*', {_listed(features)}]")
    elif features:
        given.insert(0, f"{_listed(features)} in columns=")
    return " and ".join(given)


def _listed(texts: list[str]) -> str:
    more = len(texts) - _MOST_COLUMNS
    shown = ", ".join(texts[:_MOST_COLUMNS])
    return f"{shown}, and {more} more" if more > 0 else shown
