# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the dataset that a state is of, in the order that the state says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rowfeed._mix.mix import built
from rowfeed._mix.mixture_parameters import mixed
from rowfeed._options.options import ORDER
from rowfeed._state.form import checked

# The options that a state says, beside those of the order.
_EPOCHS: Final = ("first_epoch", "reshuffle_each_iteration")


def dataset_of(
    cls: Any,
    state_dict: object,
    paths: Any,
    batch_size: int | None,
    options: Mapping[str, Any],
) -> Any:
    """Returns a dataset, or a mixture, in the order of a state.

    Args:
        cls: Class of the dataset.
        state_dict: The state.
        paths: Paths or catalog; for a mixture, a list with those of each source.
        batch_size: Number of rows in a batch of one rank.
        options: Other options of the constructor. For a mixture, `filter` and `split`
            are lists with an entry for each source.

    Raises:
        TypeError: The state says an option that is given, or an option has the wrong
            type.
        ValueError: The state is malformed, or a list has not one entry for each source.
    """
    fields = checked(state_dict)
    for name in (*ORDER, *_EPOCHS):
        if name in options:
            raise TypeError(f"from_state has no option {name!r}: the state says it")
    if "mixture" not in fields:
        return cls(paths, batch_size, **_said_by(fields["order"]), **options)
    mixture = fields["mixture"]
    orders = [source["order"] for source in mixture["sources"]]
    lists = {"paths": paths}
    lists.update(
        (name, options[name]) for name in ("filter", "split") if name in options
    )
    for name, value in lists.items():
        _check_one_each(name, value, len(orders))
    shared = {name: value for name, value in options.items() if name not in lists}
    sources = []
    for i, order in enumerate(orders):
        own = {name: value[i] for name, value in lists.items()}
        data = own.pop("paths")
        sources.append(cls(data, batch_size, **_said_by(order), **shared, **own))
    parameters = mixed(
        [source._parameters for source in sources],
        [(0, list(mixture["weights"]))],
        mixture["stop"],
    )
    return built(sources, parameters)


def _said_by(order: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options that the order of a state stands for."""
    said = {name: order[name] for name in ORDER}
    said["block_rows"] = said["block_rows"] or None
    if order["pinned_epoch"] is not None:
        said["first_epoch"] = order["pinned_epoch"]
        said["reshuffle_each_iteration"] = False
    return said


def _check_one_each(name: str, value: object, num_sources: int) -> None:
    is_list = isinstance(value, Sequence) and not isinstance(value, (str, bytes))
    if not is_list:
        raise TypeError(
            f"{name} must be a list with an entry for each of the {num_sources} "
            f"sources of the state's mixture, not {value!r}"
        )
    if len(value) != num_sources:  # type: ignore[arg-type]
        raise ValueError(
            f"{name} must have an entry for each of the {num_sources} sources of the "
            f"state's mixture, not {len(value)}"  # type: ignore[arg-type]
        )
