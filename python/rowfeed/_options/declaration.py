# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The declaration of an option: all facts beside its name, type and default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

from rowfeed._process.checks import Check

_KEY: Final = "declaration"


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """An option, as a field of `Options` declares it.

    Attributes:
        check: Check of the value that a user gives. None if other code makes and checks
            the value.
        part: Group of the kernel's options that has an option of this name: "order",
            which a state must match, "delivery", or "stream" for the rest. None if the
            kernel has no such option.
        only_shuffled: Whether an option of the order matters only under `shuffle`.
        unset: Value for the kernel if the user has left the option at None and there is
            no `if_none`.
        if_none: Function of the `Options` and the kernel's catalog that returns the
            value for the kernel if the user has left the option at None.
        encode: Function from the user's value, which is not None, to the kernel's.
        of_mixture: Form of the value that the sources of a mixture must share: as it
            was "given", or as it is "filled" with the default for None. None if the
            sources may differ.
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
    """Returns the declarations of a dataclass's options, by their names."""
    return {field.name: field.metadata[_KEY] for field in fields(options)}
