# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What a loader asks Accelerate and tells it, in programs that use Accelerate."""

from __future__ import annotations

import sys
from typing import Any

import torch


def device_of_accelerate() -> torch.device | None:
    """Returns the device of Accelerate's process; None if Accelerate is not in use."""
    states = _states()
    if states is None or not states.PartialState._shared_state:
        return None
    device: torch.device = states.PartialState().device
    return device


def gradient_state() -> Any:
    """Returns the object to which loaders tell the ends of epochs.

    It is None if Accelerate is not in use.
    """
    states = _states()
    if states is None or not states.GradientState._shared_state:
        return None
    return states.GradientState()


def _states() -> Any:
    """Returns the module with Accelerate's states, if the program has imported it."""
    return sys.modules.get("accelerate.state")
