# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The immutable parameters that keywords and data come to, for every framework."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from rowfeed._catalog.counting import count_rows
from rowfeed._columns.layout import Layout
from rowfeed._native import core
from rowfeed._options.epochs import Epochs, EqualEpochs, ListedEpochs
from rowfeed._options.options import OPTIONS, ORDER, Options
from rowfeed._process.caller_warnings import DataWarning, warn_caller
from rowfeed._sheet.text import clipped

_WIDEST: Final = 160  # The greatest width of a filter's text in messages.


@dataclass(frozen=True)
class Parameters:
    """The parameters and the catalog of a dataset, without its place; it can pickle.

    Attributes:
        options: Options as the user gave them.
        catalog: Kernel's catalog, with the chunks of the columns asked for.
        stream: Kernel's options, with every default filled in, and validated.
        layout: Rule by which the outputs of the stream make up an element.
    """

    options: Options
    catalog: core.Catalog
    stream: core.StreamOptions
    layout: Layout

    _has_warned = False  # Whether a warning has said that no row is left.

    @cached_property
    def outputs(self) -> list[core.Column]:
        """Outputs of the stream in their order: each column, followed by its mask."""
        return self.stream.columns(self.catalog)

    def value(self, name: str) -> Any:
        """Returns the kernel's value of an option, with its default filled in."""
        part = OPTIONS[name].part
        return getattr(
            self.stream if part == "stream" else getattr(self.stream, str(part)), name
        )

    @property
    def order(self) -> dict[str, int | bool | str | None]:
        """Options that decide the order of rows, in the form that a state has."""
        fields: dict[str, int | bool | str | None] = {
            name: self.value(name) for name in ORDER
        }
        fields["pinned_epoch"] = self.stream.pinned_epoch
        if self.options.condition is not None:
            fields["filter"] = self.options.condition.name
        return fields

    @property
    def order_digest(self) -> int:
        """Digest of the order options, which differs between orders; never 0."""
        import hashlib  # These imports are slow, and only ranks that meet need them.
        import json

        orders = [part.order for part in self.parts]
        text = json.dumps(orders, sort_keys=True).encode()
        return 1 + int.from_bytes(hashlib.blake2b(text, digest_size=7).digest())

    @property
    def single(self) -> bool:
        """Whether elements are single rows (batch_size=None)."""
        return self.options.batch_size is None

    @cached_property
    def rows(self) -> core.DatasetRows:
        """Rows of an epoch; their number is counted when it is first asked for."""
        return core.DatasetRows(self.catalog, self.stream)

    @property
    def epochs(self) -> Epochs:
        """What the epochs read: the same files each time, or each a listing."""
        if self.options.growth is None:
            fingerprint = self.catalog.fingerprint
            return EqualEpochs(self.all_rows, self.stream, fingerprint, self.count)
        return ListedEpochs(self._snapshots)

    @cached_property
    def _snapshots(self) -> core.Snapshots:
        return core.Snapshots(self.rows, self.stream)

    def can_count(self, epoch: int, fingerprint: str) -> bool:
        """Returns whether the rows of an epoch of growing data can be counted.

        They cannot if a filter has to read files that are gone. The epoch is looked at
        by itself, so that the epochs that are known stay as they are.

        Args:
            epoch: Number of the epoch.
            fingerprint: Fingerprint of its data, which has a snapshot.
        """
        if self.options.condition is None:
            return True
        alone = core.Snapshots(self.rows, self.stream)
        try:
            alone.resume(epoch, fingerprint, may_be_gone=True)
            alone.begin(epoch)
        except (OSError, ValueError):
            return False
        return True

    def new_cursor(self) -> core.Cursor:
        """Returns a cursor, which hands out epochs from `first_epoch` on."""
        return core.Cursor(
            self.all_rows,
            first_epoch=self.options.first_epoch,
            num_threads=self.stream.num_threads,
            memory_budget_bytes=self.stream.memory_budget_bytes,
            snapshots=self.epochs.snapshots,
        )

    @property
    def parts(self) -> Sequence[Parameters]:
        """Parameters of a mixture's sources; for another dataset, its own alone."""
        return [self]

    @property
    def all_rows(self) -> list[core.DatasetRows]:
        """Rows of the data, or of each source of a mixture."""
        return [part.rows for part in self.parts]

    @property
    def catalogs(self) -> list[core.Catalog]:
        """Catalog of the data, or catalogs of the sources of a mixture."""
        return [part.catalog for part in self.parts]

    @property
    def is_endless(self) -> bool:
        """Whether epochs have no end."""
        return False

    def count(self, is_abandoned: Callable[[], bool] | None = None) -> None:
        """Counts the rows that filters let pass, where they are not counted yet.

        Args:
            is_abandoned: Function that tells whether to give up. Default: never.
        """
        for part in self.parts:
            condition, total = part.options.condition, part.catalog.num_rows
            if condition is not None:
                count_rows(part.rows, condition, total, is_abandoned)
        self.warn_if_empty()

    def warn_if_empty(self) -> None:
        """Warns, once, if the rows were counted, and filter and split leave none."""
        said = self.said_of_rows()
        if self._has_warned or said is None or self.rows.num_rows():
            return
        object.__setattr__(self, "_has_warned", True)
        if self.catalog.num_rows:
            left = f"no row is left: {said}; {self._advice_for_rows()}"
            warn_caller(DataWarning(left))

    def said_of_rows(self) -> str | None:
        """Returns in words how many rows filter and split leave; None: not known."""
        condition = self.options.condition
        if condition is None or len(self.epochs.countable) != 1:
            return None
        if not self.rows.is_known:
            return None
        kind, total = self.options.condition_kind, self.catalog.num_rows
        verb = "let" if " and " in kind else "lets"
        left = self.rows.num_rows() or "none"
        text = clipped(condition.text, _WIDEST)
        return f"the {kind} {text} {verb} {left} of {total} rows pass"

    def _advice_for_rows(self) -> str:
        if self.options.filter is None:
            return "give the split a larger range"
        return (
            "compare its values with those of rowfeed.Catalog.describe(), which has "
            "the least and the greatest of each column"
        )

    def steps_in(self, epoch: int, row: int = 0) -> int:
        """Returns the number of this rank's batches from a row to the epoch's end."""
        return core.batches_per_epoch(
            self.epochs.rows_in(epoch), row, self.stream.delivery
        )

    def num_batches_from(self, epoch: int) -> int | None:
        """Returns the batches of an iteration from `epoch` on; None if endless."""
        epochs = self.options.num_epochs
        return None if epochs is None else int(epochs) * self.steps_in(epoch)

    @property
    def static_batch_size(self) -> int | None:
        """Number of rows in a batch if every batch has as many; else None.

        With an uneven remainder it is always None: after loading a state of another
        batch size, and at the end of a split of the tf.data service, batches may be
        shorter.
        """
        delivery = self.stream.delivery
        is_full = self.is_endless or delivery.remainder != "uneven"
        return delivery.batch_size if is_full else None

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles the fields, and the number of rows if it is known."""
        fields = (self.options, self.catalog, self.stream, self.layout)
        return _unpickled, (*fields, self.rows.save())


def _unpickled(
    options: Options,
    catalog: core.Catalog,
    stream: core.StreamOptions,
    layout: Layout,
    rows: bytes,
) -> Parameters:
    parameters = Parameters(options, catalog, stream, layout)
    parameters.rows.load(rows)
    return parameters
