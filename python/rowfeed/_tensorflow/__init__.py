# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What stands behind `rowfeed.tensorflow`.

This room loads the op library, writes what the graph holds, and reads data that only
TensorFlow's file systems reach. Its modules may import TensorFlow.
"""
