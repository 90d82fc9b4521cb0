# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of the TensorFlow face have in common."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
from absl import flags

from rowfeed.tensorflow import ParquetDataset

# Two devices for a strategy to mirror on. TensorFlow takes this before it begins, so it
# is said while pytest collects the tests.
tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0],
    [tf.config.LogicalDeviceConfiguration()] * 2,
)
flags.FLAGS.mark_as_parsed()  # TensorFlow's test bases expect that.

SHUFFLED: dict[str, Any] = {
    "shuffle": True,
    "seed": 7,
    "shuffle_window": 100,
    "block_rows": 20,
    "num_threads": 2,
}


def make(path: Any, batch_size: int | None = 16, **keywords: Any) -> ParquetDataset:
    """Returns a shuffled dataset of the ids that `write_numbers` wrote."""
    return ParquetDataset(
        path, batch_size, **{"columns": ["id"], **SHUFFLED, **keywords}
    )


def ids(dataset: Any) -> list[int]:
    """Returns the ids of one iteration, in order."""
    return [int(i) for batch in dataset for i in id_of(batch).numpy().ravel()]


def id_of(batch: Any) -> Any:
    """Returns the ids of an element, whatever it is made of."""
    while isinstance(batch, tuple):
        batch = batch[0]
    return batch["id"] if isinstance(batch, dict) else batch
