# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The states of PyTorch's own generators, which Keras on PyTorch draws from.

There a Dropout without a `seed` draws from them, and not from a variable of the model.
"""

from __future__ import annotations

from collections.abc import Sequence

import keras

from rowfeed._keras.variables import Variable


def read_generators() -> list[Variable]:
    """Returns the states by device; none if Keras does not run on PyTorch."""
    if keras.backend.backend() != "torch":
        return []
    import torch

    states = {"cpu": torch.get_rng_state()}
    for index in range(torch.cuda.device_count()):
        states[f"cuda:{index}"] = torch.cuda.get_rng_state(index)
    return [Variable("random", name, state.numpy()) for name, state in states.items()]


def set_generators(saved: Sequence[Variable]) -> None:
    """Gives the generators the states of a backup, as far as their devices exist."""
    states = {each.name: each for each in saved if each.group == "random"}
    for own in read_generators():
        before = states.get(own.name)
        if before is None or before.form != own.form:
            continue
        import torch

        state = torch.from_numpy(before.value.copy())
        if own.name == "cpu":
            torch.set_rng_state(state)
        else:
            torch.cuda.set_rng_state(state, own.name)
