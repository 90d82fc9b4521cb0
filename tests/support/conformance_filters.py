# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The filters that conformance asks of a column, and the rows that pass in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


@dataclass(frozen=True)
class Asked:
    """A filter of one column, and the numbers of the rows that pass it in memory."""

    text: str
    expression: pc.Expression
    rows: np.ndarray[Any, Any]


def asked_of(path: list[str], array: pa.Array) -> Iterator[Asked]:
    """Yields filters of the column at `path`, whose values are `array`.

    Values are compared by Arrow's own kernels over the whole array, and by no reader
    that believes statistics. What Arrow does not compare is left out.
    """
    field = pc.field(*path)
    yield Asked("is null", field.is_null(), _passing(pc.is_null(array)))
    yield Asked("is valid", field.is_valid(), _passing(pc.is_valid(array)))
    values = _some_values(array)
    for value in values:
        yield from _compared("==", pc.equal, field == value, array, value)
    for value in values[1:] or values:
        yield from _compared("<", pc.less, field < value, array, value)
    for value in values[:2]:
        yield from _compared(">=", pc.greater_equal, field >= value, array, value)
        yield from _compared("!=", pc.not_equal, field != value, array, value)
    for value in values[:1]:
        yield from _compared(">", pc.greater, field > value, array, value)
        yield from _compared("not <", _not(pc.less), ~(field < value), array, value)
    if values:
        among = pa.array(values[:2], array.type)
        yield from _compared("isin", pc.is_in, field.isin(among), array, among)
        yield from _compared(
            "not isin", _not(pc.is_in), ~field.isin(among), array, among
        )


def _compared(
    sign: str, function: Any, expression: pc.Expression, array: pa.Array, value: Any
) -> Iterator[Asked]:
    try:
        passing = function(array, value)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return
    shown = value if isinstance(value, pa.Array) else pa.array([value])
    text = f"{sign} {' '.join(str(shown).split()):.80}"
    yield Asked(text, expression, _passing(passing))


def _not(function: Any) -> Any:
    """Returns a function whose result is the opposite of that of `function`."""
    return lambda array, value: pc.invert(function(array, value))


def _passing(mask: pa.Array) -> np.ndarray[Any, Any]:
    return np.flatnonzero(mask.fill_null(False).to_numpy(zero_copy_only=False))


def _some_values(array: pa.Array) -> list[Any]:
    """Returns the least value, one from the middle and the greatest, each once."""
    valid = array.drop_null()
    if pa.types.is_floating(array.type):
        valid = valid.filter(pc.invert(pc.is_nan(valid)))
    if not len(valid):
        return []
    values = [valid[0], valid[len(valid) // 2], valid[-1]]
    try:
        ends = pc.min_max(valid)
        values = [ends["min"], values[1], ends["max"]]
    except pa.ArrowNotImplementedError:
        pass
    return [v for i, v in enumerate(values) if v not in values[:i]]
