# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Prometheus' client and MLflow's get the numbers and the data of a training."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

import rowfeed
from documented_data import write_data
from numbered_rows import NUM_ROWS
from process_groups import script
from trainers import installed

prometheus = installed("prometheus_client")
parser = installed("prometheus_client.parser")
mlflow = installed("mlflow")

from rowfeed.integrations.mlflow import ParquetFiles, ParquetInput  # noqa: E402
from rowfeed.integrations.prometheus import StatsCollector  # noqa: E402


def dataset(numbers: Path) -> Any:
    return rowfeed.ParquetDataset(numbers, 32, columns=["id", "name"], shuffle=True)


def test_prometheus_scrapes_what_stats_has(numbers: Path) -> None:
    train, held = dataset(numbers), dataset(numbers)
    registry = prometheus.CollectorRegistry()
    registry.register(StatsCollector({"train": train, "validation": held}))
    server, thread = prometheus.start_http_server(0, "localhost", registry)
    try:
        list(train)
        with urlopen(f"http://localhost:{server.server_port}/metrics") as answer:
            text = answer.read().decode()
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    found = {
        (sample.name, *map(sample.labels.get, ("dataset", "column"))): sample.value
        for family in parser.text_string_to_metric_families(text)
        for sample in family.samples
    }
    stats = train.stats()
    assert found["rowfeed_rows_total", "train", None] == NUM_ROWS == stats.rows
    assert found["rowfeed_rows_total", "validation", None] == 0
    assert found["rowfeed_wait_seconds_total", "train", None] == stats.wait_seconds
    assert found["rowfeed_num_threads", "train", None] == stats.num_threads
    column = stats.columns["name"]
    named = "train", "name"
    assert found["rowfeed_column_read_bytes_total", *named] == column.read_bytes
    assert "# HELP rowfeed_rows_total Number of rows delivered to the consumer" in text
    assert "# TYPE rowfeed_bytes_in_flight gauge" in text


@pytest.mark.parametrize("name", ["serve_metrics.py", "log_input.py"])
def test_the_scripts_of_the_page_run(name: str, tmp_path: Path) -> None:
    write_data(tmp_path / "data")
    subprocess.run(
        [sys.executable, "-c", script(name, "trainers.md")],
        cwd=tmp_path,
        env={
            **os.environ,
            "MLFLOW_ALLOW_FILE_STORE": "true",
            "MLFLOW_TRACKING_URI": f"{tmp_path}/runs",
        },
        check=True,
    )


def test_what_has_no_stats_is_refused(numbers: Path) -> None:
    with pytest.raises(TypeError, match=r"datasets\['train'\] must be a ParquetDat"):
        StatsCollector({"train": rowfeed.Catalog.open(numbers)})


@pytest.mark.filterwarnings("ignore")  # MLflow warns of its own future.
def test_mlflow_logs_the_fingerprint_of_the_data(
    numbers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A store of files, which needs no data base, has to be asked for.
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    catalog = dataset(numbers).catalog
    client = mlflow.MlflowClient(tracking_uri=f"{tmp_path}/runs")
    mlflow.set_tracking_uri(f"{tmp_path}/runs")
    with mlflow.start_run() as run:
        mlflow.log_input(ParquetInput(catalog), context="training")
    [logged] = client.get_run(run.info.run_id).inputs.dataset_inputs
    assert logged.tags[0].value == "training"
    assert logged.dataset.name == numbers.name
    assert logged.dataset.digest == catalog.fingerprint
    profile = {"num_files": 3, "num_row_groups": 9, "num_rows": NUM_ROWS}
    assert json.loads(logged.dataset.profile) == profile
    [column, _] = json.loads(logged.dataset.schema)["mlflow_colspec"]
    assert column == {"name": "id", "type": "int64"}
    source = ParquetFiles.from_json(logged.dataset.source)
    assert source.load().num_rows == NUM_ROWS
    with pytest.raises(TypeError, match=r"must be a rowfeed\.Catalog, .* not list"):
        ParquetInput([])  # type: ignore[arg-type]
