# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Measures candidates: in fresh processes, in rounds, by medians.

Each candidate runs in a fresh process, once per round; rounds interleave the
candidates, so that what else the machine does hits all of them. A process does its
imports off the clock, warms the machine's memory, times its first epoch from the
opening of the data set on, and then at least `min_epochs` epochs and `min_seconds`. Its
figure is the median of these. A result is the median over rounds, with the least and
the greatest beside it.

A script is both sides: the parent calls `measure`, which runs the same script with
`--child`; the child calls `time_epochs` and prints what it returns.
"""

from __future__ import annotations

import csv
import json
import mmap
import os
import platform
import resource
import shlex
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeAlias

RESULTS = Path(__file__).resolve().parent / "results"
SHORT_RESULTS = RESULTS.parents[1] / ".build" / "bench"  # Not under version control.
WARM_BYTES = 3 << 30  # More memory than a candidate takes for its first epoch.
PACKAGES = ("rowfeed", "pyarrow", "numpy", "tensorflow", "torch", "simplejpeg")

# A function that consumes one pass over the data and returns its (rows, bytes).
Epoch: TypeAlias = Callable[[], tuple[int, int]]
Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Sample:
    """Result of one process.

    Attributes:
        rows: Number of rows of an epoch.
        bytes: Size of an epoch's tensors, all of which are touched.
        first_s: Time of the first epoch, with the opening of the data set.
        epoch_s: Times of the epochs after it.
        cpu_s: Mean CPU time of these epochs, over all threads.
    """

    rows: int
    bytes: int
    first_s: float
    epoch_s: list[float]
    cpu_s: float


def time_epochs(
    start: Callable[[], Epoch], min_epochs: int, min_seconds: float
) -> Sample:
    """Times the epochs of the data set that `start` opens, in this process."""
    warm_memory()
    begin = time.perf_counter()
    epoch = start()
    seen = epoch()
    first_s = time.perf_counter() - begin
    epoch_s: list[float] = []
    cpu = _cpu_seconds()
    while len(epoch_s) < min_epochs or sum(epoch_s) < min_seconds:
        begin = time.perf_counter()
        if epoch() != seen:
            raise RuntimeError(f"epochs differ from the first: {seen} rows, bytes")
        epoch_s.append(time.perf_counter() - begin)
    cpu_s = (_cpu_seconds() - cpu) / len(epoch_s)
    return Sample(*seen, first_s, epoch_s, cpu_s)


def warm_memory() -> None:
    """Touches free memory, before something is timed that takes memory first.

    A virtual machine may have given free memory back to its host. The first process to
    use that memory waits for the host: huge pages came twenty times as slowly here.
    """
    with mmap.mmap(-1, WARM_BYTES, mmap.MAP_PRIVATE) as memory:
        memory.madvise(mmap.MADV_HUGEPAGE)
        for page in range(0, WARM_BYTES, mmap.PAGESIZE):
            memory[page] = 1


def resident_kb(key: str) -> int:
    """Returns resident memory in kB: now by "VmRSS", at its peak by "VmHWM"."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1])
    raise KeyError(key)


def _cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def count(parts: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Adds up (rows, bytes)."""
    rows = size = 0
    for part_rows, part_bytes in parts:
        rows += part_rows
        size += part_bytes
    return rows, size


def print_result(result: Any) -> None:
    """Prints a child's dataclass as JSON, for its parent."""
    print(json.dumps(asdict(result)))


def this_module() -> str:
    """Returns the name of the module that `python -m` runs."""
    spec = sys.modules["__main__"].__spec__
    assert spec is not None, "start benchmarks with `python -m benchmarks.NAME`"
    return spec.name


def run_child(
    arguments: Sequence[str],
    python: Path = Path(sys.executable),
    seconds: float | None = None,
    packages: Path | None = None,
) -> dict[str, Any]:
    """Runs this script as a child process, and returns the JSON that it printed.

    The child ends after `seconds` at the latest, with all processes that it started. It
    finds the packages in the folder `packages` before those that are installed.
    """
    command = [str(python), "-m", this_module(), "--child", *arguments]
    environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
    if packages is not None:
        environment["PYTHONPATH"] = str(packages)
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
        start_new_session=True,
    ) as child:
        try:
            printed, _ = child.communicate(timeout=seconds)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command)
    result: dict[str, Any] = json.loads(printed.splitlines()[-1])
    return result


def measure(
    candidates: Mapping[str, Sequence[str]], rounds: int
) -> Iterator[tuple[str, list[Sample]]]:
    """Runs every candidate in every round; yields names with their samples.

    Args:
        candidates: Arguments of the child process, by the candidate's name.
        rounds: Number of runs of each candidate.
    """
    samples: dict[str, list[Sample]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, arguments in candidates.items():
            sample = Sample(**run_child(arguments))
            samples[name].append(sample)
            rate = sample.rows / statistics.median(sample.epoch_s)
            print(f"  {name}: {rate:,.0f} rows/s", file=sys.stderr)
    yield from samples.items()


def summary(samples: Sequence[Sample]) -> dict[str, Any]:
    """Returns rates over rounds: median, least and greatest."""
    rows = samples[0].rows
    rates = [rows / statistics.median(s.epoch_s) for s in samples]
    firsts = [rows / s.first_s for s in samples]
    rate = statistics.median(rates)
    return {
        "rows_per_s": round(rate),
        "low": round(min(rates)),
        "high": round(max(rates)),
        "gb_per_s": rate * samples[0].bytes / rows / 1e9,
        "cpu_ns_per_row": statistics.median(s.cpu_s for s in samples) / rows * 1e9,
        "first_rows_per_s": round(statistics.median(firsts)),
        "first_low": round(min(firsts)),
        "first_high": round(max(firsts)),
    }


def write_csv(name: str, rows: Sequence[Row], folder: Path = RESULTS) -> Path:
    """Writes lines of results to NAME.csv, under lines that tell their origin."""
    path = folder / f"{name}.csv"
    folder.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        for line in _origin():
            file.write(f"# {line}\n")
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({key: _shown(value) for key, value in row.items()})
    return path


def print_table(rows: Sequence[Row]) -> None:
    """Prints lines of results as a table."""
    for row in rows:
        print("  ".join(f"{key}={_shown(value)}" for key, value in row.items()))


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _origin() -> Iterator[str]:
    yield f"python -m {this_module()} {shlex.join(_public(sys.argv[1:]))}".strip()
    yield ", ".join([f"python {platform.python_version()}", *_versions()])
    yield f"{_cpu()}, {os.cpu_count()} CPUs, {platform.system()} {platform.release()}"
    yield f"commit {_commit()}"


def _public(arguments: Sequence[str]) -> list[str]:
    """Returns the arguments without paths, which say nothing about the figures."""
    kept = [*arguments]
    for place in ("--data", "--before"):
        if place in kept:
            at = kept.index(place)
            del kept[at : at + 2]
    return kept


def _versions() -> Iterator[str]:
    for package in PACKAGES:
        try:
            yield f"{package} {version(package)}"
        except PackageNotFoundError:
            continue


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _commit() -> str:
    """Returns the commit, with a mark if more than figures and pages has changed."""
    figures = (":!benchmarks/results", ":!docs", ":!README.md")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ".", *figures)
    commit = _git("describe", "--always") or "unknown"
    return f"{commit}-dirty" if changed else commit


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(RESULTS.parents[1]), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip()
