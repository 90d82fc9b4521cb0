# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The workers of a TensorFlow strategy: one plan, one count, one listing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from growing import FILE_ROWS, Folder, ids_of
from process_groups import strategy_workers
from repository import SUPPORT

pytest.importorskip("tensorflow")
# New processes import TensorFlow, on a machine that is shared.
pytestmark = pytest.mark.timeout(600)

WORKER = """
import json, pathlib, sys, time
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
rank = strategy.cluster_resolver.task_id
sys.path.insert(0, {support!r})

from growing import Folder
from rowfeed.tensorflow import ParquetDataset
from rowfeed._tensorflow.ranks import StrategyAgreement

def wait_for(name):
    while not pathlib.Path(name).exists():
        time.sleep(0.01)

def dataset_of(**keywords):
    return ParquetDataset(
        "data",
        8,
        columns=["id"],
        shuffle=True,
        shuffle_window=80,
        **{{"rank": rank, "world_size": 2, "remainder": "pad", **keywords}},
    )

def said(work):
    try:
        return work()
    except Exception as error:
        return f"{{type(error).__name__}}: {{error}}"
"""


def reports(work: str, folder: Path) -> list[Any]:
    """Runs `work` in two workers of a strategy; returns their `report`s."""
    code = WORKER.format(support=str(SUPPORT)) + work
    code += '\nprint("report", json.dumps(report))'
    printed = strategy_workers(code, 2, folder)
    return [json.loads(each.partition("report ")[2]) for each in printed]


GROWS = """
data = Folder.__new__(Folder)
data.path = pathlib.Path("data")
datasets = []

def pipeline(context):
    datasets.append(
        dataset_of(
            refresh="epoch",
            snapshot_dir=f"snapshots {rank}",
            rank=context.input_pipeline_id,
            world_size=context.num_input_pipelines,
        )
    )
    return datasets[0]

train = strategy.distribute_datasets_from_function(pipeline)
early = said(lambda: next(iter(train)))
report = []
list_epoch = StrategyAgreement.list_epoch

def list_and_grow(self, snapshots, epoch, is_abandoned):
    if rank:  # It lists when rank 0 has listed and a file has come.
        wait_for(f"listed {epoch}")
    list_epoch(self, snapshots, epoch, is_abandoned)
    if rank == 0:
        data.write(2 + epoch)
        pathlib.Path(f"listed {epoch}").touch()

StrategyAgreement.list_epoch = list_and_grow
for epoch in range(3):
    steps = datasets[0].begin_epoch()
    rows = []
    batches = 0
    for batch in train:
        batches += 1
        ids, valid = (
            strategy.experimental_local_results(batch[name])[0].numpy()
            for name in ("id", "__valid")
        )
        rows += ids[valid].tolist()
    report.append([steps, batches, rows, datasets[0].state_dict()["fingerprint"]])
StrategyAgreement.list_epoch = list_epoch
pathlib.Path(f"ended {rank}").touch()
wait_for("ended 0"), wait_for("ended 1")
if rank == 0:
    for path in data.path.iterdir():
        path.unlink()
gone = said(datasets[0].begin_epoch)
if rank == 0:
    data.write(9)
again = said(datasets[0].begin_epoch)
report = [early, report, gone, again]
"""


def test_files_that_come_between_the_listings_of_workers_wait_for_the_next_epoch(
    tmp_path: Path,
) -> None:
    Folder(tmp_path, 0, 1)
    (early, first, *tries), (_, second, *other_tries) = reports(GROWS, tmp_path)
    assert "call begin_epoch() on all of them before each epoch" in early
    for epoch, (one, other) in enumerate(zip(first, second, strict=True)):
        assert one[0] == one[1] == other[0] == other[1]
        assert one[3] == other[3]
        assert sorted(one[2] + other[2]) == ids_of(*range(2 + epoch)).tolist()
    # What cannot be listed now may be listed later.
    gone, steps = tries
    assert gone.startswith("FileNotFoundError")
    assert other_tries == [f"RuntimeError: rank 0: {gone.partition(': ')[2]}", steps]
    assert steps == -(-FILE_ROWS // 16)


COUNTS = """
dataset = dataset_of(filter=[("half", "<", 20)])
steps = said(dataset.begin_epoch)
pathlib.Path(f"counted {rank}").touch()
wait_for("counted 0"), wait_for("counted 1")
if rank == 0:
    pathlib.Path("data").rename("elsewhere")
    pathlib.Path("moved").touch()
wait_for("moved")
counted = said(lambda: int(dataset.cardinality()))
pathlib.Path(f"asked {rank}").touch()
wait_for("asked 0"), wait_for("asked 1")
if rank == 0:
    pathlib.Path("elsewhere").rename("data")
wait_for("data")
rows = said(lambda: [row for b in dataset for row in b["id"].numpy().tolist()])
report = [steps, rows, counted]
"""


def test_workers_count_what_a_filter_leaves_together(tmp_path: Path) -> None:
    Folder(tmp_path, 0, 1)
    (steps, first, *told), (other_steps, second, *_) = reports(COUNTS, tmp_path)
    assert steps == other_steps == 3
    assert told == [3]  # The op, too, without a look at the files.
    assert set(first) | set(second) == set(range(40))


def test_a_worker_that_cannot_count_its_share_is_named_by_all(tmp_path: Path) -> None:
    folder = Folder(tmp_path, 0)
    path = folder.path / "0.parquet"
    column = pq.ParquetFile(path).metadata.row_group(1).column(1)
    with path.open("r+b") as file:
        file.seek(column.data_page_offset)
        file.write(b"\xff" * 16)  # The header of a page; the share of rank 1.
    told = [steps for steps, *_ in reports(COUNTS, tmp_path)]
    assert all("0.parquet" in each and "row group 1" in each for each in told), told
    assert told[0].startswith("RuntimeError: rank 1 could not count the rows")
    assert not told[1].startswith("RuntimeError: rank")


def test_workers_with_different_plans_are_told(tmp_path: Path) -> None:
    Folder(tmp_path, 0)
    work = "report = said(dataset_of(seed=7 + rank).begin_epoch)"
    expected = (
        "ValueError: the ranks have different plans: "
        "seed is 7 on rank 0 and 8 on rank 1"
    )
    assert reports(work, tmp_path) == [expected] * 2


DRIFTS = """
def trains(dataset):
    return [dataset.begin_epoch(), sum(1 for _ in dataset)]

def peeks(dataset):
    trains(dataset)
    if rank == 0:
        next(iter(dataset))
    return trains(dataset)

def sets_epoch(dataset):
    if rank == 1:
        dataset.set_epoch(2)
    return trains(dataset)

def loads(dataset):
    trains(dataset)
    if rank == 1:
        dataset.load_state_dict(dataset.state_at(1, 1))
    return trains(dataset)

def looks(dataset):
    trains(dataset)
    if rank == 1:
        dataset.batch_at(0, 0)
    return trains(dataset)

def comes_back(dataset):
    said(lambda: peeks(dataset))
    dataset.set_epoch(7)
    return [*trains(dataset), dataset.state_dict()["epoch"]]

report = [
    said(lambda: program(dataset_of()))
    for program in (peeks, sets_epoch, loads, looks, comes_back)
]
"""


def test_workers_that_drift_apart_are_told_when_they_meet(tmp_path: Path) -> None:
    Folder(tmp_path, 0)
    both = reports(DRIFTS, tmp_path)
    assert both[0] == both[1]
    peeks, sets_epoch, loads, looks, comes_back = both[0]
    for said, expected in (
        (peeks, "epoch is 2 on rank 0 and 1 on rank 1"),
        (sets_epoch, "epoch is 0 on rank 0 and 2 on rank 1"),
        (loads, "row is 0 on rank 0 and 16 on rank 1"),
    ):
        assert said.startswith("ValueError: the ranks have different plans: ")
        assert expected in said
        assert "batch_at(epoch, step)" in said
    steps = -(-FILE_ROWS // 16)
    assert looks == [steps, steps]
    assert comes_back == [steps, steps, 8]


ALONE = """
import warnings
from rowfeed._ranks import store_wait

store_wait._PATIENCE_S = 5
train, held = dataset_of(), dataset_of(seed=1, remainder="uneven")
# An evaluation on worker 0 alone waits for nobody, and has the rows of this worker.
alone = sum(len(batch["id"]) for batch in held) if rank == 0 else 0

def tell(message, *_):
    # It ends the wait, once both workers have said for whom they wait.
    told.append(str(message))
    pathlib.Path(f"told {rank}").touch()
    wait_for("told 0"), wait_for("told 1")
    raise RuntimeError("enough")

told = []
warnings.simplefilter("always")
warnings.showwarning = tell
pathlib.Path(f"here {rank}").touch()
wait_for("here 0"), wait_for("here 1")
said(held.begin_epoch if rank == 0 else train.begin_epoch)
pathlib.Path(f"done {rank}").touch()
wait_for("done 0"), wait_for("done 1")
report = [alone, told]
"""


def test_workers_that_begin_other_datasets_say_where_they_wait(tmp_path: Path) -> None:
    Folder(tmp_path, 0, 1)
    (alone, (first,)), (_, (second,)) = reports(ALONE, tmp_path)
    assert alone == FILE_ROWS  # It is half of the rows.
    for rank, said in enumerate((first, second)):
        assert f"rank {rank} has waited" in said
        assert f"s for rank {1 - rank} to call begin_epoch of the dataset. " in said
        assert "begin_epoch of each as often, in the same order" in said
        assert "rank=0, world_size=1" in said
    assert "Rank 0 waits at epoch 1 of dataset 2 (" in first
    assert "rank 1 waits at epoch 0 of dataset 1 (" in first
    assert "Rank 1 waits at epoch 0 of dataset 1 (" in second
    assert "rank 0 waits at epoch 1 of dataset 2 (" in second
