# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Clear errors of PyTorch's default collate for lists of any length.

The default collate of a DataLoader stacks rows, and cannot stack lists whose lengths
differ. Its own error would not say what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
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


class RowWithLists(dict[str, Any]):
    """A row, or its features, with lists that the default collate may fail to stack."""


def row_of(element: Any, index: int) -> Any:
    """Returns one row of a batch, without the batch dimension."""
    if isinstance(element, tuple):
        return tuple(row_of(part, index) for part in element)
    if isinstance(element, dict):
        row = {name: row_of(part, index) for name, part in element.items()}
        parts = element.values()
        has_lists = any(isinstance(p, Ragged) and p.kind == "list" for p in parts)
        return RowWithLists(row) if has_lists else row
    return element[index]


def _stack_rows(rows: Sequence[RowWithLists], **_: Any) -> dict[str, Any]:
    """Collates rows as the default collate does; an error names the column."""
    batch = {}
    for name in rows[0]:
        try:
            batch[name] = default_collate([row[name] for row in rows])
        except (RuntimeError, TypeError) as error:
            raise TypeError(f"column {name!r}: {_ADVICE} ({error})") from error
    return batch


def _refuse(_: Sequence[Ragged], **__: Any) -> NoReturn:
    raise TypeError(_ADVICE)


# PyTorch documents this table as the place to register functions for new types.
default_collate_fn_map[RowWithLists] = _stack_rows
default_collate_fn_map[Ragged] = _refuse
