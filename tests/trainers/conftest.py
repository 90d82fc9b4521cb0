# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of trainers leave behind in their process."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def without_accelerate() -> Iterator[None]:
    """Ends Accelerate after a test, so that the next loaders are not in its program."""
    yield
    states = sys.modules.get("accelerate.state")
    if states is not None:
        states.AcceleratorState._reset_state(reset_partial_state=True)
        states.GradientState._reset_state()
