# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The files of each epoch: the same always, or those that are there as it begins."""

from __future__ import annotations

from typing import Any

from tests.simulation import model
from tests.simulation.files import Files
from tests.simulation.model import Order
from tests.simulation.rows import File


class Epochs:
    """The epochs that a dataset knows, and the streams of their rows.

    Attributes:
        known: Files of each epoch that has begun, for data that grows.
        order: Order options in force.
    """

    def __init__(
        self, case: dict[str, Any], files: list[Files], order: Order | None
    ) -> None:
        self._case, self._files = case, files
        self._streams: dict[tuple[Any, ...], list[int]] = {}
        self._fixed: list[list[File]] | None = None
        if not case["grows"]:
            self._fixed = [source["files"] for source in case["sources"]]
        self.known: dict[int, list[File]] = {}
        self.order = order or self._first_order(1)

    def _first_order(self, world_size: int) -> Order:
        sources, options = self._case["sources"], self._case["options"]
        windows = [
            source["order"]["shuffle_window"]
            or model.default_window(source, source["files"])
            for source in sources
        ]
        is_pinned = not options["reshuffle_each_iteration"]
        return Order(
            options["num_lanes"] or world_size,
            options["first_epoch"] if is_pinned else None,
            tuple(windows),
        )

    def begin_anew(self, world_size: int) -> None:
        """Takes the order that a first start with so many ranks has."""
        self.order = self._first_order(world_size)

    def files_of(self, epoch: int) -> list[list[File]]:
        """Returns the files of each source; a growing epoch begins if it has not."""
        if self._fixed is not None:
            return self._fixed
        if epoch not in self.known:
            self.known[epoch] = list(self._files[0].present)
        return [self.known[epoch]]

    def stream(self, epoch: int) -> list[int]:
        """Returns the ids of an epoch, in the order of its global stream."""
        files, numbers = self._fixed, tuple[int, ...]()
        if files is None:
            files = self.files_of(epoch)
            numbers = tuple(file["number"] for file in files[0])
        key = epoch, self.order, numbers
        if key not in self._streams:
            found = model.stream(self._case, files, self.order, epoch)
            self._streams[key] = found
        return self._streams[key]
