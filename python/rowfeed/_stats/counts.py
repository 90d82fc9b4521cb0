# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a dataset's iterations have done, as numbers alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class ColumnStats:
    """What one column took.

    Attributes:
        codec: That its chunks are compressed with: "zstd"; "" for none.
        read_bytes: That were asked of the storage.
        requests: Reads that they were asked in.
        read_seconds: That threads waited for the reads. Chunks of data elsewhere (URIs)
            are fetched before: then it is what copying them out of memory takes.
        decompress_seconds: Of pages.
        decode_seconds: From decompressed pages to values, or to batches where rows of
            one size are wide. The few pages that Arrow's own reader decodes count here
            with their decompression.
        gather_seconds: From values to batches; entries of dictionaries are looked up
            here, and wide rows that stay in the file read (which counts as reading).
    """

    codec: str = ""
    read_bytes: int = 0
    requests: int = 0
    read_seconds: float = 0.0
    decompress_seconds: float = 0.0
    decode_seconds: float = 0.0
    gather_seconds: float = 0.0

    @property
    def seconds(self) -> float:
        """All of them."""
        decoding = self.decompress_seconds + self.decode_seconds
        return self.read_seconds + decoding + self.gather_seconds


@dataclass(frozen=True)
class Counts:
    """What was counted in some time: the numbers of `rowfeed.stats.Sums`.

    Attributes:
        num_threads: Of the pool.
        memory_budget_bytes: For what is read ahead.
        rows: That were delivered, fill rows included.
        batches: That were delivered.
        bytes: Of memory that they lie in.
        windows: That were loaded, also ahead.
        windows_over_budget: Those among them that the budget had no room for: without
            them the next batch could not have been made.
        filtered_rows: That the filter was computed for and did not let pass. It is not
            computed for blocks that statistics rule out, nor outside the first and the
            last row of a block that pass.
        lost_rows: Fill in the place of rows of a growing data set whose files were gone
            when they were to be loaded (`__valid` is False, weight 0).
        elapsed_seconds: From the first pull of an iteration until its latest one
            returned; of iterations at once, the sum.
        wait_seconds: Of these, what the consumer spent waiting for batches.
        first_wait_seconds: Of these, for the first batch of an epoch.
        convert_seconds: Making NumPy arrays or tensors of batches, in the consumer's
            thread.
        transform_seconds: In the function given as `transform`, in its threads.
        fetch_seconds: That the threads which fetch data elsewhere waited for it. They
            are none of `num_threads`, and several requests of a row group are one wait.
        fetched_bytes: That came from there.
        fetch_requests: That it was asked in.
        fetch_retries: How many of these were asked again because they failed.
        stopped_seconds: While the next window did not fit into the budget. That harms
            only if threads are idle and the consumer waits.
        busy_seconds: Of the threads of the pool. The times of columns and filter, and
            the next two, are parts of it.
        shuffle_seconds: Permutations, lists of what goes where, memory for batches.
        assemble_seconds: Offsets of variable columns, stacks; in a mixture the
            gathering of columns of fixed size too.
        columns: By name, of the columns in the files. One that is delivered twice has
            the sum.
        filter: Reading, and decoding with computing, what the filter needs.
    """

    num_threads: int
    memory_budget_bytes: int
    rows: int
    batches: int
    bytes: int
    windows: int
    windows_over_budget: int
    filtered_rows: int
    lost_rows: int
    elapsed_seconds: float
    wait_seconds: float
    first_wait_seconds: float
    convert_seconds: float
    transform_seconds: float
    fetch_seconds: float
    fetched_bytes: int
    fetch_requests: int
    fetch_retries: int
    stopped_seconds: float
    busy_seconds: float
    shuffle_seconds: float
    assemble_seconds: float
    columns: dict[str, ColumnStats]
    filter: ColumnStats

    @property
    def wait_share(self) -> float:
        """The part of the time that the consumer waited, 0 to 1."""
        return _ratio(self.wait_seconds, self.elapsed_seconds)

    @property
    def busy_share(self) -> float:
        """The part of their time that threads were busy, about 0 to 1.

        Work that was done after the latest pull returned counts, its time does not.
        """
        return _ratio(self.busy_seconds, self.elapsed_seconds * self.num_threads)

    @property
    def rows_per_second(self) -> float:
        """Of the time elapsed."""
        return _ratio(self.rows, self.elapsed_seconds)

    @property
    def batches_per_second(self) -> float:
        """Of the time elapsed."""
        return _ratio(self.batches, self.elapsed_seconds)

    @property
    def read_bytes(self) -> int:
        """Of all columns and the filter."""
        return sum(column.read_bytes for column in self._all())

    @property
    def read_seconds(self) -> float:
        """Of all columns and the filter."""
        return sum(column.read_seconds for column in self._all())

    @property
    def read_bytes_per_second(self) -> float:
        """What one thread got while it read: the bandwidth of one request."""
        return _ratio(self.read_bytes, self.read_seconds)

    @property
    def requests(self) -> int:
        """Of all columns and the filter."""
        return sum(column.requests for column in self._all())

    def _all(self) -> Iterator[ColumnStats]:
        yield from self.columns.values()
        yield self.filter


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
