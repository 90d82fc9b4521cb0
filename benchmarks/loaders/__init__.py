# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What peers.py measures: rowfeed's faces, and what a user would write or pick instead.

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

from datasets import Dataset

WINDOW_GROUPS = 4  # Row groups of a window of those that shuffle whole row groups.
ENDLESS = 10**6  # More epochs than anybody waits for.
FORMAT = 2  # Of what convert() writes: raise it with any change to that.


@dataclass(frozen=True)
class Setup:
    """What a loader is asked to load.

    Attributes:
        path: The Parquet file.
        dataset: How it is to be batched and shuffled.
        folder: Where converted data and caches may lie.
        threads: How many threads or processes should work.
        epochs: How often the rows are to come.
    """

    path: Path
    dataset: Dataset
    folder: Path
    threads: int
    epochs: int = ENDLESS

    @property
    def buffer_rows(self) -> int:
        """Rows of a shuffle buffer: as many as rowfeed has in a window."""
        return self.dataset.order["shuffle_window"]

    @property
    def window_rows(self) -> int:
        """Rows of the largest window: whole row groups, or rowfeed's."""
        return max(self.buffer_rows, WINDOW_GROUPS * self.dataset.group_rows)

    def converted(self, kind: str) -> Path:
        """Returns the folder for the same rows in another format."""
        return self.folder / f"{self.path.stem}-{kind}-v{FORMAT}"


Open: TypeAlias = Callable[[Setup], Iterable[Any]]


@dataclass(frozen=True)
class Loader:
    """One candidate.

    Attributes:
        module: The module of this package that makes it.
        options: Keywords of the module's load().
        graph: Whether its batches are a tf.data.Dataset, consumed in a graph.
        against: The face of rowfeed that a user of it would change to.
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
        """Windows that are shuffled side by side, so that bursts come from all."""
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
# The last pyarrow with what petastorm imports of it, and the NumPy of that.
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
