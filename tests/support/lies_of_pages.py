# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong page indexes, which lies.py lists with all other lies."""

from __future__ import annotations

from hand_made import BINARY, I32, I64, LIST
from lying_files import PAGE_ROWS, Chunk, put
from telling import (
    NARROW,
    SOME,
    STRINGS,
    lie,
    signed_bounds,
    sorting,
    unfit,
)

# The column index: which pages are null, and how many nulls there are.


@lie((*SOME, "u64", "flag"))
def all_pages_are_null_pages_with_counts_of_minus_one(chunk: Chunk) -> None:
    chunk.say_null_pages([True] * len(chunk.pages))
    chunk.say_nulls([-1] * len(chunk.pages))
    for bounds in (2, 3):
        chunk.index[bounds] = (LIST, (BINARY, [b""] * len(chunk.pages)))


@lie()
def all_pages_are_null_pages_with_counts_of_zero(chunk: Chunk) -> None:
    chunk.say_null_pages([True] * len(chunk.pages))
    chunk.say_nulls([0] * len(chunk.pages))


@lie()
def all_pages_are_null_pages_and_nothing_counts_nulls(chunk: Chunk) -> None:
    chunk.say_null_pages([True] * len(chunk.pages))
    chunk.index.pop(5)


@lie()
def no_page_is_a_null_page_but_one_counts_only_nulls(chunk: Chunk) -> None:
    counts = nulls(chunk)
    counts[1] = PAGE_ROWS
    chunk.say_nulls(counts)


@lie()
def null_pages_are_those_beside(chunk: Chunk) -> None:
    are_null = [not any(v is not None for v in page) for page in chunk.pages]
    chunk.say_null_pages(are_null[1:] + are_null[:1])


@lie()
def null_counts_are_negative(chunk: Chunk) -> None:
    chunk.say_nulls([-n for n in nulls(chunk)])


@lie()
def null_counts_are_of_more_rows_than_the_page_has(chunk: Chunk) -> None:
    chunk.say_nulls([PAGE_ROWS + 1] * len(chunk.pages))


@lie()
def null_counts_of_pages_are_zero_and_their_sum_is_not_the_chunks(chunk: Chunk) -> None:
    chunk.say_nulls([0] * len(chunk.pages))


@lie()
def null_counts_of_pages_are_moved_by_one_page(chunk: Chunk) -> None:
    counts = nulls(chunk)
    chunk.say_nulls(counts[1:] + counts[:1])


def nulls(chunk: Chunk) -> list[int]:
    return [page.count(None) for page in chunk.pages]


# The column index: bounds.


@lie((*SOME, "u64", "f64", "key"))
def min_of_pages_is_above_max(chunk: Chunk) -> None:
    chunk.say_of_pages(lambda values: (max(values), min(values)))


@lie(NARROW)
def bounds_of_pages_do_not_fit_the_type(chunk: Chunk) -> None:
    chunk.say_of_pages(lambda v: (unfit(chunk, min(v)), unfit(chunk, max(v))))


@lie((*SOME, "u64", "i16"))
def bounds_of_pages_have_half_the_bytes(chunk: Chunk) -> None:
    for bounds in (2, 3):
        halves = [b[: len(b) // 2] for b in chunk.index[bounds][1][1]]
        chunk.index[bounds] = (LIST, (BINARY, halves))


@lie((*SOME, "u64", "i16"))
def bounds_of_pages_are_empty(chunk: Chunk) -> None:
    for bounds in (2, 3):
        chunk.index[bounds] = (LIST, (BINARY, [b""] * len(chunk.pages)))


@lie((*SOME, "i16"))
def pages_are_fewer_in_the_column_index(chunk: Chunk) -> None:
    for number in (1, 2, 3, 5):
        of, items = chunk.index[number][1]
        chunk.index[number] = (LIST, (of, items[:-1]))


@lie(STRINGS)
def max_of_pages_is_cut_short_and_not_raised(chunk: Chunk) -> None:
    chunk.say_of_pages(lambda values: (min(values)[:4], max(values)[:4]))


@lie(("u64", "text", "key"))
def bounds_of_pages_are_of_signed_order(chunk: Chunk) -> None:
    chunk.say_of_pages(signed_bounds)


@lie((*SOME, "u64"))
def all_pages_have_the_bounds_of_the_first(chunk: Chunk) -> None:
    first = [v for v in chunk.pages[0] if v is not None]
    chunk.say_of_pages(lambda _: (min(first), max(first)))


@lie((*SOME, "u64"))
def bounds_of_pages_are_moved_by_one_page(chunk: Chunk) -> None:
    for bounds in (2, 3):
        items = chunk.index[bounds][1][1]
        chunk.index[bounds] = (LIST, (BINARY, items[1:] + items[:1]))


@lie(SOME, is_detectable=False)
def bounds_of_pages_end_at_their_median(chunk: Chunk) -> None:
    chunk.say_of_pages(lambda values: (min(values), sorted(values)[len(values) // 2]))
    chunk.say(min(chunk.values), sorted(chunk.pages[-1], key=sorting)[PAGE_ROWS // 2])


@lie()
def pages_are_said_to_descend(chunk: Chunk) -> None:
    put(chunk.index, 4, I32, 2)


# The offset index.


@lie()
def first_rows_of_pages_are_one_too_high(chunk: Chunk) -> None:
    for location in chunk.offsets[1][1][1][1:]:
        location[3] = (I64, location[3][1] + 1)


@lie()
def first_rows_of_pages_fall(chunk: Chunk) -> None:
    locations = chunk.offsets[1][1][1]
    rows = [location[3] for location in locations]
    for location, row in zip(locations[1:], rows[:0:-1], strict=True):
        location[3] = row


@lie()
def a_page_is_left_out_of_both_indexes(chunk: Chunk) -> None:
    for fields, numbers in ((chunk.index, (1, 2, 3, 5)), (chunk.offsets, (1,))):
        for number in numbers:
            of, items = fields[number][1]
            fields[number] = (LIST, (of, items[:2] + items[3:]))


@lie()
def places_of_two_pages_are_exchanged(chunk: Chunk) -> None:
    locations = chunk.offsets[1][1][1]
    for number in (1, 2):
        one, two = locations[1][number], locations[4][number]
        locations[1][number], locations[4][number] = two, one
