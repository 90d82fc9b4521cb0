# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The documentation site has every page of docs/ and every public module."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docs_site
from repository import ROOT


def pages_of(nav: list[dict[str, Any]]) -> Iterator[str]:
    """Yields the path of each page of a navigation."""
    for entry in nav:
        for below in entry.values():
            if isinstance(below, str):
                yield below
            else:
                yield from pages_of(below)


def test_navigation_has_every_page_once() -> None:
    config = tomllib.loads((ROOT / "zensical.toml").read_text())
    listed = list(pages_of(config["project"]["nav"]))
    made = [f"docs/api/{name}.md" for name in docs_site.public_modules()]
    written = [f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")]
    assert len(set(listed)) == len(listed)
    notebooks = (ROOT / "docs" / "notebooks").glob("*.ipynb")
    made += [f"docs/notebooks/{notebook.stem}.md" for notebook in notebooks]
    assert set(written) | set(made) <= set(listed)
    assert all((ROOT / page).is_file() for page in set(listed) - set(made))


def test_a_module_has_a_page_with_its_public_names() -> None:
    for module in docs_site.public_modules():
        names = docs_site.public_names(module)
        assert names
        if module == "rowfeed":
            loaded = importlib.import_module(module)
            assert names == [n for n in loaded.__all__ if not n.startswith("_")]
        page = docs_site.api_page(module)
        assert all(f"        - {name}\n" in page for name in names)


def test_sources_of_the_site_have_the_files_that_pages_link_to(tmp_path: Path) -> None:
    docs_site.lay_out(tmp_path)
    assert (tmp_path / "docs" / "images" / "order.svg").is_file()
    assert (tmp_path / "docs" / "api" / "rowfeed.torch.md").is_file()
    assert "](docs/quickstart.md)" in (tmp_path / "README.md").read_text()


def test_site_has_a_page_of_each_notebook(tmp_path: Path) -> None:
    docs_site.lay_out(tmp_path)
    page = (tmp_path / "docs" / "notebooks" / "pytorch.md").read_text()
    assert page.startswith("# rowfeed with PyTorch\n")
    assert "](pytorch.ipynb)" in page
    assert (tmp_path / "docs" / "notebooks" / "pytorch.ipynb").is_file()
    assert "\n```python\nimport tempfile\n" in page
    assert "](keras.md)" in page
    assert "](notebooks/pytorch.md)" in (tmp_path / "docs/quickstart.md").read_text()
