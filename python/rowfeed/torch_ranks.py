# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How the ranks of a process group of PyTorch meet: in the store of the group."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar, Final

import torch.distributed

from rowfeed.agreement import Agreement
from rowfeed.store_wait import Store

_CONNECT_S: Final = 60
_stores: Any = torch.distributed  # It does not say that it exports them.


@dataclass(frozen=True, kw_only=True)
class GroupAgreement(Agreement):
    """How a dataset meets those of the other ranks of a process group. It pickles.

    Attributes:
        address: Of the group's store: (host, port), or (path,) of its file.
    """

    address: tuple[str, int] | tuple[str]
    has_copies: ClassVar[bool] = True
    advice: ClassVar[str] = (
        "begin to iterate the dataset. All ranks must make the same datasets in the "
        "same order and iterate each of them. A dataset that only some ranks iterate "
        "needs rank=0, world_size=1; Accelerate with dispatch_batches=True, its "
        "default for an IterableDataset, iterates on rank 0 only. "
        "batch_at(epoch, step) returns one batch and waits for nobody"
    )

    @classmethod
    def of_group(cls) -> GroupAgreement | None:
        """Returns that of one more dataset of the default process group.

        The n-th dataset of a rank meets the n-th of each other rank. None if there is
        nobody to meet, or if the group's store cannot be reached from elsewhere.
        """
        from torch.distributed import distributed_c10d  # Not in every build of torch.

        rank = torch.distributed.get_rank()
        world_size = torch.distributed.get_world_size()
        if world_size == 1:
            return None
        store: Any = distributed_c10d._get_default_store()
        address = _address(store)
        if address is None:
            return None
        timeout = getattr(store, "timeout", distributed_c10d.default_pg_timeout)
        # A store may outlive a group, and with it what an earlier one wrote.
        group = store.compare_set("rowfeed/group", "", uuid.uuid4().hex).decode()
        number = store.add(f"rowfeed/datasets of rank {rank}", 1)
        return cls(
            key=f"rowfeed/{group}/{number}",
            rank=rank,
            world_size=world_size,
            timeout_s=timeout.total_seconds(),
            address=address,
        )

    def connect(self) -> Store:
        """Returns a connection of our own: the group's may be in use, or forked."""
        store: Store
        if len(self.address) == 1:
            store = _stores.FileStore(self.address[0])
            return store
        host, port = self.address
        timeout = timedelta(seconds=min(_CONNECT_S, self.timeout_s))
        store = _stores.TCPStore(host, port, timeout=timeout, wait_for_workers=False)
        return store


def _address(store: Any) -> tuple[str, int] | tuple[str] | None:
    while isinstance(store, _stores.PrefixStore):
        store = store.underlying_store
    if isinstance(store, _stores.TCPStore):
        return store.host, store.port
    if isinstance(store, _stores.FileStore):
        return (store.path,)
    return None
