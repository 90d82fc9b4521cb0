# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Clear errors of PyTorch's default collate for lists and strings of any length.

The default collate of a DataLoader stacks rows, and cannot stack lists whose lengths
differ. Its own error would not say what to do. Rows know their columns, so their errors
name the column. Batches, which it cannot stack at all, have the advice alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn

from torch.utils.data import default_collate
from torch.utils.data._utils.collate import default_collate_fn_map

from rowfeed._columns.ragged import Ragged

_ADVICE: Final = (
    "torch's default collate cannot stack lists or strings of any length. With a "
    "ParquetDataset, give batch_size to the dataset and batch_size=None to the "
    "DataLoader. With a ParquetMapDataset, give the DataLoader "
    "collate_fn=rows.collate; a ConcatDataset asks for rows one by one, so make one "
    "ParquetMapDataset of all paths instead, or write a collate_fn for its rows"
)
# What errors call the parts of a row after the features.
_PARTS: Final = ("the label", "the sample weight")


class RowWithLists(dict[str, Any]):
    """A row, or its features, with lists that the default collate may fail to stack."""


class PartsWithLists(tuple[Any, ...]):
    """A row as features, label and weight, whose label is a list of any length."""


def row_of(element: Any, index: int) -> Any:
    """Returns one row of a batch, without the batch dimension."""
    if isinstance(element, tuple):
        parts = tuple(row_of(part, index) for part in element)
        return PartsWithLists(parts) if any(map(_is_lists, element)) else parts
    if isinstance(element, dict):
        row = {name: row_of(part, index) for name, part in element.items()}
        return RowWithLists(row) if any(map(_is_lists, element.values())) else row
    return element[index]


def _is_lists(part: Any) -> bool:
    return isinstance(part, Ragged) and part.kind == "list"


def _stack_rows(rows: Sequence[RowWithLists], **_: Any) -> dict[str, Any]:
    """Collates rows as the default collate does; an error names the column."""
    return {
        name: _stack(f"column {name!r}", [row[name] for row in rows])
        for name in rows[0]
    }


def _stack_parts(rows: Sequence[PartsWithLists], **_: Any) -> list[Any]:
    """Collates rows as the default collate does; an error names the part."""
    features, *rest = zip(*rows, strict=True)
    stacked = [_stack(*named) for named in zip(_PARTS, rest, strict=False)]
    return [default_collate(list(features)), *stacked]


def _stack(name: str, values: Sequence[Any]) -> Any:
    if any(isinstance(value, Ragged) for value in values):
        raise TypeError(f"{name}: {_ADVICE}")
    try:
        return default_collate(list(values))
    except (RuntimeError, TypeError) as error:
        raise TypeError(f"{name}: {_ADVICE} ({error})") from error


def _refuse(_: Sequence[Ragged], **__: Any) -> NoReturn:
    raise TypeError(_ADVICE)


# PyTorch documents this table as the place to register functions for new types.
default_collate_fn_map[RowWithLists] = _stack_rows
default_collate_fn_map[PartsWithLists] = _stack_parts
default_collate_fn_map[Ragged] = _refuse
