# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A release names what is inside it, has its licences, and one version."""

from __future__ import annotations

import json
import re
import tomllib
import zipfile
from importlib.metadata import distribution, distributions
from pathlib import Path

import pyarrow as pa
import pytest

import rowfeed
from collect_licenses import collect_licenses
from repository import ROOT
from wheel_inventory import (
    Inventory,
    Part,
    inventory,
    linked_into,
    missing_licenses,
    vendored_in,
)

INFORMATION = "rowfeed-0.1.0.dist-info"
LICENSES = f"{INFORMATION}/licenses"
COMPLETE = {
    f"{LICENSES}/LICENSE": b"",
    f"{LICENSES}/licenses/libraries.txt": b"",
    f"{LICENSES}/licenses/pyarrow-26.0.1/LICENSE.txt": (
        b"The files in cpp/src/arrow/vendored/xxhash/ have the following license"
    ),
    f"{LICENSES}/licenses/pyarrow-26.0.1/NOTICE.txt": b"",
    f"{LICENSES}/licenses/pybind11-3.1.0/LICENSE": b"",
    "rowfeed/_tf_ops_2_16.so": b"",
    "rowfeed/librowfeed_arrow-26.0.1-0123abcd.so": (
        b"/opt/vcpkg/buildtrees/curl/src/url-8_23_0-8f41a0e4d0.clean/lib/cf.c\0"
        b"libcurl/8.23.0\0OpenSSL 3.6.5 27 Jan 2026\0mimalloc"
    ),
    "rowfeed/librowfeed_arrow_s3-26.0.1-0123abcd.so": (
        b"/opt/vcpkg/buildtrees/s2n/src/v1.7.6-0f41a0e4d0.clean/tls/s2n.c\0"
    ),
}


def make_wheel(folder: Path, files: dict[str, bytes]) -> Path:
    path = folder / "rowfeed-0.1.0-cp311-cp311-manylinux_2_28_x86_64.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_parts_of_a_wheel_are_found_with_their_versions(tmp_path: Path) -> None:
    assert inventory(make_wheel(tmp_path, COMPLETE)) == Inventory(
        parts=[
            Part("apache-arrow", "26.0.1", "Apache-2.0"),
            Part("pybind11", "3.1.0", "BSD-3-Clause"),
            Part("tensorflow-headers", "2.16", "Apache-2.0 AND MPL-2.0"),
        ],
        inside_arrow=[
            Part("curl", "8.23.0", "curl"),
            Part("mimalloc", "", "MIT"),
            Part("openssl", "3.6.5", "Apache-2.0"),
            Part("s2n", "1.7.6", "Apache-2.0"),
            Part("xxhash", "", "BSD-2-Clause"),
        ],
    )


def test_a_library_without_a_known_license_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"newlib .*add it to tools/bundled_\w+\.csv"):
        list(linked_into(b"/buildtrees/newlib/src/v1.0-8f41a0e4d0.clean/a.c\0"))


def test_the_sources_of_others_in_arrows_own_tree_were_missing_from_the_bill() -> None:
    (text,) = (
        str(file.read_text())
        for file in distribution("pyarrow").files or []
        if file.name == "LICENSE.txt"
    )
    found = {part.name for part in vendored_in(text)}
    assert found >= {"date", "double-conversion", "fast_float", "utfcpp", "xxhash"}
    with pytest.raises(ValueError, match=r"vendored/newlib.*add a line"):
        list(vendored_in("The files in cpp/src/arrow/vendored/newlib/ are of others"))


def test_the_licenses_of_all_libraries_in_this_arrow_are_known() -> None:
    found: set[Part] = set()
    for name in ("arrow", "arrow_s3", "arrow_compute", "parquet"):
        for path in Path(pa.get_library_dirs()[0]).glob(f"lib{name}.so.*00"):
            found |= set(linked_into(path.read_bytes()))
    names = {part.name for part in found}
    assert names >= {"abseil", "apache-thrift", "curl", "lz4", "openssl", "zstd"}
    texts = (ROOT / "licenses" / "libraries.txt").read_text().lower()
    for file in distribution("pyarrow").files or []:
        if file.name == "LICENSE.txt":
            texts += str(file.read_text()).lower()
    shown = {"azure-sdk-for-cpp": "azure sdk", "nlohmann-json": "nlohmann/json"}
    # The text for AWS's libraries names several of them as "the aws-c libraries".
    words = {
        name: "aws-c" if name.startswith("aws-c-") else name.removeprefix("apache-")
        for name in names - {"aws-sdk-cpp"}
    }
    assert [n for n, word in words.items() if shown.get(n, word) not in texts] == []


@pytest.mark.parametrize(
    ("lacking", "text"),
    [
        (f"{LICENSES}/licenses/pyarrow-26.0.1/LICENSE.txt", "pyarrow's LICENSE.txt"),
        (f"{LICENSES}/licenses/pyarrow-26.0.1/NOTICE.txt", "pyarrow's NOTICE.txt"),
        (f"{LICENSES}/licenses/pybind11-3.1.0/LICENSE", "pybind11's LICENSE"),
        (f"{LICENSES}/licenses/libraries.txt", "licenses/libraries.txt"),
    ],
)
def test_a_missing_license_is_named(lacking: str, text: str, tmp_path: Path) -> None:
    assert missing_licenses(make_wheel(tmp_path, COMPLETE)) == []
    files = {name: text for name, text in COMPLETE.items() if name != lacking}
    assert missing_licenses(make_wheel(tmp_path, files)) == [text]


def test_licenses_are_those_of_the_packages_that_build(tmp_path: Path) -> None:
    earlier = tmp_path / "pyarrow-1.0.0"
    earlier.mkdir()
    collect_licenses(tmp_path)
    assert not earlier.exists()
    folder = tmp_path / f"pyarrow-{pa.__version__}"
    assert "Apache License" in (folder / "LICENSE.txt").read_text()
    assert "Apache Arrow" in (folder / "NOTICE.txt").read_text()


def test_bill_of_materials_nests_what_is_inside_arrow(tmp_path: Path) -> None:
    pytest.importorskip("cyclonedx", reason="needs cyclonedx-python-lib")
    from bill_of_materials import bill_of_materials

    found = inventory(make_wheel(tmp_path, COMPLETE))
    bill = json.loads(bill_of_materials("0.1.0", found))
    assert bill["bomFormat"] == "CycloneDX"
    assert bill["metadata"]["component"]["purl"] == "pkg:pypi/rowfeed@0.1.0"
    assert {(c["name"], c.get("version")) for c in bill["components"]} >= {
        ("apache-arrow", "26.0.1"),
        ("openssl", "3.6.5"),
        ("mimalloc", None),
    }
    inside = {each["ref"]: each.get("dependsOn") for each in bill["dependencies"]}
    assert inside["apache-arrow@26.0.1"] == [
        *("curl@8.23.0", "mimalloc", "openssl@3.6.5", "s2n@1.7.6", "xxhash"),
    ]
    said = {c["name"]: c.get("description", "") for c in bill["components"]}
    assert said["xxhash"].endswith("it is the one in apache-arrow 26.0.1.")
    assert said["openssl"] == said["apache-arrow"] == ""


def test_version_is_that_of_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert rowfeed.__version__ == project["version"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", rowfeed.__version__)
    package = Path(rowfeed.__file__).parent
    for found in distributions(name="rowfeed"):
        if Path(str(found.locate_file("rowfeed"))) == package:
            assert found.version == rowfeed.__version__


def test_release_is_for_the_pythons_of_the_classifiers() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text()
    marks = " ".join(settings["project"]["classifiers"])
    pythons = re.findall(r"Python :: 3\.(\d+)", marks)
    assert pythons == re.findall(r"version: \"3\.(\d+)\", tag: cp3\1 ", workflow)
    build = settings["tool"]["cibuildwheel"]["build"]
    assert pythons == re.findall(r"cp3(\d+)-manylinux_\*", build)


def test_release_uses_pinned_actions_and_does_not_publish() -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text()
    actions = re.findall(r"uses: (.*)", workflow)
    assert actions
    for action in actions:
        assert re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)
    assert "secrets." not in workflow
    assert re.findall(r"permissions:\n +(.*)", workflow) == ["contents: read"]
