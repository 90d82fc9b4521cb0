# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Functions for the command lines of all benchmarks."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.datasets import DEFAULT_FOLDER
from benchmarks.harness import RESULTS, Row, print_table, write_csv


def command_line(doc: str | None, **defaults: float) -> argparse.ArgumentParser:
    """Returns a parser of names, --data, and a number for each default.

    The names say what to measure. With --child they are those that the parent passes.
    """
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help="what to measure, or all")
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER)
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    return parser


def forwarded(options: argparse.Namespace, *names: str) -> list[str]:
    """Returns --data and the named options as arguments for a child process."""
    return [f"--{name}={getattr(options, name)}" for name in ("data", *names)]


def publish(name: str, rows: Sequence[Row], folder: Path = RESULTS) -> None:
    """Writes lines of results to NAME.csv in a folder, and prints them."""
    path = write_csv(name, rows, folder)
    print_table(rows)
    print(f"wrote {path}")
