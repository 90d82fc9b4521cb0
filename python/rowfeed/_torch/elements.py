# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Makes elements of PyTorch tensors from the kernel's batches."""

from __future__ import annotations

from typing import Any

import torch

from rowfeed._native import core
from rowfeed._stream.elements import Elements, Maker
from rowfeed._torch.collate import row_of


def _exchange() -> object:
    found = getattr(torch.Tensor, "__dlpack_c_exchange_api__", None)
    return found if core.is_dlpack_exchange(found) else None


class TorchElements(Elements):
    """Makes elements of tensors that share the kernel's memory."""

    # PyTorch's table of C functions of DLPack, with which the kernel makes tensors in a
    # fraction of the time of `from_numpy`. Old versions of PyTorch have no such table.
    _dlpack_exchange = _exchange()
    _row_of = staticmethod(row_of)

    @property
    def _tensor(self) -> Maker | None:
        return torch.from_numpy if self._dlpack_exchange is None else None

    @staticmethod
    def _dtype(name: str) -> Any:
        return getattr(torch, name)

    def _of_bits(self, dtype: str) -> Maker | None:
        if self._dlpack_exchange is not None:
            return None
        return lambda bits: torch.from_numpy(bits).view(getattr(torch, dtype))

    @staticmethod
    def _weight(valid: Any) -> Any:
        return valid.to(torch.float32)
