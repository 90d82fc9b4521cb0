# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What README.md and docs/ say is run: their Python, and the facts of their tables."""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rowfeed
from documented_data import write_data, write_nested
from repository import ROOT


def snippets(document: Path) -> str:
    """Returns the Python of a document, at the lines where it stands there."""
    lines, inside = [], False
    for line in document.read_text().splitlines():
        if line.startswith("```"):
            inside = line == "```python"
            lines.append("")
        else:
            lines.append(line if inside else "")
    return "\n".join(lines)


# The programs of coming-from.md come in pairs, which a test of their own compares.
DOCUMENTS = [
    path
    for path in sorted((ROOT / "docs").glob("*.md"))
    if snippets(path).strip() and path.name != "coming-from.md"
]


def run_code(code: str, folder: Path, name: str) -> None:
    """Runs a program in a new process, whose folder is `folder`."""
    script = folder / f"{name}.py"
    script.write_text(code)
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", script.name],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def import_what_it_needs(code: str) -> None:
    """Skips the test where a framework that the code imports is not installed."""
    for module in ("tensorflow", "torch", "keras", "simplejpeg", "jax"):
        if re.search(rf"^import {module}$|rowfeed\.{module}", code, re.MULTILINE):
            pytest.importorskip(module)


@pytest.mark.timeout(
    600
)  # New processes import frameworks, on a machine that is shared.
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_snippets_run(document: Path, tmp_path: Path) -> None:
    code = snippets(document)
    import_what_it_needs(code)
    write_data(tmp_path / "data")
    write_nested(tmp_path / "nested")
    run_code(code, tmp_path, f"snippets_of_{document.stem}")


@pytest.mark.timeout(600)
def test_ten_lines_of_readme_run_from_an_empty_folder(tmp_path: Path) -> None:
    code = snippets(ROOT / "README.md").strip()
    import_what_it_needs(code)
    assert len([line for line in code.splitlines() if line]) <= 12
    run_code(
        code + "\nassert abs(model - torch.tensor([3, 1])).max() < 0.1", tmp_path, "ten"
    )


def test_readme_is_short_and_its_links_lead_somewhere() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) < 160
    pages = *ROOT.glob("*.md"), ROOT / "cc" / "README.md", *ROOT.glob("docs/**/*.md")
    for document in pages:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text()):
            if not target.startswith("https://"):
                assert (document.parent / target).exists(), f"{document}: {target}"


def test_paths_of_sources_in_the_pages_exist() -> None:
    """A page may leave out the first folders of a path."""
    done = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    files = ["/" + name for name in done.stdout.splitlines()]
    gone = [
        (page, path)
        for page in files
        if page.endswith(".md") and page != "/CHANGELOG.md"
        for path in re.findall(
            r"`([\w./-]+\.(?:cc|h|py|bzl|csv|sh))`", (ROOT / page[1:]).read_text()
        )
        if not any(name.endswith("/" + path) for name in files)
        and path != "x_test.cc"  # CONTRIBUTING.md means any component by x.
    ]
    assert not gone


def test_error_of_files_that_differ_is_the_one_of_the_page(tmp_path: Path) -> None:
    for name, dtype in (("0", pa.float64()), ("1", pa.float32())):
        pq.write_table(
            pa.table({"price": pa.array([1], dtype)}), tmp_path / f"{name}.parquet"
        )
    with pytest.raises(ValueError, match="differ") as caught:
        rowfeed.ParquetDataset(tmp_path, 1)
    header, line = str(caught.value).splitlines()[:2]
    page = (ROOT / "docs" / "concepts.md").read_text()
    assert f"    ValueError: {header}\n      'price' is double in " in page
    for part in (
        "'price' is double in ",
        ", float in ",
        ': give Column("price", dtype="float64")',
    ):
        assert part in line
        assert part in page


def test_decisions_are_numbered_and_have_three_parts() -> None:
    pages = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    assert [page.name[:4] for page in pages] == [
        f"{i:03}-" for i in range(1, len(pages) + 1)
    ]
    for page in pages:
        parts = re.findall(r"^\*\*(\w+)\.\*\*", page.read_text(), re.MULTILINE)
        assert parts == ["Context", "Decision", "Consequence"], page


def test_measured_tables_are_those_of_the_results() -> None:
    for path, part in importlib.import_module("benchmarks.report").pages():
        assert part in path.read_text()


def test_table_of_loaders_in_readme_is_that_of_the_results() -> None:
    report = importlib.import_module("benchmarks.peers.report")
    assert report.readme_part() in report.README.read_text()


def test_list_of_decisions_has_each_of_them() -> None:
    folder = ROOT / "docs" / "decisions"
    lines = (folder / "README.md").read_text().splitlines()
    rows = [
        f"| {page.name[:3]} | [{page.read_text().splitlines()[0][2:]}]({page.name}) |"
        for page in sorted(folder.glob("[0-9]*.md"))
    ]
    assert lines[-len(rows) :] == rows


@pytest.mark.parametrize("name", ["peers.report", "studies.growing_report"])
def test_table_of_a_report_is_that_of_the_results(
    name: str,
) -> None:
    report = importlib.import_module(f"benchmarks.{name}")
    assert report.part() in report.PAGE.read_text()


@pytest.mark.parametrize(
    ("section", "module"),
    [("ParquetDataset", ""), ("SampleWriter", ""), ("BackupAndRestore", ".keras")],
)
def test_reference_has_every_option_with_its_default(section: str, module: str) -> None:
    if module:
        pytest.importorskip("tensorflow")
    text = (ROOT / "docs" / "reference.md").read_text()
    table = re.findall(
        r"^\| `(\w+)` \| (?:`(.+?)`)? ?\|",
        text.partition(f"\n## {section}\n")[2].partition("\n## ")[0],
        re.MULTILINE,
    )
    documented = getattr(importlib.import_module(f"rowfeed{module}"), section)
    signature = inspect.signature(documented.__init__)
    parameters = [p for name, p in signature.parameters.items() if name != "self"]
    expected = [
        (p.name, "" if p.default is p.empty else repr(p.default)) for p in parameters
    ]
    assert table == expected


def rows_of_types() -> Iterator[list[str]]:
    """Yields the cells of the tables of docs/types.md that begin with a type."""
    types = (ROOT / "docs" / "types.md").read_text().partition("\n## Directories\n")[0]
    for line in types.splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def fields_of(arrow_type: str, folder: Path) -> list[rowfeed._catalog.entries.Field]:
    """Returns what the catalog says of a column of the type: its leaves."""
    names = {name: getattr(pa, name) for name in dir(pa)}
    made = eval(arrow_type, {"__builtins__": {}}, names)
    path = folder / "one.parquet"
    pq.write_table(pa.table({"x": nothing(made)}), path)
    return rowfeed.Catalog.open(path).schema


def nothing(made: pa.DataType) -> pa.Array:
    """Returns an array without rows."""
    if isinstance(made, pa.ExtensionType):
        return pa.ExtensionArray.from_storage(made, nothing(made.storage_type))
    return pa.array([], made)


def shape_of(cell: str) -> tuple[int | None, ...]:
    """Returns the shape of a row where the cell gives that of a batch."""
    inner = re.findall(r"\d+|None", cell)
    return tuple(None if n == "None" else int(n) for n in inner)


@pytest.mark.fault(37)
@pytest.mark.parametrize("cells", list(rows_of_types()), ids=lambda cells: cells[0])
def test_types(cells: list[str], tmp_path: Path) -> None:
    fields = fields_of(cells[0].strip("`"), tmp_path)
    if len(cells) == 3:
        assert [f"`{f.name}`" for f in fields] == cells[1].split(", ")
        shapes = cells[2].split("], [")
        assert [f.shape for f in fields] == [shape_of(shape) for shape in shapes]
        return
    (field,) = fields
    if len(cells) == 2:
        assert field.unsupported == f"{cells[1]} are not supported"
        return
    _, numpy, tensorflow, shape = cells
    assert field.shape == shape_of(shape)
    assert field.unsupported == ""
    if tensorflow.endswith("`string`"):
        assert numpy.endswith("`Ragged` of `uint8`")
        assert field.dtype in ("string", "binary")
    else:
        dtype = re.findall(r"`(\w+)`", numpy)[-1]
        assert field.dtype == dtype == re.findall(r"`(\w+)`", tensorflow)[-1]
    assert field.unit == numpy.partition(", ")[2]


def test_architecture_names_every_module_of_every_room() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    rooms = re.findall(r"^\| `(_\w+)` \| (.*) \|$", text, re.MULTILINE)
    package = Path(rowfeed.__file__).parent
    inside = {
        path.parent.name: sorted(file.name for file in path.parent.glob("[a-z]*.py"))
        for path in package.glob("_*/__init__.py")
    }
    named = {room: sorted(re.findall(r"`(\w+\.py)`", cell)) for room, cell in rooms}
    assert named == inside


def test_pages_name_the_versions_of_the_trainers_that_are_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pins = [pin.split("==") for pin in project["optional-dependencies"]["trainers"]]
    readme, page = (
        (ROOT / name).read_text() for name in ("README.md", "docs/trainers.md")
    )
    trainers = ("accelerate", "lightning", "torchtitan", "transformers")
    for name, version in pins:
        said = name.partition("-")[0]  # The first word of orbax-checkpoint.
        number = re.escape(version.removesuffix(".*"))
        named = re.compile(rf"{said}\S* {number}\b", re.IGNORECASE)
        assert named.search(readme)
        assert name not in trainers or named.search(page)


def test_every_module_of_the_package_itself_is_public_and_named() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    package = Path(rowfeed.__file__).parent
    for module in package.glob("[a-z]*.py"):
        assert f"`rowfeed.{module.stem}`" in text
    for module in (package / "integrations").glob("[a-z]*.py"):
        assert f"`rowfeed.integrations.{module.stem}`" in text
