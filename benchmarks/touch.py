# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Consumers: touch() reads one byte of every 64 of each tensor, in the same C loop.

The C sources beside this file are compiled at their first use into the cache folder.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import subprocess
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent


@functools.cache
def touch_function(cache: Path) -> Callable[[Sequence[Any]], int]:
    """Returns touch(tensors): reads every 64th byte of each, returns their bytes."""
    flags = [f"-I{sysconfig.get_path('include')}"]
    library = _compile(cache, "_touch", ["cc", "-std=c11"], "touch.c", flags)
    spec = importlib.util.spec_from_file_location("_touch", library)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Callable[[Sequence[Any]], int] = module.touch
    return function


@functools.cache
def touch_op(cache: Path) -> Any:
    """Returns touch(tensors) for TensorFlow graphs: an op that returns their bytes."""
    import tensorflow as tf

    flags = [*tf.sysconfig.get_compile_flags(), *tf.sysconfig.get_link_flags()]
    library = _compile(cache, "_touch_op", ["c++", "-w"], "touch_op.cc", flags)
    return tf.load_op_library(str(library)).touch


def _compile(
    cache: Path, name: str, compiler: list[str], source: str, flags: list[str]
) -> Path:
    texts = [(_HERE / file).read_bytes() for file in ("touch.h", source)]
    key = hashlib.sha256(repr((compiler, flags, texts)).encode()).hexdigest()[:16]
    library = cache / f"{name}-{key}.so"
    if library.exists():
        return library
    cache.mkdir(parents=True, exist_ok=True)
    unfinished = cache / f"{name}-{os.getpid()}.unfinished"
    build = [*compiler, "-O2", "-fPIC", "-shared", str(_HERE / source), *flags]
    subprocess.run([*build, "-o", str(unfinished)], check=True)
    return unfinished.rename(library)
