# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`mix`: makes one dataset of several, in given proportions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias, TypeVar

from rowfeed._columns.layout import Layout, Tree
from rowfeed._mix.mixture_parameters import STOPS, MixtureParameters, mixed
from rowfeed._mix.weights import Weights, scheduled
from rowfeed._options.keywords import Keywords
from rowfeed._options.options import OPTIONS
from rowfeed._options.parameters import Parameters
from rowfeed._process.caller_warnings import DataWarning, warn_caller
from rowfeed._process.option_names import names_options

Stop: TypeAlias = Literal["first_exhausted", "all_exhausted", "endless"]
_Dataset = TypeVar("_Dataset", bound=Keywords)


@names_options
def mix(
    datasets: Sequence[_Dataset],
    weights: Weights | None = None,
    *,
    stop: Stop = "first_exhausted",
) -> _Dataset:
    """Mixes datasets of one class into one dataset of the same class.

    The given datasets are the sources of the mixture. Its rows come in rounds of
    `num_lanes` rows, and all rows of a round are the next rows of one source. The
    number of a round alone decides its source: at any moment each source has had its
    share of the rounds, to within one round. Each source keeps its files, columns,
    `filter`, `shuffle`, `shuffle_window`, `block_rows` and `seed` (hashed with its
    index in `datasets`, so that equal sources deliver their rows in different orders).
    Elements, states, resumption, ranks and the remainder work as in any dataset.
    docs/mixtures.md has examples.

    Args:
        datasets: List of at least one dataset. All are of the same class, have the same
            names, dtypes and shapes of features, and the same `batch_size`, `rank`,
            `world_size`, `num_lanes`, `remainder`, `num_epochs`, `first_epoch`,
            `reshuffle_each_iteration`, `num_threads`, `memory_budget_bytes` (for the
            whole mixture), `transform` and `device`. Iterations over them go on
            undisturbed.
        weights: One positive number for each dataset, in any unit. Default: equal
            weights. They become whole rounds of a period of at most 65536 rounds, which
            is exact for ratios of small numbers, else off by less than a 65536th. A
            dict from epochs to weights changes them at the start of these epochs; it
            must have epoch 0.
        stop: Rule for the end of an epoch. With "first_exhausted" it ends before the
            first row that a source would deliver a second time. With "all_exhausted" it
            ends when every row of every source was delivered; a source that is done
            earlier begins its next own epoch, in another order. With "endless" it does
            not end, and each source goes on with its own next epoch.

    Returns:
        Dataset of the mixture. It has no `catalog`; its sources have theirs.

    Raises:
        TypeError: `datasets` is not a list of datasets of one class, or a weight is not
            a number.
        ValueError: The datasets differ where they must not, a dataset has no rows, the
            number of weights is wrong, a weight is not positive or far too small,
            `stop` is unknown, or memory_budget_bytes is too small for the windows of
            all sources. The message names sources as "source 0", "source 1", …

    Example:
        >>> clean = rowfeed.ParquetDataset("clean", 256, shuffle=True)  # doctest: +SKIP
        >>> noisy = rowfeed.ParquetDataset("noisy", 256, shuffle=True)  # doctest: +SKIP
        >>> for batch in rowfeed.mix([clean, noisy], [3, 1]):  # doctest: +SKIP
        ...     print(batch["label"].mean())
    """
    if stop not in STOPS:
        raise ValueError(f"stop must be one of {', '.join(STOPS)}, not {stop!r}")
    sources = _checked(datasets)
    schedule = scheduled(weights, len(sources))
    parameters = mixed([source._parameters for source in sources], schedule, stop)
    for message in _advice(parameters):
        warn_caller(DataWarning(message))
    return built(sources, parameters)


def _checked(datasets: Sequence[_Dataset]) -> list[_Dataset]:
    if not isinstance(datasets, Sequence) or not datasets:
        raise TypeError(f"datasets must be a list of datasets, not {_name(datasets)}")
    first = datasets[0]
    for i, source in enumerate(datasets):
        if not isinstance(source, Keywords):
            raise TypeError(f"source {i} must be a ParquetDataset, not {_name(source)}")
        if type(source) is not type(first):
            raise TypeError(
                f"source {i} is a {_name(source)}, but source 0 a {_name(first)}: a "
                "mixture is of one face"
            )
        if isinstance(source._parameters, MixtureParameters):
            raise TypeError(f"source {i} is a mixture: mix its sources")
        if source._parameters.options.growth is not None:
            raise ValueError(f"source {i} grows: refresh is for one data set")
        _compare(i, source, first)
    return list(datasets)


def _name(dataset: object) -> str:
    return f"{type(dataset).__module__}.{type(dataset).__name__}"


def _compare(i: int, source: Keywords, first: Keywords) -> None:
    """Raises an error that names what two sources differ in, if they do."""
    for name, declared in OPTIONS.items():
        if declared.of_mixture is None:
            continue
        own, shared = (
            getattr(dataset._parameters.options, name)
            if declared.of_mixture == "given"
            else dataset._parameters.value(name)
            for dataset in (source, first)
        )
        if own is not shared and own != shared:
            raise ValueError(
                f"{name} is {own!r} in source {i}, but {shared!r} in source 0: a "
                "mixture has one"
            )
    own_layout, layout = source._parameters.layout, first._parameters.layout
    for part in ("label", "sample_weight"):
        if (getattr(own_layout, part) is None) != (getattr(layout, part) is None):
            owner = i if getattr(layout, part) is None else 0
            raise ValueError(
                f"source {owner} has a {part}, but source {i - owner} has none"
            )
    own_names = list(_names(own_layout))
    names = list(_names(layout))
    if own_names == names:
        return
    for owner, other, have, lack in (
        (0, i, names, own_names),
        (i, 0, own_names, names),
    ):
        missing = [name for name in have if name not in lack]
        if missing:
            raise ValueError(
                f"feature {missing[0]!r} is in source {owner}, but not in source "
                f"{other}: name it there, columns={{{missing[0]!r}: ...}}, or leave it "
                "out of both"
            )
    raise ValueError(
        f"source {i} and source 0 have their features in another order, {own_names} "
        f"and {names}: give both the same with columns=[...]"
    )


def _names(layout: Layout) -> Iterator[str]:
    """Yields the name of each output of the stream in order, then of the flags."""
    parts = (
        ("", layout.features),
        ("label", layout.label),
        ("sample_weight", layout.sample_weight),
    )
    found = [
        leaf for part, tree in parts if tree is not None for leaf in _leaves(part, tree)
    ]
    names = [name for _, name in sorted(found)]
    return iter(names if layout.valid is None else [*names, layout.valid])


def _leaves(name: str, tree: Tree) -> Iterator[tuple[int, str]]:
    if isinstance(tree, int):
        yield tree, name
        return
    for field, branch in tree.items():
        yield from _leaves(f"{name}.{field}" if name else field, branch)


def _advice(parameters: MixtureParameters) -> list[str]:
    delivery, lanes = parameters.stream.delivery, parameters.stream.order.num_lanes
    rounds = delivery.global_batch // lanes
    if rounds >= len(parameters.sources):
        return []
    return [
        f"a global batch of {delivery.global_batch} rows has {rounds} rounds of "
        f"num_lanes={lanes} rows, each from one source: no step has rows of all "
        f"{len(parameters.sources)} sources; raise batch_size or lower num_lanes"
    ]


def built(sources: Sequence[_Dataset], parameters: Parameters) -> _Dataset:
    """Returns a dataset of the class of the sources, from which it takes its rank."""
    made = object.__new__(type(sources[0]))
    made._mixes(sources)
    made._build(parameters)
    made._introduce()
    return made
