# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What all tests have: Hypothesis's profile and a small data set."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from numbered_rows import GROUP_ROWS, write_numbers

# The machine is small and shared: no test may fail because it was slow.
settings.register_profile("rowfeed", deadline=None, max_examples=60)
settings.load_profile("rowfeed")


@pytest.fixture(scope="session")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of NUM_ROWS rows in three files."""
    return write_numbers(tmp_path_factory.mktemp("numbers"), GROUP_ROWS)
