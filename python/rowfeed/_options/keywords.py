# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The one signature of all datasets, and its documentation.

`rowfeed`, `rowfeed.torch` and `rowfeed.tensorflow` each have a class `ParquetDataset`
that inherits its constructor from `Keywords`. The constructor makes `Options` of the
keywords, which check themselves, and builds the dataset of one immutable `Parameters`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from rowfeed._catalog.catalog import Catalog
from rowfeed._catalog.filters import Filter, FilterLike
from rowfeed._catalog.paths import (
    Partitions,
    Paths,
    cache_directory,
)
from rowfeed._catalog.split import Split
from rowfeed._columns import layout
from rowfeed._columns.column import Column
from rowfeed._columns.stack import Stack
from rowfeed._options import memory
from rowfeed._options.data import data_of, growth_of
from rowfeed._options.make_parameters import advice, make_parameters
from rowfeed._options.options import Options, Remainder
from rowfeed._options.parameters import Parameters
from rowfeed._options.transform import Transform
from rowfeed._process.caller_warnings import PerformanceWarning, warn_caller
from rowfeed._process.option_names import names_options


class Ranks(Protocol):
    """The methods of an `Agreement` with other ranks that a constructor uses."""

    def introduce(self, parameters: Parameters) -> None:
        """Writes the plan of the new dataset for the other ranks; waits for nobody."""

    def refuse(self, error: BaseException) -> None:
        """Tells the other ranks that this one could not make its dataset."""


class Keywords:
    """The constructor that the datasets for all frameworks share."""

    _parameters: Parameters
    _agreement: Ranks | None = None  # How this dataset meets those of other ranks.

    @names_options
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
        transform: Transform | None = None,
        device: Any = None,
        filter: FilterLike | None = None,
        split: Split | None = None,
        cache_dir: str | os.PathLike[str] | None = None,
        verify_checksums: bool = False,
        use_statistics: bool = True,
        refresh: Literal["epoch"] | None = None,
        snapshot_dir: str | os.PathLike[str] | None = None,
        partitions: Partitions = True,
        storage_options: Mapping[str, Any] | None = None,
        filesystem: Any = None,
    ) -> None:
        """Opens the data set: reads footers, and starts no thread.

        Args:
            paths: File, directory (read recursively), glob, list or iterator of these,
                or a `rowfeed.Catalog`. Paths are local, or URIs such as
                `s3://bucket/train`. Files are ordered by their path relative to their
                root.
            batch_size: Number of rows in a batch of one rank. None: elements are single
                rows, without the batch dimension.
            columns: List of names or `rowfeed.Column` specs, in the order of the
                features, or a dict from the name of each feature to one of these, or to
                a `rowfeed.Stack` of many. In a list `"x_*"` stands for all columns that
                match, and `"!x_3"` or `"!x_*"` leaves columns out of such patterns; a
                list of these alone stands for all other columns. Default: all columns.
                A struct is delivered as a dict of its fields. `__file`, `__row_group`
                and `__row` say where each row comes from: the index of its file in
                `catalog.files`, of its row group in the file, and of the row in the row
                group. `__epoch` and `__step` say when it is delivered: the epoch, and
                the index of the step in it. `__valid` says which rows are not fill,
                where rows may be fill, and is the last feature. If the files have a
                column with such a name, it comes first. The index of a pandas table
                that has no name (`__index_level_0__`) is a feature only where it is
                named.
            label: Column that is delivered apart from the features: elements are
                `(features, label)`, or `(features, label, weight)` if there is a
                `sample_weight` or rows may be fill.
            sample_weight: Column of weights: elements are `(features, label, weight)`.
            shuffle: Whether rows are shuffled. Default: they come in the order of the
                catalog.
            shuffle_window: Number of rows that are shuffled together within one lane.
                Default: 8 times the median row group.
            block_rows: Largest number of rows in a block; blocks are permuted as
                wholes. Default: a block is a row group.
            seed: Seed of the order, in [0, 2**64). Equal seeds, epochs and data give
                equal orders, whatever the threads, the ranks and the framework.
            num_epochs: Number of epochs in one iteration. None: endless.
            first_epoch: Number of the first epoch. Each epoch has its own order.
            reshuffle_each_iteration: Whether epochs differ in their order. False: every
                epoch has the order of `first_epoch`.
            rank: Rank of this process among `world_size`. Default: the only rank
                (torch: the rank in `torch.distributed`).
            world_size: Number of ranks that share each global batch of
                `batch_size * world_size` rows. Default: 1 (torch: the number in
                `torch.distributed`).
            num_lanes: Number of parallel streams that the order interleaves: the most
                ranks that you will ever use. Default: `world_size`.
            remainder: Treatment of the rows at the end of an epoch that do not fill a
                global batch: "drop" leaves them out, "pad" adds fill rows, "wrap" adds
                the first rows of the epoch, and "uneven" delivers a short batch. Fill
                rows have weight 0 if there is a `label`; else the features have a
                `__valid`, which is False for them. Default: "uneven" for one rank,
                "drop" for more.
            num_threads: Number of threads that decode; `transform` gets as many more.
                Default: the number of CPUs that the process may use.
            memory_budget_bytes: Limit of the memory for read-ahead, decoded windows and
                undelivered batches. Default: what num_lanes / world_size windows need,
                and one more, or as many more as give each thread a column to decode.
            transform: Function that is called with each element (NumPy and torch); its
                result is delivered in the element's place, in order. It runs in
                threads, up to `num_threads` calls at once, ahead of the consumer: at
                most twice as many elements are read and not yet delivered. An error
                that it raises is raised at the element's turn, with a note that names
                epoch and step. If it requires a second positional argument, this is a
                `rowfeed.StepInfo`, which has the epoch, the step and random seeds for
                the rows. Default: elements are delivered as they are. A tf.data.Dataset
                has `map` for this.
            device: CUDA device that batches are delivered on (PyTorch): a string, an
                index or a `torch.device`. "cuda" is the device that is current where
                the iteration is made. Each batch is copied there once, from pinned
                memory, while the device computes. Its tensors are for the stream that
                is current where the batch is asked for: docs/torch.md says what to heed
                in other streams. Default, and "cpu": batches stay in the memory of the
                host.
            filter: Condition for the rows to deliver: a `pyarrow.compute` expression of
                columns, or a list of (column, operator, value) tuples as
                `pyarrow.parquet.read_table` takes it. Rows for which it is false or
                null are left out, and everything counts the rows that are left: `len`,
                steps, `shuffle_window`, positions. They are counted at the first `len`
                or pull, from the filter's columns alone, and only where statistics,
                page indexes and bloom filters do not tell. `__file`, `__row_group` and
                `__row` may stand in it. Default: all rows.
            split: Share of the rows to deliver: see `rowfeed.Split`. With a `filter`,
                the rows of the share that pass it. Default: all rows.
            cache_dir: Directory that keeps the number of rows that a filter lets pass,
                so that the next process need not count them; it is made if it is
                missing. Default: nothing is kept.
            verify_checksums: Whether each page that has a checksum must match it before
                its values are delivered. A page that does not match is an OSError, in
                TensorFlow a DataLossError. Pages without a checksum are read all the
                same: writers add them on request (pyarrow: `write_page_checksum=True`).
                Default: checksums are not looked at.
            use_statistics: Whether the filter believes what files state of their values
                in statistics, page indexes and bloom filters. False: the filter's
                columns are read whole, whatever is stated; the rows that pass are the
                same, unless a file states what is wrong.
            refresh: Moment at which `paths` are listed anew: "epoch" for the beginning
                of each epoch. Files that are new and complete join, and files that are
                gone leave. Rows whose file is gone since their epoch began become fill
                rows, as with remainder="pad". Default: the files stay those that were
                found first.
            snapshot_dir: Directory in which `refresh` keeps the catalog of each epoch,
                so that the epoch can be resumed; it is made if it is missing.
            partitions: Whether directories called `key=value` become columns, or the
                directory below which they do: see `rowfeed.Catalog.open`. A catalog
                brings its own partitions. Default: they become columns.
            storage_options: Dict of what the store of the paths needs, in the words of
                fsspec and pandas, Polars or pyarrow: `{"key": ..., "secret": ...,
                "endpoint_url": ...}`. It is put into the URIs, and secrets are treated
                as in a URI; docs/remote.md lists the words. Default: the URIs and the
                environment say all.
            filesystem: File system of fsspec (s3fs, gcsfs, adlfs, local) or of
                `pyarrow.fs` that the paths are in. Only its settings are taken: the
                kernel's own clients read. Default: the URIs say it.

        Raises:
            FileNotFoundError: A path or pattern matches nothing.
            KeyError: A column is in no file.
            NotImplementedError: A column's type is not supported, or `cache_dir` or
                `snapshot_dir` is a URI.
            TypeError: An option has the wrong type, the TensorFlow dataset is given
                `transform`, one that is not for PyTorch `device`, or `filter` does what
                the types of its columns do not allow.
            ValueError: An option is out of range, a file is not Parquet or differs in
                its columns, the budget is too small for the windows, there is no such
                `device`, or it is given with `transform` or `batch_size=None`; or
                `storage_options` or `filesystem` has what no URI can carry.
        """
        data = data_of(paths, partitions, storage_options, filesystem)
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
                split=split,
                cache_dir=cache_directory(cache_dir),
                verify_checksums=verify_checksums,
                use_statistics=use_statistics,
                growth=growth_of(data, refresh, snapshot_dir),
            )
            options.check_growth(ranks_meet=self._agreement is not None)
            parameters = make_parameters(data, options)
            memory.check(parameters.catalogs, parameters.stream, options)
            for message in advice(parameters):
                warn_caller(PerformanceWarning(message))
            self._build(parameters)
        except Exception as error:  # A warning counts if the user makes it an error.
            self._refused(error)
            raise
        self._introduce()

    @property
    def catalog(self) -> Catalog:
        """Catalog of the files, their row groups and the columns that are read.

        Raises:
            AttributeError: This is a mixture, whose sources have catalogs.
        """
        if len(self._parameters.catalogs) > 1:
            raise AttributeError("a mixture has no catalog: its sources have theirs")
        return Catalog(self._parameters.catalog)

    def _default_rank(self) -> tuple[int, int]:
        """Returns the rank and world size to use if neither was given."""
        return 0, 1

    def _device(self, device: object) -> str | None:
        """Returns the name of the device to deliver on; None for the host's memory."""
        raise TypeError(
            f"device={device!r} is for rowfeed.torch.ParquetDataset: this face "
            "delivers in the memory of the host"
        )

    def _take_rank(self, world_size: int) -> None:
        """Takes note of a rank and world size that the user gave, before checks."""

    def _meet_ranks(self, rank: int, world_size: int) -> None:
        """Sets `_agreement` if the ranks of this dataset can meet."""

    def _introduce(self) -> None:
        """Tells the other ranks of this dataset, if there are any."""
        if self._agreement is not None:
            self._agreement.introduce(self._parameters)

    def _refused(self, error: Exception) -> None:
        """Tells the other ranks, if there are any, that the constructor failed."""
        if self._agreement is not None:
            self._agreement.refuse(error)

    def _mixes(self, sources: Sequence[Keywords]) -> None:
        """Prepares a mixture of `sources`, which is an object of the same class."""

    def _build(self, parameters: Parameters) -> None:
        """Completes the dataset of its parameters, in the way of its framework."""
        raise NotImplementedError
