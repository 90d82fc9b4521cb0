# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What PyTorch's face makes of the kernel's batches."""

from __future__ import annotations

from typing import Any

import torch

from rowfeed.elements import Elements


class TorchElements(Elements):
    """Makes elements of tensors, without a copy."""

    _tensor = staticmethod(torch.from_numpy)

    @staticmethod
    def _bfloat16(array: Any) -> Any:
        return torch.from_numpy(array).view(torch.bfloat16)

    @staticmethod
    def _weight(valid: Any) -> Any:
        return valid.to(torch.float32)
