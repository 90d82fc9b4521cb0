# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The one list of keywords.

Every face (`rowfeed`, `rowfeed.torch`, `rowfeed.tensorflow`) has a class
`ParquetDataset` that inherits its constructor from `Keywords`. It checks what was given
and hands the face one immutable `Resolved`.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

from rowfeed._catalog.catalog import Catalog
from rowfeed._catalog.filters import Filter, FilterLike
from rowfeed._catalog.paths import (
    DataPaths,
    Partitions,
    Paths,
    cache_directory,
    open_native,
)
from rowfeed._columns import layout
from rowfeed._columns.column import Column
from rowfeed._columns.stack import Stack
from rowfeed._native import core
from rowfeed._options.data import REFRESH, data_of, growth_of
from rowfeed._options.options import Options, Remainder
from rowfeed._options.resolve import advice, resolve
from rowfeed._options.resolved import Resolved


class Ranks(Protocol):
    """The other ranks, as far as a constructor knows them: an `Agreement`."""

    def introduce(self, resolved: Resolved) -> None:
        """Tells the other ranks of the dataset that was made; waits for nobody."""

    def refuse(self, error: BaseException) -> None:
        """Tells the other ranks that this one could not make its dataset."""


class Keywords:
    """The constructor that all faces share."""

    _resolved: Resolved
    _agreement: Ranks | None = None  # With the datasets of the other ranks.

    def __init__(
        self,
        paths: Paths | Catalog,
        batch_size: int | None,
        *,
        columns: Sequence[str | Column]
        | Mapping[str, str | Column | Stack]
        | None = None,
        label: str | Column | None = None,
        sample_weight: str | Column | None = None,
        shuffle: bool = False,
        shuffle_window: int | None = None,
        block_rows: int | None = None,
        seed: int = 0,
        num_epochs: int | None = 1,
        first_epoch: int = 0,
        reshuffle_each_iteration: bool = True,
        rank: int | None = None,
        world_size: int | None = None,
        num_lanes: int | None = None,
        remainder: Remainder | None = None,
        num_threads: int | None = None,
        memory_budget_bytes: int | None = None,
        transform: Callable[[Any], Any] | None = None,
        device: Any = None,
        filter: FilterLike | None = None,
        cache_dir: str | os.PathLike[str] | None = None,
        verify_checksums: bool = False,
        use_statistics: bool = True,
        refresh: Literal["epoch"] | None = None,
        snapshot_dir: str | os.PathLike[str] | None = None,
        partitions: Partitions = True,
    ) -> None:
        """Opens the data set: reads footers, starts nothing.

        Args:
            paths: A file, a directory (recursive), a glob, a list or an iterator of
                these, or a `rowfeed.Catalog`; local paths or URIs
                (`s3://bucket/train`). Files are ordered by path relative to their root.
            batch_size: Rows per rank and batch; None: single rows, without the batch
                dimension.
            columns: Names, or `rowfeed.Column` specs, in the order of the features, or
                a dict from the name of each feature to one of these, or to a
                `rowfeed.Stack` of many; default: all columns. A struct is delivered as
                a dict of its fields. `__file`, `__row_group` and `__row` say where each
                row comes from: the index of its file in `catalog.files`, of its row
                group in the file, and of the row in the row group. `__valid` says
                which rows are no fill, where there are such rows, and is the last
                feature. A column of the files with such a name comes first. The index
                of a pandas table that has no name (`__index_level_0__`) is a feature
                only where it is named.
            label: The column that is delivered apart: elements are
                `(features, label)`, or `(features, label, weight)` where there is a
                `sample_weight` or rows may be fill.
            sample_weight: The column of weights: `(features, label, weight)`.
            shuffle: Whether to shuffle; default: catalog order.
            shuffle_window: Rows of a lane that are mixed together; default: a small
                multiple of the median row group.
            block_rows: The most rows that stay neighbours when the line of blocks is
                permuted; default: whole row groups.
            seed: In [0, 2**64). Equal seeds, epochs and data give equal orders,
                whatever the threads, ranks and face.
            num_epochs: Epochs of one iteration; None: endless.
            first_epoch: The number of the first epoch; each has its own order.
            reshuffle_each_iteration: False: every epoch has the order of `first_epoch`.
            rank: This process among `world_size`; default: the only one (torch: as
                `torch.distributed` says).
            world_size: Processes that share each global batch of
                `batch_size * world_size` rows.
            num_lanes: Parallel streams that the order interleaves: the most ranks that
                you will ever use; default: `world_size`.
            remainder: The end of an epoch that does not fill a global batch: "drop" it,
                "pad" it with rows that are fill, "wrap" round to the first rows, or
                "uneven": deliver the short batch. Fill rows have weight 0 where there
                is a `label`; else the features have a `__valid`, which is False for
                them. Default: "uneven" for one
                rank, "drop" for more.
            num_threads: Threads that decode, and as many more that run `transform`;
                default: usable CPUs.
            memory_budget_bytes: Bytes for read-ahead, decoded windows and batches that
                are not delivered yet; default: what num_lanes / world_size + 1 windows
                need.
            transform: NumPy and torch: a function called with each element; what it
                returns is delivered in its place, in order. It runs in threads, up to
                `num_threads` calls at once, ahead of the consumer: at most twice as
                many elements are read and not yet delivered. What it raises is raised
                at the element's turn. Default: elements as they are. A tf.data.Dataset
                has `map` for this.
            device: PyTorch: the CUDA device that batches are delivered on, a string, an
                index or a `torch.device`; "cuda" is the one that is current where the
                iteration is made. Each batch goes there in one copy, from pinned
                memory, beside what the device computes. Its tensors are for the stream
                that is current where it is asked for: docs/torch.md says what to heed
                in others. Default, and "cpu": they stay in the memory of the host.
            filter: Which rows to deliver: a `pyarrow.compute` expression of columns, or
                a list of (column, operator, value) tuples as of
                `pyarrow.parquet.read_table`. Rows for which it is false or null are
                left out, and everything counts the rows that are left: `len`, steps,
                `shuffle_window`, positions. They are counted at the first `len` or
                pull, reading the filter's columns alone, and only where statistics,
                page indexes and bloom filters do not tell. Default: all rows.
            cache_dir: A directory for what the filter leaves, so that the next process
                need not count; made if it is missing. Default: nothing is kept.
            verify_checksums: Whether each page that has a checksum must match it before
                its values are delivered; a page that does not is an OSError, and in
                TensorFlow a DataLossError. Pages without one are read all the same:
                writers add them on request (pyarrow: `write_page_checksum=True`).
                Default: checksums are not looked at.
            use_statistics: Whether the filter believes what files state of their
                values in statistics, page indexes and bloom filters. False: the
                filter's columns are read whole, whatever is stated; the rows that pass
                are the same, unless a file states what is wrong.
            refresh: "epoch": `paths` are listed anew when an epoch begins: files that
                are new and complete join, those that have gone leave. Rows whose
                file has gone since their epoch began are fill, as with remainder="pad".
                Default: the files are those of the beginning.
            snapshot_dir: With `refresh`, where the catalog of each epoch is kept, for
                who resumes within it; made if it is missing.
            partitions: Whether directories called `key=value` are columns, or the
                directory below which they are: see `rowfeed.Catalog.open`. A catalog
                has its partitions. Default: they are.

        Raises:
            FileNotFoundError: A path or pattern matches nothing.
            KeyError: No such column.
            NotImplementedError: A column's type is not supported, or `cache_dir` or
                `snapshot_dir` is a URI.
            TypeError: An option has the wrong type, TensorFlow is given `transform`,
                another face than PyTorch's `device`, or `filter` does what the types of
                its columns do not allow.
            ValueError: An option is out of range, a file is not Parquet or differs in
                its columns, the budget is too small for the windows, there is no such
                `device`, or it is given with `transform` or `batch_size=None`.
        """
        data = data_of(paths, partitions)
        specs, target, weight = layout.named(columns, label, sample_weight)
        if rank is None and world_size is None:
            rank, world_size = self._default_rank()
        elif rank is None or world_size is None:
            raise ValueError("rank and world_size must be given together")
        else:
            self._take_rank(world_size)
        self._meet_ranks(rank, world_size)
        try:
            options = Options(
                batch_size=batch_size,
                columns=specs,
                label=target,
                sample_weight=weight,
                shuffle=shuffle,
                shuffle_window=shuffle_window,
                block_rows=block_rows,
                seed=seed,
                num_epochs=num_epochs,
                first_epoch=first_epoch,
                reshuffle_each_iteration=reshuffle_each_iteration,
                rank=rank,
                world_size=world_size,
                num_lanes=num_lanes,
                remainder=remainder,
                num_threads=num_threads,
                memory_budget_bytes=memory_budget_bytes,
                transform=transform,
                device=None if device is None else self._device(device),
                filter=None if filter is None else Filter.of(filter),
                cache_dir=cache_directory(cache_dir),
                verify_checksums=verify_checksums,
                use_statistics=use_statistics,
                growth=growth_of(data, refresh, snapshot_dir),
            )
            self._check_growth(options)
            resolved = resolve(data, options, open_paths=self._open_paths)
            for message in advice(resolved):
                warnings.warn(message, UserWarning, stacklevel=2)
            self._build(resolved)
        except Exception as error:  # Of a warning, too, where the user makes it one.
            self._refused(error)
            raise
        self._introduce()

    @property
    def catalog(self) -> Catalog:
        """What there is: the files, their row groups, the columns that are read.

        Raises:
            AttributeError: This is a mixture, whose sources have catalogs.
        """
        if len(self._resolved.catalogs) > 1:
            raise AttributeError("a mixture has no catalog: its sources have theirs")
        return Catalog(self._resolved.catalog)

    def _default_rank(self) -> tuple[int, int]:
        """Returns rank and world size where neither was given."""
        return 0, 1

    def _open_paths(
        self,
        paths: DataPaths,
        columns: Sequence[str] | None,
        num_threads: int,
        *,
        grows: bool,
    ) -> core.Catalog:
        """Opens the kernel's catalog of `paths`: see `open_native`."""
        return open_native(paths, columns, num_threads, grows=grows)

    def _check_growth(self, options: Options) -> None:
        """Refuses a growing data set where ranks cannot share one listing."""
        if options.growth is None or options.world_size == 1:
            return
        if self._agreement is None:
            raise ValueError(
                f"refresh={REFRESH!r} with world_size={options.world_size}: files may "
                "come between the listings of two ranks; those of a process group of "
                "PyTorch, and the workers of a TensorFlow strategy, share one listing"
            )
        if options.num_epochs != 1:
            raise ValueError(
                "the ranks share a listing when an iteration begins, so with refresh "
                f"each is one epoch: num_epochs must be 1, not {options.num_epochs}"
            )

    def _device(self, device: object) -> str | None:
        """Returns the name of the device to deliver on; None: the host's memory."""
        raise TypeError(
            f"device={device!r} is for rowfeed.torch.ParquetDataset: this face "
            "delivers in the memory of the host"
        )

    def _take_rank(self, world_size: int) -> None:
        """Called where rank and world size were given, not checked yet."""

    def _meet_ranks(self, rank: int, world_size: int) -> None:
        """Sets `agreement` where the ranks that were given can meet."""

    def _introduce(self) -> None:
        """Tells the other ranks of this dataset, if there are any."""
        if self._agreement is not None:
            self._agreement.introduce(self._resolved)

    def _refused(self, error: Exception) -> None:
        """Called before the constructor raises because of the data."""
        if self._agreement is not None:
            self._agreement.refuse(error)

    def _mixes(self, sources: Sequence[Keywords]) -> None:
        """Called before the face's mixture of other datasets is made."""

    def _build(self, resolved: Resolved) -> None:
        """Makes the face's dataset of its parameters."""
        raise NotImplementedError
