# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The op over an object store that does not answer."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from faulty_proxy import FaultyProxy
from numbered_rows import write_numbers
from s3_server import serving

tf = pytest.importorskip("tensorflow")
pytest.importorskip("moto")

from tensorflow.python.eager import cancellation  # noqa: E402

from rowfeed.tensorflow import ParquetDataset  # noqa: E402


@pytest.mark.fault(53)
def test_cancellation_ends_a_pull_that_waits(tmp_path: Path) -> None:
    with serving() as s3:
        s3.put_tree("numbers", write_numbers(tmp_path, [40] * 3))
        proxy = FaultyProxy(s3.port)
        dataset = ParquetDataset(s3.uri("numbers", proxy.port), 8)
        proxy.plan = lambda *_: "stall"
        iterator = iter(dataset)
        manager = cancellation.CancellationManager()
        pull = manager.get_cancelable_function(
            tf.function(lambda: next(iterator)).get_concrete_function()
        )
        timer = threading.Timer(0.5, manager.start_cancel)
        timer.start()
        with pytest.raises(tf.errors.CancelledError):
            pull()
        timer.join()
        proxy.close()
