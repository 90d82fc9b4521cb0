# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""No file that rowfeed reads can run code: no pickle, no eval, no program."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from growing import Folder, dataset_of
from repository import ROOT, SUPPORT

# Functions and methods that run what is in data; no module of rowfeed calls them.
RUNS_DATA = {
    "pickle": {"load", "loads", "Unpickler"},
    "_pickle": {"load", "loads", "Unpickler"},
    "cPickle": {"load", "loads"},
    "cloudpickle": {"load", "loads"},
    "dill": {"load", "loads"},
    "joblib": {"load"},
    "marshal": {"load", "loads"},
    "shelve": {"open"},
    "torch": {"load"},
    "yaml": {"load", "unsafe_load", "full_load"},
    "subprocess": {"run", "Popen", "call", "check_call", "check_output"},
    "os": {"system", "popen", "execv", "execve", "execvp"},
}
BUILTINS = {"eval", "exec", "compile", "__import__"}

# Reads back what was saved, and records the events of sys.audit by which a pickle finds
# functions, or another program is started.
AUDITED = """
import json, sys

found = []
def listen(event, arguments):
    if event in ("pickle.find_class", "os.system", "subprocess.Popen", "os.exec"):
        found.append(event)
sys.addaudithook(listen)

import numpy as np
import rowfeed
from growing import Folder, dataset_of
from pathlib import Path
from rowfeed._keras.backup import Backups
import saved_backups

folder, state, catalog, backups = map(Path, sys.argv[1:])
data = Folder.__new__(Folder)
data.path, data.snapshots = folder / "data", folder / "snapshots"
resumed = dataset_of(data, filter=[("id", "<", 30)], cache_dir=folder / "counts")
list(resumed)
dataset = dataset_of(data)
dataset.load_state_dict(json.loads(state.read_text()))
list(dataset)
rowfeed.Catalog.load(catalog)
assert saved_backups.open_backups(backups).load() is not None
import pickle
assert found == [] and pickle.loads(pickle.dumps(Path)) is Path
assert found.pop() == "pickle.find_class"  # The events are seen.
print(json.dumps(found))
"""


def called(tree: ast.AST) -> Iterator[tuple[str, str, int]]:
    """Yields module, function and line of each call; "" for a builtin."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield node.module or "", alias.name, node.lineno
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        if isinstance(function, ast.Name):
            yield "", function.id, node.lineno
        elif isinstance(function, ast.Attribute) and isinstance(
            function.value, ast.Name
        ):
            yield function.value.id, function.attr, node.lineno
        for word in node.keywords:
            allows = word.arg == "allow_pickle" and not (
                isinstance(word.value, ast.Constant) and word.value.value is False
            )
            if allows:
                yield "", "allow_pickle", node.lineno


def test_no_module_calls_what_runs_data() -> None:
    found, num_calls = [], 0
    for path in sorted((ROOT / "python" / "rowfeed").rglob("*.py")):
        for module, name, line in called(ast.parse(path.read_text())):
            num_calls += 1
            is_builtin = not module and name in {*BUILTINS, "allow_pickle"}
            if is_builtin or name in RUNS_DATA.get(module, ()):
                found.append(f"{path.name}:{line}: {module}.{name}")
    assert found == []
    assert num_calls > 1000


@pytest.mark.parametrize(
    "source",
    [
        "import pickle\npickle.loads(b'')",
        "from pickle import loads",
        "import numpy as np\nnp.load('x', allow_pickle=True)",
        "eval('1')",
        "import torch\ntorch.load('x')",
    ],
)
def test_a_call_that_runs_data_is_found(source: str) -> None:
    assert any(
        name in RUNS_DATA.get(module, ())
        or (not module and name in {*BUILTINS, "allow_pickle"})
        for module, name, _ in called(ast.parse(source))
    )


def test_reading_back_what_was_saved_runs_no_code(tmp_path: Path) -> None:
    pytest.importorskip("ml_dtypes")
    from saved_backups import saved

    folder = Folder(tmp_path, 0, 1)
    batches = iter(dataset_of(folder))
    next(batches)
    (tmp_path / "state.json").write_text(json.dumps(batches.state_dict()))
    dataset_of(folder).catalog.save(tmp_path / "saved.catalog")
    saved(tmp_path / "backups")
    names = ("state.json", "saved.catalog", "backups")
    done = subprocess.run(
        [sys.executable, "-c", AUDITED, tmp_path, *(tmp_path / name for name in names)],
        capture_output=True,
        check=False,
        text=True,
        env={**os.environ, "PYTHONPATH": pythonpath()},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


def pythonpath() -> str:
    return ":".join([str(SUPPORT), *filter(None, sys.path)])
