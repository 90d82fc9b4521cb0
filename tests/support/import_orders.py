# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the program of two Arrows many times for each order of imports and each scope.

    python tests/support/import_orders.py --runs 100

Each run is a new process. It imports rowfeed and one other package in one of the two
orders, with the symbols of libraries in local or global scope. Then both Arrows read
files and an S3 store, in the process and in a fork of it, and both processes exit.
The program prints a table of how many runs there were and how many failed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from numbered_rows import GROUP_ROWS, write_numbers
from s3_server import serving
from two_arrows import run_program

OTHERS = ("pyarrow", "torch", "tensorflow")


def main() -> None:
    """Runs all orders, prints the table, and fails if a run failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--runs", type=int, default=100, help="for each order and scope"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--others", nargs="+", choices=OTHERS, default=OTHERS)
    options = parser.parse_args()
    cases = [
        (scope, order)
        for other in options.others
        for order in (f"rowfeed {other}", f"{other} rowfeed")
        for scope in ("local", "global")
    ]
    passed: Counter[tuple[str, str]] = Counter()
    with (
        serving() as server,
        tempfile.TemporaryDirectory() as folder,
        ThreadPoolExecutor(options.jobs) as pool,
    ):
        data = write_numbers(Path(folder), GROUP_ROWS)
        server.put_tree("data", data)
        uri = server.uri("data")
        # Round by round, so that each case has had as many runs when somebody ends it.
        for _ in range(options.runs):
            runs = {
                case: pool.submit(run_program, *case, str(data), uri) for case in cases
            }
            for case, run in runs.items():
                error = run.exception()
                passed[case] += error is None
                if error is not None:
                    sys.stderr.write(f"{case}: {error}\n")
    for case in cases:
        scope, order = case
        sys.stdout.write(f"{order:20} {scope:7} {passed[case]:4} of {options.runs}\n")
    sys.exit(any(passed[case] != options.runs for case in cases))


if __name__ == "__main__":
    main()
