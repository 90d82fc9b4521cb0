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
        ImportError: rowfeed was built without TensorFlow, TensorFlow is missing, no op
            library is for its minor version, or that op library is missing or damaged.
    """
    built = _versions.TENSORFLOW
    if not built:
        raise ImportError(
            "this rowfeed was built without TensorFlow (ROWFEED_TENSORFLOW=0): "
            "install it again without that variable, in a clone by pip install "
            "'.[tensorflow]'"
        )
    newest = f"pip install 'tensorflow=={built[-1]}.*'"
    try:
        import tensorflow as tf
    except ModuleNotFoundError as error:
        if error.name != "tensorflow":  # TensorFlow is there, and lacks what it needs.
            raise
        raise ImportError(
            f"rowfeed.tensorflow needs TensorFlow {_listed(built)}: {newest}"
        ) from error
    minor = ".".join(tf.__version__.split(".")[:2])
    if minor not in built:
        raise ImportError(
            f"this rowfeed has op libraries for TensorFlow {_listed(built)}, but "
            f"tensorflow {tf.__version__} is installed: {newest}"
        )
    library = Path(__file__).parent / f"_tf_ops_{minor.replace('.', '_')}.so"
    problem = f"{library} does not exist"
    if library.exists():
        try:
            return tf.load_op_library(str(library))
        except tf.errors.NotFoundError as error:  # The loader's, whatever the reason.
            problem = error.message
    raise ImportError(
        f"cannot load rowfeed's op library ({problem}): install rowfeed again: "
        f"{sys.executable} -m pip install --force-reinstall rowfeed"
    )


def _listed(minors: tuple[str, ...]) -> str:
    """Returns the minors as text, as in `2.16, 2.20 or 2.21`."""
    *others, last = minors
    return f"{', '.join(others)} or {last}" if others else last
