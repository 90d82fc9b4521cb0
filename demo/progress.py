# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The progress bar of a training, and the line that it prints at the end."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from tqdm import tqdm


class Progress:
    """Counts rows and bytes of a training that may begin in the middle.

    The bar is drawn on a terminal only. The line is always printed, at the end of the
    `with` block.
    """

    def __init__(
        self,
        title: str,
        *,
        num_rows: int,
        batch_size: int,
        epochs: int,
        row_bytes: float,
    ) -> None:
        """Makes the progress of a training with `num_rows` rows in an epoch."""
        self._title = title
        self._num_rows = num_rows
        self._batch_size = batch_size
        self._row_bytes = row_bytes
        self._steps = -(-num_rows // batch_size)
        self._bar = tqdm(
            total=epochs * num_rows,
            desc=title,
            unit=" rows",
            unit_scale=True,
            leave=False,
            disable=None,
            file=sys.stdout,
        )
        self._first = self._last = 0
        self._begin = 0.0
        self._loss = float("nan")

    def start(self, step: int) -> None:
        """Starts the clock before global step `step`."""
        if step:
            self._title += f" from step {step}"
        self._first = self._last = self._rows(step)
        self._bar.update(self._first)
        self._bar.unpause()
        self._begin = time.perf_counter()

    def reach(self, step: int, loss: float) -> None:
        """Moves the bar to where `step` steps of the whole training are done."""
        rows = self._rows(step)
        self._bar.update(rows - self._last)
        self._last, self._loss = rows, loss

    def __enter__(self) -> Self:
        """Returns the progress itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Prints the line unless the training failed."""
        if error is None:
            self.report(self._title)
        self._bar.close()

    def report(self, title: str) -> None:
        """Prints how far the training came, and how fast."""
        seconds = time.perf_counter() - self._begin
        rows = self._last - self._first
        self._bar.clear()
        print(
            f"  {title:<22} {rows / 1e3:5.0f} k rows in {seconds:4.1f} s: "
            f"{rows / seconds / 1e3:5.0f} k rows/s, "
            f"{rows / seconds * self._row_bytes / 1e6:5.1f} MB/s, "
            f"loss {self._loss:.4f}",
            flush=True,
        )

    def _rows(self, step: int) -> int:
        epochs, step = divmod(step, self._steps)
        return epochs * self._num_rows + min(step * self._batch_size, self._num_rows)
