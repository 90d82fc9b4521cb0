# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What users see of the public classes is what docs/reference.md documents."""

import importlib
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repository import ROOT
from rowfeed._look.explanation import Explanation
from trainers import installed

REFERENCE = ROOT / "docs" / "reference.md"
CLASSES = [
    ("rowfeed", "ParquetDataset", "ParquetDataset"),
    ("rowfeed", "ParquetMapDataset", "ParquetMapDataset"),
    ("rowfeed", "SampleWriter", "SampleWriter"),
    ("rowfeed", "Column", "Column"),
    ("rowfeed", "Padded", "Column"),
    ("rowfeed", "Stack", "Stack"),
    ("rowfeed", "Vocabulary", "Vocabulary, HashBuckets"),
    ("rowfeed", "HashBuckets", "Vocabulary, HashBuckets"),
    ("rowfeed", "Catalog", "Catalog"),
    ("rowfeed", "Ragged", "Ragged"),
    ("rowfeed", "Split", "Split"),
    ("rowfeed", "StepInfo", "StepInfo"),
    ("rowfeed.torch", "Loader", "Loader"),
    ("rowfeed.integrations.transformers", "TrainerMixin", "TrainerMixin"),
    ("rowfeed.torch", "ParquetDataset", "ParquetDataset"),
    ("rowfeed.torch", "ParquetMapDataset", "ParquetMapDataset"),
    ("rowfeed.tensorflow", "ParquetDataset", "ParquetDataset"),
    ("rowfeed.jax", "ParquetDataset", "ParquetDataset"),
    ("rowfeed.integrations.grain", "ParquetIterDataset", "ParquetIterDataset"),
    ("rowfeed.integrations.mlflow", "ParquetInput", "ParquetInput, ParquetFiles"),
    ("rowfeed.integrations.mlflow", "ParquetFiles", "ParquetInput, ParquetFiles"),
    ("rowfeed.integrations.prometheus", "StatsCollector", "StatsCollector"),
]
FACES = [
    entry[:2]
    for entry in CLASSES
    if entry[1] in ("ParquetDataset", "ParquetMapDataset")
]


def public_class(module: str, name: str) -> Any:
    if module != "rowfeed":
        library = module.rpartition(".")[2]
        if library in ("torch", "tensorflow"):
            pytest.importorskip(library)
        else:
            installed({"prometheus": "prometheus_client"}.get(library, library))
    return getattr(importlib.import_module(module), name)


def own_names(cls: Any) -> set[str]:
    """Returns the public names of `dir`, without those of a framework's classes."""
    own = [base for base in cls.__mro__ if base.__module__.startswith("rowfeed")]
    names = {name for base in own for name in vars(base)}
    return {name for name in names & set(dir(cls)) if not name.startswith("_")}


@pytest.mark.parametrize(("module", "name", "section"), CLASSES)
def test_reference_documents_every_public_name(
    module: str, name: str, section: str
) -> None:
    text = REFERENCE.read_text().partition(f"\n## {section}\n")[2]
    code = " ".join(re.findall(r"`[^`]+`", text.partition("\n## ")[0]))
    words = set(re.findall(r"\w+", code))
    assert own_names(public_class(module, name)) - words == set()


def test_reference_documents_every_number_of_an_explanation() -> None:
    text = REFERENCE.read_text().partition("\n## Explanation\n")[2]
    rows = re.findall(r"^\| (`.*?) \|", text.partition("\n## ")[0], re.MULTILINE)
    words = [word for row in rows for word in re.findall(r"\w+", row)]
    assert sorted(words) == sorted(field.name for field in fields(Explanation))


@pytest.mark.parametrize(("module", "name"), FACES)
def test_a_dataset_has_no_other_attributes(
    module: str, name: str, tmp_path: Path
) -> None:
    pq.write_table(
        pa.table({"x": np.arange(10, dtype=np.int32)}), tmp_path / "x.parquet"
    )
    cls = public_class(module, name)
    batch = () if name == "ParquetMapDataset" else (5,)
    dataset = cls(tmp_path, *batch)
    assert [found for found in vars(dataset) if not found.startswith("_")] == []
