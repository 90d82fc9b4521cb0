# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Drawn data sets and options, and what their ranks really deliver of an epoch."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

import rowfeed
from drawn_plans import EDGES, REMAINDERS

PLACE = ["__file", "__row_group", "__row"]
Row = tuple[int, int, int, int]  # Source, file, row group and row.
SIZES = st.lists(
    st.lists(st.sampled_from(EDGES) | st.integers(0, 40), min_size=1, max_size=5),
    min_size=1,
    max_size=3,
)


class Case(NamedTuple):
    """A drawn training: what its ranks are asked for.

    Attributes:
        sizes: Rows of each row group of each file, for each source.
        sources: Keywords of each source, with the key `left_out` for row groups that
            its catalog has not.
        shared: Keywords that all sources share.
        mixed: Keywords of `rowfeed.mix`; None for a single data set.
        batch_size: Number of rows in a batch.
        world_size: Number of ranks.
        epoch: Number of the epoch.
    """

    sizes: list[list[list[int]]]
    sources: list[dict[str, Any]]
    shared: dict[str, Any]
    mixed: dict[str, Any] | None
    batch_size: int
    world_size: int
    epoch: int


FILTERS = st.one_of(
    st.integers(0, 60).map(lambda n: [("id", "<", n)]),
    st.integers(2, 5).map(lambda n: [("id", "not in", list(range(0, 200, n)))]),
    st.integers(0, 20).map(lambda n: [("__row", ">=", n)]),
    st.integers(0, 2).map(lambda n: [("__file", "!=", n)]),
)


@st.composite
def _sources(draw: st.DrawFn) -> dict[str, Any]:
    """Draws the keywords of a source."""
    found: dict[str, Any] = {
        "shuffle": draw(st.booleans()),
        "seed": draw(st.integers(0, 2**64 - 1)),
        "shuffle_window": draw(st.integers(1, 100)),
        "block_rows": draw(st.none() | st.integers(1, 50)),
        "left_out": draw(st.none() | st.integers(0, 8)),
    }
    condition = draw(st.sampled_from(["none", "none", "filter", "split", "both"]))
    if condition in ("filter", "both"):
        found["filter"] = draw(FILTERS)
    if condition in ("split", "both"):
        unit: Any = draw(st.sampled_from(["row", "row_group", "file"]))
        seed = draw(st.integers(0, 9))
        found["split"] = rowfeed.Split(0.0, 0.75, seed=seed, unit=unit)
    return found


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draws a training."""
    num_sources = draw(st.sampled_from([1, 1, 2, 3]))
    pinned = draw(st.booleans())
    shared: dict[str, Any] = {
        "num_lanes": draw(st.integers(1, 6)),
        "remainder": draw(REMAINDERS),
    }
    if pinned:
        shared |= {
            "reshuffle_each_iteration": False,
            "first_epoch": draw(st.integers(0, 9)),
        }
    mixed = None
    if num_sources > 1:
        mixed = {
            "weights": draw(
                st.lists(st.integers(1, 4), min_size=num_sources, max_size=num_sources)
            ),
            "stop": draw(st.sampled_from(["first_exhausted", "all_exhausted"])),
        }
    return Case(
        sizes=[draw(SIZES) for _ in range(num_sources)],
        sources=[draw(_sources()) for _ in range(num_sources)],
        shared=shared,
        mixed=mixed,
        batch_size=draw(st.integers(1, 12)),
        world_size=draw(st.integers(1, 4)),
        epoch=draw(st.integers(0, 2**40)),
    )


def write(folder: Path, sizes: list[list[int]]) -> None:
    """Writes files whose row groups have so many rows, with a column `id`."""
    folder.mkdir(parents=True)
    base = 0
    for number, groups in enumerate(sizes):
        schema = pa.schema({"id": pa.int64()})
        with pq.ParquetWriter(folder / f"{number}.parquet", schema) as writer:
            for rows in groups:
                ids = np.arange(base, base + rows)
                writer.write_table(pa.table({"id": ids}, schema))
                base += rows


class Training:
    """The datasets of all ranks of a case."""

    def __init__(self, case: Case, folder: Path) -> None:
        """Writes the files.

        Raises:
            ValueError: The case has a rank without any batch, or a source without rows.
        """
        self.case = case
        self.catalogs = []
        for number, (sizes, source) in enumerate(
            zip(case.sizes, case.sources, strict=True)
        ):
            write(folder / str(number), sizes)
            catalog = rowfeed.Catalog.open(folder / str(number))
            kept = [
                group
                for group in range(len(catalog.row_groups))
                if group != source["left_out"]
            ]
            self.catalogs.append(catalog.select(row_groups=kept))
        self.ranks = [self.dataset(rank) for rank in range(case.world_size)]

    def dataset(self, rank: int, world_size: int | None = None) -> Any:
        """Returns the dataset of one rank."""
        case = self.case
        ranks: dict[str, Any] = {
            "rank": rank,
            "world_size": world_size or case.world_size,
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Small windows, shared lanes.
            sources = [
                rowfeed.ParquetDataset(
                    catalog,
                    case.batch_size,
                    columns=PLACE,
                    num_threads=1,
                    **{k: v for k, v in source.items() if k != "left_out"},
                    **case.shared,
                    **ranks,
                )
                for catalog, source in zip(self.catalogs, case.sources, strict=True)
            ]
            return (
                sources[0] if case.mixed is None else rowfeed.mix(sources, **case.mixed)
            )

    def delivered(self, rank: int) -> list[list[tuple[int, int, int] | None]]:
        """Returns the places of the rows of each batch of a rank; None for fill."""
        dataset = self.ranks[rank]
        dataset.set_epoch(self.case.epoch)
        batches = []
        for batch in dataset:
            places = zip(*(batch[name].tolist() for name in PLACE), strict=True)
            valid = batch.get("__valid", np.ones(len(batch["__row"]), np.bool_))
            pairs = zip(places, valid.tolist(), strict=True)
            batches.append([place if is_row else None for place, is_row in pairs])
        return batches


def told(rows: Any) -> list[tuple[int, int, int] | None]:
    """Returns the places in a `BatchRows`; None for fill."""
    places = zip(
        rows.file.tolist(), rows.row_group.tolist(), rows.row.tolist(), strict=True
    )
    return [
        place if is_row else None
        for place, is_row in zip(places, rows.valid.tolist(), strict=True)
    ]
