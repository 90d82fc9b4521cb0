# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How batches get onto a CUDA device: each in one copy, beside what it computes.

A copy from pinned memory does not hold up the caller, and one of a whole batch costs no
more calls than one of a column. PyTorch's allocators take care that pinned memory is
not used again before the copy from it is over, nor a batch's on the device before the
work is that the stream it was delivered to had been given when the batch was dropped.
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
    """Stands before a stream that packs: gives its batches on a CUDA device.

    A batch that could not be copied there is not lost: it is what comes next, and until
    then this stands before it.
    """

    def __init__(self, stream: core.BatchStream, name: str) -> None:
        """Takes the device of this name: "cuda" is the one that is current now."""
        self._stream = stream
        self._device = indexed(name)
        self._batch: core.PackedBatch | None = None  # On its way,
        self._before: core.Progress | None = None  # and where it stood before.

    @property
    def progress(self) -> core.Progress:
        """Behind the last batch delivered."""
        return self._before or self._stream.progress

    @property
    def next_epoch(self) -> int:
        """That of `progress`."""
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
            if self._batch is batch:  # Else a signal handler has taken it.
                self._batch = self._before = None
                return tensors

    def restore(self, progress: core.Progress) -> None:
        """Goes on from `progress`."""
        self._batch = self._before = None
        self._stream.restore(progress)

    def close(self) -> None:
        """Ends a `next` that waits."""
        self._stream.close()


def indexed(name: str) -> torch.device:
    """Returns the device, with its index."""
    device = torch.device(name)
    if device.index is not None:
        return device
    return torch.device(device.type, torch.cuda.current_device())


def on_device(batch: core.PackedBatch, device: torch.device) -> core.Batch:
    """Returns a batch's tensors on a CUDA device, ready for its current stream."""
    size = batch.num_bytes
    # The user's default device may be another.
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
    """The stream of all copies to a device, so that they do not wait for its work."""
    return torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
