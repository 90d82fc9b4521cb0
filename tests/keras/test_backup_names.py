# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Backups that a person deletes after a warning take no others with them."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path

import pytest

from rowfeed._keras.backup import Backups
from saved_backups import open_backups, saved, step_of, variables


def names(folder: Path) -> list[str]:
    return sorted(path.name[-1] for path in folder.iterdir())


def with_unreadable(folder: Path, *numbers: int) -> Backups:
    """Returns what has found the backups of these numbers unreadable."""
    for number in numbers:
        (folder / f"backup-{number:012}" / "state.json").write_bytes(b"")
    backups = open_backups(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert backups.load() is not None
    return backups


def test_a_backup_that_was_just_saved_is_not_taken_for_the_unreadable_one_before_it(
    tmp_path: Path,
) -> None:
    saved(tmp_path)
    backups = with_unreadable(tmp_path, 2)
    shutil.rmtree(tmp_path / "backup-000000000002")
    backups.save({"step": 7}, variables(7))
    assert names(tmp_path) == ["1", "3"]
    assert step_of(open_backups(tmp_path)) == 7


@pytest.mark.parametrize("number", [2, 3])
def test_a_save_does_not_fail_for_an_unreadable_backup_that_is_gone(
    number: int, tmp_path: Path
) -> None:
    saved(tmp_path, 1)
    for copy in (2, 3):
        shutil.copytree(
            tmp_path / "backup-000000000001", tmp_path / f"backup-{copy:012}"
        )
    backups = with_unreadable(tmp_path, 2, 3)
    shutil.rmtree(tmp_path / f"backup-{number:012}")
    backups.save({"step": 7}, variables(7))
    assert names(tmp_path) == ["1", "4"]
    assert step_of(open_backups(tmp_path)) == 7
