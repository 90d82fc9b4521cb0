# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`Ragged`: a batch of strings, binaries or lists, rows of different lengths."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rowfeed._columns.ragged_rows import gathered, row_numbers

Kind = Literal["string", "binary", "list"]


class Ragged:
    """A batch of rows of different lengths, as two flat arrays without a copy.

    Row i is `values[offsets[i]:offsets[i + 1]]`. The values of strings and binaries are
    their bytes, as uint8. If the elements of lists are lists or strings, `values` is a
    Ragged of these. The arrays are those of NumPy, or tensors in `rowfeed.torch`.

    Attributes:
        values: Elements of all rows, end to end: an array of shape [elements], or
            [elements, ...] if each element is an array of fixed shape; or a Ragged.
        offsets: Array of int64 with the position of each row's first element, from 0
            on, and the number of elements at its end.
        kind: Kind of a row: "string", "binary" or "list".

    Example:
        >>> ragged = Ragged(np.array([1, 2, 3]), np.array([0, 2, 2, 3]))
        >>> ragged.tolist()
        [[1, 2], [], [3]]
    """

    __slots__ = ("kind", "offsets", "values")

    def __init__(self, values: Any, offsets: Any, kind: Kind = "list") -> None:
        """Makes a Ragged of arrays, which are neither checked nor copied."""
        self.values = values
        self.offsets = offsets
        self.kind = kind

    @property
    def dtype(self) -> Any:
        """Dtype of the innermost values."""
        return self.values.dtype

    def __len__(self) -> int:
        """Returns the number of rows."""
        return len(self.offsets) - 1

    def __getitem__(self, index: Any) -> Any:
        """Returns one row, or a `Ragged` of several rows.

        Args:
            index: Number of a row, from the end on if it is negative, for that row as a
                str, bytes or a view of its elements. A slice with a step of 1, for a
                Ragged that is a view of these rows. A mask [rows] of bools, or an array
                or list of row numbers, for a Ragged with copies of the rows.

        Raises:
            IndexError: There is no such row, or the mask has another length.
            TypeError: `index` is none of these.
            ValueError: The step of a slice is not 1.

        Example:
            >>> ragged = Ragged(np.array([1, 2, 3]), np.array([0, 2, 2, 3]))
            >>> ragged[np.array([True, False, True])].tolist()
            [[1, 2], [3]]
        """
        rows = len(self)
        if isinstance(index, slice):
            begin, end, step = index.indices(rows)
            if step != 1:
                raise ValueError("rows are views: slices of them have a step of 1")
            offsets = self.offsets[begin : max(begin, end) + 1]
            values = self.values[int(offsets[0]) : int(offsets[-1])]
            return Ragged(values, offsets - offsets[0], self.kind)
        # PyTorch takes an array of one number for a number.
        if getattr(index, "ndim", 0) or not hasattr(index, "__index__"):
            return self._rows(row_numbers(index, rows))
        if not -rows <= index < rows:
            raise IndexError(f"row {index} of {rows}")
        index %= rows
        row = self.values[int(self.offsets[index]) : int(self.offsets[index + 1])]
        return row if self.kind == "list" else self._decode(_numpy(row).tobytes())

    def __iter__(self) -> Iterator[Any]:
        """Yields the rows."""
        return (self[i] for i in range(len(self)))

    def tolist(self) -> list[Any]:
        """Returns the rows as Python objects: str, bytes or lists of numbers."""
        offsets = self.offsets.tolist()
        bounds = itertools.pairwise(offsets)
        if self.kind == "list":
            values = self.values.tolist()
            return [values[begin:end] for begin, end in bounds]
        data = _numpy(self.values).tobytes()
        return [self._decode(data[begin:end]) for begin, end in bounds]

    def to_pyarrow(self) -> Any:
        """Returns a pyarrow array: large_string, large_binary or large_list.

        Memory is shared with the array. Only values on a device, and bools, which Arrow
        packs into bits, are copied.
        """
        import pyarrow as pa

        # JAX has offsets of int32.
        offsets = _numpy(self.offsets).astype(np.int64, copy=False)
        if self.kind == "list":
            return pa.LargeListArray.from_arrays(
                pa.array(offsets), to_array(self.values)
            )
        values = _numpy(self.values)
        kind = pa.large_string() if self.kind == "string" else pa.large_binary()
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(values)]
        return pa.Array.from_buffers(kind, len(self), buffers)

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        """Returns the rows by Arrow's C data interface, for pyarrow and others."""
        found: tuple[Any, Any] = self.to_pyarrow().__arrow_c_array__(requested_schema)
        return found

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Returns the rows by Arrow's C stream interface, for pandas and Polars."""
        import pyarrow as pa

        rows = pa.chunked_array([self.to_pyarrow()])
        return rows.__arrow_c_stream__(requested_schema)

    def to_nested_tensor(self) -> Any:
        """Returns a `torch.nested` tensor of layout `torch.jagged`, without a copy.

        Its `to_padded_tensor(0)` is as wide as the longest row. If the arrays are on a
        CUDA device, the call waits for the device, to get the lengths of the rows.

        Raises:
            TypeError: The arrays are not tensors of torch, or rows are strings or hold
                lists: a nested tensor has one level of lists of numbers.
        """
        import torch

        if self.kind != "list" or not isinstance(self.values, torch.Tensor):
            raise TypeError(f"{self!r} cannot be a nested tensor of torch")
        lengths = self.offsets.diff()
        shortest, longest = torch.aminmax(lengths) if len(lengths) else (0, 0)
        # Without these, padding would make each row as wide as all rows together.
        return torch.nested.nested_tensor_from_jagged(
            self.values,
            self.offsets,
            min_seqlen=int(shortest),
            max_seqlen=int(longest),
        )

    def pin_memory(self, device: Any = None) -> Ragged:
        """Returns a copy in pinned memory, if the arrays are tensors of PyTorch.

        A DataLoader with pin_memory=True calls it.
        """
        args = () if device is None else (device,)
        values, offsets = (a.pin_memory(*args) for a in (self.values, self.offsets))
        return Ragged(values, offsets, self.kind)

    def to(self, device: Any, *, non_blocking: bool = False) -> Ragged:
        """Returns a copy on another device, if the arrays are tensors of PyTorch."""
        values, offsets = (
            a.to(device, non_blocking=non_blocking) for a in (self.values, self.offsets)
        )
        return Ragged(values, offsets, self.kind)

    def _rows(self, numbers: NDArray[np.int64]) -> Ragged:
        """Returns a Ragged with copies of some rows, given by numbers from 0 on."""
        offsets, positions = gathered(_numpy(self.offsets), numbers)
        is_torch = hasattr(self.offsets, "new_tensor")
        if is_torch:
            offsets = self.offsets.new_tensor(offsets)
        if isinstance(self.values, Ragged):
            return Ragged(self.values._rows(positions), offsets, self.kind)
        if is_torch:
            positions = self.offsets.new_tensor(positions)
        return Ragged(self.values[positions], offsets, self.kind)

    def _decode(self, data: bytes) -> str | bytes:
        return data.decode() if self.kind == "string" else data

    def __repr__(self) -> str:
        """Returns the kind, the numbers of rows and values, and the dtype as text."""
        return (
            f"Ragged({self.kind}, rows={len(self)}, values={len(self.values)}, "
            f"dtype={self.dtype})"
        )


def to_array(values: Any) -> Any:
    """Returns values as a pyarrow array; dimensions become fixed-size lists."""
    import pyarrow as pa

    if isinstance(values, Ragged):
        return values.to_pyarrow()
    array = _numpy(values)
    made = pa.array(array.reshape(-1))
    for size in reversed(array.shape[1:]):
        made = pa.FixedSizeListArray.from_arrays(made, size)
    return made


def _numpy(array: Any) -> Any:
    """Returns an array of NumPy of one of NumPy or JAX, or of a tensor of PyTorch."""
    return array.cpu().numpy() if hasattr(array, "cpu") else np.asarray(array)
