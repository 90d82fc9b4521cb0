# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Small files of other people, which lie beside the checkout and not in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from repository import ROOT

SHARED = ROOT.parent / "shared"


def stranger(name: str) -> Path:
    """Returns the path of a file that others wrote; skips the test if it is absent."""
    return beside("strangers", name)


def parquet_testing(name: str) -> Path:
    """Returns the path of a file of apache/parquet-testing; skips if it is absent."""
    return beside("parquet-testing", name)


def beside(folder: str, name: str) -> Path:
    root = SHARED / folder
    if not root.is_dir():
        pytest.skip(f"no folder {folder} lies beside the checkout")
    # The nearest, where folders below have one of the same name.
    return min(root.rglob(name), key=lambda path: len(path.parts))
