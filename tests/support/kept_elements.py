# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Steps of tf.data that keep elements on disk, for test_tensorflow_kept.py.

    python kept_elements.py STEP DATA FOLDER

prints the ids of three epochs as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tf_numbers import ids, make

KEPT: dict[str, Callable[[Any, Path], Any]] = {
    "cache": lambda dataset, path: dataset.cache(str(path / "cache")),
    "snapshot": lambda dataset, path: dataset.snapshot(str(path / "snapshot")),
    "cache_of_map": lambda dataset, path: (
        dataset.map(lambda x: x["id"]).cache(str(path / "cache")).prefetch(2)
    ),
    "cache_of_rows": lambda dataset, path: (
        dataset.unbatch().cache(str(path / "cache")).shuffle(10).batch(7)
    ),
}


def epochs_of(name: str, data: Path, path: Path) -> list[list[int]]:
    dataset = KEPT[name](make(data), path)
    return [ids(dataset) for _ in range(3)]


if __name__ == "__main__":
    said = json.dumps(epochs_of(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])))
    sys.stdout.write(said)
