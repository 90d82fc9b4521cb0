# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`hdfs://` through Arrow's client, over a stand-in for Hadoop's libhdfs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from numbered_rows import write_numbers

FACES = ["rowfeed", "rowfeed.torch", "rowfeed.tensorflow"]
LIBRARY = Path(__file__).parent / "fake_libhdfs.c"

# All in one process, which loads the library that its environment names.
READ = """
import sys
from pathlib import Path
import numpy as np
import rowfeed

root, *faces = sys.argv[1:]
options = dict(shuffle=True, seed=3, columns=["id"], shuffle_window=40, block_rows=10)
whole = [b["id"].tolist() for b in rowfeed.ParquetDataset(root + "/data", 8, **options)]
uri = "hdfs://namenode:8020/data"
for face in faces:
    module = __import__(face, fromlist=["ParquetDataset"])
    dataset = module.ParquetDataset(uri, 8, **options)
    batches = iter(dataset)
    assert [np.asarray(b["id"]).tolist() for b in batches] == whole, face
assert rowfeed.Catalog.open(uri + "/*.parquet").take([5])["id"].tolist() == [5]

def said(path):
    try:
        rowfeed.Catalog.open(path)
    except OSError as error:
        return f"{type(error).__name__}: {error}"

print(said("hdfs://namenode:8020/none.parquet"))
print(said("hdfs://elsewhere:8020/data"))
dataset = rowfeed.ParquetDataset(uri, 8)
(path, *_) = sorted(Path(root + "/data").iterdir())
path.write_bytes(path.read_bytes() + b"changed")
try:
    list(dataset)
except Exception as error:
    print(f"{type(error).__name__}: {error}")
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_all_faces_read_from_hdfs_and_say_what_is_wrong(tmp_path: Path) -> None:
    for name, source in (("hdfs", LIBRARY), ("jvm", "/dev/null")):
        library = tmp_path / f"lib{name}.so"
        line = ["cc", "-shared", "-fPIC", "-x", "c", str(source), "-o", str(library)]
        subprocess.run(line, check=True)
    jvm = tmp_path / "jre" / "lib" / "server"
    jvm.mkdir(parents=True)
    (tmp_path / "libjvm.so").rename(jvm / "libjvm.so")
    write_numbers(tmp_path / "root" / "data", [30, 25, 40])
    found = subprocess.run(
        [sys.executable, "-c", READ, str(tmp_path / "root"), *FACES],
        env={
            **os.environ,
            "ARROW_LIBHDFS_DIR": str(tmp_path),
            "JAVA_HOME": str(tmp_path / "jre"),
            "FAKE_HDFS_ROOT": str(tmp_path / "root"),
            "TF_CPP_MIN_LOG_LEVEL": "3",
        },
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    missing, unreachable, changed = found.stdout.splitlines()[-3:]
    assert missing.startswith("FileNotFoundError: hdfs://namenode:8020/none.parquet")
    assert unreachable.startswith("OSError: hdfs://elsewhere:8020")
    assert "hdfs://namenode:8020/data/" in changed, changed
