# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""An object store with a slow and faulty network, which cases may read from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from faulty_proxy import FaultyProxy, Plan, every, no_fault
from s3_server import S3Server, serving

# What a fault of a file is in a store: requests that fail once in a while, which the
# reader repeats, or requests that are refused until the fault ends.
_NETWORK: dict[str, Plan] = {
    "cut": every(5, "cut"),
    "overwritten": every(5, "reset"),
    "flipped": every(4, "503"),
    "vanished": every(1, "403"),
}
REFUSED = "vanished"


class Store:
    """Buckets with the data sets of cases, behind a proxy."""

    def __init__(self, server: S3Server, proxy: FaultyProxy) -> None:
        self._server, self._proxy = server, proxy
        self._uris: dict[Path, str] = {}

    def uri_of(self, folder: Path) -> str:
        """Returns the URI of a bucket that has the files of a folder."""
        if folder not in self._uris:
            self._server.put_tree(folder.name, folder)
            self._uris[folder] = self._server.uri(folder.name, self._proxy.port)
        return self._uris[folder]

    def suffer(self, kind: str) -> None:
        """Lets the network do to requests what a fault means in a store."""
        self._proxy.plan = _NETWORK[kind]

    def restore(self) -> None:
        """Lets the network do its work again."""
        self._proxy.plan = no_fault


@contextmanager
def serving_store(latency_s: float) -> Iterator[Store]:
    """Starts a store, each answer of which takes a while."""
    with serving() as server:
        proxy = FaultyProxy(server.port, latency_s=latency_s)
        try:
            yield Store(server, proxy)
        finally:
            proxy.close()
