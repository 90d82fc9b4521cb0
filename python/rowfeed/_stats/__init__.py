# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics of loading: what the kernel counted, as numbers and as advice.

The public names are in `rowfeed.stats`.
"""
