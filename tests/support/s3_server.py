# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""An S3 of one's own: moto's server in a process beside the tests."""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

_SERVE = """
import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()  # Until whoever started this has gone.
"""
_KEYS = {"AWS_ACCESS_KEY_ID": "tests", "AWS_SECRET_ACCESS_KEY": "tests"}

# It does not verify the signature, but without one only new objects may be written.
_SIGNED = (
    "AWS4-HMAC-SHA256 Credential=tests/20260101/us-east-1/s3/aws4_request, "
    "SignedHeaders=host, Signature=0"
)


class S3Server:
    """Buckets and objects, by plain requests; `port` is where it listens."""

    def __init__(self, port: int) -> None:
        self.port = port

    def request(self, method: str, path: str, body: bytes = b"") -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, path, body, {"Authorization": _SIGNED})
        response = connection.getresponse()
        answer = response.read()
        connection.close()
        assert response.status < 300, (response.status, answer)
        return answer

    def put(self, bucket: str, key: str, body: bytes) -> None:
        self.request("PUT", f"/{bucket}/{quote(key)}", body)

    def put_tree(self, bucket: str, directory: Path) -> None:
        """A new bucket with all files of a directory."""
        self.request("PUT", f"/{bucket}")
        for path in directory.rglob("*"):
            if path.is_file():
                self.put(bucket, str(path.relative_to(directory)), path.read_bytes())

    def uri(self, path: str, port: int | None = None) -> str:
        """`port`: of a proxy."""
        return (
            f"s3://{path}?endpoint_override=127.0.0.1:{port or self.port}"
            "&scheme=http&region=us-east-1"
        )


@contextmanager
def serving() -> Iterator[S3Server]:
    """Starts a server, and sets the keys in the environment that clients look for."""
    before = dict(os.environ)
    os.environ.update(_KEYS)
    with subprocess.Popen(
        [sys.executable, "-c", _SERVE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            yield S3Server(int(process.stdout.readline()))
        finally:
            process.kill()
            for key in _KEYS:
                os.environ.pop(key)
            os.environ.update({k: v for k, v in before.items() if k in _KEYS})
