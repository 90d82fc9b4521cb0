# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Loads rowfeed's native libraries, as the only module that does.

They are linked to Arrow libraries of their own, which lie in this package under names
that nothing else uses. The user's pyarrow has other Arrow libraries, of any version. No
object of Arrow's crosses between the two: only bytes and buffers do.
"""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import pyarrow

import rowfeed._versions as _versions

# pyproject.toml has the same bound, and docs/decisions/062-arrow-inside.md its reasons.
if int(pyarrow.__version__.partition(".")[0]) < 18:
    raise ImportError(
        f"rowfeed needs pyarrow 18 or newer, but pyarrow {pyarrow.__version__} is "
        "installed: pip install 'pyarrow>=18'"
    )


def _what_is_damaged(error: ImportError) -> str:
    """Returns why the kernel cannot be loaded, and what to type."""
    wanted = Path(__file__).with_name(f"_core{EXTENSION_SUFFIXES[0]}")
    others = sorted(path.name for path in wanted.parent.glob("_core.*.so"))
    if wanted.exists():
        reason = str(error)  # The loader's, as of a library that is missing beside it.
    elif others:
        reason = f"it is {others[0]}, but this Python needs {wanted.name}"
    else:
        reason = f"{wanted} does not exist"
    return (
        f"cannot load rowfeed's kernel ({reason}): install rowfeed again for this "
        f"Python: {sys.executable} -m pip install --force-reinstall rowfeed"
    )


try:
    import rowfeed._core as core
except ImportError as error:
    raise ImportError(_what_is_damaged(error)) from error

__all__ = ["core", "load_tensorflow_ops"]


def load_tensorflow_ops() -> Any:
    """Registers rowfeed's TensorFlow ops and returns their Python wrappers.

    Raises:
        ImportError: TensorFlow is missing, has another version than the one rowfeed was
            built for, or rowfeed was built without it.
    """
    built = _versions.TENSORFLOW
    if built is None:
        raise ImportError(
            "this rowfeed was built without TensorFlow (ROWFEED_TENSORFLOW=0): "
            "install it again without that variable, in a clone by pip install "
            "'.[tensorflow]'"
        )
    try:
        import tensorflow as tf
    except ImportError as error:
        raise ImportError(
            f"rowfeed.tensorflow needs TensorFlow: pip install 'tensorflow=={built}.*'"
        ) from error
    if tf.__version__.split(".")[:2] != built.split("."):
        raise ImportError(
            f"rowfeed was built for tensorflow {built} but tensorflow {tf.__version__} "
            f"is installed: pip install 'tensorflow=={built}.*'"
        )
    return tf.load_op_library(str(Path(__file__).parent / "_tf_ops.so"))
