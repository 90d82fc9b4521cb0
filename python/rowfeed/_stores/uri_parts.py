# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of a URI that options of a store become."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import quote


@dataclass
class UriParts:
    """What options add to a URI: a user with a password, and options after the `?`.

    Attributes:
        user: Text before the `@`, not encoded; "" for none.
        password: Secret after the user's colon, not encoded; "" for none.
        options: Values of the options after the `?`, not encoded, by their names.
    """

    user: str = ""
    password: str = field(default="", repr=False)
    options: dict[str, str] = field(default_factory=dict, repr=False)

    def added_to(self, scheme: str, rest: str, source: str) -> str:
        """Returns a URI with these parts.

        Args:
            scheme: Scheme of the URI.
            rest: Text of the URI after `://`, which may have parts of its own.
            source: Name of the keyword that the parts come from, for the error.

        Raises:
            ValueError: The URI has one of these parts already.
        """
        place, _, query = rest.partition("?")
        authority, slash, path = place.partition("/")
        own = [option for option in query.split("&") if option]
        _check_once(source, {option.partition("=")[0] for option in own}, self.options)
        own_user, at, host = authority.rpartition("@")
        if self.password and not self.user and at and ":" not in own_user:
            authority = f"{own_user}:{_encoded(self.password)}@{host}"
        elif self.user or self.password:
            _check_once(source, ["credentials"] if at else [])
            password = f":{_encoded(self.password)}" if self.password else ""
            authority = f"{_encoded(self.user)}{password}@{authority}"
        own += [
            f"{name}={quote(text, safe=':/')}" for name, text in self.options.items()
        ]
        mark = "?" if own else ""
        return f"{scheme}://{authority}{slash}{path}{mark}{'&'.join(own)}"


def _encoded(text: str) -> str:
    return quote(text, safe="")


def _check_once(
    source: str, has: Iterable[str], given: Iterable[str] = ("credentials",)
) -> None:
    for name in set(has) & set(given):
        raise ValueError(f"{source} and the URI both have {name}: give it once")
