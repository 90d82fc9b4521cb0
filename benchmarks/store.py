# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A store on this machine that is as far away as it is told.

It speaks what readers need of S3's protocol: HEAD and GET of objects, ranges, listings.
Every answer comes some milliseconds after the request, as many requests as there are at
once; bytes are as fast as the loopback device. Whoever asks may read.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

BUCKET = "benchmark"
KEYS = {"AWS_ACCESS_KEY_ID": "anybody", "AWS_SECRET_ACCESS_KEY": "anybody"}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    folder: Path
    latency_s: float

    def do_HEAD(self) -> None:
        self._answer()

    do_GET = do_HEAD

    def _answer(self) -> None:
        time.sleep(self.latency_s)
        url = urlsplit(self.path)
        _, _, key = url.path.lstrip("/").partition("/")
        query = parse_qs(url.query, keep_blank_values=True)
        path = self.folder / key
        if "list-type" in query:
            self._send(200, self._listing(query.get("prefix", [""])[0]).encode())
        elif not key:
            self._send(200)
        elif path.is_file():
            self._send_file(path)
        else:
            self._send(404)

    def _listing(self, prefix: str) -> str:
        found = [
            f"<Contents><Key>{escape(key)}</Key><Size>{path.stat().st_size}</Size>"
            f"<LastModified>2026-01-01T00:00:00.000Z</LastModified>"
            f"<ETag>{_etag(path)}</ETag></Contents>"
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
            and (key := str(path.relative_to(self.folder))).startswith(prefix)
        ]
        return (
            f"<ListBucketResult><Name>{BUCKET}</Name><Prefix>{escape(prefix)}</Prefix>"
            f"<KeyCount>{len(found)}</KeyCount><IsTruncated>false</IsTruncated>"
            f"{''.join(found)}</ListBucketResult>"
        )

    def _send_file(self, path: Path) -> None:
        size = path.stat().st_size
        begin, end = 0, size
        headers = {"ETag": _etag(path), "Accept-Ranges": "bytes"}
        asked = self.headers.get("Range")
        if asked:
            first, _, last = asked.removeprefix("bytes=").partition("-")
            begin, end = int(first), min(int(last) + 1 if last else size, size)
            headers["Content-Range"] = f"bytes {begin}-{end - 1}/{size}"
        self._begin(206 if asked else 200, end - begin, headers)
        if self.command == "HEAD":
            return
        with path.open("rb") as file:
            while begin < end:
                begin += os.sendfile(
                    self.connection.fileno(), file.fileno(), begin, end - begin
                )

    def _send(self, status: int, body: bytes = b"") -> None:
        self._begin(status, len(body), {"Content-Type": "application/xml"})
        if self.command != "HEAD":
            self.wfile.write(body)

    def _begin(self, status: int, size: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Last-Modified", formatdate(1767225600, usegmt=True))
        self.send_header("Content-Length", str(size))
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Does nothing, so that requests are not logged."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # With less, some of 24 clients wait a second.


def _etag(path: Path) -> str:
    stat = path.stat()
    return f'"{stat.st_size:x}-{stat.st_mtime_ns:x}"'


@contextmanager
def serving(folder: Path, latency_ms: int) -> Iterator[str]:
    """Serves a folder in another process; yields its address, "host:port"."""
    with subprocess.Popen(
        [sys.executable, __file__, str(folder), str(latency_ms)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield f"127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


def main() -> None:
    """Serves a folder until the standard input is closed."""
    _Handler.folder = Path(sys.argv[1])
    _Handler.latency_s = float(sys.argv[2]) / 1e3
    server = _Server(("127.0.0.1", 0), _Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
