# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The dataset for JAX in one process, with one device and with a mesh of four."""

from __future__ import annotations

import importlib
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rowfeed
from numbered_rows import NUM_ROWS
from recorded import told
from rowfeed import Column
from trainers import installed

jax = installed("jax")

from jax.sharding import NamedSharding, PartitionSpec  # noqa: E402

from rowfeed.jax import ParquetDataset  # noqa: E402

ID = {"id": Column("id", dtype="int32")}


def meshed(*spec: Any) -> Any:
    """Returns a sharding over one device, in a mesh of two dimensions."""
    mesh = jax.make_mesh((1, 1), ("data", "model"))
    made: Any = PartitionSpec
    return NamedSharding(mesh, made(*spec))


def test_batches_are_those_for_numpy(numbers: Path) -> None:
    options: dict[str, Any] = {
        "columns": {**ID, "half": Column("half"), "parts": Column("parts")},
        "label": "even",
        "shuffle": True,
    }
    of_numpy = rowfeed.ParquetDataset(numbers, 32, **options)
    for found, expected in zip(
        ParquetDataset(numbers, 32, **options), of_numpy, strict=True
    ):
        (features, label), (own, own_label) = found, expected
        assert isinstance(features["id"], jax.Array)
        assert features["id"].dtype == np.int32
        assert features["parts"].offsets.dtype == np.int32
        for name, values in features.items():
            assert values.tolist() == own[name].tolist()
        assert label.tolist() == own_label.tolist()


def test_features_keep_their_order(numbers: Path) -> None:
    columns = {"whole": Column("id", dtype="int32"), "half": Column("half")}
    assert list(ParquetDataset(numbers, 32, columns=columns).peek()) == [*columns]


def test_processes_read_equal_shares() -> None:
    """Stand-ins for devices show the shares of meshes over several processes."""

    class Device:
        def __init__(self, process_index: int) -> None:
            self.process_index = process_index

    class Sharding:
        def __init__(self, processes: list[int]) -> None:
            self.devices = [Device(process) for process in processes]
            self.device_set = set(self.devices)

        def devices_indices_map(self, _: tuple[int]) -> Any:
            return {d: (slice(i, i + 1),) for i, d in enumerate(self.devices)}

    shares: Any = importlib.import_module("rowfeed._jax.shares")
    assert shares.share_of(Sharding([0, 0, 1, 1]), 1) == (1, 2)
    assert shares.share_of(Sharding([1, 1, 0, 0]), 1) == (0, 2)
    with pytest.raises(ValueError, match="some processes have more rows"):
        shares.share_of(Sharding([0, 0, 0, 1]), 1)
    with pytest.raises(ValueError, match="none of its devices is of process 2"):
        shares.share_of(Sharding([0, 1]), 2)


def test_aligned_rows_are_not_copied(numbers: Path) -> None:
    """A batch of 64 floats has a multiple of 64 bytes, as XLA asks for."""
    dataset = ParquetDataset(numbers, 64, columns=["half"], remainder="drop")
    for batch in dataset:
        array = batch["half"]
        shared = np.asarray(array).__array_interface__["data"][0]
        assert array.unsafe_buffer_pointer() == shared
        assert shared % 64 == 0


def test_a_ragged_is_a_pytree(numbers: Path) -> None:
    dataset = ParquetDataset(numbers, 32, columns=["parts", "name"])
    batch = dataset.peek()
    parts = jax.jit(lambda ragged: ragged)(batch["parts"])
    assert parts.tolist() == batch["parts"].tolist()
    assert parts[np.array([1, 2])].tolist() == batch["parts"].tolist()[1:3]
    assert batch["name"][1] == "row 1"
    assert batch["name"].to_pyarrow().to_pylist()[:2] == ["row 0", "row 1"]
    assert rowfeed.to_pyarrow(batch).num_rows == 32
    doubled = jax.tree.map(lambda leaf: leaf * 2, batch["parts"])
    assert doubled.kind == "list"


def test_a_state_serves_all_faces(numbers: Path) -> None:
    own, other = (
        face(numbers, 32, columns=ID, shuffle=True)
        for face in (ParquetDataset, rowfeed.ParquetDataset)
    )
    batches = iter(own)
    next(batches)
    other.load_state_dict(own.state_dict())
    rest = [batch["id"].tolist() for batch in batches]
    assert rest == [batch["id"].tolist() for batch in other]


def test_rows_are_scalars_and_strings(numbers: Path) -> None:
    row = ParquetDataset(numbers, None, columns=["half", "name"]).peek()
    assert row["name"] == "row 0"
    assert row["half"].shape == ()


def test_mixtures_and_copies(numbers: Path) -> None:
    sources = [ParquetDataset(numbers, 10, columns=ID, seed=s) for s in (1, 2)]
    mixture = rowfeed.mix(sources)
    assert isinstance(mixture.peek()["id"], jax.Array)
    assert isinstance(pickle.loads(pickle.dumps(sources[0])).peek()["id"], jax.Array)
    options: dict[str, Any] = {"columns": ID, "remainder": "drop"}
    one = ParquetDataset(numbers, 10, **options, sharding=meshed("data"))
    with pytest.raises(TypeError, match="a dataset with a sharding cannot be pickled"):
        pickle.dumps(one)
    other = ParquetDataset(numbers, 10, **options, sharding=meshed())
    with pytest.raises(ValueError, match="sharding differs between the sources"):
        rowfeed.mix([one, other])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"columns": ["id"]}, ValueError, r"column 'id' is int64, .* dtype='int32'\)"),
        ({"sharding": 4}, TypeError, "sharding must be a jax.sharding.Sharding"),
        ({"remainder": "uneven"}, ValueError, 'remainder="uneven" leaves a shorter'),
        ({"batch_size": None}, ValueError, "divides batches, but batch_size is None"),
        ({"columns": ["parts"]}, ValueError, "'parts' has rows of different lengths"),
        ({"columns": ["name"]}, ValueError, "'name' has rows of different lengths"),
        ({"rank": 1, "world_size": 2}, ValueError, "of rank 0 of 1: leave both out"),
    ],
    ids=str,
)
def test_what_jax_would_change_or_cannot_divide_is_refused(
    options: dict[str, Any], error: Any, message: str, numbers: Path
) -> None:
    given = {
        "batch_size": 8,
        "columns": ID,
        "remainder": "drop",
        "sharding": meshed("data"),
        **options,
    }
    with pytest.raises(error, match=message):
        ParquetDataset(numbers, **given)


ON_FOUR = """
import sys
import jax
from jax.sharding import NamedSharding, PartitionSpec
from recorded import told
from rowfeed import Column
from rowfeed.jax import ParquetDataset

mesh = jax.make_mesh((2, 2), ("data", "model"))
options = dict(
    columns={"id": Column("id", dtype="int32")}, shuffle=True, remainder="drop"
)
found = []
for spec, share in (((("data", "model"),), 6), (("data",), 12), ((), 24)):
    sharding = NamedSharding(mesh, PartitionSpec(*spec))
    train = ParquetDataset(sys.argv[1], 24, sharding=sharding, **options)
    rows = []
    for batch in train:
        assert batch["id"].sharding == sharding
        assert {s.data.shape for s in batch["id"].addressable_shards} == {(share,)}
        rows += batch["id"].tolist()
    found.append(rows)
assert found[0] == found[1] == found[2]
for batch_size, spec in ((25, ["data"]), (24, [None, "data"]), (24, ["data", None])):
    try:
        rows = NamedSharding(mesh, PartitionSpec(*spec))
        ParquetDataset(sys.argv[1], batch_size, sharding=rows, **options)
    except ValueError as error:
        print(str(error).splitlines()[0])
print(len(set(found[0])))
"""


def test_a_mesh_of_four_devices_divides_batches(numbers: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", ON_FOUR, str(numbers)],
        env={
            "PATH": "/usr/bin",
            "PYTHONPATH": str(Path(rowfeed.__file__).parents[1]),
            "XLA_FLAGS": "--xla_force_host_platform_device_count=4",
        },
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    refused, second, third, rows = ran.stdout.splitlines()
    assert second.startswith("sharding must divide the first dimension, which is the")
    assert third.startswith("column 'id' has batches of shape (24,), which sharding")
    assert refused.startswith(
        "a global batch of 25 rows (batch_size 25 x world_size 1)"
    )
    assert int(rows) == NUM_ROWS // 24 * 24


def test_which_and_replay_are_those_for_numpy(numbers: Path) -> None:
    keywords: dict[str, Any] = {"columns": ["half"], "shuffle": True, "num_lanes": 6}
    dataset = ParquetDataset(numbers, 16, **keywords)
    expected = rowfeed.ParquetDataset(numbers, 16, **keywords)
    assert told(dataset.which(2, 3)) == told(expected.which(2, 3))
    (batch,) = dataset.replay(2, [3])
    assert isinstance(batch["half"], jax.Array)
    assert (np.asarray(batch["half"]) == expected.batch_at(2, 3)["half"]).all()
