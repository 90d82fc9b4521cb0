# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Columns and elements: what users ask of a column, and how columns make up an element.

`column`, `stack` and `string_encodings` hold the public `Column`, `Stack` and
`Vocabulary`; `ragged` holds the arrays of rows that differ in length; `layout` arranges
the outputs of the kernel. This room reads no files.
"""
