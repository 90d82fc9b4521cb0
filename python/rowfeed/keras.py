# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Keras: inputs made of a dataset's features, resumable training, loading statistics.

The module can be imported under every backend of Keras, also without TensorFlow. A name
that needs TensorFlow raises an error that says so.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

try:
    import keras
except ImportError as error:
    raise ImportError("rowfeed.keras needs Keras 3: pip install 'keras>=3'") from error

from rowfeed._keras.start import StartAt
from rowfeed._process.public_names import publish

if TYPE_CHECKING:
    from rowfeed._keras.backup_and_restore import BackupAndRestore
    from rowfeed._keras.growing import fit
    from rowfeed._keras.inputs import inputs, numbers
    from rowfeed._keras.loader import Loader
    from rowfeed._keras.padding import exact_loss
    from rowfeed._keras.stats import TensorBoardStats

__all__ = [
    "BackupAndRestore",
    "Loader",
    "StartAt",
    "TensorBoardStats",
    "exact_loss",
    "fit",
    "inputs",
    "numbers",
]

publish(__name__, StartAt)

_MODULES: Final = {
    "BackupAndRestore": "rowfeed._keras.backup_and_restore",
    "Loader": "rowfeed._keras.loader",
    "TensorBoardStats": "rowfeed._keras.stats",
    "exact_loss": "rowfeed._keras.padding",
    "fit": "rowfeed._keras.growing",
    "inputs": "rowfeed._keras.inputs",
    "numbers": "rowfeed._keras.inputs",
}


def __getattr__(name: str) -> Any:
    """Imports a name's module when it is asked for: some need TensorFlow."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    backend = keras.backend.backend()
    if name == "TensorBoardStats" and backend != "tensorflow":
        raise ImportError(
            f"rowfeed.keras.{name} needs Keras on TensorFlow, not on {backend}: set "
            "KERAS_BACKEND=tensorflow"
        )
    try:
        found = getattr(import_module(_MODULES[name]), name)
    except ModuleNotFoundError as error:
        if error.name != "tensorflow":
            raise
        raise ImportError(
            f"rowfeed.keras.{name} needs TensorFlow, also where Keras runs on "
            f"{backend}: pip install 'rowfeed[tensorflow]'"
        ) from error
    publish(__name__, found)
    return found
