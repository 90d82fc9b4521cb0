# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Circles of imports and includes, among files and among folders.

An arrow leads from a file to another that one of its lines names. A circle is a way
along arrows that ends where it began.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

_INCLUDE = re.compile(r'\s*#\s*include\s+"(.+?)"')


@dataclass(frozen=True)
class Arrow:
    """One line that ties two files, or the folders that they stand in.

    Attributes:
        source: The file that has the line, or a folder around that file.
        target: The file that the line names, or a folder around that file.
        line: The line's file, number and text.
    """

    source: Path
    target: Path
    line: str


def python_arrows(root: Path, package: str) -> list[Arrow]:
    """Returns the imports among the modules of the package in a folder below `root`.

    Imports within functions count, and so do imports for type checkers.
    """
    modules = {}
    for path in sorted((root / package).rglob("*.py")):
        parts = path.relative_to((root / package).parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        modules[name] = Module(name, path.relative_to(root), path.read_text())
    return [arrow for module in modules.values() for arrow in module.arrows(modules)]


class Module:
    """The source of a Python module."""

    def __init__(self, name: str, place: Path, text: str) -> None:
        self.place, self._lines, self._tree = place, text.splitlines(), ast.parse(text)
        self._is_package = place.stem == "__init__"
        self._package = name if self._is_package else name.rpartition(".")[0]

    def arrows(self, modules: dict[str, Module]) -> list[Arrow]:
        """Returns the lines that name other ones of `modules`."""
        found = []
        for node in ast.walk(self._tree):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = self._origins(node, modules)
            for target in (modules[name].place for name in names if name in modules):
                if target != self.place:
                    number = getattr(node, "lineno", 0)
                    text = self._lines[number - 1].strip()
                    line = f"{self.place}:{number}: {text}"
                    found.append(Arrow(self.place, target, line))
        return found

    def _origins(self, node: ast.ImportFrom, modules: dict[str, Module]) -> list[str]:
        """Returns the module that each name of a from-import is, or comes from."""
        origin = node.module or ""
        if node.level:
            above = self._package.split(".")[: 1 - node.level or None]
            origin = ".".join([*above, *filter(None, [node.module])])
        names = []
        for alias in node.names:
            inner = f"{origin}.{alias.name}"
            if inner in modules:
                names.append(inner)
            elif origin in modules and modules[origin].has(alias.name):
                names.append(origin)
        return names

    def has(self, name: str) -> bool:
        """Whether a name comes of this source, and is not a library beside it."""
        if not self._is_package:
            return True
        bound = {
            getattr(node, attribute, None)
            for node in ast.walk(self._tree)
            for attribute in ("id", "name", "asname")
        }
        return name in bound or "__getattr__" in bound


def cc_arrows(root: Path, folder: str) -> list[Arrow]:
    """Returns the includes among the C++ components of a folder below `root`.

    A header and the source of the same name are one component, called by its header.
    Tests are left out, and so is the folder `testing`. Includes are looked up in the
    given folder, then beside the file that has them.
    """
    top = root / folder
    sources = [
        path
        for path in sorted([*top.rglob("*.h"), *top.rglob("*.cc")])
        if not path.stem.endswith("_test")
        and "testing" not in path.relative_to(top).parts
    ]
    components = {}
    for path in sources:
        header = path.with_suffix(".h")
        components[path] = header if header in sources else path
    found = []
    for path, component in components.items():
        for number, text in enumerate(path.read_text().splitlines(), 1):
            if (included := _INCLUDE.match(text)) is None:
                continue
            beside = components.get(path.parent / included[1])
            target = components.get(top / included[1], beside)
            if target is not None and target != component:
                line = f"{path.relative_to(root)}:{number}: {text.strip()}"
                ends = component.relative_to(root), target.relative_to(root)
                found.append(Arrow(*ends, line))
    return found


def among_folders(arrows: Iterable[Arrow]) -> list[Arrow]:
    """Returns the arrows among what stands side by side in one folder.

    A folder stands for all that is below it; a file beside it stands for itself.
    """
    found = []
    for arrow in arrows:
        source, target = arrow.source.parts, arrow.target.parts
        depth = 1
        while source[:depth] == target[:depth]:
            depth += 1
        ends = Path(*source[:depth]), Path(*target[:depth])
        found.append(replace(arrow, source=ends[0], target=ends[1]))
    return found


def knots(arrows: Iterable[Arrow]) -> list[set[Path]]:
    """Returns the sets of places of which each leads to each other, sorted."""
    targets: dict[Path, set[Path]] = {}
    for arrow in arrows:
        targets.setdefault(arrow.source, set()).add(arrow.target)
    reached = {place: _reached(place, targets) for place in targets}
    found = []
    for place in sorted(targets):
        knot = {other for other in reached[place] if place in reached.get(other, ())}
        if knot and knot not in found:
            found.append(knot)
    return found


def _reached(place: Path, targets: dict[Path, set[Path]]) -> set[Path]:
    reached: set[Path] = set()
    ahead = [place]
    while ahead:
        new = targets.get(ahead.pop(), set()) - reached
        reached |= new
        ahead += new
    return reached


def circle(knot: set[Path], arrows: Iterable[Arrow]) -> list[Arrow]:
    """Returns a shortest circle within a knot, as arrows that follow each other."""
    inner = [arrow for arrow in arrows if {arrow.source, arrow.target} <= knot]
    return min((_way_back(place, inner) for place in sorted(knot)), key=len)


def _way_back(place: Path, arrows: list[Arrow]) -> list[Arrow]:
    """Returns a shortest way from a place of a knot to itself."""
    ways: list[list[Arrow]] = [[arrow] for arrow in arrows if arrow.source == place]
    seen: set[Path] = set()
    for way in ways:  # The list grows meanwhile, by longer ways.
        end = way[-1].target
        if end == place:
            return way
        if end not in seen:
            seen.add(end)
            ways += [[*way, arrow] for arrow in arrows if arrow.source == end]
    raise ValueError(f"no arrows lead from {place} back to it")


def report(arrows: list[Arrow]) -> str:
    """Returns what is to be said of every circle: its places and its lines; or ""."""
    said = []
    for knot in knots(arrows):
        places = ", ".join(map(str, sorted(knot)))
        lines = [f"  {arrow.line}" for arrow in circle(knot, arrows)]
        said += [f"{len(knot)} depend on each other: {places}. A circle:", *lines]
    return "\n".join(said)
