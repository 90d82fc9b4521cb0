# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Lays out the sources of the documentation site, from which zensical builds it.

    python tools/docs_site.py   # `make docs` calls this, and then zensical

The pages are plain Markdown that reads well on a forge, so they link to each other by
paths within the repository. The site has the same folders, so these links work there as
they stand. The copy has every page that git tracks, the files that the pages link to,
and pages that are made of the notebooks and of the docstrings of the public modules.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / ".build" / "site-source"
PACKAGE = ROOT / "python" / "rowfeed"
# A copy of the package, whose docstrings mkdocstrings reads.
SOURCES = ROOT / ".build" / "site-python"
LINK = re.compile(r"(?<=\]\()([^)#:\s]+)")
FENCED = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
# The front page has a short name, as its heading is that of the project.
HOME = "---\ntitle: rowfeed\n---\n\n"


def main() -> None:
    """Writes the sources of the site anew."""
    for folder in (SITE, SOURCES):
        shutil.rmtree(folder, ignore_errors=True)
    lay_out(SITE)
    copy_sources(SOURCES)


def lay_out(folder: Path) -> None:
    """Writes the sources of the site into a folder."""
    listed = subprocess.run(
        ["git", "ls-files", "*.md", "*.ipynb"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in listed.stdout.splitlines():
        _copy(name, folder)
    for module in public_modules():
        path = folder / "docs" / "api" / f"{module}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(api_page(module))


def copy_sources(folder: Path) -> None:
    """Copies the package, with the heading of examples that mkdocstrings knows."""
    for source in PACKAGE.rglob("*.py"):
        target = folder / "rowfeed" / source.relative_to(PACKAGE)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text()
        target.write_text(re.sub(r"^( +)Example:$", r"\1Examples:", text, flags=re.M))


def public_modules() -> list[str]:
    """Returns the names of the modules that users import, `rowfeed` first."""
    modules = sorted(path.stem for path in PACKAGE.glob("[a-z]*.py"))
    modules += sorted(
        f"integrations.{path.stem}"
        for path in (PACKAGE / "integrations").glob("[a-z]*.py")
    )
    return ["rowfeed", *(f"rowfeed.{name}" for name in modules)]


def public_names(module: str) -> list[str]:
    """Returns the names of `__all__`, or else of the public classes and functions."""
    inner = module.partition(".")[2]
    path = PACKAGE / (f"{inner.replace('.', '/')}.py" if inner else "__init__.py")
    names = []
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return [n for n in ast.literal_eval(node.value) if not n.startswith("_")]
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name[0] != "_":
            names.append(node.name)
    return names


def api_page(module: str) -> str:
    """Returns the page of a module, which mkdocstrings fills from its docstrings."""
    names = "".join(f"        - {name}\n" for name in public_names(module))
    return (
        f"# {module}\n\nThis page is made from the docstrings. The [reference]"
        "(../reference.md) explains the same by topic.\n\n"
        f"::: {module}\n    options:\n      show_root_heading: false\n"
        f"      show_root_toc_entry: false\n      members:\n{names}"
    )


def notebook_page(notebook: Path) -> str:
    """Returns the cells of a notebook as Markdown, with a link to the notebook."""
    parts = []
    for cell in json.loads(notebook.read_text())["cells"]:
        text = "".join(cell["source"])
        is_code = cell["cell_type"] == "code"
        parts.append(f"```python\n{text}\n```" if is_code else _to_pages(text))
    parts.insert(1, f"[Download the notebook]({notebook.name}) of this page.")
    return "\n\n".join(parts) + "\n"


def _to_pages(text: str) -> str:
    """Returns Markdown whose links to notebooks lead to the pages of these."""
    return text.replace(".ipynb)", ".md)")


def _copy(name: str, folder: Path) -> None:
    """Copies a page and the files that it links to, but for other pages."""
    source, target = ROOT / name, (folder / name).with_suffix(".md")
    is_notebook = source.suffix == ".ipynb"
    text = notebook_page(source) if is_notebook else _to_pages(source.read_text())
    for link in LINK.findall(FENCED.sub("", text)):
        linked = (source.parent / link).resolve()
        if linked.suffix != ".md" and linked.is_file():
            copy = folder / linked.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(linked, copy)
    if name == "README.md":
        text = HOME + text
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


if __name__ == "__main__":
    main()
