# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""States: how the place of an iteration is written down, checked and taken up again.

A state is the same for every face. `form` checks one without any data; `state` checks
it against a dataset, and `mismatch` says how the two differ.
"""
