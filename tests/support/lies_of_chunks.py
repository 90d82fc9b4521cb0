# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Wrong statistics and bloom filters of chunks, which lies.py lists with all lies."""

from __future__ import annotations

from typing import Any

from hand_made import BINARY, I32, I64, LIST, STRUCT
from lies_of_pages import bounds_of_pages_are_of_signed_order
from lying_files import Chunk, Lie, put
from telling import (
    BLOOMS,
    DICTIONARY,
    INT96,
    LIES,
    NARROW,
    NO_INDEX,
    SOME,
    STRINGS,
    lie,
    reversed_bounds,
    signed_bounds,
    unfit,
)

# The footer's statistics of a chunk.


@lie((*SOME, "u64", "f64", "key"), NO_INDEX)
def min_of_the_chunk_is_above_max(chunk: Chunk) -> None:
    chunk.say(max(chunk.values), min(chunk.values))


@lie(NARROW, NO_INDEX)
def bounds_of_the_chunk_do_not_fit_the_type(chunk: Chunk) -> None:
    chunk.say(unfit(chunk, min(chunk.values)), unfit(chunk, max(chunk.values)))


@lie((*SOME, "u64", "i16"), NO_INDEX)
def bounds_of_the_chunk_have_half_the_bytes(chunk: Chunk) -> None:
    for bounds in (5, 6):
        whole = chunk.statistics[bounds][1]
        put(chunk.statistics, bounds, BINARY, whole[: len(whole) // 2])


@lie(SOME, NO_INDEX)
def null_count_of_the_chunk_is_negative(chunk: Chunk) -> None:
    put(chunk.statistics, 3, I64, -1)


@lie(SOME, NO_INDEX)
def null_count_of_the_chunk_is_above_its_values(chunk: Chunk) -> None:
    put(chunk.statistics, 3, I64, chunk.meta[5][1] + 1)


@lie(SOME, NO_INDEX)
def all_values_of_the_chunk_are_null_yet_have_bounds(chunk: Chunk) -> None:
    put(chunk.statistics, 3, I64, chunk.meta[5][1])


# The index of a row group that the footer rules out shows these four lies.


@lie()
def null_count_of_the_chunk_is_zero_and_the_index_counts_nulls(chunk: Chunk) -> None:
    put(chunk.statistics, 3, I64, 0)


@lie()
def bounds_of_the_chunk_are_those_of_its_first_page(chunk: Chunk) -> None:
    first = [v for v in chunk.pages[0] if v is not None]
    chunk.say(min(first), max(first))


@lie((*SOME, "u64", "f64", "i16", "flag", "key", "time", "price"))
def the_chunk_has_one_value_and_the_index_is_honest(chunk: Chunk) -> None:
    chunk.say(chunk.values[0], chunk.values[0])


@lie((*SOME, "f64", "key"))
def the_chunk_has_only_nulls_and_the_index_is_honest(chunk: Chunk) -> None:
    put(chunk.statistics, 3, I64, chunk.meta[5][1])
    for bounds in (5, 6):
        chunk.statistics.pop(bounds)
    chunk.meta.pop(16)  # Levels would show it.


@lie(STRINGS, NO_INDEX)
def bounds_of_the_chunk_are_empty_and_said_to_be_exact(chunk: Chunk) -> None:
    chunk.say(b"", b"")


@lie(STRINGS, NO_INDEX)
def the_chunk_has_one_text_but_the_bytes_of_others(chunk: Chunk) -> None:
    chunk.say(chunk.values[0][:3], chunk.values[0][:3])


@lie(SOME, NO_INDEX, is_detectable=False)
def null_count_of_the_chunk_is_zero(chunk: Chunk) -> None:
    put(chunk.statistics, 3, I64, 0)


@lie(SOME, NO_INDEX, is_detectable=False)
def bounds_of_the_chunk_are_of_a_page_and_no_index_says_so(chunk: Chunk) -> None:
    bounds_of_the_chunk_are_those_of_its_first_page(chunk)


@lie(STRINGS, NO_INDEX)
def max_of_the_chunk_is_cut_short_and_not_raised(chunk: Chunk) -> None:
    chunk.say(min(chunk.values)[:3], max(chunk.values)[:3])
    for exact in (7, 8):
        chunk.statistics.pop(exact, None)


@lie(STRINGS, NO_INDEX)
def max_of_the_chunk_is_cut_short_and_said_to_be_inexact(chunk: Chunk) -> None:
    chunk.say(min(chunk.values)[:3], max(chunk.values)[:3])
    for exact in (7, 8):
        put(chunk.statistics, exact, 2, None)  # False


# Statistics of old writers, which have bounds of another order, or of a part only.


def deprecated(chunk: Chunk, least: Any, greatest: Any) -> None:
    """Sets the deprecated bounds only."""
    for number in (5, 6, 7, 8):
        chunk.statistics.pop(number, None)
    put(chunk.statistics, 1, BINARY, chunk.stored(greatest))
    put(chunk.statistics, 2, BINARY, chunk.stored(least))


@lie(("u64", *STRINGS), NO_INDEX)
def deprecated_bounds_are_of_signed_order(chunk: Chunk) -> None:
    deprecated(chunk, *signed_bounds(chunk.values))


@lie(STRINGS, NO_INDEX, created_by="parquet-mr version 1.6.0 (build abc)")
def parquet_mr_before_1_8_overwrites_bounds_of_strings(chunk: Chunk) -> None:
    deprecated(chunk, chunk.values[-1], chunk.values[-1])


def no_column_orders(footer: Any) -> None:
    footer.pop(7)


def unknown_column_orders(footer: Any) -> None:
    footer[7] = (LIST, (STRUCT, [{15: (STRUCT, {})}] * len(footer[7][1][1])))


@lie(("u64", *STRINGS), NO_INDEX, footer=no_column_orders)
def signed_order_in_statistics_without_column_orders(chunk: Chunk) -> None:
    chunk.say(*signed_bounds(chunk.values))


@lie(("u64", *STRINGS), footer=no_column_orders)
def signed_order_in_indexes_without_column_orders(chunk: Chunk) -> None:
    bounds_of_pages_are_of_signed_order(chunk)
    signed_order_in_statistics_without_column_orders(chunk)


@lie((*STRINGS, "i64"), footer=unknown_column_orders)
def another_order_in_indexes_and_its_name_is_unknown(chunk: Chunk) -> None:
    chunk.say_of_pages(reversed_bounds)
    chunk.say(*reversed_bounds(chunk.values))


@lie(("time",), INT96)
def bounds_of_int96(chunk: Chunk) -> None:
    put(chunk.meta, 12, STRUCT, {3: (I64, chunk.meta[5][1] - len(chunk.values))})
    chunk.say(b"\0" * 12, b"\1" * 12)


def of_the_first_page(chunk: Chunk) -> None:
    """What writers say of a dictionary column that was written page by page."""
    bounds_of_the_chunk_are_those_of_its_first_page(chunk)
    put(chunk.statistics, 3, I64, 0)


# Writers that are known for statistics of a part of their dictionary columns.
for writer in (
    "parquet-cpp-arrow version 5.0.0",
    "parquet-cpp-arrow version 10.0.1",
    "Arrow2 - Native Rust implementation of Arrow",
):
    name = f"dictionary column of {writer}"
    LIES[name] = Lie(name, of_the_first_page, SOME, DICTIONARY, created_by=writer)


# Bloom filters. Those of NO_INDEX are believed for all that is not ordered.


def bloom_header(chunk: Chunk, number: int, kind: int, value: Any) -> None:
    assert chunk.bloom is not None
    put(chunk.bloom[0], number, kind, value)


@lie(("i64", "text", "day"), BLOOMS)
def bloom_filter_says_half_its_size(chunk: Chunk) -> None:
    assert chunk.bloom is not None
    bloom_header(chunk, 1, I32, len(chunk.bloom[1]) // 2)


@lie(("i64", "text", "day"), BLOOMS)
def bloom_filter_says_twice_its_size(chunk: Chunk) -> None:
    assert chunk.bloom is not None
    bloom_header(chunk, 1, I32, len(chunk.bloom[1]) * 2)


@lie(("i64", "text", "day"), BLOOMS)
def bloom_filter_is_hashed_by_an_unknown_rule(chunk: Chunk) -> None:
    assert chunk.bloom is not None
    bloom_header(chunk, 3, STRUCT, {2: (STRUCT, {})})
    chunk.bloom = chunk.bloom[0], bytes(len(chunk.bloom[1]))


@lie(("i64", "text", "day", "u64", "key"), BLOOMS)
def bloom_filter_is_empty(chunk: Chunk) -> None:
    assert chunk.bloom is not None
    chunk.bloom = chunk.bloom[0], bytes(len(chunk.bloom[1]))


@lie(("i64", "text", "day", "u64", "key"), BLOOMS)
def bloom_filter_has_lost_half_its_words(chunk: Chunk) -> None:
    assert chunk.bloom is not None
    words = [chunk.bloom[1][i : i + 4] for i in range(0, len(chunk.bloom[1]), 8)]
    chunk.bloom = chunk.bloom[0], b"".join(word + bytes(4) for word in words)


@lie(("i64", "text", "day"), BLOOMS, is_detectable=False)
def bloom_filter_has_one_value(chunk: Chunk) -> None:
    assert chunk.bloom is not None
    one = b"\1\0\0\0" * 8
    chunk.bloom = chunk.bloom[0], one + bytes(len(chunk.bloom[1]) - len(one))
