# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Endpoints, buckets and options of URIs that are wrong are named, and in time."""

from __future__ import annotations

import logging
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from rowfeed import Catalog
from rowfeed._process.log import LOGGER
from rowfeed._stores import endpoint
from rowfeed._stores.endpoint import Endpoint, telling_of_endpoints
from s3_server import S3Server

NOBODY = "127.0.0.1:1"  # No program listens to this port.


class Heard(logging.Handler):
    """Keeps the lines of the log, and waits for the first one."""

    def __init__(self) -> None:
        super().__init__()
        self.is_heard = threading.Event()
        self.lines: list[logging.LogRecord] = []

    def emit(self, line: logging.LogRecord) -> None:
        self.lines.append(line)
        self.is_heard.set()


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Heard]:
    monkeypatch.setattr(endpoint, "_PATIENCE_S", 0.0)
    handler = Heard()
    LOGGER.addHandler(handler)
    yield handler
    LOGGER.removeHandler(handler)


def test_an_endpoint_that_does_not_answer_was_awaited_in_silence(
    heard: Heard,
) -> None:
    uri = f"s3://AK:HIDDEN@b/x?endpoint_override={NOBODY}&scheme=http&secret=HIDDEN"

    @telling_of_endpoints("opening s3://b/x", ["/local", uri])
    def opened() -> None:
        assert heard.is_heard.wait(60)
        raise OSError("s3://b/x: no connection (tried 9 times in 55 s)")

    with pytest.raises(OSError, match="no connection") as error:
        opened()
    (line,) = heard.lines
    assert line.levelno == logging.WARNING
    assert re.fullmatch(
        rf"opening s3://b/x takes more than \d s: {NOBODY} does not answer "
        r"\(.*refused\)\. It is tried again for up to a minute; check "
        "endpoint_override and scheme",
        line.getMessage(),
    )
    assert re.fullmatch(
        r"s3://b/x: no connection \(tried 9 times in 55 s\); "
        rf"{NOBODY} does not answer \(.*refused\); check endpoint_override and scheme",
        str(error.value),
    )
    assert "HIDDEN" not in line.getMessage() + str(error.value)


def test_a_warning_is_printed_though_no_logging_is_configured() -> None:
    assert LOGGER.handlers == []  # Any handler would keep Python from printing.


def test_a_slow_opening_says_nothing_if_its_endpoint_answers(
    s3: S3Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "_PATIENCE_S", 0.0)
    monkeypatch.setattr(endpoint, "_TIMEOUT_S", 60.0)  # The server may be slow here.
    is_tested, problem = threading.Event(), Endpoint.problem

    def tested(self: Endpoint) -> str | None:
        found = problem(self)
        is_tested.set()
        return found

    monkeypatch.setattr(Endpoint, "problem", tested)
    with telling_of_endpoints("opening s3://b/x", [s3.uri("b/x")]):
        assert is_tested.wait(60)
    assert caplog.messages == []


@contextmanager
def answering(answer: bytes) -> Iterator[int]:
    """Gives the port of a server that has this answer for one request."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1 << 16)
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1]
        thread.join()


@pytest.mark.parametrize(
    ("scheme", "answer", "said"),
    [
        ("http", b"\x15\x03\x03\x00\x02\x02\x46", "not speak http: .*=https"),
        ("http", b"HTTP/1.1 403 Forbidden\r\n\r\n", None),
        ("https", b"HTTP/1.1 400 Bad Request\r\n\r\n", "not speak https .*=http if"),
    ],
)
def test_a_wrong_scheme_is_named(
    scheme: str, answer: bytes, said: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "_TIMEOUT_S", 60.0)
    with answering(answer) as port:
        uri = f"s3://b/x?endpoint_override=127.0.0.1:{port}&scheme={scheme}"
        found = Endpoint.of(uri)
        assert found is not None
        problem = found.problem()
    if said is None:
        assert problem is None
    else:
        assert problem is not None
        assert re.search(f"127.0.0.1:{port} .*{said}", problem)


def test_endpoints_of_uris() -> None:
    assert Endpoint.of("/data?endpoint_override=h") is None
    assert Endpoint.of("s3://b/x?region=r") is None
    assert Endpoint.of("s3://b/x?endpoint_override=h:port") is None
    assert Endpoint.of("s3://b?endpoint_override=h") == ("h", 443, "https")
    assert Endpoint.of("gs://b?endpoint_override=h&scheme=http") == ("h", 80, "http")
    assert Endpoint.of("s3://b?endpoint_override=http://h:9") == ("h", 9, "http")


def test_a_wrong_bucket_was_no_such_file(s3: S3Server) -> None:
    s3.request("PUT", "/wrong-endpoints")
    for path in ("no-such-bucket/train", "wrong-endpoints/train", "no-such-bucket"):
        bucket, _, key = path.partition("/")
        said = f"s3://{path}: No such file or directory: "
        said += (
            f"either the bucket '{bucket}' does not exist, or it has no '{key}'"
            if key
            else f"the bucket '{bucket}' does not exist"
        )
        with pytest.raises(FileNotFoundError) as error:
            Catalog.open(s3.uri(path))
        assert str(error.value) == said


@pytest.mark.parametrize(
    ("uri", "advice"),
    [
        ("s3://b/x?endpoint=h:1", "'endpoint'; did you mean 'endpoint_override'?"),
        ("s3a://b/x?endpoint_url=h:1", "did you mean 'endpoint_override'?"),
        ("gs://b/x?project=p", "'project'; did you mean 'project_id'?"),
        ("s3://b/x?qqqq=1", "'qqqq'; the options are region, endpoint_override, "),
    ],
)
def test_a_misspelt_option_of_a_uri_names_the_nearest(uri: str, advice: str) -> None:
    with pytest.raises(ValueError, match="Unexpected query parameter") as error:
        Catalog.open(uri)
    assert advice in str(error.value)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_error_over_an_endpoint_names_it(
    scheme: str, caplog: pytest.LogCaptureFixture
) -> None:
    uri = f"s3://b/x?endpoint_override={NOBODY}&region=r&scheme={scheme}"
    with pytest.raises(OSError, match=rf"tried .*; {NOBODY} does not answer .*; check"):
        Catalog.open(uri)
    assert "127.0.0.1:1 does not answer" in caplog.text


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_slow_server_is_not_said_to_be_none(
    scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "_TIMEOUT_S", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as server:  # It never answers.
        port = server.getsockname()[1]
        uri = f"s3://b/x?endpoint_override=127.0.0.1:{port}&scheme={scheme}"
        found = Endpoint.of(uri)
        assert found is not None
        assert found.problem() == (
            f"127.0.0.1:{port} has not answered within 0.1 s: it may be slow, or it "
            "cannot be reached"
        )


def test_work_goes_on_where_python_starts_no_thread_any_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Functions that run while Python exits may open a catalog too."""

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with telling_of_endpoints("opening", [f"s3://b/x?endpoint_override={NOBODY}"]):
        pass
