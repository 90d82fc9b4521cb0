# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A proxy on this machine that does to some requests what networks do."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Fault = Literal["reset", "stall", "drip", "cut", "403", "503", "429"]
# Given "GET", the path and how many requests there were before.
Plan = Callable[[str, str, int], Fault | None]


def no_fault(_method: str, _path: str, _index: int) -> None:
    return None


def every(n: int, fault: Fault) -> Plan:
    """The first of every `n` reads of a file's bytes."""
    return lambda method, _path, index: (
        fault if method == "GET" and index % n == 0 else None
    )


@dataclass
class FaultyProxy:
    """Forwards to `target`, a port; `plan` says which request meets which fault.

    Attributes:
        requests: Method and path of each request, in order.
        stalled: Method, path and range of each request that was not answered.
    """

    target: int
    plan: Plan = no_fault
    latency_s: float = 0.0
    requests: list[tuple[str, str]] = field(default_factory=list)
    stalled: list[tuple[str, str, str | None]] = field(default_factory=list)
    most_at_once: int = 0

    def __post_init__(self) -> None:
        self._at_once = 0
        self._lock = threading.Lock()
        self.released = threading.Event()
        proxy = self

        class Handler(_Handler):
            def handle_any(self) -> None:
                proxy.handle(self)

        self._server = _Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def has_given_up(self) -> bool:
        """Whether someone did not wait for bytes any more, and asked again."""
        gets = [asked for asked in self.stalled if asked[0] == "GET"]
        return len(set(gets)) < len(gets)

    def close(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()

    def handle(self, handler: _Handler) -> None:
        with self._lock:
            index = len(self.requests)
            self.requests.append((handler.command, handler.path))
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            time.sleep(self.latency_s)
            self._answer(handler, self.plan(handler.command, handler.path, index))
        finally:
            with self._lock:
                self._at_once -= 1

    def _answer(self, handler: _Handler, fault: Fault | None) -> None:
        if fault == "reset":
            # To close without what TCP does to be polite.
            handler.connection.setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
            )
            handler.close_connection = True
            handler.connection.close()
        elif fault == "stall":
            asked = handler.command, handler.path, handler.headers.get("Range")
            self.stalled.append(asked)
            self.released.wait(60)
            handler.close_connection = True
        elif fault in ("403", "503", "429"):
            handler.send(int(fault), {}, b"")
        else:
            status, headers, body = self._forward(handler)
            if fault == "drip":
                handler.drip(status, headers, body, self.released)
            else:
                handler.send(status, headers, body, is_cut=fault == "cut")

    def _forward(self, handler: _Handler) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.target, timeout=30)
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        connection.request(handler.command, handler.path, body, dict(handler.headers))
        response = connection.getresponse()
        answer = response.read()
        connection.close()
        return response.status, dict(response.headers), answer


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128  # Or some of many clients at once come a second later.


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_any(self) -> None:
        raise NotImplementedError

    def do_GET(self) -> None:
        self.handle_any()

    do_HEAD = do_PUT = do_GET

    def send(
        self, status: int, headers: dict[str, str], body: bytes, *, is_cut: bool = False
    ) -> None:
        self.send_response(status)
        for name, value in headers.items():
            if name.lower() not in ("connection", "content-length", "date", "server"):
                self.send_header(name, value)
        length = (
            headers.get("Content-Length", "0") if self.command == "HEAD" else len(body)
        )
        self.send_header("Content-Length", str(length))
        self.end_headers()
        if is_cut:
            body = body[: len(body) // 2]
            self.close_connection = True
        try:
            self.wfile.write(body)
        except OSError:
            self.close_connection = True

    def drip(
        self,
        status: int,
        headers: dict[str, str],
        body: bytes,
        released: threading.Event,
    ) -> None:
        """Sends a byte of the body each half second, until nobody listens."""
        self.close_connection = True
        self.send_response(status)
        for name in ("Content-Range", "ETag", "Last-Modified"):
            if name in headers:
                self.send_header(name, headers[name])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for i in range(len(body)):
            try:
                self.wfile.write(body[i : i + 1])
            except OSError:
                return
            if released.wait(0.5):
                return

    def log_message(self, *_: Any) -> None:
        pass
