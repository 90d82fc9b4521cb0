# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""element_spec has the dtype and shape of each array or tensor of an element."""

from __future__ import annotations

import dataclasses
import importlib
from pathlib import Path
from typing import Any

import pytest

from documented_data import write_nested
from rowfeed import Column, Ragged

FACES = pytest.mark.parametrize("face", ["", ".torch"])


def class_of(face: str, name: str = "ParquetDataset") -> Any:
    if face:
        pytest.importorskip(face[1:])
    return getattr(importlib.import_module(f"rowfeed{face}"), name)


def check(spec: Any, array: Any) -> None:
    """Checks an element against its spec, level by level."""
    if isinstance(spec, (dict, tuple)):
        assert type(spec) is type(array)
        assert len(spec) == len(array)
        keys = spec if isinstance(spec, dict) else range(len(spec))
        for key in keys:
            check(spec[key], array[key])
        return
    shape = list(spec.shape)
    while isinstance(array, Ragged):
        assert shape.pop(1) is None
        array = array.values
        shape[0] = None
    assert array.dtype == spec.dtype
    assert len(array.shape) == len(shape)
    for size, expected in zip(array.shape, shape, strict=True):
        assert expected in (None, size)


@FACES
@pytest.mark.parametrize("remainder", ["uneven", "drop", "pad"])
@pytest.mark.parametrize("label", [None, "even"])
@pytest.mark.parametrize("weight", [None, "half"])
def test_elements_are_as_their_spec(
    face: str, remainder: str, label: str | None, weight: str | None, numbers: Path
) -> None:
    weight = weight if label else None
    columns = ["id", "name", "parts", Column("half", dtype="float16", mask=True)]
    dataset = class_of(face)(
        numbers,
        32,
        columns=columns[: 3 if weight else 4],
        label=label,
        sample_weight=weight,
        remainder=remainder,
    )
    for batch in dataset:
        check(dataset.element_spec, batch)
    spec = dataset.element_spec[0] if label else dataset.element_spec
    assert spec["id"].shape == ((None,) if remainder == "uneven" else (32,))
    assert spec["parts"].shape == (*spec["id"].shape, None)


@FACES
def test_a_spec_of_structs_is_a_dict_of_dicts(face: str, tmp_path: Path) -> None:
    write_nested(tmp_path / "nested")
    dataset = class_of(face)(tmp_path / "nested", 2)
    check(dataset.element_spec, next(iter(dataset)))
    assert any(isinstance(spec, dict) for spec in dataset.element_spec.values())


@FACES
def test_rows_have_no_batch_axis(face: str, numbers: Path) -> None:
    dataset = class_of(face)(numbers, None, columns=["id", "half"])
    assert [spec.shape for spec in dataset.element_spec.values()] == [(), ()]


@FACES
def test_rows_by_index_have_a_spec(face: str, numbers: Path) -> None:
    rows = class_of(face, "ParquetMapDataset")(numbers, label="even")
    check(rows.element_spec, rows.take([0, 3]))
    assert rows.element_spec[1].shape == (None,)


def test_dtypes_are_those_of_the_framework(numbers: Path) -> None:
    torch = pytest.importorskip("torch")
    columns = ["id", "name", Column("half", dtype="bfloat16")]
    spec = class_of(".torch")(numbers, 32, columns=columns).element_spec
    found = [one.dtype for one in spec.values()]
    assert found == [torch.int64, torch.uint8, torch.bfloat16]


@FACES
def test_a_spec_is_a_leaf_that_cannot_change(face: str, numbers: Path) -> None:
    spec = class_of(face)(numbers, 32, columns=["id"]).element_spec["id"]
    assert not isinstance(spec, tuple)  # Trees of JAX and PyTorch would take it apart.
    with pytest.raises(dataclasses.FrozenInstanceError):
        spec.shape = ()
    assert hash(spec) == hash(dataclasses.replace(spec))
