# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the plot of what scan.py measured, and prints its table.

    python -m benchmarks.scan_report            # docs/images/scan.png
    python -m benchmarks.scan_report --short    # Of scan.py --short, beside its figures

It needs matplotlib. The table of docs/measurements.md comes from report.py.
"""

from __future__ import annotations

import argparse

from benchmarks.bars import MACHINE, kind, write_bars
from benchmarks.harness import SHORT_RESULTS
from benchmarks.report import RESULTS, ROOT, SCAN, read
from benchmarks.tables import Row, table


def main() -> None:
    """Writes the plot and prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--short", action="store_true", help="of scan.py --short")
    short = parser.parse_args().short
    _, rows = read("scan", SHORT_RESULTS if short else RESULTS)
    images = SHORT_RESULTS if short else ROOT / "docs" / "images"
    plot = images / "scan.png"
    # The machine's own rates, several times as high, are in the table only.
    write_bars([row for row in rows if kind(row) != MACHINE], plot, ratio)
    print(f"{table(rows, SCAN)}\n\nwrote {plot}")


def ratio(row: Row) -> str:
    """Returns the ratio to pyarrow's faster scan."""
    return f", {float(row['ratio']):.2f}x"


if __name__ == "__main__":
    main()
