# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The variables of a Keras model, its optimizer and metrics, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Group: TypeAlias = Literal["model", "optimizer", "metrics"]


@dataclass(frozen=True)
class Variable:
    """An array of a backup.

    Attributes:
        group: Owner of the array: "model", "optimizer" or "metrics"; "random" for a
            generator of PyTorch.
        name: Name of the variable, for messages.
        value: Values of the array.
    """

    group: str
    name: str
    value: Array

    @property
    def form(self) -> tuple[str, tuple[int, ...], str]:
        """Group, shape and dtype, which a variable and its saved value must share."""
        return self.group, self.value.shape, self.value.dtype.name

    def __str__(self) -> str:
        """Returns the name and the form of the array, for messages."""
        group, shape, dtype = self.form
        return f"{self.name!r} of the {group}, {dtype} of shape {shape}"


def difference(ours: Sequence[Variable], saved: Sequence[Variable]) -> str:
    """Returns how arrays differ in number or form from those of a backup, or ""."""
    for index, (own, other) in enumerate(zip(ours, saved, strict=False)):
        if own.form != other.form:
            return f"variable {index} is {own}, but {other}, in the backup"
    if len(ours) == len(saved):
        return ""
    rest = [v.name for v in (*ours[len(saved) :], *saved[len(ours) :])]
    return (
        f"it has {len(ours)} variables, the backup {len(saved)}; those without a "
        f"counterpart begin with {', '.join(rest[:4])}"
    )


def read(model: Any, *groups: Group) -> list[Variable]:
    """Returns the variables of some groups; a strategy's replicas are merged."""
    return [
        Variable(group, variable.path, variable.numpy())
        for group, variable in _variables(model, groups)
    ]


def assign(model: Any, saved: Sequence[Variable]) -> None:
    """Gives the model and its optimizer the values of a backup.

    Raises:
        ValueError: The backup is of another model. The message names the first
            difference.
    """
    theirs = [each for each in saved if each.group in ("model", "optimizer")]
    differs = difference(read(model, "model", "optimizer"), theirs)
    if differs:
        raise ValueError(differs)
    ours = _variables(model, ("model", "optimizer"))
    for (_, variable), before in zip(ours, theirs, strict=True):
        variable.assign(before.value)


def add_metrics(model: Any, saved: Sequence[Variable]) -> None:
    """Adds the values that metrics had at the backup, in an epoch that goes on.

    Call it after the first step, before which the metrics may not exist. Variables that
    are summed over replicas are sums over batches too, so the saved sum is added. Other
    variables count only the rest of the epoch.
    """
    if difference(read(model, "metrics"), saved):
        return
    for (_, variable), before in zip(
        _variables(model, ("metrics",)), saved, strict=True
    ):
        if variable.aggregation == "sum":
            variable.assign(variable.numpy() + before.value)


def _variables(model: Any, groups: Sequence[Group]) -> list[tuple[Group, Any]]:
    optimizer = model.optimizer
    found: dict[Group, Any] = {
        "model": model.variables,
        "optimizer": [] if optimizer is None else optimizer.variables,
        "metrics": model.metrics_variables,
    }
    return [(group, variable) for group in groups for variable in found[group]]
