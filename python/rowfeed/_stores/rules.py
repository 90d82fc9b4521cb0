# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The rules that put the values of options into the parts of a URI."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qsl, urlsplit

from rowfeed._stores.uri_parts import UriParts

GOOGLE_INSTEAD: Final = (
    "set GOOGLE_APPLICATION_CREDENTIALS in the environment to the path of the JSON "
    "file with the credentials"
)

# Puts the value of a word into the parts of a URI. It returns what to do instead if no
# URI can carry the value; such a text never has the value, which may be secret.
Rule: TypeAlias = Callable[[UriParts, Any], str | None]


def option(name: str) -> Rule:
    """Returns the rule of an option that stands after the `?` as it is."""

    def put(parts: UriParts, value: Any) -> None:
        parts.options[name] = _text(value)

    return put


def credential(attribute: str) -> Rule:
    """Returns the rule of a user or password."""

    def put(parts: UriParts, value: Any) -> None:
        setattr(parts, attribute, str(value))

    return put


def endpoint(parts: UriParts, value: Any) -> str | None:
    """Puts an address such as `http://host:9000`, whose scheme may be missing."""
    text = str(value)
    address = urlsplit(text if "://" in text else f"//{text}")
    if "@" in address.netloc or address.path.strip("/"):
        return "give the host and port alone, and credentials in words of their own"
    parts.options["endpoint_override"] = address.netloc
    if address.scheme:
        scheme(parts, address.scheme)
    return None


def scheme(parts: UriParts, value: Any) -> None:
    parts.options["scheme"] = str(value)


def use_ssl(parts: UriParts, value: Any) -> None:
    if is_off(value) and "scheme" not in parts.options:
        parts.options["scheme"] = "http"


def verify(parts: UriParts, value: Any) -> None:
    """Puts botocore's `verify`: a bool, or the path of a bundle of certificates."""
    if is_off(value):
        parts.options["tls_verify_certificates"] = "false"
    elif not isinstance(value, bool):
        parts.options["tls_ca_file_path"] = str(value)


def proxy(_: UriParts, value: Any) -> str | None:
    host = value.get("host") if isinstance(value, Mapping) else value
    return "rowfeed connects to a store without a proxy" if host else None


def addressing(parts: UriParts, value: Any) -> str | None:
    if value != "virtual" or "endpoint_override" not in parts.options:
        return None
    return "rowfeed writes the bucket into the path of an endpoint of your own"


def google_token(parts: UriParts, value: Any) -> str | None:
    """Puts gcsfs's `token`: "anon", or credentials, which no URI has."""
    if value == "anon":
        parts.user = "anonymous"
        return None
    return None if value == "google_default" else GOOGLE_INSTEAD


def anonymous(parts: UriParts, value: Any) -> None:
    if not is_off(value):
        parts.user = "anonymous"


def retry_limit(parts: UriParts, value: Any) -> None:
    seconds = value.total_seconds() if isinstance(value, timedelta) else float(value)
    parts.options["retry_limit_seconds"] = str(int(seconds))


def azure_scheme(parts: UriParts, value: Any) -> None:
    if value == "http":
        parts.options["enable_tls"] = "false"


def azure_anonymous(parts: UriParts, value: Any) -> None:
    if not is_off(value):
        parts.options["credential_kind"] = "anonymous"


def signature(parts: UriParts, value: Any) -> None:
    """Puts a shared access signature of Azure's: options that are joined by `&`."""
    parts.options.update(parse_qsl(str(value).removeprefix("?")))


def authority(name: str, default: str) -> Rule:
    """Returns the rule of an address that pyarrow always has, be it the default."""

    def put(parts: UriParts, value: Any) -> None:
        if value != default:
            parts.options[name] = str(value)

    return put


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def is_off(value: Any) -> bool:
    return not value or str(value).lower() in ("false", "0")
