# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Hugging Face's Trainer with `TrainerMixin`: each row once, and exact resume."""

from __future__ import annotations

import json
import math
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pytest

import rowfeed
from numbered_rows import NUM_ROWS
from trainers import (
    STEPS,
    expected_steps,
    installed,
    numbers_printed,
    run,
    run_until_killed,
    steps_of,
)

installed("torch")
transformers = installed("transformers")

from rowfeed.torch import ParquetDataset, ParquetMapDataset  # noqa: E402
from transformers_ranks import (  # noqa: E402
    Model,
    Trainer,
    arguments,
    with_transformers,
)

# New processes import torch and transformers, on a machine that is shared.
pytestmark = [pytest.mark.timeout(600), pytest.mark.filterwarnings("ignore")]


def grouped(found: list[Any], accumulated: int = 1) -> list[list[int]]:
    """Returns the sorted rows of each step of the optimizer, over all ranks."""
    batches = steps_of([batches for batches, _, _ in found])
    return [
        sorted(chain(*batches[i : i + accumulated]))
        for i in range(0, len(batches), accumulated)
    ]


@pytest.mark.parametrize("world_size", [1, 2])
def test_each_row_comes_once_in_each_epoch(
    world_size: int, numbers: Path, tmp_path: Path
) -> None:
    options = {"num_train_epochs": 2}
    found = run(with_transformers, world_size, numbers, tmp_path, options)
    assert grouped(found) == expected_steps(numbers, 2)


@pytest.mark.parametrize(
    ("before", "after"),
    [((1, 1), (1, 1)), ((2, 1), (2, 1)), ((2, 1), (1, 2)), ((1, 2), (2, 1))],
)
def test_killed_processes_go_on_exactly_and_read_nothing_again(
    before: tuple[int, int], after: tuple[int, int], numbers: Path, tmp_path: Path
) -> None:
    """A process accumulates more gradients where there are fewer processes."""
    die_at = STEPS + 7
    saved = 4 * (die_at // 4)

    def options(accumulated: int, save_steps: int) -> dict[str, Any]:
        return {
            "num_train_epochs": 3,
            "gradient_accumulation_steps": accumulated,
            "save_strategy": "steps",
            "save_steps": save_steps,
        }

    run_until_killed(
        with_transformers,
        before[0],
        *(numbers, tmp_path, options(before[1], 4), die_at * before[1]),
    )
    found = run(with_transformers, after[0], numbers, tmp_path, options(after[1], 1000))
    assert grouped(found, after[1]) == expected_steps(numbers, 3)[saved:]
    assert all(delivered == len(batches) for batches, _, delivered in found)


@pytest.mark.parametrize("save_strategy", ["steps", "epoch"])
def test_a_checkpoint_at_the_end_of_an_epoch_goes_on_with_the_next(
    save_strategy: str, numbers: Path, tmp_path: Path
) -> None:
    options = {
        "num_train_epochs": 3,
        "save_strategy": save_strategy,
        "save_steps": STEPS,
    }
    run_until_killed(with_transformers, 1, numbers, tmp_path, options, STEPS + 2)
    found = run(with_transformers, 1, numbers, tmp_path, options)
    assert grouped(found) == expected_steps(numbers, 3)[STEPS:]


def test_a_resumed_training_ends_with_the_weights_of_one_that_was_not_stopped(
    numbers: Path, tmp_path: Path
) -> None:
    options = {"num_train_epochs": 2, "save_strategy": "steps", "save_steps": 4}
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    for folder in (whole, stopped):
        folder.mkdir()
    [(_, expected, _)] = run(with_transformers, 1, numbers, whole, options)
    run_until_killed(with_transformers, 1, numbers, stopped, options, STEPS + 6)
    [(batches, weight, _)] = run(with_transformers, 1, numbers, stopped, options)
    assert len(batches) == 2 * STEPS - 4 * ((STEPS + 6) // 4)
    assert weight == expected


def train_of(numbers: Path, **options: Any) -> Any:
    return ParquetDataset(
        numbers, 32, **{"columns": ["id"], "shuffle": True, "seed": 7, **options}
    )


def test_endless_data_is_trained_for_max_steps_and_resumed_over_its_epochs(
    numbers: Path, tmp_path: Path
) -> None:
    steps = math.ceil(NUM_ROWS / 32)
    expected = [batch["id"].tolist() for batch in train_of(numbers, num_epochs=3)]
    args = arguments(
        tmp_path, 32, max_steps=3 * steps - 2, save_strategy="steps", save_steps=6
    )
    model = Model()
    endless = train_of(numbers, num_epochs=None)
    Trainer(model, args, train_dataset=endless).train()
    assert model.batches == expected[:-2]
    for saved in (6, 12, 18):
        model = Model()
        again = train_of(numbers, num_epochs=None)
        Trainer(model, args, train_dataset=again).train(
            f"{tmp_path}/checkpoint-{saved}"
        )
        assert model.batches == expected[saved:-2]


def test_rows_are_evaluated_and_predicted_once_and_counted(
    numbers: Path, tmp_path: Path
) -> None:
    model = Model()
    args = arguments(tmp_path, 32, num_train_epochs=2, eval_strategy="epoch")
    held = train_of(numbers, shuffle=False)
    trainer = Trainer(model, args, train_dataset=train_of(numbers), eval_dataset=held)
    trainer.train()
    assert sorted(chain(*model.evaluated)) == sorted(2 * [*range(NUM_ROWS)])
    model.evaluated.clear()
    assert trainer.predict(held).metrics["test_loss"] > 0
    assert list(chain(*model.evaluated)) == list(range(NUM_ROWS))
    loader = trainer.get_eval_dataloader()
    assert trainer.evaluation_loop(loader, "a test").num_samples == NUM_ROWS
    evaluated = trainer.evaluate({"one": held, "other": held})
    assert {"eval_one_loss", "eval_other_loss"} <= set(evaluated)


def test_a_dataset_with_rows_by_index_trains_and_resumes_as_ever(
    numbers: Path, tmp_path: Path
) -> None:
    rows = ParquetMapDataset(numbers, columns=["id"])
    args = arguments(
        tmp_path, 32, num_train_epochs=2, save_strategy="steps", save_steps=11
    )
    model = Model()
    Trainer(model, args, train_dataset=rows).train()
    assert sorted(chain(*model.batches)) == sorted(2 * [*range(NUM_ROWS)])
    resumed = Model()
    Trainer(resumed, args, train_dataset=rows).train(f"{tmp_path}/checkpoint-11")
    assert resumed.batches == model.batches[11:]


def test_a_transform_names_the_inputs_of_the_model(
    numbers: Path, tmp_path: Path
) -> None:
    def renamed(batch: Any) -> Any:
        assert batch.pop("__valid").shape == (32,)
        return {"id": batch["row"]}

    data = ParquetDataset(
        numbers,
        32,
        columns={"row": rowfeed.Column("id")},
        remainder="pad",
        transform=renamed,
    )
    model = Model()
    args = arguments(tmp_path, 32, num_train_epochs=1)
    Trainer(model, args, train_dataset=data).train()
    assert [*chain(*model.batches)][:NUM_ROWS] == [*range(NUM_ROWS)]


def test_a_checkpoint_of_other_steps_is_refused(numbers: Path, tmp_path: Path) -> None:
    args = arguments(tmp_path, 32, max_steps=10, save_strategy="steps", save_steps=5)
    Trainer(Model(), args, train_dataset=train_of(numbers)).train()
    wider = arguments(tmp_path, 64, max_steps=10)
    again = ParquetDataset(numbers, 64, columns=["id"], shuffle=True, seed=7)
    with pytest.raises(
        ValueError, match=r"saved at row 160 of epoch 0, but .* at row 64 of epoch 1"
    ):
        Trainer(Model(), wider, train_dataset=again).train(f"{tmp_path}/checkpoint-5")
    other = train_of(numbers, seed=8)
    with pytest.raises(ValueError, match="seed"):
        Trainer(Model(), args, train_dataset=other).train(f"{tmp_path}/checkpoint-5")


def test_a_checkpoint_without_a_position_goes_on_at_its_step(
    numbers: Path, tmp_path: Path
) -> None:
    args = arguments(tmp_path, 32, max_steps=13, save_strategy="steps", save_steps=11)
    model = Model()
    Trainer(model, args, train_dataset=train_of(numbers)).train()
    path = Path(f"{tmp_path}/checkpoint-11/trainer_state.json")
    saved = json.loads(path.read_text())
    assert saved["stateful_callbacks"].pop("RowfeedPosition")["attributes"]["position"]
    path.write_text(json.dumps(saved))
    resumed = Model()
    Trainer(resumed, args, train_dataset=train_of(numbers)).train(str(path.parent))
    assert resumed.batches == model.batches[11:]


def test_data_are_not_skipped_where_the_user_wants_the_epoch_again(
    numbers: Path, tmp_path: Path
) -> None:
    args = arguments(
        tmp_path,
        32,
        max_steps=13,
        save_strategy="steps",
        save_steps=11,
        ignore_data_skip=True,
    )
    first = Model()
    Trainer(first, args, train_dataset=train_of(numbers)).train()
    resumed = Model()
    trainer = Trainer(resumed, args, train_dataset=train_of(numbers))
    trainer.train(f"{tmp_path}/checkpoint-11")
    again = train_of(numbers)
    again.set_epoch(11 // math.ceil(NUM_ROWS / 32))
    assert resumed.batches == [b["id"].tolist() for b in islice(again, 2)]


def test_callbacks_that_a_trainer_restores_keep_the_position(
    numbers: Path, tmp_path: Path
) -> None:
    args = arguments(
        tmp_path,
        32,
        max_steps=13,
        save_strategy="steps",
        save_steps=3,
        restore_callback_states_from_checkpoint=True,
    )
    model = Model()
    Trainer(model, args, train_dataset=train_of(numbers)).train()
    for saved in (3, 6, 9):  # Each makes the later ones again.
        resumed = Model()
        trainer = Trainer(resumed, args, train_dataset=train_of(numbers))
        trainer.train(f"{tmp_path}/checkpoint-{saved}")
        assert resumed.batches == model.batches[saved:]


def test_a_second_training_begins_anew(numbers: Path, tmp_path: Path) -> None:
    model = Model()
    trainer = Trainer(
        model, arguments(tmp_path, 32, max_steps=3), train_dataset=train_of(numbers)
    )
    trainer.train()
    trainer.train()
    assert model.batches[:3] == model.batches[3:]


def test_other_datasets_are_trained_as_ever(tmp_path: Path) -> None:
    import torch

    rows: Any = [{"id": torch.tensor(i)} for i in range(10)]
    model = Model()
    args = arguments(tmp_path, 5, num_train_epochs=1)
    trainer = Trainer(model, args, train_dataset=rows, eval_dataset=rows)
    trainer.train()
    assert sorted(chain(*model.batches)) == list(range(10))
    assert "eval_loss" in trainer.evaluate()
    assert trainer.predict(rows).metrics["test_loss"] > 0


def test_the_script_of_the_page_trains_and_goes_on_when_it_is_started_again(
    tmp_path: Path,
) -> None:
    found = numbers_printed(
        "train_transformers.py",
        "trainers.md",
        tmp_path,
        "num_train_epochs",
        "trainer.state.global_step",
    )
    assert found == [134, 268]


def collator(rows: Any) -> Any:
    return rows


@pytest.mark.parametrize(
    ("options", "of_data", "message"),
    [
        ({"dataloader_num_workers": 2}, {}, "dataloader_num_workers=2 has no effect"),
        ({"auto_find_batch_size": True}, {}, "auto_find_batch_size=True has no effect"),
        (
            {"per_device_train_batch_size": 8},
            {},
            r"counts 8 rows in a batch, in each of 1 .* batch_size=32 and world_size=1",
        ),
        ({}, {"world_size": 2, "rank": 0}, r"of 1 processes, .* world_size=2: give"),
        ({}, {"label": "even"}, "leave label out"),
        ({}, {"num_epochs": 2}, r"num_epochs=2: a Trainer begins the epochs itself"),
        ({}, {"batch_size": None}, "give the dataset a batch_size"),
    ],
    ids=str,
)
def test_what_the_trainer_would_count_otherwise_is_refused(
    options: Any, of_data: Any, message: str, numbers: Path, tmp_path: Path
) -> None:
    args = arguments(tmp_path, 32, **{"max_steps": 2, **options})
    given: dict[str, Any] = {"batch_size": 32, "columns": ["id"], **of_data}
    trainer = Trainer(Model(), args, train_dataset=ParquetDataset(numbers, **given))
    with pytest.raises(ValueError, match=message):
        trainer.train()


def test_epochs_of_different_lengths_are_refused(numbers: Path, tmp_path: Path) -> None:
    args = arguments(tmp_path, 32, max_steps=2)
    sources = [train_of(numbers), train_of(numbers, seed=8)]
    mixture = rowfeed.mix(sources, weights={0: [1, 1], 1: [3, 1]})
    with pytest.raises(ValueError, match=r"weights: the epochs of the mixture differ"):
        Trainer(Model(), args, train_dataset=mixture).train()
    growing = train_of(numbers, refresh="epoch", snapshot_dir=tmp_path / "snapshots")
    with pytest.raises(ValueError, match=r"refresh: the epochs of a growing data set"):
        Trainer(Model(), args, train_dataset=growing).train()


def test_other_hands_on_the_batches_are_refused(numbers: Path, tmp_path: Path) -> None:
    args = arguments(tmp_path, 32, max_steps=2)
    data = train_of(numbers)
    trainer = Trainer(Model(), args, collator, train_dataset=data, eval_dataset=data)
    with pytest.raises(ValueError, match="data_collator has no effect"):
        trainer.train()
    with pytest.raises(ValueError, match="eval_dataset is train_dataset"):
        trainer.evaluate()


def test_a_trainer_without_the_mixin_says_what_to_do(
    numbers: Path, tmp_path: Path
) -> None:
    args = arguments(tmp_path, 2, max_steps=1)
    data = train_of(numbers)
    trainer = transformers.Trainer(Model(), args, train_dataset=data)
    with pytest.warns(rowfeed.DataWarning, match=r"TrainerMixin"):
        trainer.train()
