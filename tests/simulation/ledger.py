# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A ledger of the rows that came: each row of an epoch exactly once in the end."""

from __future__ import annotations

from collections import Counter, defaultdict

from tests.simulation.rows import BrokenPromiseError
from tests.simulation.walk import Place, Step


class Ledger:
    """The rows of the current history; what a resume takes back is forgotten."""

    def __init__(self) -> None:
        self._epochs: dict[int, dict[int, int | None]] = defaultdict(dict)

    def add(self, step: Step, world_size: int, ids: list[int | None]) -> None:
        """Notes the rows of a rank's batch, in the order of delivery."""
        epoch = self._epochs[step.after.epoch]
        for i, row in enumerate(ids):
            number = step.first + i * world_size
            if number in epoch:
                raise BrokenPromiseError(
                    f"row {number} of epoch {step.after.epoch} came twice: as id "
                    f"{epoch[number]} and as id {row}"
                )
            epoch[number] = row

    def take_back(self, place: Place) -> None:
        """Forgets the rows behind a place.

        If the rows before it have not come in this history, as the state is of another
        one, the epoch cannot be judged as a whole.
        """
        for epoch in [e for e in self._epochs if e > place.epoch]:
            del self._epochs[epoch]
        rows = self._epochs[place.epoch]
        for number in [n for n in rows if n >= place.row]:
            del rows[number]
        if len(rows) < place.row:
            rows.clear()

    def check(self, epoch: int, rows: list[int], most_dropped: int) -> bool:
        """Checks an epoch that all ranks have ended, if it was delivered from row 0 on.

        Args:
            epoch: Number of the epoch.
            rows: Ids of its rows, by the model.
            most_dropped: Largest number of rows that its remainder may leave out.

        Returns:
            Whether the epoch could be judged.
        """
        found = self._epochs[epoch]
        if 0 not in found or not rows:
            return False
        own = {n: row for n, row in found.items() if n < len(rows)}
        missing = sorted(set(range(len(rows))) - set(own))
        if len(missing) > most_dropped or missing != list(range(len(own), len(rows))):
            raise BrokenPromiseError(
                f"epoch {epoch} of {len(rows)} rows lacks the rows {missing[:9]} of "
                "its stream"
            )
        ids = Counter(row for row in own.values() if row is not None)
        if strange := ids - Counter(rows):
            raise BrokenPromiseError(
                f"epoch {epoch} has rows too often: {dict(strange.most_common(5))}"
            )
        return True
