# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Old names of modules that have moved, for pickles that earlier versions wrote."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any, Final

# For each module name in old pickles, the module that has its classes now.
_MOVED: Final = {
    "catalog": "_catalog.catalog",
    "catalog_entries": "_catalog.entries",
    "description": "_catalog.description",
    "features": "_columns.column",
    "filters": "_catalog.filters",
    "layout": "_columns.layout",
    "map_dataset": "_take.map_dataset",
    "mixed": "_mix.mixture_parameters",
    "numpy_dataset": "_stream.numpy_dataset",
    "options": "_options.options",
    "ragged": "_columns.ragged",
    "resolved": "_options.parameters",
    "stack": "_columns.stack",
    "string_encodings": "_columns.string_encodings",
    "torch_map_dataset": "_torch.map_dataset",
}
# For each earlier name of a class, its name now.
_RENAMED: Final = {"MixedResolved": "MixtureParameters"}


class _OldName(ModuleType):
    """The old name of a module, which loads the module when a class is asked for."""

    def __init__(self, old: str, new: str) -> None:
        super().__init__(old)
        self._new_name = new

    def __getattr__(self, name: str) -> Any:
        """Returns a class of the module; "__file__" and the like are not loaded."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(import_module(self._new_name), _RENAMED.get(name, name))


def keep_old_names() -> None:
    """Lets `pickle` find the classes of modules by the modules' earlier names."""
    for old, new in _MOVED.items():
        name = f"rowfeed.{old}"
        sys.modules[name] = _OldName(name, f"rowfeed.{new}")
