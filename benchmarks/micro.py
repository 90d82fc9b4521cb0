# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the C++ benchmarks of decoders and gathers, cc/benchmarks.

Each benchmark is repeated, at random among the others; a row of the result has the
median of its CPU time for one row of data, and how far repetitions differ. `ratio` is,
of a decoder, its speed to that of Arrow's reader of the same chunk.

    make bench-cc
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.harness import Row, print_table, write_csv

EXECUTABLE = Path(__file__).parents[1] / ".build/release/benchmarks/micro_benchmark"
REPETITIONS = 5
ITEMS = "items_per_second"  # Google Benchmark's name for rows per CPU time.


def main() -> None:
    """Runs all benchmarks and writes what they measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.parse_args()
    rows = table(run())
    path = write_csv("micro", rows)
    print_table(rows)
    print(f"wrote {path}")


def run() -> dict[str, dict[str, float]]:
    """Returns rows/s by the name of the benchmark and of the statistic."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        command = [
            str(EXECUTABLE),
            f"--benchmark_out={out}",
            "--benchmark_out_format=json",
            f"--benchmark_repetitions={REPETITIONS}",
            "--benchmark_enable_random_interleaving=true",
            "--benchmark_report_aggregates_only=true",
        ]
        subprocess.run(command, check=True)
        found: list[dict[str, Any]] = json.loads(out.read_text())["benchmarks"]
    speeds: dict[str, dict[str, float]] = {}
    for one in found:
        if one.get("error_occurred"):
            raise RuntimeError(f"{one['name']}: {one['error_message']}")
        speeds.setdefault(one["run_name"], {})[one["aggregate_name"]] = one[ITEMS]
    return speeds


def table(speeds: dict[str, dict[str, float]]) -> list[Row]:
    """Makes the rows of the CSV."""
    rows: list[Row] = []
    for name, speed in sorted(speeds.items()):
        kind, _, data = name.partition("/")
        if kind == "arrow":
            continue
        row = {
            "benchmark": data if kind == "decode" else name,
            "cpu_ns_per_row": 1e9 / speed["median"],
            "spread": speed["cv"],
        }
        if kind == "decode":
            floor = speeds[f"arrow/{data}"]["median"]
            against = {
                "arrow_ns_per_row": 1e9 / floor,
                "ratio": speed["median"] / floor,
            }
        else:
            against = {"arrow_ns_per_row": "", "ratio": ""}
        rows.append(row | against)
    return rows


if __name__ == "__main__":
    main()
