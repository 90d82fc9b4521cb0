# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The process of one face: trainings one after the other, and samples in between."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.simulation.files import Library
from tests.soak.faces import FACES
from tests.soak.gauges import Samples, growing
from tests.soak.planted import planted


def soaked(
    face: str,
    seed: int,
    *,
    seconds: float | None = None,
    runs: int | None = None,
    different: int = 2**63,
    leak: str | None = None,
) -> dict[str, Any]:
    """Plays trainings of a face in this process.

    Args:
        face: A key of `FACES`.
        seed: Seed of the first training; the others follow.
        seconds: Time after which no training begins. None: `runs` ends it.
        runs: Number of trainings. None: `seconds` ends it.
        different: Number of trainings after which the same ones come again.
        leak: Leak that is planted; a key of `planted.LEAKS`.

    Returns:
        The counts; `slopes`, with the slope of each gauge and its error, which are NaN
        after few runs; `samples`; and `failures`, each a text.
    """
    counts, samples, failures = Counter[str](), Samples(), list[str]()
    begin, done = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder, planted(leak):
        library = Library(Path(folder) / "data")
        while runs is None or done < runs:
            if seconds is not None and time.monotonic() - begin > seconds:
                break
            own, number = Path(folder) / "own", seed + done % different
            failure = FACES[face](number, library, own, counts)
            if failure is not None:
                failures.append(f"seed {number} of {face}:\n{failure}")
            done += 1
            samples.take(done)
    if runs is None and not samples.are_enough:
        failures.append(f"{done} runs of {face} are too few for a slope")
    slopes = samples.slopes()
    failures += [f"{name} of {face} grow" for name in growing(slopes)]
    return {
        "face": face,
        "seed": seed,
        "minutes": (time.monotonic() - begin) / 60,
        "runs": done,
        "counts": dict(counts),
        "slopes": {name: tuple(slope) for name, slope in slopes.items()},
        "samples": {"runs": samples.runs, **samples.values},
        "failures": failures,
    }
