# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Rows of Parquet, shuffled, sharded and resumable, as tensors.

`ParquetDataset` here yields NumPy arrays; `rowfeed.torch.ParquetDataset` and
`rowfeed.tensorflow.ParquetDataset` have the same keywords and the same order of rows.
`ParquetMapDataset`, here and in `rowfeed.torch`, has rows by index. Importing `rowfeed`
loads neither framework.
"""

from rowfeed._versions import VERSION as __version__
from rowfeed.catalog import Catalog
from rowfeed.features import Column, Padded
from rowfeed.map_dataset import ParquetMapDataset
from rowfeed.mixture import mix
from rowfeed.numpy_dataset import ParquetDataset
from rowfeed.ragged import Ragged
from rowfeed.sample_writer import SampleWriter
from rowfeed.stack import Stack
from rowfeed.string_encodings import HashBuckets, Vocabulary

__all__ = [
    "Catalog",
    "Column",
    "HashBuckets",
    "Padded",
    "ParquetDataset",
    "ParquetMapDataset",
    "Ragged",
    "SampleWriter",
    "Stack",
    "Vocabulary",
    "__version__",
    "mix",
]
