# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The logger `rowfeed`: what is opened, counted and waited for, at the level INFO.

Nothing of that is shown unless the user configures logging. Python itself prints lines
of the level WARNING, such as the one about an endpoint that does not answer. No line is
written for batches, and no line has options or credentials of a URI.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

LOGGER: Final = logging.getLogger("rowfeed")

_EVERY_S: Final = 5.0  # The time between two lines about work that still goes on.


@contextmanager
def logged(what: str, result: Callable[[], str]) -> Iterator[None]:
    """Logs the begin, the progress and the end of work that may take long.

    Every 5 s a line says that the work goes on. If the user does not listen to the
    level INFO, nothing is done.

    Args:
        what: Text that says what is done, such as "opening 3 paths".
        result: Function that returns what has come of it, called after the work.
    """
    if not LOGGER.isEnabledFor(logging.INFO):
        yield
        return
    begin, is_done = monotonic(), threading.Event()

    def tell() -> None:
        while not is_done.wait(_EVERY_S):
            LOGGER.info("still %s, for %.0f s", what, monotonic() - begin)

    LOGGER.info("%s", what)
    teller = threading.Thread(target=tell, name="rowfeed-log", daemon=True)
    teller.start()
    try:
        yield
    except BaseException as error:
        name = type(error).__name__
        LOGGER.info("%s: %s after %.3g s", what, name, monotonic() - begin)
        raise
    else:
        LOGGER.info("%s: %s, in %.3g s", what, result(), monotonic() - begin)
    finally:
        is_done.set()
        teller.join()
