# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Iterating: datasets that stream batches, for NumPy and as the base of PyTorch's.

`dataset` holds the parameters of a dataset and its place, `iteration` is one pass over
it, and `transform_threads` runs the user's function ahead of the consumer.
"""
