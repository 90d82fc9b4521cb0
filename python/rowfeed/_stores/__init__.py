# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""File systems and their options as other libraries have them, made into URIs.

The kernel reads by URIs alone. These modules know nothing of data: they make a path of
a user into a URI that means the same.
"""
