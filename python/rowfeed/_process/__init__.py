# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The process that rowfeed runs in: its CPUs, its memory and its callers.

This room knows nothing of data. All other rooms may import it.
"""
