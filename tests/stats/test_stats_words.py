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
from rowfeed._stats.remedies import Remedies
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


def knowing(**remedies: Any) -> dict[str, Any]:
    """What is known of the dataset."""
    return {"_remedies": lambda: Remedies(**remedies)}


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
        "the bottleneck, 52 % of the threads' time: num_threads=3."
    )


def test_one_thread_is_told_how_many_would_do() -> None:
    columns = {"text": replace(TEXT, decompress_seconds=5.0)}
    words = in_words(
        sums(num_threads=1, busy_seconds=10.0, wait_seconds=6.0, columns=columns), 8
    )
    assert words.endswith(": num_threads=3.")


def test_threads_on_all_cpus_are_not_told_to_be_more() -> None:
    words = in_words(sums(), 2)
    assert words.endswith(
        "52 % of the threads' time, and num_threads=2 uses all CPUs: write the files "
        'with a faster codec: compression="lz4".'
    )
    words = in_words(sums(**knowing(has_all_columns=True)), 2)
    assert words.endswith(
        "and num_threads=2 uses all CPUs: leave the column out, unless the model needs "
        'it: columns=["*", "!text"].'
    )
    plain = {"text": replace(TEXT, codec="lz4"), "x": NUMBERS}
    assert in_words(sums(columns=plain), 2).endswith(": fewer columns would help.")


def test_a_column_with_the_name_of_a_pattern_is_left_out_alone() -> None:
    stats = sums(columns={"a*": TEXT, "x": NUMBERS}, **knowing(has_all_columns=True))
    assert in_words(stats, 2).endswith(': columns=["*", "!a[*]"].')


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
        "of the threads' time at 5.0 MB/s a thread: num_threads=3."
    )


def test_a_filter_that_dominates_is_named() -> None:
    slow = replace(NUMBERS, decode_seconds=12.0)
    assert "; the filter is the bottleneck, 60 % of" in in_words(sums(filter=slow), 8)
    assert in_words(sums(filter=slow), 2).endswith(
        ": sort the files by the filter's columns, so that row groups are skipped."
    )


def test_gathering_names_no_codec() -> None:
    wide = replace(TEXT, gather_seconds=14.0, decompress_seconds=1.0)
    words = in_words(sums(columns={"text": wide, "x": NUMBERS}), 8)
    assert "; gathering column `text` is the bottleneck, 72 % of" in words
    assert "lz4" not in words


STOPPED: dict[str, Any] = {"busy_seconds": 8.0, "stopped_seconds": 9.0}


def test_a_small_budget_is_the_bottleneck_where_threads_are_idle() -> None:
    assert in_words(sums(**STOPPED, **knowing(room_bytes=3_000_000_000)), 8) == (
        "The model waited for data 31 % of the time; threads were idle 60 % of their "
        "time; the memory budget is the bottleneck: memory_budget_bytes=3000000000."
    )


def test_a_budget_with_room_for_the_next_window_is_doubled() -> None:
    for room in (0, 1 << 30):
        words = in_words(sums(**STOPPED, **knowing(room_bytes=room)), 8)
        assert words.endswith(f": memory_budget_bytes={2 << 30}.")


def test_no_budget_is_advised_that_takes_most_of_the_memory() -> None:
    found = knowing(room_bytes=1 << 30, most_budget_bytes=1 << 30)
    words = in_words(sums(**STOPPED, **found), 8)
    assert words.endswith(": a smaller shuffle_window needs less memory.")


def test_a_budget_that_stops_busy_threads_is_not_blamed() -> None:
    assert "budget" not in in_words(sums(stopped_seconds=9.0), 8)


def test_threads_without_enough_to_do_at_once_are_told_apart() -> None:
    columns = {"text": replace(TEXT, decompress_seconds=2.0)}
    assert in_words(sums(busy_seconds=8.0, columns=columns), 8) == (
        "The model waited for data 31 % of the time; threads were idle 60 % of their "
        "time, with memory left; decoding column `text` (zstd) is the bottleneck, 50 % "
        "of the threads' time: fewer columns would help."
    )
    assert in_words(sums(busy_seconds=8.0, **knowing(smaller_groups=8192)), 8) == (
        "The model waited for data 31 % of the time; threads were idle 60 % of their "
        "time, with memory left; there is too little to do at once: write smaller row "
        f"groups: {again(8192)}."
    )


def again(rows: int, form: str = "") -> str:
    return (
        f'pyarrow.dataset.write_dataset(pyarrow.dataset.dataset(paths{form}), "again", '
        f'format="parquet", min_rows_per_group={rows}, max_rows_per_group={rows}, '
        "use_threads=False)"
    )


FAR: dict[str, Any] = {
    "busy_seconds": 4.0,
    "fetch_seconds": 30.0,
    "fetched_bytes": 10**9,
    "fetch_retries": 3,
}


def test_a_slow_network_is_the_bottleneck_where_threads_are_idle() -> None:
    assert in_words(sums(**FAR, **knowing(room_bytes=1_500_000_000)), 8) == (
        "The model waited for data 31 % of the time; threads were idle 80 % of their "
        "time; fetching data from elsewhere is the bottleneck, 100.0 MB/s with 3 "
        "retries: memory_budget_bytes=1500000000."
    )


def test_a_far_store_gets_larger_requests_where_the_budget_has_room() -> None:
    found = {"room_bytes": 1, "larger_groups": 16384, "group_rows": 5000}
    words = in_words(sums(**FAR, **knowing(**found)), 8)
    assert words.endswith(f": write larger row groups: {again(16384)}.")
    words = in_words(sums(**FAR, **knowing(**found | {"group_rows": 16384})), 8)
    assert words.endswith(": copy the files to a nearer store.")


FIRST: dict[str, Any] = {"busy_seconds": 8.0, "first_wait_seconds": 2.0}


@pytest.mark.parametrize(
    ("found", "change"),
    [
        ({"shuffle_window": 8000}, "shuffle_window=8000"),
        (
            {"smaller_blocks": "block_rows=64, shuffle_window=512"},
            "block_rows=64, shuffle_window=512",
        ),
        ({"smaller_groups": 8192}, f"write smaller row groups: {again(8192)}"),
        (
            {"smaller_groups": 8192, "has_partitions": True},
            "write smaller row groups: " + again(8192, ', partitioning="hive"'),
        ),
        (
            {"epoch_batches": 300},
            "one iteration reads its next epoch ahead: num_epochs=4",
        ),
    ],
    ids=["window", "blocks", "groups", "partitions", "epochs"],
)
def test_the_first_batch_of_an_epoch_is_told_apart(
    found: dict[str, Any], change: str
) -> None:
    assert in_words(sums(**FIRST, **knowing(**found)), 8) == (
        "The model waited for data 31 % of the time; most of it, 2.0 s, for the first "
        f"batch of an epoch: {change}."
    )


@pytest.mark.parametrize("num_epochs", [5, None])
def test_several_epochs_are_not_advised_where_num_epochs_is_set(
    num_epochs: int | None,
) -> None:
    late = sums(**FIRST, num_epochs=num_epochs, **knowing(epoch_batches=300))
    assert "num_epochs" not in in_words(late, 8)
    late = replace(late, **knowing(epoch_batches=300, shuffle_window=80))
    assert in_words(late, 8) == (
        "The model waited for data 31 % of the time; most of it, 2.0 s, for the first "
        "batch of an iteration: shuffle_window=80."
    )


def test_the_first_batch_is_not_blamed_where_nothing_makes_it_come_sooner() -> None:
    assert in_words(sums(**FIRST), 8) == in_words(sums(busy_seconds=8.0), 8)


def test_fetching_is_named_where_a_far_store_makes_the_first_batch_wait() -> None:
    far = sums(**FIRST, fetch_seconds=4.0, **knowing(shuffle_window=80))
    assert in_words(far, 8) == (
        "The model waited for data 31 % of the time; most of it, 2.0 s, for the first "
        "batch of an epoch, whose data are fetched from elsewhere: shuffle_window=80."
    )


def test_tiny_row_groups_are_blamed_before_all_else() -> None:
    tiny = knowing(
        num_row_groups=1000,
        num_files=500,
        group_rows=50,
        group_bytes=3000,
        larger_groups=16384,
        smaller_groups=0,
        room_bytes=1 << 40,
    )
    for other in ({}, STOPPED, FAR, FIRST):
        assert in_words(sums(**other, **tiny), 8) == (
            "The model waited for data 31 % of the time; opening small pieces is the "
            "bottleneck, 1,000 row groups of 50 rows in 500 files: write larger row "
            f"groups: {again(16384)}."
        )


def test_small_blocks_that_read_pages_many_times_get_larger_ones() -> None:
    words = in_words(sums(**knowing(larger_blocks="block_rows=4096")), 8)
    assert words.endswith("read each page many times: block_rows=4096.")


def test_small_batches_are_told_to_be_larger() -> None:
    assert in_words(sums(rows=9_600_000, batches=300_000), 8) == (
        "The model waited for data 31 % of the time; handing them over is the "
        "bottleneck, 30,000 batches a second: batch_size=512."
    )
    assert in_words(sums(convert_seconds=6.0, wait_seconds=0.0), 8) == (
        "The model waited for data 0 % of the time; making tensors of batches took "
        "60 %, in its own thread: batch_size=3200."
    )


def test_what_tiny_batches_cost_is_named_where_nothing_waits() -> None:
    """A batch of one row takes as long as one of many, and no stage has that time."""
    tiny: dict[str, Any] = {"rows": 200_000, "batches": 200_000, "busy_seconds": 0.2}
    for wait in ({"wait_seconds": 0.1}, {"wait_seconds": 1.0, "first_wait_seconds": 1}):
        assert in_words(sums(**tiny, **wait), 2).endswith(
            "; what each batch costs, whatever is in it, is the bottleneck, "
            "20,000 batches a second: batch_size=64."
        )
    # A model that computes takes longer for each batch than to take it.
    tiny |= {"rows": 50_000, "batches": 50_000, "wait_seconds": 0.1}
    assert in_words(sums(**tiny), 2).endswith(": loading is not the bottleneck.")


def slow(**numbers: Any) -> Sums:
    """Two threads that are in the `transform` for almost all the time."""
    return sums(**{"transform_seconds": 19.0, "busy_seconds": 5.0, **numbers})


@pytest.mark.parametrize("num_cpus", [2, 8])
def test_a_transform_that_waits_gets_more_threads(num_cpus: int) -> None:
    """A call that waits needs no CPU."""
    assert in_words(slow(transform_cpu_seconds=0.1), num_cpus) == (
        "The model waited for data 31 % of the time; transform is the bottleneck, and "
        "its calls wait: num_threads=4."
    )


def test_a_transform_that_computes_at_once_gets_all_cpus() -> None:
    for num_cpus, change in (
        (8, "its calls compute at once: num_threads=8."),
        (2, "is the bottleneck, on all CPUs: only a faster function would help."),
    ):
        words = in_words(slow(transform_cpu_seconds=18.0), num_cpus)
        assert words.endswith(change)


@pytest.mark.parametrize(
    "numbers",
    [
        {"transform_cpu_seconds": 9.8, "wait_seconds": 9.9},
        # The consumer holds the GIL for two thirds of the time.
        {"transform_cpu_seconds": 2.8, "wait_seconds": 3.3},
    ],
    ids=["calls", "consumer"],
)
def test_a_transform_that_holds_the_gil_gets_processes(numbers: dict[str, Any]) -> None:
    assert in_words(slow(**numbers), 2).endswith(
        "; transform is the bottleneck, and its calls take turns, because they hold "
        'the GIL: let workers run it ("Work of your own" in docs/guide.md): '
        "DataLoader(dataset, batch_size=None, num_workers=2)."
    )


def test_a_transform_on_busy_cpus_is_not_said_to_hold_the_gil() -> None:
    """The numbers are those of np.sin in two threads, beside two busy processes."""
    taken = {"transform_preemptions": 1600, "transform_yields": 30}
    busy = slow(transform_cpu_seconds=9.8, wait_seconds=9.9, **taken)
    assert in_words(busy, 2).endswith(
        "; transform is the bottleneck, and its calls wait for CPUs, which other "
        "threads or programs use: give this program more CPUs, or end others."
    )
    # A call that waits for the GIL wakes up every 5 ms, and loses its CPU now and then.
    python = {"transform_preemptions": 1100, "transform_yields": 2600}
    holds = slow(transform_cpu_seconds=9.8, wait_seconds=9.9, **python)
    assert "because they hold the GIL" in in_words(holds, 2)
    # More threads get more of the CPUs.
    words = in_words(busy, 8)
    assert words.endswith(", and its calls wait for CPUs: num_threads=8.")


def test_one_thread_cannot_show_whether_a_transform_holds_the_gil() -> None:
    one = slow(num_threads=1, transform_seconds=9.9, transform_cpu_seconds=9.8)
    assert in_words(one, 8).endswith(": num_threads=2.")


def test_the_page_that_the_sentence_names_has_that_section() -> None:
    assert "\n## Work of your own\n" in (ROOT / "docs" / "guide.md").read_text()


def test_threads_are_not_called_idle_where_a_transform_holds_the_gil() -> None:
    one_by_one = sums(num_threads=8, transform_seconds=9.5, busy_seconds=0.4)
    assert "; transform is the bottleneck, " in in_words(one_by_one, 2)


def test_a_transform_is_not_blamed_for_slow_decoding_or_fetching() -> None:
    decoding = sums(transform_seconds=9.0, busy_seconds=20.0)
    assert "; decoding column `text` (zstd) is the bottleneck" in in_words(decoding, 8)
    far = sums(transform_seconds=6.0, busy_seconds=4.0, fetch_seconds=30.0)
    assert "; fetching data from elsewhere is the bottleneck" in in_words(far, 8)


def test_runs_that_are_too_short_say_so() -> None:
    assert in_words(sums(batches=3), 8) == (
        "The model waited for data 31 % of the time, but 3 batches in 10 s are too "
        "short to judge: read at least 16 batches before you judge."
    )
    short = sums(elapsed_seconds=0.02, wait_seconds=0.015, batches=125)
    assert in_words(short, 8) == (
        "The model waited for data 75 % of the time, but 125 batches in 0.02 s are too "
        "short to judge: read at least 3,200 batches before you judge."
    )


def test_the_beginning_of_an_epoch_is_too_short_to_judge_its_first_batch() -> None:
    first = {"wait_seconds": 2.1, "first_wait_seconds": 2.0, "busy_seconds": 8.0}
    found = {"shuffle_window": 80, "epoch_batches": 100_000}
    assert in_words(sums(**first, **knowing(**found)), 8) == (
        "The model waited for data 21 % of the time, but 1,000 batches in 10 s are too "
        "short to judge: read at least 4,000 batches before you judge."
    )
    for batches in (1000, 2000):  # All of them are too few: the epoch is short.
        known = knowing(**found | {"epoch_batches": batches})
        words = in_words(sums(**first | {"batches": batches}, **known), 8)
        assert words.endswith(": shuffle_window=80.")


def test_a_model_that_only_waits_is_told_to_double_the_threads() -> None:
    assert in_words(sums(wait_seconds=10.0), 64).endswith(": num_threads=4.")


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
