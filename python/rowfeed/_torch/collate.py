# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Clear errors of PyTorch's default collate for lists of any length.

The default collate of a DataLoader stacks rows, and cannot stack lists whose lengths
differ. Its own error would not say what to do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final, NoReturn

from torch.utils.data import default_collate
from torch.utils.data._utils.collate import default_collate_fn_map

from rowfeed._columns.ragged import Ragged

_ADVICE: Final = (
    "torch's default collate cannot stack lists of any length. With a ParquetDataset, "
    "give batch_size to the dataset and batch_size=None to the DataLoader. With a "
    "ParquetMapDataset, give the DataLoader collate_fn=rows.collate; a ConcatDataset "
    "asks for rows one by one, so make one ParquetMapDataset of all paths instead, or "
    "write a collate_fn for its rows"
)


_PARTS: Final = ("the features", "the label", "the sample weight")


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
    stacked = [_stack(*named) for named in zip(_PARTS[1:], rest, strict=False)]
    return [default_collate(list(features)), *stacked]


def _stack(name: str, values: Sequence[Any]) -> Any:
    if any(isinstance(value, Ragged) for value in values):
        raise TypeError(f"{name}: {_ADVICE}")
    try:
        return default_collate(list(values))
    except (RuntimeError, TypeError) as error:
        raise TypeError(f"{name}: {_ADVICE} ({error})") from error


def _refuse(_: Sequence[Ragged], **__: Any) -> NoReturn:
    names = list(_ragged_parts(_collated()))
    features = [name for name in names if name not in _PARTS]
    said = [name for name in names if name in _PARTS]
    if features:
        said.insert(
            0, f"column{'s' if len(features) > 1 else ''} {', '.join(features)}"
        )
    where = f"{' and '.join(said)}: " if said else ""
    raise TypeError(f"{where}{_ADVICE}")


def _collated() -> Any:
    """Returns the first of the elements that the running default collate was given."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code is not default_collate.__code__:
        frame = frame.f_back  # type: ignore[assignment]
    batch = None if frame is None else frame.f_locals.get("batch")
    return batch[0] if isinstance(batch, list) and batch else None


def _ragged_parts(element: Any, above: str = "") -> Iterator[str]:
    """Yields the names of the columns and parts of an element that are ragged."""
    if isinstance(element, (tuple, list)):
        for part, name in zip(element, _PARTS, strict=False):
            if isinstance(part, Ragged):
                yield name
            else:
                yield from _ragged_parts(part)
    elif isinstance(element, dict):
        for name, part in element.items():
            if isinstance(part, Ragged):
                yield repr(f"{above}{name}")
            else:
                yield from _ragged_parts(part, f"{above}{name}.")


# PyTorch documents this table as the place to register functions for new types.
default_collate_fn_map[RowWithLists] = _stack_rows
default_collate_fn_map[PartsWithLists] = _stack_parts
default_collate_fn_map[Ragged] = _refuse
