# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Delivers batches on a CUDA device: each in one copy, while the device computes.

A copy from pinned memory does not make the caller wait, and copying a whole batch takes
no more calls than copying a column. PyTorch's allocators take care of reuse. Pinned
memory is not used again before the copy from it has ended. A batch's memory on the
device is not used again before the device has done all work that the receiving CUDA
stream was given until the batch was dropped.
"""

from __future__ import annotations

import functools

import torch

from rowfeed._native import core


def named(device: object) -> str | None:
    """Returns the name of a CUDA device, after checks; None for the CPU.

    Raises:
        TypeError: `device` is no string, index or torch.device.
        ValueError: The device does not exist, or it is neither a CUDA device nor the
            CPU.
    """
    if isinstance(device, bool) or not isinstance(device, (str, int, torch.device)):
        raise TypeError(
            f"device must be a str, an int or a torch.device, not {device!r}"
        )
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


class DeviceStream:
    """A stream of batches on a CUDA device, made from a stream of packed batches.

    If copying a batch to the device fails, the batch is not lost: `progress` stays
    before it, and the next call of `next` copies it again.
    """

    def __init__(self, stream: core.BatchStream, name: str) -> None:
        """Makes the stream; the name "cuda" means the device that is current now."""
        self._stream = stream
        self._device = indexed(name)
        # The batch that is being copied, and the place before it.
        self._batch: core.PackedBatch | None = None
        self._before: core.Progress | None = None

    @property
    def progress(self) -> core.Progress:
        """Place after the last batch delivered."""
        return self._before or self._stream.progress

    @property
    def next_epoch(self) -> int:
        """Epoch that follows the one of `progress`."""
        return self._stream.next_epoch

    def next(self) -> core.Batch | None:
        """Returns the next batch, or None at the end."""
        while True:
            batch = self._batch
            if batch is None:
                before = self._stream.progress
                batch = self._stream.next()
                if batch is None:
                    return None
                self._before, self._batch = before, batch
            tensors = on_device(batch, self._device)
            if self._batch is batch:  # Else a signal handler has delivered it.
                self._batch = self._before = None
                return tensors

    def restore(self, progress: core.Progress) -> None:
        """Makes `progress` the place of the next batch."""
        self._batch = self._before = None
        self._stream.restore(progress)

    def close(self) -> None:
        """Closes the stream, so that a `next` that waits ends."""
        self._stream.close()


def indexed(name: str) -> torch.device:
    """Returns a device with its index; without one, that of the current device."""
    device = torch.device(name)
    if device.index is not None:
        return device
    return torch.device(device.type, torch.cuda.current_device())


def on_device(batch: core.PackedBatch, device: torch.device) -> core.Batch:
    """Copies a batch to a CUDA device and returns its tensors.

    Work of the device's current CUDA stream can use them: it waits for the copy.
    """
    size = batch.num_bytes
    # The device is named here, since the user may have set another default device.
    pinned = torch.empty(size, dtype=torch.uint8, device="cpu", pin_memory=True)
    batch.copy_to(pinned.data_ptr())
    copying, computing = _copying(device), torch.cuda.current_stream(device)
    with torch.cuda.stream(copying):
        arena = pinned.to(device, non_blocking=True)
    computing.wait_stream(copying)
    arena.record_stream(computing)
    return batch.tensors_in(arena)


@functools.cache
def _copying(device: torch.device) -> torch.cuda.Stream:
    """Returns the CUDA stream for copies to a device, which run beside its work."""
    return torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
