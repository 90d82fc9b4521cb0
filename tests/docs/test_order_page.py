# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What docs/order.md draws and tabulates is what the kernel does."""

from __future__ import annotations

import importlib.util
import re

import pytest

from repository import ROOT
from rowfeed._native import core

DOCS = ROOT / "docs"
PAGE = (DOCS / "order.md").read_text()


def test_the_picture_is_that_of_the_plan() -> None:
    spec = importlib.util.spec_from_file_location("order", DOCS / "images" / "order.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert (DOCS / "images" / "order.svg").read_text() == script.picture()


def lanes_of(rank: int, world_size: int, num_lanes: int) -> set[int]:
    """Returns the lanes that a rank's first batch has rows of."""
    order = core.OrderOptions(
        shuffle=True, seed=0, shuffle_window=50, block_rows=0, num_lanes=num_lanes
    )
    delivery = core.DeliveryOptions(
        batch_size=48, rank=rank, world_size=world_size, remainder="uneven"
    )
    runs = core.Delivery.make(
        core.EpochPlan.make([10] * 100, order, 0), 0, delivery
    ).runs()
    return {int(lane) for lane, _, _, batch, *_ in runs if batch == 0}


ROWS = re.findall(r"^\| (\d) \| (\d+) \| (\d+).* \| (\d+) \| (.+) \|$", PAGE, re.M)


@pytest.mark.parametrize("cells", ROWS, ids=lambda cells: "-".join(cells[:2]))
def test_the_lanes_of_batches(cells: tuple[str, ...]) -> None:
    world_size, num_lanes, of_rank, of_all = map(int, cells[:4])
    times = 1 if cells[4] == "once" else int(cells[4].removesuffix(" times"))
    lanes = [lanes_of(rank, world_size, num_lanes) for rank in range(world_size)]
    assert {len(found) for found in lanes} == {of_rank}
    assert len(set().union(*lanes)) == of_all
    assert sum(map(len, lanes)) == times * of_all


def test_the_table_of_lanes_is_read() -> None:
    assert len(ROWS) == 9


def drawn(remainder: str) -> list[str]:
    """Returns what the page draws of the two ranks: "0 2 | 4 6", and so on."""
    lines = PAGE.splitlines()
    (k,) = (
        k for k, line in enumerate(lines) if re.search(f'"{remainder}" .*rank 0', line)
    )
    begin = lines[k].index("rank 0", lines[k].index(f'"{remainder}"')) + len("rank 0")
    end = lines[k].find('"', begin) if '"' in lines[k][begin:] else None
    return [" ".join(line[begin:end].split()) for line in lines[k : k + 2]]


@pytest.mark.parametrize("remainder", ["uneven", "drop", "pad", "wrap"])
def test_the_drawn_ends_of_an_epoch(remainder: str) -> None:
    order = core.OrderOptions(
        shuffle=False, seed=0, shuffle_window=50, block_rows=0, num_lanes=1
    )
    plan = core.EpochPlan.make([10], order, 0)
    for rank, of_rank in enumerate(drawn(remainder)):
        options = core.DeliveryOptions(
            batch_size=2, rank=rank, world_size=2, remainder=remainder
        )
        delivery = core.Delivery.make(plan, 0, options)
        got = [["-"] * delivery.batch_rows(k) for k in range(delivery.num_batches)]
        for _, _, _, k, begin, step, count, slot, slot_step in delivery.runs():
            for i in range(count):
                got[k][slot + i * slot_step] = str(begin + i * step)
        assert " | ".join(map(" ".join, got)) == of_rank
