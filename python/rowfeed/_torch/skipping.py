# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""An iteration whose first batches Accelerate drops.

`accelerate.skip_first_batches`, with which the Trainer of transformers resumes as well,
iterates from the beginning and drops what it skips. So this is not read.
"""

from __future__ import annotations

import sys
from typing import Any

from rowfeed._torch.iteration import TorchIteration, TorchOwner


class SkippingIteration(TorchIteration):
    """An iteration with None in the place of each batch that is dropped."""

    def __init__(self, dataset: TorchOwner, num_skipped: int) -> None:
        """Makes the iteration.

        Args:
            dataset: Dataset, whose next place lies after the batches that are dropped.
            num_skipped: Number of these batches.
        """
        super().__init__(dataset)
        self._num_skipped = num_skipped

    def __next__(self) -> Any:
        if not self._num_skipped:
            return super().__next__()
        self._num_skipped -= 1
        return None


def num_skipped() -> int:
    """Returns how many batches the caller of `iter(dataset)` drops; 0 for others."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__") == "accelerate.data_loader":
            asking: Any = frame.f_locals.get("self")
            if type(asking).__name__ == "SkipDataLoader":
                return int(asking.skip_batches)
        frame = frame.f_back  # type: ignore[assignment]
    return 0
