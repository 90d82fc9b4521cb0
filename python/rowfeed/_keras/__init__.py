# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The private modules of `rowfeed.keras`: callbacks, inputs and exact losses.

They may import Keras and TensorFlow, so `rowfeed.keras` imports each of them only when
one of its names is asked for.
"""
