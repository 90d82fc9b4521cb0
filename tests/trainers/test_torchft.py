# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Replicas of torchft fail and join within an epoch, and each row comes once."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from documented_data import write_data
from process_groups import processes, script
from trainers import installed

installed("torch")
installed("torchft")

from torchft.coordination import LighthouseServer  # noqa: E402

import torchft_ranks  # noqa: E402

# New processes import torch, on a machine that is shared.
pytestmark = pytest.mark.timeout(600)

FAILS, WAITS = 20, 30  # Steps at which one replica is killed and the other waits.


def until(replica: Any, said: str, seen: list[torchft_ranks.Step]) -> None:
    """Receives the steps of a replica, up to a word."""
    while (message := replica.receive()) != said:
        seen.append(message)


def rest(replicas: list[Any], seen: list[torchft_ranks.Step]) -> list[list[float]]:
    """Receives the steps of replicas as they come, and returns their weights."""
    weights: dict[int, list[float]] = {}
    while len(weights) < len(replicas):
        left = [i for i in range(len(replicas)) if i not in weights]
        ready = wait([replicas[i].pipe for i in left])
        for i in left:
            if replicas[i].pipe in ready:
                message = replicas[i].receive()
                if isinstance(message, tuple):
                    seen.append(message)
                else:
                    weights[i] = message
    return [weights[i] for i in range(len(replicas))]


def test_a_replica_fails_and_another_joins_and_each_row_comes_once(
    tmp_path: Path,
) -> None:
    write_data(tmp_path / "data")
    code = script("train_torchft.py", "trainers.md")
    # A replica that gives no sign of life for so long has failed.
    lighthouse = LighthouseServer(
        bind="[::]:0", min_replicas=1, join_timeout_ms=60_000, heartbeat_timeout_ms=3000
    )
    seen: list[torchft_ranks.Step] = []
    same: tuple[Any, ...] = (code, tmp_path, lighthouse.address())
    work = torchft_ranks.replica
    with (
        processes(work, 1, *same, "stays", -1, WAITS) as [stays],
        processes(work, 1, *same, "fails", FAILS) as [fails],
        processes(work, 1, *same, "joins") as [joins],
    ):
        for _ in range(2):
            for replica in (stays, fails):
                until(replica, "ready", seen)
            stays.pipe.send("go")
            fails.pipe.send("go")
        with pytest.raises((EOFError, ConnectionResetError)):
            until(fails, "never", seen)
        until(stays, "ready", seen)
        for replica in (joins, joins, stays):
            if replica is joins:
                until(joins, "ready", seen)
            replica.pipe.send("go")
        of_stays, of_joins = rest([stays, joins], seen)
        assert of_stays == of_joins
    lighthouse.shutdown()

    steps: dict[int, list[torchft_ranks.Step]] = defaultdict(list)
    for step in seen:
        steps[step[0]].append(step)
    sizes = [steps[number][0][2][1] for number in range(len(steps))]
    for parts in steps.values():
        ranks = sorted(share for _, _, share in parts)
        assert ranks == [(rank, len(parts)) for rank in range(len(parts))]
    assert sizes[:FAILS] == [2] * FAILS
    assert sizes[FAILS] == 1
    assert sizes[-1] == 2

    # The rows of the steps follow each other in the order of a single rank.
    expected = iter(order(tmp_path / "data"))
    per_epoch = 16_000
    given = 0
    for number in range(len(steps)):
        rows = sorted(chain(*(rows for _, rows, _ in steps[number])))
        if given % per_epoch + len(rows) > per_epoch:  # The remainder is dropped.
            for _ in range(per_epoch - given % per_epoch):
                next(expected)
                given += 1
        assert rows == sorted(next(expected) for _ in rows)
        given += len(rows)
    assert 2 * per_epoch - given < 240


def order(data: Path) -> list[float]:
    """Returns the first number of the vectors of two epochs, in order."""
    dataset = rowfeed.ParquetDataset(
        data,
        120,
        columns=["vector"],
        shuffle=True,
        seed=7,
        num_lanes=12,
        num_epochs=2,
        remainder="uneven",
    )
    return [float(row) for batch in dataset for row in batch["vector"][:, 0]]
