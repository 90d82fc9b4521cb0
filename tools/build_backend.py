# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""setuptools' build backend, which also asks for TensorFlow, unless told not to.

With ROWFEED_TENSORFLOW=0 in the environment the op library is not built and TensorFlow
is not fetched.
"""

from __future__ import annotations

import os
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403

TENSORFLOW = "tensorflow==2.21.*"


def _with_tensorflow(requires: list[str]) -> list[str]:
    wanted = os.environ.get("ROWFEED_TENSORFLOW", "1") != "0"
    return [*requires, TENSORFLOW] if wanted else requires


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Returns the packages that building a wheel needs beside pyproject.toml's list."""
    return _with_tensorflow(build_meta.get_requires_for_build_wheel(config_settings))


def get_requires_for_build_editable(config_settings: Any = None) -> list[str]:
    """Returns the packages that an editable build needs beside pyproject.toml's."""
    return _with_tensorflow(build_meta.get_requires_for_build_editable(config_settings))
