# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The one declaration of each option.

All other facts follow from an option's field here: which values users may give, which
value the kernel gets, which value a state holds, and whether the sources of a mixture
and the ranks of a group must have the same value. `Keywords.__init__` has the signature
and the documentation.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias, get_args

from rowfeed._catalog.filters import Filter
from rowfeed._catalog.split import Split, condition_of
from rowfeed._columns.column import Column
from rowfeed._columns.stack import Stack
from rowfeed._native import core
from rowfeed._options.data import REFRESH, Growth
from rowfeed._options.declaration import declarations, option
from rowfeed._options.transform import Transform, check_arguments, takes_step_info
from rowfeed._process.checks import Flag, Function, InstanceOf, Integer, OneOf
from rowfeed._process.usable import usable_cpus

Remainder: TypeAlias = Literal["drop", "pad", "wrap", "uneven"]

# The last epoch that one may begin with; 64 bits hold all that can follow it.
MAX_EPOCH: Final = 2**62
# These limits are far above useful values, and their products far below overflows.
_MOST_ROWS: Final = 2**40
_MOST_THREADS: Final = 2**12
_INT32_MAX: Final = 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class Options:
    """The keywords as they were given, checked one by one."""

    batch_size: int | None = field(
        default=None,
        metadata=option(
            Integer(1, core.MAX_BATCH_SIZE, optional=True),
            part="delivery",
            unset=1,
            of_mixture="given",
            of_ranks=True,
        ),
    )
    columns: dict[str, Column | Stack] | None = field(default=None, metadata=option())
    label: Column | None = field(default=None, metadata=option())
    sample_weight: Column | None = field(default=None, metadata=option())
    shuffle: bool = field(default=False, metadata=option(Flag(), part="order"))
    shuffle_window: int | None = field(
        default=None,
        metadata=option(
            Integer(1, _MOST_ROWS, optional=True),
            part="order",
            only_shuffled=True,
            if_none=lambda _, catalog: core.default_shuffle_window(catalog),
        ),
    )
    block_rows: int | None = field(
        default=None,
        metadata=option(
            Integer(1, _MOST_ROWS, optional=True),
            part="order",
            only_shuffled=True,
            unset=0,
        ),
    )
    seed: int = field(
        default=0,
        metadata=option(Integer(0, 2**64 - 1), part="order", only_shuffled=True),
    )
    num_epochs: int | None = field(
        default=1,
        metadata=option(
            Integer(1, _INT32_MAX, optional=True),
            part="stream",
            of_mixture="given",
            of_ranks=True,
        ),
    )
    first_epoch: int = field(
        default=0, metadata=option(Integer(0, MAX_EPOCH), of_mixture="given")
    )
    reshuffle_each_iteration: bool = field(
        default=True, metadata=option(Flag(), of_mixture="given")
    )
    rank: int = field(
        default=0, metadata=option(Integer(0), part="delivery", of_mixture="given")
    )
    world_size: int = field(
        default=1,
        metadata=option(
            Integer(1, core.MAX_WORLD_SIZE), part="delivery", of_mixture="given"
        ),
    )
    num_lanes: int | None = field(
        default=None,
        metadata=option(
            Integer(1, core.MAX_LANES, optional=True),
            part="order",
            if_none=lambda options, _: options.world_size,
            of_mixture="filled",
        ),
    )
    remainder: Remainder | None = field(
        default=None,
        metadata=option(
            OneOf(get_args(Remainder)),
            part="delivery",
            if_none=lambda options, _: "uneven" if options.world_size == 1 else "drop",
            of_mixture="filled",
            of_ranks=True,
        ),
    )
    num_threads: int | None = field(
        default=None,
        metadata=option(
            Integer(1, _MOST_THREADS, optional=True),
            part="stream",
            if_none=lambda *_: usable_cpus(),
            of_mixture="given",
        ),
    )
    memory_budget_bytes: int | None = field(
        default=None,
        metadata=option(
            Integer(1, optional=True), part="stream", unset=0, of_mixture="given"
        ),
    )
    transform: Transform | None = field(
        default=None, metadata=option(Function(), of_mixture="given")
    )
    device: str | None = field(default=None, metadata=option(of_mixture="given"))
    filter: Filter | None = field(default=None, metadata=option())
    split: Split | None = field(default=None, metadata=option(InstanceOf(Split)))
    cache_dir: str = field(
        default="", metadata=option(part="stream", encode=os.fsencode)
    )
    verify_checksums: bool = field(
        default=False, metadata=option(Flag(), part="stream")
    )
    use_statistics: bool = field(default=True, metadata=option(Flag(), part="stream"))
    growth: Growth | None = field(
        default=None, metadata=option(part="stream", encode=Growth.encoded)
    )

    def __post_init__(self) -> None:
        """Checks types and ranges."""
        for name in OPTIONS:
            check_option(name, getattr(self, name))
        if self.rank >= self.world_size:
            raise ValueError(
                f"rank must be < world_size, but rank={self.rank} and "
                f"world_size={self.world_size}"
            )
        if self.transform is not None:
            check_arguments(self.transform)
        if self.transform is not None and self.device is not None:
            raise ValueError(
                f"device={self.device!r} and transform exclude each other: what "
                "transform returns is delivered as it is, so copy that yourself"
            )
        if self.batch_size is None and self.device is not None:
            raise ValueError(
                f"device={self.device!r} and batch_size=None exclude each other: a "
                "copy for each row would cost far more than the row"
            )

    @cached_property
    def condition(self) -> Filter | None:
        """Filter for the kernel: that of the user, and that of the split."""
        return condition_of(self.filter, self.split)

    @property
    def condition_kind(self) -> str:
        """The word for `condition`: "filter", "split" or "filter and split"."""
        given = (("filter", self.filter), ("split", self.split))
        return " and ".join(name for name, value in given if value is not None)

    @cached_property
    def tells_step(self) -> bool:
        """Whether `transform` is called with a `StepInfo` as its second argument."""
        return self.transform is not None and takes_step_info(self.transform)

    def check_growth(self, *, ranks_meet: bool) -> None:
        """Raises ValueError if data grows and the ranks cannot share one listing."""
        if self.growth is None or self.world_size == 1:
            return
        if not ranks_meet:
            raise ValueError(
                f"refresh={REFRESH!r} with world_size={self.world_size}: files may "
                "come between the listings of two ranks; those of a process group of "
                "PyTorch, and the workers of a TensorFlow strategy, share one listing"
            )
        if self.num_epochs != 1:
            raise ValueError(
                "the ranks share a listing when an iteration begins, so with refresh "
                f"each is one epoch: num_epochs must be 1, not {self.num_epochs}"
            )

    def of_kernel(self, name: str, catalog: core.Catalog) -> Any:
        """Returns the kernel's value of an option, with its default filled in.

        Args:
            name: Name of the option.
            catalog: Catalog of the data, on which some defaults depend.
        """
        declared, value = OPTIONS[name], getattr(self, name)
        if value is not None:
            return declared.encode(value) if declared.encode else value
        if declared.if_none is not None:
            return declared.if_none(self, catalog)
        return declared.unset


# The declaration of each option, by its name, in the order of the fields.
OPTIONS: Final = declarations(Options)
# The names of the kernel's options that decide the order of rows.
ORDER: Final = tuple(name for name, it in OPTIONS.items() if it.part == "order")
# The options of the order that take a state's value where the user left them at None.
ADOPTED: Final = tuple(
    name
    for name in ORDER
    if OPTIONS[name].if_none is not None or OPTIONS[name].unset is not None
)


def check_option(name: str, value: object) -> None:
    """Raises TypeError or ValueError unless the option `name` may have the value."""
    check = OPTIONS[name].check
    if check is not None:
        check(name, value)
