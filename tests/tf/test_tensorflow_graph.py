# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The op as tf.data sees it: graphs, random access, global shuffle, cancellation."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf
from tensorflow.python.data.kernel_tests import test_base
from tensorflow.python.data.ops import test_mode

from numbered_rows import NUM_ROWS, write_numbers
from tf_numbers import id_of, ids, make


class ConformanceTest(test_base.DatasetTestBase):  # type: ignore[misc]
    """TensorFlow's own checks of a dataset."""

    test_session = None  # A context manager of the base, which looks like a test.

    def setUp(self) -> None:
        super().setUp()
        # TensorFlow's test mode is for the whole process, and nothing ends it. It turns
        # on experimental_warm_start, with which each iterator takes an epoch when made.
        self.addCleanup(test_mode.toggle_test_mode, False)
        self.directory = write_numbers(
            Path(self.create_tempdir().full_path), [10, 9, 0, 5]
        )

    def batches(self, **keywords: Any) -> list[dict[str, Any]]:
        dataset = make(self.directory, 5, columns=None, **keywords)
        return [self.evaluate(batch) for batch in dataset]

    def test_it_produces_what_it_says(self) -> None:
        dataset = make(self.directory, 6, columns=["id"], remainder="drop")
        expected = [{"id": batch["id"]} for batch in dataset]
        dataset.set_epoch(0)
        self.assertDatasetProduces(
            dataset, expected, expected_shapes={"id": tf.TensorShape([6])}
        )

    def test_round_trip_by_graph(self) -> None:
        # A graph says which cursor its iterators take epochs from.
        dataset = make(self.directory, 5, columns=None, num_epochs=2, label="even")
        expected = list(
            make(self.directory, 5, columns=None, num_epochs=2, label="even")
        )
        again = self.graphRoundTrip(dataset, allow_stateful=True)
        assert again.element_spec == dataset.element_spec
        assert again.cardinality() == len(expected)
        self.assertDatasetProduces(again, expected)
        assert dataset.state_dict()["epoch"] == 2

    def test_random_access(self) -> None:
        dataset = make(self.directory, 5, num_epochs=2, first_epoch=1)
        expected = [batch["id"].numpy() for batch in dataset]
        self.verifyRandomAccess(dataset.map(lambda batch: batch["id"]), expected)
        for step in (9, 0, 4, 5):
            batch = tf.data.experimental.at(dataset, step)
            self.assertAllEqual(batch["id"], expected[step])
        assert dataset.state_dict()["epoch"] == 3  # `at` took no epoch.

    def test_output_is_deterministic(self) -> None:
        expected = [self.evaluate(batch) for batch in make(self.directory, 5)]

        def dataset(determinism: bool, delay_ms: int) -> Any:  # noqa: ARG001
            return make(self.directory, 5)

        for _ in range(2):
            self.assertDatasetProduces(dataset(True, 0), expected)


def test_graph_runs_without_its_python_dataset(numbers: Path) -> None:
    dataset = make(numbers)
    graph = tf.raw_ops.DatasetToGraphV2(
        input_dataset=tf.data.experimental.to_variant(dataset)
    )
    epochs = [ids(dataset) for _ in range(2)]
    spec = dataset.element_spec
    del dataset
    again = restored(graph, spec)
    assert [ids(again) for _ in range(2)] == epochs


def restored(graph: tf.Tensor, spec: Any) -> Any:
    graph_def = tf.compat.v1.GraphDef.FromString(graph.numpy())
    output = next(n.input[0] for n in graph_def.node if n.op == "_Retval")
    name = output.partition(":")[0]

    def build() -> Any:
        (variant,) = tf.graph_util.import_graph_def(
            without_retval(graph_def), return_elements=[f"{name}:0"]
        )
        return variant

    wrapped = tf.compat.v1.wrap_function(build, [])
    return tf.data.experimental.from_variant(wrapped(), spec)


def without_retval(graph_def: Any) -> Any:
    kept = tf.compat.v1.GraphDef()
    kept.CopyFrom(graph_def)
    del kept.node[:]
    kept.node.extend(n for n in graph_def.node if n.op != "_Retval")
    return kept


def test_graph_refuses_data_that_is_not_its_own(tmp_path: Path) -> None:
    directory = write_numbers(tmp_path / "n", [30, 30, 30])
    dataset = make(directory)
    graph = tf.raw_ops.DatasetToGraphV2(
        input_dataset=tf.data.experimental.to_variant(dataset)
    )
    spec = dataset.element_spec
    del dataset
    write_numbers(directory, [30, 30, 31])
    with pytest.raises(tf.errors.FailedPreconditionError, match="fingerprint"):
        ids(restored(graph, spec))


def global_shuffle(dataset: Any, **keywords: Any) -> Any:
    op = pytest.importorskip(
        "tensorflow.python.data.experimental.ops.global_shuffle_op",
        reason="TensorFlow 2.16 knows no global shuffle",
    )
    return op._global_shuffle(dataset, seed=4, **keywords)


@pytest.mark.parametrize("reshuffle", [False, True])
def test_global_shuffle_is_a_permutation(numbers: Path, *, reshuffle: bool) -> None:
    dataset = global_shuffle(make(numbers, 10), reshuffle_each_iteration=reshuffle)
    orders = [[tuple(b["id"].numpy()) for b in dataset] for _ in range(2)]
    expected = [tuple(b["id"].numpy()) for b in make(numbers, 10)]
    for order in orders:
        assert sorted(order) == sorted(expected)
        assert order != expected
    assert (orders[0] != orders[1]) == reshuffle


def test_global_shuffle_checkpoints(numbers: Path, tmp_path: Path) -> None:
    def dataset() -> Any:
        return global_shuffle(make(numbers, 10))

    whole = [batch["id"].numpy().tolist() for batch in dataset()]
    iterator = iter(dataset())
    for _ in range(7):
        next(iterator)
    prefix = tf.train.Checkpoint(iterator=iterator).write(str(tmp_path / "c"))
    again = iter(dataset())
    tf.train.Checkpoint(iterator=again).read(prefix)
    assert [batch["id"].numpy().tolist() for batch in again] == whole[7:]


def test_random_access_of_an_endless_dataset_is_refused(numbers: Path) -> None:
    with pytest.raises(tf.errors.FailedPreconditionError):
        tf.data.experimental.at(make(numbers, num_epochs=None), 0)


def test_random_access_beyond_the_end(numbers: Path) -> None:
    dataset = make(numbers)
    for index in (-1, 16):
        with pytest.raises(tf.errors.OutOfRangeError):
            tf.data.experimental.at(dataset, index)


@pytest.mark.parametrize("parallel", [None, 4])
def test_many_iterators_at_once_deliver_everything(
    numbers: Path, parallel: int | None
) -> None:
    dataset = make(numbers, 7)
    many = tf.data.Dataset.range(6).interleave(
        lambda _: dataset, cycle_length=6, num_parallel_calls=parallel
    )
    assert sorted(ids(many)) == sorted(list(range(NUM_ROWS)) * 6)
    assert dataset.state_dict()["next_epoch"] >= 6


def test_iterators_in_many_threads(numbers: Path) -> None:
    dataset = make(numbers, 7)
    orders: list[list[int]] = []
    threads = [
        threading.Thread(target=lambda: orders.append(ids(dataset))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [ids(make(numbers, 7, first_epoch=epoch)) for epoch in range(4)]
    assert sorted(orders) == sorted(expected)


def test_iterators_that_are_dropped_leave_at_once(tmp_path: Path) -> None:
    directory = write_numbers(tmp_path / "n", [20_000] * 6)
    for pulls in [0, 1, 3] * 5:
        iterator = iter(make(directory, 8, columns=None, num_epochs=None).prefetch(2))
        for _ in range(pulls):
            next(iterator)


def test_a_failing_step_ends_the_iteration_beside_it(tmp_path: Path) -> None:
    directory = write_numbers(tmp_path / "n", [20_000] * 6)
    dataset = make(directory, 8, columns=None, num_epochs=None)

    @tf.function  # type: ignore[untyped-decorator]
    def run() -> tf.Tensor:
        total = tf.constant(0)
        for batch in dataset.prefetch(1):
            total += tf.size(id_of(batch))
            tf.debugging.assert_less(total, 1000, "enough")
        return total

    with pytest.raises(tf.errors.InvalidArgumentError, match="enough"):
        run()


def test_autotune_and_rewrites_keep_the_elements(numbers: Path) -> None:
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = True
    options.experimental_optimization.inject_prefetch = True
    options.experimental_optimization.map_parallelization = True
    options.experimental_optimization.noop_elimination = True
    options.autotune.enabled = True
    dataset = make(numbers).map(lambda x: x["id"]).with_options(options)
    epochs = [ids(dataset) for _ in range(2)]
    plain = make(numbers)
    assert epochs == [ids(plain) for _ in range(2)]
