# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a stub of a shared library: its name and the names that it exports, no code.

The linker needs no more to check that each name an op library uses exists. A stub of
libtensorflow_cc.so.2 has 20 MB where the library has 800.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

# Names of libraries whose headers tensorflow_headers.py does not keep, and of what each
# user of Eigen compiles for itself. They are most of the bytes of all names. No op uses
# them; one that did would not link.
_LEFT_OUT = re.compile("4mlir|4llvm|3xla|4grpc|9grpc_core|5Eigen8internal")
_EXPORTED = ("GLOBAL", "UNIQUE", "WEAK")
_TYPES = {"FUNC": "function", "IFUNC": "function", "TLS": "tls_object"}


def _exports(library: Path) -> tuple[list[str], set[str]]:
    """Returns the lines of assembly that define what `library` exports.

    The set has the versions of the names, as in `TF_Version@@tensorflow`.
    """
    listed = subprocess.run(
        ["readelf", "--wide", "--dyn-syms", str(library)],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "LC_ALL": "C"},
    ).stdout
    lines: dict[str, list[str]] = {"text": [], "tls_object": []}
    versions = set()
    for line in listed.splitlines():
        fields = line.split()
        if len(fields) < 8 or fields[4] not in _EXPORTED or fields[6] in ("UND", "ABS"):
            continue
        name, _, version = fields[-1].partition("@")
        if version:  # The linker itself made some names, which have none.
            versions.add(version.lstrip("@"))
        if _LEFT_OUT.search(name):
            continue
        kind = _TYPES.get(fields[3], "object")
        # None is weak: the linker would compare each with all that have its address.
        lines.get(kind, lines["text"]).append(
            f'.globl "{name}"\n.type "{name}", %{kind}\n"{name}":'
        )
    return [
        *(".text", *lines["text"], ".zero 8"),
        *('.section .tbss,"awT",%nobits', *lines["tls_object"], ".zero 8"),
        '.section .note.GNU-stack,"",%progbits\n',
    ], versions


def make_stub(library: Path, stub: Path) -> None:
    """Writes to `stub` a library that has the file name of `library` as its SONAME.

    It exports the names of `library` with the same versions and types.

    Args:
        library: The real library.
        stub: The file to be written.

    Raises:
        ValueError: The names of `library` have several versions.
    """
    assembly, versions = _exports(library)
    if len(versions) > 1:
        raise ValueError(f"the names of {library} have several versions: {versions}")
    script = stub.with_suffix(".map")
    script.write_text(f"{''.join(versions)} {{ global: *; }};\n")
    subprocess.run(
        [
            *(*os.environ.get("CC", "cc").split(), "-shared", "-nostdlib", "-s"),
            *(f"-Wl,-soname,{library.name}", f"-Wl,--version-script={script}"),
            *("-x", "assembler", "-", "-o", str(stub)),
        ],
        check=True,
        input="\n".join(assembly),
        text=True,
    )
    script.unlink()
