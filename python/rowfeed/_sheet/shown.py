# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""`Shown`: an object that shows itself as a sheet, in a terminal and in a notebook."""

from __future__ import annotations

from rowfeed._sheet.sheet import Sheet


class Shown:
    """An object whose `repr` is its sheet."""

    def _sheet(self) -> Sheet:
        """Returns the description; it is cheap and changes nothing."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """Returns a few lines that say what the object is."""
        return str(self._sheet())

    def _repr_html_(self) -> str:
        """Returns a table of the same for a notebook."""
        from rowfeed._sheet.html import html_of_sheet  # Only notebooks need it.

        return html_of_sheet(self._sheet())
