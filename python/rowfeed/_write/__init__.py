# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Writing: a data set that grows while it is trained on.

`sample_writer` has the public `SampleWriter`. Files appear when they are complete, and
the oldest ones go when the directory is full.
"""
