# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Work in a forked child."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable


def in_child(work: Callable[[], bool]) -> None:
    """Runs `work` in a forked child; fails if it is False there, raises or hangs."""
    child = os.fork()
    if child == 0:
        ok = False
        try:
            signal.alarm(60)
            ok = work()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0
