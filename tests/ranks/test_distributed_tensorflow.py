# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Workers of a strategy and of the tf.data service, in processes of their own.

They run the scripts of docs/distributed.md.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rowfeed
from documented_data import write_data
from process_groups import script, strategy_workers, tf_data_server

pytest.importorskip("tensorflow")
# New processes import TensorFlow, on a machine that is shared.
pytestmark = pytest.mark.timeout(600)

NUM_ROWS = 16_000
GLOBAL_BATCH = 240
STEPS = NUM_ROWS // GLOBAL_BATCH

# Also goes through a third epoch and says what it has seen and learnt.
REPORT = """
import json
seen = [
    part.numpy()[:, 0].tolist()
    for features, _ in train
    for part in strategy.experimental_local_results(features["vector"])
]
weights = [float(w) for v in model.get_weights() for w in v.ravel()]
print("report", json.dumps([seen, weights, losses[-1].numpy().item()]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data set that the page calls "data"."""
    path = tmp_path_factory.mktemp("distributed")
    write_data(path / "data")
    return path


def train(folder: Path, num_workers: int) -> list[Any]:
    """Runs the workers of a strategy and returns the report of each."""
    code = script("train_workers.py") + REPORT
    return [_report(said) for said in strategy_workers(code, num_workers, folder)]


def _report(output: str) -> Any:
    assert output.count(f": {STEPS} steps,") == 2
    return json.loads(output.partition("report ")[2])


def batches(folder: Path, rank: int, world_size: int) -> list[list[float]]:
    """Returns the first numbers of the vectors of a rank in the third epoch."""
    dataset = rowfeed.ParquetDataset(
        folder / "data",
        GLOBAL_BATCH // world_size,
        columns=["vector"],
        shuffle=True,
        seed=7,
        num_lanes=6,
        first_epoch=2,
        remainder="drop",
        rank=rank,
        world_size=world_size,
    )
    return [batch["vector"][:, 0].tolist() for batch in dataset]


@pytest.mark.fault(53)
def test_workers_of_a_strategy_make_equal_steps(folder: Path) -> None:
    reports = train(folder, 2)
    for rank, (seen, weights, loss) in enumerate(reports):
        assert seen == batches(folder, rank, 2)
        assert (weights, loss) == tuple(reports[0][1:])
    rows = [row for seen, *_ in reports for batch in seen for row in batch]
    assert len(set(rows)) == len(rows) == STEPS * GLOBAL_BATCH
    for k, whole in enumerate(batches(folder, 0, 1)):
        assert sorted(whole) == sorted(reports[0][0][k] + reports[1][0][k])


@pytest.mark.slow
def test_two_workers_learn_what_one_learns(folder: Path) -> None:
    ((_, alone, _),) = train(folder, 1)
    for _, weights, _ in train(folder, 2):
        np.testing.assert_allclose(weights, alone, rtol=1e-4, atol=1e-5)


@pytest.fixture(scope="module")
def dispatcher() -> Iterator[str]:
    """The address of a dispatcher with two workers."""
    with tf_data_server("dispatcher") as address, contextlib.ExitStack() as workers:
        for _ in range(2):
            worker = ("worker", "--host", "localhost", "--dispatcher", address)
            assert workers.enter_context(tf_data_server(*worker)) == address
        yield address


@pytest.mark.parametrize(("policy", "times"), [("DYNAMIC", 1), ("OFF", 2)])
def test_two_workers_of_the_tf_data_service(
    policy: str, times: int, dispatcher: str, folder: Path
) -> None:
    code = script("read_from_service.py")
    assert ".DYNAMIC," in code
    code = code.replace(".DYNAMIC,", f".{policy},").replace(
        "DISPATCHER:5050", dispatcher
    )
    found: dict[str, Any] = {}
    with contextlib.chdir(folder):
        exec(compile(code, "read_from_service.py", "exec"), found)
    assert sorted(found["users"]) == sorted(list(range(NUM_ROWS)) * times)
