# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A mixture is the same in every face, and a dataset of its face in all else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rowfeed
from loader_warnings import LOADER_WARNINGS
from numbered_rows import write_numbers
from reading import FACES, module_of
from rowfeed._native import core


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    root = tmp_path_factory.mktemp("mixture")
    return [
        write_numbers(root / "a", [30, 17, 25, 8], 2),
        write_numbers(root / "b", [20, 11], 1),
    ]


def mixture_of(
    folders: list[Path],
    face: str,
    weights: Any = (2, 1),
    stop: Any = "all_exhausted",
    **keywords: Any,
) -> Any:
    module = module_of(face)
    options = {"shuffle": True, "block_rows": 5, "columns": ["id", "half"], **keywords}
    return rowfeed.mix(
        [module.ParquetDataset(folder, 4, **options) for folder in folders],
        weights,
        stop=stop,
    )


def ids(elements: Any) -> list[list[int]]:
    return [np.asarray(element["id"]).tolist() for element in elements]


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("stop", ["first_exhausted", "all_exhausted"])
def test_every_face_delivers_the_same(
    folders: list[Path], face: str, stop: Any
) -> None:
    options: dict[str, Any] = {"stop": stop, "num_epochs": 2, "num_lanes": 2}
    expected = ids(mixture_of(folders, "numpy", **options))
    mixture = mixture_of(folders, face, **options)
    assert len(mixture) == len(expected)
    assert ids(mixture) == expected
    assert mixture.state_dict()["epoch"] == 2


@pytest.mark.parametrize("face", FACES)
def test_a_state_goes_from_face_to_face(folders: list[Path], face: str) -> None:
    numpy = mixture_of(folders, "numpy")
    iteration = iter(numpy)
    for _ in range(7):
        next(iteration)
    other = mixture_of(folders, face)
    other.load_state_dict(iteration.state_dict())
    assert other.state_dict() == iteration.state_dict()
    assert ids(other) == ids(iteration)
    assert ids([other.batch_at(0, 3)]) == ids([numpy.batch_at(0, 3)])


@pytest.mark.parametrize("face", FACES)
def test_strings_and_lists_are_mixed(folders: list[Path], face: str) -> None:
    columns = {"columns": ["id", "name", "parts"]}
    for element in mixture_of(folders, face, **columns):
        if face == "tensorflow":
            names = [name.decode() for name in element["name"].numpy()]
            parts = element["parts"].to_list()
        else:
            names, parts = element["name"].tolist(), element["parts"].tolist()
        for row, name, part in zip(ids([element])[0], names, parts, strict=True):
            assert name == f"row {row}"
            assert part == [row] * (row % 4)


def test_faces_are_not_mixed_with_each_other(folders: list[Path]) -> None:
    torch = pytest.importorskip("rowfeed.torch")
    sources: Any = [
        rowfeed.ParquetDataset(folders[0], 4),
        torch.ParquetDataset(folders[1], 4),
    ]
    with pytest.raises(TypeError, match=r"rowfeed\.torch\.ParquetDataset.*of one face"):
        rowfeed.mix(sources)


class TestTorch:
    pytestmark = LOADER_WARNINGS

    @pytest.mark.parametrize("num_workers", [0, 2])
    def test_a_loader_delivers_it(self, folders: list[Path], num_workers: int) -> None:
        data = pytest.importorskip("torch.utils.data")
        loader = data.DataLoader(
            mixture_of(folders, "torch"), batch_size=None, num_workers=num_workers
        )
        expected = ids(mixture_of(folders, "numpy"))
        assert len(loader) == len(expected)
        assert ids(loader) == expected

    def test_ranks_compare_weights_and_sources(self, folders: list[Path]) -> None:
        rank_plans = pytest.importorskip("rowfeed._ranks.plans")
        start = core.Progress(0, 0, 1, 0)

        def difference(**others: Any) -> str:
            mixtures = [
                mixture_of(folders, "torch"),
                mixture_of(folders, "torch", **others),
            ]
            return str(
                rank_plans.difference(
                    [
                        rank_plans.plan_of(mixture._parameters, start, begins=True)
                        for mixture in mixtures
                    ]
                )
            )

        assert difference() == ""
        assert "weights is [2, 1] on rank 0 and [1, 1]" in difference(weights=[1, 1])
        assert "stop is" in difference(stop="endless")
        assert "seed of source 0 is 0 on rank 0 and 3" in difference(seed=3)


class TestTensorFlow:
    def test_cardinality_says_what_is_known(self, folders: list[Path]) -> None:
        tf = pytest.importorskip("tensorflow")

        def cardinality(*mixing: Any, **options: Any) -> int:
            mixture = mixture_of(folders, "tensorflow", *mixing, **options)
            return int(mixture.cardinality())

        expected = len(mixture_of(folders, "numpy"))
        assert cardinality() == expected
        assert cardinality(num_epochs=3) == 3 * expected
        assert cardinality((2, 1), "endless") == tf.data.INFINITE_CARDINALITY
        weights = {0: [2, 1], 1: [4, 2]}
        assert cardinality(weights) == expected
        weights = {0: [2, 1], 1: [9, 1]}
        assert cardinality(weights) == tf.data.UNKNOWN_CARDINALITY

    def test_a_checkpoint_goes_on(self, folders: list[Path], tmp_path: Path) -> None:
        tf = pytest.importorskip("tensorflow")
        expected = ids(mixture_of(folders, "numpy"))
        iterator = iter(mixture_of(folders, "tensorflow"))
        for _ in range(5):
            next(iterator)
        path = tf.train.Checkpoint(iterator=iterator).save(str(tmp_path / "c"))
        again = iter(mixture_of(folders, "tensorflow"))
        tf.train.Checkpoint(iterator=again).restore(path)
        assert ids(again) == expected[5:]

        for other, what in (
            (mixture_of(folders, "tensorflow", [1, 1]), "weights is 0:2,1;, this"),
            (mixture_of(folders, "tensorflow", seed=3), "seed of source 0 is 0, this"),
            (mixture_of(folders[:1], "tensorflow", [1]), "of other sources"),
        ):
            with pytest.raises(tf.errors.OpError, match=what):
                tf.train.Checkpoint(iterator=iter(other)).restore(path)

    def test_map_random_access_and_functions(self, folders: list[Path]) -> None:
        tf = pytest.importorskip("tensorflow")
        expected = ids(mixture_of(folders, "numpy"))
        mixture = mixture_of(folders, "tensorflow")
        assert ids([tf.data.experimental.at(mixture, 6)]) == expected[6:7]
        mapped = mixture.map(lambda element: {"id": element["id"] + 0})
        assert ids(mapped) == expected
        mixture.set_epoch(0)

        @tf.function  # type: ignore[untyped-decorator]
        def total() -> Any:
            found = tf.constant(0, tf.int64)
            for element in mixture:
                found += tf.reduce_sum(element["id"])
            return found

        assert int(total()) == sum(map(sum, expected))

    def test_a_process_with_the_graph_alone_opens_the_sources(
        self, folders: list[Path]
    ) -> None:
        tf = pytest.importorskip("tensorflow")
        from rowfeed._native import load_tensorflow_ops

        mixture = mixture_of(folders, "tensorflow")
        # Another process has no cursor of that name either.
        load_tensorflow_ops().rowfeed_delete_cursor(cursor_name=mixture._cursor_name)
        variant = tf.raw_ops.DatasetToGraphV2(input_dataset=mixture._variant_tensor)
        graph = tf.raw_ops.DatasetFromGraph(graph_def=variant)
        opened = tf.data.experimental.from_variant(graph, mixture.element_spec)
        assert ids(opened) == ids(mixture_of(folders, "numpy"))

    def test_keras_backups_are_refused(
        self, folders: list[Path], tmp_path: Path
    ) -> None:
        keras = pytest.importorskip("rowfeed.keras")
        mixture = mixture_of(folders, "tensorflow")
        with pytest.raises(NotImplementedError, match="for datasets that are no mixtu"):
            keras.BackupAndRestore(tmp_path, mixture)

    def test_splits_are_refused(self, folders: list[Path]) -> None:
        tf = pytest.importorskip("tensorflow")
        mixture = mixture_of(folders, "tensorflow")
        dispatcher = tf.data.experimental.service.DispatchServer()
        worker = tf.data.experimental.service.WorkerServer(
            tf.data.experimental.service.WorkerConfig(dispatcher.target.split("://")[1])
        )
        shared = mixture.apply(
            tf.data.experimental.service.distribute(
                tf.data.experimental.service.ShardingPolicy.DYNAMIC, dispatcher.target
            )
        )
        with pytest.raises(tf.errors.OpError, match="cannot be divided into splits"):
            list(shared)
        del worker
