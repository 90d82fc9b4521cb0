# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How batches get onto a CUDA device: each in one copy, beside what it computes.

A copy from pinned memory does not hold up the caller, and one of a whole batch costs no
more calls than one of a column. PyTorch's allocators take care that no memory is used
again before the copy from it, or the work on it, is over.
"""

from __future__ import annotations

import functools

import torch

from rowfeed._native import core


def named(device: object) -> str | None:
    """Returns the name of a CUDA device that there is; None for that of the host.

    Raises:
        TypeError: `device` is no string, index or torch.device.
        ValueError: There is no such device, or it is of another type.
    """
    if isinstance(device, bool) or not isinstance(device, (str, int, torch.device)):
        raise TypeError(f"device must be a str or a torch.device, not {device!r}")
    try:
        found = torch.device(device)
    except RuntimeError as error:
        raise ValueError(f"device={device!r}: {error}") from error
    if found.type == "cpu":
        return None
    if found.type != "cuda":
        raise ValueError(f"device must be a CUDA device or the CPU, not {device!r}")
    if (found.index or 0) >= torch.cuda.device_count():
        raise ValueError(
            f"device={device!r}: PyTorch {torch.__version__} sees "
            f"{torch.cuda.device_count()} CUDA devices"
        )
    return str(found)


def on_device(batch: core.PackedBatch, name: str) -> core.Batch:
    """Returns a batch's tensors on a CUDA device, ready for its current stream."""
    device = torch.device(name)
    if device.index is None:
        device = torch.device("cuda", torch.cuda.current_device())
    pinned = torch.empty(batch.num_bytes, dtype=torch.uint8, pin_memory=True)
    batch.copy_to(pinned.data_ptr())
    copying, computing = _copying(device), torch.cuda.current_stream(device)
    with torch.cuda.stream(copying):
        arena = pinned.to(device, non_blocking=True)
    computing.wait_stream(copying)
    arena.record_stream(computing)
    return batch.tensors_in(arena)


@functools.cache
def _copying(device: torch.device) -> torch.cuda.Stream:
    """The stream of all copies to a device, so that they do not wait for its work."""
    return torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
