# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Draws order.svg, the picture of docs/order.md, from the kernel's own plan.

python docs/images/order.py
"""

from __future__ import annotations

import colorsys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from rowfeed._native import core

NUM_GROUPS, GROUP_ROWS = 12, 8
NUM_LANES = WORLD_SIZE = 2
BATCH_SIZE = 6
ORDER = core.OrderOptions(
    shuffle=True, seed=1, shuffle_window=24, block_rows=0, num_lanes=NUM_LANES
)

CELL = 9  # A row's width in pixels. It is 16 for ranks, whose steps have half the rows.
LEFT, WIDTH, HEIGHT = 96, 990, 336
NUM_ROWS = NUM_GROUPS * GROUP_ROWS
NUM_STEPS = NUM_ROWS // (BATCH_SIZE * WORLD_SIZE)


def color(row: int) -> str:
    """Returns the colour of a row's row group."""
    group = row // GROUP_ROWS
    lightness = (0.42, 0.60, 0.76)[group % 3]
    channels = colorsys.hls_to_rgb(group / NUM_GROUPS, lightness, 0.65)
    return "#" + "".join(f"{round(255 * c):02x}" for c in channels)


def text(x: float, y: float, words: str, anchor: str = "start") -> str:
    """Returns a line of words."""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{words}</text>'


def cells(rows: Sequence[int], x: float, y: float, width: float) -> Iterator[str]:
    """Yields a run of rows, neighbours of one colour as one rectangle."""
    begin = 0
    for end in range(1, len(rows) + 1):
        if end == len(rows) or color(rows[end]) != color(rows[begin]):
            yield (
                f'<rect x="{x + begin * width:g}" y="{y:g}" height="20" '
                f'width="{(end - begin) * width:g}" fill="{color(rows[begin])}"/>'
            )
            begin = end


def bracket(begin: int, end: int, y: float, words: str) -> Iterator[str]:
    """Yields a brace below the rows [begin, end) of the line, with words."""
    left, right = LEFT + begin * CELL + 2, LEFT + end * CELL - 2
    yield f'<path d="M{left} {y}v5H{right}v-5" fill="none" stroke="#555"/>'
    yield text((left + right) / 2, y + 18, words, "middle")


def draw_line(plan: core.EpochPlan) -> tuple[list[str], list[list[int]]]:
    """Draws row groups, line, windows and lanes; returns the rows of each lane too."""
    parts = [text(0, 25, "row groups")]
    for group in range(NUM_GROUPS):
        base, x = group * GROUP_ROWS, LEFT + group * GROUP_ROWS * CELL
        parts += cells(range(base, base + GROUP_ROWS), x, 10, CELL)
        parts.append(text(x + GROUP_ROWS * CELL / 2, 25, str(group), "middle"))

    parts += [text(0, 69, "line"), text(0, 113, "windows,"), text(0, 128, "permuted")]
    lanes: list[list[int]] = []
    end = 0
    for lane in range(NUM_LANES):
        lane_begin = end
        lanes.append([])
        for index, pieces in enumerate(plan.windows(lane)):
            begin, x = end, LEFT + end * CELL
            rows = np.concatenate(
                [np.arange(b, e) + group * GROUP_ROWS for group, b, e in pieces]
            )
            parts += cells(rows.tolist(), x, 54, CELL)
            for k, (group, *_) in enumerate(pieces):
                middle = x + (k + 0.5) * GROUP_ROWS * CELL
                parts.append(text(middle, 69, str(group), "middle"))
            lanes[lane] += rows[plan.permutation(lane, index)].tolist()
            end = begin + len(rows)
            parts += cells(lanes[lane][begin - lane_begin :], x, 103, CELL)
            parts += bracket(begin, end, 127, f"window {index}")
        parts += bracket(lane_begin, end, 152, f"lane {lane}")
    return parts, lanes


def draw_steps(lanes: list[list[int]]) -> Iterator[str]:
    """Draws the batches of the ranks."""
    stream = [lanes[g % NUM_LANES][g // NUM_LANES] for g in range(NUM_ROWS)]
    for rank in range(WORLD_SIZE):
        yield text(0, 223 + 28 * rank, f"rank {rank}")
    yield text(0, 291, "global batch")
    global_batch = BATCH_SIZE * WORLD_SIZE
    for step in range(NUM_STEPS):
        x = LEFT + step * global_batch * CELL + 6
        rows = stream[step * global_batch : (step + 1) * global_batch]
        for rank in range(WORLD_SIZE):
            yield from cells(rows[rank::WORLD_SIZE], x, 208 + 28 * rank, 16)
        yield from cells(rows, x, 276, 8)
        yield text(x + 48, 318, f"step {step}", "middle")


def picture() -> str:
    """Returns the SVG."""
    plan = core.EpochPlan.make([GROUP_ROWS] * NUM_GROUPS, ORDER, 0)
    parts, lanes = draw_line(plan)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13">'
    )
    background = f'<rect x="-8" width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    return "\n".join([head, background, *parts, *draw_steps(lanes), "</svg>", ""])


if __name__ == "__main__":
    Path(__file__).with_suffix(".svg").write_text(picture())
