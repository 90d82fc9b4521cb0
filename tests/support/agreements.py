# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Agreements of ranks that are threads of a test. They need torch."""

from __future__ import annotations

from typing import Any

from rowfeed._torch.ranks import GroupAgreement


def never() -> bool:
    return False


def agreement(
    address: Any, rank: int, world_size: int, timeout_s: float
) -> GroupAgreement:
    return GroupAgreement(
        key="key",
        rank=rank,
        world_size=world_size,
        timeout_s=timeout_s,
        address=address,
    )
