# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What keywords and data resolve to: one immutable object that all faces share."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, Final

import numpy as np

from rowfeed._native import core
from rowfeed.catalog import Catalog
from rowfeed.cpus import usable_cpus
from rowfeed.layout import VALID, Asked, Layout, LayoutBuilder
from rowfeed.paths import OpenPaths, Paths, open_native
from rowfeed.stack import Stack

if TYPE_CHECKING:
    from rowfeed.options import Options, Remainder

_FEW_BLOCKS: Final = 4
ORDER: Final = ("shuffle", "seed", "shuffle_window", "block_rows", "num_lanes")


@dataclass(frozen=True)
class Resolved:
    """What a dataset is: parameters and the catalog, nothing that moves. It pickles.

    Attributes:
        options: The keywords as given.
        catalog: The native catalog, with the chunks of the columns asked for.
        stream: The native StreamOptions: every default filled in, validated.
        layout: How the stream's outputs make up an element.
    """

    options: Options
    catalog: core.Catalog
    stream: core.StreamOptions
    layout: Layout

    @cached_property
    def outputs(self) -> list[core.Column]:
        """What the stream delivers, in its order: columns, and masks behind them."""
        return self.stream.columns(self.catalog)

    @property
    def order(self) -> dict[str, int | bool | str | None]:
        """The order options, as a state has them."""
        options = self.stream.order
        fields: dict[str, int | bool | str | None] = {
            name: getattr(options, name) for name in ORDER
        }
        fields["pinned_epoch"] = self.stream.pinned_epoch
        if self.options.filter is not None:
            fields["filter"] = self.options.filter.name
        return fields

    @property
    def order_digest(self) -> int:
        """A number that tells the order from others; never 0."""
        orders = [part.order for part in self.parts]
        text = json.dumps(orders, sort_keys=True).encode()
        return 1 + int.from_bytes(hashlib.blake2b(text, digest_size=7).digest())

    @property
    def single(self) -> bool:
        """Whether elements are single rows (batch_size=None)."""
        return self.options.batch_size is None

    @cached_property
    def rows(self) -> core.DatasetRows:
        """The rows of an epoch, which are counted when they are first asked for."""
        return core.DatasetRows(self.catalog, self.stream)

    @cached_property
    def snapshots(self) -> core.Snapshots | None:
        """What each epoch is of a growing data set; None: it does not grow."""
        if self.options.growth is None:
            return None
        return core.Snapshots(self.rows, self.stream)

    def fingerprint_in(self, epoch: int) -> str | None:
        """Returns that of an epoch's data; None: it grows and has not begun."""
        if self.snapshots is None:
            return self.catalog.fingerprint
        return self.snapshots.fingerprint_of(epoch) or None

    @property
    def parts(self) -> Sequence[Resolved]:
        """The sources of a mixture; else this alone."""
        return [self]

    @property
    def all_rows(self) -> list[core.DatasetRows]:
        """Those of the data; of a mixture, of each of its sources."""
        return [part.rows for part in self.parts]

    @property
    def catalogs(self) -> list[core.Catalog]:
        """Of the data; of a mixture, those of its sources."""
        return [part.catalog for part in self.parts]

    @property
    def is_endless(self) -> bool:
        """Whether an epoch has no end."""
        return False

    def rows_in(self, epoch: int) -> int:
        """Returns how many rows an epoch has, on all ranks together.

        Raises:
            ValueError: The data set grows, and the epoch has not begun.
        """
        if self.snapshots is not None:
            if self.fingerprint_in(epoch) is None:
                raise ValueError(
                    f"epoch {epoch} has not begun: what a growing data set will be "
                    "then is not known"
                )
            return self.snapshots.begin(epoch)
        rows = [source.num_rows() for source in self.all_rows]
        return core.epoch_rows(self.stream, rows, epoch)

    def steps_in(self, epoch: int, row: int = 0) -> int:
        """Returns the batches that this rank gets from a row of an epoch to its end."""
        return core.batches_per_epoch(self.rows_in(epoch), row, self.stream.delivery)

    def num_batches_from(self, epoch: int) -> int | None:
        """Batches of an iteration that begins with `epoch`; None: it has no end."""
        epochs = self.options.num_epochs
        return None if epochs is None else int(epochs) * self.steps_in(epoch)

    @property
    def static_batch_size(self) -> int | None:
        """The rows of a batch where every batch has as many; else None.

        Not that of an uneven remainder, whatever the number of rows: a state may be of
        another batch size, and a split of the tf.data service ends where it ends.
        """
        delivery = self.stream.delivery
        is_full = self.is_endless or delivery.remainder != "uneven"
        return delivery.batch_size if is_full else None

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles the fields, and how many rows there are if that is known."""
        fields = (self.options, self.catalog, self.stream, self.layout)
        return _unpickled, (*fields, self.rows.save())


def _unpickled(
    options: Options,
    catalog: core.Catalog,
    stream: core.StreamOptions,
    layout: Layout,
    rows: bytes,
) -> Resolved:
    resolved = Resolved(options, catalog, stream, layout)
    resolved.rows.load(rows)
    return resolved


def resolve(
    paths: Paths | Catalog | core.Catalog,
    options: Options,
    order: Mapping[str, int] | None = None,
    open_paths: OpenPaths = open_native,
) -> Resolved:
    """Opens the catalog, fills in every default and checks options against the data.

    Args:
        paths: Where the data is; a catalog is not opened again.
        options: The keywords.
        order: Defaults of order options beside the usual ones: those of a state.
        open_paths: What opens `paths`.
    """
    apart = [c for c in (options.label, options.sample_weight) if c is not None]
    if isinstance(paths, core.Catalog):
        opened = paths
    elif isinstance(paths, Catalog):
        opened = paths.native
    else:
        named = None
        if options.columns is not None:
            asked = [*apart]
            for spec in options.columns.values():
                asked.extend(spec.specs if isinstance(spec, Stack) else [spec])
            filtered = [] if options.filter is None else options.filter.columns
            named = list(dict.fromkeys([*(c.name for c in asked), *filtered]))
        opened = open_paths(
            paths,
            named,
            options.num_threads or usable_cpus(),
            grows=options.growth is not None,
        )
    layout, columns = _lay_out(opened, options)
    if layout.padded and VALID in layout.features:
        why = "remainder='pad'" if options.growth is None else "refresh"
        raise ValueError(f"{why} adds {VALID!r}, which is a column")
    stream = _stream_options(opened, columns, options, order or {})
    if options.growth is None:
        _check_batches(opened, stream)
    resolved = Resolved(options, opened, stream, layout)
    _check_weight(resolved)
    if isinstance(paths, Catalog) and options.filter is not None:
        known = paths.counted(options.filter.serialized, stream.order.block_rows)
        resolved.rows.load(known)
    return resolved


def _lay_out(opened: core.Catalog, options: Options) -> tuple[Layout, list[Asked]]:
    label, weight = options.label, options.sample_weight
    builder = LayoutBuilder(opened.columns, (label, weight))
    if options.columns is None:
        features = builder.add_all()
    else:
        features = builder.add(options.columns)
    layout = Layout(
        features=features,
        label=None if label is None else builder.add({"": label})[""],
        sample_weight=None if weight is None else builder.add({"": weight})[""],
        padded=_remainder(options) == "pad" or options.growth is not None,
    )
    return layout, builder.columns


def _remainder(options: Options) -> Remainder:
    return options.remainder or ("uneven" if options.world_size == 1 else "drop")


def _stream_options(
    opened: core.Catalog,
    columns: Sequence[Asked],
    options: Options,
    defaults: Mapping[str, int],
) -> core.StreamOptions:
    order = core.OrderOptions(
        shuffle=options.shuffle,
        seed=options.seed,
        shuffle_window=options.shuffle_window
        or defaults.get("shuffle_window", core.default_shuffle_window(opened)),
        block_rows=options.block_rows or defaults.get("block_rows", 0),
        num_lanes=options.num_lanes or defaults.get("num_lanes", options.world_size),
    )
    delivery = core.DeliveryOptions(
        batch_size=options.batch_size or 1,
        rank=options.rank,
        world_size=options.world_size,
        remainder=_remainder(options),
    )
    growth = options.growth
    stream = core.StreamOptions(
        features=[column.feature(opened) for column in columns],
        order=order,
        delivery=delivery,
        num_epochs=options.num_epochs,
        pinned_epoch=None if options.reshuffle_each_iteration else options.first_epoch,
        num_threads=options.num_threads or usable_cpus(),
        memory_budget_bytes=options.memory_budget_bytes or 0,
        filter=b"" if options.filter is None else options.filter.serialized,
        cache_dir=os.fsencode(options.cache_dir),
        growth=None if growth is None else (growth.paths, growth.snapshot_dir),
    )
    if options.batch_size is None:
        most = core.default_max_batches_per_arena(opened, stream)
        stream.max_batches_per_arena = most
    stream.validate([opened])
    if stream.memory_budget_bytes == 0:
        stream.memory_budget_bytes = core.default_memory_budget([opened], stream)
    return stream


def _check_weight(resolved: Resolved) -> None:
    weight, spec = resolved.layout.sample_weight, resolved.options.sample_weight
    if weight is None or spec is None:
        return
    found = "a struct"
    if isinstance(weight, int):
        column = resolved.outputs[weight]
        found = column.logical_type
        is_number = column.dtype not in ("string", "binary")
        if is_number and not column.ragged_rank and not column.dense_shape:
            return
    raise ValueError(
        f"sample_weight column {spec.name!r} must hold one number per row, not {found}"
    )


def _check_batches(opened: core.Catalog, stream: core.StreamOptions) -> None:
    delivery = stream.delivery
    if delivery.remainder == "drop" and 0 < opened.num_rows < delivery.global_batch:
        raise ValueError(
            f"remainder='drop' leaves no batch: the data set has {opened.num_rows} "
            f"rows and a global batch {delivery.global_batch} (batch_size "
            f"{delivery.batch_size} x world_size {delivery.world_size})"
        )


def advice(resolved: Resolved) -> list[str]:
    """Returns what the user should be warned of: legal options that serve badly."""
    found = []
    order, delivery = resolved.stream.order, resolved.stream.delivery
    groups = resolved.catalog.group_rows
    groups = np.sort(groups[groups > 0])
    if order.shuffle and len(groups) and resolved.options.filter is None:
        group = int(groups[len(groups) // 2])
        block = -(-group // -(-group // (order.block_rows or group)))
        lane = -(-resolved.catalog.num_rows // order.num_lanes)
        if order.shuffle_window < min((_FEW_BLOCKS - 1) * block + 1, lane):
            found.append(
                f"shuffle_window={order.shuffle_window} rows is fewer than "
                f"{_FEW_BLOCKS} blocks of {block} rows: batches will mix few places of "
                "the data set; raise shuffle_window or lower block_rows"
            )
    world, lanes = delivery.world_size, order.num_lanes
    if lanes % world:
        found.append(
            f"world_size={world} does not divide num_lanes={lanes}: ranks decode lanes "
            f"that they share, {world // gcd(world, lanes)} times in total"
        )
    return found
