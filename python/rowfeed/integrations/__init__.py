# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Trainers and libraries that rowfeed's datasets go into, a module for each."""
