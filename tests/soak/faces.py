# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The faces that a soak plays, each with what it plays in its process."""

from __future__ import annotations

import faulthandler
import importlib
import shutil
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.simulation.files import Library
from tests.soak.simulated import HANG_S, Case, case_with, played

# Plays the training of a seed: (seed, library, own folder, counts) -> failure or None.
Play = Callable[[int, Library, Path, "Counter[str]"], str | None]


def _is_plain(case: Case) -> bool:
    return not case["grows"] and case["mixture"] is None


def _grows(case: Case) -> bool:
    return bool(case["grows"])


def _is_mixed(case: Case) -> bool:
    return case["mixture"] is not None


def _is_any(case: Case) -> bool:  # noqa: ARG001
    return True


def _is_fixed(case: Case) -> bool:
    return not case["grows"]


def _simulated(face: str, is_wanted: Callable[[Case], bool]) -> Play:
    return partial(played, face, is_wanted)


def _looped(module: str) -> Play:
    """Returns what plays trainings with a loader; its framework is imported then."""

    def play(
        seed: int, library: Library, own: Path, counts: Counter[str]
    ) -> str | None:
        # The module imports its framework, which the other faces need not.
        loader: Any = importlib.import_module(f"tests.soak.{module}")
        from tests.soak.loops import Training

        faulthandler.dump_traceback_later(2 * HANG_S, exit=True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                case = case_with(_is_fixed, seed)
                Training(case, loader, counts, (library, own)).play()
        except Exception:
            return traceback.format_exc()
        finally:
            faulthandler.cancel_dump_traceback_later()
            shutil.rmtree(own, ignore_errors=True)
        return None

    return play


FACES: Final[dict[str, Play]] = {
    "numpy": _simulated("numpy", _is_plain),
    "growing": _simulated("numpy", _grows),
    "mixture": _simulated("numpy", _is_mixed),
    "torch": _simulated("torch", _is_any),
    "workers": _looped("torch_workers"),
    "tensorflow": _looped("tf_data"),
    "keras": _looped("keras_fit"),
}
