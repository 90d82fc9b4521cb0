# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the epochs of a dataset read: the same files each time, or each a listing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from rowfeed._native import core
from rowfeed._process.log import logged

IsAbandoned: TypeAlias = Callable[[], bool]  # Tells whether to give up.


class Epochs(Protocol):
    """What the rows of an epoch are, and how much of that is known beforehand."""

    @property
    def snapshots(self) -> core.Snapshots | None:
        """Catalogs of the epochs, if each epoch is a listing of its own; else None."""

    @property
    def countable(self) -> Sequence[core.DatasetRows]:
        """Rows that can be counted before an epoch begins."""

    def knows(self, epoch: int) -> bool:
        """Returns whether the number of rows of an epoch is known without any work."""

    def fingerprint_in(self, epoch: int) -> str | None:
        """Returns the fingerprint of an epoch's data; None if it is not known yet."""

    def begin(self, epoch: int, is_abandoned: Callable[[], bool] | None = None) -> None:
        """Lists or counts what an epoch has, where that is not known.

        Args:
            epoch: Number of the epoch.
            is_abandoned: Function that tells whether to give up. Default: never.
        """

    def rows_in(self, epoch: int) -> int:
        """Returns the number of rows of an epoch, on all ranks together.

        Raises:
            ValueError: The epoch is not listed yet.
        """

    def rows_of(self, epoch: int) -> Sequence[core.DatasetRows]:
        """Returns the rows of an epoch, or of each source of a mixture, counted.

        Raises:
            ValueError: The epoch is not listed yet.
        """

    def counts_in(self, epoch: int) -> bytes:
        """Returns the filter's counts of rows in an epoch that is a listing of its own.

        They are empty if there is no filter, if the epoch is not known, and if all
        epochs have the same rows, whose counts belong to the parameters.
        """

    def resume(
        self, epoch: int, fingerprint: str, *, may_be_gone: bool, counts: bytes = b""
    ) -> None:
        """Gives an epoch the data that it had when it was saved.

        Args:
            epoch: Number of the epoch.
            fingerprint: Fingerprint of its data.
            may_be_gone: Whether files of that data may be missing now.
            counts: What `counts_in` returned for the epoch. Default: the rows are
                counted when their number is asked for.

        Raises:
            OSError: The data is not kept, or cannot be read.
            ValueError: What is kept is damaged, or other data.
        """


class EqualEpochs:
    """Epochs that all read the files that were there when the dataset was made."""

    snapshots = None

    def __init__(
        self,
        rows: Sequence[core.DatasetRows],
        stream: core.StreamOptions,
        fingerprint: str,
        count: Callable[[IsAbandoned | None], None],
    ) -> None:
        """Takes what the epochs have in common.

        Args:
            rows: Rows of the data, or of each source of a mixture.
            stream: Options by which an epoch takes these rows.
            fingerprint: Fingerprint of the data.
            count: Function that counts the rows, where they are not counted yet.
        """
        self.countable = rows
        self._stream, self._fingerprint, self._count = stream, fingerprint, count

    def knows(self, epoch: int) -> bool:  # noqa: ARG002
        """Returns whether all rows are counted."""
        return all(rows.is_known for rows in self.countable)

    def fingerprint_in(self, epoch: int) -> str | None:  # noqa: ARG002
        """Returns the fingerprint of the data."""
        return self._fingerprint

    def begin(self, epoch: int, is_abandoned: IsAbandoned | None = None) -> None:  # noqa: ARG002
        """Counts the rows that filters let pass, where they are not counted yet."""
        self._count(is_abandoned)

    def rows_in(self, epoch: int) -> int:
        """Returns the number of rows of an epoch, which is counted if need be."""
        self._count(None)
        rows = [source.num_rows() for source in self.countable]
        return core.epoch_rows(self._stream, rows, epoch)

    def rows_of(self, epoch: int) -> Sequence[core.DatasetRows]:  # noqa: ARG002
        """Returns the rows, which are counted if need be."""
        self._count(None)
        return self.countable

    def counts_in(self, epoch: int) -> bytes:  # noqa: ARG002
        """Returns nothing: the counts of all epochs belong to the parameters."""
        return b""

    def resume(
        self, epoch: int, fingerprint: str, *, may_be_gone: bool, counts: bytes = b""
    ) -> None:
        """Does nothing: every epoch has the files of the dataset."""


class ListedEpochs:
    """Epochs of a growing data set, whose files are listed when an epoch begins."""

    countable: Sequence[core.DatasetRows] = ()

    def __init__(self, snapshots: core.Snapshots) -> None:
        self.snapshots = snapshots

    def knows(self, epoch: int) -> bool:
        """Returns whether the epoch has begun."""
        return self.fingerprint_in(epoch) is not None

    def fingerprint_in(self, epoch: int) -> str | None:
        """Returns the fingerprint of the epoch's files; None before it has begun."""
        return self.snapshots.fingerprint_of(epoch) or None

    def begin(self, epoch: int, is_abandoned: Callable[[], bool] | None = None) -> None:
        """Lists the files of an epoch that has not begun, and counts their rows."""
        if self.knows(epoch):
            return
        with logged(
            f"listing the files of epoch {epoch}",
            lambda: f"{self.snapshots.begin(epoch)} rows",
        ):
            self.snapshots.begin(epoch, is_abandoned)

    def rows_in(self, epoch: int) -> int:
        """Returns the number of rows of an epoch that has begun."""
        self._check_known(epoch)
        return self.snapshots.begin(epoch)

    def rows_of(self, epoch: int) -> Sequence[core.DatasetRows]:
        """Returns the rows of an epoch that has begun."""
        self._check_known(epoch)
        return [self.snapshots.rows_of(epoch)]

    def _check_known(self, epoch: int) -> None:
        if not self.knows(epoch):
            raise ValueError(
                f"epoch {epoch} has not begun: what a growing data set will be then is "
                "not known"
            )

    def counts_in(self, epoch: int) -> bytes:
        """Returns the filter's counts of the epoch's rows, if they are known."""
        return self.snapshots.save_counts(epoch)

    def resume(
        self, epoch: int, fingerprint: str, *, may_be_gone: bool, counts: bytes = b""
    ) -> None:
        """Gives an epoch the files of its snapshot, which lies in `snapshot_dir`."""
        self.snapshots.resume(
            epoch, fingerprint, may_be_gone=may_be_gone, counts=counts
        )
