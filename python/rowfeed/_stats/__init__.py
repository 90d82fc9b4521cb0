# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics of loading: the kernel's counts as numbers, and as advice in words.

Users import these names from `rowfeed.stats`.
"""
