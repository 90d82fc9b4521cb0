# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What all footers of a data set say of its columns, for `Catalog.describe`."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from rowfeed._catalog.arrow_files import (
    Client,
    check_unchanged,
    is_of_system,
    new_client,
    open_file,
)
from rowfeed._catalog.delivered_bounds import delivered, stored_in
from rowfeed._catalog.footer_statistics import NOTHING, UNKNOWN, Known, statistics_of
from rowfeed._catalog.leaves import leaves_of
from rowfeed._catalog.storage import Storage, storage_of
from rowfeed._process.usable import usable_cpus

if TYPE_CHECKING:
    from rowfeed._catalog.entries import Field, File


class Footers(NamedTuple):
    """What the footers of one or more files say.

    Attributes:
        known: Null count and bounds of each column.
        storage: How each column is stored. None if pyarrow cannot read a footer.
        group_bytes: Size of the columns in each row group, as it is stored. None if
            pyarrow cannot read a footer.
    """

    known: list[Known]
    storage: list[Storage] | None
    group_bytes: list[int] | None

    def __or__(self, other: Footers) -> Footers:
        """Returns what the footers of both say."""
        known = [a | b for a, b in zip(self.known, other.known, strict=True)]
        storage = group_bytes = None
        if self.storage is not None and other.storage is not None:
            pairs = zip(self.storage, other.storage, strict=True)
            storage = [a + b for a, b in pairs]
        if self.group_bytes is not None and other.group_bytes is not None:
            group_bytes = self.group_bytes + other.group_bytes
        return Footers(known, storage, group_bytes)


def read(
    files: Sequence[File],
    groups: Sequence[Sequence[int]],
    fields: Sequence[Field],
    wanted: Sequence[Field],
    differences: Sequence[tuple[int, int, bool]],
    roots: Mapping[str, str],
) -> Footers:
    """Reads the footers of all files, in parallel.

    Args:
        files: Files of a catalog.
        groups: Numbers of the row groups that the catalog has of each file.
        fields: Columns of the catalog.
        wanted: The same columns in the form that they are delivered in, which decides
            the form of bounds.
        differences: Tuples (file index, field index, is_null), for each file in which a
            field is missing or has another type. `is_null` tells whether all rows of
            the field are null in that file.
        roots: Roots of stores with their secrets; see `arrow_files.roots_of`.

    Returns:
        What the footers say. Of an unsupported field nothing is known, and its chunks
        count nowhere.

    Raises:
        NotImplementedError: pyarrow cannot read from a file's store.
        OSError: A file cannot be read, or has changed since it was catalogued.
    """
    with ThreadPoolExecutor(usable_cpus()) as threads:
        client = new_client(roots)
        differ: dict[int, dict[int, bool]] = {}
        for file, field, is_null in differences:
            differ.setdefault(file, {})[field] = is_null
        found = threads.map(
            lambda i: _of_file(
                files[i], groups[i], fields, wanted, differ.get(i, {}), client
            ),
            range(len(files)),
        )
        first = Footers([NOTHING] * len(fields), [Storage()] * len(fields), [])
        return reduce(Footers.__or__, found, first)


def _of_file(
    file: File,
    groups: Sequence[int],
    fields: Sequence[Field],
    wanted: Sequence[Field],
    differ: Mapping[int, bool],
    client: Client,
) -> Footers:
    with open_file(file.path, client) as opened:
        num_bytes = opened.size()
        try:
            metadata = pq.read_metadata(opened)
            leaves = leaves_of(metadata.schema.to_arrow_schema())
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
            # pyarrow refuses the whole footer if it dislikes the type of one column.
            if is_of_system(error):
                raise
            check_unchanged(file, groups, num_bytes)
            return Footers([UNKNOWN] * len(fields), None, None)
    check_unchanged(file, groups, num_bytes, metadata)
    stored = [None if f.unsupported else leaves.get(f.name) for f in fields]
    own = [
        stored_in(field, leaf.type) if i in differ and leaf is not None else field
        for i, (field, leaf) in enumerate(zip(fields, stored, strict=True))
    ]
    known = statistics_of(
        metadata, _tail_of(metadata), groups, [*zip(own, stored, strict=True)]
    )
    for i, (here, there) in enumerate(zip(own, wanted, strict=True)):
        bounds = known[i].bounds
        if differ.get(i):
            known[i] = Known(file.rows, None, is_empty=True)
        elif here is not None and bounds is not None:
            least, most = (delivered(bound, here, there) for bound in bounds)
            known[i] = known[i]._replace(bounds=(least, most))
    by_group = [
        [
            Storage() if leaf is None else storage_of(group.column(leaf.index))
            for leaf in stored
        ]
        for group in map(metadata.row_group, groups)
    ]
    sums = [sum(column, Storage()) for column in zip(*by_group, strict=True)]
    return Footers(
        known,
        sums or [Storage()] * len(fields),
        [sum(chunk.bytes for chunk in group) for group in by_group],
    )


def _tail_of(metadata: Any) -> bytes:
    """Returns the footer as it stands at the end of a file."""
    footer = io.BytesIO()
    metadata.write_metadata_file(footer)
    return footer.getvalue()
