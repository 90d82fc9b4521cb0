# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The advice of stats() is right where one thing is the bottleneck, and never fails."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repository import ROOT
from rowfeed._stats.words import in_words
from rowfeed.stats import ColumnStats, Sums

TEXT = ColumnStats("zstd", 80_000_000, 100, 1.0, 8.0, 2.0, 1.0)
NUMBERS = ColumnStats("", 10_000_000, 100, 0.5, 0.0, 0.5, 0.5)


def sums(**numbers: Any) -> Sums:
    """Ten seconds of two threads that are always busy, and a model that waits for 3."""
    given = Sums(
        num_threads=2,
        memory_budget_bytes=1 << 30,
        rows=100_000,
        batches=1000,
        bytes=90_000_000,
        windows=10,
        windows_over_budget=0,
        filtered_rows=0,
        lost_rows=0,
        elapsed_seconds=10.0,
        wait_seconds=3.1,
        first_wait_seconds=0.2,
        convert_seconds=0.1,
        transform_seconds=0.0,
        fetch_seconds=0.0,
        fetched_bytes=0,
        fetch_requests=0,
        fetch_retries=0,
        stopped_seconds=0.0,
        busy_seconds=20.0,
        shuffle_seconds=0.5,
        assemble_seconds=0.5,
        columns={"text": TEXT, "x": NUMBERS},
        filter=ColumnStats(),
    )
    return replace(given, **numbers)


def test_a_slow_model_is_told_that_loading_is_not_the_bottleneck() -> None:
    assert in_words(sums(wait_seconds=0.2), 8) == (
        "The model waited for data 2 % of the time: loading is not the bottleneck."
    )


def test_rows_of_files_that_are_gone_are_said() -> None:
    assert in_words(sums(wait_seconds=0.2, lost_rows=1200), 8) == (
        "The model waited for data 2 % of the time: loading is not the bottleneck. "
        "1,200 rows were fill, as their files were gone."
    )


def test_a_column_that_dominates_is_named_with_its_codec() -> None:
    assert in_words(sums(), 8) == (
        "The model waited for data 31 % of the time; decoding column `text` (zstd) is "
        "the bottleneck, 52 % of the threads' time; lz4 or snappy would decompress "
        "faster; one more thread would help, a larger batch would not."
    )


def test_one_thread_is_told_how_many_more_would_do() -> None:
    columns = {"text": replace(TEXT, decompress_seconds=5.0)}
    words = in_words(
        sums(num_threads=1, busy_seconds=10.0, wait_seconds=6.0, columns=columns), 8
    )
    assert words.endswith("two more threads would help, a larger batch would not.")


def test_threads_on_all_cpus_are_not_told_to_be_more() -> None:
    assert in_words(sums(), 2).endswith(
        "num_threads=2 uses all CPUs: fewer columns would help, more threads or a "
        "larger batch would not."
    )


def test_many_columns_alike_are_not_named() -> None:
    alike = {f"f{i}": ColumnStats("", 0, 1, 0.1, 0.0, 0.35, 0.05) for i in range(40)}
    assert "; decoding 40 columns is the bottleneck, 70 % of" in in_words(
        sums(columns=alike), 8
    )


def test_slow_storage_is_named_with_its_speed() -> None:
    slow = replace(TEXT, read_seconds=16.0, decompress_seconds=0.5, decode_seconds=0.5)
    words = in_words(sums(columns={"text": slow}), 2)
    assert words == (
        "The model waited for data 31 % of the time; reading is the bottleneck, 80 % "
        "of the threads' time at 5.0 MB/s a thread; one more thread would help, a "
        "larger batch would not."
    )


def test_a_filter_that_dominates_is_named() -> None:
    slow = replace(NUMBERS, decode_seconds=12.0)
    assert "; the filter is the bottleneck, 60 % of" in in_words(sums(filter=slow), 8)


def test_gathering_names_no_codec() -> None:
    wide = replace(TEXT, gather_seconds=14.0, decompress_seconds=1.0)
    words = in_words(sums(columns={"text": wide, "x": NUMBERS}), 8)
    assert "; gathering column `text` is the bottleneck, 72 % of" in words
    assert "lz4" not in words


def test_a_small_budget_is_the_bottleneck_where_threads_are_idle() -> None:
    assert in_words(sums(busy_seconds=8.0, stopped_seconds=9.0), 8) == (
        "The model waited for data 31 % of the time; the memory budget is the "
        "bottleneck: threads were idle 60 % of theirs; a larger memory_budget_bytes "
        "would help, more threads would not."
    )


def test_a_budget_that_stops_busy_threads_is_not_blamed() -> None:
    assert "budget" not in in_words(sums(stopped_seconds=9.0), 8)


def test_threads_without_enough_to_do_at_once_are_told_apart() -> None:
    assert in_words(sums(busy_seconds=8.0), 8) == (
        "The model waited for data 31 % of the time; threads were idle 60 % of theirs, "
        "with memory left: there is too little to do at once; smaller row groups, or "
        "block_rows, would help, more threads would not."
    )


def test_a_slow_network_is_the_bottleneck_where_threads_are_idle() -> None:
    slow = sums(
        busy_seconds=4.0, fetch_seconds=30.0, fetched_bytes=10**9, fetch_retries=3
    )
    assert in_words(slow, 8) == (
        "The model waited for data 31 % of the time; fetching data from elsewhere is "
        "the bottleneck, 100.0 MB/s with 3 retries: threads were idle 80 % of theirs; "
        "a larger memory_budget_bytes would fetch more at once, more threads would not "
        "help."
    )


def test_the_first_batch_of_an_epoch_is_told_apart() -> None:
    assert in_words(sums(busy_seconds=8.0, first_wait_seconds=2.0), 8) == (
        "The model waited for data 31 % of the time; most of it, 2.0 s, for the first "
        "batch of an epoch: a smaller shuffle_window would make it come sooner, and "
        "iterations of several epochs (num_epochs) read it ahead."
    )


@pytest.mark.parametrize("num_epochs", [5, None])
def test_several_epochs_are_not_advised_where_num_epochs_is_set(
    num_epochs: int | None,
) -> None:
    late = sums(busy_seconds=8.0, first_wait_seconds=2.0, num_epochs=num_epochs)
    assert in_words(late, 8) == (
        "The model waited for data 31 % of the time; most of it, 2.0 s, for the first "
        "batch of an iteration: a smaller shuffle_window would make it come sooner."
    )


def test_fetching_is_named_where_a_far_store_makes_the_first_batch_wait() -> None:
    far = sums(
        busy_seconds=1.0, first_wait_seconds=2.0, fetch_seconds=4.0, num_epochs=5
    )
    assert in_words(far, 8) == (
        "The model waited for data 31 % of the time; most of it, 2.0 s, for the first "
        "batch of an iteration, whose data are fetched from elsewhere: a smaller "
        "shuffle_window would make it come sooner."
    )


def test_small_batches_are_told_to_be_larger() -> None:
    assert in_words(sums(batches=300_000), 8) == (
        "The model waited for data 31 % of the time; handing them over is the "
        "bottleneck, 30,000 batches a second: larger batches would help, more threads "
        "would not."
    )
    assert in_words(sums(convert_seconds=6.0, wait_seconds=0.0), 8) == (
        "The model waited for data 0 % of the time; making tensors of batches took "
        "60 %, in its own thread: larger batches would help, more threads would not."
    )


def test_a_slow_transform_is_the_bottleneck() -> None:
    for num_cpus in (2, 8):  # A transform that waits needs no CPU.
        words = in_words(sums(transform_seconds=19.0, busy_seconds=5.0), num_cpus)
        assert words == (
            "The model waited for data 31 % of the time; transform is the bottleneck; "
            "if it releases the GIL or waits, num_threads above 2 would help; else "
            "make it faster, or let DataLoader workers run it "
            '("Work of your own" in docs/guide.md).'
        )


def test_the_page_that_the_sentence_names_has_that_section() -> None:
    assert "\n## Work of your own\n" in (ROOT / "docs" / "guide.md").read_text()


def test_threads_are_not_called_idle_where_a_transform_holds_the_gil() -> None:
    one_by_one = sums(num_threads=8, transform_seconds=9.5, busy_seconds=0.4)
    assert "; transform is the bottleneck; " in in_words(one_by_one, 2)


def test_a_transform_is_not_blamed_for_slow_decoding_or_fetching() -> None:
    decoding = sums(transform_seconds=9.0, busy_seconds=20.0)
    assert "; decoding column `text` (zstd) is the bottleneck" in in_words(decoding, 8)
    far = sums(transform_seconds=6.0, busy_seconds=4.0, fetch_seconds=30.0)
    assert "; fetching data from elsewhere is the bottleneck" in in_words(far, 8)


def test_a_model_that_only_waits_is_told_to_double_the_threads() -> None:
    words = in_words(sums(wait_seconds=10.0), 64)
    assert "; two more threads would help" in words


seconds = st.floats(0, 1e6)
columns = st.builds(
    ColumnStats,
    st.sampled_from(["", "zstd", "snappy"]),
    *[st.integers(0, 10**15)] * 2,
    *[seconds] * 4,
)


@given(
    st.builds(
        Sums,
        st.integers(1, 512),
        *[st.integers(0, 10**15)] * 8,
        *[seconds] * 6,
        *[st.integers(0, 10**15)] * 3,
        *[seconds] * 4,
        st.dictionaries(st.text(max_size=3), columns, max_size=3),
        columns,
    ),
    st.integers(1, 512),
)
def test_whatever_the_numbers_there_is_one_sentence(stats: Sums, cpus: int) -> None:
    words = in_words(stats, cpus)
    assert words.endswith(".")
    assert words.startswith(("The model waited for data ", "No batch was "))
