# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The keywords of datasets: what users gave, and what it comes to for their data.

`keywords` has the one list of keywords, `options` checks what was given, and `resolve`
makes the immutable `Resolved` of it, which all faces share.
"""
