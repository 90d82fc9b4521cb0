# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Rows of Parquet, shuffled, sharded and resumable, as tensors.

`ParquetDataset` here yields NumPy arrays; `rowfeed.torch.ParquetDataset` and
`rowfeed.tensorflow.ParquetDataset` have the same keywords and the same order of rows.
`ParquetMapDataset`, here and in `rowfeed.torch`, returns rows by index. Importing
`rowfeed` imports neither PyTorch nor TensorFlow.
"""

from rowfeed._catalog.catalog import Catalog
from rowfeed._catalog.split import Split
from rowfeed._columns.arrow import to_pyarrow
from rowfeed._columns.column import Column, Padded
from rowfeed._columns.ragged import Ragged
from rowfeed._columns.stack import Stack
from rowfeed._columns.string_encodings import HashBuckets, Vocabulary
from rowfeed._mix.mix import mix
from rowfeed._options.transform import StepInfo
from rowfeed._process.caller_warnings import (
    DataWarning,
    PerformanceWarning,
    StateWarning,
)
from rowfeed._process.moved_modules import keep_old_names as _keep_old_names
from rowfeed._process.public_names import name_methods as _name_methods
from rowfeed._process.public_names import publish as _publish
from rowfeed._process.show_versions import show_versions
from rowfeed._stream.iteration import Iteration as _Iteration
from rowfeed._stream.numpy_dataset import ParquetDataset
from rowfeed._take.map_dataset import ParquetMapDataset
from rowfeed._take.map_dataset import take_rows as _take_rows
from rowfeed._take.vocabulary import distinct_values as _distinct_values
from rowfeed._versions import VERSION as __version__
from rowfeed._write.sample_writer import SampleWriter

__all__ = [
    "Catalog",
    "Column",
    "DataWarning",
    "HashBuckets",
    "Padded",
    "ParquetDataset",
    "ParquetMapDataset",
    "PerformanceWarning",
    "Ragged",
    "SampleWriter",
    "Split",
    "Stack",
    "StateWarning",
    "StepInfo",
    "Vocabulary",
    "__version__",
    "mix",
    "show_versions",
    "to_pyarrow",
]

Catalog._take_rows, Catalog._distinct_values = _take_rows, _distinct_values
_publish(__name__, *(globals()[_name] for _name in __all__ if _name[0] != "_"))
_name_methods(_Iteration, "iter(dataset)")
_keep_old_names()
