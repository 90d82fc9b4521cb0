# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`BatchRows`: where the rows of a batch lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rowfeed._native import core
from rowfeed._recorder.epoch_order import EpochOrder
from rowfeed._recorder.lane import Numbers
from rowfeed._recorder.steps import FILL, rows_of_step
from rowfeed._sheet.sheet import Sheet
from rowfeed._sheet.shown import Shown
from rowfeed._sheet.text import counted

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False, repr=False)
class BatchRows(Shown):
    """The rows of one batch, in its order, and where each of them is stored.

    Attributes:
        epoch: Number of the epoch.
        step: Index of the step in the epoch.
        rank: Rank that gets the batch.
        world_size: Number of ranks.
        valid: Flags that are False for fill rows, bool [rows].
        source: Index of each row's source in a mixture, int32 [rows]; 0 for all rows of
            another dataset, and -1 for a fill row, as in the arrays that follow.
        file: Index of each row's file in `catalog.files` of its source, int32 [rows].
        row_group: Index of each row's row group in its file, int32 [rows].
        row: Index of each row in its row group, int64 [rows].
        files: Paths of the files of each source; `files[source][file]` is a path.
    """

    epoch: int
    step: int
    rank: int
    world_size: int
    valid: NDArray[np.bool_]
    source: NDArray[np.int32]
    file: NDArray[np.int32]
    row_group: NDArray[np.int32]
    row: NDArray[np.int64]
    files: Sequence[Sequence[str]]

    def __len__(self) -> int:
        """Returns the number of rows of the batch, including fill rows."""
        return len(self.row)

    @property
    def path(self) -> list[str | None]:
        """Path of the file of each row, as the catalog has it; None for a fill row."""
        pairs = zip(self.source.tolist(), self.file.tolist(), strict=True)
        return [
            None if source < 0 else self.files[source][file] for source, file in pairs
        ]

    def to_arrow(self) -> pa.Table:
        """Returns the rows as a table of Arrow, which `pyarrow.parquet` can write.

        It has the columns `epoch`, `step`, `rank` and `place` (the row's index in the
        batch), `source` in a mixture, `path`, `row_group`, `row` and `valid`.
        In a fill row the columns from `source` to `row` are null.
        """
        import pyarrow as pa  # It is slow, and few who look at rows need a table.

        same = {"epoch": self.epoch, "step": self.step, "rank": self.rank}
        columns: dict[str, Any] = {
            name: np.full(len(self), value, np.int64) for name, value in same.items()
        }
        columns["place"] = np.arange(len(self), dtype=np.int64)
        if len(self.files) > 1:
            columns["source"] = pa.array(self.source, mask=~self.valid)
        columns["path"] = pa.array(self.path, pa.string())
        columns["row_group"] = pa.array(self.row_group, mask=~self.valid)
        columns["row"] = pa.array(self.row, mask=~self.valid)
        columns["valid"] = self.valid
        return pa.table(columns)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns the table of `to_arrow` for libraries that speak Arrow's protocol."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _sheet(self) -> Sheet:
        title = (
            f"rows of epoch {self.epoch}, step {self.step}, "
            f"rank {self.rank} of {self.world_size}"
        )
        num_fill = len(self) - int(self.valid.sum())
        size = counted(len(self), "row")
        if num_fill:
            size += f", of which {counted(num_fill, 'row')} of fill"
        return Sheet(title, [("size", size), ("from", self._groups())], "to_arrow()")

    def _groups(self) -> list[tuple[str, ...]]:
        """Returns a line for each row group: its file, its index, how many rows."""
        places = np.stack([self.source, self.file, self.row_group])[:, self.valid]
        found, counts = np.unique(places, axis=1, return_counts=True)
        return [
            (self.files[source][file], f"row group {group}", counted(rows, "row"))
            for (source, file, group), rows in zip(
                found.T.tolist(), counts.tolist(), strict=True
            )
        ]


def rows_of_batch(
    order: EpochOrder, epoch: int, start: int, delivery: core.DeliveryOptions
) -> BatchRows:
    """Returns the rows of one rank's batch.

    Args:
        order: Order of the epoch.
        epoch: Number of the epoch.
        start: Row of the stream at which the step begins on all ranks together.
        delivery: Delivery of the batches.
    """
    rows = rows_of_step(delivery, order.num_rows, start)
    valid = rows != FILL
    sources, groups, in_group = order.places(rows[valid])
    file, row_group = _files_of(order, sources, groups)

    def filled(values: Numbers, dtype: type[np.signedinteger[Any]]) -> NDArray[Any]:
        array = np.full(len(rows), FILL, dtype)
        array[valid] = values
        return array

    return BatchRows(
        epoch=epoch,
        step=start // delivery.global_batch,
        rank=delivery.rank,
        world_size=delivery.world_size,
        valid=valid,
        source=filled(sources, np.int32),
        file=filled(file, np.int32),
        row_group=filled(row_group, np.int32),
        row=filled(in_group, np.int64),
        files=[[path for path, *_ in it.files] for it in order.catalogs],
    )


def _files_of(
    order: EpochOrder, sources: Numbers, groups: Numbers
) -> tuple[Numbers, Numbers]:
    """Returns the file of each row, and the index of its row group in the file."""
    file, row_group = np.empty_like(groups), np.empty_like(groups)
    for source in np.unique(sources).tolist():
        mine = sources == source
        listed = order.catalogs[source].row_groups
        wanted, at = np.unique(groups[mine], return_inverse=True)
        known = np.array([listed[group] for group in wanted.tolist()], np.int64)
        file[mine], row_group[mine] = known[at, 0], known[at, 1]
    return file, row_group
