# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Backups on disk: each whole or not at all, and none of them believed."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowfeed._keras.backup import Backup
from rowfeed._keras.variables import Variable, difference
from saved_backups import ARRAYS, catalog, open_backups, saved, step_of, variables


def newest(folder: Path) -> Path:
    return max(folder.iterdir())


def cut(name: str) -> Callable[[Path], None]:
    def damage(backup: Path) -> None:
        path = backup / name
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    return damage


def flip(backup: Path) -> None:
    path = backup / "variables.npz"
    content = bytearray(path.read_bytes())
    content[content.index(b"}") + 80] ^= 1  # A value of the first array changes.
    path.write_bytes(content)


def write(content: str) -> Callable[[Path], None]:
    def damage(backup: Path) -> None:
        (backup / "state.json").write_text(content)

    return damage


def rewrite(old: str, new: str) -> Callable[[Path], None]:
    def damage(backup: Path) -> None:
        path = backup / "state.json"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))

    return damage


def pickled(backup: Path) -> None:
    arrays = [np.array([{}], object)] * len(ARRAYS)
    np.savez(backup / "variables.npz", *arrays)
    rewrite('"float32"', '"object"')(backup)


def bomb(backup: Path) -> None:
    """Makes arrays that unpack to more than the state says."""
    with zipfile.ZipFile(backup / "variables.npz", "w", zipfile.ZIP_DEFLATED) as file:
        for i in range(len(ARRAYS)):
            file.writestr(f"arr_{i}.npy", bytes(2**24))


DAMAGE: dict[str, Callable[[Path], None]] = {
    "state cut": cut("state.json"),
    "variables cut": cut("variables.npz"),
    "state empty": write(""),
    "state gone": lambda backup: (backup / "state.json").unlink(),
    "variables gone": lambda backup: (backup / "variables.npz").unlink(),
    "a bit": flip,
    "no fields": rewrite('"variables"', '"other"'),
    "not a dict": write("[]"),
    "other format": rewrite('"format": 1', '"format": 2'),
    "huge": rewrite("    3,", "    3000000000000000000000,"),
    "negative": rewrite("    3,", "    -3,"),
    "other shape": rewrite("    3,", "    4,"),
    "not a shape": rewrite("    3,", "    true,"),
    "not a dtype": rewrite('"float32"', '"float31"'),
    "other dtype": rewrite('"float32"', '"int32"'),
    "a pickle": pickled,
    "a bomb": bomb,
}


@pytest.mark.fault(12)
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_backup_is_passed_over(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    folder = tmp_path / "backup"
    assert step_of(saved(folder)) == 1
    damage(newest(folder))
    backups = open_backups(folder)
    with pytest.warns(UserWarning, match="passed over.*backup-000000000002"):
        assert step_of(backups) == 0
    # It takes no place among those that stay.
    backups.save({"step": 7}, variables(7))
    assert sorted(p.name[-1] for p in folder.iterdir()) == ["1", "3"]
    damage(newest(folder))
    shutil.rmtree(min(folder.iterdir()))
    with pytest.raises(ValueError, match="no backup can be read"):
        open_backups(folder).load()


@pytest.mark.fault(43)
@given(st.data())
def test_no_damage_is_a_crash(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("damage") / "backup"
    saved(folder, 1)
    path = newest(folder) / data.draw(st.sampled_from(["state.json", "variables.npz"]))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    try:
        open_backups(folder).load()
    except ValueError as error:
        assert "no backup can be read" in str(error)  # noqa: PT017


def fail(*_: object, **__: object) -> None:
    raise OSError("no space left")


@pytest.mark.fault(12)
def test_nothing_half_made_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "backup"
    assert open_backups(folder).load() is None
    backups = saved(folder, 1)

    with monkeypatch.context() as patch:
        patch.setattr(json, "dump", fail)
        with pytest.raises(OSError, match="no space"):
            backups.save({"step": 1}, variables(1))
    assert len(list(folder.iterdir())) == 2
    assert step_of(open_backups(folder)) == 0
    backups.save({"step": 2}, variables(2))
    assert [p.name[:7] for p in folder.iterdir()] == ["backup-"] * 2
    assert step_of(open_backups(folder)) == 2


def test_deleting_leaves_what_is_not_a_backup(tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    saved(folder).delete()
    assert not folder.exists()
    backups = saved(folder)
    (folder / "notes").write_text("mine")
    backups.delete()
    assert [path.name for path in folder.iterdir()] == ["notes"]
    assert backups.load() is None


def loaded(folder: Path) -> Backup:
    found = open_backups(folder).load()
    assert found is not None
    return found


def test_each_backup_has_the_catalog_which_is_written_once(tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    backups = saved(folder, 3)
    files = [path / "catalog" for path in sorted(folder.iterdir())]
    assert len({path.stat().st_ino for path in files}) == 1
    assert repr(loaded(folder).catalog()) == repr(catalog())
    for path in folder.iterdir():
        shutil.rmtree(path)  # There is nothing to link to.
    backups.save({"step": 4}, variables(4))
    assert repr(loaded(folder).catalog()) == repr(catalog())


def test_the_catalog_where_there_are_no_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "hardlink_to", fail)
    folder = tmp_path / "backup"
    saved(folder)
    files = [path / "catalog" for path in folder.iterdir()]
    assert len({path.stat().st_ino for path in files}) == 2
    assert repr(loaded(folder).catalog()) == repr(catalog())


@given(st.data())
def test_a_damaged_catalog_is_none_and_harms_no_backup(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("damage") / "backup"
    saved(folder, 1)
    path = newest(folder) / "catalog"
    content = bytearray(path.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= 1
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    assert loaded(folder).catalog() is None
    assert step_of(open_backups(folder)) == 0


def test_a_catalog_that_is_missing_or_has_no_good_size_is_none(tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    saved(folder, 1)
    path = newest(folder) / "catalog"
    os.truncate(path, 2**40)  # All hole.
    assert loaded(folder).catalog() is None
    path.unlink()
    assert loaded(folder).catalog() is None
    path.mkdir()
    assert loaded(folder).catalog() is None


def test_differences_are_named() -> None:
    ours, theirs = variables(), variables()
    assert difference(ours, theirs[:-1]).endswith("counterpart begin with v/4")
    theirs[1] = Variable("optimizer", "rate", np.zeros(2, np.float32))
    assert difference(ours, theirs) == (
        "variable 1 is 'v/1' of the model, int64 of shape (), but 'rate' of the "
        "optimizer, float32 of shape (2,), in the backup"
    )


def test_a_second_look_at_a_damaged_backup_does_not_stop_the_next_ones(
    tmp_path: Path,
) -> None:
    backups = saved(tmp_path)
    cut("state.json")(newest(tmp_path))
    for _ in range(2):
        with pytest.warns(UserWarning, match="passed over"):
            assert backups.load() is not None
    backups.save({"step": 9}, variables(9))
    assert step_of(backups) == 9
