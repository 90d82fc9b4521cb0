# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Names of the dtypes that users may ask for, and conversion of single values."""

from __future__ import annotations

import math
import numbers
import sys
from collections.abc import Callable
from typing import Any, Final

import numpy as np

BFLOAT16: Final = "bfloat16"
NAMES: Final = (
    "bool",
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    "float16",
    BFLOAT16,
    "float32",
    "float64",
)
# The dtypes that NumPy does not have, which the package ml_dtypes adds to it.
OF_ML_DTYPES: Final = frozenset({BFLOAT16})
STRING: Final = "string"
BYTES: Final = (STRING, "binary")
# For each kind of dtype, as NumPy names it: the types that a value may have, and its
# exact conversion to Python's number.
_KINDS: Final[dict[str, tuple[Any, Callable[[Any], object]]]] = {
    "b": ((bool, np.bool_), bool),
    "i": (numbers.Integral, int),
    "u": (numbers.Integral, int),
    "f": (numbers.Real, float),
}


def name_of(dtype: object) -> str:
    """Returns the name of a dtype, one of NAMES and BYTES.

    Args:
        dtype: Such a name, any form that NumPy takes for a dtype, or `str`.

    Raises:
        ValueError: `dtype` has no such name.
    """
    if dtype is str:
        return STRING
    try:
        name = dtype if isinstance(dtype, str) else np.dtype(dtype).name  # type: ignore[call-overload]
    except TypeError:
        name = None
    if name not in NAMES + BYTES:
        known = ", ".join(NAMES + BYTES)
        raise ValueError(f"dtype must be one of {known}, not {dtype!r}")
    return str(name)


def to_numpy(name: str) -> np.dtype[Any]:
    """Returns NumPy's dtype of this name.

    Raises:
        ModuleNotFoundError: `name` is of ml_dtypes, and that is not installed.
    """
    if name in OF_ML_DTYPES:
        try:
            import ml_dtypes
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                f"NumPy has no {name} of its own: arrays of it need the package "
                "ml_dtypes (pip install ml_dtypes)",
                name="ml_dtypes",
            ) from error
        added: np.dtype[Any] = np.dtype(getattr(ml_dtypes, name))
        return added
    return np.dtype(name)


def width_of(name: str) -> int:
    """Returns the number of bytes that a value of this dtype takes."""
    return np.dtype("float16" if name == BFLOAT16 else name).itemsize


def to_bytes(value: object, name: str) -> bytes:
    """Returns the bytes in memory of one value of the dtype `name`.

    Raises:
        TypeError: The value is of another kind than the dtype.
        OverflowError: The dtype cannot hold the value.
    """
    dtype = np.dtype("float32" if name == BFLOAT16 else name)
    kind, convert = _KINDS[dtype.kind]
    is_bool = isinstance(value, (bool, np.bool_))
    if is_bool != (dtype.kind == "b") or not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {name}")
    exact = convert(value)
    if name == BFLOAT16:
        return _bfloat16_bytes(float(exact))  # type: ignore[arg-type]
    if isinstance(exact, int) and dtype.kind != "b":  # NumPy 1 would wrap it around.
        return exact.to_bytes(dtype.itemsize, sys.byteorder, signed=dtype.kind == "i")
    try:
        with np.errstate(over="raise"):
            return np.array(exact, dtype).tobytes()
    except FloatingPointError as error:
        raise OverflowError(f"{value!r} does not fit in {name}") from error


def _bfloat16_bytes(value: float) -> bytes:
    """Returns a value rounded to bfloat16, which is the upper half of a float32.

    Its significand has 8 bits.
    """
    if math.isfinite(value):
        step = math.ldexp(1, max(math.frexp(value)[1] - 8, -133))
        rounded = math.copysign(round(value / step) * step, value)
        if abs(rounded) >= math.ldexp(1, 128):
            raise OverflowError(f"{value!r} does not fit in {BFLOAT16}")
        value = rounded
    bits = int(np.float32(value).view(np.uint32)) >> 16
    return bits.to_bytes(2, "little")
