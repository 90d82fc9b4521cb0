# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Encodings that a writer may give the columns of a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

ENCODINGS = {
    "INT32": ["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"],
    "INT64": ["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"],
    "FLOAT": ["PLAIN", "BYTE_STREAM_SPLIT"],
    "DOUBLE": ["PLAIN", "BYTE_STREAM_SPLIT"],
    "BOOLEAN": ["PLAIN", "RLE"],
    "BYTE_ARRAY": ["PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"],
    "FIXED_LEN_BYTE_ARRAY": ["PLAIN", "DELTA_BYTE_ARRAY", "BYTE_STREAM_SPLIT"],
}


def encodings_of(path: Path, rng: np.random.Generator) -> dict[str, str]:
    """Any encoding that fits, for each leaf of a file."""
    schema = pq.ParquetFile(path).schema
    leaves = [schema.column(i) for i in range(len(schema))]
    return {
        leaf.path: str(rng.choice(ENCODINGS.get(leaf.physical_type, ["PLAIN"])))
        for leaf in leaves
    }
