# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How the workers of a strategy of TensorFlow meet: in its coordination service."""

from __future__ import annotations

import base64
import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar, Final

import tensorflow as tf
from tensorflow.python.eager import context  # The service has no other door.

from rowfeed._options.resolved import Resolved
from rowfeed._ranks.agreement import Agreement
from rowfeed._ranks.store_wait import Store

_LOOK_MS: Final = 200  # It answers when the key is there, or after so long.
_TIMEOUT_S: Final = 1800.0  # That of a process group of PyTorch.
_numbers = itertools.count()


@dataclass(frozen=True, kw_only=True)
class StrategyAgreement(Agreement):
    """How a dataset meets those of the other workers of a strategy."""

    advice: ClassVar[str] = (
        "call begin_epoch of the dataset: all workers must make the same datasets in "
        "the same order and call it as often. A dataset of one worker alone needs "
        "rank=0, world_size=1"
    )

    @classmethod
    def of_strategy(cls, rank: int, world_size: int) -> StrategyAgreement | None:
        """Returns that of one more dataset, of which each worker reads a share.

        The n-th dataset of a worker meets the n-th of each other. None if there is no
        strategy of several workers, or if it has not as many as the dataset has ranks.
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

    def introduce(self, resolved: Resolved) -> None:
        """Tells nobody: the workers compare when an epoch begins."""

    def connect(self) -> Store:
        """Returns the service as a store."""
        return _Service()


class _Service:
    """The coordination service, with the verbs of a store of PyTorch."""

    def set(self, key: str, value: bytes | str) -> None:
        """Writes a value, in the place of one that is there."""
        data = value.encode() if isinstance(value, str) else value
        text = base64.b64encode(data).decode()  # What it keeps is text.
        with _plain_errors():
            try:
                context.context().set_config_key_value(key, text)
            except tf.errors.AlreadyExistsError:
                context.context().delete_config_key_value(key)
                context.context().set_config_key_value(key, text)

    def get(self, key: str) -> bytes:
        """Returns the value of a key that is there."""
        with _plain_errors():
            found = context.context().get_config_key_value(key, _LOOK_MS)
        return base64.b64decode(found)

    def check(self, keys: Sequence[str]) -> bool:
        """Whether all keys are there; waits a little for those that are not."""
        try:
            for key in keys:
                with _plain_errors():
                    context.context().get_config_key_value(key, _LOOK_MS)
        except TimeoutError:
            return False
        return True

    def delete_key(self, key: str) -> bool:
        """Forgets a key, if it is there."""
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
