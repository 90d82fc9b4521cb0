# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""States: how the place of an iteration is saved, checked and restored.

A state is the same in NumPy, PyTorch and TensorFlow. `form` checks the fields of a
state by themselves; `state` checks it against a dataset, and `mismatch` says how the
two differ.
"""
