# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`Look`: what the streaming datasets of all frameworks show of themselves."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from itertools import islice
from typing import Any

from rowfeed._look.dataset_sheet import public_name, sheet_of
from rowfeed._look.explain import explain
from rowfeed._look.explanation import Explanation
from rowfeed._look.settings import settings_of
from rowfeed._native import core
from rowfeed._options.parameters import Parameters
from rowfeed._sheet.sheet import Sheet
from rowfeed._sheet.shown import Shown
from rowfeed._state import state


class Look(Shown):
    """A dataset that says what it is, and what it delivers at any place."""

    _parameters: Parameters

    def _start(self) -> core.Progress:
        """Returns the place at which the next iteration starts.

        Raises:
            RuntimeError: This process does not know it.
        """
        raise NotImplementedError

    def _stands(self) -> core.Progress:
        """Returns the place of the iteration begun last; before one, of the start.

        Raises:
            RuntimeError: This process does not know it.
        """
        raise NotImplementedError

    def _elements_from(self, place: core.Progress) -> Generator[Any]:
        """Yields the elements of an iteration that begins at a place.

        No iteration and no cursor of the dataset has a part in it.
        """
        raise NotImplementedError

    def _elements_at(self, place: core.Progress) -> list[Any]:
        """Returns the element after a place in a list, which is empty at the end."""
        with closing(self._elements_from(place)) as elements:
            return list(islice(elements, 1))

    def peek(self) -> Any:
        """Returns the element that comes next: the first one of the next iteration.

        It serves to look at the data, or to build or adapt a model. Unlike
        `next(iter(dataset))` it takes no epoch, moves no position and involves no other
        rank, so the training begins where it would have begun. It decodes what the
        batch needs, and each call does so anew. If the rows that a filter lets pass are
        not counted yet, this process counts them. In TensorFlow it must be called
        eagerly.

        Returns:
            Element in the form of `element_spec`, after `transform` if there is one. If
            the state that was loaded is the end of an epoch, it is the first element of
            the following epoch.

        Raises:
            ValueError: The epochs have no steps; or the data grows (`refresh`), and the
                next epoch has not begun: call `begin_epoch` before.

        Example:
            >>> dataset = ParquetDataset("data", 256)  # doctest: +SKIP
            >>> dataset.peek()["price"].shape  # doctest: +SKIP
            (256,)
        """
        place = self._start()
        found = self._next_elements(place)
        if not found:  # The place is the end of an epoch.
            found = self._next_elements(state.start_of(place.next_epoch))
        if not found:
            said = self._parameters.said_of_rows()
            why = "" if said is None else f": {said}"
            raise ValueError(
                f"there is no batch: epoch {place.epoch} has no steps{why}"
            )
        return found[0]

    def _next_elements(self, place: core.Progress) -> list[Any]:
        if self._parameters.epochs.fingerprint_in(place.epoch) is None:
            raise ValueError(
                f"epoch {place.epoch} of a growing data set has not begun, so its "
                "batches are not known: call begin_epoch() before peek()"
            )
        return self._elements_at(place)

    def batch_at(self, epoch: int, step: int) -> Any:
        """Returns the element that step `step` of epoch `epoch` delivers.

        It serves to look at what was, or will be, trained on. It decodes the windows
        that hold the batch's rows, and moves neither iterations nor the next epoch. In
        TensorFlow it must be called eagerly.

        Raises:
            TypeError: An argument is not an int.
            ValueError: The epoch is negative or has no such step.
        """
        place = state.place_of(epoch, step, self._parameters)
        (element,) = self._elements_at(place)
        return element

    def explain(self) -> Explanation:
        """Explains what the epoch of the next iteration will do, before it does it.

        The result says how much the epoch and its first batch read, how much memory
        they need beside what the machine has, how well rows are mixed, how many steps
        there are, and what the numbers give reason to change. It comes from the footers
        and from arithmetic: no file is opened, no rows are counted, and no position is
        moved. So it tells nothing about time, which `stats()` measures. Numbers are
        those of this rank, for the epoch from its first row on.

        Returns:
            `Explanation`, which prints as a few lines and is a table in a notebook. Its
            attributes have the numbers; docs/reference.md lists them. Numbers that are
            not known are None, such as those of a filter whose rows are not counted.

        Raises:
            ValueError: A source of a mixture has no rows.

        Example:
            >>> explanation = dataset.explain()  # doctest: +SKIP
            >>> explanation.read_bytes, explanation.num_steps  # doctest: +SKIP
            (1048576, 40)
        """
        start = _known(self._start)
        epoch = self._parameters.options.first_epoch if start is None else start.epoch
        return explain(public_name(self), self._parameters, epoch)

    @property
    def settings(self) -> dict[str, Any]:
        """Options in force, by their names: those given, and defaults filled in.

        They are keywords of the constructor, so
        `ParquetDataset(dataset.catalog, **dataset.settings)` is a dataset of the same
        order and elements. Order options that a loaded state has set have its values.
        None stands for a default that is no number, such as `columns` and
        `block_rows`. `paths` and `partitions` are in `catalog`. A mixture has the
        options that its sources share, `weights` (in rounds of a period) and `stop`.

        Example:
            >>> ParquetDataset("data", 256, shuffle=True).settings["shuffle_window"]
            ... # doctest: +SKIP
            8000
        """
        return settings_of(self._parameters)

    def _sheet(self) -> Sheet:
        """Returns the description, without counting, listing or moving anything."""
        start, stands = _known(self._start), _known(self._stands)
        places = [("next iteration", start)]
        if stands is None or start is None or stands.astuple() != start.astuple():
            places.append(("last iteration", stands))
        return sheet_of(self, places)


def _known(place: Callable[[], core.Progress]) -> core.Progress | None:
    try:
        return place()
    except RuntimeError:
        return None
