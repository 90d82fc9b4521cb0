# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Plans of the order's model that Hypothesis draws."""

from __future__ import annotations

from hypothesis import strategies as st

from order_model import Plan

WORDS = st.integers(0, 2**64 - 1)
REMAINDERS = st.sampled_from(["drop", "pad", "wrap", "uneven"])
EDGES = [0, 1, *(2**k + d for k in range(2, 6) for d in (-1, 0, 1))]
GROUPS = st.lists(st.sampled_from(EDGES) | st.integers(0, 40), max_size=8)


@st.composite
def plans(draw: st.DrawFn, shuffle: bool = True) -> Plan:
    return Plan(
        draw(GROUPS),
        shuffle=shuffle,
        seed=draw(WORDS),
        epoch=draw(WORDS),
        shuffle_window=draw(st.integers(1, 100)),
        block_rows=draw(st.none() | st.integers(1, 50)),
        num_lanes=draw(st.integers(1, 6)),
    )
