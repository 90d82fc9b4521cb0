# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The declarations of options, the signature and the pages agree."""

from __future__ import annotations

import dataclasses
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from repository import ROOT
from rowfeed import ParquetDataset, Split, mix
from rowfeed._options.options import ADOPTED, OPTIONS, ORDER, Options

SIGNATURE = (
    "(paths, batch_size, *, columns=None, label=None, sample_weight=None, "
    "shuffle=False, shuffle_window=None, block_rows=None, seed=0, num_epochs=1, "
    "first_epoch=0, reshuffle_each_iteration=True, rank=None, world_size=None, "
    "num_lanes=None, remainder=None, num_threads=None, memory_budget_bytes=None, "
    "transform=None, device=None, filter=None, split=None, cache_dir=None, "
    "verify_checksums=False, use_statistics=True, refresh=None, snapshot_dir=None, "
    "partitions=True, storage_options=None, filesystem=None)"
)


@pytest.mark.parametrize("module", ["rowfeed", "rowfeed.torch", "rowfeed.tensorflow"])
def test_one_signature(module: str) -> None:
    face = pytest.importorskip(module, exc_type=ImportError)
    signature = inspect.signature(face.ParquetDataset)
    bare = signature.replace(
        parameters=[
            p.replace(annotation=inspect.Parameter.empty)
            for p in signature.parameters.values()
        ],
        return_annotation=inspect.Signature.empty,
    )
    assert str(bare) == SIGNATURE
    for name in signature.parameters:
        assert f"{name}:" in face.ParquetDataset.__init__.__doc__


def test_a_field_of_options_is_a_keyword_with_the_same_default() -> None:
    parameters = inspect.signature(ParquetDataset.__init__).parameters
    keywords = {name: p.default for name, p in parameters.items() if name != "self"}
    data = ("paths", "partitions", "storage_options", "filesystem")
    for name in (*data, "refresh", "snapshot_dir"):
        del keywords[name]  # They are the data, and its growth.
    declared = {field.name: field.default for field in dataclasses.fields(Options)}
    del declared["growth"]
    assert [*declared] == [*keywords]
    # What the constructor fills in, since another face or rank may.
    filled = {"batch_size": inspect.Parameter.empty, "rank": None, "world_size": None}
    assert {**declared, **filled, "cache_dir": None} == keywords


def test_every_keyword_reaches_its_option(numbers: Path, tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "batch_size": 3,
        "columns": ["name"],
        "label": "half",
        "sample_weight": "id",
        "shuffle": True,
        "shuffle_window": 200,
        "block_rows": 10,
        "seed": 5,
        "num_epochs": 2,
        "first_epoch": 1,
        "reshuffle_each_iteration": False,
        "rank": 1,
        "world_size": 2,
        "num_lanes": 4,
        "remainder": "wrap",
        "num_threads": 2,
        "memory_budget_bytes": 2**30,
        "transform": len,
        "filter": [("id", "<", 200)],
        "split": Split(0, 0.5),
        "cache_dir": tmp_path,
        "verify_checksums": True,
        "use_statistics": False,
    }
    options = ParquetDataset(numbers, **given)._parameters.options
    by_default = Options()
    for name in OPTIONS:
        if name not in ("device", "growth"):  # These exclude others, or need paths.
            assert getattr(options, name) != getattr(by_default, name)
    made = ("columns", "label", "sample_weight", "filter", "cache_dir")
    for name in set(given) - {*made}:
        assert getattr(options, name) == given[name]


def test_the_pages_name_the_options_that_are_special() -> None:
    reference = (ROOT / "docs" / "reference.md").read_text()
    order, adopted = re.findall(
        r"\*Order options\* \((.*?) and, where .*? loaded\. (.*?) that were left",
        reference,
        re.DOTALL,
    )[0]
    named = re.findall(r"`(\w+)`", order)
    assert {*named} == {*ORDER, "filter", "split", "reshuffle_each_iteration"}
    assert re.findall(r"`(\w+)`", adopted) == [*ADOPTED]
    text = (mix.__doc__ or "").partition("weights: One")[0].partition("Args:")[2]
    shared = {name for name, declared in OPTIONS.items() if declared.of_mixture}
    assert shared == {*re.findall(r"`(\w+)`", text)}
