# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The words that libraries have for the options of stores, and their place in a URI.

The words are those of fsspec (s3fs, gcsfs, adlfs), of pandas, which uses fsspec, of
Polars and of pyarrow.fs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from rowfeed._stores import rules
from rowfeed._stores.rules import GOOGLE_INSTEAD, Rule, credential, is_off, option
from rowfeed._stores.uri_parts import UriParts

T = TypeVar("T")


def _same(meaning: T, words: str) -> dict[str, T]:
    return dict.fromkeys(words.split(), meaning)


@dataclass(frozen=True)
class _Words:
    """What the words mean for one store.

    Attributes:
        carried: Rules of the options that a URI carries.
        refused: Advice for options that no URI carries. They may be given if they are
            off.
    """

    carried: Mapping[str, Rule]
    refused: Mapping[str, str]


# Options of reading ahead, caching, listing, retrying and writing in other libraries.
# They change no row, and are ignored.
_IGNORED: Final = _same(
    None,
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
_ENDPOINT: Final = _same(rules.endpoint, "endpoint_url endpoint endpoint_override")
_ANON: Final = "anon anonymous skip_signature"
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
_AZURE: Final = (
    "give account_name with account_key or sas_token, or set AZURE_… in the environment"
)
_PAYS: Final = {
    "requester_pays": "rowfeed cannot read buckets whose reader pays",
}
_S3: Final = _Words(
    carried={
        **_same(credential("user"), "key access_key access_key_id username"),
        **_same(credential("password"), "secret secret_key secret_access_key password"),
        **_same(option("region"), "region region_name default_region"),
        **_ENDPOINT,
        "scheme": rules.scheme,
        "use_ssl": rules.use_ssl,
        "verify": rules.verify,
        "tls_ca_file_path": option("tls_ca_file_path"),
        "tls_ca_dir_path": option("tls_ca_dir_path"),
        "tls_verify_certificates": option("tls_verify_certificates"),
        "smart_defaults": option("smart_defaults"),
        "addressing_style": rules.addressing,
        "proxy_options": rules.proxy,
    },
    refused={
        **_same(_ENVIRONMENT, "token session_token session"),
        **_same(_UNSIGNED, f"{_ANON} signature_version"),
        **_same("set AWS_PROFILE in the environment", "profile profile_name"),
        **_same(_ROLE, "role_arn session_name external_id"),
        **_PAYS,
        **_same(
            "rowfeed writes the bucket into the host where S3 takes it there",
            "virtual_hosted_style_request force_virtual_addressing",
        ),
        **_same(
            "rowfeed cannot read objects that need headers of your own",
            "additional_kwargs s3_additional_kwargs",
        ),
    },
)
_GS: Final = _Words(
    carried={
        "token": rules.google_token,
        **_same(rules.anonymous, _ANON),
        **_same(option("project_id"), "project project_id"),
        **_ENDPOINT,
        "scheme": rules.scheme,
        **_same(rules.retry_limit, "retry_limit_seconds retry_time_limit"),
    },
    refused={
        **_same(
            GOOGLE_INSTEAD,
            "access_token target_service_account service_account service_account_path "
            "service_account_key application_credentials credentials",
        ),
        **_PAYS,
    },
)
_ABFS: Final = _Words(
    carried={
        **_same(credential("user"), "account_name storage_account_name"),
        **_same(
            credential("password"),
            "account_key storage_account_key access_key storage_access_key master_key",
        ),
        **_same(rules.signature, "sas_token storage_sas_token sas_key storage_sas_key"),
        **_same(option("tenant_id"), "tenant_id storage_tenant_id authority_id"),
        **_same(option("client_id"), "client_id storage_client_id"),
        **_same(option("client_secret"), "client_secret storage_client_secret"),
        "blob_storage_authority": rules.authority(
            "blob_storage_authority", ".blob.core.windows.net"
        ),
        "dfs_storage_authority": rules.authority(
            "dfs_storage_authority", ".dfs.core.windows.net"
        ),
        **_same(rules.azure_scheme, "blob_storage_scheme dfs_storage_scheme"),
        "enable_tls": option("enable_tls"),
        "credential_kind": option("credential_kind"),
        **_same(rules.azure_anonymous, _ANON),
    },
    refused=_same(
        _AZURE,
        "connection_string credential request_session socket_timeout account_host "
        "use_emulator endpoint",
    ),
)
_HDFS: Final = _Words(
    carried={
        name: option(name)
        for name in (
            *("user", "replication", "buffer_size", "default_block_size"),
            "kerb_ticket",
        )
    },
    refused={},
)

# For each scheme of rowfeed: the schemes that libraries have for the same store.
ALIASES: Final = {
    "s3": ("s3", "s3a", "s3n"),
    "gs": ("gs", "gcs"),
    "abfs": ("abfs", "abfss", "az", "adl"),
    "hdfs": ("hdfs",),
}
_WORDS: Final = {"s3": _S3, "gs": _GS, "abfs": _ABFS, "hdfs": _HDFS}
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


def uri_options(scheme: str) -> dict[str, str]:
    """Returns the options of a URI, by their names and by other words for them.

    Args:
        scheme: Scheme of the store, a key of `ALIASES`.
    """
    found: dict[str, str] = {}
    for word, rule in _WORDS[scheme].carried.items():
        parts = UriParts()
        rule(parts, "1")
        for option_name in parts.options:
            found[option_name] = option_name
            found.setdefault(word, option_name)
    return found


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
        advice = _put(parts, scheme, word, value, source)
        if advice is not None:
            raise ValueError(
                f"{source} has {word!r}, which the URI of a path cannot carry: {advice}"
            )


def _put(
    parts: UriParts, scheme: str, word: str, value: Any, source: str
) -> str | None:
    """Puts one value into `parts`; returns what to do if no URI can carry it."""
    known, name = _WORDS[scheme], _short(word)
    if name in known.carried:
        return known.carried[name](parts, value)
    if name in known.refused:
        return None if is_off(value) else known.refused[name]
    if name in _IGNORED:
        return None
    first: dict[Rule, str] = {}
    for each, rule in known.carried.items():
        first.setdefault(rule, each)
    words = ", ".join(first.values())
    raise ValueError(
        f"{source} has {word!r}, which rowfeed does not know for {scheme}; it knows "
        f"{words}, and other libraries' names for them"
    )


def _short(word: str) -> str:
    name = word.lower()
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name
