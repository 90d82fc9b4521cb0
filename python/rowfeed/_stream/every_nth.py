# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The batches of a stream that one of several worker processes delivers."""

from __future__ import annotations

from typing import Any

from rowfeed._native import core


class EveryNth:
    """A stream of every n-th batch of another stream; it skips the rest.

    Attributes:
        skip: Number of batches to skip before the next one.
    """

    def __init__(self, stream: core.BatchStream, n: int) -> None:
        """Makes the stream; it begins with the first batch unless `skip` is set."""
        self._stream, self._n = stream, n
        self.skip = 0

    @property
    def progress(self) -> core.Progress:
        """Place after the last batch delivered."""
        return self._stream.progress

    @property
    def next_epoch(self) -> int:
        """Epoch that follows the one of `progress`."""
        return self._stream.next_epoch

    def next(self) -> Any:
        """Returns the next batch, or None at the end."""
        skip, self.skip = self.skip, self._n - 1
        self._stream.skip(skip)
        return self._stream.next()

    def restore(self, progress: core.Progress) -> None:
        """Goes on from `progress`: the next batch is `skip` batches after it."""
        self._stream.restore(progress)

    def close(self) -> None:
        """Closes the stream."""
        self._stream.close()
