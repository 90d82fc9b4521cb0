# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Moves elements, which are tensors in dicts and tuples, to a device."""

from __future__ import annotations

from typing import Any

import torch


def moved(element: Any, device: torch.device) -> Any:
    """Returns an element whose tensors and `Ragged` are on a device.

    Other values, which a `transform` may return, stay as they are.
    """
    if isinstance(element, tuple):
        return tuple(moved(part, device) for part in element)
    if isinstance(element, dict):
        return {name: moved(part, device) for name, part in element.items()}
    if hasattr(element, "to"):
        return element.to(device, non_blocking=True)
    return element
