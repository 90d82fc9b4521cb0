# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of the same data and order for another rank."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rowfeed._mix.mixture_parameters import MixtureParameters, mixed
from rowfeed._options.parameters import Parameters
from rowfeed._options.remade import remade


def resized(parameters: Parameters, rank: int, world_size: int) -> Parameters:
    """Returns parameters of the same order and batch size, for another rank.

    Args:
        parameters: Parameters of a dataset or of a mixture.
        rank: Rank of this process.
        world_size: Number of ranks.

    Raises:
        ValueError: `rank` is not below `world_size`, or an epoch has no global batch.
    """
    if isinstance(parameters, MixtureParameters):
        sources = [resized(part, rank, world_size) for part in parameters.sources]
        return mixed(sources, parameters.schedule, parameters.stop)
    # Its default follows from `world_size`, but an epoch ends as it has begun.
    remainder: Any = parameters.stream.delivery.remainder
    options = replace(
        parameters.options, rank=rank, world_size=world_size, remainder=remainder
    )
    return remade(parameters, options, parameters.order)
