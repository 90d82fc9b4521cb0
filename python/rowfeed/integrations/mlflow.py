# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Data sets of rowfeed as inputs of runs of MLflow."""

from __future__ import annotations

import itertools
import json
from typing import Any

from rowfeed._catalog.catalog import Catalog
from rowfeed._process.public_names import publish

try:
    from mlflow.data.dataset import Dataset
    from mlflow.data.dataset_source import DatasetSource
except ImportError as error:
    raise ImportError(
        "rowfeed.integrations.mlflow needs MLflow: pip install mlflow"
    ) from error

__all__ = ["ParquetFiles", "ParquetInput"]


class ParquetFiles(DatasetSource):  # type: ignore[misc]
    """Where the files of a data set lie, for MLflow.

    Attributes:
        uri: Directory, or URI, that has all files.
    """

    def __init__(self, uri: str) -> None:
        """Makes the source of a directory."""
        self.uri = uri

    @staticmethod
    def _get_source_type() -> str:
        return "parquet"

    @staticmethod
    def _can_resolve(raw_source: Any) -> bool:  # noqa: ARG004
        return False

    @classmethod
    def _resolve(cls, raw_source: Any) -> ParquetFiles:
        raise NotImplementedError

    def load(self) -> Catalog:
        """Opens what the directory has now."""
        return Catalog.open(self.uri)

    def to_dict(self) -> dict[str, Any]:
        """Returns the directory in a dict, which MLflow writes as JSON."""
        return {"uri": self.uri}

    @classmethod
    def from_dict(cls, source_dict: dict[Any, Any]) -> ParquetFiles:
        """Returns the source of a dict that `to_dict` has returned."""
        return cls(source_dict["uri"])


class ParquetInput(Dataset):  # type: ignore[misc]
    """A data set of Parquet files, for `mlflow.log_input`.

    The digest is the fingerprint of the catalog, which changes with any file. Schema
    and profile have the columns, and the numbers of files, row groups and rows.

    Example:
        >>> train = ParquetDataset("data", 256, shuffle=True)  # doctest: +SKIP
        >>> with mlflow.start_run():  # doctest: +SKIP
        ...     mlflow.log_input(ParquetInput(train.catalog), context="training")
    """

    def __init__(self, catalog: Catalog, name: str | None = None) -> None:
        """Makes the input; no file is opened.

        Args:
            catalog: Catalog of the data, such as `dataset.catalog`.
            name: Name of the data set in MLflow. Default: the name of the directory.

        Raises:
            TypeError: `catalog` is not a `rowfeed.Catalog`.
        """
        if not isinstance(catalog, Catalog):
            raise TypeError(
                "catalog must be a rowfeed.Catalog, such as dataset.catalog, not "
                f"{type(catalog).__name__}"
            )
        self._catalog = catalog
        uri = _directory_of([file.path for file in catalog.files])
        chosen = name or uri.rstrip("/").rpartition("/")[2] or "data"
        super().__init__(ParquetFiles(uri), chosen, catalog.fingerprint)

    def _compute_digest(self) -> str:
        digest: str = self._catalog.fingerprint
        return digest

    @property
    def profile(self) -> dict[str, int]:
        """Numbers of files, row groups and rows."""
        catalog = self._catalog
        return {
            "num_files": len(catalog.files),
            "num_row_groups": len(catalog.row_groups),
            "num_rows": catalog.num_rows,
        }

    @property
    def schema(self) -> list[dict[str, str]]:
        """Names and types of the columns, as the files have them."""
        return [{"name": f.name, "type": f.type} for f in self._catalog.schema]

    def to_dict(self) -> dict[str, str]:
        """Returns what MLflow stores, as texts."""
        found: dict[str, str] = super().to_dict()
        schema = json.dumps({"mlflow_colspec": self.schema})
        return {**found, "schema": schema, "profile": json.dumps(self.profile)}


def _directory_of(paths: list[str]) -> str:
    """Returns the directory that has all files: a path, or a URI."""
    parents = [path.split("/")[:-1] for path in paths]
    levels = zip(*parents, strict=False)  # The shortest path ends them.
    shared = itertools.takewhile(lambda names: len(set(names)) == 1, levels)
    return "/".join(names[0] for names in shared)


publish(__name__, ParquetFiles, ParquetInput)
