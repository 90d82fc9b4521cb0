# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A stable share of the rows of a data set."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, get_args

from rowfeed._catalog.filters import Filter
from rowfeed._process.checks import Integer

if TYPE_CHECKING:
    import pyarrow.compute as pc

Unit = Literal["row", "row_group", "file"]

# The hashes of rows are integers in [0, 2**63). A float times this has no error.
_NUM_HASHES: Final = 2**63
_TOLERANCE: Final = 1e-9  # The greatest error in a sum of fractions.


@dataclass(frozen=True)
class Split:
    """A share of the rows of a data set, such as the rows to train with.

    Each row has a hash that is uniform in [0, 1). A split has the rows whose hash is in
    [begin, end), so that splits whose ranges do not meet share no row, and ranges that
    fill [0, 1) leave out none. The hash is XXH3 (Collet, xxHash) of `seed` and

     * of the row's place, which is the path of its file below the directory that was
       opened, its row group, and its number there. A row keeps its place when files are
       added, and loses it if its file is written anew or renamed;
     * or of its value in the column `by`, so that all rows of a user are on one side,
       in every file. All nulls are on one side too.

    A split acts as a filter does: `len`, steps, states and ranks count its rows alone.
    Of row groups and files that are wholly on the other side nothing is read.

    Give all parts of a data set the same paths, or one `Catalog`: a file that is listed
    by itself has another path below the directory than within its folder.

    Args:
        begin: Least hash of the rows in the split, in [0, 1).
        end: Least hash of the rows behind the split, in (0, 1].
        seed: Number in [0, 2**64) that makes another hash. Splits of one data set that
            belong together have the same.
        by: Column whose values are hashed: numbers, strings, binaries, dates or times,
            one value per row. Default: the place of the row.
        unit: Smallest part of the data set that is on one side as a whole: "row",
            "row_group" or "file". A split by row groups or files reads only its own
            part of the data, and is as exact as their number allows.
        inverted: Whether the split has the rows outside of the range, as `~split` has.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: The range is empty or not within [0, 1], there is no such unit, or
            `by` is given with another unit than "row".

    Example:
        >>> parts = rowfeed.Split.parts({"train": 0.8, "test": 0.2}, by="user")
        >>> train = rowfeed.ParquetDataset("data", 32, split=parts["train"])
        >>> test = rowfeed.ParquetDataset("data", 32, split=parts["test"])
    """

    begin: float
    end: float
    _: KW_ONLY
    seed: int = 0
    by: str | None = None
    unit: Unit = "row"
    inverted: bool = False

    def __post_init__(self) -> None:
        for name in ("begin", "end"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(f"{name} must be a number, not {value!r}")
        if not 0 <= self.begin < self.end <= 1:
            raise ValueError(
                "begin and end must be a range of hashes, 0 <= begin < end <= 1, but "
                f"begin={self.begin} and end={self.end}"
            )
        Integer(0, 2**64 - 1)("seed", self.seed)
        if self.by is not None and not isinstance(self.by, str):
            raise TypeError(f"by must be the name of a column, not {self.by!r}")
        if self.unit not in get_args(Unit):
            units = ", ".join(map(repr, get_args(Unit)))
            raise ValueError(f"unit must be one of {units}, not {self.unit!r}")
        if self.by is not None and self.unit != "row":
            raise ValueError(
                f"by={self.by!r} and unit={self.unit!r} exclude each other: a split by "
                "a column's values goes through row groups and files"
            )

    @classmethod
    def parts(
        cls,
        fractions: Mapping[str, float],
        *,
        seed: int = 0,
        by: str | None = None,
        unit: Unit = "row",
    ) -> dict[str, Split]:
        """Returns splits that share no row and leave out none, by their names.

        Args:
            fractions: Fraction of the rows that each split has. The fractions are
                greater than 0, and their sum is 1.
            seed: See `Split`.
            by: See `Split`.
            unit: See `Split`.

        Raises:
            ValueError: The sum is not 1, or a fraction is not greater than 0.
        """
        total = math.fsum(fractions.values())
        if not abs(total - 1) <= _TOLERANCE:  # NaN is refused, too.
            hint = ""
            if 0 < total < math.inf:
                hint = f": divide each of them by {total:g}"
            raise ValueError(f"the sum of the fractions must be 1, not {total:g}{hint}")
        found, values = {}, list(fractions.values())
        for i, name in enumerate(fractions):
            end = 1.0 if i + 1 == len(values) else math.fsum(values[: i + 1])
            begin = math.fsum(values[:i])
            if not begin < end:
                raise ValueError(
                    f"the fraction of {name!r} must be greater than 0, not {values[i]}"
                )
            found[name] = cls(begin, end, seed=seed, by=by, unit=unit)
        return found

    @classmethod
    def fold(
        cls,
        index: int,
        num_folds: int,
        *,
        seed: int = 0,
        by: str | None = None,
        unit: Unit = "row",
    ) -> Split:
        """Returns one of the folds of a cross-validation; `~` has all other rows.

        Args:
            index: Number of the fold, in [0, num_folds).
            num_folds: Number of folds, at least 2.
            seed: See `Split`.
            by: See `Split`.
            unit: See `Split`.

        Raises:
            TypeError: A number is not an integer.
            ValueError: A number is out of range.

        Example:
            >>> test = rowfeed.Split.fold(0, 5)
            >>> train = ~test
        """
        Integer(2, _NUM_HASHES)("num_folds", num_folds)
        Integer(0, num_folds - 1)("index", index)
        ends = index / num_folds, (index + 1) / num_folds
        return cls(*ends, seed=seed, by=by, unit=unit)

    def __invert__(self) -> Split:
        """Returns the split of all other rows."""
        return replace(self, inverted=not self.inverted)

    def __repr__(self) -> str:
        said = [f"{self.begin!r}, {self.end!r}"]
        said += [f"seed={self.seed}"] if self.seed else []
        said += [f"by={self.by!r}"] if self.by is not None else []
        said += [f"unit={self.unit!r}"] if self.unit != "row" else []
        return f"{'~' if self.inverted else ''}Split({', '.join(said)})"

    def _expression(self) -> pc.Expression:
        """Returns the condition for the kernel, which knows columns of hashes."""
        import pyarrow.compute as pc

        kind = f"{self.unit}:{self.seed}"
        if self.by is not None:
            kind = f"by:{self.seed}:{self.by}"
        hashes = pc.field(f"__split:{kind}")
        is_in = hashes >= int(self.begin * _NUM_HASHES)
        if self.end < 1:
            is_in &= hashes < int(self.end * _NUM_HASHES)
        return ~is_in if self.inverted else is_in


def condition_of(given: Filter | None, split: Split | None) -> Filter | None:
    """Returns the filter for the rows that pass `given` and are in `split`."""
    if split is None:
        return given
    condition, text = split._expression(), repr(split)
    if given is not None:
        condition, text = given.expression & condition, f"{given.text} and {text}"
    return replace(Filter.of(condition), text=text)
