# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a process does while calls fail: an epoch of each face, and all that writes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq

import rowfeed

OPTIONS: Final[dict[str, Any]] = {
    "shuffle": True,
    "seed": 3,
    "shuffle_window": 60,
    "block_rows": 20,
}


class Scenario:
    """What is run, and what comes of it if nothing fails.

    Attributes:
        expected: Right result of `run`.
        errors: Further classes of errors that `run` may raise if a call fails.
    """

    expected: Any
    errors: tuple[type[BaseException], ...] = ()

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self) -> Any:
        """Does the work, and returns its result."""
        raise NotImplementedError

    def check_left(self) -> None:
        """Checks what a run that failed has left."""


class Epoch(Scenario):
    """An epoch of one face, with lists, strings and a filter."""

    module = "rowfeed"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.face = __import__(self.module, fromlist=["ParquetDataset"])
        self.expected = self.run()

    def run(self) -> Any:
        """Returns the rows of the epoch, in their order."""
        dataset = self.face.ParquetDataset(
            str(self.folder / "data"), 16, filter=pc.field("id") > 30, **OPTIONS
        )
        rows: list[Any] = []
        for batch in dataset:
            rows += np.asarray(batch["id"]).tolist()
            rows.append(int(np.asarray(batch["parts"].values).sum()))
        return rows


class TorchEpoch(Epoch):
    """The same with PyTorch."""

    module = "rowfeed.torch"


class TensorFlowEpoch(Epoch):
    """The same with TensorFlow."""

    module = "rowfeed.tensorflow"

    def __init__(self, folder: Path) -> None:
        import tensorflow as tf

        self.errors = (tf.errors.OpError,)
        super().__init__(folder)


class Growing(Scenario):
    """Two epochs of data that grows, with snapshots on disk."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.expected = self.run()

    def run(self) -> Any:
        """Returns the rows of two epochs."""
        snapshots = self.folder / "snapshots"
        shutil.rmtree(snapshots, ignore_errors=True)
        dataset = rowfeed.ParquetDataset(
            str(self.folder / "data"),
            16,
            columns=["id"],
            refresh="epoch",
            snapshot_dir=str(snapshots),
            num_epochs=2,
            **OPTIONS,
        )
        return [batch["id"].tolist() for batch in dataset]


class Take(Scenario):
    """Rows by index."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.expected = self.run()

    def run(self) -> Any:
        """Returns some rows."""
        catalog = rowfeed.Catalog.open(str(self.folder / "data"))
        taken = catalog.take([5, 200, 7, 100])
        return [taken["id"].tolist(), taken["name"].to_pyarrow().to_pylist()]


class SavedCatalog(Scenario):
    """A catalog that is saved and loaded. An older file stays whole if saving fails."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.path = folder / "saved" / "catalog"
        self.path.parent.mkdir(exist_ok=True)
        rowfeed.Catalog.open(str(folder / "data")).save(self.path)
        self.expected = self.run()

    def run(self) -> Any:
        """Returns the fingerprint of the loaded catalog."""
        catalog = rowfeed.Catalog.open(str(self.folder / "data"))
        catalog.save(self.path)
        return rowfeed.Catalog.load(self.path).fingerprint

    def check_left(self) -> None:
        """Checks that the file is whole, and that nothing else is left."""
        assert rowfeed.Catalog.load(self.path).fingerprint == self.expected
        assert [path.name for path in self.path.parent.iterdir()] == ["catalog"]


class Writer(Scenario):
    """Rows that a SampleWriter writes. What has the name of a complete file is one."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.runs = folder / "runs"
        self.out = self.runs
        self.expected = list(range(100))

    def run(self) -> Any:
        """Returns the rows that readers find."""
        self.out = self.runs / str(len(list(self.runs.glob("*"))))
        with rowfeed.SampleWriter(
            self.out, {"x": "int64"}, rows_per_file=40, rows_per_group=20
        ) as writer:
            for begin in range(0, 100, 10):
                writer.write({"x": np.arange(begin, begin + 10)})
        return self._rows()

    def _rows(self) -> list[int]:
        rows: list[int] = []
        for path in sorted(self.out.glob("*.parquet")):
            rows += pq.read_table(path)["x"].to_pylist()
        return rows

    def check_left(self) -> None:
        """Checks what a failed run left: whole files, whose rows come once."""
        rows = self._rows()
        assert rows == sorted(set(rows)), rows
        if rows:
            assert rowfeed.Catalog.open(str(self.out)).num_rows == len(rows)


SCENARIOS: Final[dict[str, Callable[[Path], Scenario]]] = {
    "numpy": Epoch,
    "torch": TorchEpoch,
    "tensorflow": TensorFlowEpoch,
    "growing": Growing,
    "take": Take,
    "catalog": SavedCatalog,
    "writer": Writer,
}
