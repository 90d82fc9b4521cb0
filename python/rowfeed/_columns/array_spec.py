# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`ArraySpec`: the dtype and shape of an array or tensor of a batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ArraySpec:
    """The dtype and shape of an array or tensor; None stands for any length.

    Attributes:
        dtype: `numpy.dtype` of an array, or `torch.dtype` of a tensor. A `Ragged`
            (strings, binaries and lists of any length) has that of its values: uint8
            for bytes.
        shape: Shape of the array. It has None for each ragged level, and for the rows
            of a batch if not every batch has as many.
    """

    dtype: Any
    shape: tuple[int | None, ...]
