# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The bill of materials of a wheel: CycloneDX, at the place that PEP 770 names."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from wheel_inventory import Inventory, Part


def add_bill_of_materials(wheel: Path, found: Inventory) -> Path:
    """Puts the bill of materials into a wheel and beside it; returns the one beside."""
    beside = wheel.with_suffix(".cdx.json")
    version = wheel.name.split("-")[1]
    beside.write_text(bill_of_materials(version, found))
    with tempfile.TemporaryDirectory() as folder:
        _wheel("unpack", str(wheel), "--dest", folder)
        (unpacked,) = Path(folder).iterdir()
        (information,) = unpacked.glob("*.dist-info")
        (information / "sboms").mkdir(exist_ok=True)
        shutil.copy(beside, information / "sboms" / "rowfeed.cdx.json")
        _wheel("pack", str(unpacked), "--dest-dir", str(wheel.parent))
    return beside


def bill_of_materials(version: str, found: Inventory) -> str:
    """Returns the bill of a version of rowfeed, as the text of a CycloneDX document."""
    rowfeed = _component(Part("rowfeed", version, "Apache-2.0"))
    rowfeed.purl = PackageURL("pypi", name="rowfeed", version=version)
    bom = Bom()
    bom.metadata.component = rowfeed
    parts = [_component(part) for part in found.parts]
    bom.register_dependency(rowfeed, parts)
    for part in parts:
        bom.components.add(part)
        if part.name == "apache-arrow":
            inside = [_component(each, inside=part) for each in found.inside_arrow]
            bom.components.update(inside)
            bom.register_dependency(part, inside)
    text: str = JsonV1Dot6(bom).output_as_string(indent=2)
    return text + "\n"


def _component(part: Part, *, inside: Component | None = None) -> Component:
    """Returns the entry of a part. Without a version it says where that is found."""
    source = "" if inside is None else f"{inside.name} {inside.version}"
    return Component(
        description=(
            None
            if part.version or not source
            else f"Its version is not in the binary; it is the one in {source}."
        ),
        type=ComponentType.LIBRARY,
        name=part.name,
        version=part.version or None,
        bom_ref="@".join(filter(None, (part.name, part.version))),
        licenses=[LicenseFactory().make_from_string(part.license)],
        purl=PackageURL("generic", name=part.name, version=part.version or None),
    )


def _wheel(*arguments: str) -> None:
    command = [sys.executable, "-m", "wheel", *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
