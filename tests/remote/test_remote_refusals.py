# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Object stores that do not give what was asked: one clear error each, in time."""

from __future__ import annotations

import importlib
import io
import itertools
import os
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from faulty_proxy import FaultyProxy
from numbered_rows import write_numbers
from reading import FACES, module_of
from s3_server import S3Server

BUCKETS = (f"refusing-{i}" for i in itertools.count())
GROUPS = [40] * 24
NUM_FILES = 6
# What the faces say of one and the same error.
IN_TENSORFLOW = {
    PermissionError: "PermissionDeniedError",
    FileNotFoundError: "NotFoundError",
    OSError: "DataLossError",
    # Not "UnavailableError": clients of the tf.data service would ask again for ever.
    TimeoutError: "DeadlineExceededError",
}


@pytest.fixture
def bucket(s3: S3Server, tmp_path: Path) -> str:
    name = next(BUCKETS)
    s3.put_tree(name, write_numbers(tmp_path / name, GROUPS, NUM_FILES))
    return name


def dataset_of(face: str, paths: Any) -> Any:
    return module_of(face).ParquetDataset(paths, 32, columns=["id"])


def error_of(face: str, error: type[OSError]) -> type[Exception]:
    if face != "tensorflow":
        return OSError if error is TimeoutError else error
    errors = importlib.import_module("tensorflow").errors
    in_tensorflow: type[Exception] = getattr(errors, IN_TENSORFLOW[error])
    return in_tensorflow


NO_KEYS = """
import importlib, sys
uri, *modules = sys.argv[1:]
for module in modules:
    try:
        importlib.import_module(module).ParquetDataset(uri, 32)
    except PermissionError as error:
        print(error)
"""


def test_no_credentials(s3: S3Server, bucket: str) -> None:
    faces = ["rowfeed", "rowfeed.torch", "rowfeed.tensorflow"]
    kept = {k: v for k, v in os.environ.items() if not k.startswith("AWS_")}
    said = subprocess.run(
        [sys.executable, "-c", NO_KEYS, s3.uri(f"{bucket}/0.parquet"), *faces],
        env={**kept, "HOME": os.devnull, "AWS_EC2_METADATA_DISABLED": "true"},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert said.stdout.count(f"s3://{bucket}/0.parquet: ") == len(faces), said.stderr
    assert said.stdout.count("ACCESS_DENIED") == len(faces)
    assert said.stdout.count("credentials are taken from the URI") == len(faces)


@pytest.mark.fault(26)
@pytest.mark.parametrize("face", FACES)
def test_credentials_that_expire(
    face: str, s3: S3Server, bucket: str, proxy: FaultyProxy
) -> None:
    dataset = dataset_of(face, s3.uri(bucket, proxy.port))
    proxy.plan = lambda *_: "403"
    with pytest.raises(error_of(face, PermissionError)) as error:
        list(dataset)
    assert f"s3://{bucket}/0.parquet" in str(error.value)
    assert "credentials" in str(error.value)


@pytest.mark.parametrize("face", FACES)
def test_a_vanished_bucket(face: str, s3: S3Server, bucket: str) -> None:
    dataset = dataset_of(face, s3.uri(bucket))
    for i in range(NUM_FILES):
        s3.request("DELETE", f"/{bucket}/{i}.parquet")
    s3.request("DELETE", f"/{bucket}")
    message = f"s3://{bucket}/0.parquet: No such file or directory"
    with pytest.raises(error_of(face, FileNotFoundError), match=message):
        list(dataset)
    with pytest.raises(FileNotFoundError, match=f"s3://{bucket}"):
        dataset_of(face, s3.uri(bucket))


@pytest.mark.fault(3)
def test_an_object_that_is_deleted_during_an_epoch_is_not_asked_for_again(
    s3: S3Server, bucket: str, proxy: FaultyProxy
) -> None:
    uri = s3.uri(bucket, proxy.port)
    with pytest.raises(ValueError, match="needed") as refused:
        rowfeed.ParquetDataset(uri, 32, num_threads=1, memory_budget_bytes=1)
    found = re.search(r"less than the (\d+) needed", str(refused.value))
    assert found is not None
    dataset = rowfeed.ParquetDataset(
        uri, 32, num_threads=1, memory_budget_bytes=int(found[1])
    )
    batches = iter(dataset)
    rows = next(batches)["id"].tolist()
    last = f"{NUM_FILES - 1}.parquet"
    s3.request("DELETE", f"/{bucket}/{last}")
    num_errors = 0
    for _ in range(len(dataset) - 1):
        try:
            rows += next(batches)["id"].tolist()
        except FileNotFoundError as error:
            num_errors += 1
            assert f"s3://{bucket}/{last}: No such file" in str(error)  # noqa: PT017
    assert rows == list(range(len(rows)))
    assert num_errors == len(dataset) - len(rows) // 32
    assert len(rows) == sum(GROUPS) * (NUM_FILES - 1) // NUM_FILES
    assert dataset.stats().fetch_retries == 0


@pytest.mark.fault(4)
@pytest.mark.parametrize("face", FACES)
def test_an_object_that_has_become_shorter(
    face: str, s3: S3Server, bucket: str
) -> None:
    dataset = dataset_of(face, s3.uri(bucket))
    body = io.BytesIO()
    pq.write_table(pa.table({"id": [1, 2, 3]}), body)
    s3.put(bucket, "0.parquet", body.getvalue())
    changed = (
        rf"s3://{bucket}/0.parquet changed since it was catalogued: size was \d+, "
        rf"is {len(body.getvalue())}; etag was \S+, is \S+"
    )
    with pytest.raises(error_of(face, OSError), match=changed):
        list(dataset)


@pytest.mark.fault(27)
@pytest.mark.parametrize(
    ("size", "error", "said"),
    [
        (0, ValueError, "is not a Parquet file: its 0 bytes"),
        (3, ValueError, "is not a Parquet file: its 3 bytes"),
        (500, OSError, "is cut off: it starts as a Parquet file, but its 500 bytes"),
        (-1, OSError, "is cut off: it starts as a Parquet file, but its"),
    ],
)
def test_a_half_written_object(
    size: int, error: type[Exception], said: str, s3: S3Server, bucket: str
) -> None:
    body = io.BytesIO()
    pq.write_table(pa.table({"id": range(1000)}), body)
    s3.put(bucket, "0.parquet", body.getvalue()[:size])
    with pytest.raises(error, match=f"s3://{bucket}/0.parquet {said}"):
        rowfeed.Catalog.open(s3.uri(bucket))


def failure_of(read: Callable[[], Any]) -> str:
    with pytest.raises(Exception, match="s3://") as error:
        read()
    return f"{type(error.value).__name__}: {error.value}"


@pytest.mark.fault(28)
@pytest.mark.slow
def test_who_does_not_answer_is_given_up_after_a_minute(
    s3: S3Server, bucket: str
) -> None:
    """Not one for each of the files or rows: all at once, so that the test is short."""
    proxies = [FaultyProxy(s3.port) for _ in range(4)]
    datasets = [
        dataset_of(face, s3.uri(bucket, proxy.port))
        for face, proxy in zip(FACES, proxies, strict=False)
    ]
    for proxy in proxies[:3]:
        proxy.plan = lambda *_: "stall"
    # Listed, but no file can be opened.
    proxies[3].plan = lambda _, path, __: "stall" if ".parquet" in path else None
    paths = [
        s3.uri(bucket, proxies[3].port),
        s3.uri(bucket, 1),
        f"s3://{bucket}?endpoint_override=no.such.host.invalid&scheme=http",
    ]
    reads: list[Callable[[], Any]] = [partial(list, dataset) for dataset in datasets]
    reads += [partial(rowfeed.Catalog.open, path) for path in paths]
    with ThreadPoolExecutor(len(reads)) as threads:
        said = list(threads.map(failure_of, reads))
    for proxy in proxies:
        proxy.close()
    for face, text in zip(FACES, said, strict=False):
        assert text.startswith(f"{error_of(face, TimeoutError).__name__}: ")
    assert all(f"s3://{bucket}/0.parquet: " in text for text in said[:4]), said
    assert all(text.startswith(f"OSError: s3://{bucket}: ") for text in said[4:]), said
    # What the client says of the network, or that it says nothing.
    reason = r"(NETWORK_CONNECTION|no answer for).*\(tried \d+ times? in \d+ s\)"
    assert all(re.search(reason, text) for text in said), said
