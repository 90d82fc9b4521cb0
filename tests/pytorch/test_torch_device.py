# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Batches on a device: those of the host, in the same order, with the same states.

Where there is no CUDA device, one is played by the host's memory: batches are packed,
copied and unpacked all the same.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from loader_warnings import LOADER_WARNINGS
from reading import module_of
from rowfeed._native import core

torch = pytest.importorskip("torch")

from torch.utils.data import DataLoader  # noqa: E402

import rowfeed.torch  # noqa: E402
from devices import HAS_CUDA, Played, on_host, plain, write_mixed_types  # noqa: E402
from rowfeed._torch import device as torch_device  # noqa: E402
from rowfeed.torch import ParquetDataset  # noqa: E402

pytestmark = LOADER_WARNINGS


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    """What brings batches onto a device."""
    played = Played()
    monkeypatch.setattr(torch_device, "on_device", played)
    if not HAS_CUDA:
        monkeypatch.setattr(rowfeed.torch, "named", str)
        monkeypatch.setattr(torch_device, "indexed", torch.device)
    return played


@pytest.fixture
def device(played: Played) -> Iterator[str]:
    """A device, or what plays one, that batches come to."""
    yield "cuda"
    assert played.num_batches > 0


@pytest.fixture(scope="module")
def mixed_types(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_mixed_types(tmp_path_factory.mktemp("device") / "mixed.parquet")


COLUMNS: dict[str, Any] = {
    "id": "id",
    "flag": "flag",
    "half": "half",
    "word": rowfeed.Column("word", fill="", mask=True),
    "tokens": "tokens",
    "nested": "nested",
    "image": "image",
    "fixed": "fixed",
    "rows": rowfeed.Stack(["x0", "x1", "x2"]),
    "columns": rowfeed.Stack(["x2", "x3", "x4"], layout="columns"),
}


@pytest.mark.parametrize("num_lanes", [1, 4])
@pytest.mark.parametrize("batch_size", [1, 16, 200])
def test_elements_on_a_device_are_those_of_the_host(
    device: str, mixed_types: Path, batch_size: int, num_lanes: int
) -> None:
    options: dict[str, Any] = {
        "columns": COLUMNS,
        "label": "x0",
        "shuffle": True,
        "num_lanes": num_lanes,
        "num_epochs": 2,
    }
    host = ParquetDataset(mixed_types, batch_size, **options)
    there = ParquetDataset(mixed_types, batch_size, device=device, **options)
    count = 0
    for expected, found in zip(host, there, strict=True):
        assert plain(found) == on_host(expected)
        count += 1
    assert count == len(host)


def test_fill_rows_on_a_device_have_flags_and_weights(
    device: str, numbers: Path
) -> None:
    options: dict[str, Any] = {"columns": ["id"], "label": "even", "remainder": "pad"}
    host = ParquetDataset(numbers, 64, **options)
    there = ParquetDataset(numbers, 64, device=device, **options)
    for expected, found in zip(host, there, strict=True):
        assert plain(found) == on_host(expected)


def test_no_columns_on_a_device(device: str, numbers: Path) -> None:
    there = ParquetDataset(numbers, 64, columns=[], device=device)
    assert list(there) == [{}] * len(there)


def test_a_state_on_a_device_resumes_on_the_host_and_back(
    device: str, numbers: Path
) -> None:
    options: dict[str, Any] = {"shuffle": True, "columns": ["id"], "num_epochs": 2}
    there = ParquetDataset(numbers, 16, device=device, **options)
    iterator = iter(there)
    for _ in range(7):
        next(iterator)
    state = iterator.state_dict()
    assert state == there.state_dict()
    rest = [plain(batch) for batch in iterator]
    for again, seen in (
        (ParquetDataset(numbers, 16, **options), on_host),
        (there, plain),
    ):
        again.load_state_dict(state)
        assert [seen(batch) for batch in again] == rest
    assert plain(there.batch_at(0, 7)) == rest[0]


def test_a_loader_a_pickle_and_a_mixture_are_on_the_device(
    device: str, numbers: Path
) -> None:
    there = ParquetDataset(numbers, 16, shuffle=True, columns=["id"], device=device)
    expected = [plain(batch) for batch in copy.copy(there)]
    assert [plain(b) for b in DataLoader(there, batch_size=None)] == expected
    again = pickle.loads(pickle.dumps(there))
    again.set_epoch(0)
    assert [plain(batch) for batch in again] == expected
    host = ParquetDataset(numbers, 16, shuffle=True, columns=["id"])
    mixture = rowfeed.mix([there, again])
    expected = [on_host(batch) for batch in rowfeed.mix([host, copy.copy(host)])]
    assert [plain(batch) for batch in mixture] == expected
    with pytest.raises(ValueError, match=r"device is None in source 1, but 'cuda'"):
        rowfeed.mix([there, host])


def test_tensors_outlive_their_dataset_and_share_its_memory(
    device: str, numbers: Path
) -> None:
    there = ParquetDataset(numbers, 16, columns=["id", "half"], device=device)
    batch = next(iter(there))
    expected = plain(batch)
    there.close()
    del there
    assert plain(batch) == expected
    id_, half = batch["id"].data_ptr(), batch["half"].data_ptr()
    assert abs(id_ - half) == 128, "they are parts of one arena"
    half_alone = batch.pop("half")
    del batch
    assert plain({"half": half_alone})["half"] == expected["half"]


@pytest.mark.parametrize("error", [torch.OutOfMemoryError("full"), KeyboardInterrupt()])
def test_a_batch_that_does_not_get_onto_the_device_comes_next(
    device: str, played: Played, numbers: Path, error: BaseException
) -> None:
    options: dict[str, Any] = {"columns": ["id"], "shuffle": True, "num_epochs": 2}
    there = ParquetDataset(numbers, 64, device=device, **options)
    expected = [on_host(batch) for batch in ParquetDataset(numbers, 64, **options)]
    iterator = iter(there)
    found = []
    for step in range(len(there)):
        state = there.state_dict()
        played.errors = [error]
        with pytest.raises(type(error)):
            next(iterator)
        assert there.state_dict() == state == iterator.state_dict()
        found.append(plain(next(iterator)))
        assert there.state_dict() != state
        if step == 2:  # One that waits is given up where another place is loaded.
            played.errors = [error]
            with pytest.raises(type(error)):
                next(iterator)
            iterator.load_state_dict(state)
            assert plain(next(iterator)) == found[-1]
    assert found == expected
    assert next(iterator, None) is None


def test_a_signal_handler_that_takes_the_batch_on_its_way_has_it_alone(
    device: str, played: Played, numbers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = ParquetDataset(numbers, 64, columns=["id"], device=device)
    expected = [on_host(b) for b in ParquetDataset(numbers, 64, columns=["id"])]
    iterator = iter(there)
    found: list[Any] = []

    def handled(batch: core.PackedBatch, device: Any) -> core.Batch:
        if not found:
            found.append(None)
            found[0] = plain(next(iterator))
        return played(batch, device)

    monkeypatch.setattr(torch_device, "on_device", handled)
    rest = [plain(batch) for batch in iterator]
    assert [*found, *rest] == expected
    assert found == expected[:1]


def test_packing_is_counted_as_conversion(device: str, mixed_types: Path) -> None:
    there = ParquetDataset(mixed_types, 500, columns=["image"], device=device)
    (batch,) = there
    packed = core.BatchStream(
        there._cursor, there._parameters.stream, there._dlpack_exchange, packs=True
    )
    there.set_epoch(0)
    again = packed.next()
    before = there.stats().convert_seconds
    arena = torch.empty(again.num_bytes, dtype=torch.uint8)
    again.copy_to(arena.data_ptr())
    assert there.stats().convert_seconds > before
    assert again.num_bytes > batch["image"].values.nbytes


@pytest.mark.usefixtures("played")
def test_a_loader_worker_is_told_to_leave_the_device_alone(
    numbers: Path,
) -> None:
    there = ParquetDataset(numbers, 16, columns=["id"], device="cuda")
    loader = DataLoader(there, batch_size=None, num_workers=1)
    with pytest.raises(RuntimeError, match=r"'cuda' .* num_workers=0"):
        next(iter(loader))


@pytest.mark.usefixtures("played")
def test_a_device_is_for_batches_that_are_not_transformed(numbers: Path) -> None:
    with pytest.raises(ValueError, match=r"'cuda' and transform exclude"):
        ParquetDataset(numbers, 16, device="cuda", transform=len)
    with pytest.raises(ValueError, match=r"'cuda' and batch_size=None exclude"):
        ParquetDataset(numbers, None, device="cuda")


@pytest.mark.usefixtures("played")
def test_a_pytorch_without_an_exchange_is_too_old_for_a_device(
    numbers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ParquetDataset, "_dlpack_exchange", None)
    with pytest.raises(NotImplementedError, match=r"too old"):
        ParquetDataset(numbers, 16, device="cuda")


@pytest.mark.parametrize("name", ["cpu", torch.device("cpu"), None])
def test_the_cpu_is_no_device_to_copy_to(numbers: Path, name: Any) -> None:
    dataset = ParquetDataset(numbers, 16, columns=["id"], device=name)
    assert dataset._parameters.options.device is None
    assert next(iter(dataset))["id"].device.type == "cpu"


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("cuda:99", ValueError, r"'cuda:99'.*sees \d+ CUDA devices"),
        ("meta", ValueError, r"a CUDA device or the CPU, not 'meta'"),
        ("no such", ValueError, r"device='no such'"),
        (True, TypeError, r"not True"),
        (1.5, TypeError, r"not 1.5"),
    ],
)
def test_what_is_no_device_is_refused(
    numbers: Path, name: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        ParquetDataset(numbers, 16, device=name)


@pytest.mark.parametrize("face", ["numpy", "tensorflow"])
def test_other_faces_have_no_device(numbers: Path, face: str) -> None:
    module = module_of(face)
    with pytest.raises(TypeError, match=r"device='cuda' is for rowfeed\.torch"):
        module.ParquetDataset(numbers, 16, device="cuda")
