# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What stores refuse, in the user's words: buckets that are not there, and options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rowfeed._stores.words import ALIASES, uri_options

_MISSING: Final = re.compile(
    r"(s3|s3a|s3n|gs|gcs)://(?P<bucket>[^/]+)/?(?P<key>.*): No such file or directory"
)
_UNKNOWN: Final = re.compile(
    r"(?P<scheme>\w+)://.*[Uu]nexpected query parameter in [^:]*URI: '(?P<name>[^']*)'"
)


@contextmanager
def naming_what_is_refused() -> Iterator[None]:
    """Adds to the kernel's errors the bucket that is missing, or the option meant."""
    try:
        yield
    except (FileNotFoundError, ValueError) as error:
        if len(error.args) == 1:
            said = str(error.args[0])
            advice = _about_bucket(said) or _about_option(said)
            error.args = (f"{said}{advice}",)
        raise


def _about_bucket(said: str) -> str:
    found = _MISSING.fullmatch(said)
    if found is None:
        return ""
    bucket, key = found["bucket"], found["key"]
    if not key:
        return f": the bucket {bucket!r} does not exist"
    return f": either the bucket {bucket!r} does not exist, or it has no {key!r}"


def _about_option(said: str) -> str:
    found = _UNKNOWN.match(said)
    if found is None:
        return ""
    ours = (name for name, theirs in ALIASES.items() if found["scheme"] in theirs)
    scheme = next(ours, None)
    if scheme is None:
        return ""
    from difflib import get_close_matches  # Only errors need it.

    meanings = uri_options(scheme)
    near = get_close_matches(found["name"].lower(), meanings, n=1)
    if near:
        return f"; did you mean {meanings[near[0]]!r}?"
    return f"; the options are {', '.join(dict.fromkeys(meanings.values()))}"
