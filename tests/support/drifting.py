# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Data sets whose files differ in a column, and what is right to make of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from rowfeed import Column, HashBuckets, Padded, Vocabulary

MISSING: Final = None
ROWS: Final = 40  # rows of each file


@dataclass(frozen=True)
class Drift:
    """A column "x" that files have in different ways.

    Attributes:
        name: Name of the case.
        files: For each file the column's type, or MISSING, and the values, which are
            repeated.
        spec: What settles it.
        advice: What the error without it gives; None: there is no such error, as some
            of it is asked for other reasons.
        expected: The values of each file as they are delivered; default: the same.
    """

    name: str
    files: list[tuple[pa.DataType | None, list[Any]]]
    spec: dict[str, Any]
    advice: str | None
    expected: list[list[Any]] = field(default_factory=list)

    def write(self, folder: Path, **writing: Any) -> Path:
        """Writes the files, each with ids and a column of its own."""
        folder.mkdir(exist_ok=True)
        for i in range(len(self.files)):
            self.write_file(folder, i, **writing)
        return folder

    def write_file(self, folder: Path, index: int, **writing: Any) -> None:
        """Writes one file; the order of the columns is another in each second one."""
        type_, values = self.files[index]
        ids = list(range(index * ROWS, (index + 1) * ROWS))
        columns = {"id": pa.array(ids, pa.int64()), "other": pa.array(ids, pa.int32())}
        if type_ is not MISSING:
            repeated = [values[i % len(values)] for i in range(ROWS)]
            columns["x"] = pa.array(repeated, type_)
        if index % 2:
            columns = dict(reversed(columns.items()))
        writing = {"row_group_size": 17, **writing}
        pq.write_table(pa.table(columns), folder / f"{index}.parquet", **writing)

    def rows(self, *files: int) -> dict[int, Any]:
        """Returns what is delivered for each id, of all files or of some."""
        found = {}
        for index in files or range(len(self.files)):
            values = self.expected[index] if self.expected else self.files[index][1]
            for i in range(ROWS):
                found[index * ROWS + i] = values[i % len(values)]
        return found

    def columns(self) -> list[Any]:
        return ["id", Column("x", **self.spec)]


def fills(value: Any) -> tuple[pa.DataType | None, list[Any]]:
    return MISSING, [value]


DAY: Final = 86_400
INTS: Final = [3, -7, 0, 12]
TEXTS: Final = ["a", "", "long " * 9]
NUMBERS: Final = (pa.int64(), INTS)

CASES: Final = [
    Drift("missing", [NUMBERS, fills(-1), NUMBERS], {"fill": -1}, "fill=0"),
    Drift("missing_first", [fills(-1), fills(-1), NUMBERS], {"fill": -1}, "fill=0"),
    Drift("missing_masked", [NUMBERS, fills(0)], {"mask": True}, "fill=0"),
    Drift(
        "missing_floats",
        [(pa.float32(), [0.5, 2.0]), fills(0.25)],
        {"fill": 0.25},
        "fill=0.0",
    ),
    Drift(
        "missing_strings",
        [(pa.string(), TEXTS), fills("none")],
        {"fill": "none"},
        'fill=""',
    ),
    Drift(
        "missing_bools",
        [(pa.bool_(), [True]), fills(False)],
        {"fill": False},
        "fill=False",
    ),
    Drift(
        "missing_decimals",
        [(pa.decimal128(9, 2), [1, 2]), fills(0.5)],
        {"fill": 0.5},
        "fill=0.0",
        [[1.0, 2.0], [0.5]],
    ),
    Drift(
        "missing_lists",
        [(pa.list_(pa.int32()), [[1], [], [2, 3]]), fills([])],
        {"fill": 0},
        "fill=0",
    ),
    Drift(
        "missing_lists_of_lists",
        [(pa.list_(pa.list_(pa.string())), [[["a"], []], []]), fills([])],
        {"fill": ""},
        'fill=""',
    ),
    Drift(
        "missing_vectors",
        [(pa.list_(pa.float32(), 2), [[1.0, 2.0]]), fills([0.5, 0.5])],
        {"fill": 0.5},
        "fill=0.0",
    ),
    Drift(
        "missing_shaped",
        [(pa.list_(pa.float32()), [[1.0, 2.0]]), fills([0.5, 0.5])],
        {"fill": 0.5, "shape": (2,)},
        "fill=0.0",
    ),
    Drift(
        "missing_padded",
        [(pa.list_(pa.int64()), [[1], [2, 3]]), fills([9, 9])],
        {"fill": 0, "pad": Padded(2, value=9)},
        "fill=0",
        [[[1, 9], [2, 3]], [[9, 9]]],
    ),
    Drift(
        "missing_encoded",
        [(pa.string(), ["b", "a"]), fills(7)],
        {"fill": 7, "encode": Vocabulary(["a", "b"])},
        'fill=""',
        [[1, 0], [7]],
    ),
    Drift(
        "missing_times",
        [(pa.timestamp("us"), [5, 6]), fills(0)],
        {"fill": 0, "unit": "ns"},
        "fill=0",
        [[5000, 6000], [0]],
    ),
    Drift("null", [NUMBERS, (pa.null(), [None])], {"fill": -1}, "fill=0", [INTS, [-1]]),
    Drift(
        "null_first",
        [(pa.null(), [None]), (pa.string(), TEXTS), fills("?")],
        {"fill": "?"},
        'fill=""',
        [["?"], TEXTS, ["?"]],
    ),
    Drift(
        "null_beside_lists",
        [(pa.list_(pa.int32()), [[1], []]), (pa.null(), [None])],
        {"mask": "rows"},
        "fill=0",
        [[[1], []], [[]]],
    ),
    Drift(
        "widths",
        [(pa.int32(), INTS), NUMBERS, (pa.int8(), INTS)],
        {"dtype": "int64"},
        'dtype="int64"',
    ),
    Drift(
        "widths_narrowed",
        [NUMBERS, (pa.int32(), INTS)],
        {"dtype": "int16"},
        'dtype="int64"',
    ),
    Drift(
        "signs",
        [(pa.uint32(), [7, 2**31]), (pa.int32(), INTS)],
        {"dtype": "int64"},
        'dtype="int64"',
    ),
    Drift(
        "floats",
        [(pa.float32(), [0.5]), (pa.float64(), [0.25]), (pa.float16(), [2.0])],
        {"dtype": "float32"},
        'dtype="float64"',
    ),
    Drift(
        "ints_and_floats",
        [(pa.int64(), INTS), (pa.float64(), [0.5])],
        {"dtype": "float64"},
        'dtype="float64"',
    ),
    Drift(
        "bools_and_ints",
        [(pa.bool_(), [True, False]), (pa.int8(), INTS)],
        {"dtype": "int8"},
        'dtype="int8"',
        [[1, 0], INTS],
    ),
    Drift(
        "decimals_and_floats",
        [(pa.decimal128(9, 2), [1, 2]), (pa.float64(), [0.5])],
        {"dtype": "float64"},
        'dtype="float64"',
        [[1.0, 2.0], [0.5]],
    ),
    Drift(
        "decimals_and_ints",
        [(pa.int64(), INTS), (pa.decimal128(9, 2), [1, 2])],
        {"dtype": "int64"},
        'dtype="float64"',
    ),
    Drift(
        "scales",
        [(pa.decimal128(9, 2), [1, 2]), (pa.decimal256(50, 20), [3])],
        {},
        None,
        [[1.0, 2.0], [3.0]],
    ),
    Drift(
        "lists_of_widths",
        [(pa.list_(pa.int32()), [[1], [], [2, 3]]), (pa.list_(pa.int64()), [[4]])],
        {"dtype": "int64"},
        'dtype="int64"',
    ),
    Drift(
        "padded_widths",
        [(pa.list_(pa.int64()), [[1]]), (pa.list_(pa.int32()), [[4, 5]])],
        {"dtype": "int64", "pad": Padded(2)},
        'dtype="int64"',
        [[[1, 0]], [[4, 5]]],
    ),
    Drift(
        "widths_and_missing",
        [(pa.int32(), [1, None]), NUMBERS, fills(-2), (pa.null(), [None])],
        {"dtype": "int64", "fill": -2},
        'dtype="int64", fill=0',
        [[1, -2], INTS, [-2], [-2]],
    ),
    Drift(
        "units",
        [(pa.timestamp("us"), [DAY, -1]), (pa.timestamp("ns"), [DAY, -1])],
        {"unit": "ns"},
        'unit="ns"',
        [[DAY * 1000, -1000], [DAY, -1]],
    ),
    Drift(
        "coarser_units",
        [(pa.timestamp("ns"), [2500, -1]), (pa.timestamp("us"), [7, -1])],
        {"unit": "us"},
        'unit="ns"',
        [[2, -1], [7, -1]],
    ),
    Drift(
        "times_of_day",
        [(pa.time32("ms"), [5]), (pa.time64("us"), [6])],
        {"unit": "us"},
        'unit="us"',
        [[5000], [6]],
    ),
    Drift(
        "zoned_units",
        [(pa.timestamp("ms", "UTC"), [5]), (pa.timestamp("us", "Europe/Oslo"), [6])],
        {"unit": "us"},
        'unit="us"',
        [[5000], [6]],
    ),
    Drift(
        "strings_and_binaries",
        [(pa.string(), TEXTS), (pa.binary(), [b"c", b"d"])],
        {"dtype": "string"},
        'dtype="binary"',
        [TEXTS, ["c", "d"]],
    ),
    Drift(
        "binaries_and_strings",
        [(pa.binary(), [b"c"]), (pa.string(), ["d", None])],
        {"dtype": "binary", "fill": b"-"},
        'dtype="binary"',
        [["c"], ["d", "-"]],
    ),
    Drift(
        "binaries_hashed",
        [(pa.binary(), [b"c"]), (pa.string(), ["c"])],
        {"encode": HashBuckets(1)},
        'dtype="binary"',
        [[0], [0]],
    ),
    Drift(
        "fixed_lists_and_any",
        [
            (pa.list_(pa.float32(), 2), [[1.0, 2.0]]),
            (pa.list_(pa.float32()), [[3.0, 4.0]]),
        ],
        {"shape": (2,)},
        "shape=(2,)",
    ),
    Drift(
        "dictionaries_and_required",
        [
            (pa.dictionary(pa.int32(), pa.string()), ["a", "b"]),
            (pa.large_string(), ["c"]),
        ],
        {},
        None,
    ),
]
