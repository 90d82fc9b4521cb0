# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What setup.py writes into _versions.py: what the native libraries were built for."""

VERSION: str
PYARROW_MAJOR: int
TENSORFLOW: str | None
