# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Checks of the data that a running call of Keras was given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rowfeed._keras_calls.asking import asking
from rowfeed._keras_calls.source import source_below
from rowfeed._process.caller_warnings import DataWarning, warn_caller

# Methods of a model that may be given features before Keras pairs them with inputs.
_STEPS: Final = ("train_step", "test_step", "predict_step")


def check_fit(model: Any) -> None:
    """Checks the data of the running call of `fit` or `evaluate` of a model, if any.

    Raises:
        ValueError: The features of the data are not the inputs of the model, or an
            iterator of the data takes an epoch as soon as it is made.
    """
    call = asking()
    if call is None or call.model is not model:
        return
    for data in call.data:
        check_data(call.method, model, data)


def check_data(method: str, model: Any, data: Any) -> None:
    """Checks data that a method of a Keras model is given; see `check_fit`."""
    check_inputs(model, data)
    _check_warm_start(method, data)


def check_given(dataset: Any) -> None:
    """Checks the data of a running call of Keras, if `dataset` is among it.

    Raises:
        ValueError: The data is refused by `check_fit`.
    """
    call = asking()
    if call is not None and any(data is dataset for data in call.data):
        for data in call.data:
            check_data(call.method, call.model, data)


def check_inputs(model: Any, dataset: Any) -> None:
    """Refuses a dataset whose features Keras would give to other inputs of a model.

    A model that is built of a dict of inputs takes a dict of features by the sorted
    position of the names. Where a name is missing or extra, Keras warns and goes on.

    A model with a step of its own, such as a `train_step`, may pick the features
    itself, so there is only a `DataWarning` for it.

    Args:
        model: A Keras model. It is checked only if it was built of a dict of inputs.
        dataset: Data that `fit` is given. It is checked only if it has an
            `element_spec`, as a `tf.data.Dataset` has.

    Raises:
        ValueError: An input of the model is not a feature, or a feature is not an
            input.
    """
    features = _features(dataset)
    inputs = _inputs(model)
    if features is None or inputs is None:
        return
    wanted, given = list(_names(inputs)), list(_names(features))
    extra = [name for name in given if name not in wanted]
    missing = [name for name in wanted if name not in given]
    if not extra and not missing:
        return
    found = [f"{', '.join(map(repr, missing))} of its inputs are no features"]
    found = found if missing else []
    if extra:
        found.append(f"{', '.join(map(repr, extra))} are no inputs of it")
    message = (
        f"the model is built of a dict of inputs, but the features of the dataset are "
        f"others: {'; '.join(found)}. Keras would pair them by their sorted position. "
        "Give the dataset columns=[...] with the inputs alone, leave the others out in "
        "a map, or build the model of a list of named inputs, which picks by name"
    )
    own = [step for step in _STEPS if _is_own(model, step)]
    if not own:
        raise ValueError(message)
    warn_caller(
        DataWarning(
            f"{message}. The model's own {own[0]} is not looked at: if it leaves out "
            "the other features, ignore this warning"
        )
    )


def _check_warm_start(method: str, data: Any) -> None:
    """Refuses a pipeline over a dataset of rowfeed that reads before it is asked to.

    Keras makes two or three iterators an epoch and reads one of them.
    """
    if source_below(data) is None or not callable(getattr(data, "options", None)):
        return
    if data.options().experimental_warm_start:
        raise ValueError(
            f"the pipeline that {method} is given has the option "
            "experimental_warm_start: each iterator then takes an epoch as soon as it "
            "is made, and Keras makes more iterators than it reads. Leave the option "
            "out"
        )


def _features(dataset: Any) -> Mapping[str, Any] | None:
    spec = getattr(dataset, "element_spec", None)
    features = spec[0] if isinstance(spec, tuple) and spec else spec
    return features if isinstance(features, Mapping) else None


def _inputs(model: Any) -> Mapping[str, Any] | None:
    """Returns the dict of inputs that a model is built of; None for other models."""
    if _is_own(model, "call"):
        return None
    try:
        inputs = model.input
    except (AttributeError, ValueError):  # The model is not built of inputs.
        return None
    return inputs if isinstance(inputs, Mapping) else None


def _is_own(model: Any, method: str) -> bool:
    """Returns whether the model's class has a method of its own, not that of Keras."""
    found = getattr(type(model), method, None)
    return not getattr(found, "__module__", "").startswith("keras.")


def _names(tree: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for name, branch in tree.items():
        if isinstance(branch, Mapping):
            yield from _names(branch, f"{above}{name}.")
        else:
            yield f"{above}{name}"
