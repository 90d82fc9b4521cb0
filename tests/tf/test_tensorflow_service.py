# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The tf.data service: every worker reads all, or each gets windows of an epoch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tensorflow as tf
from tensorflow.python.data.experimental.kernel_tests.service import test_base
from tensorflow.python.data.experimental.ops.data_service_ops import ShardingPolicy

from numbered_rows import write_numbers
from rowfeed import Catalog
from tf_numbers import ids, make

GROUPS = [40, 25, 0, 1, 64, 33, 40, 17, 30]
ROWS = sum(GROUPS)


class ServiceTest(test_base.TestBase):  # type: ignore[misc]
    """In-process clusters of TensorFlow's own test base."""

    test_session = None  # A context manager of the base, which looks like a test.

    def setUp(self) -> None:
        super().setUp()
        self.directory = write_numbers(Path(self.create_tempdir().full_path), GROUPS)

    def distributed(self, dataset: Any, mode: ShardingPolicy, num_workers: int) -> Any:
        self.cluster = self.make_test_cluster(num_workers=num_workers)
        return self.make_distributed_dataset(
            dataset, self.cluster, processing_mode=mode
        )

    def test_one_worker_delivers_the_order(self) -> None:
        expected = ids(make(self.directory, num_epochs=2))
        dataset = make(self.directory, num_epochs=2)
        got = ids(self.distributed(dataset, ShardingPolicy.OFF, 1))
        assert got == expected
        assert dataset.state_dict()["epoch"] == 0  # The workers' cursors are their own.

    def test_every_worker_delivers_everything(self) -> None:
        got = ids(self.distributed(make(self.directory), ShardingPolicy.OFF, 3))
        assert sorted(got) == sorted(list(range(ROWS)) * 3)

    def test_a_later_epoch_is_asked_for(self) -> None:
        dataset = make(self.directory, first_epoch=3)
        expected = ids(make(self.directory, first_epoch=3))
        assert ids(self.distributed(dataset, ShardingPolicy.OFF, 1)) == expected

    def test_workers_share_the_windows_of_an_epoch(self) -> None:
        dataset = make(self.directory, num_lanes=2)
        got = ids(self.distributed(dataset, ShardingPolicy.DYNAMIC, 3))
        assert sorted(got) == list(range(ROWS))

    def test_workers_share_the_windows_of_each_epoch(self) -> None:
        dataset = make(self.directory, num_epochs=2)
        got = ids(self.distributed(dataset, ShardingPolicy.DYNAMIC, 2))
        assert sorted(got) == sorted(list(range(ROWS)) * 2)

    def test_one_worker_of_splits_delivers_the_order_of_the_epochs(self) -> None:
        single = make(self.directory, 1, num_epochs=3)
        expected = ids(make(self.directory, 1, num_epochs=3))
        assert ids(self.distributed(single, ShardingPolicy.DYNAMIC, 1)) == expected

    def test_repeated_splits_are_of_the_next_epochs(self) -> None:
        dataset = make(self.directory, 1).repeat(3)
        expected = ids(make(self.directory, 1, num_epochs=3))
        assert ids(self.distributed(dataset, ShardingPolicy.DYNAMIC, 1)) == expected

    def test_splits_below_a_map(self) -> None:
        mapped = make(self.directory, 8).map(lambda x: x["id"])
        got = ids(self.distributed(mapped, ShardingPolicy.DYNAMIC, 2))
        assert sorted(got) == list(range(ROWS))

    def test_batches_of_splits_may_be_short_though_the_size_divides_the_rows(
        self,
    ) -> None:
        dataset = make(self.directory, 25)
        got = [b["id"] for b in self.distributed(dataset, ShardingPolicy.DYNAMIC, 2)]
        assert sorted(int(i) for ids in got for i in ids) == list(range(ROWS))
        assert {len(ids) for ids in got} > {25}

    def test_full_batches_of_splits_keep_their_size(self) -> None:
        dataset = make(self.directory, 16, remainder="drop")
        got = list(self.distributed(dataset, ShardingPolicy.DYNAMIC, 2))
        assert {len(batch["id"]) for batch in got} == {16}
        seen = [int(i) for batch in got for i in batch["id"]]
        assert len(seen) == len(set(seen)) > ROWS // 2

    def test_rows_of_splits_say_where_they_come_from(self) -> None:
        place = ["__file", "__row_group", "__row"]
        dataset = make(self.directory, columns=["id", *place])
        first_id, ids_before = {}, 0
        for group in dataset.catalog.row_groups:
            first_id[group.file, group.index] = ids_before
            ids_before += group.rows
        got = 0
        for batch in self.distributed(dataset, ShardingPolicy.DYNAMIC, 2):
            for file, group, row, i in np.stack([batch[n] for n in (*place, "id")], 1):
                assert i == first_id[file, group] + row
                got += 1
        assert got == ROWS

    def test_workers_deliver_where_rows_come_from_also_if_they_see_such_a_column(
        self,
    ) -> None:
        path = Path(self.create_tempdir().full_path) / "named_so.parquet"
        pq.write_table(pa.table({"id": [10, 11, 12], "__row": [7, 8, 9]}), path)
        dataset = make(Catalog.open(path, ["id"]), columns=["id", "__row"])
        (batch,) = self.distributed(dataset, ShardingPolicy.OFF, 1)
        assert (batch["id"] - batch["__row"]).numpy().tolist() == [10] * 3

    def test_workers_read_the_selected_row_groups(self) -> None:
        catalog = Catalog.open(self.directory)
        begins = np.cumsum([0, *(group.rows for group in catalog.row_groups)])
        for groups in ([0, 1], [1, 2], [len(catalog.row_groups) - 1]):
            wanted = [i for g in groups for i in range(begins[g], begins[g + 1])]
            dataset = make(catalog.select(row_groups=groups))
            for mode in (ShardingPolicy.OFF, ShardingPolicy.DYNAMIC):
                assert sorted(ids(self.distributed(dataset, mode, 1))) == wanted

    def test_padded_splits_lose_nothing(self) -> None:
        dataset = make(self.directory, 16, remainder="pad")
        batches = list(self.distributed(dataset, ShardingPolicy.DYNAMIC, 2))
        rows = np.concatenate([b["id"].numpy()[b["__valid"].numpy()] for b in batches])
        assert sorted(rows.tolist()) == list(range(ROWS))

    def test_splits_that_would_wrap_are_refused(self) -> None:
        dataset = make(self.directory, 16, remainder="wrap")
        with pytest.raises(tf.errors.OpError, match='remainder="wrap" would leave'):
            ids(self.distributed(dataset, ShardingPolicy.DYNAMIC, 2))

    def test_splits_of_a_rank_are_refused(self) -> None:
        dataset = make(self.directory, rank=0, world_size=2)
        with pytest.raises(tf.errors.OpError, match="world_size=1"):
            ids(self.distributed(dataset, ShardingPolicy.DYNAMIC, 2))
