# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Refuses comments, docstring entries and table cells that begin within a sentence.

A comment that begins with "Of" or "Those" has its subject somewhere else, and who reads
it alone cannot know what it speaks of. CONTRIBUTING.md has the rule.

    python tools/plain_language.py [FILE...]
"""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

# A beginning is a line number and the text there.
Beginning = tuple[int, str]

FRAGMENT = re.compile(r"(?:of|as|that|those|which|behind|whose)\b", re.IGNORECASE)
ENTRY = re.compile(r"^\s+[\w*`\[\], .]+(?: \([^)]*\))?:\s+(\S.*)")
CPP_COMMENT = re.compile(r"^(?P<code>.*?)\s*//+<?\s*(?P<text>.*)$")
CPP_STRING = re.compile(r'"(?:\\.|[^"\\])*"')


def cpp_beginnings(source: str) -> Iterator[Beginning]:
    """Yields where each comment of a C++ source begins."""
    goes_on = False
    for number, line in enumerate(source.splitlines(), 1):
        found = CPP_COMMENT.match(CPP_STRING.sub('""', line))
        if found and (found["code"] or not goes_on):
            yield number, found["text"]
        goes_on = found is not None


def python_beginnings(source: str) -> Iterator[Beginning]:
    """Yields where each comment, docstring and docstring entry of a module begins."""
    last = -1
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            is_own_line = not token.line[: token.start[1]].strip()
            if not (is_own_line and token.start[0] == last + 1):
                yield token.start[0], token.string.lstrip("#: ")
            last = token.start[0]
    for node in ast.walk(ast.parse(source)):
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, kinds) and ast.get_docstring(node, clean=False):
            (expression, *_) = node.body
            assert isinstance(expression, ast.Expr)
            assert isinstance(expression.value, ast.Constant)
            yield from _docstring_beginnings(
                expression.lineno, str(expression.value.value)
            )


def _docstring_beginnings(first: int, text: str) -> Iterator[Beginning]:
    for number, line in enumerate(text.splitlines()):
        if number == 0 and line.strip():
            yield first, line.strip()
        elif entry := ENTRY.match(line):
            yield first + number, entry[1]


def markdown_beginnings(source: str) -> Iterator[Beginning]:
    """Yields where each cell of a table begins."""
    for number, line in enumerate(source.splitlines(), 1):
        if line.lstrip().startswith("|"):
            for cell in line.split("|"):
                yield number, cell.strip()


def notebook_beginnings(source: str) -> Iterator[Beginning]:
    """Yields the beginnings of each cell, with the number of the cell for a line."""
    for number, cell in enumerate(json.loads(source)["cells"], 1):
        is_code = cell["cell_type"] == "code"
        read = python_beginnings if is_code else markdown_beginnings
        for _, text in read("".join(cell["source"])):
            yield number, text


def hash_beginnings(source: str) -> Iterator[Beginning]:
    """Yields where each comment on lines of its own begins, for scripts and builds."""
    goes_on = False
    for number, line in enumerate(source.splitlines(), 1):
        is_comment = line.lstrip().startswith("#")
        if is_comment and not goes_on:
            yield number, line.lstrip("# \t")
        goes_on = is_comment


# The reader of a file, by how its name ends.
BEGINNINGS = {
    ".cc": cpp_beginnings,
    ".h": cpp_beginnings,
    ".py": python_beginnings,
    ".pyi": python_beginnings,
    ".md": markdown_beginnings,
    ".ipynb": notebook_beginnings,
    ".bzl": python_beginnings,
    ".cmake": hash_beginnings,
    ".sh": hash_beginnings,
    ".toml": hash_beginnings,
    "BUILD": python_beginnings,
    "CMakeLists.txt": hash_beginnings,
    "Makefile": hash_beginnings,
    "/run": hash_beginnings,
}


def fragments(name: str, source: str) -> Iterator[str]:
    """Yields a line of text for each beginning of a file that has no subject."""
    read = next(read for ending, read in BEGINNINGS.items() if name.endswith(ending))
    for number, text in read(source):
        if FRAGMENT.match(text) and not text.endswith("?"):
            yield f"{name}:{number}: begins within a sentence: {text}"


def main(names: list[str]) -> int:
    """Checks the files, or all that git knows; returns the exit status."""
    if not names:
        patterns = [f"*{ending}" for ending in BEGINNINGS]
        listed = subprocess.run(
            ["git", "ls-files", *patterns], check=True, capture_output=True, text=True
        )
        names = listed.stdout.splitlines()
    found = [
        line
        for name in names
        for line in fragments(name, Path(name).read_text(encoding="utf-8"))
    ]
    sys.stdout.writelines(f"{line}\n" for line in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
