# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How the ranks of a PyTorch process group meet: in the group's key-value store."""

from __future__ import annotations

import contextlib
import json
import os
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar, Final

import torch.distributed

from rowfeed._options.parameters import Parameters
from rowfeed._ranks.agreement import Agreement
from rowfeed._ranks.plans import difference, named, plan_of
from rowfeed._ranks.store_wait import Store

_CONNECT_S: Final = 60
_COUNTED: Final = "counted"  # A field beside a plan: whether its rank knows all counts.
_stores: Any = torch.distributed  # Its types do not declare the stores, so Any.
# Connections by process id and address, since a connection cannot be used after a fork.
_connections: dict[tuple[int, tuple[Any, ...]], Any] = {}


@dataclass(frozen=True, kw_only=True)
class GroupAgreement(Agreement):
    """How a dataset meets those of the other ranks of a process group.

    It can be pickled, so that workers can meet the other ranks.

    Attributes:
        address: Address of the group's store: (host, port), or (path,) of its file.
    """

    address: tuple[str, int] | tuple[str]
    has_copies: ClassVar[bool] = True
    what: ClassVar[str] = "begin to iterate the dataset"
    advice: ClassVar[str] = (
        "All ranks must make the same datasets in the same order, by which they are "
        "numbered, and iterate them in the same order. A dataset that only some ranks "
        "iterate needs rank=0, world_size=1; Accelerate with dispatch_batches=True, "
        "its default for an IterableDataset, iterates on rank 0 only. "
        "peek() and batch_at(epoch, step) return one batch and wait for nobody"
    )

    @classmethod
    def of_group(cls) -> GroupAgreement | None:
        """Returns the agreement for one more dataset of the default process group.

        The n-th dataset of a rank meets the n-th dataset of each other rank. Returns
        None if there is only one rank, or if the group's store has no address by which
        a new connection can reach it.
        """
        # The import is here, since some builds of PyTorch lack the module.
        from torch.distributed import distributed_c10d

        rank = torch.distributed.get_rank()
        world_size = torch.distributed.get_world_size()
        if world_size == 1:
            return None
        store: Any = distributed_c10d._get_default_store()
        address = _address(store)
        if address is None:
            return None
        timeout = getattr(store, "timeout", distributed_c10d.default_pg_timeout)
        # A store may outlive a group. A random name for the group keeps its keys apart
        # from those of an earlier one.
        group = store.compare_set("rowfeed/group", "", uuid.uuid4().hex).decode()
        number = store.add(f"rowfeed/datasets of rank {rank}", 1)
        return cls(
            key=f"rowfeed/{group}/{number}",
            rank=rank,
            world_size=world_size,
            timeout_s=timeout.total_seconds(),
            address=address,
        )

    def introduce(self, parameters: Parameters) -> None:
        """Writes the plan of the new dataset for the other ranks; waits for nobody."""
        is_counted = all(rows.is_known for rows in parameters.epochs.countable)
        self._tell({**plan_of(parameters, None), _COUNTED: is_counted})

    def refuse(self, error: BaseException) -> None:
        """Tells the other ranks that this one could not make its dataset."""
        with contextlib.suppress(RuntimeError):  # The caller raises `error` anyway.
            self._tell({"error": f"{type(error).__name__}: {error}"})

    def _tell(self, plan: Mapping[str, Any]) -> None:
        """Writes this rank's plan or error; the last rank to write compares all."""
        store: Any = self.connect()
        store.set(self._made_by(self.rank), json.dumps(plan))
        if store.add(f"{self.key}/made", 1) != self.world_size:
            return
        keys = [self._made_by(rank) for rank in range(self.world_size)]
        plans = [json.loads(store.get(key)) for key in keys]
        counted = [plan.pop(_COUNTED, True) for plan in plans]
        verdict = {"difference": difference(plans), "counts": not all(counted)}
        store.set(self._made, json.dumps(verdict))
        for key in keys:
            store.delete_key(key)

    def counts_rows(
        self,
        is_abandoned: Callable[[], bool],
        place: Callable[[], str] | None = None,
    ) -> bool:
        """Returns whether the ranks must count together the rows that a filter passes.

        Waits until all ranks have made the dataset; none needs to iterate for it.

        Args:
            is_abandoned: Function that tells whether to give up waiting.
            place: Function that returns where this rank stands, as text for messages.

        Raises:
            ValueError: The plans differ, or a rank could not make its dataset. Every
                rank raises it, with one message that names the first such field.
            TimeoutError: A rank did not make the dataset in time.
        """
        store = self.connect()

        def absent() -> str:
            ranks = range(self.world_size)
            return named([r for r in ranks if not store.check([self._made_by(r)])])

        wait = self._wait(store, is_abandoned, place, "make the dataset")
        found = wait.get(self._made, absent)
        verdict: dict[str, Any] = json.loads(found)
        if verdict["difference"]:
            raise ValueError(verdict["difference"])
        counts: bool = verdict["counts"]
        return counts

    @property
    def _made(self) -> str:
        return f"{self.key}/made by all"

    def _made_by(self, rank: int) -> str:
        return f"{self.key}/made by {rank}"

    def connect(self) -> Store:
        """Returns a connection to the group's store that only rowfeed uses.

        The group's own connection may be in use by another thread, or forked.
        """
        key = os.getpid(), self.address
        if key not in _connections:
            _connections[key] = self._connected()
        store: Store = _connections[key]
        return store

    def _connected(self) -> Any:
        if len(self.address) == 1:
            return _stores.FileStore(self.address[0])
        host, port = self.address
        timeout = timedelta(seconds=min(_CONNECT_S, self.timeout_s))
        return _stores.TCPStore(host, port, timeout=timeout, wait_for_workers=False)


def _address(store: Any) -> tuple[str, int] | tuple[str] | None:
    while isinstance(store, _stores.PrefixStore):
        store = store.underlying_store
    if isinstance(store, _stores.TCPStore):
        return store.host, store.port
    if isinstance(store, _stores.FileStore):
        return (store.path,)
    return None
