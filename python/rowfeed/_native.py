# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Loads rowfeed's native libraries, as the only module that does.

They are linked to the Arrow libraries in the pyarrow wheel. The loader finds these by
name because this module imports pyarrow first, which loads them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow

import rowfeed._versions as _versions

if int(pyarrow.__version__.partition(".")[0]) != _versions.PYARROW_MAJOR:
    raise ImportError(
        f"rowfeed was built for pyarrow {_versions.PYARROW_MAJOR} but pyarrow "
        f"{pyarrow.__version__} is installed: "
        f"pip install 'pyarrow=={_versions.PYARROW_MAJOR}.*'"
    )

import rowfeed._core as core

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
