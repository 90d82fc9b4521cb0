# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the catalogue of faults into docs/reliability.md, with the tests of each.

    python tools/fault_table.py

tools/faults.tsv has the words of the catalogue. A test says which faults it shows: a
Python test by `@pytest.mark.fault(11)`, a C++ test by the comment
`// This test shows fault 11 of docs/reliability.md.` right above its TEST. A fault that
no test shows has a reason in the fourth column of tools/faults.tsv.
"""

from __future__ import annotations

import ast
import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reliability.md"
WORDS = Path(__file__).with_name("faults.tsv")
NUM_FAULTS = 55
BEGIN = "<!-- tools/fault_table.py writes the table down to the next comment. -->"
END = "<!-- The table of faults ends here. -->"
HEAD = (
    "| # | fault | what rowfeed does | tests that show it, or why there is none |\n"
    "|---|---|---|---|\n"
)

CPP_TEST = re.compile(
    r"^((?://.*\n)*)TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", re.MULTILINE
)
CPP_MARK = re.compile(
    r"^// This test shows fault (\d+) of docs/reliability\.md\.$", re.MULTILINE
)


@dataclass(frozen=True)
class Fault:
    """One row of the catalogue.

    Attributes:
        number: Number of the fault, from 1 on.
        fault: What goes wrong, as a sentence.
        answer: What rowfeed does then, for users.
        reason: Why no test shows it, or "".
    """

    number: int
    fault: str
    answer: str
    reason: str


# A number of a fault, and the name of a test that shows it.
Mark = tuple[int, str]


def faults() -> list[Fault]:
    """Returns the rows of tools/faults.tsv."""
    with WORDS.open(encoding="utf-8", newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            Fault(int(row["number"]), row["fault"], row["answer"], row["reason"] or "")
            for row in rows
        ]


def python_marks(source: str) -> Iterator[Mark]:
    """Yields the marks of a module of tests.

    Raises:
        ValueError: A mark is not a decorator of a function, or has no numbers.
    """
    tree = ast.parse(source)
    marks = {id(node) for node in ast.walk(tree) if _is_mark(node)}
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for mark in filter(_is_mark, function.decorator_list):
            marks.discard(id(mark))
            assert isinstance(mark, ast.Call)
            if not mark.args:
                raise ValueError(f"a mark of {function.name} names no fault")
            for number in mark.args:
                yield int(ast.literal_eval(number)), function.name
    if marks:
        raise ValueError("a mark of a fault is no decorator of a test")


def cpp_marks(source: str) -> Iterator[Mark]:
    """Yields the marks of a C++ source.

    Raises:
        ValueError: A comment that marks a test does not stand right above a TEST.
    """
    num_read = 0
    for comment, suite, name in CPP_TEST.findall(source):
        for number in CPP_MARK.findall(comment):
            num_read += 1
            yield int(number), f"{suite}.{name}"
    if num_read != len(re.findall(r"This test shows fault", source)):
        raise ValueError("a mark of a fault does not stand right above a TEST")


def marked_tests() -> dict[int, dict[str, list[str]]]:
    """Returns the names of the tests of each fault, by the path of their file."""
    found: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for pattern, read in (
        ("tests/**/test_*.py", python_marks),
        ("cc/**/*_test.cc", cpp_marks),
    ):
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            try:
                for number, test in read(path.read_text(encoding="utf-8")):
                    found[number][name].append(test)
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from error
    return found


def table() -> str:
    """Returns the table in Markdown."""
    tests = marked_tests()
    return HEAD + "".join(
        f"| {fault.number} | {fault.fault} | {fault.answer} "
        f"| {_tests_cell(tests[fault.number]) or fault.reason} |\n"
        for fault in faults()
    )


def problems() -> list[str]:
    """Returns a sentence for each fault that the table does not account for."""
    tests, known = marked_tests(), faults()
    found = []
    if [fault.number for fault in known] != list(range(1, NUM_FAULTS + 1)):
        found.append(f"tools/faults.tsv does not have the numbers 1 to {NUM_FAULTS}")
    found += [
        f"a test shows fault {number}, which is not in the catalogue"
        for number in tests.keys() - {fault.number for fault in known}
    ]
    for fault in known:
        if bool(tests.get(fault.number)) == bool(fault.reason):
            which = "both a test and" if fault.reason else "neither a test nor"
            found.append(f"fault {fault.number} has {which} a reason why it has none")
        if not (fault.fault.endswith(".") and fault.answer.endswith(".")):
            found.append(f"fault {fault.number} is not described by whole sentences")
    return found


def page() -> str:
    """Returns docs/reliability.md with the table as it must be."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{table()}\n{END}{after}"


def _is_mark(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.fault"


def _tests_cell(tests: dict[str, list[str]]) -> str:
    return "; ".join(
        f"`{path}`: " + ", ".join(f"`{name}`" for name in names)
        for path, names in tests.items()
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
