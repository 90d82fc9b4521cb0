# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Warnings of PyTorch's loaders that a test may cause."""

from __future__ import annotations

import pytest

# What DataLoader workers warn of where it is meant: ours, and those of torch.
LOADER_WARNINGS = [
    pytest.mark.filterwarnings("ignore:each of the"),
    pytest.mark.filterwarnings("ignore:This DataLoader will create"),  # Few CPUs.
    pytest.mark.filterwarnings("ignore:'set_vital' is deprecated"),  # In torchdata.
    # Python 3.12 warns of forking with threads, which torch's fork workers always do.
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]
