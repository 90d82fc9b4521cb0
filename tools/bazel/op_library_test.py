# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Tests that TensorFlow can load Bazel's op library, and that it has every op."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pyarrow  # noqa: F401 - loads the Arrow libraries that the op library names
import tensorflow as tf

REGISTERED = re.compile(r'^REGISTER_OP\("(\w+)"\)', re.MULTILINE)


def main(library: str, *sources: str) -> None:
    """Loads `library`, and checks that it has each op that `sources` register."""
    wrappers = tf.load_op_library(library)
    names = [n for path in sources for n in REGISTERED.findall(Path(path).read_text())]
    assert names, f"no op is registered in {sources}"
    for name in names:
        wrapper = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
        assert hasattr(wrappers, wrapper), f"{library} has no op {name}"


if __name__ == "__main__":
    main(*sys.argv[1:])
