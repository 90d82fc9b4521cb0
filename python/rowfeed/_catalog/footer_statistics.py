# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Null counts and bounds of the columns of a file, taken from its footer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rowfeed._catalog.leaves import Leaf
from rowfeed._catalog.null_lists import LevelHistograms
from rowfeed._native import core

if TYPE_CHECKING:
    from rowfeed._catalog.entries import Field


class Known(NamedTuple):
    """Null count and bounds of a column, in a chunk, a file or all files.

    Attributes:
        nulls: Number of rows that are null, for lists of null lists. None if it is not
            known.
        bounds: Lower and upper bound of the values. None if they are not known.
        is_empty: Whether all values are null, so that there are no bounds to know.
        elements: Number of nulls within lists. None if it is not known.
    """

    nulls: int | None
    bounds: tuple[Any, Any] | None
    is_empty: bool
    elements: int | None = 0

    def __or__(self, other: Known) -> Known:
        """Returns what is known of the values of both."""
        a, b = self, other
        bounds = None
        if a.is_empty or b.is_empty:
            bounds = b.bounds if a.is_empty else a.bounds
        elif a.bounds is not None and b.bounds is not None:
            bounds = min(a.bounds[0], b.bounds[0]), max(a.bounds[1], b.bounds[1])
        return Known(
            _sum(a.nulls, b.nulls),
            bounds,
            is_empty=a.is_empty and b.is_empty,
            elements=_sum(a.elements, b.elements),
        )


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


NOTHING = Known(0, None, is_empty=True)
UNKNOWN = Known(None, None, is_empty=False, elements=None)


def statistics_of(
    metadata: Any,
    tail: bytes,
    groups: Sequence[int],
    asked: Sequence[tuple[Field | None, Leaf | None]],
) -> list[Known]:
    """Returns what a footer says of the values of columns.

    Args:
        metadata: Footer of the file, as pyarrow has read it.
        tail: The same as bytes, with the length and the magic number after it.
        groups: Numbers of the row groups to look at.
        asked: Columns of the catalog as the file has them, and where each is in the
            file. Nothing is known of a column without a leaf. A column is None if its
            bounds have no meaning.
    """
    # The kernel decides what can be believed, by the rules by which filters use
    # statistics, since some writers have written wrong ones.
    leaves = [leaf.index for _, leaf in asked if leaf is not None]
    trusts = core.trust_of_footer(tail, leaves)
    histograms = LevelHistograms(tail)
    found, place = [], 0
    for field, leaf in asked:
        if leaf is None:
            found.append(UNKNOWN)
            continue
        trust = {group: trusts[group][place] for group in groups}
        found.append(_of_leaf(metadata, field, leaf, trust, histograms))
        place += 1
    return found


def _of_leaf(
    metadata: Any,
    field: Field | None,
    leaf: Leaf,
    trusts: Mapping[int, tuple[bool, bool]],
    histograms: LevelHistograms,
) -> Known:
    """Returns what is known of a column of a file.

    Args:
        metadata: Footer of the file.
        field: The column. None if its bounds have no meaning.
        leaf: Its place in the file.
        trusts: Whether the null count and the bounds are believed, by the number of
            each row group to look at.
        histograms: Level histograms of the footer.
    """
    stored = metadata.schema.column(leaf.index)
    known = NOTHING
    for group, trust in trusts.items():
        chunk = metadata.row_group(group).column(leaf.index)
        of_chunk = _of_chunk(chunk, field, trust)
        if leaf.null_levels is not None and of_chunk.nulls != 0:
            # Statistics count null lists, empty lists and null elements together.
            nulls, elements = histograms.nulls(group, leaf, chunk)
            of_chunk = of_chunk._replace(nulls=nulls, elements=elements)
        known |= of_chunk
    if stored.max_definition_level != leaf.levels:
        return known  # The levels of the schema are not those that are stored.
    # Nulls that the schema does not allow are none, whatever statistics say.
    if leaf.levels == 0 or leaf.null_levels == 0:
        known = known._replace(nulls=0)
    return known if leaf.element_levels else known._replace(elements=0)


def _of_chunk(chunk: Any, field: Field | None, trust: tuple[bool, bool]) -> Known:
    has_null_count, has_bounds = trust
    if chunk.num_values == 0:
        return NOTHING
    if not has_null_count and not has_bounds:
        return UNKNOWN._replace(elements=0)
    statistics = chunk.statistics
    nulls = statistics.null_count if has_null_count else None
    if nulls == chunk.num_values:
        return Known(nulls, None, is_empty=True)
    if not has_bounds or field is None:
        return Known(nulls, None, is_empty=False)
    least, most = (_value(statistics, which, field) for which in ("min", "max"))
    is_number = least == least and most == most  # Old writers took NaN for a bound.
    return Known(nulls, (least, most) if is_number else None, is_empty=False)


def _value(statistics: Any, which: str, field: Field) -> Any:
    """Returns a bound, `which` of "min" and "max", as rowfeed delivers such values."""
    if field.unit:
        return getattr(statistics, f"{which}_raw")
    if field.dtype == "string":  # A writer may shorten a bound within a character.
        return getattr(statistics, f"{which}_raw").decode(errors="backslashreplace")
    value = getattr(statistics, which)
    if field.dtype == "float16":
        return float(np.frombuffer(value, np.float16)[0])
    return float(value) if isinstance(value, Decimal) else value
