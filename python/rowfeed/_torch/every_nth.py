# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The part of a stream that falls to one DataLoader worker."""

from __future__ import annotations

from typing import Any

from rowfeed._native import core


class EveryNth:
    """Every n-th batch of a stream; the others are passed over.

    Attributes:
        skip: How many batches lie before the next one.
    """

    def __init__(self, stream: core.BatchStream, n: int) -> None:
        """Begins with the first batch of `stream`, unless `skip` is set."""
        self._stream, self._n = stream, n
        self.skip = 0

    @property
    def progress(self) -> core.Progress:
        """Behind the last batch made."""
        return self._stream.progress

    @property
    def next_epoch(self) -> int:
        """That of `progress`."""
        return self._stream.next_epoch

    def next(self) -> Any:
        """Returns the next batch, or None at the end."""
        skip, self.skip = self.skip, self._n - 1
        self._stream.skip(skip)
        return self._stream.next()

    def restore(self, progress: core.Progress) -> None:
        """Goes on from `progress`, `skip` batches behind it."""
        self._stream.restore(progress)

    def close(self) -> None:
        """Closes the stream."""
        self._stream.close()
