# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the inputs of a Keras model from the features of a dataset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import keras
import tensorflow as tf

from rowfeed._catalog.catalog import Catalog
from rowfeed._process.option_names import names_options


@names_options
def inputs(source: Any, columns: Any = None) -> dict[str, Any]:
    """Returns a `keras.Input` for each feature of a dataset or catalog, by name.

    A column of one number, bool or string per row is an input [batch, 1], as layers
    take it; Keras itself adds the last dimension to the dataset's [batch]. Fixed-size
    lists are [batch, list_size]; lists of any length are ragged, [batch, None]. The
    dtypes are those of the dataset, "string" for strings and binaries. A struct is a
    dict of inputs, as it is a dict of features. Build a model of the list of the
    inputs: then Keras gives each input the feature of its name. A model built of the
    dict, which structs need, gets features by the sorted position of their names.

    Args:
        source: Data that `fit` will get: a `ParquetDataset` or a pipeline over one,
            whose elements are a dict of features, or a tuple that begins with one. Or a
            `rowfeed.Catalog`, before there is a dataset.
        columns: Columns that the dataset will have, if `source` is a catalog, without
            its label and sample weight. Default: all columns of the files.

    Raises:
        KeyError, NotImplementedError, ValueError: `source` is a catalog, of which no
            dataset with these columns can be made.
        TypeError: The elements have no dict of features, or `columns` is given without
            a catalog.
        ValueError: The elements are single rows (`batch_size=None`).

    Example:
        >>> features = inputs(dataset)  # doctest: +SKIP
        >>> outputs = keras.layers.Dense(1)(numbers(features))  # doctest: +SKIP
        >>> model = keras.Model(list(features.values()), outputs)  # doctest: +SKIP
    """
    if isinstance(source, Catalog):
        from rowfeed.tensorflow import ParquetDataset

        source = ParquetDataset(source, batch_size=1, columns=columns)
    elif columns is not None:
        raise TypeError("columns are those of a catalog; a dataset has its own")
    spec = source.element_spec
    specs = spec[0] if isinstance(spec, tuple) else spec
    if not isinstance(specs, Mapping):
        raise TypeError(f"the dataset has no dict of features, but {specs!r}")
    return {name: _input(name, spec) for name, spec in specs.items()}


def numbers(features: Mapping[str, Any]) -> Any:
    """Returns all numbers of a batch side by side: [batch, numbers of a row], float32.

    It takes the features of integers and floats, one per row or in lists of fixed size,
    in the order of the dict and of the dicts in it. Bools, strings, ragged lists and
    lists of lists are left out. Codes of categories and identifiers are integers too,
    although their sizes mean nothing: leave them out of `features`. `features` may be
    the dict of `inputs`, to build a model, or the dict of a batch, to adapt a layer.

    Args:
        features: Tensors by name, of a batch or of a model.

    Raises:
        ValueError: No feature holds numbers of fixed shape.

    Example:
        >>> normalize = keras.layers.Normalization()  # doctest: +SKIP
        >>> normalize.adapt(dataset.map(lambda x, y: numbers(x)))  # doctest: +SKIP
        >>> dataset.set_epoch(0)  # The adaptation took an epoch.  # doctest: +SKIP
        >>> normalized = normalize(numbers(inputs(dataset)))  # doctest: +SKIP
    """
    columns = [_column(tensor) for tensor in _flat(features) if _is_numbers(tensor)]
    if not columns:
        given = [f"{name!r}: {_said(tensor)}" for name, tensor in features.items()]
        raise ValueError(
            "numbers needs a feature of integers or floats, one per row or in lists of "
            f"fixed size; it was given {', '.join(given) or 'no feature'}"
        )
    return keras.ops.concatenate(columns, axis=-1)


def _input(name: str, spec: Any) -> Any:
    if isinstance(spec, Mapping):
        return {key: _input(f"{name}.{key}", inner) for key, inner in spec.items()}
    if spec.shape.rank == 0:
        raise ValueError(f"{name!r} is of a single row: give the dataset a batch_size")
    return keras.Input(
        tuple(spec.shape[1:]) or (1,),
        dtype=spec.dtype.name,
        name=name,
        ragged=isinstance(spec, tf.RaggedTensorSpec),
    )


def _flat(features: Mapping[str, Any]) -> Iterator[Any]:
    for tensor in features.values():
        if isinstance(tensor, Mapping):
            yield from _flat(tensor)
        else:
            yield tensor


def _is_numbers(tensor: Any) -> bool:
    dtype = keras.backend.standardize_dtype(tensor.dtype)
    return (
        not _is_ragged(tensor)
        and len(tensor.shape) <= 2
        and dtype not in ("bool", "string")
    )


def _said(tensor: Any) -> str:
    """Returns what a feature is that has no numbers, for an error."""
    if isinstance(tensor, Mapping):
        return "a struct"
    dtype = keras.backend.standardize_dtype(tensor.dtype)
    kind = " in lists of any length" if _is_ragged(tensor) else ""
    return f"{dtype}{kind} {list(tensor.shape)}"


def _is_ragged(tensor: Any) -> bool:
    return isinstance(tensor, tf.RaggedTensor) or getattr(tensor, "ragged", False)


def _column(tensor: Any) -> Any:
    column = keras.ops.cast(tensor, "float32")
    return keras.ops.expand_dims(column, -1) if len(column.shape) == 1 else column
