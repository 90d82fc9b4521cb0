# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`SampleWriter`: writes a data set that grows while others train on it."""

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
from rowfeed._process.caller_warnings import DataWarning
from rowfeed._process.checks import check_integer
from rowfeed._process.option_names import names_options
from rowfeed._write.eviction import Eviction
from rowfeed._write.pending_rows import PendingRows
from rowfeed._write.sample_file import SampleFile, check_options
from rowfeed._write.sample_schema import RowsLike, SchemaLike, batch_of, schema_of
from rowfeed._write.written_files import Names, remove_leftovers

# Row groups of this size suit readers, whose shuffle window by default is the size of
# eight row groups.
_GROUP_BYTES: Final = 32 << 20
_GROUP_ROWS: Final = 1 << 17
_FILE_BYTES: Final = 4 * _GROUP_BYTES


class SampleWriter:
    """Writes rows into a directory from which others train at the same time.

    Any number of processes, on any number of machines, may write into one directory,
    each with a writer of its own. Readers see rows a file at a time: a file is written
    under a name that listings skip, flushed to the disk, and renamed. Readers open the
    directory like any other data set. A writer adds its files to those that are in the
    directory already: a program that runs twice writes its rows twice.

    A writer belongs to one process, whose threads may share it. Rows are lost if their
    file is not complete when the process is killed, `with` is left by an exception, or
    the disk is full. Complete files stay.

    Example:
        >>> schema = {"state": ("float32", (8,)), "reward": "float32"}
        >>> with rowfeed.SampleWriter("samples", schema) as writer:  # doctest: +SKIP
        ...     state = np.zeros((100, 8), np.float32)
        ...     writer.write({"state": state, "reward": state[:, 0]})
    """

    @names_options
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
        """Makes the directory, and removes incomplete files of killed writers.

        Args:
            directory: Directory of the data set, which is made if it is missing. The
                writer does not touch directories in it, and adds its files to those
                that are there. So give each run a new directory, unless its rows are
                to be added to those of earlier runs.
            schema: Dict from each column to a dtype, for one number per row; to
                "string" or "binary"; to (dtype, shape), for tensors of numbers, which
                are delivered as [batch, *shape]; or to a `pyarrow.DataType`, for
                anything else. Columns given by a dict do not allow nulls. Or a
                `pyarrow.Schema`.
            rows_per_group: Number of rows in a row group; the last one of a file may
                have fewer. Default: rows of 32 MiB, but at most 131,072.
            rows_per_file: Number of rows in a file; the last file may have fewer.
                Default: whole row groups that together reach 128 MiB.
            max_bytes: Limit for the size of all files that writers wrote in the
                directory. Before a file is completed, the oldest files are removed to
                make room for it. Writers that complete files at the same time may
                exceed the limit by a file each. Files that no writer wrote neither
                count nor are removed. Default: no file is ever removed.
            snapshot_dir: Directory, or several, in which readers save the catalogs of
                their epochs. With it an old file is first hidden from new epochs. It
                is removed when the newest epochs of each of these directories do not
                list it, and not while one of their catalogs cannot be read, of which
                the writer warns.
            keep_epochs: Number of epochs of each `snapshot_dir` that count as newest.
            compression: Compression codec, as pyarrow names it, for all columns, or a
                dict from column to codec. Tensors of raw numbers are read several times
                as fast without compression.

        Raises:
            NotImplementedError: A directory is a URI, or a type of the schema cannot be
                stored in Parquet.
            OSError: The directory cannot be made, listed or written.
            TypeError: The schema is not in one of these forms, or a number is no int.
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
        """Adds rows; if one of them is wrong, adds none.

        Args:
            rows: Dict from each column to its values; or a `pyarrow.RecordBatch` or
                `Table`; or a list of dicts, one for each row. The values of a column
                are an array of [rows, ...] of NumPy, a tensor of PyTorch or TensorFlow
                in the memory of the host, a `Ragged` of strings, binaries or lists, an
                array of Arrow, or a list. All but Arrow's are copied. Arrays must have
                the dtype of the schema; strings, binaries and lists of Arrow may have
                64-bit offsets. Numbers of Python are converted to that dtype. None, NaT
                and the masked values of a one-dimensional masked array are nulls.
                Tensors must not have nulls.

        Raises:
            OSError: A file could not be written, for example because the disk is full.
                Rows that are in no complete file are lost; the writer may be used
                further.
            RuntimeError: The process is a fork of the one that made the writer, or a
                signal handler makes this call in the middle of another one.
            TypeError: A column has another type than in the schema; the message names
                it.
            ValueError: A column is missing, unknown or of another shape, or has nulls
                where the schema allows none; or the writer is closed.
        """
        self._check_process()
        batch = batch_of(rows, self._schema)
        with self._alone():
            self._check_open()
            self._pending.append(batch)
            while self._pending.num_rows >= (size := self._group_rows()):
                self._write_group(size)

    def flush(self) -> None:
        """Completes a file of all rows so far, which may be small, so readers see them.

        Raises:
            OSError: A file could not be written; see `write`.
            RuntimeError: The call comes from a fork or a signal handler; see `write`.
            ValueError: The writer is closed.
        """
        self._check_process()
        with self._alone():
            self._check_open()
            self._flush()

    def close(self) -> None:
        """Completes a file of all rows so far and ends the writer.

        A second call does nothing.

        Raises:
            OSError: A file could not be written; see `write`.
            RuntimeError: The call comes from a fork or a signal handler; see `write`.
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
        """Returns the writer; the end of the `with` block closes it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes the writer; after an exception, drops rows in no complete file."""
        if kind is None:
            self.close()
        elif os.getpid() == self._pid:
            with self._lock:
                self._drop()
                self._closed = True

    def __del__(self) -> None:
        """Drops rows that are in no complete file, with a warning."""
        if not hasattr(self, "_closed") or os.getpid() != self._pid:
            return  # The constructor failed, or the process is a fork.
        if lost := self._drop():
            warnings.warn(
                f"{lost} rows of an unclosed {self!r} are lost",
                ResourceWarning,
                stacklevel=1,
                source=self,
            )

    def __repr__(self) -> str:
        """Returns the class and the directory as text."""
        return f"<rowfeed.SampleWriter: {str(self._directory)!r}>"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lets one call run at a time: other threads wait, signal handlers fail."""
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
        """Returns the number of rows of the next row group, at least 1."""
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

        If an interrupt left a full file that is not complete, it writes no rows and
        only completes that file.
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
        """Finishes the file, makes room for it, and renames it so readers see it."""
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
            warnings.warn(complaint, DataWarning, stacklevel=4)

    def _fail(self, error: BaseException) -> None:
        """Drops the incomplete file and all pending rows after an error.

        Raises OSError if the error is one: with the directory, and how many rows are
        lost.
        """
        lost = self._drop()
        if isinstance(error, OSError):
            raise OSError(
                error.errno or errno.EIO,
                f"{error.strerror or error}; {lost} rows that were in no complete file "
                "are lost",
                str(self._directory),
            ) from error

    def _drop(self) -> int:
        """Drops the rows that are in no complete file, and returns their number."""
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
