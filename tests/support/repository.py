# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Folders of the repository in which the tests lie."""

from __future__ import annotations

from pathlib import Path

SUPPORT = Path(__file__).resolve().parent  # The modules that tests share.
ROOT = SUPPORT.parents[1]
