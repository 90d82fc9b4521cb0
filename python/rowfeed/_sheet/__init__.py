# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The form in which objects show themselves to people: a few lines of text, or a table.

This room knows how lines look, and not what they say. Each object says what it is as a
`Sheet`; the room `_look` makes the sheet of the datasets of all frameworks.
"""
