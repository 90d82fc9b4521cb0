# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Types of the native module `_core`, which cc/python implements."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

ORDER_VERSION: int

class Column:
    @property
    def name(self) -> str: ...
    @property
    def path(self) -> list[str]: ...  # The fields that `name` joins.
    @property
    def logical_type(self) -> str: ...
    @property
    def unsupported(self) -> str: ...
    @property
    def is_added_index(self) -> bool: ...  # An index that pandas stored.
    @property
    def is_partition(self) -> bool: ...
    @property
    def dtype(self) -> str: ...
    @property
    def ragged_rank(self) -> int: ...  # Number of levels of lists of any length.
    @property
    def dense_shape(self) -> list[int]: ...  # Shape of elements in these lists.
    @property
    def unit(self) -> str: ...

class Catalog:
    # `notices` gets sentences about likely mistakes, and the columns that are left out
    # because only later files have them, with the first file of each.
    @staticmethod
    def open(
        paths: Sequence[bytes],
        columns: Sequence[str] | None,
        num_threads: int,
        notices: tuple[list[str], dict[str, str]] | None = None,
        partitions: tuple[str, bytes] = ...,
    ) -> Catalog: ...
    # Opens a catalog as `open` does, but skips files that are not complete.
    @staticmethod
    def open_growing(
        paths: Sequence[bytes],
        columns: Sequence[str] | None,
        num_threads: int,
        notices: tuple[list[str], dict[str, str]] | None = None,
        partitions: tuple[str, bytes] = ...,
    ) -> Catalog: ...
    @staticmethod
    def parse(data: bytes) -> Catalog: ...
    def serialize(self) -> bytes: ...
    # For each partition column: its dtype, and whether the user gave it.
    @property
    def partition_types(self) -> dict[str, tuple[str, bool]]: ...

    # Returns the catalog with other dtypes of its partition columns, by their names.
    # Names of other columns are ignored.
    def with_partition_dtypes(self, dtypes: Mapping[str, str]) -> Catalog: ...

    # Returns the catalog of some row groups and of their files, in the same order.
    def select(self, row_groups: Sequence[int]) -> Catalog: ...

    # Returns the catalog of some columns, in the order of `names`; reads no footer.
    def project(self, names: Sequence[str]) -> Catalog: ...
    # Raises ValueError if a file is neither one of the paths nor below one of them.
    def check_files_are_in(self, paths: Sequence[bytes]) -> None: ...
    @property
    def is_selection(self) -> bool: ...  # Whether `select` has left out row groups.
    @property
    def partitions(self) -> list[bytes]: ...  # Directories that are columns.
    @property
    def files(self) -> list[tuple[str, str, int, int]]: ...  # (path, name, size, rows)
    @property
    def footer_digests(self) -> NDArray[np.uint64]: ...  # Digest of each file's footer.
    @property
    def row_groups(self) -> list[tuple[int, int, int]]: ...  # (file, index, rows)
    @property
    def group_rows(self) -> NDArray[np.int64]: ...
    @property
    def num_rows(self) -> int: ...
    @property
    def columns(self) -> list[Column]: ...
    @property
    def fingerprint(self) -> str: ...
    # Tuples (file index, column index, is_null) for files that lack a column or have it
    # in another type; is_null tells whether all rows of the column are null there.
    @property
    def differences(self) -> list[tuple[int, int, bool]]: ...
    # Tuples (column index, number of row groups, the first of them) of the columns that
    # have nulls, as footers say.
    @property
    def null_groups(self) -> list[tuple[int, int, int]]: ...

# The greatest values of options.
MAX_LANES: int
MAX_BATCH_SIZE: int
MAX_WORLD_SIZE: int

class OrderOptions:
    def __init__(
        self,
        *,
        shuffle: bool,
        seed: int,
        shuffle_window: int,
        block_rows: int,
        num_lanes: int,
    ) -> None: ...
    @property
    def shuffle(self) -> bool: ...
    @property
    def seed(self) -> int: ...
    @property
    def shuffle_window(self) -> int: ...
    @property
    def block_rows(self) -> int: ...
    @property
    def num_lanes(self) -> int: ...

class DeliveryOptions:
    def __init__(
        self, *, batch_size: int, rank: int, world_size: int, remainder: str
    ) -> None: ...
    @property
    def batch_size(self) -> int: ...
    @property
    def rank(self) -> int: ...
    @property
    def world_size(self) -> int: ...
    @property
    def remainder(self) -> str: ...
    @property
    def global_batch(self) -> int: ...

class Vocabulary:
    @staticmethod
    def make(
        strings: Sequence[bytes], unknown: int | None, first: int
    ) -> Vocabulary: ...

def hash_bucket(string: bytes, num_buckets: int) -> int: ...

class ColumnSpec:
    # `column` names a column of the catalog or, if there is none, a place of rows such
    # as "__file". With dtype None and unit "" these are the column's own. num_buckets
    # is 0 for no hash. mask is "none", "elements" or "rows".
    def __init__(
        self,
        catalog: Catalog,
        column: str,
        *,
        dtype: str | None,
        unit: str,
        vocabulary: Vocabulary | None,
        num_buckets: int,
        mask: str,
    ) -> None: ...
    # Returns the column as batches hold it.
    def column(self, catalog: Catalog) -> Column: ...
    def set_fill(self, fill: bytes) -> None: ...  # Bytes of one element.
    # Puts the feature into a stack: neighbours in one stack become one tensor.
    def set_stack(self, name: str, by_rows: bool) -> None: ...
    # truncate is "end", "start" or "never"; value has the bytes of one element.
    def set_padding(
        self, lengths: Sequence[int], truncate: str, value: bytes
    ) -> None: ...
    def set_shape(self, shape: Sequence[int]) -> None: ...

class StreamOptions:
    def __init__(
        self,
        *,
        columns: Sequence[ColumnSpec],
        order: OrderOptions,
        delivery: DeliveryOptions,
        num_epochs: int | None,
        pinned_epoch: int | None,
        num_threads: int,
        memory_budget_bytes: int,
        filter: bytes,
        cache_dir: bytes,
        verify_checksums: bool,
        use_statistics: bool,
        # For data that grows: paths, snapshot_dir, and the rule for partitions.
        growth: tuple[Sequence[bytes], bytes, tuple[str, bytes]] | None,
        partition_types: Mapping[str, tuple[str, bool]],
    ) -> None: ...
    @staticmethod
    def parse(data: bytes) -> StreamOptions: ...
    def serialize(self) -> bytes: ...
    # Makes the options of a mixture; other options are those of the first source.
    # weights: pairs of an epoch and, from it on, the rounds of each source in a period.
    @staticmethod
    def mix(
        sources: Sequence[StreamOptions],
        *,
        stop: str,
        weights: Sequence[tuple[int, Sequence[int]]],
    ) -> StreamOptions: ...
    def validate(self, catalogs: Sequence[Catalog]) -> None: ...
    def columns(self, catalog: Catalog) -> list[Column]: ...
    @property
    def order(self) -> OrderOptions: ...
    @property
    def delivery(self) -> DeliveryOptions: ...
    @property
    def num_epochs(self) -> int | None: ...
    @property
    def pinned_epoch(self) -> int | None: ...
    @property
    def num_threads(self) -> int: ...
    @property
    def verify_checksums(self) -> bool: ...
    @property
    def use_statistics(self) -> bool: ...
    memory_budget_bytes: int
    max_batches_per_arena: int

# The memory that a stream needs by what the footers say, in bytes.
class MemoryPlan:
    @property
    def window_rows(self) -> int: ...  # Rows of the largest window.
    @property
    def window(self) -> int: ...
    @property
    def num_windows(self) -> int: ...  # Windows that are needed at once.
    @property
    def minimum(self) -> int: ...
    @property
    def with_read_ahead(self) -> int: ...

def plan_memory(
    catalogs: Sequence[Catalog],
    options: StreamOptions,
    *,
    num_threads: int | None = None,  # None: that of the options
) -> MemoryPlan: ...

class Progress:
    def __init__(
        self, epoch: int, row: int, next_epoch: int, epochs_done: int
    ) -> None: ...
    def astuple(self) -> tuple[int, int, int, int]: ...
    @property
    def epoch(self) -> int: ...
    @property
    def row(self) -> int: ...
    @property
    def next_epoch(self) -> int: ...
    @property
    def epochs_done(self) -> int: ...

class DatasetRows:
    def __init__(self, catalog: Catalog, options: StreamOptions) -> None: ...
    @staticmethod
    def filtered(
        catalog: Catalog,
        *,
        filter: bytes,
        block_rows: int,
        num_threads: int,
        cache_dir: bytes,
        verify_checksums: bool,
        use_statistics: bool,
    ) -> DatasetRows: ...
    @property
    def catalog(self) -> Catalog: ...
    @property
    def is_known(self) -> bool: ...
    @property
    def max_rows(self) -> int: ...
    # Returns the number of rows that the filter lets pass; the first call counts them.
    # Warns of files whose statistics are wrong.
    def num_rows(self, is_abandoned: Callable[[], bool] | None = None) -> int: ...
    def save(self) -> bytes: ...  # Empty if not counted.
    def load(self, saved: bytes) -> None: ...
    # Counts only the row groups index, index + num_shares, ...; for `join`.
    def count_share(self, index: int, num_shares: int) -> bytes: ...
    def join(self, shares: Sequence[bytes]) -> None: ...

class MixingForecast:
    @property
    def row_groups_per_batch(self) -> float: ...
    @property
    def files_per_batch(self) -> float: ...
    @property
    def displacement_rows(self) -> float: ...

# What this rank does in an epoch, by the order of its rows and by what footers say.
class EpochForecast:
    @property
    def num_files(self) -> int: ...
    @property
    def num_row_groups(self) -> int: ...
    @property
    def read_bytes(self) -> int: ...
    @property
    def is_read_exact(self) -> bool: ...
    @property
    def first_batch_bytes(self) -> int: ...
    @property
    def num_requests(self) -> int: ...
    @property
    def num_windows(self) -> int: ...
    @property
    def window_rows(self) -> int: ...
    @property
    def window_blocks(self) -> int: ...
    @property
    def excluded_row_groups(self) -> int: ...

    # The numbers of rows by what told whether they pass; see `Explanation`.
    @property
    def decided_rows(self) -> dict[str, int] | None: ...
    @property
    def copied_bytes(self) -> int: ...
    @property
    def by_index_bytes(self) -> int: ...
    @property
    def mixing(self) -> MixingForecast | None: ...

# Foresees an epoch without reading anything. The rows of filters must be counted, and
# the epoch must have an end.
def forecast_epoch(
    options: StreamOptions, sources: Sequence[DatasetRows], epoch: int
) -> EpochForecast: ...

# Returns whether the kernel can read a path; if not, TensorFlow may be able to.
def has_client(path: bytes) -> bool: ...

# Returns whether a pattern matches a whole name; docs/reference.md has the rule.
def match_pattern(pattern: str, name: str) -> bool: ...

# Returns a URI without secrets such as access keys.
def without_secrets(path: bytes) -> bytes: ...

class Snapshots:
    def __init__(self, first: DatasetRows, options: StreamOptions) -> None: ...
    # Lists the epoch, and returns the number of its rows, over all ranks.
    def begin(
        self, epoch: int, is_abandoned: Callable[[], bool] | None = None
    ) -> int: ...
    def fingerprint_of(self, epoch: int) -> str: ...  # "" before it begins.
    def rows_of(self, epoch: int) -> DatasetRows: ...  # The epoch must have begun.
    def save(self, epoch: int) -> bytes: ...  # Its catalog and its number of rows.
    def load(self, epoch: int, saved: bytes) -> None: ...
    def save_counts(self, epoch: int) -> bytes: ...  # b"" without a filter's counts.
    def resume(
        self, epoch: int, fingerprint: str, *, may_be_gone: bool, counts: bytes = b""
    ) -> None: ...

class Cursor:
    def __init__(
        self,
        sources: Sequence[DatasetRows],
        *,
        first_epoch: int,
        num_threads: int,
        memory_budget_bytes: int,
        snapshots: Snapshots | None = None,
    ) -> None: ...
    def stats(self) -> bytes: ...  # JSON of the iterations in this process.
    def count_transform(self, *, work_ns: int) -> None: ...
    def peek(self) -> Progress: ...
    def move(self, progress: Progress) -> None: ...

# Where a dataset stands whose iterations TensorFlow makes.
class DatasetPlace:
    def __init__(self, cursor: Cursor) -> None: ...
    @property
    def cursor(self) -> Cursor: ...
    def latest(self) -> Progress: ...  # The place of the last iteration.
    def move(self, progress: Progress) -> None: ...

# Leaves a place for the op of this name.
def leave_place(name: str, place: DatasetPlace) -> None: ...

# An output of a batch. One of fixed shape is an array or, if the stream has a DLPack
# exchange, a tensor of its library. A ragged one is a tuple: its values, and the splits
# of each level, from the rows inwards.
Tensor = Any

# The tensors of all outputs, and flags that are False for fill rows; None if no row may
# be fill.
Batch = tuple[list[Tensor], NDArray[np.bool_] | None]

class PackedBatch:
    @property
    def num_bytes(self) -> int: ...
    def copy_to(self, address: int) -> None: ...  # Copies num_bytes bytes.
    # `arena` is a tensor of the stream's exchange that has, or will have, the bytes
    # from `copy_to`. The returned tensors are views of it, on its device.
    def tensors_in(self, arena: object) -> Batch: ...

def is_dlpack_exchange(found: object) -> bool: ...  # Whether streams can use it.

class BatchStream:
    def __init__(
        self,
        cursor: Cursor,
        options: StreamOptions,
        exchange: object = None,
        packs: bool = False,
    ) -> None: ...
    def next(self) -> Any: ...  # Batch; PackedBatch if it packs; None at the end.
    def skip(self, num_batches: int) -> int: ...
    @property
    def progress(self) -> Progress: ...
    @property
    def next_epoch(self) -> int: ...  # The one in `progress`.
    def restore(self, progress: Progress) -> None: ...
    def close(self) -> None: ...

class RowTaker:
    # Only the features and the number of threads of `options` are used.
    def __init__(
        self,
        catalog: Catalog,
        options: StreamOptions,
        *,
        memory_budget_bytes: int,
        exchange: object = None,
    ) -> None: ...
    def take(self, rows: NDArray[np.int64]) -> Batch: ...
    def stats(self) -> bytes: ...  # JSON of the takes in this process.
    @property
    def bytes_kept(self) -> int: ...

class EpochPlan:
    @staticmethod
    def make(
        group_rows: Sequence[int], order: OrderOptions, epoch: int
    ) -> EpochPlan: ...
    @property
    def num_rows(self) -> int: ...
    @property
    def num_lanes(self) -> int: ...
    # Returns the pieces of a lane, end to end, as an array [pieces, 5]: window, row
    # group, begin, end, block. With a filter, begin and end count the rows of the block
    # that pass; else the block is -1.
    def pieces(self, lane: int) -> NDArray[np.int64]: ...
    # Returns for each window of a lane an array [pieces, 3]: row group, begin, end.
    def windows(self, lane: int) -> list[NDArray[np.int64]]: ...
    def window_index(self, lane: int, row: int) -> int: ...
    def permutation(self, lane: int, window: int) -> NDArray[np.uint32]: ...

class StreamPlan:
    # `rounds` and `stop` are those of a mixture; without rounds there is one source.
    @staticmethod
    def make(
        sources: Sequence[tuple[DatasetRows, OrderOptions]],
        rounds: Sequence[int],
        stop: str,
        epoch: int,
    ) -> StreamPlan: ...
    @property
    def num_rows(self) -> int: ...
    # Returns an array [rows, 2]: the source of each row of the stream, and the number
    # of the row in the source's own stream, in which its laps lie end to end.
    def sources_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]: ...
    # Returns the row of the stream that is a row of a source's own stream.
    def row_of(self, source: int, row: int) -> int: ...
    def lap(self, source: int, lap: int) -> EpochPlan: ...

class Delivery:
    @staticmethod
    def make(
        plan: EpochPlan, start_row: int, delivery: DeliveryOptions
    ) -> Delivery: ...
    @property
    def num_batches(self) -> int: ...
    def valid_rows(self, batch: int) -> int: ...
    def batch_rows(self, batch: int) -> int: ...
    def position_after(self, batch: int) -> int: ...
    # Returns a row for each Run of each visit to a window, in the schedule's order:
    # lane, window, lap, batch, begin, step, count, slot_begin, slot_step.
    def runs(self) -> NDArray[np.int64]: ...

def begin_exit() -> None: ...  # From now on only this thread takes the GIL.
def close_streams() -> None: ...  # Closes TensorFlow's streams.
def close_file_systems() -> None: ...
def trust_of_footer(
    footer: bytes, leaves: Sequence[int]
) -> list[list[tuple[bool, bool]]]: ...
def filter_columns(filter: bytes) -> list[str]: ...
def filter_functions(filter: bytes) -> list[str]: ...
def filter_digest(filter: bytes) -> str: ...  # 32 hexadecimal digits.
def default_shuffle_window(catalog: Catalog) -> int: ...
def default_memory_budget(
    catalogs: Sequence[Catalog], options: StreamOptions
) -> int: ...
def advised_blocks(
    catalogs: Sequence[Catalog], options: StreamOptions, bytes: int
) -> tuple[int, int, int] | None: ...
def check_settled(columns: Sequence[ColumnSpec], catalog: Catalog) -> None: ...
def default_max_batches_per_arena(catalog: Catalog, options: StreamOptions) -> int: ...
def epoch_rows(
    options: StreamOptions, source_rows: Sequence[int], epoch: int
) -> int: ...

# Returns the source of each round of a period in which source s has rounds[s] rounds.
def round_table(rounds: Sequence[int]) -> list[int]: ...
def batches_per_epoch(
    num_rows: int, start_row: int, delivery: DeliveryOptions
) -> int: ...
def row_of_step(
    num_rows: int, start_row: int, step: int, delivery: DeliveryOptions
) -> int: ...
