# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What all tests have: Hypothesis's profile, a small data set and an object store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings

from faulty_proxy import FaultyProxy
from numbered_rows import GROUP_ROWS, write_numbers
from private_names import check_raised
from s3_server import S3Server, serving

# The machine is small and shared: no test may fail because it was slow.
settings.register_profile("rowfeed", deadline=None, max_examples=60)
settings.load_profile("rowfeed")
check_raised()


@pytest.fixture(scope="session")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of NUM_ROWS rows in three files."""
    return write_numbers(tmp_path_factory.mktemp("numbers"), GROUP_ROWS)


@pytest.fixture
def open_path() -> Iterator[Path]:
    """A directory that other users may read; those of pytest are for one user alone."""
    with TemporaryDirectory() as folder:
        path = Path(folder)
        path.chmod(0o755)
        yield path


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    """A store of a module's tests, whose keys are in the environment."""
    pytest.importorskip("moto")
    with serving() as server:
        yield server


@pytest.fixture
def proxy(s3: S3Server) -> Iterator[FaultyProxy]:
    """A network between a test and the store."""
    proxy = FaultyProxy(s3.port)
    yield proxy
    proxy.close()
