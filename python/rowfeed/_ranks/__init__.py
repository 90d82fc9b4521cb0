# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Ranks: how the processes of one training agree on what they read.

They compare their plans and count filtered rows together in a store that all of them
reach. The rooms of the frameworks say which store that is.
"""
