# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Iterators of tf.data saved and restored: TensorFlow's own tests, and ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf
from absl.testing import parameterized
from tensorflow.python.data.kernel_tests import checkpoint_test_base
from tensorflow.python.data.ops import test_mode
from tensorflow.python.framework import combinations

from numbered_rows import NUM_ROWS, write_numbers
from tf_numbers import id_of, ids, make

MAX_BYTES = 4096


@pytest.mark.filterwarnings("ignore:To make it possible to preserve tf.data options")
class ConformanceTest(checkpoint_test_base.CheckpointTestBase, parameterized.TestCase):  # type: ignore[misc]
    """What TensorFlow asks of its own datasets; it turns default rewrites off."""

    test_session = None  # A context manager of the base, which looks like a test.

    def setUp(self) -> None:
        super().setUp()
        # TensorFlow's test mode is for the whole process, and nothing ends it. It turns
        # on experimental_warm_start, with which each iterator takes an epoch when made.
        self.addCleanup(test_mode.toggle_test_mode, False)
        self.directory = write_numbers(
            Path(self.create_tempdir().full_path), [10, 9, 0, 5]
        )

    @pytest.mark.fault(53)
    @combinations.generate(  # type: ignore[untyped-decorator]
        combinations.times(
            combinations.combine(tf_api_version=2, mode=["eager", "graph"]),
            checkpoint_test_base.default_test_combinations(),
            combinations.combine(symbolic_checkpoint=[False, True]),
        )
    )
    def test_iterators(
        self, verify_fn: Callable[..., None], symbolic_checkpoint: bool
    ) -> None:
        options = tf.data.Options()
        options.experimental_symbolic_checkpoint = symbolic_checkpoint

        def dataset() -> Any:
            made = make(
                self.directory,
                5,
                columns=["id", "name"],
                num_epochs=2,
                reshuffle_each_iteration=False,  # One test begins anew after a restore.
            )
            return made.with_options(options)

        verify_fn(self, dataset, num_outputs=10)


PIPELINES: dict[str, Callable[[Path], Any]] = {
    "plain": lambda path: make(path, num_epochs=3),
    "rows": lambda path: make(path, None).take(60),
    "map": lambda path: make(path).map(lambda x: x["id"] * 2),
    "parallel_map": lambda path: make(path, num_epochs=2).map(
        lambda x: x["id"] * 2, num_parallel_calls=2
    ),
    "prefetch": lambda path: make(path, num_epochs=2).prefetch(4),
    "repeat": lambda path: make(path).repeat(3),
    "repeat_take": lambda path: make(path).take(5).repeat(4),
    "zip": lambda path: tf.data.Dataset.zip(make(path), make(path, seed=2)),
    "zip_itself": lambda path: tf.data.Dataset.zip(*[make(path, num_epochs=2)] * 2),
    "interleave": lambda path: tf.data.Dataset.range(5).interleave(
        lambda _: make(path, 32), cycle_length=2
    ),
    "interleave_captured": lambda path: interleaved(make(path, 32)),
    # Either of two that begin at once may be first, so that all epochs are alike.
    "parallel_interleave": lambda path: tf.data.Dataset.range(5).interleave(
        lambda _: make(path, 32, reshuffle_each_iteration=False),
        cycle_length=2,
        num_parallel_calls=2,
    ),
    "concatenate": lambda path: concatenated(make(path, 64)),
    "flat_map": lambda path: tf.data.Dataset.range(3).flat_map(
        lambda _: make(path, 64)
    ),
    "rebatch": lambda path: make(path, 10).unbatch().batch(7),
}


def interleaved(dataset: Any) -> Any:
    return tf.data.Dataset.range(5).interleave(lambda _: dataset, cycle_length=2)


def concatenated(dataset: Any) -> Any:
    return dataset.concatenate(dataset)


def rows_of(element: Any) -> list[int]:
    parts = element if isinstance(element, tuple) else (element,)
    return [int(i) for part in parts for i in id_of(part).numpy().ravel()]


def save(iterator: Any, path: Path) -> tuple[str, int]:
    """Returns the checkpoint's prefix and its size in bytes."""
    prefix = tf.train.Checkpoint(iterator=iterator).write(str(path / "checkpoint"))
    return prefix, sum(file.stat().st_size for file in path.glob("checkpoint*"))


def check_restores_everywhere(make_dataset: Callable[[], Any], path: Path) -> int:
    """Saves at many places, restores in a new dataset; returns the largest size."""
    whole = [rows_of(element) for element in make_dataset()]
    assert len(whole) > 3
    largest = 0
    for count in {0, 1, len(whole) // 2, len(whole)}:
        iterator = iter(make_dataset())
        for _ in range(count):
            next(iterator)
        prefix, size = save(iterator, path)
        largest = max(largest, size)
        restored = iter(make_dataset())
        tf.train.Checkpoint(iterator=restored).read(prefix).assert_consumed()
        assert [rows_of(element) for element in restored] == whole[count:], count
    return largest


def with_symbolic_checkpoints(dataset: Any, symbolic: bool) -> Any:
    """Sets them also where the outer dataset is not ours: its options count."""
    options = tf.data.Options()
    options.experimental_symbolic_checkpoint = symbolic
    return dataset.with_options(options)


def without_injected_prefetch(dataset: Any) -> Any:
    """Keeps tf.data from reading ahead behind the last step of a pipeline."""
    options = tf.data.Options()
    options.experimental_optimization.inject_prefetch = False
    return dataset.with_options(options)


# TensorFlow 2.21 itself hangs when it restores a parallel interleave from a symbolic
# checkpoint, also one of ranges.
SYMBOLIC = [name for name in PIPELINES if name != "parallel_interleave"]
# No step that these pipelines name reads ahead, so that their explicit checkpoints are
# positions unless tf.data adds a step that does.
HOLD_NO_ROWS = ("plain", "rows", "map", "repeat", "zip")


@pytest.mark.parametrize("name", SYMBOLIC)
def test_symbolic_checkpoints_are_small_and_exact(
    name: str, numbers: Path, tmp_path: Path
) -> None:
    size = check_restores_everywhere(
        lambda: with_symbolic_checkpoints(PIPELINES[name](numbers), True), tmp_path
    )
    assert size < MAX_BYTES


@pytest.mark.parametrize("name", PIPELINES)
def test_explicit_checkpoints_are_exact_and_the_default(
    name: str, numbers: Path, tmp_path: Path
) -> None:
    check_restores_everywhere(lambda: PIPELINES[name](numbers), tmp_path)


@pytest.mark.parametrize("name", HOLD_NO_ROWS)
def test_an_explicit_checkpoint_holds_no_rows_where_no_step_reads_ahead(
    name: str, numbers: Path, tmp_path: Path
) -> None:
    size = check_restores_everywhere(
        lambda: without_injected_prefetch(PIPELINES[name](numbers)), tmp_path
    )
    assert size < MAX_BYTES


def test_nothing_is_read_ahead_of_an_iteration_over_the_dataset_itself(
    numbers: Path, tmp_path: Path
) -> None:
    dataset = make(numbers, 64, columns=None, num_epochs=None)
    iterator = iter(dataset)
    for _ in range(18):
        next(iterator)
    assert save(iterator, tmp_path)[1] < MAX_BYTES
    assert dataset.state_dict() == dataset.state_at(4, 2)


def test_restoring_goes_back_in_the_same_process(numbers: Path, tmp_path: Path) -> None:
    dataset = make(numbers)
    epochs = [[rows_of(batch) for batch in make(numbers).repeat(4)]]
    whole = epochs[0]
    iterator = iter(dataset)
    for _ in range(3):
        next(iterator)
    prefix, _ = save(iterator, tmp_path)
    list(iterator)
    list(dataset)
    tf.train.Checkpoint(iterator=iterator).read(prefix)
    assert dataset.state_dict() == dataset.state_at(0, 3)
    assert [rows_of(batch) for batch in iterator] == whole[3:16]
    assert [rows_of(batch) for batch in dataset] == whole[16:32]


def test_the_state_is_the_start_behind_an_iterator_restored_to_it(
    numbers: Path, tmp_path: Path
) -> None:
    dataset = make(numbers)
    iterator = iter(dataset)
    prefix, _ = save(iterator, tmp_path)
    for _ in range(3):
        next(iterator)
    tf.train.Checkpoint(iterator=iterator).read(prefix)
    assert dataset.state_dict() == dataset.state_at(0, 0)
    assert rows_of(next(iterator)) == ids(make(numbers))[:16]


@pytest.mark.fault(44)
def test_an_ended_iterator_stays_ended_and_takes_no_epoch(
    numbers: Path, tmp_path: Path
) -> None:
    iterator = iter(make(numbers))
    list(iterator)
    prefix, _ = save(iterator, tmp_path)
    dataset = make(numbers)
    restored = iter(dataset)
    tf.train.Checkpoint(iterator=restored).read(prefix)
    assert list(restored) == []
    second = [rows_of(batch) for batch in make(numbers, first_epoch=1)]
    assert [rows_of(batch) for batch in dataset] == second


def test_another_batch_size_and_world_size_go_on_from_the_same_row(
    numbers: Path, tmp_path: Path
) -> None:
    lanes = {"num_lanes": 2}
    iterator = iter(make(numbers, **lanes))
    head = [i for _ in range(3) for i in rows_of(next(iterator))]
    prefix, _ = save(iterator, tmp_path)
    tails = []
    for rank in range(2):
        restored = iter(
            make(numbers, 7, rank=rank, world_size=2, remainder="uneven", **lanes)
        )
        tf.train.Checkpoint(iterator=restored).read(prefix)
        tails += [i for batch in restored for i in rows_of(batch)]
    assert sorted(head + tails) == list(range(NUM_ROWS))


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"seed": 8}, "its seed is 7, this dataset's 8"),
        ({"shuffle": False}, "its shuffle is 1, this dataset's 0"),
        ({"num_lanes": 2}, "its num_lanes is 1, this dataset's 2"),
    ],
)
def test_checkpoints_of_another_order_are_refused(
    numbers: Path, tmp_path: Path, change: dict[str, Any], difference: str
) -> None:
    prefix, _ = save(iter(make(numbers)), tmp_path)
    restored = iter(make(numbers, **change))
    with pytest.raises(tf.errors.FailedPreconditionError, match=difference):
        tf.train.Checkpoint(iterator=restored).read(prefix)


def test_checkpoints_of_other_data_are_refused(numbers: Path, tmp_path: Path) -> None:
    prefix, _ = save(iter(make(numbers)), tmp_path)
    fewer = write_numbers(tmp_path / "fewer", [40, 25])
    with pytest.raises(tf.errors.FailedPreconditionError, match="other data"):
        tf.train.Checkpoint(iterator=iter(make(fewer))).read(prefix)
