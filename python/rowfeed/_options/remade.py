# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters made anew for the same data, with other options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rowfeed._options.make_parameters import make_parameters
from rowfeed._options.options import ADOPTED, Options
from rowfeed._options.parameters import Parameters


def remade(
    parameters: Parameters, options: Options, order: Mapping[str, Any]
) -> Parameters:
    """Returns parameters for the same data.

    Args:
        parameters: Parameters of the data. Rows that were counted stay counted.
        options: Options of the new parameters.
        order: Values for the order options that the user left at None.
    """
    adopted = {name: order[name] for name in ADOPTED if getattr(options, name) is None}
    made = make_parameters(parameters.catalog, options, adopted)
    if made.stream.order.block_rows == parameters.stream.order.block_rows:
        made.rows.load(parameters.rows.save())
    return made
