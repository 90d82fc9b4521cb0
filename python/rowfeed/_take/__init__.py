# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Reading without epochs: rows by index, and the distinct values of a column.

`map_dataset` has the public `ParquetMapDataset`; `vocabulary` reads the distinct values
of a column.
"""
