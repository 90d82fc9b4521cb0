# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Rows by index, and what else is read of a catalog at once.

`map_dataset` has the public `ParquetMapDataset`; `vocabulary` reads the distinct values
of a column.
"""
