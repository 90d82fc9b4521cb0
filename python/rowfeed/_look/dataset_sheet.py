# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The sheet of a dataset, made of its parameters and its places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rowfeed._catalog.extent import extent_of
from rowfeed._look import features, options, steps
from rowfeed._mix.mixture_parameters import MixtureParameters
from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._sheet.sheet import Content, Sheet
from rowfeed._sheet.text import clipped, counted

Entries = list[tuple[str, Content]]

_WIDEST: Final = 60  # The greatest width of a filter's text.


def public_name(thing: Any) -> str:
    """Returns the name by which users import the class of an object."""
    return f"{type(thing).__module__}.{type(thing).__qualname__}"


def sheet_of(dataset: Any, places: Sequence[tuple[str, core.Progress | None]]) -> Sheet:
    """Returns the sheet of a streaming dataset.

    Args:
        dataset: The dataset.
        places: Pairs of a label and a place. The first one is that of the next
            iteration; None stands for a place that this process does not know.
    """
    parameters: Parameters = dataset._parameters
    start = places[0][1]
    epoch = parameters.options.first_epoch if start is None else start.epoch
    rows = () if parameters.single else (parameters.static_batch_size,)
    entries: Entries = [*data_entries(parameters), _batches(parameters, epoch)]
    for label, content in (
        ("order", options.of_order(parameters)),
        ("options", options.of_the_rest(parameters)),
    ):
        if content:
            entries.append((label, content))
    entries += [(label, _place(parameters, place)) for label, place in places]
    entries += features.tables_of(parameters, rows)
    return Sheet(public_name(dataset), entries, has_all="element_spec")


def data_entries(parameters: Parameters) -> Entries:
    """Returns the entries of a dataset's data: of its files, or of its sources."""
    if isinstance(parameters, MixtureParameters):
        return _sources(parameters)
    found: Entries = [("data", extent_of(parameters.catalog))]
    if parameters.options.growth is not None:
        found[0] = ("data", f"{found[0][1]} at first; listed anew for each epoch")
    if parameters.options.condition is not None:
        found.append((parameters.options.condition_kind, _filter(parameters)))
    return found


def _sources(mixture: MixtureParameters) -> Entries:
    rounds = mixture.schedule[0][1]
    found: Entries = [
        (
            "mixture",
            f"{counted(len(mixture.sources), 'source')}, stop={mixture.stop!r}"
            + (", weights change by epoch" if len(mixture.schedule) > 1 else ""),
        )
    ]
    for i, source in enumerate(mixture.sources):
        said = [f"{rounds[i]} of {sum(rounds)} rounds", extent_of(source.catalog)]
        if source.options.condition is not None:
            said.append(f"{source.options.condition_kind} {_filter(source)}")
        said.append(options.of_source(source))
        found.append((f"source {i}", "; ".join(filter(None, said))))
    return found


def _filter(parameters: Parameters) -> str:
    assert parameters.options.condition is not None
    text = clipped(parameters.options.condition.text, _WIDEST)
    if not parameters.epochs.countable:
        return text
    if not parameters.rows.is_known:
        return f"{text}: the rows that pass are not counted yet"
    return f"{text}: {counted(parameters.rows.num_rows(), 'row')} of these pass"


def _batches(parameters: Parameters, epoch: int) -> tuple[str, Content]:
    delivery = parameters.stream.delivery
    size = counted(delivery.batch_size, "row")
    said = ["single rows" if parameters.single else size]
    if delivery.world_size > 1:
        said.append(f"rank={delivery.rank}, world_size={delivery.world_size}")
    said.append(steps.of_an_epoch(parameters, epoch))
    return "batches", "; ".join(said)


def _place(parameters: Parameters, place: core.Progress | None) -> str:
    if place is None:
        return "not known in this process"
    return steps.place_in_words(parameters, place)
