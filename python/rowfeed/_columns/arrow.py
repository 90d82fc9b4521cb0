# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Batches as tables of Arrow, which pandas, Polars and DuckDB take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rowfeed._columns.ragged import to_array

_APART: Final = ("label", "sample_weight")


def to_pyarrow(element: Any) -> Any:
    """Returns a batch as a record batch of Arrow.

    The record batch shares the memory of the arrays, except of bools, which Arrow packs
    into bits, and of tensors on a device.

    Args:
        element: Batch of a dataset for NumPy or PyTorch: a dict, or a tuple of a dict,
            a label and perhaps a weight.

    Returns:
        `pyarrow.RecordBatch` with a column for each feature, and those named "label"
        and "sample_weight" if the batch has them. An array of shape [batch, n] becomes
        a fixed-size list, a `Ragged` a large_list, large_string or large_binary, and a
        dict a struct. Nulls that were filled are not null again.

    Raises:
        TypeError: `element` is no batch, or Arrow has no such dtype (bfloat16).
        ValueError: A feature is named as the label or the weight, or the arrays have
            different lengths.

    Example:
        >>> batch = {"price": np.array([1.5, 2.5]), "sold": np.array([True, False])}
        >>> to_pyarrow(batch).to_pylist()
        [{'price': 1.5, 'sold': True}, {'price': 2.5, 'sold': False}]
    """
    import pyarrow as pa

    features, *apart = element if isinstance(element, tuple) else (element,)
    if not isinstance(features, Mapping) or len(apart) > len(_APART):
        raise TypeError(
            "to_pyarrow takes a batch of a ParquetDataset, which is a dict or a tuple "
            f"of a dict, a label and a weight, not {type(element).__name__}"
        )
    columns = dict(features)
    for name, values in zip(_APART, apart, strict=False):
        if name in columns:
            raise ValueError(
                f"the batch has a feature {name!r} beside its {name}: give the feature "
                "another name in columns"
            )
        columns[name] = values
    arrays = [_array_of(name, values) for name, values in columns.items()]
    for name, array in zip(columns, arrays, strict=True):
        if len(array) != len(arrays[0]):
            raise ValueError(
                f"{name!r} has {len(array)} rows, but {next(iter(columns))!r} has "
                f"{len(arrays[0])}: a batch has as many of each"
            )
    return pa.RecordBatch.from_arrays(arrays, list(columns))


def _array_of(name: str, values: Any) -> Any:
    import pyarrow as pa

    if isinstance(values, Mapping):
        fields = [_array_of(f"{name}.{field}", values[field]) for field in values]
        return pa.StructArray.from_arrays(fields, list(values))
    try:
        return to_array(values)
    except (TypeError, pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise TypeError(
            f"{name!r}: Arrow has no array of {type(values).__name__} with dtype "
            f"{getattr(values, 'dtype', None)}: {error}"
        ) from error
