# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The numbers of null lists and null elements, by a footer's level histograms.

The null count of a column chunk does not: it counts both, and empty lists too.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from rowfeed._catalog.compact_thrift import read_struct
from rowfeed._catalog.leaves import Leaf

# The number of null lists, and of null elements.
_Nulls: TypeAlias = tuple[int | None, int | None]

# Numbers of the fields in Parquet's Thrift definition.
_ROW_GROUPS: Final = 4  # Field of FileMetaData.
_CHUNKS: Final = 1  # Field of RowGroup.
_CHUNK_METADATA: Final = 3  # Field of ColumnChunk.
_SIZE_STATISTICS: Final = 16  # Field of ColumnMetaData.
_DEFINITION_LEVELS: Final = 3  # Field of SizeStatistics: counts of levels 0, 1, ...

_AROUND_FOOTER: Final = 8  # The bytes of its length and of the magic number.


class LevelHistograms:
    """How often each definition level occurs in the column chunks of a file."""

    def __init__(self, tail: bytes) -> None:
        """Takes a file's footer, with the length and the magic number after it."""
        self._tail = tail
        self._groups: Any = None  # The footer is read only if a histogram is asked for.

    def nulls(self, group: int, leaf: Leaf, chunk: Any) -> _Nulls:
        """Returns the numbers of null lists and of null elements in a column chunk.

        Args:
            group: Index of the row group.
            leaf: Column, which is in a list.
            chunk: Metadata of the chunk, of pyarrow.

        Returns:
            Number of rows whose list is null, and number of nulls within lists. None
            for both if the footer has no histogram, or a wrong one.
        """
        counts = self._counts(group, leaf.index)
        if len(counts) != leaf.levels + 1 or sum(counts) != chunk.num_values:
            return None, None
        # The lowest levels stand for a null list, or for null structs around it.
        lists = sum(counts[: leaf.null_levels])
        return lists, sum(counts[level] for level in leaf.element_levels)

    def _counts(self, group: int, leaf: int) -> list[int]:
        try:
            if self._groups is None:
                size = int.from_bytes(self._tail[-_AROUND_FOOTER:-4], "little")
                footer = self._tail[-_AROUND_FOOTER - size : -_AROUND_FOOTER]
                self._groups = read_struct(footer)[_ROW_GROUPS]
            metadata = self._groups[group][_CHUNKS][leaf][_CHUNK_METADATA]
            found = metadata[_SIZE_STATISTICS][_DEFINITION_LEVELS]
        except (IndexError, KeyError, ValueError):
            return []
        return found if all(isinstance(count, int) for count in found) else []
