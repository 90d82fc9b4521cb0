# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The streams of batches or elements that an iteration reads."""

from __future__ import annotations

from typing import Any, Protocol

from rowfeed._native import core


class Position(Protocol):
    """An object that knows the place of an iteration."""

    @property
    def progress(self) -> core.Progress:
        """Place after the last batch delivered."""


class Stream(Position, Protocol):
    """The methods of a native BatchStream, or of a wrapper, that an iteration uses."""

    @property
    def next_epoch(self) -> int:
        """Epoch that follows the one of `progress`, in less time than by `progress`."""

    def next(self) -> Any:
        """Returns the next batch or element; a native stream ends with None."""

    def restore(self, progress: core.Progress) -> None:
        """Makes `progress` the place of the next batch."""

    def close(self) -> None:
        """Closes the stream, so that a `next` that waits ends."""
