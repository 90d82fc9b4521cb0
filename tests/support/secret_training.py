# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A program that trains from a store with secrets, and keeps all that it can see.

    python secret_training.py FOLDER ENDPOINT BUCKET FACE

The secrets are in the environment of the process: ROWFEED_TEST_URI is the user and
password of URIs, ROWFEED_TEST_KEY and ROWFEED_TEST_SECRET are storage_options, and
AWS_SECRET_ACCESS_KEY is the store's own variable. The program writes files to FOLDER:
what a training leaves (states, catalogs, snapshots, counts, pickles, checkpoints,
graphs), and the texts of errors, warnings, logs and reprs.
"""

from __future__ import annotations

import contextlib
import copy
import json
import logging
import os
import pickle
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import rowfeed
from reading import module_of

EPOCH_ROWS = 65


class Notes:
    """Texts and bytes that the program sees, each in a file of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._count = folder, 0

    def keep(self, what: str, seen: object) -> None:
        path = self.folder / f"{self._count:03}-{what}"
        self._count += 1
        path.write_bytes(seen if isinstance(seen, bytes) else str(seen).encode())

    @contextlib.contextmanager
    def error(self, what: str) -> Iterator[None]:
        """Keeps the error that the body raises; a body without one is a mistake."""
        try:
            yield
        except Exception as error:
            chain = [error, error.__cause__, error.__context__]
            self.keep(f"error-{what}", traceback.format_exc())
            self.keep(f"args-{what}", [getattr(each, "args", "") for each in chain])
            with contextlib.suppress(Exception):
                self.keep(f"pickled-{what}", pickle.dumps(error))
        else:
            raise AssertionError(f"{what}: no error was raised")


def look_at(notes: Notes, dataset: Any) -> None:
    """Keeps all forms in which a dataset shows itself."""
    shown: dict[str, Callable[[], object]] = {
        "repr": lambda: repr(dataset),
        "str": lambda: str(dataset),
        "html": dataset._repr_html_,
        "explain": dataset.explain,
        "stats": dataset.stats,
        "stats-repr": lambda: repr(dataset.stats()),
        "state": lambda: json.dumps(dataset.state_dict()),
        "spec": lambda: dataset.element_spec,
        "settings": lambda: repr(dataset.explain()),
        "catalog": lambda: repr(dataset.catalog),
        "catalog-html": dataset.catalog._repr_html_,
        "files": lambda: dataset.catalog.files,
        "describe": dataset.catalog.describe,
        "head": lambda: dataset.catalog.head(2),
    }
    for name, show in shown.items():
        notes.keep(name, show())


def pickled(notes: Notes, dataset: Any) -> None:
    """Keeps pickles and copies of a dataset and its catalog."""
    for protocol in (2, pickle.HIGHEST_PROTOCOL):
        notes.keep("pickled-catalog", pickle.dumps(dataset.catalog, protocol))
        if type(dataset).__module__ != "rowfeed.tensorflow":  # These cannot be pickled.
            notes.keep("pickle", pickle.dumps(dataset, protocol))
            notes.keep("copy", repr(copy.deepcopy(dataset)))
    dataset.catalog.save(notes.folder / "saved.catalog")


def train_with_torch(notes: Notes, dataset: Any) -> None:
    import torch

    for start in ("fork", "spawn"):
        loader = torch.utils.data.DataLoader(
            dataset, batch_size=None, num_workers=1, multiprocessing_context=start
        )
        notes.keep(f"workers-{start}", [len(batch["id"]) for batch in loader])
        notes.keep("loader", repr(loader))
    torch.save(dataset.state_at(0, 1), notes.folder / "checkpoint.pt")
    torch.save(dataset, notes.folder / "dataset.pt")


def train_with_tensorflow(notes: Notes, dataset: Any) -> None:
    import tensorflow as tf

    elements = dataset.map(lambda batch: batch["id"])
    notes.keep("graph", elements._as_serialized_graph().numpy())
    notes.keep(
        "graph-text",
        tf.compat.v1.GraphDef.FromString(elements._as_serialized_graph().numpy()),
    )
    iterator = iter(elements)
    next(iterator)
    tf.train.Checkpoint(iterator=iterator).save(str(notes.folder / "checkpoint"))

    class Module(tf.Module):  # type: ignore[misc]
        @tf.function(input_signature=[])  # type: ignore[untyped-decorator]
        def rows(self) -> Any:
            return elements.reduce(
                tf.constant(0, tf.int64), lambda n, ids: n + tf.size(ids, tf.int64)
            )

    module = Module()
    notes.keep("function", module.rows.get_concrete_function().graph.as_graph_def())
    assert module.rows().numpy() == EPOCH_ROWS
    with contextlib.suppress(Exception):  # A dataset may refuse to be saved.
        tf.saved_model.save(module, str(notes.folder / "saved_model"))


def fail(notes: Notes, face: Any, uri: Callable[[str], str], closed: str) -> None:
    """Makes the mistakes of users, and keeps the errors."""
    mistakes: dict[str, str] = {
        "no-bucket": uri("no-such-bucket/x.parquet"),
        "no-file": uri("{bucket}/none.parquet"),
        "no-glob": uri("{bucket}/none*.parquet"),
        "unknown-option": uri("{bucket}") + "&speling=1",
        "secret-option": uri("{bucket}") + f"&secret_key={os.environ[SECRETS[0]]}",
        "unknown-scheme": uri("{bucket}").replace("s3://", "ftp://"),
        "slash-in-secret": uri("{bucket}").replace(":", ":/", 2),
        "no-such-column": uri("{bucket}"),
        "wrong-budget": uri("{bucket}"),
    }
    wrong: dict[str, dict[str, Any]] = {
        "no-such-column": {"columns": ["none"]},
        "wrong-budget": {"memory_budget_bytes": 1},
    }
    for name, path in mistakes.items():
        with notes.error(name):
            list(face.ParquetDataset(path, 8, **wrong.get(name, {})))
    if face is rowfeed:  # A port that does not answer is tried again for a minute.
        with notes.error("closed-port"):
            rowfeed.Catalog.open(closed)
    with notes.error("snapshot-dir"):
        face.ParquetDataset(uri("x"), 8, refresh="epoch", snapshot_dir=uri("x"))
    with notes.error("save"):
        rowfeed.Catalog.open(uri("{bucket}")).save(uri("x"))
    dataset = face.ParquetDataset(uri("{bucket}"), 8)
    with notes.error("state"):
        dataset.load_state_dict({**dataset.state_dict(), "fingerprint": "0" * 32})
    with notes.error("transform"):
        list(rowfeed.ParquetDataset(uri("{bucket}"), 8, transform=lambda _: 1 // 0))
    with notes.error("row"):
        rowfeed.ParquetMapDataset(uri("{bucket}"))[10**9]


# The names of the variables that have secrets.
SECRETS = (
    "ROWFEED_TEST_URI",
    "ROWFEED_TEST_KEY",
    "ROWFEED_TEST_SECRET",
    "AWS_SECRET_ACCESS_KEY",
)


def main() -> None:
    folder, endpoint, bucket, name = sys.argv[1:]
    notes = Notes(Path(folder))
    logging.basicConfig(level=logging.DEBUG, filename=notes.folder / "log")
    logging.captureWarnings(capture=True)
    warnings.simplefilter("always")
    user = os.environ["ROWFEED_TEST_URI"]
    options = f"scheme=http&region=us-east-1&endpoint_override={endpoint}"

    def uri(path: str) -> str:
        return f"s3://{user}@{path.format(bucket=bucket)}?{options}"

    keys = {
        "key": os.environ["ROWFEED_TEST_KEY"],
        "secret": os.environ["ROWFEED_TEST_SECRET"],
        "endpoint_url": f"http://{endpoint}",
        "region": "us-east-1",
    }
    face = module_of(name)
    plain = f"s3://{bucket}?{options}"
    train = {"torch": train_with_torch, "tensorflow": train_with_tensorflow}
    for data, given in (
        ({"paths": plain}, {}),  # The environment has the secrets.
        ({"paths": uri("{bucket}")}, {}),
        ({"paths": f"s3://{bucket}", "storage_options": keys}, {}),
        (
            {"paths": uri("{bucket}")},
            {"refresh": "epoch", "snapshot_dir": notes.folder / "snapshots"},
        ),
        (
            {"paths": uri("{bucket}")},
            {"filter": [("id", "<", 1000)], "cache_dir": notes.folder / "counts"},
        ),
    ):
        dataset = face.ParquetDataset(
            **data, batch_size=8, columns=["id"], shuffle=True, **given
        )
        assert sum(len(batch["id"]) for batch in dataset) == EPOCH_ROWS
        look_at(notes, dataset)
        pickled(notes, dataset)
        if name in train and "refresh" not in given:
            train[name](notes, dataset)
    fail(notes, face, uri, uri("{bucket}").replace(endpoint, "127.0.0.1:1"))
    rowfeed.show_versions()


if __name__ == "__main__":
    main()
