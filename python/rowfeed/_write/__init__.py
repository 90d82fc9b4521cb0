# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Writing a data set that grows while others train on it.

`sample_writer` has the public `SampleWriter`. A file gets the name that readers see
when it is complete, and the oldest files are removed when the directory is full.
"""
