# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The files of a data set: how they are found, listed, described and compared.

The public `Catalog` is in `catalog`. A catalog is an immutable value, and this room
imports nothing that reads rows.
"""
