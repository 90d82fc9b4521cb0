# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Reads Thrift's compact protocol, in which the footers of Parquet are written.

pyarrow reads footers, but keeps some of their fields to itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

_STOP, _TRUE, _BOOLS = 0, 1, (1, 2)
_STRUCT: Final = 12


def read_struct(data: bytes) -> dict[int, Any]:
    """Returns the fields of a struct by their numbers; structs in it are dicts, too.

    Raises:
        ValueError: The bytes are no struct.
    """
    try:
        return _Reader(data).value(_STRUCT)  # type: ignore[no-any-return]
    except (IndexError, KeyError, RecursionError) as error:
        raise ValueError("these bytes are no struct of Thrift") from error


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._readers: dict[int, Callable[[], Any]] = {
            3: lambda: self._bytes(1)[0],
            **dict.fromkeys((4, 5, 6), self._integer),
            7: lambda: self._bytes(8),
            8: lambda: self._bytes(self._unsigned()),
            **dict.fromkeys((9, 10), self._list),
            11: self._map,
            _STRUCT: self._struct,
        }

    def value(self, kind: int) -> Any:
        return self._readers[kind]()

    def _element(self, kind: int) -> Any:
        return self._byte() == _TRUE if kind in _BOOLS else self.value(kind)

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _bytes(self, size: int) -> bytes:
        self._at += size
        if self._at > len(self._data):
            raise IndexError
        return self._data[self._at - size : self._at]

    def _unsigned(self) -> int:
        found = shift = 0
        while (byte := self._byte()) >= 0x80:
            found |= (byte & 0x7F) << shift
            shift += 7
        return found | byte << shift

    def _integer(self) -> int:
        found = self._unsigned()
        return (found >> 1) ^ -(found & 1)

    def _list(self) -> list[Any]:
        head = self._byte()
        size = self._unsigned() if head >> 4 == 15 else head >> 4
        return [self._element(head & 15) for _ in range(size)]

    def _map(self) -> list[tuple[Any, Any]]:
        size = self._unsigned()
        kinds = self._byte() if size else 0
        return [
            (self._element(kinds >> 4), self._element(kinds & 15)) for _ in range(size)
        ]

    def _struct(self) -> dict[int, Any]:
        found: dict[int, Any] = {}
        field = 0
        while (head := self._byte()) != _STOP:
            field = field + (head >> 4) if head >> 4 else self._integer()
            kind = head & 15
            found[field] = kind == _TRUE if kind in _BOOLS else self.value(kind)
        return found
