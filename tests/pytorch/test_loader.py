# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`Loader` behaves as trainers expect of a DataLoader, without any trainer."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from numbered_rows import NUM_ROWS

torch = pytest.importorskip("torch")

from rowfeed.torch import Loader, ParquetDataset, ParquetMapDataset  # noqa: E402

STEPS = -(-NUM_ROWS // 32)


def dataset(numbers: Path, **options: Any) -> Any:
    return ParquetDataset(
        numbers, 32, columns=["id"], shuffle=True, seed=7, num_epochs=1, **options
    )


def ids(batches: Any) -> list[list[int]]:
    return [batch["id"].tolist() for batch in batches]


def test_it_delivers_the_batches_of_the_dataset_epoch_by_epoch(numbers: Path) -> None:
    loader, own = Loader(dataset(numbers)), dataset(numbers)
    assert isinstance(loader, torch.utils.data.DataLoader)
    assert len(loader) == STEPS
    assert loader.batch_size is None
    assert loader.device is None
    for _ in range(3):
        assert ids(loader) == ids(own)


def test_it_goes_on_within_an_epoch_though_trainers_set_the_epoch_again(
    numbers: Path,
) -> None:
    loader = Loader(dataset(numbers))
    loader.set_epoch(2)
    batches = iter(loader)
    first = ids(next(batches) for _ in range(3))
    state = loader.state_dict()
    rest = ids(batches)
    resumed = Loader(dataset(numbers))
    resumed.load_state_dict(state)
    resumed.set_epoch(2)
    resumed.sampler.set_epoch(2)  # type: ignore[attr-defined]
    assert ids(resumed) == rest
    resumed.set_epoch(2)
    assert ids(resumed) == first + rest


def test_a_state_at_the_end_of_an_epoch_goes_on_with_the_next(numbers: Path) -> None:
    loader = Loader(dataset(numbers))
    batches = iter(loader)
    for _ in range(STEPS):
        next(batches)
    resumed = Loader(dataset(numbers))
    resumed.load_state_dict(loader.state_dict())
    resumed.set_epoch(0)
    following, own = ids(resumed), dataset(numbers)
    own.set_epoch(1)
    assert following == ids(own)
    assert resumed.state_dict()["epoch"] == 2


def test_a_rank_without_rows_in_the_last_step_does_not_run_ahead(
    numbers: Path,
) -> None:
    """Three ranks share 249 of 250 rows in one step, and rank 0 has one more row."""
    options: dict[str, Any] = {
        "columns": ["id"],
        "remainder": "uneven",
        "world_size": 3,
    }
    assert NUM_ROWS == 3 * 83 + 1
    state = ParquetDataset(numbers, 83, rank=0, **options).state_at(0, 1)
    for rank in range(3):
        loader = Loader(ParquetDataset(numbers, 83, rank=rank, **options))
        loader.load_state_dict(state)
        assert len(ids(loader)) == (1 if rank == 0 else 0)
        assert loader.state_dict()["epoch"] == 1


def test_an_empty_dataset_has_no_batch_after_a_resume_either(numbers: Path) -> None:
    empty = ParquetDataset(numbers, 32, columns=["id"], filter=[("id", "<", 0)])
    loader = Loader(empty)
    assert ids(loader) == []
    loader.load_state_dict(loader.state_dict())
    assert ids(loader) == []


def test_batches_are_moved_to_the_device(numbers: Path) -> None:
    columns = ["half", "name"]
    own = ParquetDataset(numbers, 32, columns=columns, label="even")
    (features, label) = next(iter(Loader(own, device="meta")))
    assert {features["half"].device.type, label.device.type} == {"meta"}
    assert features["name"].values.device.type == "meta"


def test_mixtures_and_copies_have_loaders_too(numbers: Path) -> None:
    mixture = rowfeed.mix([dataset(numbers), dataset(numbers)], weights=[1, 1])
    loader: Any = Loader(mixture)
    batches = iter(loader)
    next(batches)
    copy = pickle.loads(pickle.dumps(loader))
    assert len(copy) == len(loader)
    copy.load_state_dict(loader.state_dict())
    copies = pickle.loads(pickle.dumps(copy))
    rest = ids(batches)
    assert ids(copy) == rest
    assert ids(copies) == rest


def test_epochs_of_a_trainer_are_not_counted_twice(numbers: Path) -> None:
    loader = Loader(ParquetDataset(numbers, 32, columns=["id"], num_epochs=2))
    assert len(ids(loader)) == 2 * STEPS
    with pytest.raises(ValueError, match=r"num_epochs=2: .* give the dataset num_ep"):
        loader.set_epoch(1)
    endless = Loader(ParquetDataset(numbers, 32, columns=["id"], num_epochs=None))
    endless.set_epoch(1)
    assert endless.state_dict()["epoch"] == 1


def test_what_is_no_dataset_of_batches_is_refused(numbers: Path) -> None:
    rows: Any = ParquetMapDataset(numbers)
    with pytest.raises(TypeError, match=r"Loader takes a rowfeed\.torch\.Parq"):
        Loader(rows)
    with pytest.raises(TypeError, match=r"not ParquetDataset.*MapDataset goes"):
        Loader(rowfeed.ParquetDataset(numbers, 32))
    with pytest.raises(ValueError, match="give the dataset a batch_size"):
        Loader(ParquetDataset(numbers, None))


@pytest.mark.parametrize(
    "option", [{"batch_size": 8}, {"num_workers": 2}, {"shuffel": True}], ids=str
)
def test_options_without_effect_are_refused(
    option: dict[str, Any], numbers: Path
) -> None:
    with pytest.raises(ValueError, match="Loader takes no options of a DataLoader"):
        Loader(dataset(numbers), **option)
    Loader(dataset(numbers), batch_size=None, num_workers=0, shuffle=False)


def test_an_early_end_of_a_loop_closes_the_iteration(numbers: Path) -> None:
    loader = Loader(dataset(numbers))
    batches = iter(loader)
    next(batches)
    batches.close()  # type: ignore[attr-defined]
    assert ids(loader) == ids_of_epoch(numbers, 1)


def ids_of_epoch(numbers: Path, epoch: int) -> list[list[int]]:
    own = dataset(numbers)
    own.set_epoch(epoch)
    return ids(own)
