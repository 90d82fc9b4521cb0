# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""One bad column does not spoil a file: only what is asked for is judged."""

from __future__ import annotations

import base64
import pickle
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hand_made import I64, encoded
from reading import FACES, module_of
from rowfeed import Catalog, ParquetDataset, ParquetMapDataset
from strangers import parquet_testing, stranger

ROWS = 12345  # A number that is found nowhere in a footer but where rows are counted.


def write_counts(path: Path, columns: int, bad: dict[int, int]) -> Path:
    """Writes int64 columns `c0`, …, whose counts in the footer are those of `bad`."""
    fields = [pa.field(f"c{i}", pa.int64(), nullable=False) for i in range(columns)]
    table = pa.table([range(ROWS)] * columns, pa.schema(fields))
    pq.write_table(table, path, write_statistics=False)
    data = path.read_bytes()
    begin = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    count = encoded(I64, ROWS)
    parts = data[begin:].split(count)
    # Rows of the file, values of each column, rows of the row group.
    assert len(parts) == columns + 3
    counts = [encoded(I64, bad.get(i - 1, ROWS)) for i in range(columns + 2)]
    assert all(len(other) == len(count) for other in counts)
    joined = parts[0] + b"".join(
        c + part for c, part in zip(counts, parts[1:], strict=True)
    )
    path.write_bytes(data[:begin] + joined)
    return path


def write_int128(path: Path, columns: dict[str, Any], big: Any = None) -> Path:
    """Writes a column `big` whose stored Arrow type is an integer of 128 bits."""
    if big is None:
        big = pa.array([b"x" * 16] * len(next(iter(columns.values()))), pa.binary(16))
    table = pa.table({**columns, "big": big})
    place = table.schema.get_field_index("big")
    # Where schemas of two types differ their bytes tell where the width is.
    narrow, wide = (
        table.schema.set(place, pa.field("big", kind)).serialize().to_pybytes()
        for kind in (pa.int32(), pa.int64())
    )
    (width,) = (i for i, (a, b) in enumerate(zip(narrow, wide, strict=True)) if a != b)
    stored = base64.b64encode(wide[:width] + bytes([128]) + wide[width + 1 :])
    with pq.ParquetWriter(path, table.schema, store_schema=False) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({"ARROW:schema": stored.decode()})
    return path


def dataset(face: str, path: Any, **options: Any) -> Any:
    module = module_of(face)
    return module.ParquetDataset(path, 1 << 20, **options)


def reasons(path: Any) -> dict[str, str]:
    fields = Catalog.open(path).schema
    return {f.name: f.unsupported for f in fields if f.unsupported}


@pytest.mark.parametrize("face", FACES)
def test_columns_beside_one_with_a_wrong_count_are_read(
    tmp_path: Path, face: str
) -> None:
    path = write_counts(tmp_path / "x.parquet", 3, {1: ROWS + 1})
    (batch,) = dataset(face, path, columns=["c0", "c2"])
    assert [len(batch["c0"]), len(batch["c2"])] == [ROWS, ROWS]
    where = f"{path}, row group 0"
    for asked in (["c1"], ["c0", "c1"]):
        with pytest.raises(
            OSError, match=f"{where}, column 'c1': the footer claims 12346"
        ):
            dataset(face, path, columns=asked)
    with pytest.raises(
        NotImplementedError,
        match=rf"'c1' \(int64\): {where}: the.*columns=\['\*', '!c1'\]",
    ):
        dataset(face, path)


@pytest.mark.parametrize("face", FACES)
def test_columns_beside_a_wrong_count_of_impala_are_read(face: str) -> None:
    path = stranger("bad_column_metadata.parquet")
    (batch,) = dataset(face, path, columns=["int_array"])
    rows = batch["int_array"]
    lists = rows.to_list() if face == "tensorflow" else rows.tolist()
    assert lists == pq.read_table(path)["int_array"].to_pylist()
    assert len(lists) == 30
    assert [*reasons(path)] == ["id"]
    assert (
        "bad_column_metadata.parquet, row group 1: the footer claims 11 values"
        in (reasons(path)["id"])
    )
    with pytest.raises(OSError, match="row group 1, column 'id': the footer claims 11"):
        dataset(face, path, columns=["id"])


@pytest.mark.parametrize("face", FACES)
def test_columns_beside_an_integer_of_128_bits_are_read(
    tmp_path: Path, face: str
) -> None:
    columns = {"a": [1, 2], "text": ["x", "y"]}
    path = write_int128(tmp_path / "x.parquet", columns)
    with pytest.raises(pa.ArrowNotImplementedError):  # pyarrow refuses the whole file.
        pq.read_table(path, columns=["a"])
    (batch,) = dataset(face, path, columns=["a", "text"])
    assert batch["a"].tolist() if face != "tensorflow" else True
    assert "Integers with more than 64 bits" in reasons(path)["big"]
    with pytest.raises(NotImplementedError, match=r"'big'.*Integers with more than 64"):
        dataset(face, path, columns=["big"])
    with pytest.raises(NotImplementedError, match=r"columns=\['\*', '!big'\]"):
        dataset(face, path)


def test_stored_types_of_the_other_columns_stay(tmp_path: Path) -> None:
    columns = {
        "pairs": pa.array([[1, 2], [3, 4]], pa.list_(pa.int32(), 2)),
        "lasts": pa.array([timedelta(seconds=5)] * 2, pa.duration("ms")),
        "both": pa.array([{"u": [1.5], "v": 1}] * 2),
        "level": pa.array(["low", "high"]).dictionary_encode(),
    }
    good = tmp_path / "good.parquet"
    pq.write_table(pa.table(columns), good)
    bad = write_int128(tmp_path / "bad.parquet", columns)
    kept = [field for field in Catalog.open(bad).schema if field.name != "big"]
    assert kept == Catalog.open(good).schema
    (batch,) = ParquetDataset(bad, 2, columns=[*columns])
    assert batch["pairs"].tolist() == [[1, 2], [3, 4]]
    assert batch["lasts"].tolist() == [5000, 5000]


def test_fields_of_a_struct_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    """The types of a struct's fields are one type of the stored schema."""
    path = tmp_path / "x.parquet"
    struct = pa.array([{"x": [b"x" * 16], "y": {"z": 1}}] * 2)
    # The struct's own field is stored as an integer.
    write_int128(path, {"a": [1, 2]}, struct)
    assert [*reasons(path)] == ["big.x", "big.y.z"]
    with pytest.raises(NotImplementedError, match=r"'big\.y\.z'"):
        ParquetDataset(path, 2, columns=["big.y.z"])


def test_a_catalog_describes_a_file_that_pyarrow_does_not_open(tmp_path: Path) -> None:
    path = write_int128(tmp_path / "x.parquet", {"a": [1, 2]})
    lines = repr(Catalog.open(path).describe()).splitlines()
    assert lines[1].startswith("a ")
    assert "Integers with more than 64 bits" in lines[2]


def test_a_column_that_is_bad_in_one_of_several_files(tmp_path: Path) -> None:
    write_counts(tmp_path / "a.parquet", 3, {})
    bad = write_counts(tmp_path / "b.parquet", 3, {2: ROWS - 1})
    write_counts(tmp_path / "c.parquet", 3, {1: ROWS - 2})
    found = reasons(tmp_path)
    assert [*found] == ["c1", "c2"]
    assert found["c2"].startswith(f"{bad}, row group 0: ")
    (batch,) = ParquetDataset(tmp_path, 1 << 20, columns=["c0"])
    assert batch["c0"].tolist() == [*range(ROWS)] * 3
    with pytest.raises(OSError, match=r"b\.parquet, row group 0, column 'c2'"):
        ParquetDataset(tmp_path, 100, columns=["c2"])


def test_a_name_that_one_file_has_twice(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1], "y": [2]}), tmp_path / "a.parquet")
    twice = pa.Table.from_arrays([pa.array([i]) for i in (3, 4, 5)], ["x", "y", "y"])
    pq.write_table(twice, tmp_path / "b.parquet")
    (batch,) = ParquetDataset(tmp_path, 10, columns=["x"], shuffle=False)
    assert batch["x"].tolist() == [1, 3]
    assert "b.parquet: 2 columns have this name" in reasons(tmp_path)["y"]
    with pytest.raises(NotImplementedError, match=r"b\.parquet, column 'y': 2 columns"):
        ParquetDataset(tmp_path, 10, columns=["y"])


def test_a_file_without_a_good_column_is_an_error(tmp_path: Path) -> None:
    write_counts(tmp_path / "a.parquet", 2, {})
    write_counts(tmp_path / "b.parquet", 2, {0: ROWS + 1, 1: ROWS + 1})
    with pytest.raises(OSError, match=r"b\.parquet, row group 0, column 'c0'"):
        Catalog.open(tmp_path)


def test_catalogs_with_a_bad_column_are_saved_and_sent(tmp_path: Path) -> None:
    path = write_counts(tmp_path / "x.parquet", 2, {1: ROWS + 1})
    catalog = Catalog.open(path)
    catalog.save(tmp_path / "catalog")
    for other in (
        Catalog.load(tmp_path / "catalog"),
        pickle.loads(pickle.dumps(catalog)),
    ):
        assert other.schema == catalog.schema
        assert other.fingerprint == Catalog.open(path, ["c0"]).fingerprint
        (batch,) = ParquetDataset(other, 1 << 20, columns=["c0"])
        assert len(batch["c0"]) == ROWS
        with pytest.raises(NotImplementedError, match=r"'c1' \(int64\): .*12346"):
            ParquetDataset(other, 100, columns=["c1"])


def test_a_column_that_is_bad_in_one_file_and_of_another_type_in_a_second(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    write_counts(data / "a.parquet", 2, {})
    pq.write_table(pa.table({"c0": [7], "c1": ["text"]}), data / "b.parquet")
    write_counts(data / "c.parquet", 2, {1: ROWS + 1})
    catalog = Catalog.open(data)
    catalog.save(tmp_path / "catalog")
    for other in (catalog, Catalog.load(tmp_path / "catalog")):
        assert [field.name for field in other.schema if field.unsupported] == ["c1"]
        (batch,) = ParquetDataset(other, 1 << 20, columns=["c0"], shuffle=False)
        assert batch["c0"].tolist() == [*range(ROWS), 7, *range(ROWS)]


def test_filters_and_takes_beside_a_bad_column(tmp_path: Path) -> None:
    path = write_counts(tmp_path / "x.parquet", 3, {1: ROWS + 1})
    catalog = Catalog.open(path)
    assert catalog.count([("c2", "<", 7)]) == 7
    dataset = ParquetDataset(path, 100, columns=["c0"], filter=[("c2", "<", 7)])
    assert [batch["c0"].tolist() for batch in dataset] == [[*range(7)]]
    rows = ParquetMapDataset(path, columns=["c0", "c2"])
    assert rows.take([5, 3])["c2"].tolist() == [5, 3]
    for filtered in (
        lambda: catalog.count([("c1", "<", 7)]),
        lambda: ParquetDataset(catalog, 10, columns=["c0"], filter=[("c1", "<", 7)]),
        lambda: ParquetMapDataset(catalog, columns=["c1"]),
    ):
        with pytest.raises(NotImplementedError, match="'c1'"):
            filtered()


def test_a_new_file_with_a_bad_column_that_is_read(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    write_counts(data / "a.parquet", 2, {})
    options: dict[str, Any] = {"refresh": "epoch", "snapshot_dir": tmp_path / "s"}
    asked = ParquetDataset(data, ROWS, columns=["c1"], num_epochs=2, **options)
    beside = ParquetDataset(data, ROWS, columns=["c0"], num_epochs=2, **options)
    epochs = [iter(asked), iter(beside)]
    for epoch in epochs:
        next(epoch)
    write_counts(data / "b.parquet", 2, {1: ROWS + 1})
    assert sum(int(batch["__valid"].sum()) for batch in epochs[1]) >= ROWS
    with pytest.raises(OSError, match=r"b\.parquet, row group 0, column 'c1'"):
        [*epochs[0], *asked]


def test_plain_columns_beside_encrypted_ones_are_read() -> None:
    path = parquet_testing("encrypt_columns_plaintext_footer.parquet.encrypted")
    found = reasons(path)
    assert found
    assert all("it is encrypted" in reason for reason in found.values())
    (batch,) = ParquetDataset(path, 1000, columns=["int32_field"])
    table = pq.read_table(path, columns=["int32_field"])
    values = table["int32_field"].cast(pa.int32()).to_pylist()
    assert batch["int32_field"].tolist() == values
