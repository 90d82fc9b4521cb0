# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Writers let files go wherever these lie."""

from __future__ import annotations

import os
from pathlib import Path

from evicted_files import write_files
from rowfeed._write.written_files import written_files


def test_a_directory_of_a_name_that_is_not_utf8_loses_its_oldest_files(
    tmp_path: Path,
) -> None:
    odd = tmp_path / os.fsdecode(b"odd\xff")
    write_files(odd, 1)
    (first,) = written_files(odd)
    write_files(odd, 4, max_bytes=2 * first.size)
    left = written_files(odd)
    assert len(left) == 2
    assert first not in left
