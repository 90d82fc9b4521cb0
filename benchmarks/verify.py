# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the cost of `verify_checksums=True`.

A small data set N is written with a checksum for each page: *plain*
without compression and dictionaries, and compressed with Snappy and Zstandard. rowfeed
for NumPy delivers batches of 1,024 rows, shuffled, with and without the option; both
touch every 64 bytes. *slower* is the CPU time of a row with the option over that
without, the median over rounds.

    python -m benchmarks.verify --data DIR
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import Any

import pyarrow.parquet as pq
from benchmarks.command import command_line, forwarded, publish
from benchmarks.datasets import prepare
from benchmarks.harness import Row, Sample, count, measure, print_result, time_epochs
from benchmarks.touch import touch_function

BYTES = 2 * 10**8  # The size of the decoded data.
WRITING: MappingProxyType[str, dict[str, Any]] = MappingProxyType(
    {
        "plain": {"compression": "none", "use_dictionary": False},
        "snappy": {"compression": "snappy"},
        "zstd": {"compression": "zstd"},
    }
)
OPTIONS = MappingProxyType({"off": False, "on": True})


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    options = command_line(__doc__, rounds=7).parse_args()
    if options.child:
        layout, verified = options.names
        path = written(layout, options.data)
        touch = touch_function(options.data)
        print_result(time_epochs(lambda: open_data(path, verified, touch), 3, 1.0))
        return
    rows: list[Row] = []
    for layout in WRITING:
        written(layout, options.data)
        arguments = {on: [layout, on, *forwarded(options)] for on in OPTIONS}
        rows += report(layout, dict(measure(arguments, options.rounds)))
    publish("verify", rows)


def report(layout: str, samples: dict[str, list[Sample]]) -> Iterator[Row]:
    """Yields a line of results for each of the two candidates."""
    plain = [sample.cpu_s for sample in samples["off"]]
    for name, found in samples.items():
        pairs = zip(found, plain, strict=True)
        yield {
            "layout": layout,
            "verify_checksums": name,
            "rows_per_s": round(median(s.rows / median(s.epoch_s) for s in found)),
            "cpu_ns_per_row": median(s.cpu_s / s.rows for s in found) * 1e9,
            "slower": median(sample.cpu_s / other for sample, other in pairs),
        }


def written(layout: str, folder: Path) -> Path:
    """Returns the file of a layout, and makes it if the folder has none."""
    path = folder / f"verify-{layout}.parquet"
    if path.exists():
        return path
    source = pq.ParquetFile(prepare("N", folder, BYTES))
    unfinished = path.with_suffix(".unfinished")
    with pq.ParquetWriter(
        unfinished, source.schema_arrow, write_page_checksum=True, **WRITING[layout]
    ) as writer:
        for group in range(source.num_row_groups):
            writer.write_table(source.read_row_group(group))
    unfinished.rename(path)
    return path


def open_data(path: Path, verified: str, touch: Any) -> Any:
    """Returns a function that consumes an epoch of rowfeed for NumPy."""
    from rowfeed import ParquetDataset

    verifies = OPTIONS[verified]
    dataset = ParquetDataset(path, 1024, shuffle=True, verify_checksums=verifies)
    return lambda: count(
        (len(next(iter(batch.values()))), touch([*batch.values()])) for batch in dataset
    )


if __name__ == "__main__":
    main()
