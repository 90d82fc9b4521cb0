# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What setup.py writes into _versions.py: the versions of what is in the package."""

VERSION: str
ARROW: str
TENSORFLOW: tuple[str, ...]
