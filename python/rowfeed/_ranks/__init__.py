# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Ranks: how the processes of one training agree on what they read.

The ranks compare their plans, and count filtered rows together, through a key-value
store that all of them reach. `_torch` and `_tensorflow` say which store that is.
"""
