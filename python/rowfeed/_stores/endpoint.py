# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Endpoints that URIs name: whether they answer, and what to check if they do not.

The kernel tries a store again for up to a minute and tells of it only then. So a thread
tests the endpoint itself if an opening takes long.
"""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from socket import create_connection
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from rowfeed._process.log import LOGGER

_PATIENCE_S: Final = 3.0  # Time that an opening may take before its endpoint is tested.
_TIMEOUT_S: Final = 5.0
_SCHEMES: Final = ("s3", "s3a", "s3n", "gs", "gcs")
_PORTS: Final = {"http": 80, "https": 443}
_TLS_ALERT: Final = b"\x15"  # First byte of what TLS answers to a request without it.


class Endpoint(NamedTuple):
    """The server that the option `endpoint_override` of a URI names.

    Attributes:
        host: Name or address.
        port: Port, by default that of the scheme.
        scheme: Protocol of the requests, "http" or "https".
    """

    host: str
    port: int
    scheme: str

    @classmethod
    def of(cls, uri: str) -> Endpoint | None:
        """Returns the endpoint that a URI names; None if it names none."""
        place, _, query = uri.partition("?")
        options = dict(parse_qsl(query))
        text = options.get("endpoint_override", "")
        if not text or place.partition("://")[0] not in _SCHEMES:
            return None
        address = urlsplit(text if "://" in text else f"//{text}")
        scheme = address.scheme or options.get("scheme", "https")
        try:
            port = address.port or _PORTS[scheme]
        except (KeyError, ValueError):  # The kernel's client has an error for these.
            return None
        return cls(address.hostname or "", port, scheme)

    def problem(self) -> str | None:
        """Connects to the endpoint; returns what is wrong with it, None if it answers.

        It takes two times `_TIMEOUT_S` at most. Nothing of the store is asked for.
        """
        name = f"{self.host}:{self.port}"
        try:
            with create_connection((self.host, self.port), _TIMEOUT_S) as connection:
                if self.scheme == "https":
                    with _any_certificate().wrap_socket(connection):
                        return None
                connection.sendall(b"HEAD / HTTP/1.0\r\n\r\n")
                answer = connection.recv(1)
        except ssl.SSLError as error:
            return (
                f"{name} does not speak https ({error.reason or error}): write "
                "scheme=http if it speaks http"
            )
        except TimeoutError:
            within = f"has not answered within {_TIMEOUT_S:g} s"
            return f"{name} {within}: it may be slow, or it cannot be reached"
        except (OSError, ValueError) as error:  # ValueError: the name is no host name.
            return f"{name} does not answer ({error})"
        if answer in (b"", _TLS_ALERT):
            return f"{name} does not speak http: write scheme=https if it speaks https"
        return None


@contextmanager
def telling_of_endpoints(what: str, uris: Iterable[str]) -> Iterator[None]:
    """Warns in the log if work takes long, and an endpoint is why.

    It adds the endpoint to the error with which such work ends.

    Args:
        what: Text that says what is done, such as "opening s3://bucket/train".
        uris: URIs, with their options, and paths that the work needs.
    """
    endpoints = {e: None for e in map(Endpoint.of, uris) if e is not None}
    if not endpoints:
        yield
        return
    is_done = threading.Event()

    def tell() -> None:
        if is_done.wait(_PATIENCE_S):
            return
        problem = _problem_of(endpoints)
        if problem is not None and not is_done.is_set():
            LOGGER.warning(
                "%s takes more than %.0f s: %s. It is tried again for up to a "
                "minute; check endpoint_override and scheme",
                *(what, _PATIENCE_S, problem),
            )

    # The thread is a daemon, so that no exit waits for it, and what it finds is only
    # told while the work goes on. Python starts no threads while it exits.
    with suppress(RuntimeError):
        threading.Thread(target=tell, name="rowfeed-endpoint", daemon=True).start()
    try:
        yield
    except OSError as error:
        is_answer = isinstance(error, (FileNotFoundError, PermissionError))
        problem = None if is_answer else _problem_of(endpoints)
        if problem is not None and len(error.args) == 1:
            advice = f"{problem}; check endpoint_override and scheme"
            error.args = (f"{error.args[0]}; {advice}",)
        raise
    finally:
        is_done.set()


def _problem_of(endpoints: Iterable[Endpoint]) -> str | None:
    return next(filter(None, (endpoint.problem() for endpoint in endpoints)), None)


def _any_certificate() -> ssl.SSLContext:
    """Returns a context that tells TLS from http, with any certificate."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
