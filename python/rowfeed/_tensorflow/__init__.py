# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The private modules of `rowfeed.tensorflow`.

They load the op library, and make the dataset's op with the attributes that the graph
holds. They may import TensorFlow.
"""
