# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The loaders that peers.py measures: rowfeed's, and those a user may pick instead.

A module of this package makes one kind of loader. Its `load(**options)` does all
imports and returns a function of a `Setup` that opens the data and returns the batches
of `epochs` epochs: dictionaries of tensors, or a tf.data.Dataset of them. One that
reads no Parquet has `convert(setup)` too, which writes its files, off the clock.

To add a peer: a module with these, and a line in LOADERS. One that needs more than this
project's test environment names what to install; see environments.py.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from benchmarks.datasets import Dataset

WINDOW_GROUPS = 4  # The row groups in a window of loaders that shuffle row groups.
ENDLESS = 10**6  # More epochs than any measurement consumes.
FORMAT = 2  # Version of the files of convert(): raise it with any change to them.


@dataclass(frozen=True)
class Setup:
    """The data and the options that a loader gets.

    Attributes:
        path: Path of the Parquet file.
        dataset: Data set, which has the batch size and the order options.
        folder: Folder for converted data and caches.
        threads: Number of threads or processes that should work.
        epochs: Number of epochs to deliver.
    """

    path: Path
    dataset: Dataset
    folder: Path
    threads: int
    epochs: int = ENDLESS

    @property
    def buffer_rows(self) -> int:
        """Number of rows in a shuffle buffer, as many as in a window of rowfeed."""
        return self.dataset.order["shuffle_window"]

    @property
    def window_rows(self) -> int:
        """Number of rows in the largest window, of rowfeed or of whole row groups."""
        return max(self.buffer_rows, WINDOW_GROUPS * self.dataset.group_rows)

    def converted(self, kind: str) -> Path:
        """Returns the folder for the same rows in another format."""
        return self.folder / f"{self.path.stem}-{kind}-v{FORMAT}"


Open: TypeAlias = Callable[[Setup], Iterable[Any]]


@dataclass(frozen=True)
class Loader:
    """One candidate.

    Attributes:
        module: Module of this package that makes the loader.
        options: Keywords for the module's load().
        graph: Whether its batches are a tf.data.Dataset, consumed in a graph.
        against: Dataset of rowfeed that a user of this loader would change to.
        packages: What pip installs for it into an environment of its own; its figures
            name their versions. Empty: this project's test environment has all.
    """

    module: str
    options: Mapping[str, Any] = field(default_factory=dict)
    graph: bool = False
    against: str = "rowfeed"
    packages: tuple[str, ...] = ()

    @property
    def windows(self) -> int:
        """Number of windows that are shuffled side by side, by several workers."""
        return max(1, int(self.options.get("workers", 1)))

    def load(self) -> Open:
        """Imports what the loader needs."""
        opened: Open = self._module().load(**self.options)
        return opened

    def convert(self, setup: Setup) -> None:
        """Writes the files that it reads, unless it reads Parquet."""
        convert = getattr(self._module(), "convert", None)
        if convert is not None:
            convert(setup)

    def _module(self) -> Any:
        return importlib.import_module(f"{__name__}.{self.module}")


TORCH = "rowfeed.torch"
TENSORFLOW = "rowfeed.tensorflow"
HUGGING_FACE = ("datasets>=4",)
# The last pyarrow that has all that petastorm imports of it, and its NumPy.
PETASTORM = ("petastorm>=0.13", "pyarrow==14.*", "numpy<2")

LOADERS: Mapping[str, Loader] = MappingProxyType(
    {
        "rowfeed": Loader("own", {"face": ""}),
        TORCH: Loader("own", {"face": ".torch"}, against=TORCH),
        TENSORFLOW: Loader(
            "own", {"face": ".tensorflow"}, graph=True, against=TENSORFLOW
        ),
        "pyarrow + torch": Loader("by_hand", against=TORCH),
        "pyarrow + torch, 2 workers": Loader("by_hand", {"workers": 2}, against=TORCH),
        "pyarrow + torch, 2 workers, packed": Loader(
            "by_hand", {"workers": 2, "packed": True}, against=TORCH
        ),
        "tf.data from_generator": Loader(
            "from_generator", graph=True, against=TENSORFLOW
        ),
        "tf.data TFRecord": Loader("tfrecord", graph=True, against=TENSORFLOW),
        "HF datasets, streaming": Loader(
            "hugging_face", {"way": "streaming"}, packages=HUGGING_FACE
        ),
        "HF datasets, memory-mapped, buffered": Loader(
            "hugging_face", {"way": "buffered"}, packages=HUGGING_FACE
        ),
        "HF datasets, memory-mapped, any rows": Loader(
            "hugging_face", {"way": "mapped"}, packages=HUGGING_FACE
        ),
        "Grain, window shuffle": Loader("grain_parquet", packages=("grain",)),
        "mosaicml-streaming, 2 workers": Loader(
            "mosaicml", {"workers": 2}, against=TORCH, packages=("mosaicml-streaming",)
        ),
        "litData, 2 workers": Loader(
            "lit_data", {"workers": 2}, against=TORCH, packages=("litdata",)
        ),
        "Lance, windows": Loader(
            "lance_format", {"windows": True}, against=TORCH, packages=("pylance",)
        ),
        "Lance, any rows": Loader("lance_format", against=TORCH, packages=("pylance",)),
        "petastorm": Loader("petastorm_batches", against=TORCH, packages=PETASTORM),
        "petastorm, tf.data": Loader(
            "petastorm_batches",
            {"graph": True},
            graph=True,
            against=TENSORFLOW,
            packages=PETASTORM,
        ),
        "webdataset, 2 workers": Loader(
            "web_dataset", {"workers": 2}, against=TORCH, packages=("webdataset",)
        ),
        "Ray Data": Loader("ray_data", packages=("ray[data]",)),
    }
)
