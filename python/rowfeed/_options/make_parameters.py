# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a dataset's parameters of options and data: defaults, checks and advice."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import gcd
from typing import Any, Final

import numpy as np

from rowfeed._catalog import schema_differences
from rowfeed._catalog.catalog import Catalog
from rowfeed._catalog.paths import DataPaths, columns_of_file, open_native
from rowfeed._columns.column import Column, dtypes_asked
from rowfeed._columns.layout import (
    MADE,
    VALID,
    ColumnRequest,
    Layout,
    LayoutBuilder,
    Tree,
)
from rowfeed._columns.nearest import naming_nearest
from rowfeed._columns.pasted import naming_line
from rowfeed._columns.patterns import is_pattern, names_in, names_to_open
from rowfeed._columns.stack import Stack, is_number
from rowfeed._native import core
from rowfeed._options import memory
from rowfeed._options.known_nulls import nulls_without_fill
from rowfeed._options.options import OPTIONS, Options
from rowfeed._options.parameters import Parameters
from rowfeed._process.caller_warnings import DataWarning, warn_caller
from rowfeed._process.usable import usable_cpus

_FEW_BLOCKS: Final = 4


def make_parameters(
    paths: DataPaths | Catalog | core.Catalog,
    options: Options,
    order: Mapping[str, int] | None = None,
) -> Parameters:
    """Opens the catalog, fills in every default and checks options against the data.

    Args:
        paths: Paths to open, or a catalog that is open already.
        options: Options as the user gave them.
        order: Values of a state, which come before the defaults of order options.
    """
    if isinstance(paths, core.Catalog):
        opened = paths
    elif isinstance(paths, Catalog):
        opened = paths._native
    else:
        opened = _open(paths, options)
    opened = opened.with_partition_dtypes(dtypes_asked(_asked(options)))
    with naming_nearest(lambda _: opened.columns), naming_line(*_listed(options)):
        layout, columns = _lay_out(opened, options)
        stream = _stream_options(opened, columns, options, order or {})
    if options.growth is None:
        _check_batches(opened, stream)
    parameters = Parameters(options, opened, stream, layout)
    _check_weight(parameters)
    if order is None:
        _warn_of_data(opened, columns, options)
    is_as_counted = isinstance(paths, Catalog) and opened is paths._native
    if isinstance(paths, Catalog) and is_as_counted and options.condition is not None:
        known = paths._known_count(
            options.condition.serialized,
            stream.order.block_rows,
            use_statistics=options.use_statistics,
        )
        parameters.rows.load(known)
    return parameters


def _open(paths: DataPaths, options: Options) -> core.Catalog:
    """Opens the catalog with the columns that options ask for.

    With patterns it has all columns of the first file, and those of other files that
    the user named.
    """
    if options.columns is None:
        return _open_named(paths, None, options)
    groups = _groups(options)
    listed = [c.name for c in options.columns.values() if isinstance(c, Column)]
    named = names_to_open(listed, groups)
    opened = _open_named(paths, named, options, asked=listed)
    known = {*names_in(opened.columns), *MADE}
    if named is not None or all(is_pattern(name) or name in known for name in listed):
        return opened
    builder = LayoutBuilder(opened.columns, (options.label, options.sample_weight))
    features = builder.without_patterns(options.columns).values()
    chosen = [c.name for c in features if isinstance(c, Column)]
    named = names_to_open([name for name in chosen if name in known], groups)
    if named is None:  # A stack has all columns but some.
        return opened
    named += [name for name in chosen if name not in known]
    return _open_named(paths, named, options, asked=None)


def _open_named(
    paths: DataPaths,
    named: list[str] | None,
    options: Options,
    asked: Collection[str] | None = (),
) -> core.Catalog:
    """Opens the catalog with the named columns.

    If the files have no column `__valid`, the name means the flags of fill rows, and
    the catalog is opened without it.

    Args:
        paths: Paths to open.
        named: Names of the columns. None for all of the first file.
        options: Options as the user gave them.
        asked: See `open_native`.
    """
    num_threads = options.num_threads or usable_cpus()
    grows = options.growth is not None
    try:
        return open_native(paths, named, num_threads, grows=grows, asked=asked)
    except KeyError:
        if named is None or VALID not in named:
            raise
    columns = [name for name in named if name != VALID]
    return open_native(paths, columns, num_threads, grows=grows, asked=asked)


def _listed(options: Options) -> tuple[list[Column] | None, set[str]]:
    """Returns the list of columns that the user gave, and label and weight by name.

    The list is empty if the user gave a dict with other names or stacks.
    """
    apart = {c.name for c in (options.label, options.sample_weight) if c is not None}
    if options.columns is None:
        return None, apart
    listed = [
        spec
        for name, spec in options.columns.items()
        if isinstance(spec, Column) and spec.name == name
    ]
    return (listed if len(listed) == len(options.columns) else []), apart


def _asked(options: Options) -> list[Column]:
    """Returns the columns that the user named: label and weight, then features."""
    asked = [c for c in (options.label, options.sample_weight) if c is not None]
    for spec in (options.columns or {}).values():
        asked.extend(spec._specs if isinstance(spec, Stack) else [spec])
    return asked


def _groups(options: Options) -> list[list[str]]:
    """Returns the names of each stack, of label and weight, and of the filter."""
    apart = [c.name for c in (options.label, options.sample_weight) if c is not None]
    stacks = [
        [column.name for column in spec._specs]
        for spec in (options.columns or {}).values()
        if isinstance(spec, Stack)
    ]
    filtered = [] if options.condition is None else list(options.condition.columns)
    return [*stacks, apart, filtered]


def _lay_out(
    opened: core.Catalog, options: Options
) -> tuple[Layout, list[ColumnRequest]]:
    label, weight = options.label, options.sample_weight
    builder = LayoutBuilder(
        opened.columns,
        (label, weight),
        lambda: columns_of_file(opened.files[0][0]),
    )
    if options.columns is None:
        features = builder.add_all(lambda: schema_differences.fixes(opened))
    else:
        features = builder.add(options.columns)
    remainder = options.of_kernel("remainder", opened)
    padded = remainder == "pad" or options.growth is not None
    layout = Layout(
        features=features,
        label=None if label is None else builder.add({"": label})[""],
        sample_weight=None if weight is None else builder.add({"": weight})[""],
        padded=padded,
        valid=_valid_name(builder.valid, features, options, padded=padded),
    )
    return layout, builder.columns


def _valid_name(
    asked: str | None, features: Mapping[str, Tree], options: Options, *, padded: bool
) -> str | None:
    """Returns the name of the feature that says which rows are not fill, if any."""
    if asked is not None and not padded:
        raise ValueError(
            f"columns has {VALID!r}, which says which rows are fill, but none is: give "
            "remainder='pad' or refresh, or leave it out"
        )
    if asked is not None or not padded or options.label is not None:
        return asked
    if VALID in features:
        why = "remainder='pad'" if options.growth is None else "refresh"
        raise ValueError(f"{why} adds {VALID!r}, which is a column")
    return VALID


def _stream_options(
    opened: core.Catalog,
    columns: Sequence[ColumnRequest],
    options: Options,
    defaults: Mapping[str, int],
) -> core.StreamOptions:
    def part(wanted: str) -> dict[str, Any]:
        return {
            name: defaults[name]
            if name in defaults and getattr(options, name) is None
            else options.of_kernel(name, opened)
            for name, declared in OPTIONS.items()
            if declared.part == wanted
        }

    stream = core.StreamOptions(
        partition_types=opened.partition_types,
        columns=[column.spec(opened) for column in columns],
        order=core.OrderOptions(**part("order")),
        delivery=core.DeliveryOptions(**part("delivery")),
        pinned_epoch=None if options.reshuffle_each_iteration else options.first_epoch,
        filter=b"" if options.condition is None else options.condition.serialized,
        **part("stream"),
    )
    most = core.default_max_batches_per_arena(opened, stream)
    stream.max_batches_per_arena = most
    settle(stream, options, [opened])
    return stream


def settle(
    stream: core.StreamOptions, options: Options, catalogs: Sequence[core.Catalog]
) -> None:
    """Checks the kernel's options as a whole, and fills in the memory budget.

    Args:
        stream: Options of the kernel, complete but for the budget.
        options: Options as the user gave them, which may have a budget.
        catalogs: Catalog of the data, or of each source of a mixture.

    Raises:
        ValueError: The options contradict each other or the data.
    """
    stream.memory_budget_bytes = options.memory_budget_bytes or 0
    stream.validate(catalogs)
    if stream.memory_budget_bytes == 0:
        stream.memory_budget_bytes = memory.default_budget(catalogs, stream)


def _check_weight(parameters: Parameters) -> None:
    weight, spec = parameters.layout.sample_weight, parameters.options.sample_weight
    if weight is None or spec is None:
        return
    found = "a struct"
    if isinstance(weight, int):
        column = parameters.outputs[weight]
        if is_number(column):
            return
        found = column.logical_type
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


def _warn_of_data(
    opened: core.Catalog, columns: Sequence[ColumnRequest], options: Options
) -> None:
    if options.growth is None and not opened.num_rows:
        warn_caller(DataWarning(_no_rows(opened)))
    nulls = nulls_without_fill(opened, columns, options)
    if nulls is not None:
        warn_caller(DataWarning(nulls))


def _no_rows(opened: core.Catalog) -> str:
    first = opened.files[0][0]
    return (
        f"no row is left: the files that paths stands for ({len(opened.files)}, such "
        f"as {first}) have no rows; look at them with rowfeed.Catalog.open(paths).files"
    )


def advice(parameters: Parameters) -> list[str]:
    """Returns warnings for the user about valid options that work badly."""
    found = []
    order, delivery = parameters.stream.order, parameters.stream.delivery
    groups = parameters.catalog.group_rows
    groups = np.sort(groups[groups > 0])
    if order.shuffle and len(groups) and parameters.options.condition is None:
        group = int(groups[len(groups) // 2])
        block = -(-group // -(-group // (order.block_rows or group)))
        lane = -(-parameters.catalog.num_rows // order.num_lanes)
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
    return found + memory.advice(
        parameters.catalog, parameters.stream, parameters.options
    )
