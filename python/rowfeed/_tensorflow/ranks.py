# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How the workers of a TensorFlow strategy meet: in its coordination service."""

from __future__ import annotations

import base64
import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar, Final

import tensorflow as tf
from tensorflow.python.eager import context  # No public module has it.

from rowfeed._options.parameters import Parameters
from rowfeed._ranks.agreement import Agreement
from rowfeed._ranks.store_wait import Store

_LOOK_MS: Final = 200  # How long the service waits for a key before it answers.
_TIMEOUT_S: Final = 1800.0  # The same time limit as PyTorch's process groups have.
_numbers = itertools.count(1)


@dataclass(frozen=True, kw_only=True)
class StrategyAgreement(Agreement):
    """How a dataset meets those of the other workers of a strategy."""

    what: ClassVar[str] = "call begin_epoch of the dataset"
    advice: ClassVar[str] = (
        "All workers must make the same datasets in the same order, by which they are "
        "numbered, and call begin_epoch of each as often, in the same order. A dataset "
        "of one worker alone needs rank=0, world_size=1"
    )

    @classmethod
    def of_strategy(cls, rank: int, world_size: int) -> StrategyAgreement | None:
        """Returns the agreement for one more dataset, whose rows the workers share.

        The n-th dataset of a worker meets the n-th dataset of each other worker.
        Returns None if there is no strategy of several workers, or if the number of its
        workers is not that of the dataset's ranks.
        """
        service = context.context().coordination_service
        if service is None or world_size == 1:
            return None
        num_workers = sum(job.num_tasks for job in service.coordinated_job_list)
        if num_workers != world_size:
            return None
        return cls(
            key=f"rowfeed/{next(_numbers)}",
            rank=rank,
            world_size=world_size,
            timeout_s=_TIMEOUT_S,
        )

    def introduce(self, parameters: Parameters) -> None:
        """Does nothing, since the workers compare when an epoch begins."""

    def connect(self) -> Store:
        """Returns the coordination service as a store."""
        return _Service()


class _Service:
    """The coordination service, with the methods of `Store`."""

    def set(self, key: str, value: bytes | str) -> None:
        """Writes a value; replaces one that is there."""
        data = value.encode() if isinstance(value, str) else value
        text = base64.b64encode(data).decode()  # The service stores text only.
        with _plain_errors():
            try:
                context.context().set_config_key_value(key, text)
            except tf.errors.AlreadyExistsError:
                context.context().delete_config_key_value(key)
                context.context().set_config_key_value(key, text)

    def get(self, key: str) -> bytes:
        """Returns the value of a key, which must be there."""
        with _plain_errors():
            found = context.context().get_config_key_value(key, _LOOK_MS)
        return base64.b64decode(found)

    def check(self, keys: Sequence[str]) -> bool:
        """Returns whether all keys are there; waits up to 0.2 s for a missing one."""
        try:
            for key in keys:
                with _plain_errors():
                    context.context().get_config_key_value(key, _LOOK_MS)
        except TimeoutError:
            return False
        return True

    def delete_key(self, key: str) -> bool:
        """Deletes a key, if it is there."""
        with _plain_errors():
            context.context().delete_config_key_value(key)
        return True


@contextmanager
def _plain_errors() -> Iterator[None]:
    try:
        yield
    except tf.errors.DeadlineExceededError as error:
        raise TimeoutError(error.message) from None
    except tf.errors.OpError as error:
        raise RuntimeError(
            f"the strategy's coordination service: {error.message}"
        ) from None
