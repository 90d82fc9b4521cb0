# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""tensorflow-io's s3 by TensorFlow's registry; `make test-tfio` installs it."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from numbered_rows import NUM_ROWS
from repository import SUPPORT
from s3_server import serving

if importlib.util.find_spec("tensorflow_io") is None:
    pytest.skip("tensorflow-io is not installed", allow_module_level=True)

SCRIPT = SUPPORT / "s3_by_plugin.py"


@pytest.fixture(scope="module")
def found(numbers: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the script says of `numbers` on disk and of the same files in a bucket."""
    folder = tmp_path_factory.mktemp("checkpoints")
    with serving() as server:
        server.put_tree("bucket", numbers)
        done = subprocess.run(
            [sys.executable, str(SCRIPT), str(numbers), "bucket", str(folder)],
            check=False,
            capture_output=True,
            text=True,
            timeout=100,
            env={
                **os.environ,
                "S3_ENDPOINT": f"http://127.0.0.1:{server.port}",
                "AWS_REGION": "us-east-1",
            },
        )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_an_epoch_has_the_rows_of_the_local_files(found: dict[str, Any]) -> None:
    local, remote = found["elements"]
    assert len(local) == -(-NUM_ROWS // 16)
    assert remote == local


def test_a_model_is_trained_as_on_the_local_files(found: dict[str, Any]) -> None:
    local, remote = found["training"]
    assert remote == local
    assert remote["loss"][0] > 0


def test_an_iterator_is_restored_and_a_state_goes_on_elsewhere(
    found: dict[str, Any],
) -> None:
    local, remote = found["resumed"]
    assert len(local) == NUM_ROWS - 5 * 16
    assert remote == local
    assert found["elsewhere"] == local


def test_a_missing_key_is_named(found: dict[str, Any]) -> None:
    kind, message = found["missing"]
    assert kind == "FileNotFoundError"
    assert "tf+s3://bucket/none.parquet" in message


def test_an_object_that_changed_is_named(found: dict[str, Any]) -> None:
    kind, message = found["changed"]
    assert kind == "DataLossError"
    assert "tf+s3://bucket/0.parquet changed" in message
