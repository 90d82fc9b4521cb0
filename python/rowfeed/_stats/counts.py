# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Counts of what the iterations of a dataset did, without the advice made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rowfeed._stats.remedies import Remedies


@dataclass(frozen=True)
class ColumnStats:
    """Bytes and times that loading one column took, summed over all threads.

    Attributes:
        codec: Compression codec of the column's chunks, such as "zstd"; "" for none.
        read_bytes: Number of bytes that were requested from the storage.
        requests: Number of reads in which these bytes were requested.
        read_seconds: Time that threads waited for the reads. The chunks of remote files
            (URIs) are fetched before this time begins; there it is the time of copying
            them out of memory.
        decompress_seconds: Time of decompressing pages.
        decode_seconds: Time of decoding decompressed pages to values. Wide rows of one
            size are decoded straight into their batches, which counts here too. So does
            the decompression of the few pages that Arrow's own reader decodes.
        gather_seconds: Time of copying values into batches, including the look-up of
            dictionary entries. Wide rows that stay in the file are read in this step,
            and that time counts in `read_seconds`.
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
        """Sum of the reading, decompressing, decoding and gathering times."""
        decoding = self.decompress_seconds + self.decode_seconds
        return self.read_seconds + decoding + self.gather_seconds


@dataclass(frozen=True, repr=False)
class Counts:
    """Counts and times of one span of time, the fields of `rowfeed.stats.Sums`.

    Attributes:
        num_threads: Number of threads in the kernel's pool.
        memory_budget_bytes: Limit of the memory that reading ahead may take.
        rows: Number of rows delivered to the consumer, including fill rows.
        batches: Number of batches delivered to the consumer.
        bytes: Size of the delivered batches in memory.
        windows: Number of windows that were fetched, filtered and shuffled, including
            windows read ahead. A window holds the rows of a lane that are shuffled
            together.
        windows_over_budget: Number of windows that were loaded although the memory
            budget had no room, because the next batch needed them.
        filtered_rows: Number of rows for which the filter was computed and did not
            hold. Rows that are dropped without computing the filter do not count. They
            are the rows of blocks that statistics rule out, and in other blocks the
            rows before the first and after the last row that passes.
        lost_rows: Number of fill rows (`__valid` is False, weight 0) delivered in the
            place of rows of a growing data set whose files were gone before they could
            be loaded.
        elapsed_seconds: Time from the first pull of an iteration until its latest pull
            returned, summed over iterations that ran at once. With `transform` these
            are the consumer's pulls of transformed elements.
        wait_seconds: Part of `elapsed_seconds` in which the consumer waited for
            batches.
        first_wait_seconds: Part of `wait_seconds` in which the consumer waited for the
            first batch of an epoch.
        convert_seconds: Time of making NumPy arrays or tensors of batches, in the
            consumer's thread; with `transform`, in the thread that pulls batches.
        transform_seconds: Time spent in the function given as `transform`, summed over
            the threads that call it.
        fetch_seconds: Time that the threads which fetch remote files waited for them.
            These threads are not among `num_threads`. Requests of one row group that
            run at once count as one wait.
        fetched_bytes: Number of bytes of remote files that arrived.
        fetch_requests: Number of requests for bytes of remote files.
        fetch_retries: Number of these requests that were sent again after a failure.
        stopped_seconds: Time in which the next window did not fit into the memory
            budget. It does harm only if threads are idle and the consumer waits.
        busy_seconds: Time in which threads of the pool worked. It includes the times
            of all columns and of the filter, `shuffle_seconds` and `assemble_seconds`.
        shuffle_seconds: Time of making permutations, of listing where each row goes,
            and of taking memory for batches.
        assemble_seconds: Time of making the offsets of variable columns, and stacks; in
            a mixture, also of gathering columns of fixed size.
        columns: Times of each column, by its name in the files. A column that is
            delivered twice has the sum of both.
        filter: Times of reading and decoding the filter's columns; computing the filter
            counts as decoding.
        num_epochs: Number of epochs in one iteration; None if it is endless. The first
            windows of an epoch that is not the first one are read ahead.
        transform_cpu_seconds: Part of `transform_seconds` in which the function
            computed. In the rest it waited: for the GIL, for a file or for a CPU.
        transform_yields: Number of times that calls of the function left their CPU to
            wait, for the GIL or for a file.
        transform_preemptions: Number of times that the system took the CPU from these
            calls, to give it to other threads or processes.
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
    num_epochs: int | None = field(default=1, kw_only=True)
    transform_cpu_seconds: float = field(default=0.0, kw_only=True)
    transform_yields: int = field(default=0, kw_only=True)
    transform_preemptions: int = field(default=0, kw_only=True)
    # Finds what the dataset could change, for the advice.
    _remedies: Callable[[], Remedies] = field(
        default=Remedies, kw_only=True, repr=False, compare=False
    )

    @property
    def wait_share(self) -> float:
        """Share of the elapsed time that the consumer waited for batches, 0 to 1."""
        return _ratio(self.wait_seconds, self.elapsed_seconds)

    @property
    def busy_share(self) -> float:
        """Share of their time that the pool's threads worked, about 0 to 1.

        It can exceed 1: work that was done after the latest pull returned counts as
        busy time, but not as elapsed time.
        """
        return _ratio(self.busy_seconds, self.elapsed_seconds * self.num_threads)

    @property
    def rows_per_second(self) -> float:
        """Number of delivered rows per second of elapsed time."""
        return _ratio(self.rows, self.elapsed_seconds)

    @property
    def batches_per_second(self) -> float:
        """Number of delivered batches per second of elapsed time."""
        return _ratio(self.batches, self.elapsed_seconds)

    @property
    def read_bytes(self) -> int:
        """Number of bytes requested from the storage for all columns and the filter."""
        return sum(column.read_bytes for column in self._all())

    @property
    def read_seconds(self) -> float:
        """Time that threads waited for reads of all columns and the filter."""
        return sum(column.read_seconds for column in self._all())

    @property
    def read_bytes_per_second(self) -> float:
        """Number of bytes per second that one thread received while it read."""
        return _ratio(self.read_bytes, self.read_seconds)

    @property
    def requests(self) -> int:
        """Number of reads for all columns and the filter."""
        return sum(column.requests for column in self._all())

    def _all(self) -> Iterator[ColumnStats]:
        yield from self.columns.values()
        yield self.filter


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
