# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Compares every Parquet file of a folder, through all faces, with pyarrow.

    python tests/support/conformance.py FOLDER [--csv columns.csv]

Each column is read alone and with the others, in order and shuffled, with a mask and
without, in small blocks and by index, and compared bit by bit. Filters of each column
must deliver the rows that pass in memory. Files are read in workers, so that a crash, a
hang or a burst of memory is a finding about one file. Exits with 1 if there is a
finding: another value or row, an error where pyarrow reads, one that does not name
file and column; or if a refusal is not in conformance_refusals.csv, which has a reason
for each.
"""

from __future__ import annotations

import argparse
import collections
import csv
import json
import queue
import select
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WORKER = Path(__file__).with_name("conformance_worker.py")

# The outcome of a column, and of a file, is the first of these that any of its
# readings, or columns, has come to. "unlisted" is a refusal that is not in the list of
# those that are meant; "beyond pyarrow" is read by rowfeed only.
OUTCOMES = ["finding", "unlisted", "unreadable", "refused", "beyond pyarrow", "equal"]
FAILURES = {"finding", "unlisted"}

STARTING_SECONDS = 300  # To import TensorFlow on a busy machine.
SAMPLE_SECONDS = 0.02
PATIENCE_WITH_PYARROW = 6


@dataclass(frozen=True)
class Limits:
    """What one reading may take: of time, and of memory beside the table itself."""

    seconds: float = 10.0
    megabytes: int = 1024


@dataclass
class Result:
    """What became of a file: (column, outcome, how, detail) of each reading."""

    path: Path
    records: list[tuple[str, str, str, str]] = field(default_factory=list)

    @property
    def columns(self) -> dict[str, str]:
        """The outcome of each column; "" stands for the file itself."""
        found: dict[str, set[str]] = collections.defaultdict(set)
        for column, outcome, *_ in self.records:
            found[column].add(outcome)
        return {c: next(o for o in OUTCOMES if o in f) for c, f in found.items()}

    @property
    def outcome(self) -> str:
        """The outcome of the file, which is "equal" if it has no columns."""
        return next((o for o in OUTCOMES if o in self.columns.values()), "equal")


class Died(Exception):
    """A worker did not survive, or was not left to: how, and what it was at."""

    def __init__(self, how: str, phase: str, detail: str) -> None:
        super().__init__(f"{how} at {phase} {detail}")
        self.phase = phase


class Worker:
    """A process that compares one file after the other, and is started again."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""
        self._idle = 0  # Bytes of memory before the file.

    def compare(self, path: Path) -> Result:
        """Compares a file; if pyarrow does not survive it, rowfeed still has to."""
        try:
            return Result(path, self._ask(path, alone=False))
        except Died as died:
            if died.phase != "pyarrow":
                return Result(path, [("", "finding", "process", str(died))])
        try:
            return Result(path, self._ask(path, alone=True))
        except Died as died:
            return Result(path, [("", "finding", "process", str(died))])

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _ask(self, path: Path, *, alone: bool) -> list[tuple[str, str, str, str]]:
        if self._process is None:
            self._rest = b""
            self._process = subprocess.Popen(
                [sys.executable, str(WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            self._answer(STARTING_SECONDS)
        assert self._process.stdin is not None
        self._idle = self._memory()
        question = json.dumps({"path": str(path), "alone": alone})
        self._process.stdin.write(question.encode() + b"\n")
        self._process.stdin.flush()
        answer = self._answer(self._limits.seconds)
        return [tuple(record) for record in answer["records"]]

    def _answer(self, seconds: float) -> Any:
        """Follows what the worker is at, each step with a limit, to its answer."""
        step: dict[str, Any] = {"phase": "start", "detail": ""}
        try:
            while "phase" in step:
                step = self._line(seconds, step)
        except Died:
            self.close()
            raise
        return step

    def _line(self, seconds: float, step: dict[str, Any]) -> Any:
        assert self._process is not None
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        if step["phase"] == "pyarrow":  # Only rowfeed is held to the limit.
            seconds *= PATIENCE_WITH_PYARROW
        deadline = time.monotonic() + max(seconds, step.get("seconds", 0))
        allowed = (self._limits.megabytes << 20) + step.get("bytes", 0)
        where = step["phase"], step["detail"]
        while b"\n" not in self._rest:
            if time.monotonic() > deadline:
                raise Died("took too long", *where)
            if self._idle and self._memory() - self._idle > allowed:
                raise Died(f"took more than {allowed >> 20} MiB", *where)
            if not select.select([pipe], [], [], SAMPLE_SECONDS)[0]:
                continue
            data = self._process.stdout.read1(1 << 16)  # type: ignore[attr-defined]
            if not data:
                code = self._process.wait()
                raise Died(f"ended the process with {code}", *where)
            self._rest += data
        line, self._rest = self._rest.split(b"\n", 1)
        return json.loads(line)

    def _memory(self) -> int:
        """Resident bytes of the process."""
        assert self._process is not None
        try:
            pages = Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]
        except (OSError, IndexError):  # It is gone, which the pipe will say.
            return 0
        return int(pages) * 4096


def files_in(folder: Path) -> list[Path]:
    """Files called .parq…, and what begins as Parquet does."""
    return sorted(p for p in folder.rglob("*") if p.is_file() and _is_parquet(p))


def _is_parquet(path: Path) -> bool:
    if ".parq" in path.name:
        return not path.name.endswith(".crc")
    with path.open("rb") as file:
        return file.read(4) in (b"PAR1", b"PARE")


def run(files: list[Path], limits: Limits, num_workers: int) -> list[Result]:
    """Compares files in workers; the results are in the order of the files."""
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for i in range(len(files)):
        waiting.put(i)
    results: dict[int, Result] = {}

    def work() -> None:
        worker = Worker(limits)
        try:
            while True:
                i = waiting.get_nowait()
                results[i] = worker.compare(files[i])
        except queue.Empty:
            pass
        finally:
            worker.close()

    threads = [threading.Thread(target=work) for _ in range(num_workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [results[i] for i in range(len(files))]


def summary(results: list[Result]) -> str:
    """The counts by outcome, and whatever is not equal."""
    lines = []
    for result in results:
        for column, outcome in result.columns.items():
            if outcome == "equal":
                continue
            how, detail = next(
                r[2:] for r in result.records if r[:2] == (column, outcome)
            )
            lines.append(f"{outcome}: {result.path} {column!r}: {how}: {detail}")
    files = collections.Counter(result.outcome for result in results)
    columns = collections.Counter(
        outcome for r in results for c, outcome in r.columns.items() if c
    )
    lines.append(f"{'':16}{'files':>8}{'columns':>9}")
    lines += [f"{o:16}{files[o]:8}{columns[o]:9}" for o in reversed(OUTCOMES)]
    return "\n".join(lines)


def write_csv(path: Path, results: list[Result]) -> None:
    """Writes every reading of every column."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["file", "column", "outcome", "how", "detail"])
        for result in results:
            writer.writerows([result.path, *record] for record in result.records)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--csv", type=Path, help="writes each reading")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=Limits.seconds)
    parser.add_argument("--megabytes", type=int, default=Limits.megabytes)
    args = parser.parse_args()
    limits = Limits(args.seconds, args.megabytes)
    results = run(files_in(args.folder), limits, args.workers)
    print(summary(results))  # noqa: T201
    if args.csv is not None:
        write_csv(args.csv, results)
    sys.exit(any(result.outcome in FAILURES for result in results))


if __name__ == "__main__":
    main()
