# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Warns where Keras uses up the place that the user has set.

Under the backends JAX and PyTorch, `fit` and `evaluate` of a model that is not built
first take a batch of the data, in `Model._symbolic_build`. The number of batches does
not tell this from an epoch of one step, or from a loop that ends early. So this module
wraps that method.
"""

from __future__ import annotations

import sys
import warnings
from functools import wraps
from typing import Any, Final

from rowfeed._keras_calls.asking import Asking, asking
from rowfeed._keras_calls.match import check_inputs
from rowfeed._keras_calls.source import source_below

# Callbacks with this attribute set the place again when `fit` begins.
SETS_PLACE: Final = "_rowfeed_sets_place"


def warn_of_peeks() -> None:
    """Warns from now on, if Keras is loaded and its backend takes a batch first."""
    keras = sys.modules.get("keras")
    if keras is None or not hasattr(keras, "Model"):
        return
    if keras.backend.backend() == "tensorflow":
        return
    build = getattr(keras.Model, "_symbolic_build", None)
    if build is None or hasattr(build, "rowfeed_watches"):
        return

    @wraps(build)
    def watched(model: Any, *arguments: Any, **keywords: Any) -> Any:
        call = asking()
        source = None if call is None else source_below(call.arguments["x"])
        if call is None or call.model is not model or source is None:
            return build(model, *arguments, **keywords)
        check_inputs(model, call.arguments["x"])
        place = source._next_place()
        result = build(model, *arguments, **keywords)
        after = source._next_place()
        if _is_set(source, place) and after.astuple() != place.astuple():
            _warn(call, place, after)
        return result

    watched.rowfeed_watches = True  # type: ignore[attr-defined]
    keras.Model._symbolic_build = watched


def _is_set(source: Any, place: Any) -> bool:
    """Returns whether the user has set the place of the next iteration."""
    return source._placed is not None and source._placed.astuple() == place.astuple()


def _warn(call: Asking, place: Any, after: Any) -> None:
    if any(getattr(callback, SETS_PLACE, False) for callback in call.callbacks):
        return
    warnings.warn(
        f"{call.method} has built the model with a batch of epoch {place.epoch}, row "
        f"{place.row}, where load_state_dict or set_epoch had put the dataset, and "
        f"goes on with epoch {after.epoch}: give it "
        "callbacks=[rowfeed.keras.StartAt(dataset)], which sets the place again when "
        "it begins",
        UserWarning,
        stacklevel=2,
    )
