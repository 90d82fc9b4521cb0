# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What cc/python binds."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

ORDER_VERSION: int

class Column:
    @property
    def name(self) -> str: ...
    @property
    def path(self) -> list[str]: ...  # The fields that the name joins.
    @property
    def logical_type(self) -> str: ...
    @property
    def unsupported(self) -> str: ...
    @property
    def is_added_index(self) -> bool: ...  # By pandas, for want of a name.
    @property
    def is_partition(self) -> bool: ...
    @property
    def dtype(self) -> str: ...
    @property
    def ragged_rank(self) -> int: ...  # Levels of lists of any length.
    @property
    def dense_shape(self) -> list[int]: ...  # Of what lies in them.
    @property
    def unit(self) -> str: ...

class Catalog:
    @staticmethod
    def open(
        paths: Sequence[bytes],
        columns: Sequence[str] | None,
        num_threads: int,
        notices: list[str] | None = None,
        partitions: tuple[str, bytes] = ...,
    ) -> Catalog: ...
    # Passes over files that are not complete.
    @staticmethod
    def open_growing(
        paths: Sequence[bytes],
        columns: Sequence[str] | None,
        num_threads: int,
        notices: list[str] | None = None,
        partitions: tuple[str, bytes] = ...,
    ) -> Catalog: ...
    @staticmethod
    def parse(data: bytes) -> Catalog: ...
    def serialize(self) -> bytes: ...
    # Partition columns become what holds these dtypes; other names mean nothing.
    def with_partition_dtypes(self, dtypes: Mapping[str, str]) -> Catalog: ...
    @property
    def partitions(self) -> list[bytes]: ...  # The directories that are columns.
    @property
    def files(self) -> list[tuple[str, str, int, int]]: ...  # path, name, size, rows
    @property
    def footer_digests(self) -> NDArray[np.uint64]: ...  # of the files
    @property
    def row_groups(self) -> list[tuple[int, int, int]]: ...  # file, index, rows
    @property
    def group_rows(self) -> NDArray[np.int64]: ...
    @property
    def num_rows(self) -> int: ...
    @property
    def columns(self) -> list[Column]: ...
    @property
    def fingerprint(self) -> str: ...
    # A file and a column that is another one there; whether all of its rows are null.
    @property
    def differences(self) -> list[tuple[int, int, bool]]: ...

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
    def make(strings: Sequence[bytes], unknown: int | None) -> Vocabulary: ...

class Feature:
    # A column of the catalog comes first, then where rows lie: "__file" and its kin.
    # dtype: None, unit: "" for the column's; num_buckets: 0 for no hash; mask: "none",
    # "elements" or "rows".
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
    # As batches hold it.
    def column(self, catalog: Catalog) -> Column: ...
    def set_fill(self, fill: bytes) -> None: ...  # Of one element.
    # Neighbours of one stack are one tensor.
    def set_stack(self, name: str, by_rows: bool) -> None: ...
    # truncate: "end", "start" or "never"; value: of one element.
    def set_padding(
        self, lengths: Sequence[int], truncate: str, value: bytes
    ) -> None: ...
    def set_shape(self, shape: Sequence[int]) -> None: ...

class StreamOptions:
    def __init__(
        self,
        *,
        catalog: Catalog,
        features: Sequence[Feature],
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
        # Paths, snapshot_dir, and where partitions are from.
        growth: tuple[Sequence[bytes], bytes, tuple[str, bytes]] | None,
    ) -> None: ...
    @staticmethod
    def parse(data: bytes) -> StreamOptions: ...
    def serialize(self) -> bytes: ...
    # In all else like the first source; weights: from which epoch on, rounds of each.
    @staticmethod
    def mix(
        sources: Sequence[StreamOptions],
        *,
        stop: str,
        weights: Sequence[tuple[int, Sequence[int]]],
    ) -> StreamOptions: ...
    def validate(self, catalogs: Sequence[Catalog]) -> None: ...
    def columns(self, catalog: Catalog) -> list[Column]: ...  # As batches hold them.
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
    memory_budget_bytes: int
    max_batches_per_arena: int

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
    def is_known(self) -> bool: ...
    @property
    def max_rows(self) -> int: ...
    # Counts what the filter lets pass, once; warns of files whose statistics lie.
    def num_rows(self, is_abandoned: Callable[[], bool] | None = None) -> int: ...
    def save(self) -> bytes: ...  # Empty if nothing is known.
    def load(self, saved: bytes) -> None: ...
    # The row groups index, index + num_shares, ... alone, as `join` takes them.
    def count_share(self, index: int, num_shares: int) -> bytes: ...
    def join(self, shares: Sequence[bytes]) -> None: ...

def has_client(path: bytes) -> bool: ...  # Else only TensorFlow may read it.
def without_secrets(path: bytes) -> bytes: ...  # Of a URI.

class Snapshots:
    def __init__(self, first: DatasetRows, options: StreamOptions) -> None: ...
    # Returns the rows, of all ranks together.
    def begin(
        self, epoch: int, is_abandoned: Callable[[], bool] | None = None
    ) -> int: ...
    def fingerprint_of(self, epoch: int) -> str: ...  # "": it has not begun.
    def save(self, epoch: int) -> bytes: ...  # Catalog and rows.
    def load(self, epoch: int, saved: bytes) -> None: ...
    def resume(self, epoch: int, fingerprint: str, *, may_be_gone: bool) -> None: ...

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
    def stats(self) -> bytes: ...  # JSON, of the iterations in this process.
    def count_transform(self, *, work_ns: int, wait_ns: int) -> None: ...
    def peek(self) -> Progress: ...
    def move(self, progress: Progress) -> None: ...

# An array, or with an exchange its library's tensor, per output of fixed shape; per
# ragged one a tuple of its values and the splits of each level from the rows inwards.
Tensor = Any

# The tensors of all columns, and which rows are not fill where some may be.
Batch = tuple[list[Tensor], NDArray[np.bool_] | None]

class PackedBatch:
    @property
    def num_bytes(self) -> int: ...
    def copy_to(self, address: int) -> None: ...  # num_bytes
    # `arena`: a tensor of the stream's exchange that has, or will have, what copy_to
    # gave. The tensors are where it is, and keep its memory.
    def tensors_in(self, arena: object) -> Batch: ...

def is_dlpack_exchange(found: object) -> bool: ...  # One that streams can use.

class BatchStream:
    def __init__(
        self,
        cursor: Cursor,
        options: StreamOptions,
        exchange: object = None,
        packs: bool = False,
    ) -> None: ...
    def next(self) -> Any: ...  # Batch, or PackedBatch if it packs; None at the end
    def skip(self, num_batches: int) -> int: ...
    @property
    def progress(self) -> Progress: ...
    @property
    def next_epoch(self) -> int: ...  # that of `progress`
    def restore(self, progress: Progress) -> None: ...
    def close(self) -> None: ...

class RowTaker:
    # Of the options: features and threads.
    def __init__(
        self,
        catalog: Catalog,
        options: StreamOptions,
        *,
        memory_budget_bytes: int,
        exchange: object = None,
    ) -> None: ...
    def take(self, rows: NDArray[np.int64]) -> Batch: ...
    def stats(self) -> bytes: ...  # JSON, of the takes in this process.
    @property
    def bytes_kept(self) -> int: ...

class EpochPlan:
    @staticmethod
    def make(
        group_rows: Sequence[int], order: OrderOptions, epoch: int
    ) -> EpochPlan: ...
    @property
    def num_rows(self) -> int: ...
    # Per lane, per window: [pieces, 3] of row group, begin, end.
    def windows(self, lane: int) -> list[NDArray[np.int64]]: ...
    def window_index(self, lane: int, row: int) -> int: ...
    def permutation(self, lane: int, window: int) -> NDArray[np.uint32]: ...

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
    # One row per Run of each visit, in the order of the schedule: lane, window, lap,
    # then batch, begin, step, count, slot_begin, slot_step.
    def runs(self) -> NDArray[np.int64]: ...

def close_file_systems() -> None: ...
def trust_of_footer(
    footer: bytes, leaves: Sequence[int]
) -> list[list[tuple[bool, bool]]]: ...
def filter_columns(filter: bytes) -> list[str]: ...
def filter_digest(filter: bytes) -> str: ...  # 32 hexadecimal digits.
def default_shuffle_window(catalog: Catalog) -> int: ...
def default_memory_budget(
    catalogs: Sequence[Catalog], options: StreamOptions
) -> int: ...
def advised_blocks(
    catalogs: Sequence[Catalog], options: StreamOptions, bytes: int
) -> tuple[int, int, int] | None: ...
def check_settled(features: Sequence[Feature], catalog: Catalog) -> None: ...
def default_max_batches_per_arena(catalog: Catalog, options: StreamOptions) -> int: ...
def epoch_rows(
    options: StreamOptions, source_rows: Sequence[int], epoch: int
) -> int: ...

# The source of each round of a period in which source s has rounds[s].
def round_table(rounds: Sequence[int]) -> list[int]: ...
def batches_per_epoch(
    num_rows: int, start_row: int, delivery: DeliveryOptions
) -> int: ...
def row_of_step(
    num_rows: int, start_row: int, step: int, delivery: DeliveryOptions
) -> int: ...
