# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A server of the tf.data service that has loaded rowfeed's op, as it must.

    python -m rowfeed.tf_data_service dispatcher --port 5050
    python -m rowfeed.tf_data_service worker --dispatcher host:5050

Each server writes the dispatcher's address to standard output when it is ready, and
runs until it is killed. Workers open the files by the absolute paths that the client
has. A dispatcher opens files only if it hands out splits of a dataset with a `filter`,
to count the rows that pass.
"""

from __future__ import annotations

import argparse
import socket
import sys
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

import rowfeed.tensorflow  # noqa: F401  (registers the op)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the server that the command line asks for, until it is killed."""
    options = _parse(arguments)
    server = _dispatcher(options) if options.role == "dispatcher" else _worker(options)
    address = options.dispatcher or server.target.removeprefix("grpc://")
    sys.stdout.write(f"{address}\n")
    sys.stdout.flush()
    server.join()


def _dispatcher(options: argparse.Namespace) -> Any:
    return tf.data.experimental.service.DispatchServer(
        tf.data.experimental.service.DispatcherConfig(
            port=options.port,
            work_dir=options.work_dir,
            fault_tolerant_mode=options.work_dir is not None,
        )
    )


def _worker(options: argparse.Namespace) -> Any:
    return tf.data.experimental.service.WorkerServer(
        tf.data.experimental.service.WorkerConfig(
            dispatcher_address=options.dispatcher,
            worker_address=f"{options.host}:%port%",
            port=options.port,
        )
    )


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m rowfeed.tf_data_service")
    roles = parser.add_subparsers(dest="role", required=True)
    dispatcher = roles.add_parser("dispatcher")
    dispatcher.set_defaults(dispatcher=None)
    dispatcher.add_argument("--work-dir", help="keep state here, to survive a restart")
    worker = roles.add_parser("worker")
    worker.add_argument("--dispatcher", required=True, help="its address, host:port")
    worker.add_argument(
        "--host",
        default=socket.gethostname(),
        help="the name under which clients reach this worker (default: %(default)s)",
    )
    for role in (dispatcher, worker):
        role.add_argument("--port", type=int, default=0, help="default: any free one")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
