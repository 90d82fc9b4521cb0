# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The lists of a batch as a `KeyedJaggedTensor` of torchrec."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch

from rowfeed._columns.ragged import Ragged
from rowfeed._process.public_names import publish

try:
    from torchrec import KeyedJaggedTensor
except ImportError as error:
    raise ImportError(
        "rowfeed.integrations.torchrec needs torchrec: pip install torchrec"
    ) from error

__all__ = ["keyed_jagged_tensor"]


def keyed_jagged_tensor(
    features: Mapping[str, Any], keys: Iterable[str] | None = None
) -> KeyedJaggedTensor:
    """Returns columns of a batch as a `torchrec.KeyedJaggedTensor`.

    One column is not copied: the result shares its values and offsets. The values of
    several columns are copied once, end to end into one tensor, because a
    `KeyedJaggedTensor` has only one. The result is on the device of the columns.

    Args:
        features: Batch of a `rowfeed.torch.ParquetDataset`: a dict from names to
            `Ragged` of numbers, tensors [batch] with one value per row, or tensors
            [batch, list_size].
        keys: Names of the columns to take, in the order of the result. Default: all
            columns, in the order of the batch.

    Returns:
        `KeyedJaggedTensor` whose keys are the names, with the dtype of the columns.

    Raises:
        KeyError: The batch has no column of this name.
        TypeError: A column is no tensor and no `Ragged` of numbers in tensors.
        ValueError: There is no column, or the columns differ in dtype or number of
            rows.

    Example:
        >>> clicks = ParquetDataset("clicks.parquet", 128)  # doctest: +SKIP
        >>> for batch in clicks:  # doctest: +SKIP
        ...     ids = keyed_jagged_tensor(batch, ["history", "item"])
        ...     embedded = embedding_bag_collection(ids)
    """
    names = list(features if keys is None else keys)
    if not names:
        raise ValueError("a KeyedJaggedTensor has at least one key: name a column")
    for name in names:
        if name not in features:
            raise KeyError(f"the batch has no column {name!r}, but {[*features]}")
    parts = [_jagged(name, features[name]) for name in names]
    named = list(zip(names, parts, strict=True))
    dtypes = {values.dtype: name for name, (values, _) in named}
    if len(dtypes) > 1:
        told = " and ".join(f"{name!r} {dtype}" for dtype, name in dtypes.items())
        raise ValueError(
            f"a KeyedJaggedTensor has values of one dtype, but here {told} differ: "
            "give the dataset Column(name, dtype=...) for one of them"
        )
    rows = {len(offsets) - 1: name for name, (_, offsets) in named}
    if len(rows) > 1:
        told = " and ".join(f"{name!r} has {size}" for size, name in rows.items())
        raise ValueError(f"the columns are not of one batch: of their rows {told}")
    [stride] = rows
    if len(parts) == 1:
        [(values, offsets)] = parts
        return KeyedJaggedTensor(names, values, offsets=offsets, stride=stride)
    return KeyedJaggedTensor(
        names,
        torch.cat([values for values, _ in parts]),
        lengths=torch.cat([offsets.diff() for _, offsets in parts]),
        stride=stride,
    )


def _jagged(name: str, column: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns the values and offsets of a column, without a copy of the values."""
    if isinstance(column, Ragged) and column.kind == "list":
        if isinstance(column.values, torch.Tensor) and column.values.ndim == 1:
            return column.values, column.offsets
    elif isinstance(column, torch.Tensor) and column.ndim in (1, 2):
        rows, size = len(column), 1 if column.ndim == 1 else column.shape[1]
        offsets = torch.arange(rows + 1, device=column.device) * size
        return column.reshape(-1), offsets
    told = f"{column!r}" if isinstance(column, Ragged) else type(column).__name__
    raise TypeError(
        f"column {name!r} is {told}, but a KeyedJaggedTensor takes numbers or lists of "
        "numbers of rowfeed.torch: encode strings with Column(name, encode=...)"
    )


publish(__name__, keyed_jagged_tensor)
