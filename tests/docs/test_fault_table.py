# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The catalogue of faults in docs/reliability.md is the one that the tests make."""

from __future__ import annotations

import pytest

import fault_table


def test_table_of_faults_is_that_of_the_marked_tests() -> None:
    text = fault_table.PAGE.read_text(encoding="utf-8")
    assert fault_table.BEGIN in text
    assert fault_table.END in text
    assert text == fault_table.page(), "run python tools/fault_table.py"


def test_every_fault_has_a_test_or_a_reason() -> None:
    assert fault_table.problems() == []


MARKED = """
import pytest

@pytest.mark.slow
@pytest.mark.fault(4, 2)
def test_one(): ...

class TestGroup:
    @pytest.mark.fault(7)
    def test_two(self): ...
"""


def test_marks_of_python_are_those_of_decorators() -> None:
    marks = [(4, "test_one"), (2, "test_one"), (7, "test_two")]
    assert list(fault_table.python_marks(MARKED)) == marks
    with pytest.raises(ValueError, match="no decorator of a test"):
        list(fault_table.python_marks(MARKED + "\nx = pytest.mark.fault(3)\n"))
    with pytest.raises(ValueError, match="test_one names no fault"):
        list(fault_table.python_marks(MARKED.replace("4, 2", "")))


def test_marks_of_cpp_stand_right_above_their_test() -> None:
    sentence = "// This test shows fault {} of docs/reliability.md.\n"
    above = sentence.format(3) + sentence.format(12)
    source = f"{above}// It fails each call.\nTEST_P(Reads, FailEach) {{}}\n"
    marks = [(3, "Reads.FailEach"), (12, "Reads.FailEach")]
    assert list(fault_table.cpp_marks(source)) == marks
    with pytest.raises(ValueError, match="right above a TEST"):
        list(fault_table.cpp_marks(source.replace("TEST_P", "\nTEST_P")))
