# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`Loader`: the batches of a dataset for NumPy or JAX, in the form that Keras takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import keras
import numpy as np
from keras.src.trainers.data_adapters.data_adapter import DataAdapter

from rowfeed._columns.ragged import Ragged
from rowfeed._keras_calls.asking import asking
from rowfeed._keras_calls.peek import is_building
from rowfeed._mix.mixture_parameters import MixtureParameters
from rowfeed._stream.dataset import Dataset


class Loader(DataAdapter):  # type: ignore[misc]
    """Gives `fit`, `evaluate` and `predict` the batches of a dataset as they are.

    It is for Keras on JAX and on PyTorch, version 3.7 or newer, and needs no
    TensorFlow. Keras counts `len(dataset)` steps in an epoch. Each iteration is the
    next epoch of the dataset, or goes on from the place that `load_state_dict` set. The
    batch with which Keras builds a model uses up no epoch.

    Keras on PyTorch also takes a `rowfeed.torch.Loader`, and every backend a
    `rowfeed.tensorflow.ParquetDataset` where TensorFlow is installed.

    Args:
        dataset: A `rowfeed.ParquetDataset` or `rowfeed.jax.ParquetDataset`, or a
            mixture of such. Its elements are `(features, label)` or, with a weight for
            each row, `(features, label, weight)`, where `features` is a dict of arrays
            of shape [batch, ...]. A `transform` may return anything that Keras takes.

    Attributes:
        dataset: The dataset that was given.

    Raises:
        NotImplementedError: Keras runs on TensorFlow, or the epochs of `dataset` differ
            in length, because it grows or is a mixture whose weights change.
        TypeError: `dataset` is of another kind. In `fit`: a feature is a `Ragged`.
        ValueError: The elements of the dataset are single rows. In `fit`: `y`,
            `sample_weight` or `class_weight` is given, which the elements have; or an
            integer does not fit into the 32 bits that JAX has for it.

    Example:
        >>> train = rowfeed.ParquetDataset(
        ...     "data", 256, label="price", shuffle=True
        ... )  # doctest: +SKIP
        >>> model.fit(Loader(train), epochs=5)  # doctest: +SKIP
    """

    def __init__(self, dataset: Any) -> None:
        backend = keras.backend.backend()
        if backend not in ("jax", "torch"):
            raise NotImplementedError(
                f"rowfeed.keras.Loader is for Keras on JAX and on PyTorch, not on "
                f"{backend}: give fit a rowfeed.tensorflow.ParquetDataset"
            )
        if not isinstance(dataset, Dataset) or _is_of_torch(dataset):
            raise TypeError(
                "Loader takes a rowfeed.ParquetDataset or rowfeed.jax.ParquetDataset, "
                f"not a {type(dataset).__name__} of {type(dataset).__module__}; a "
                "dataset of rowfeed.torch goes into rowfeed.torch.Loader"
            )
        if dataset._parameters.single:
            raise ValueError(
                "Loader hands over batches, but the dataset has batch_size=None: give "
                "the dataset a batch_size"
            )
        if dataset._parameters.options.growth is not None:
            raise NotImplementedError(
                "Loader is for datasets that do not grow, as Keras counts the steps of "
                "an epoch once: rowfeed.keras.fit, on TensorFlow, counts them anew"
            )
        if _changes_length(dataset._parameters):
            raise NotImplementedError(
                "Loader is for epochs of one length, as Keras counts their steps once, "
                "but the weights of the mixture change between epochs: give it "
                'weights that stay, or stop="endless" and steps_per_epoch to fit'
            )
        self.dataset: Any = dataset

    def __len__(self) -> int:
        """Returns the number of batches of a whole iteration: see the dataset's."""
        return len(self.dataset)

    @property
    def num_batches(self) -> int | None:
        """Number of steps of an epoch; None if the dataset is endless."""
        parameters = self.dataset._parameters
        if parameters.options.num_epochs is None or parameters.is_endless:
            return None
        return len(self)

    @property
    def batch_size(self) -> None:
        """None, because Keras shall not make batches of the batches."""
        return

    @property
    def element_spec(self) -> Any:
        """Specs of an element, as `dataset.element_spec`; None after a `transform`.

        The callbacks of `rowfeed.keras` compare it with the inputs of the model.
        """
        transform = self.dataset._parameters.options.transform
        return self.dataset.element_spec if transform is None else None

    def get_jax_iterator(self) -> Iterator[Any]:
        """Yields the batches of an iteration, for Keras on JAX."""
        for element in self._elements():
            _check(element)
            yield element

    def get_torch_dataloader(self) -> Iterator[Any]:
        """Yields the batches of an iteration as tensors, for Keras on PyTorch."""
        for element in self._elements():
            _check(element)
            yield keras.tree.map_structure(keras.ops.convert_to_tensor, element)

    def _elements(self) -> Iterable[Any]:
        """Returns the batches of an iteration, or one that uses up no epoch."""
        self._refuse_other_targets()
        return [self.dataset.peek()] if is_building() else self.dataset

    def _refuse_other_targets(self) -> None:
        """Refuses arguments of `fit` that Keras would drop without a word."""
        call = asking()
        if call is None or call.arguments["x"] is not self:
            return
        for name in ("y", "sample_weight", "class_weight"):
            if call.arguments.get(name) is not None:
                raise ValueError(
                    f"{call.method} is given {name} beside a rowfeed.keras.Loader: "
                    "labels and weights are columns of the dataset (label=..., "
                    "sample_weight=...)"
                )


def _is_of_torch(dataset: Any) -> bool:
    """Returns whether the elements of a dataset are tensors of PyTorch."""
    return any(base.__module__ == "rowfeed.torch" for base in type(dataset).__mro__)


def _changes_length(parameters: Any) -> bool:
    """Returns whether the epochs of a mixture differ in length."""
    if not isinstance(parameters, MixtureParameters) or parameters.is_endless:
        return False
    return len(parameters.schedule) > 1


def _check(part: Any, name: str = "an array") -> None:
    """Refuses what Keras does not take, or what JAX would change without a word."""
    if isinstance(part, dict):
        for key, value in part.items():
            _check(value, f"feature {key!r}")
    elif isinstance(part, (tuple, list)):
        for value in part:
            _check(value, name)
    elif isinstance(part, Ragged):
        raise TypeError(
            f"{name} has rows of different lengths, which Keras on "
            f"{keras.backend.backend()} does not take: encode strings with "
            "Column(encode=...) and pad lists with Column(pad=...), or leave the "
            "column out"
        )
    elif isinstance(part, np.ndarray) and keras.backend.backend() == "jax":
        _check_width(part, name)


def _check_width(array: np.ndarray[Any, Any], name: str) -> None:
    """Refuses integers that JAX would cut to 32 bits."""
    if array.dtype.name not in ("int64", "uint64") or not array.size:
        return
    import jax

    narrow = np.iinfo("int32" if array.dtype.name == "int64" else "uint32")
    fits = array.min() >= narrow.min and array.max() <= narrow.max
    config: Any = jax.config
    if not (fits or config.jax_enable_x64):
        raise ValueError(
            f"{name} has {array.dtype} numbers that do not fit into the {narrow.dtype} "
            "that JAX makes of them: set the environment variable JAX_ENABLE_X64=1, or "
            "leave the column out"
        )
