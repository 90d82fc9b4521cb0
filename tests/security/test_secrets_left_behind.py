# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Nothing that a training leaves has a secret: no file, log, error, pickle or graph."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
import urllib.parse
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import secret_training
from numbered_rows import write_numbers
from reading import FACES
from repository import SUPPORT
from s3_server import S3Server

# Secrets with characters that URIs, JSON and base64 write in ways of their own.
MARKS = {
    "ROWFEED_TEST_URI": "URIUSERMARK:URI%2FPASS%2BMARK",
    "ROWFEED_TEST_KEY": "OPTIONKEYMARK",
    "ROWFEED_TEST_SECRET": "OPTION/SECRET+MARK",
    "AWS_SECRET_ACCESS_KEY": "ENVIRONMENTSECRETMARK",
}


def forms(secret: str) -> Iterator[bytes]:
    """Yields the ways in which a secret may be written."""
    plain = urllib.parse.unquote(secret)
    for part in {secret, plain, *plain.split(":")}:
        data = part.encode()
        yield data
        yield urllib.parse.quote(part, safe="").encode()
        yield data.hex().encode()
        yield part.encode("utf-16-le")
        for shift in range(3):  # A text may begin anywhere in a base64 of more.
            encoded = base64.b64encode(b"x" * shift + data)
            yield encoded[-(-8 * shift // 6) : len(encoded) - 4]


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yields all files below a folder, and what is in those that are archives."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        yield str(path.relative_to(folder)), path.read_bytes()
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for name in archive.namelist():
                    yield f"{path.name}/{name}", archive.read(name)


def leaks(folder: Path, said: bytes) -> list[str]:
    """Returns what has a secret: names of files, and the secret's variable."""
    found = []
    for name, content in [("stdout and stderr", said), *contents(folder)]:
        for variable, secret in MARKS.items():
            if any(form in content for form in forms(secret)):
                found.append(f"{name}: {variable}")
    return found


@pytest.fixture(scope="module")
def bucket(s3: S3Server, tmp_path_factory: pytest.TempPathFactory) -> str:
    local = tmp_path_factory.mktemp("local")
    write_numbers(local, [40, 25], num_files=2)
    s3.put_tree("marked", local)
    return "marked"


# A new process imports a framework, and connects to a port that is closed.
@pytest.mark.timeout(600)
@pytest.mark.parametrize("face", FACES)
def test_a_training_leaves_no_secret(
    face: str, s3: S3Server, bucket: str, tmp_path: Path
) -> None:
    assert set(MARKS) == set(secret_training.SECRETS)
    pytest.importorskip(face)
    environment = {**os.environ, **MARKS, "AWS_ACCESS_KEY_ID": "tests"}
    line = [sys.executable, str(SUPPORT / "secret_training.py")]
    done = subprocess.run(
        [*line, str(tmp_path), f"127.0.0.1:{s3.port}", bucket, face],
        capture_output=True,
        env=environment,
        timeout=580,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[-4000:]
    assert leaks(tmp_path, done.stdout + done.stderr) == []
    names = {name.partition("-")[2] for name, _ in contents(tmp_path)}
    assert names >= {"error-no-file", "error-state", "html", "pickled-catalog"}
    assert (tmp_path / "log").stat().st_size
    assert any((tmp_path / "snapshots").iterdir())
    assert any((tmp_path / "counts").iterdir())


@pytest.mark.parametrize("variable", MARKS)
def test_a_secret_that_is_left_is_found(variable: str, tmp_path: Path) -> None:
    secret = urllib.parse.unquote(MARKS[variable])
    (tmp_path / "below").mkdir()
    for wrapped in (
        secret.encode(),
        base64.b64encode(b"more " + secret.encode() + b" and more"),
        urllib.parse.quote(secret, safe="").encode(),
    ):
        with zipfile.ZipFile(tmp_path / "below" / "x.npz", "w") as archive:
            archive.writestr("a", b"0" + wrapped + b"1")
        assert leaks(tmp_path, b"") == [f"x.npz/a: {variable}"] or leaks(
            tmp_path, b""
        ) == [f"below/x.npz: {variable}", f"x.npz/a: {variable}"]
    assert leaks(tmp_path / "none", secret.encode()) == [
        f"stdout and stderr: {variable}"
    ]
