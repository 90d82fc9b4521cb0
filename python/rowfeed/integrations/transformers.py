# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Datasets of rowfeed in the Trainer of Hugging Face's transformers."""

from __future__ import annotations

from typing import Any

from rowfeed._process.public_names import publish
from rowfeed._stream.dataset import Dataset

try:
    from torch.utils.data import DataLoader, IterableDataset
    from transformers.trainer_utils import EvalLoopOutput

    from rowfeed._transformers.checks import check
    from rowfeed._transformers.position import RowfeedPosition
except ImportError as error:
    raise ImportError(
        "rowfeed.integrations.transformers needs transformers with its Trainer: pip "
        "install 'transformers[torch]'"
    ) from error

from rowfeed.torch import Loader

__all__ = ["TrainerMixin"]


class TrainerMixin:
    """Lets a Trainer read `ParquetDataset`s and mixtures, and resume them exactly.

    Derive a class from it and from `transformers.Trainer`, or from a class derived from
    that. `train_dataset`, `eval_dataset` and the argument of `predict` may then be a
    `rowfeed.torch.ParquetDataset` or a mixture of such, whose elements are dicts from
    the names of the model's inputs to tensors. Other datasets are handled as before.

    Nobody makes batches of the batches, and each process reads its own rows. The
    Trainer sets the epochs. A checkpoint holds the position in the data. With
    `resume_from_checkpoint` the training goes on with the rows that are left, and
    those before are not read. The number of processes may be another one, if a step of
    the optimizer has as many rows.

    Example:
        >>> class Trainer(TrainerMixin, transformers.Trainer):  # doctest: +SKIP
        ...     pass
        >>> args = transformers.TrainingArguments(  # doctest: +SKIP
        ...     "out", per_device_train_batch_size=256, num_train_epochs=2
        ... )
        >>> train = rowfeed.torch.ParquetDataset(  # doctest: +SKIP
        ...     "data", 256, columns=["vector", "labels"], shuffle=True
        ... )
        >>> Trainer(model, args, train_dataset=train).train()  # doctest: +SKIP
    """

    # The attributes of a Trainer that are used here.
    args: Any
    data_collator: Any
    eval_dataset: Any
    train_dataset: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Makes the Trainer; the arguments are those of the class beside."""
        super().__init__(*args, **kwargs)
        self.add_callback(RowfeedPosition())  # type: ignore[attr-defined]

    def get_train_dataloader(self) -> DataLoader[Any]:
        """Returns a `Loader` of `train_dataset`, if that is a dataset of rowfeed.

        Raises:
            ValueError: The batches are not those with which the Trainer counts, the
                elements are no dicts, or an option of the Trainer has no effect.
        """
        if not _is_of_rowfeed(self.train_dataset):
            loader: Any = super().get_train_dataloader()  # type: ignore[misc]
            return loader  # type: ignore[no-any-return]
        return self._loader(self.train_dataset, "train")

    def get_eval_dataloader(self, eval_dataset: Any = None) -> DataLoader[Any]:
        """Returns a `Loader` of a dataset for evaluation, if that is one of rowfeed.

        Raises:
            ValueError: It is `train_dataset` itself, whose place would be lost, or a
                reason of `get_train_dataloader`.
        """
        found = self.eval_dataset if eval_dataset is None else eval_dataset
        if isinstance(found, str):
            found = self.eval_dataset[found]
        if not _is_of_rowfeed(found):
            loader: Any = super().get_eval_dataloader(  # type: ignore[misc]
                eval_dataset
            )
            return loader  # type: ignore[no-any-return]
        if found is self.train_dataset:
            raise ValueError(
                "eval_dataset is train_dataset, whose place in the training would be "
                "lost: make another ParquetDataset of the same data for evaluation"
            )
        return self._loader(found, "eval")

    def get_test_dataloader(self, test_dataset: Any) -> DataLoader[Any]:
        """Returns a `Loader` of the dataset of `predict`, if that is one of rowfeed.

        Raises:
            ValueError: A reason of `get_eval_dataloader`.
        """
        if _is_of_rowfeed(test_dataset):
            return self.get_eval_dataloader(test_dataset)
        loader: Any = super().get_test_dataloader(test_dataset)  # type: ignore[misc]
        return loader  # type: ignore[no-any-return]

    def num_examples(self, dataloader: DataLoader[Any]) -> int:
        """Returns the number of rows of an iteration of a loader, over all ranks."""
        if not isinstance(dataloader, Loader):
            return int(super().num_examples(dataloader))  # type: ignore[misc]
        parameters = dataloader.dataset._parameters
        batch_rows: int = parameters.stream.delivery.global_batch
        num_rows: int = parameters.epochs.rows_in(dataloader.dataset._start().epoch)
        return min(num_rows, len(dataloader) * batch_rows)

    def evaluation_loop(
        self, dataloader: DataLoader[Any], *args: Any, **kwargs: Any
    ) -> EvalLoopOutput:
        """Evaluates as the class beside does, and counts rows where it counts steps."""
        found: EvalLoopOutput = super().evaluation_loop(  # type: ignore[misc]
            dataloader, *args, **kwargs
        )
        if isinstance(dataloader, Loader):
            found = found._replace(num_samples=self.num_examples(dataloader))
        return found

    def _loader(self, dataset: Any, kind: str) -> Loader:
        loader = Loader(dataset)
        check(self, dataset, kind)
        return loader


def _is_of_rowfeed(dataset: Any) -> bool:
    """Returns whether a dataset is an iterable one of `rowfeed.torch`."""
    return isinstance(dataset, Dataset) and isinstance(dataset, IterableDataset)


publish(__name__, TrainerMixin)
