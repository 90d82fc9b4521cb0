# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Arranges columns to elements: names, nested dicts, label and weight."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from rowfeed._columns.column import Column
from rowfeed._columns.nearest import MADE_BY_KERNEL
from rowfeed._columns.patterns import Beyond, expanded, has_patterns
from rowfeed._columns.stack import Stack
from rowfeed._columns.unsupported import refusal
from rowfeed._native import core

# The name by which users ask for a feature of flags that are False for fill rows.
VALID = "__valid"
# The names of columns that datasets have although no file has them.
MADE = (*MADE_BY_KERNEL, VALID)

# The index of an output of the stream, or for a struct a dict from fields to these.
Tree: TypeAlias = "int | dict[str, Tree]"


@dataclass(frozen=True)
class Layout:
    """How the outputs of the stream are arranged to an element.

    An element is a dict of features. With a label it is `(features, label)`; with a
    label, and a sample weight or possible fill rows, it is `(features, label, weight)`.

    Attributes:
        features: Outputs of each feature, by its name.
        label: Outputs of the label.
        sample_weight: Output of the sample weight.
        padded: Whether there may be fill rows (remainder="pad", refresh), of weight 0.
        valid: Name of the feature that is False for fill rows. None if there is no such
            feature, because the weight says it or no row is fill.
    """

    features: dict[str, Tree]
    label: Tree | None = None
    sample_weight: Tree | None = None
    padded: bool = False
    valid: str | None = None

    @property
    def has_weight(self) -> bool:
        """Whether elements have a weight as their third part."""
        return self.label is not None and (
            self.sample_weight is not None or self.padded
        )

    def arrange(self, outputs: Sequence[Any], valid: Any, weight_of: Any) -> Any:
        """Returns the element of a batch's tensors, or of specs in their place.

        Args:
            outputs: Tensor or spec of each output of the stream.
            valid: Flags of the rows, False for fill rows. None unless padded.
            weight_of: Function that makes the weights of rows from `valid`, used if
                there is no sample weight.
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
        return features, label, _pick(self.sample_weight, outputs)  # Zero for fill.

    @cached_property
    def _names(self) -> tuple[str, ...] | None:
        """Names of the features if feature i is output i for all of them, else None."""
        in_order = [*self.features.values()] == [*range(len(self.features))]
        return (*self.features,) if in_order else None


def _pick(tree: Tree, outputs: Sequence[Any]) -> Any:
    if isinstance(tree, int):
        return outputs[tree]
    return {name: _pick(branch, outputs) for name, branch in tree.items()}


class ColumnRequest(NamedTuple):
    """A column that a stream is asked for.

    Attributes:
        column: Column, without fields below it.
        stack: Feature name of the stack that the column is in, and the stack. None if
            it is in none.
    """

    column: Column
    stack: tuple[str, Stack] | None = None

    def spec(self, catalog: core.Catalog) -> core.ColumnSpec:
        """Returns the kernel's description of the column; see `Column._column_spec`."""
        spec = self.column._column_spec(catalog)
        if self.stack is not None:
            name, stack = self.stack
            spec.set_stack(name, by_rows=stack.layout == "rows")
        return spec


class LayoutBuilder:
    """Collects the columns that a stream is asked for, and the features they become.

    Attributes:
        columns: Columns that the stream is asked for.
        valid: Name of the feature that is the column `__valid`, or None.
    """

    def __init__(
        self,
        native: Sequence[core.Column],
        apart: Sequence[Column | None],
        beyond: Beyond = tuple,
    ) -> None:
        """Makes a builder without columns.

        Args:
            native: Columns of the catalog.
            apart: Label and sample weight, which are delivered apart.
            beyond: Function that returns columns of the files which the catalog leaves
                out.
        """
        self._native = native
        self._beyond = beyond
        self._names = frozenset(column.name for column in native)
        self._apart = {
            leaf.name
            for spec in apart
            if spec is not None
            for _, leaf in self._leaves(spec)
        }
        self.columns: list[ColumnRequest] = []
        self.valid: str | None = None
        self._num_outputs = 0
        # Paths of the columns that patterns stand for: a struct is a dict of fields.
        self._matched: dict[str, tuple[str, ...]] = {}

    def add_all(self, fixes: Callable[[], Mapping[str, str]]) -> dict[str, Tree]:
        """Asks for all columns but label and weight; returns the tree of features.

        An index that pandas added to the table by itself is left out: it only numbers
        rows.

        Args:
            fixes: Function that returns what to give for columns in which files differ;
                see `pasted.line_of`. It is called for an error over other columns.
        """
        refused = [c for c in self._native if c.unsupported and not c.is_added_index]
        if refused:
            given = {n: fix for n, fix in fixes().items() if n not in self._apart}
            raise self._refusal(refused, None, given)
        features: dict[str, Tree] = {}
        for column in self._native:
            if column.name not in self._apart and not column.is_added_index:
                self._insert(features, tuple(column.path), Column(column.name))
        return features

    def add(self, asked: Mapping[str, Column | Stack]) -> dict[str, Tree]:
        """Asks for the columns of the given features; returns the tree of features."""
        features: dict[str, Tree] = {}
        for key, spec in self.without_patterns(asked).items():
            if isinstance(spec, Stack):
                members = spec._members(
                    self._native, self._names, self._apart, self._beyond
                )
                self.columns.extend(
                    ColumnRequest(member, (key, spec)) for member in members
                )
                self._place(features, key)
                if spec.mask:
                    self._place(features, f"{key}__mask")
                continue
            if key in self._matched and isinstance(spec, Column):
                self._insert(features, self._matched[key], spec)
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

    def _refusal(
        self,
        refused: Sequence[core.Column],
        given: Sequence[Column] | None,
        fixes: Mapping[str, str],
    ) -> NotImplementedError:
        others = (c.name for c in self._native if not c.unsupported)
        are_all = self._apart.issuperset(others)
        return NotImplementedError(refusal(refused, given, fixes, are_all=are_all))

    def without_patterns(
        self, asked: Mapping[str, Column | Stack]
    ) -> Mapping[str, Column | Stack]:
        """Returns the features with columns in the place of patterns."""
        listed = [
            spec
            for key, spec in asked.items()
            if isinstance(spec, Column) and spec.name == key
        ]
        known = {*self._below, *MADE}
        if not has_patterns(listed, known):
            return asked
        columns = expanded(
            listed,
            self._native,
            known,
            self._apart,
            _is_data,
            "columns",
            self._beyond,
        )
        found: dict[str, Column | Stack] = {column.name: column for column in columns}
        matched = [c for c in self._native if c.name in found and c.name not in asked]
        refused = [column for column in matched if column.unsupported]
        if refused:
            is_list = len(listed) == len(asked)
            raise self._refusal(refused, listed if is_list else [], {})
        self._matched = {column.name: tuple(column.path) for column in matched}
        others = {key: spec for key, spec in asked.items() if spec not in listed}
        return {**found, **others}

    def _is_valid(self, spec: Column) -> bool:
        """Returns whether a column means the flags of fill rows.

        It does not if the files have a column called `__valid`.
        """
        if spec.name != VALID or any(c.path[0] == VALID for c in self._native):
            return False
        if spec != Column(VALID):
            raise ValueError(
                f"{VALID!r} is bool, and made by rowfeed: name it without options"
            )
        return True

    def _leaves(self, spec: Column) -> list[tuple[tuple[str, ...], Column]]:
        """Returns the columns that a name stands for, each with its path below it."""
        found = [
            (below, spec if name == spec.name else replace(spec, name=name))
            for below, name in self._below.get(spec.name, ())
        ]
        return _one_of_twins(found) or found or [((), spec)]  # The kernel raises.

    @cached_property
    def _below(self) -> dict[str, list[tuple[tuple[str, ...], str]]]:
        """For each name of a column or struct, its columns with their paths below it.

        Two columns of different paths may share a name, since names may contain dots.
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
        self.columns.append(ColumnRequest(column))
        self._place(tree, name)
        if column.mask:
            self._place(tree, f"{name}__mask")

    def _place(self, tree: dict[str, Tree], name: str) -> None:
        if name in tree:
            raise ValueError(f"two features are called {name!r}")
        tree[name] = self._num_outputs
        self._num_outputs += 1


def _is_data(column: core.Column) -> bool:
    return not column.is_added_index


def _one_of_twins(
    leaves: list[tuple[tuple[str, ...], Column]],
) -> list[tuple[tuple[str, ...], Column]]:
    """Returns, in a list, one column that shares its name with another one, if any.

    The kernel refuses such a name with an error.
    """
    times = Counter(leaf.name for _, leaf in leaves)
    return [pair for pair in leaves if times[pair[1].name] > 1][:1]


def named(
    columns: object, label: object, sample_weight: object
) -> tuple[dict[str, Column | Stack] | None, Column | None, Column | None]:
    """Checks the keywords columns, label and sample_weight, and returns their specs."""
    target = None if label is None else Column._of(label, "label")
    weight = (
        None if sample_weight is None else Column._of(sample_weight, "sample_weight")
    )
    if weight is not None and target is None:
        raise ValueError("sample_weight needs a label")
    for keyword, apart in (("label", target), ("sample_weight", weight)):
        if apart is not None and apart.mask:
            raise ValueError(f"{keyword} has no place for a mask")
    specs = None if columns is None else _features(columns)
    names = [spec.name for spec in (target, weight) if spec is not None]
    # A dict may deliver one column twice, if the features have other names.
    for name, spec in (specs or {}).items():
        if isinstance(spec, Column) and spec.name == name:
            names.append(name)
    for name, times in Counter(names).items():
        if times > 1:
            raise ValueError(
                f"column {name!r} is named twice: columns, label and sample_weight are "
                "delivered apart"
            )
    return specs, target, weight


def _features(columns: object) -> dict[str, Column | Stack]:
    if isinstance(columns, Mapping):
        for name in columns:
            if not isinstance(name, str):
                raise TypeError(f"the name of a feature must be a str, not {name!r}")
        return {
            name: spec if isinstance(spec, Stack) else Column._of(spec, "columns")
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
        column = Column._of(spec, "columns")
        if column.name in specs:
            raise ValueError(f"columns: column {column.name!r} is named twice")
        specs[column.name] = column
    return specs
