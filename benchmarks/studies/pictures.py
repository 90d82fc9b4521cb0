# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures per second: JPEG columns decoded in threads, and in processes.

JPEGs of 256 x 256 pixels with a label, 256 a row group, are shuffled in windows of four
row groups and delivered as [64, 256, 256, 3] tensors of uint8. Every candidate decodes
with simplejpeg, straight into the batch:

* rowfeed: `transform` of rowfeed.torch, with one and with two threads.
* loop: the plain iteration of rowfeed.torch, decoded by its consumer.
* DataLoader: what one writes oneself. Two worker processes, each of which reads its
  windows with pyarrow (a thread reads the next one meanwhile), permutes the rows,
  decodes, and sends whole batches through shared memory.

*ratio* is to the DataLoader, within a round; the median over rounds.

    python -m benchmarks.studies.pictures --data DIR        # pip install simplejpeg
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from benchmarks.command import command_line, forwarded, publish
from benchmarks.datasets import Dataset
from benchmarks.harness import (
    Epoch,
    Row,
    Sample,
    count,
    measure,
    print_result,
    time_epochs,
)
from benchmarks.peers.loaders import ENDLESS, Setup
from benchmarks.peers.loaders.by_hand import shuffled_batches

SIZE = 256
NUM_GROUPS, GROUP_ROWS = 16, 256
BATCH = 64
PROCESSES = "DataLoader, 2 workers"


def main() -> None:
    """Runs the benchmark or, with --child, one measurement of it."""
    options = command_line(__doc__, rounds=7).parse_args()
    path = prepare(options.data)
    if options.child:
        start = CANDIDATES[options.names[0]]
        print_result(time_epochs(lambda: start(path), min_epochs=2, min_seconds=2))
        return
    data = forwarded(options)
    rows = report(dict(measure({n: [n, *data] for n in CANDIDATES}, options.rounds)))
    publish("pictures", rows)


def report(samples: Mapping[str, list[Sample]]) -> list[Row]:
    """Returns a line for each candidate, with its ratio to the DataLoader."""
    against = rates(samples[PROCESSES])
    return [
        {
            "candidate": name,
            "pictures_per_s": round(median(rates(found))),
            "low": round(min(rates(found))),
            "high": round(max(rates(found))),
            "ratio": median(a / b for a, b in zip(rates(found), against, strict=True)),
        }
        for name, found in samples.items()
    ]


def rates(samples: list[Sample]) -> list[float]:
    """Returns the pictures per second of each round."""
    return [sample.rows / median(sample.epoch_s) for sample in samples]


def prepare(folder: Path) -> Path:
    """Returns the file of pictures, and makes it if the folder has none."""
    import simplejpeg

    path = folder / f"pictures-{SIZE}-{NUM_GROUPS * GROUP_ROWS}.parquet"
    if path.exists():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(0)
    jpegs = []
    for _ in range(NUM_GROUPS * GROUP_ROWS):  # Smooth with noise: about 20 KB.
        coarse = random.integers(0, 256, (SIZE // 16, SIZE // 16, 3), np.uint8)
        picture = np.kron(coarse, np.ones((16, 16, 1), np.uint8)) // 2
        picture += random.integers(0, 24, picture.shape, np.uint8)
        jpegs.append(simplejpeg.encode_jpeg(picture, quality=85))
    table = pa.table(
        {"jpeg": pa.array(jpegs, pa.binary()), "label": np.arange(len(jpegs)) % 1000}
    )
    unfinished = path.with_suffix(".unfinished")
    pq.write_table(
        table,
        unfinished,
        row_group_size=GROUP_ROWS,
        compression="none",
        use_dictionary=["label"],
    )
    unfinished.rename(path)
    return path


def decode(jpegs: Iterator[Any], rows: int) -> Any:
    """Returns the pictures of a batch as one array."""
    import simplejpeg

    pictures = np.empty((rows, SIZE, SIZE, 3), np.uint8)
    for picture, jpeg in zip(pictures, jpegs, strict=True):
        simplejpeg.decode_jpeg(jpeg, buffer=picture)
    return pictures


def decoded(batch: dict[str, Any]) -> dict[str, Any]:
    """Returns the batch with its pictures decoded: a transform for rowfeed.torch."""
    import torch

    jpegs = batch.pop("jpeg")
    batch["picture"] = torch.from_numpy(decode(iter(jpegs), len(jpegs)))
    return batch


def rowfeed(path: Path, transform: Any, num_threads: int) -> Iterator[dict[str, Any]]:
    """Opens the pictures with rowfeed.torch."""
    from rowfeed.torch import ParquetDataset

    return iter(
        ParquetDataset(
            path,
            BATCH,
            shuffle=True,
            shuffle_window=4 * GROUP_ROWS,
            num_epochs=ENDLESS,
            num_threads=num_threads,
            transform=transform,
        )
    )


def data_loader(path: Path, workers: int) -> Iterator[dict[str, Any]]:
    """Opens the pictures with pyarrow in the workers of a DataLoader."""
    import torch
    from torch.utils.data import DataLoader, IterableDataset, get_worker_info

    dataset = Dataset("pictures", lambda *_: None, GROUP_ROWS, 0, batch_size=BATCH)
    setup = Setup(path, dataset, path.parent, workers)

    class Batches(IterableDataset):  # type: ignore[misc,type-arg]
        def __iter__(self) -> Iterator[Any]:
            info = get_worker_info()
            for batch in shuffled_batches(setup, info.id, info.num_workers):
                pictures = decode(iter(batch["jpeg"]), len(batch["jpeg"]))
                label = torch.from_numpy(batch["label"])
                yield {"picture": torch.from_numpy(pictures), "label": label}

    return iter(DataLoader(Batches(), batch_size=None, num_workers=workers))


def epochs(batches: Iterator[dict[str, Any]]) -> Epoch:
    """Returns a function that consumes the next epoch of an endless iteration."""

    def parts() -> Iterator[tuple[int, int]]:
        for batch in islice(batches, NUM_GROUPS * GROUP_ROWS // BATCH):
            picture = batch["picture"]
            if picture.shape != (BATCH, SIZE, SIZE, 3):
                raise RuntimeError(f"{picture.shape} are not the pictures of a batch")
            yield len(picture), picture.numel()

    return lambda: count(parts())


Start = Callable[[Path], Epoch]
CANDIDATES: Mapping[str, Start] = MappingProxyType(
    {
        "rowfeed, 2 threads": lambda path: epochs(rowfeed(path, decoded, 2)),
        "rowfeed, 1 thread": lambda path: epochs(rowfeed(path, decoded, 1)),
        "loop": lambda path: epochs(map(decoded, rowfeed(path, None, 2))),
        PROCESSES: lambda path: epochs(data_loader(path, 2)),
    }
)

if __name__ == "__main__":
    main()
