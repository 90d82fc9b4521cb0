# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The notebooks run from an empty folder, and are committed without outputs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from repository import ROOT

# The framework that each notebook needs.
NEEDS = {"keras.ipynb": "tensorflow", "pytorch.ipynb": "torch"}
FOLDER = ROOT / "docs" / "notebooks"


def cells_of(name: str, kind: str) -> list[dict[str, Any]]:
    """Returns the cells of a notebook that are of a kind: "code" or "markdown"."""
    cells = json.loads((FOLDER / name).read_text())["cells"]
    return [cell for cell in cells if cell["cell_type"] == kind]


def test_each_notebook_is_known() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(NEEDS)


@pytest.mark.timeout(600)  # A new process imports a framework and trains.
@pytest.mark.parametrize("name", NEEDS)
def test_notebook_runs_from_an_empty_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(NEEDS[name])
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    kernels = pytest.importorskip("jupyter_client")
    pytest.importorskip("ipykernel")
    folder = tmp_path / "empty"
    folder.mkdir()
    # The kernel is this Python, and reads and writes nothing in the home of the user.
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    monkeypatch.setenv("PYTHONWARNINGS", "error::UserWarning")
    specs = kernels.kernelspec.KernelSpecManager(kernel_dirs=[])
    manager = kernels.AsyncKernelManager(kernel_spec_manager=specs)

    notebook = nbformat.read(FOLDER / name, as_version=4)
    nbformat.validate(notebook)
    running = client.NotebookClient(notebook, km=manager, startup_timeout=300)
    running.execute(cwd=str(folder), cleanup_kc=True)

    shown = {cell["id"]: cell.get("outputs", []) for cell in notebook["cells"]}
    assert "text/html" in shown["look"][-1]["data"]  # Tables, not plain text.
    assert "text/html" in shown["split"][-1]["data"]
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", NEEDS)
def test_notebook_is_committed_without_outputs_and_with_its_license(name: str) -> None:
    for cell in cells_of(name, "code"):
        assert cell["outputs"] == []
        assert cell["execution_count"] is None
    text = (FOLDER / name).read_text()
    assert "SPDX-FileCopyrightText: 2026 The rowfeed authors" in text
    assert "SPDX-License-Identifier: Apache-2.0" in text


@pytest.mark.parametrize("name", NEEDS)
def test_links_of_a_notebook_lead_somewhere(name: str) -> None:
    prose = "".join("".join(cell["source"]) for cell in cells_of(name, "markdown"))
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", prose)
    assert links
    assert all((FOLDER / link).exists() for link in links)
