# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""rowfeed beside what a user would write or pick today for the same files.

Every candidate loads the same rows (those that store them one by one: the first of
them), shuffles them in windows or buffers of comparable size, batches them, and has
every 64 bytes of every tensor touched. `times_slower` is the rate of the face of
rowfeed that its user would change to, over its own. The candidates are in loaders/; how
they are timed, in pace.py.

    python -m benchmarks.peers.compare          # N and B, three rounds of everything
    python -m benchmarks.peers.compare --check  # Only: is every row there, shuffled?
    python -m benchmarks.peers.report           # The plot and the table, from the CSV
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from benchmarks.datasets import DATASETS, DEFAULT_BYTES, DEFAULT_FOLDER, prepare
from benchmarks.hardware import HARDWARE
from benchmarks.harness import (
    PACKAGES,
    Row,
    print_result,
    print_table,
    run_child,
    write_csv,
)
from benchmarks.pace import Consume, Pace, consumer, graph_consumer, time_pace
from benchmarks.peers.delivery import check_delivery
from benchmarks.peers.environments import Unavailable, project, python_of
from benchmarks.peers.loaders import LOADERS, Loader, Setup
from benchmarks.touch import touch_function, touch_op

CANDIDATES = (*HARDWARE, *LOADERS)
CONVERT_SECONDS, PACE_SECONDS = 1800.0, 300.0  # Time limits of a child process.


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    options = parse()
    if options.child:
        run(options)
        return
    pythons = available(options)
    names = options.names or ("N", "B")
    if options.check:
        for name in [name for name in pythons if name in LOADERS]:
            run_child(arguments(options, "N", name, "check"), pythons[name])
            print(f"{name}: every row once, shuffled")
        return
    rows: list[Row] = []
    for data in names:
        rows += compare(options, data, pythons)
        write_csv("peers", rows)  # Keeps the results if the run is stopped.
    print_table(rows)


def parse() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help="default: N and B")
    parser.add_argument("--data", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--bytes", type=int, default=DEFAULT_BYTES)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0, help="at least, counted")
    parser.add_argument("--only", nargs="+", choices=CANDIDATES, default=CANDIDATES)
    parser.add_argument("--check", action="store_true", help="measure nothing")
    parser.add_argument("--child", choices=CANDIDATES, help=argparse.SUPPRESS)
    parser.add_argument("--task", default="pace", help=argparse.SUPPRESS)
    return parser.parse_args()


def available(options: argparse.Namespace) -> dict[str, Path]:
    """Returns the interpreter of each candidate; prints which candidates have none."""
    pythons = {}
    for name in options.only:
        packages = LOADERS[name].packages if name in LOADERS else ()
        try:
            pythons[name] = python_of(packages, options.data)
        except Unavailable as reason:
            print(f"{name}: skipped: {reason}", file=sys.stderr)
    return pythons


def compare(
    options: argparse.Namespace, data: str, pythons: dict[str, Path]
) -> list[Row]:
    """Measures the candidates on one data set."""
    prepare(data, options.data, options.bytes)
    print(data)
    paces: dict[str, list[Pace]] = {}
    for name, python in pythons.items():
        if attempt(options, data, name, "convert", python) is not None:
            paces[name] = []
    for _ in range(options.rounds):
        for name, mine in paces.items():
            pace = attempt(options, data, name, "pace", pythons[name])
            if pace is not None:
                mine.append(pace)
                rate = pace.rows / pace.seconds
                print(f"  {name}: {rate:,.0f} rows/s", file=sys.stderr)
    results = {name: summary(mine) for name, mine in paces.items() if mine}
    return [
        {"data": data, "candidate": name} | result | ratio(name, results)
        for name, result in results.items()
    ]


def attempt(
    options: argparse.Namespace, data: str, name: str, task: str, python: Path
) -> Pace | None:
    """Returns the result of a child; None, and prints why, if it has none."""
    seconds = CONVERT_SECONDS if task == "convert" else PACE_SECONDS
    try:
        return Pace(**run_child(arguments(options, data, name, task), python, seconds))
    except subprocess.TimeoutExpired:
        print(f"  {name}: {task}: timeout", file=sys.stderr)
    except subprocess.CalledProcessError:
        print(f"  {name}: {task}: failed", file=sys.stderr)
    return None


def arguments(
    options: argparse.Namespace, data: str, name: str, task: str
) -> list[str]:
    """Returns the command line of a child."""
    keys = ("data", "bytes", "threads", "seconds")
    numbers = [f"--{key}={getattr(options, key)}" for key in keys]
    return [name, data, f"--task={task}", *numbers]


def summary(paces: list[Pace]) -> dict[str, Any]:
    """Returns rates over rounds: median, least and greatest."""
    rates = [pace.rows / pace.seconds for pace in paces]
    firsts = [pace.first_s for pace in paces]
    rate = statistics.median(rates)
    return {
        "rounds": len(paces),  # Failed rounds are left out.
        "rows_per_s": round(rate),
        "low": round(min(rates)),
        "high": round(max(rates)),
        "gb_per_s": rate * paces[0].bytes / paces[0].rows / 1e9,
        "first_batch_s": statistics.median(firsts),
        "first_low": min(firsts),
        "first_high": max(firsts),
        "versions": paces[0].versions,
    }


def ratio(name: str, results: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Returns how many times as fast rowfeed is, and which face of it."""
    against = LOADERS[name].against if name in LOADERS else "rowfeed"
    if against not in results:
        return {"against": "", "times_slower": ""}
    slower = results[against]["rows_per_s"] / results[name]["rows_per_s"]
    return {"against": against, "times_slower": slower}


def run(options: argparse.Namespace) -> None:
    """Does one task for one candidate in this process."""
    (data,) = options.names
    loader = LOADERS.get(options.child)
    if options.task == "check":
        assert loader is not None
        print_result(check_delivery(loader, options.data, options.threads))
        return
    path = prepare(data, options.data, options.bytes)
    setup = Setup(path, DATASETS[data], options.data, options.threads)
    pace = Pace(0, 0, 0, 0)
    if options.task == "convert":
        if loader is not None:
            loader.convert(setup)
    elif loader is None:
        consume = HARDWARE[options.child](setup)
        batch, window = setup.dataset.batch_size, 1
        pace = time_pace(lambda: consume, batch, window, options.seconds)
    else:
        pace = pace_of(loader, setup, options.seconds)
    print_result(pace)
    if loader is not None and loader.graph:
        # At exit TensorFlow may wait for ever for an endless Python generator.
        sys.stdout.flush()
        os._exit(0)


def pace_of(loader: Loader, setup: Setup, seconds: float) -> Pace:
    """Measures a loader in this process."""
    opened = loader.load()
    make = graph_consumer if loader.graph else consumer
    touch = (touch_op if loader.graph else touch_function)(setup.folder)

    def start() -> Consume:
        return make(opened(setup), touch)

    batch, window = setup.dataset.batch_size, setup.window_rows * loader.windows
    pace = time_pace(start, batch, window, seconds)
    return replace(pace, versions=", ".join(versions(loader)))


def versions(loader: Loader) -> Iterator[str]:
    """Yields the versions of packages that a loader's own environment installed."""
    if not loader.packages:
        return
    own = [project(package) for package in loader.packages]
    for name in dict.fromkeys((*own, *PACKAGES)):
        with suppress(PackageNotFoundError):
            package = distribution(name)
            if Path(str(package.locate_file(""))).is_relative_to(sys.prefix):
                yield f"{name} {package.version}"


if __name__ == "__main__":
    main()
