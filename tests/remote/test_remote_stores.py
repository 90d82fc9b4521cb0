# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Google's and Azure's stores, as their emulators are, where there is one here."""

from __future__ import annotations

import base64
import hashlib
import hmac
import io
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowfeed import Catalog, ParquetDataset

# What every Azurite lets in.
AZURE_ACCOUNT = "devstoreaccount1"
AZURE_KEY = (
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/"
    "K1SZFPTOtr/KBHBeksoGMGw=="
)
SERVE_GOOGLE = (
    "import sys; from gcp_storage_emulator.server import create_server; "
    "create_server('localhost', int(sys.argv[1]), in_memory=True).run()"
)


class Store(NamedTuple):
    """`files`: pyarrow's client, to write; `root` and `options`: of URIs."""

    files: Any
    root: str
    options: str

    def uri(self, path: str) -> str:
        return f"{self.root}{path}?{self.options}"

    def put(self, path: str, first: int) -> None:
        table = pa.table({"x": np.arange(first, first + 1000)})
        file = io.BytesIO()
        pq.write_table(table, file, row_group_size=300, compression="none")
        with self.files.open_output_stream(path) as out:
            out.write(file.getvalue())


@contextmanager
def running(command: list[str], port: int, directory: Path) -> Iterator[None]:
    with subprocess.Popen(
        command,
        cwd=directory,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            for _ in range(300):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.2)
            yield
        finally:
            process.kill()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def shared_access_signature() -> str:
    parts = {"sp": "rl", "ss": "b", "srt": "sco", "se": "2099-01-01T00:00:00Z"}
    version = "2020-08-04"
    signed = [AZURE_ACCOUNT, "rl", "b", "sco", "", parts["se"], "", "", version, ""]
    digest = hmac.new(
        base64.b64decode(AZURE_KEY), "\n".join(signed).encode(), hashlib.sha256
    ).digest()
    parts |= {"sv": version, "sig": base64.b64encode(digest).decode()}
    return "&".join(f"{key}={quote(value, safe='')}" for key, value in parts.items())


@pytest.fixture
def azure(tmp_path: Path) -> Iterator[Store]:
    program = shutil.which("azurite-blob")
    if program is None:
        pytest.skip("azurite-blob (npm's azurite) is not on PATH")
    from pyarrow.fs import AzureFileSystem

    port = free_port()
    command = [program, "--inMemoryPersistence", "--skipApiVersionCheck", "--silent"]
    command += ["--blobPort", str(port)]
    with running(command, port, tmp_path):
        host = f"127.0.0.1:{port}"
        files = AzureFileSystem(
            AZURE_ACCOUNT,
            account_key=AZURE_KEY,
            blob_storage_authority=host,
            dfs_storage_authority=host,
            blob_storage_scheme="http",
            dfs_storage_scheme="http",
        )
        options = f"enable_tls=false&{shared_access_signature()}"
        yield Store(files, f"abfs://{AZURE_ACCOUNT}@{host}/", options)


@pytest.fixture
def google(tmp_path: Path) -> Iterator[Store]:
    pytest.importorskip("gcp_storage_emulator")
    from pyarrow.fs import GcsFileSystem

    port = free_port()
    with running([sys.executable, "-c", SERVE_GOOGLE, str(port)], port, tmp_path):
        host = f"localhost:{port}"
        files = GcsFileSystem(
            anonymous=True, scheme="http", endpoint_override=host, project_id="tests"
        )
        options = f"scheme=http&endpoint_override={host}"
        yield Store(files, "gs://anonymous@", options)


@pytest.mark.parametrize("name", ["azure", "google"])
def test_a_store_is_listed_read_and_watched(
    name: str, request: pytest.FixtureRequest
) -> None:
    store: Store = request.getfixturevalue(name)
    store.files.create_dir("tests")
    for i in range(4):
        store.put(f"tests/d/y={i % 2}/{i}.parquet", 1000 * i)
    catalog = Catalog.open(store.uri("tests/d"))
    names = [file.name for file in catalog.files]
    assert names == ["y=0/0.parquet", "y=0/2.parquet", "y=1/1.parquet", "y=1/3.parquet"]
    some = Catalog.open(store.uri("tests/d/*/[12].parquet"))
    assert [file.name for file in some.files] == ["y=0/2.parquet", "y=1/1.parquet"]
    assert all("sig" not in file.path for file in catalog.files)

    dataset = ParquetDataset(catalog, 100, columns=["x"], shuffle=True)
    read = np.concatenate([batch["x"] for batch in dataset])
    assert sorted(read.tolist()) == list(range(4000))

    for path in ("tests/none", "no-such-bucket/x"):
        with pytest.raises(FileNotFoundError, match=f"{store.root}{path}"):
            Catalog.open(store.uri(path))
    store.put("tests/d/y=1/1.parquet", 5000)
    with pytest.raises(OSError, match=r"y=1/1.parquet changed .* etag was"):
        list(dataset)
