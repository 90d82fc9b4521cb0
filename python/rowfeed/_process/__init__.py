# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The process that rowfeed runs in: its CPUs, its memory and its callers.

These modules know nothing of data. All others may import them.
"""
