# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What stands behind `rowfeed.keras`: callbacks, inputs and the loss of padded rows.

Modules of this room may import Keras and TensorFlow, so `rowfeed.keras` imports each of
them only when one of its names is asked for.
"""
