# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The words that libraries have for the options of stores, and their place in a URI.

The words are those of fsspec (s3fs, gcsfs, adlfs), of pandas, which uses fsspec, of
Polars and of pyarrow.fs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qsl, urlsplit

from rowfeed._stores.uri_parts import UriParts

# Puts the value of a word into the parts of a URI. It returns what to do instead if no
# URI can carry the value; such a text never has the value, which may be secret.
Rule: TypeAlias = Callable[[UriParts, Any], str | None]


def _option(name: str) -> Rule:
    """Returns the rule of an option that stands after the `?` as it is."""

    def put(parts: UriParts, value: Any) -> None:
        parts.options[name] = _text(value)

    return put


def _set(attribute: str) -> Rule:
    """Returns the rule of a user or password."""

    def put(parts: UriParts, value: Any) -> None:
        setattr(parts, attribute, str(value))

    return put


def _instead(advice: str) -> Rule:
    """Returns the rule of an option that no URI carries, unless it is off."""

    def put(_: UriParts, value: Any) -> str | None:
        return None if _is_off(value) else advice

    return put


def _nothing(*_: object) -> None:
    """Ignores an option that changes no row: how another library reads or writes."""


def _endpoint(parts: UriParts, value: Any) -> str | None:
    """Puts an address such as `http://host:9000`, whose scheme may be missing."""
    text = str(value)
    address = urlsplit(text if "://" in text else f"//{text}")
    if "@" in address.netloc or address.path.strip("/"):
        return "give the host and port alone, and credentials in words of their own"
    parts.options["endpoint_override"] = address.netloc
    if address.scheme:
        _scheme(parts, address.scheme)
    return None


def _scheme(parts: UriParts, value: Any) -> None:
    parts.options["scheme"] = str(value)


def _use_ssl(parts: UriParts, value: Any) -> None:
    if _is_off(value) and "scheme" not in parts.options:
        parts.options["scheme"] = "http"


def _verify(parts: UriParts, value: Any) -> None:
    """Puts botocore's `verify`: a bool, or the path of a bundle of certificates."""
    if _is_off(value):
        parts.options["tls_verify_certificates"] = "false"
    elif not isinstance(value, bool):
        parts.options["tls_ca_file_path"] = str(value)


def _proxy(_: UriParts, value: Any) -> str | None:
    host = value.get("host") if isinstance(value, Mapping) else value
    return "rowfeed connects to a store without a proxy" if host else None


def _addressing(parts: UriParts, value: Any) -> str | None:
    if value != "virtual" or "endpoint_override" not in parts.options:
        return None
    return "rowfeed writes the bucket into the path of an endpoint of your own"


def _google_token(parts: UriParts, value: Any) -> str | None:
    """Puts gcsfs's `token`: "anon", or credentials, which no URI has."""
    if value == "anon":
        parts.user = "anonymous"
        return None
    return None if value == "google_default" else _GOOGLE


def _anonymous(parts: UriParts, value: Any) -> None:
    if not _is_off(value):
        parts.user = "anonymous"


def _limit(parts: UriParts, value: Any) -> None:
    seconds = value.total_seconds() if isinstance(value, timedelta) else float(value)
    parts.options["retry_limit_seconds"] = str(int(seconds))


def _azure_scheme(parts: UriParts, value: Any) -> None:
    if value == "http":
        parts.options["enable_tls"] = "false"


def _azure_anonymous(parts: UriParts, value: Any) -> None:
    if not _is_off(value):
        parts.options["credential_kind"] = "anonymous"


def _signature(parts: UriParts, value: Any) -> None:
    """Puts a shared access signature of Azure's: options that are joined by `&`."""
    parts.options.update(parse_qsl(str(value).removeprefix("?")))


def _authority(name: str, default: str) -> Rule:
    """Returns the rule of an address that pyarrow always has, be it the default."""

    def put(parts: UriParts, value: Any) -> None:
        if value != default:
            parts.options[name] = str(value)

    return put


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_off(value: Any) -> bool:
    return not value or str(value).lower() in ("false", "0")


_ENVIRONMENT: Final = (
    "set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN in the "
    "environment, and leave key, secret and token out"
)
_ROLE: Final = (
    "write a profile with the role into ~/.aws/config, and set AWS_PROFILE in the "
    "environment"
)
_UNSIGNED: Final = (
    "leave it out; where neither the environment nor the machine has credentials, "
    "requests are not signed"
)
_GOOGLE: Final = (
    "set GOOGLE_APPLICATION_CREDENTIALS in the environment to the path of the JSON "
    "file with the credentials"
)
_AZURE: Final = (
    "give account_name with account_key or sas_token, or set AZURE_… in the environment"
)


def _same(rule: Rule, words: str) -> dict[str, Rule]:
    return dict.fromkeys(words.split(), rule)


# How other libraries read ahead, cache, list, retry and write.
_OF_OTHERS: Final = _same(
    _nothing,
    "asynchronous loop skip_instance_cache use_listings_cache listings_expiry_time "
    "max_paths default_block_size block_size default_cache_type default_fill_cache "
    "cache_options cache_regions cache_timeout version_aware batch_size "
    "max_concurrency max_concurrent_requests fixed_upload_size check_connection "
    "consistency access allow_http max_retries retries retry_timeout_ms file_cache_ttl "
    "connect_timeout read_timeout request_timeout timeout max_pool_connections "
    "session_kwargs secure_serialize default_location default_bucket_location "
    "default_metadata background_writes load_frequency allow_delayed_open "
    "allow_bucket_creation allow_bucket_deletion auto_mkdir "
    "check_directory_existence_before_creation credential_token_expiration",
)
_S3: Final = {
    **_same(_set("user"), "key access_key access_key_id username"),
    **_same(_set("password"), "secret secret_key secret_access_key password"),
    **_same(_option("region"), "region region_name default_region"),
    **_same(_endpoint, "endpoint_url endpoint endpoint_override"),
    "scheme": _scheme,
    "use_ssl": _use_ssl,
    "verify": _verify,
    "tls_ca_file_path": _option("tls_ca_file_path"),
    "tls_ca_dir_path": _option("tls_ca_dir_path"),
    "tls_verify_certificates": _option("tls_verify_certificates"),
    "smart_defaults": _option("smart_defaults"),
    "addressing_style": _addressing,
    "proxy_options": _proxy,
    **_same(_instead(_ENVIRONMENT), "token session_token"),
    **_same(_instead(_UNSIGNED), "anon anonymous skip_signature signature_version"),
    **_same(_instead("set AWS_PROFILE in the environment"), "profile profile_name"),
    **_same(_instead(_ROLE), "role_arn session_name external_id"),
    **_same(
        _instead("rowfeed cannot read buckets whose reader pays"), "requester_pays"
    ),
    **_same(
        _instead("rowfeed writes the bucket into the host where S3 takes it there"),
        "virtual_hosted_style_request force_virtual_addressing",
    ),
    **_same(
        _instead("rowfeed cannot read objects that need headers of your own"),
        "additional_kwargs s3_additional_kwargs",
    ),
    **_same(_instead(_ENVIRONMENT), "session"),
}
_GS: Final = {
    "token": _google_token,
    **_same(_anonymous, "anon anonymous skip_signature"),
    **_same(_option("project_id"), "project project_id"),
    **_same(_endpoint, "endpoint_url endpoint endpoint_override"),
    "scheme": _scheme,
    **_same(_limit, "retry_limit_seconds retry_time_limit"),
    **_same(
        _instead(_GOOGLE),
        "access_token target_service_account service_account service_account_path "
        "service_account_key application_credentials credentials",
    ),
    "requester_pays": _instead("rowfeed cannot read buckets whose reader pays"),
}
_ABFS: Final = {
    **_same(_set("user"), "account_name storage_account_name"),
    **_same(
        _set("password"),
        "account_key storage_account_key access_key storage_access_key master_key",
    ),
    **_same(_signature, "sas_token storage_sas_token sas_key storage_sas_key"),
    **_same(_option("tenant_id"), "tenant_id storage_tenant_id authority_id"),
    **_same(_option("client_id"), "client_id storage_client_id"),
    **_same(_option("client_secret"), "client_secret storage_client_secret"),
    "blob_storage_authority": _authority(
        "blob_storage_authority", ".blob.core.windows.net"
    ),
    "dfs_storage_authority": _authority(
        "dfs_storage_authority", ".dfs.core.windows.net"
    ),
    **_same(_azure_scheme, "blob_storage_scheme dfs_storage_scheme"),
    "enable_tls": _option("enable_tls"),
    "credential_kind": _option("credential_kind"),
    **_same(_azure_anonymous, "anon anonymous skip_signature"),
    **_same(
        _instead(_AZURE),
        "connection_string credential request_session socket_timeout account_host "
        "use_emulator endpoint",
    ),
}
_HDFS: Final = {
    word: _option(word)
    for word in (
        *("user", "replication", "buffer_size", "default_block_size", "kerb_ticket"),
    )
}

# For each scheme of rowfeed: the schemes that libraries have for the same store.
ALIASES: Final = {
    "s3": ("s3", "s3a", "s3n"),
    "gs": ("gs", "gcs"),
    "abfs": ("abfs", "abfss", "az", "adl"),
    "hdfs": ("hdfs",),
}
_RULES: Final[Mapping[str, Mapping[str, Rule]]] = {
    "s3": {**_OF_OTHERS, **_S3},
    "gs": {**_OF_OTHERS, **_GS},
    "abfs": {**_OF_OTHERS, **_ABFS},
    "hdfs": {**_OF_OTHERS, **_HDFS},
}
# Options whose values are dicts of further options.
_NESTED: Final = ("client_kwargs", "config_kwargs", "s3", "extra_conf")
_PREFIXES: Final = ("aws_", "azure_", "google_")


def parts_of(scheme: str, options: Mapping[str, Any], source: str) -> UriParts:
    """Returns the parts of a URI that options of other libraries become.

    Args:
        scheme: Scheme of the store, a key of `ALIASES`.
        options: Values by their words. None and "" stand for what is not given.
        source: Name of the keyword that has the options, for errors.

    Raises:
        TypeError: A word is no str.
        ValueError: A word is unknown, or no URI can carry its value. The error has the
            word, and never the value.
    """
    parts = UriParts()
    _put_all(parts, scheme, options, source)
    if scheme == "s3" and bool(parts.user) != bool(parts.password):
        raise ValueError(f"{source}: key and secret go together, and one is missing")
    return parts


def _put_all(
    parts: UriParts, scheme: str, options: Mapping[str, Any], source: str
) -> None:
    for word, value in options.items():
        if not isinstance(word, str):
            raise TypeError(f"{source}: the name of an option must be a str")
        if value is None or value == "":
            continue
        if word in _NESTED and isinstance(value, Mapping):
            _put_all(parts, scheme, value, f"{source}[{word!r}]")
            continue
        rule = _RULES[scheme].get(_short(word))
        if rule is None:
            known = ", ".join(_carried(scheme))
            raise ValueError(
                f"{source} has {word!r}, which rowfeed does not know for {scheme}; it "
                f"knows {known}, and other libraries' names for them"
            )
        advice = rule(parts, value)
        if advice is not None:
            raise ValueError(
                f"{source} has {word!r}, which the URI of a path cannot carry: {advice}"
            )


def _short(word: str) -> str:
    name = word.lower()
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name


def _carried(scheme: str) -> list[str]:
    """Returns one word for each thing that a URI of a scheme can carry."""
    first: dict[Rule, str] = {}
    for word, rule in _RULES[scheme].items():
        if rule is not _nothing and not rule.__qualname__.startswith("_instead"):
            first.setdefault(rule, word)
    return list(first.values())
