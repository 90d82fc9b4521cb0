# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The statistics of datasets as metrics of Prometheus."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from rowfeed._process.public_names import publish
from rowfeed._stats.counts import ColumnStats, Counts
from rowfeed._stats.numbers import Stats

try:
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
    from prometheus_client.registry import Collector
except ImportError as error:
    raise ImportError(
        "rowfeed.integrations.prometheus needs Prometheus' client: pip install "
        "prometheus-client"
    ) from error

__all__ = ["StatsCollector"]

# The numbers that do not only grow.
_GAUGES: Final = (
    *("num_threads", "memory_budget_bytes", "bytes_in_flight"),
    *("peak_bytes_in_flight", "queued_tasks", "running_tasks"),
)


class StatsCollector(Collector):  # type: ignore[misc]
    """Collects `stats()` of datasets whenever Prometheus asks.

    The metrics are the numbers of `rowfeed.stats.Stats`: counters such as
    `rowfeed_rows_total` and `rowfeed_wait_seconds_total`, and gauges such as
    `rowfeed_bytes_in_flight`. The label `dataset` tells the datasets apart. The numbers
    of columns, such as `rowfeed_column_decode_seconds_total`, have the label `column`
    as well. The share of time that a training waits for data is
    `rate(rowfeed_wait_seconds_total[5m]) / rate(rowfeed_elapsed_seconds_total[5m])`.

    Example:
        >>> collector = StatsCollector({"train": dataset})  # doctest: +SKIP
        >>> prometheus_client.REGISTRY.register(collector)  # doctest: +SKIP
        >>> prometheus_client.start_http_server(8000)  # doctest: +SKIP
    """

    def __init__(self, datasets: Mapping[str, Any]) -> None:
        """Makes the collector.

        Args:
            datasets: Datasets of any framework, by the values of the label `dataset`.

        Raises:
            TypeError: A dataset has no `stats()`.
        """
        for name, dataset in datasets.items():
            if not callable(getattr(dataset, "stats", None)):
                raise TypeError(
                    f"datasets[{name!r}] must be a ParquetDataset, which has stats(), "
                    f"not {type(dataset).__name__}"
                )
        self._datasets = dict(datasets)

    def collect(self) -> Iterator[Any]:
        """Yields the metrics, as Prometheus' client asks for them."""
        found: dict[str, Stats] = {
            name: dataset.stats() for name, dataset in self._datasets.items()
        }
        for number in _numbers_of(Stats):
            metric = _metric("rowfeed_", number, (Counts, Stats), ["dataset"])
            for name, stats in found.items():
                metric.add_metric([name], getattr(stats, number))
            yield metric
        for number in _numbers_of(ColumnStats):
            labels = ["dataset", "column"]
            metric = _metric("rowfeed_column_", number, (ColumnStats,), labels)
            for name, stats in found.items():
                for column, of_column in stats.columns.items():
                    metric.add_metric([name, column], getattr(of_column, number))
            yield metric


def _numbers_of(kind: type) -> list[str]:
    """Returns the names of the fields of a dataclass that are numbers."""
    return [field.name for field in fields(kind) if field.type in ("int", "float")]


def _metric(
    prefix: str, number: str, kinds: Sequence[type], labels: Sequence[str]
) -> Any:
    """Returns a metric without values.

    Args:
        prefix: Begin of the metric's name.
        number: Name of the number, which is the rest of the metric's name.
        kinds: Classes whose docstrings describe the number. The first sentence is the
            description of the metric.
        labels: Names of the labels.
    """
    docs = "\n".join(kind.__doc__ or "" for kind in kinds)
    said = re.search(rf"^ +{number}: (.+?\.)(?:\s|$)", docs, re.MULTILINE | re.DOTALL)
    text = number if said is None else " ".join(said[1].split())
    made = GaugeMetricFamily if number in _GAUGES else CounterMetricFamily
    return made(prefix + number, text, labels=labels)


publish(__name__, StatsCollector)
