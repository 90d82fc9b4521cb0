# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A data set that grows while it is trained on: the side that writes."""

from __future__ import annotations

import errno
import os
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final

from rowfeed._catalog.paths import PathLike, Paths, local_directory
from rowfeed._options.options import check_integer
from rowfeed._write.eviction import Eviction
from rowfeed._write.pending_rows import PendingRows
from rowfeed._write.sample_file import SampleFile, check_options
from rowfeed._write.sample_schema import RowsLike, SchemaLike, batch_of, schema_of
from rowfeed._write.written_files import Names, remove_leftovers

# What is read best: the window that is shuffled holds eight row groups.
_GROUP_BYTES: Final = 32 << 20
_GROUP_ROWS: Final = 1 << 17
_FILE_BYTES: Final = 4 * _GROUP_BYTES


class SampleWriter:
    """Writes rows into a directory from which others train at the same time.

    Any number of processes, on any number of machines, may write into one directory,
    each with a writer of its own. Rows appear a file at a time: it is written under a
    name that listings pass over, brought to the disk, and renamed. Readers open the
    directory like any other data set.

    A writer is for one process; its threads may share it. Rows that were written and
    are in no complete file are in no file at all: if the process is killed, or `with`
    is left by an exception, or the disk is full, they are lost, and what is complete
    stays.

    Example:
        >>> schema = {"state": ("float32", (8,)), "reward": "float32"}
        >>> with rowfeed.SampleWriter("samples", schema) as writer:  # doctest: +SKIP
        ...     state = np.zeros((100, 8), np.float32)
        ...     writer.write({"state": state, "reward": state[:, 0]})
    """

    def __init__(
        self,
        directory: PathLike,
        schema: SchemaLike,
        *,
        rows_per_group: int | None = None,
        rows_per_file: int | None = None,
        max_bytes: int | None = None,
        snapshot_dir: Paths | None = None,
        keep_epochs: int = 2,
        compression: str | Mapping[str, str] = "none",
    ) -> None:
        """Makes the directory, and removes what killed writers left in it.

        Args:
            directory: Of the data set; it is made if it is missing. Only its own
                files matter here, not those of directories in it.
            schema: A dict from each column to a dtype, for one number per row; to
                (dtype, shape) for tensors, which are delivered as [batch, *shape]; or
                to a `pyarrow.DataType`, for anything else. Such columns are without
                nulls. Or a `pyarrow.Schema`.
            rows_per_group: Rows of a row group, but for the last one of a file;
                default: 32 MiB of them, at most 131,072.
            rows_per_file: Rows of a file, but for the last one; default: 128 MiB of
                them, in whole row groups.
            max_bytes: Of all files of writers in the directory, as they lie there.
                Before a file appears the oldest ones go to make room for it, so there
                may be one file more for each writer that completes one at the same
                time. Files that no writer wrote are neither counted nor removed.
                Default: nothing is ever removed.
            snapshot_dir: Where readers save the catalogs of their epochs, one
                directory or several. Files that go are then hidden from new epochs,
                but removed only when the newest epochs of each of these are without
                them, and never while one of their catalogs cannot be read, which is a
                warning.
            keep_epochs: How many epochs of each `snapshot_dir` are the newest ones.
            compression: Of pyarrow, for all columns or for each. Raw tensors are read
                several times as fast without one.

        Raises:
            NotImplementedError: A directory is a URI, or Parquet has no such type.
            OSError: The directory cannot be made, listed or written.
            TypeError: The schema is none, or a number is no int.
            ValueError: The schema has no column, or a number is not positive.
        """
        self._pid = os.getpid()
        self._file: SampleFile | None = None
        self._schema = schema_of(schema)
        self._pending = PendingRows(self._schema)
        check_options(self._schema, compression)
        self._directory = local_directory("directory", directory)
        check_integer("rows_per_group", rows_per_group, 1, optional=True)
        check_integer("rows_per_file", rows_per_file, 1, optional=True)
        check_integer("max_bytes", max_bytes, 1, optional=True)
        check_integer("keep_epochs", keep_epochs, 1)
        self._rows_per_group, self._rows_per_file = rows_per_group, rows_per_file
        self._eviction = None
        if max_bytes is not None:
            self._eviction = Eviction(
                self._directory, max_bytes, _paths(snapshot_dir), keep_epochs
            )
        self._compression = compression
        self._lock = threading.RLock()
        self._is_busy = False
        self._closed = False
        self._directory.mkdir(parents=True, exist_ok=True)
        if not os.access(self._directory, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, "may not be written", str(directory))
        remove_leftovers(self._directory)
        self._names = Names(self._directory)

    def write(self, rows: RowsLike) -> None:
        """Adds rows: all of them or, after an error in them, none.

        Args:
            rows: A dict from each column to an array of [rows, ...] or a list; a
                `pyarrow.RecordBatch` or `Table`; or a list of dicts, one for each row.
                Arrays must have the dtype of the schema, and are copied. Numbers of
                Python become that dtype. Nulls are None, NaT, and what a masked array
                of one dimension masks; rows that are tensors have none.

        Raises:
            OSError: The disk is full, or what else may happen to files: the rows that
                are in no complete file are lost. The writer can be used further.
            RuntimeError: The process is a fork of the one that made the writer, or a
                signal handler calls it in the middle of another call.
            TypeError: A column is of another type; the message names it.
            ValueError: A column is missing, unknown or of another shape, or has nulls
                where the schema has none; or the writer is closed.
        """
        self._check_process()
        batch = batch_of(rows, self._schema)
        with self._alone():
            self._check_open()
            self._pending.append(batch)
            while self._pending.num_rows >= (size := self._group_rows()):
                self._write_group(size)

    def flush(self) -> None:
        """Makes all rows appear, in a file that may be small.

        Raises:
            OSError: As `write`.
            RuntimeError: As `write`.
            ValueError: The writer is closed.
        """
        self._check_process()
        with self._alone():
            self._check_open()
            self._flush()

    def close(self) -> None:
        """Makes all rows appear, and ends the writer; a second time, does nothing.

        Raises:
            OSError: As `write`.
            RuntimeError: As `write`.
        """
        self._check_process()
        with self._alone():
            if self._closed:
                return
            try:
                self._flush()
            finally:
                self._closed = True

    def __enter__(self) -> SampleWriter:
        """Returns the writer, which the end of the block closes."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes; after an exception, drops what is in no complete file."""
        if kind is None:
            self.close()
        elif os.getpid() == self._pid:
            with self._lock:
                self._drop()
                self._closed = True

    def __del__(self) -> None:
        """Drops what is in no complete file, with a warning."""
        if not hasattr(self, "_closed") or os.getpid() != self._pid:
            return  # The constructor failed, or this is a fork.
        if lost := self._drop():
            warnings.warn(
                f"{lost} rows of an unclosed {self!r} are lost",
                ResourceWarning,
                stacklevel=1,
                source=self,
            )

    def __repr__(self) -> str:
        """Says where it writes."""
        return f"<rowfeed.SampleWriter: {str(self._directory)!r}>"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keeps other threads out, and signal handlers of this one."""
        with self._lock:
            if self._is_busy:
                raise RuntimeError(
                    f"{self!r} is in the middle of writing, where a signal handler "
                    "cannot use it: let the handler set a flag, and close the writer "
                    "where you call write"
                )
            self._is_busy = True
            try:
                yield
            finally:
                self._is_busy = False

    def _check_process(self) -> None:
        if os.getpid() != self._pid:
            raise RuntimeError(
                f"{self!r} belongs to process {self._pid}, not to its fork "
                f"{os.getpid()}: make a writer in each process"
            )

    def _check_open(self) -> None:
        if self._closed:
            raise ValueError(f"{self!r} is closed")

    def _group_rows(self) -> int:
        """Returns the rows of the row group that is next, at least 1."""
        size = self._rows_per_group
        if size is None:
            size = max(1, min(_GROUP_ROWS, _GROUP_BYTES // self._pending.row_bytes()))
        if self._rows_per_file is None:
            return size
        done = 0 if self._file is None else self._file.num_rows
        return min(size, self._rows_per_file - done)

    def _flush(self) -> None:
        while self._pending.num_rows:
            self._write_group(self._pending.num_rows)
        if self._file is not None:
            self._complete()

    def _write_group(self, num_rows: int) -> None:
        """Writes the first pending rows, and completes the file if it is full.

        One that an interrupt has left full is only completed.
        """
        if not self._is_full():
            self._append(num_rows)
        if self._is_full():
            self._complete()

    def _append(self, num_rows: int) -> None:
        try:
            if self._file is None:
                self._file = SampleFile(
                    self._directory, self._schema, self._compression
                )
            self._file.write(self._pending.first(num_rows))
            self._pending.drop(num_rows)
        except BaseException as error:
            self._fail(error)
            raise

    def _is_full(self) -> bool:
        if self._file is None:
            return False
        if self._rows_per_file is None:
            return self._file.num_bytes >= _FILE_BYTES
        return self._file.num_rows >= self._rows_per_file

    def _complete(self) -> None:
        """Makes the file appear."""
        complaint = ""
        try:
            assert self._file is not None
            size = self._file.finish()
            if self._eviction is not None:
                complaint = self._eviction.make_room(size)
            self._file.appear(self._names.next())
        except BaseException as error:
            self._fail(error)
            raise
        self._file = None
        if complaint:
            warnings.warn(complaint, stacklevel=4)

    def _fail(self, error: BaseException) -> None:
        """Drops what is not complete, and says so of an error of the file system."""
        lost = self._drop()
        if isinstance(error, OSError):
            raise OSError(
                error.errno or errno.EIO,
                f"{error.strerror or error}; {lost} rows that were in no complete file "
                "are lost",
                str(self._directory),
            ) from error

    def _drop(self) -> int:
        """Forgets what is in no complete file; returns how many rows that was."""
        lost = self._pending.num_rows
        self._pending = PendingRows(self._schema)
        if self._file is not None:
            lost += self._file.num_rows
            self._file.discard()
            self._file = None
        return lost


def _paths(given: Paths | None) -> list[Path]:
    if given is None:
        return []
    if isinstance(given, (str, os.PathLike)):
        given = [given]
    return [local_directory("snapshot_dir", path) for path in given]
