# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Datasets of Parquet files for JAX, whose elements are arrays on devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from rowfeed._columns.ragged import Ragged
from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._process.public_names import publish
from rowfeed._stream.dataset import Dataset

try:
    import jax
    from jax.sharding import Sharding

    from rowfeed._jax.shares import num_shards, share_of
except ImportError as error:
    raise ImportError("rowfeed.jax needs JAX: pip install 'jax>=0.6'") from error

__all__ = ["ParquetDataset"]

# The dtypes that JAX makes narrower without a word, unless it is told to keep them.
_WIDE: Final = ("int64", "uint64", "float64")
_INT32_MAX: Final = 2**31 - 1


class ParquetDataset(Dataset):
    """Rows of Parquet files, shuffled, sharded and resumable, as arrays of JAX.

    Elements are dicts from column name to `jax.Array`, or `(features, label)` tuples;
    arrays are [batch], [batch, list_size] for fixed-size lists, or `rowfeed.Ragged`,
    which is a pytree. Null values are refused unless the column has a fill: see
    `rowfeed.Column`.

    Without `sharding` the arrays are on JAX's default device. On the CPU they share the
    kernel's memory where the rows of a batch of that column have a multiple of 64
    bytes; else JAX copies them once.

    With `sharding` an array is the global batch over a mesh of devices. Each process
    reads only the rows of its own devices; `batch_size` is the number of rows that one
    process reads. Without, `rank` and `world_size` are JAX's index and number of
    processes.

    The other keywords are documented in `rowfeed.ParquetDataset.__init__`.

    Example:
        >>> mesh = jax.make_mesh((4,), ("data",))  # doctest: +SKIP
        >>> rows = NamedSharding(mesh, PartitionSpec("data"))  # doctest: +SKIP
        >>> dataset = ParquetDataset(  # doctest: +SKIP
        ...     "data", 256, shuffle=True, remainder="drop", sharding=rows
        ... )
        >>> for batch in dataset:  # doctest: +SKIP
        ...     state = train_step(state, batch)
    """

    _sharding: Sharding | None = None

    def __init__(
        self, *args: Any, sharding: Sharding | None = None, **kwargs: Any
    ) -> None:
        """Makes the dataset.

        Args:
            args: Positional arguments of `rowfeed.ParquetDataset`.
            sharding: Sharding of arrays whose first dimension is the batch, such as
                `NamedSharding(mesh, PartitionSpec("data"))`. Default: the arrays are on
                the default device.
            kwargs: Keywords of `rowfeed.ParquetDataset`.

        Raises:
            TypeError: `sharding` is not a `jax.sharding.Sharding`.
            ValueError: JAX would make a column narrower in silence, or the batches
                cannot be divided as `sharding` says. Also what
                `rowfeed.ParquetDataset` raises.
        """
        if sharding is not None and not isinstance(sharding, Sharding):
            raise TypeError(
                "sharding must be a jax.sharding.Sharding, such as NamedSharding(mesh, "
                f"PartitionSpec('data')), not {type(sharding).__name__}"
            )
        self._sharding = sharding
        super().__init__(*args, **kwargs)

    def _default_rank(self) -> tuple[int, int]:
        if self._sharding is not None:
            return share_of(self._sharding, jax.process_index())
        return jax.process_index(), jax.process_count()

    def _mixes(self, sources: Sequence[Any]) -> None:
        self._sharding = sources[0]._sharding
        if any(source._sharding != self._sharding for source in sources):
            raise ValueError("sharding differs between the sources: a mixture has one")

    def _adopt(self, parameters: Parameters) -> None:
        """Takes new parameters; iterations that have begun keep the old ones."""
        _check_dtypes(parameters)
        if self._sharding is not None:
            _check_batches(parameters, self._sharding)
        super()._adopt(parameters)

    def _element(self, batch: core.Batch, parameters: Parameters) -> Any:
        return self._on_devices(super()._element(batch, parameters))

    def _on_devices(self, part: Any) -> Any:
        """Returns an element, or a part of one, on the devices; a str stays."""
        if isinstance(part, tuple):
            return tuple(map(self._on_devices, part))
        if isinstance(part, dict):  # `jax.tree.map` would sort the names.
            return {name: self._on_devices(value) for name, value in part.items()}
        if isinstance(part, Ragged):
            inner = self._on_devices(part.values), self._on_devices(part.offsets)
            return Ragged(*inner, part.kind)
        return self._array(part) if hasattr(part, "dtype") else part

    def _array(self, array: Any) -> Any:
        if array.dtype == np.int64 and not _keeps_wide():
            _check_offsets(array)
        if self._sharding is None:
            return jax.device_put(array)
        make: Any = jax.make_array_from_process_local_data
        return make(self._sharding, array)

    def __getstate__(self) -> dict[str, Any]:
        """Pickles the dataset without a sharding, which is of this process."""
        if self._sharding is not None:
            raise TypeError(
                "a dataset with a sharding cannot be pickled, as its devices are those "
                "of this process: pickle the catalog and the state, and make it anew"
            )
        return super().__getstate__()


def _check_dtypes(parameters: Parameters) -> None:
    """Raises an error if JAX would make a column narrower in silence."""
    if _keeps_wide():
        return
    for column in parameters.outputs:
        if column.dtype in _WIDE:
            narrow = column.dtype.replace("64", "32")
            raise ValueError(
                f"column {column.name!r} is {column.dtype}, which JAX makes {narrow} "
                f"in silence: give Column({column.name!r}, dtype={narrow!r}), with "
                "which a number that does not fit is an error, or call "
                'jax.config.update("jax_enable_x64", True) first'
            )


def _check_offsets(offsets: Any) -> None:
    """Raises an error if JAX would make the offsets of a Ragged wrong in silence."""
    if offsets.size and offsets[-1] > _INT32_MAX:
        raise OverflowError(
            f"a batch has {offsets[-1]} values of one column, which int32 cannot "
            'count: lower batch_size, or call jax.config.update("jax_enable_x64", '
            "True) first"
        )


def _keeps_wide() -> bool:
    """Returns whether JAX keeps dtypes of 64 bits."""
    config: Any = jax.config
    return bool(config.jax_enable_x64)


def _check_batches(parameters: Parameters, sharding: Sharding) -> None:
    """Raises an error if a batch cannot be divided as a sharding says."""
    shards, delivery = num_shards(sharding), parameters.stream.delivery
    rank, world_size = share_of(sharding, jax.process_index())
    if (delivery.rank, delivery.world_size) != (rank, world_size):
        raise ValueError(
            f"rank={delivery.rank} and world_size={delivery.world_size}, but by "
            f"sharding this process reads the rows of rank {rank} of {world_size}: "
            "leave both out"
        )
    if parameters.single:
        raise ValueError("sharding divides batches, but batch_size is None")
    if parameters.static_batch_size is None:
        raise ValueError(
            'remainder="uneven" leaves a shorter batch at the end, which sharding '
            f'cannot divide into {shards} parts: give remainder="drop", "pad" or "wrap"'
        )
    if delivery.global_batch % shards:
        raise ValueError(
            f"a global batch of {delivery.global_batch} rows (batch_size "
            f"{delivery.batch_size} x world_size {delivery.world_size}) cannot be "
            f"divided into the {shards} parts of sharding"
        )
    # A NamedSharding of more dimensions than an array has passes the other check.
    check_rank: Any = getattr(sharding, "check_compatible_aval", sharding.shard_shape)
    for column in parameters.outputs:
        shape = (delivery.global_batch, *column.dense_shape)
        if column.ragged_rank or column.dtype in ("string", "binary"):
            raise ValueError(
                f"column {column.name!r} has rows of different lengths, which sharding "
                f"cannot divide: give Column({column.name!r}, pad=Padded(length)) for "
                "a list, encode strings, or leave the column out"
            )
        try:
            check_rank(shape)
            sharding.shard_shape(shape)
        except ValueError as error:
            raise ValueError(
                f"column {column.name!r} has batches of shape {shape}, which sharding "
                f"cannot divide: it must divide the first dimension only: {error}"
            ) from error


def _flattened(ragged: Ragged) -> tuple[tuple[Any, Any], str]:
    return (ragged.values, ragged.offsets), ragged.kind


def _unflattened(kind: Any, parts: Any) -> Ragged:
    values, offsets = parts
    return Ragged(values, offsets, kind)


jax.tree_util.register_pytree_node(Ragged, _flattened, _unflattened)
publish(__name__, ParquetDataset)
