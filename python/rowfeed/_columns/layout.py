# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How columns make up an element: names, nested dicts, label and weight."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from rowfeed._columns.column import Column
from rowfeed._columns.stack import Stack
from rowfeed._columns.unsupported import refusal
from rowfeed._native import core

VALID = "__valid"  # What a feature of flags is asked for by: False for fill rows.

# The index of an output of the stream, or a dict of these: the fields of a struct.
Tree: TypeAlias = "int | dict[str, Tree]"


@dataclass(frozen=True)
class Layout:
    """How the outputs of the stream make up an element.

    A dict of features; with a label `(features, label)`; with a label and either a
    sample weight or rows that may be fill `(features, label, weight)`.

    Attributes:
        features: Where each feature comes from.
        label: Where the label, which is delivered apart, comes from.
        sample_weight: The output that is delivered apart as the weight.
        padded: Whether rows may be fill (remainder="pad", refresh): their weight is 0.
        valid: The name of the feature that says which rows are no fill; None: there is
            no such feature, because the weight says it or no row is fill.
    """

    features: dict[str, Tree]
    label: Tree | None = None
    sample_weight: Tree | None = None
    padded: bool = False
    valid: str | None = None

    @property
    def has_weight(self) -> bool:
        """Whether elements have a third part."""
        return self.label is not None and (
            self.sample_weight is not None or self.padded
        )

    def arrange(self, outputs: Sequence[Any], valid: Any, weight_of: Any) -> Any:
        """Returns the element made of a batch's tensors, or of what stands for them.

        Args:
            outputs: One per output of the stream.
            valid: The flags of the rows: False for fill. None unless padded.
            weight_of: Called as weight_of(valid) for the weight of rows that have none
                of their own.
        """
        if self._names is None:
            features = _pick(self.features, outputs)
        else:
            features = dict(zip(self._names, outputs, strict=False))
        if self.valid is not None:
            features[self.valid] = valid
        if self.label is None:
            return features
        label = _pick(self.label, outputs)
        if not self.has_weight:
            return features, label
        if self.sample_weight is None:
            return features, label, weight_of(valid)
        return features, label, _pick(self.sample_weight, outputs)  # Fill rows: zeros.

    @cached_property
    def _names(self) -> tuple[str, ...] | None:
        """The features' names, if those are the first outputs, one by one, in order."""
        in_order = [*self.features.values()] == [*range(len(self.features))]
        return (*self.features,) if in_order else None


def _pick(tree: Tree, outputs: Sequence[Any]) -> Any:
    if isinstance(tree, int):
        return outputs[tree]
    return {name: _pick(branch, outputs) for name, branch in tree.items()}


class Asked(NamedTuple):
    """A leaf of the schema that a stream is asked for, and the stack that it is in."""

    column: Column
    stack: tuple[str, Stack] | None = None

    def feature(self, catalog: core.Catalog) -> core.Feature:
        """Returns what the kernel is asked for; it raises what `Column` does."""
        feature = self.column.feature(catalog)
        if self.stack is not None:
            name, stack = self.stack
            feature.set_stack(name, by_rows=stack.layout == "rows")
        return feature


class LayoutBuilder:
    """Collects the columns that a stream is asked for, and where each one goes.

    Attributes:
        columns: What the stream is asked for.
        valid: The name of the feature that was asked for as `__valid`, or None.
    """

    def __init__(
        self, native: Sequence[core.Column], apart: Sequence[Column | None]
    ) -> None:
        """Takes the columns of the catalog, and those that are delivered apart."""
        self._native = native
        self._names = frozenset(column.name for column in native)
        self._apart = {
            leaf.name
            for spec in apart
            if spec is not None
            for _, leaf in self._leaves(spec)
        }
        self.columns: list[Asked] = []
        self.valid: str | None = None
        self._num_outputs = 0

    def add_all(self) -> dict[str, Tree]:
        """Asks for every column but those apart; returns their tree.

        The index of a pandas table is left out where pandas made up its name: it
        numbers rows, and nobody called it a column.
        """
        if any(c.unsupported and not c.is_added_index for c in self._native):
            raise NotImplementedError(refusal(self._native, self._apart))
        features: dict[str, Tree] = {}
        for column in self._native:
            if column.name not in self._apart and not column.is_added_index:
                self._insert(features, tuple(column.path), Column(column.name))
        return features

    def add(self, asked: Mapping[str, Column | Stack]) -> dict[str, Tree]:
        """Asks for the columns of features; returns their tree."""
        features: dict[str, Tree] = {}
        for key, spec in asked.items():
            if isinstance(spec, Stack):
                members = spec.members(self._native, self._names, self._apart)
                self.columns.extend(Asked(member, (key, spec)) for member in members)
                self._place(features, key)
                continue
            if self._is_valid(spec):
                if not key:
                    raise ValueError(f"{VALID!r} is a feature, not a label or weight")
                self.valid = key
                continue
            for below, leaf in self._leaves(spec):
                self._insert(features, (key, *below), leaf)
        if self.valid in features:
            raise ValueError(f"two features are called {self.valid!r}")
        return features

    def _is_valid(self, spec: Column) -> bool:
        """Whether it is the flags; a column of the files of that name comes first."""
        if spec.name != VALID or any(c.path[0] == VALID for c in self._native):
            return False
        if spec != Column(VALID):
            raise ValueError(
                f"{VALID!r} is bool, and made by rowfeed: name it without options"
            )
        return True

    def _leaves(self, spec: Column) -> list[tuple[tuple[str, ...], Column]]:
        """Returns the columns that a name stands for, with the fields below it."""
        found = [
            (below, spec if name == spec.name else replace(spec, name=name))
            for below, name in self._below.get(spec.name, ())
        ]
        return _one_of_twins(found) or found or [((), spec)]  # The kernel says why.

    @cached_property
    def _below(self) -> dict[str, list[tuple[tuple[str, ...], str]]]:
        """For each name of a column or a struct, the fields below it and their columns.

        Paths that differ may have one name, since dots join them.
        """
        below: dict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
        for column in self._native:
            path = tuple(column.path)
            for depth in range(1, len(path) + 1):
                below[".".join(path[:depth])].append((path[depth:], column.name))
        return below

    def _insert(
        self, features: dict[str, Tree], path: tuple[str, ...], column: Column
    ) -> None:
        *above, name = path
        tree: Any = features
        for field in above:
            tree = tree.setdefault(field, {})
        self.columns.append(Asked(column))
        self._place(tree, name)
        if column.mask:
            self._place(tree, f"{name}__mask")

    def _place(self, tree: dict[str, Tree], name: str) -> None:
        if name in tree:
            raise ValueError(f"two features are called {name!r}")
        tree[name] = self._num_outputs
        self._num_outputs += 1


def _one_of_twins(
    leaves: list[tuple[tuple[str, ...], Column]],
) -> list[tuple[tuple[str, ...], Column]]:
    """Returns a leaf whose name another one has, or none; the kernel refuses it."""
    times = Counter(leaf.name for _, leaf in leaves)
    return [pair for pair in leaves if times[pair[1].name] > 1][:1]


def named(
    columns: object, label: object, sample_weight: object
) -> tuple[dict[str, Column | Stack] | None, Column | None, Column | None]:
    """Checks the three keywords that name columns and returns their specs."""
    target = None if label is None else Column.of(label, "label")
    weight = (
        None if sample_weight is None else Column.of(sample_weight, "sample_weight")
    )
    if weight is not None and target is None:
        raise ValueError("sample_weight needs a label")
    for keyword, apart in (("label", target), ("sample_weight", weight)):
        if apart is not None and apart.mask:
            raise ValueError(f"{keyword} has no place for a mask")
    specs = None if columns is None else _features(columns)
    names = [spec.name for spec in (target, weight) if spec is not None]
    for name, spec in (specs or {}).items():  # A dict gives features other names, too.
        if isinstance(spec, Column) and spec.name == name:
            names.append(name)
    for name, times in Counter(names).items():
        if times > 1:
            raise _TwiceError(name)
    return specs, target, weight


class _TwiceError(ValueError):
    def __init__(self, name: str) -> None:
        super().__init__(
            f"column {name!r} is named twice: columns, label and sample_weight "
            "are delivered apart"
        )


def _features(columns: object) -> dict[str, Column | Stack]:
    if isinstance(columns, Mapping):
        for name in columns:
            if not isinstance(name, str):
                raise TypeError(f"the name of a feature must be a str, not {name!r}")
        return {
            name: spec if isinstance(spec, Stack) else Column.of(spec, "columns")
            for name, spec in columns.items()
        }
    if isinstance(columns, (str, Column)) or not isinstance(columns, Sequence):
        raise TypeError(
            "columns must be a sequence of names, or a dict from the names of features "
            f"to columns, not {columns!r}"
        )
    specs: dict[str, Column | Stack] = {}
    for spec in columns:
        if isinstance(spec, Stack):
            raise TypeError('a Stack needs a name: columns={"x": Stack([...])}')
        column = Column.of(spec, "columns")
        if column.name in specs:
            raise _TwiceError(column.name)
        specs[column.name] = column
    return specs
