# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Rows that a writer collects until they fill a row group."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

_MANY: Final = 256


class PendingRows:
    """Rows that are not yet written, as batches of any size.

    Every 256 batches are combined into one, so that single rows do not pile up.
    """

    def __init__(self, schema: pa.Schema) -> None:
        """Makes a collection without rows."""
        self._schema = schema
        self._batches: list[pa.RecordBatch] = []
        self._num_loose = 0  # The number of batches at the end that are not combined.
        self.num_rows = 0
        self._num_bytes = 0

    def append(self, batch: pa.RecordBatch) -> None:
        """Adds the rows of a batch."""
        if not batch.num_rows:
            return
        self._batches.append(batch)
        self.num_rows += batch.num_rows
        self._num_bytes += batch.nbytes
        self._num_loose += 1
        if self._num_loose == _MANY:
            loose = pa.Table.from_batches(self._batches[-_MANY:], self._schema)
            self._batches[-_MANY:] = loose.combine_chunks().to_batches()
            self._num_loose = 0

    def row_bytes(self) -> int:
        """Returns the mean size of a row in memory, in bytes, at least 1."""
        return max(1, -(-self._num_bytes // max(1, self.num_rows)))

    def first(self, num_rows: int) -> pa.Table:
        """Returns the first `num_rows` rows."""
        return pa.Table.from_batches(self._batches, self._schema).slice(0, num_rows)

    def drop(self, num_rows: int) -> None:
        """Removes the first `num_rows` rows."""
        rest = pa.Table.from_batches(self._batches, self._schema).slice(num_rows)
        self._batches = rest.to_batches()
        self._num_loose = 0
        self.num_rows = rest.num_rows
        self._num_bytes = rest.nbytes
