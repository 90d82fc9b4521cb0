# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What is declared of an option beside its name, type and default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

from rowfeed._options.checks import Check

_KEY: Final = "declaration"


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """An option, as a field of `Options` declares it.

    Attributes:
        check: What users may give. None: the value is made, and checked, elsewhere.
        part: The options of the kernel that have this one under its name: those of the
            "order", which a state must match, of "delivery", or of the "stream" besides
            them. None: the kernel has no such option.
        only_shuffled: Whether an option of the order matters only under `shuffle`.
        unset: What the kernel is given where the user has left the option at None and
            there is no `if_none`.
        if_none: A function of the `Options` and the kernel's catalog, which returns
            what the kernel is given where the user has left the option at None.
        encode: A function from the value, which is not None, to the kernel's.
        of_mixture: Whether the sources of a mixture must have the same value: as it was
            "given", or as it is "filled" where the user has left it at None.
        of_ranks: Whether the ranks that meet must have the same value. Options of the
            order are always compared.
    """

    check: Check | None = None
    part: Literal["order", "delivery", "stream"] | None = None
    only_shuffled: bool = False
    unset: Any = None
    if_none: Callable[[Any, Any], Any] | None = None
    encode: Callable[[Any], Any] | None = None
    of_mixture: Literal["given", "filled"] | None = None
    of_ranks: bool = False


def option(check: Check | None = None, **known: Any) -> Mapping[str, Declaration]:
    """Returns the metadata of a field that is an option: see `Declaration`."""
    return {_KEY: Declaration(check=check, **known)}


def declarations(options: type) -> dict[str, Declaration]:
    """Returns what a dataclass declares of its options, by their names."""
    return {field.name: field.metadata[_KEY] for field in fields(options)}
