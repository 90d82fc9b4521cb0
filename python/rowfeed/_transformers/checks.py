# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that a Trainer of Hugging Face counts the rows that a dataset delivers."""

from __future__ import annotations

from typing import Any, Final

from transformers.data.data_collator import (
    DataCollatorWithPadding,
    default_data_collator,
)

from rowfeed._mix.mixture_parameters import MixtureParameters

# Options of TrainingArguments that a dataset of rowfeed does not follow, with the
# values that they may have.
_WITHOUT_EFFECT: Final[dict[str, Any]] = {
    "auto_find_batch_size": False,
    "dataloader_drop_last": False,
    "dataloader_num_workers": 0,
    "train_sampling_strategy": "random",
}


def check(trainer: Any, dataset: Any, kind: str) -> None:
    """Checks a dataset against the options of a Trainer.

    Args:
        trainer: Trainer of Hugging Face.
        dataset: Dataset of rowfeed.
        kind: "train" or "eval", as in the names of the Trainer's options.

    Raises:
        ValueError: The Trainer counts other batches or epochs than the dataset has, the
            elements are no dicts, or an option of the Trainer has no effect.
    """
    _check_options(trainer)
    parameters = dataset._parameters
    has_transform = parameters.options.transform is not None
    if not has_transform and not isinstance(dataset.element_spec, dict):
        raise ValueError(
            "label: a Trainer takes dicts with the model's inputs, one of which is the "
            "label: leave label out, and name its column in columns"
        )
    _check_batches(trainer, parameters.stream.delivery, kind)
    if kind == "train":
        _check_epochs(parameters)


def _check_options(trainer: Any) -> None:
    for name, value in _WITHOUT_EFFECT.items():
        given = getattr(trainer.args, name, value)
        if given != value:
            raise ValueError(
                f"{name}={given!r} has no effect on a dataset of rowfeed: leave it "
                "out; batch_size, shuffle, remainder and num_threads are options of "
                "the dataset"
            )
    collator = trainer.data_collator
    is_default = collator is default_data_collator
    if not (is_default or isinstance(collator, DataCollatorWithPadding)):
        raise ValueError(
            "data_collator has no effect on a dataset of rowfeed, which makes the "
            "batches itself: do its work in the dataset's transform"
        )


def _check_batches(trainer: Any, delivery: Any, kind: str) -> None:
    args = trainer.args
    rows = trainer.get_total_train_batch_size(args) // args.gradient_accumulation_steps
    world_size = rows // args.train_batch_size
    batch_size = getattr(args, f"{kind}_batch_size")
    if (delivery.batch_size, delivery.world_size) != (batch_size, world_size):
        raise ValueError(
            f"{kind}_dataset: the Trainer counts {batch_size} rows in a batch, in each "
            f"of {world_size} processes, but the dataset has batch_size="
            f"{delivery.batch_size} and world_size={delivery.world_size}: give the "
            f"dataset and TrainingArguments(per_device_{kind}_batch_size=…) the same "
            "number, and make the dataset after the TrainingArguments, which "
            "initialize torch.distributed"
        )
    if world_size > 1 and delivery.remainder == "uneven":
        raise ValueError(
            f'{kind}_dataset: with remainder="uneven" some processes have fewer rows '
            "in the last step, and the Trainer would wait for them: give "
            'remainder="drop", "wrap" or "pad"'
        )


def _check_epochs(parameters: Any) -> None:
    options = parameters.options
    if options.num_epochs not in (1, None):
        raise ValueError(
            f"num_epochs={options.num_epochs}: a Trainer begins the epochs itself: "
            "leave num_epochs out, and give TrainingArguments(num_train_epochs=…)"
        )
    if any(part.options.growth is not None for part in parameters.parts):
        raise ValueError(
            "refresh: the epochs of a growing data set differ in length, but a Trainer "
            "takes all to be as long as the first one: leave refresh out"
        )
    if not isinstance(parameters, MixtureParameters) or parameters.is_endless:
        return
    if len({parameters.steps_in(first) for first, _ in parameters.schedule}) > 1:
        raise ValueError(
            "weights: the epochs of the mixture differ in length, but a Trainer takes "
            'all to be as long as the first one: give the mixture stop="endless", and '
            "TrainingArguments(max_steps=…)"
        )
