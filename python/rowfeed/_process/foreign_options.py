# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Options of other loaders, and what stands for them in rowfeed.

The words are keywords of PyTorch's `DataLoader`, tf.data, Hugging Face datasets,
petastorm, pyarrow.dataset, WebDataset, MosaicML's streaming and DALI, and names that
people try. They stand in `foreign_options.tsv`.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Foreign(NamedTuple):
    """Words of others that have one answer here.

    Attributes:
        option: Option that a function of rowfeed must have for the answer to be true.
        words: The words, separated by spaces.
        answer: Sentence that says what there is instead.
    """

    option: str
    words: str
    answer: str


def answer_for(word: str, options: Container[str]) -> str | None:
    """Returns what stands for another loader's option in a function of rowfeed.

    Args:
        word: Option that the function does not have.
        options: Options that the function has, which tell what kind of function it is.

    Returns:
        Answer of the first entry of the table that fits; None if none fits.
    """
    for entry in foreign_options():
        if entry.option in options and word in entry.words.split():
            return entry.answer
    return None


@cache
def foreign_options() -> tuple[Foreign, ...]:
    """Returns the entries of the table."""
    table = files("rowfeed._process").joinpath("foreign_options.tsv")
    lines = table.read_text(encoding="utf-8").splitlines()
    return tuple(Foreign(*line.split("\t")) for line in lines if line[0] != "#")
