# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Options of other loaders: the error names the public class and what there is here."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.dataset
import pytest

import rowfeed
from numbered_rows import write_numbers
from reading import FACES, module_of
from rowfeed._process.foreign_options import Foreign, answer_for, foreign_options

# Words of PyTorch, tf.data, Hugging Face datasets, petastorm and WebDataset, with what
# the error must name.
WORDS = [
    ("num_workers", "num_threads"),
    ("workers_count", "num_threads"),
    ("reader_pool_type", "num_threads"),
    ("persistent_workers", "num_threads"),
    ("num_parallel_calls", "num_threads"),
    ("drop_last", 'remainder="drop"'),
    ("drop_remainder", 'remainder="drop"'),
    ("pin_memory", 'device="cuda"'),
    ("prefetch_factor", "memory_budget_bytes"),
    ("prefetch", "memory_budget_bytes"),
    ("fs", "filesystem"),
    ("endpoint_url", "storage_options"),
    ("batch", "batch_size"),
    ("batchsize", "batch_size"),
    ("buffer_size", "shuffle_window"),
    ("shuffle_buffer", "shuffle_window"),
    ("shuffle_files", "shuffle=True"),
    ("shardshuffle", "shuffle=True"),
    ("cur_shard", "rank"),
    ("local_rank", "world_size"),
    ("num_replicas", "world_size"),
    ("collate_fn", "transform"),
    ("sampler", "ParquetMapDataset"),
    ("data_files", "paths"),
    ("labels", "label"),
    ("predicate", "filter"),
    ("dtype", "rowfeed.Column"),
]


def public_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yields the functions whose options are checked, and their names."""
    for name in (
        "ParquetDataset",
        "ParquetMapDataset",
        "Column",
        "Padded",
        "Stack",
        "Vocabulary",
        "HashBuckets",
        "SampleWriter",
        "mix",
    ):
        yield name, getattr(rowfeed, name)
    for name in ("open", "count", "take", "vocabulary"):
        yield f"Catalog.{name}", getattr(rowfeed.Catalog, name)


OPTIONS = {
    name: set(inspect.signature(called).parameters)
    for name, called in public_functions()
}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_numbers(tmp_path_factory.mktemp("data"), [5], num_files=1)


@pytest.mark.parametrize("face", FACES)
def test_an_option_of_another_loader_is_answered_with_what_there_is_here(
    face: str, path: Path
) -> None:
    module = module_of(face)
    name = re.escape(f"{module.__name__}.ParquetDataset")
    for word, here in WORDS:
        with pytest.raises(
            TypeError, match=rf"^{name} has no option '{word}': .*{re.escape(here)}"
        ):
            module.ParquetDataset(path, 4, **{word: 1})


@pytest.mark.parametrize("face", ["numpy", "torch"])
@pytest.mark.parametrize("word", ["batch_size", "shuffle", "seed", "sampler", "rank"])
def test_a_dataset_by_index_says_that_its_caller_decides_the_order(
    word: str, face: str, path: Path
) -> None:
    module = module_of(face)
    name = re.escape(f"{module.__name__}.ParquetMapDataset")
    with pytest.raises(TypeError, match=rf"^{name} has no option '{word}': .*by index"):
        module.ParquetMapDataset(path, **{word: 1})


@pytest.mark.parametrize(
    ("call", "called", "word", "here"),
    [
        (rowfeed.Catalog.open, "Catalog.open", "batch_size", "to the dataset"),
        (rowfeed.Catalog.open, "Catalog.open", "region", "the URI"),
        (rowfeed.Column, "Column", "default_value", "fill"),
        (rowfeed.Column, "Column", "vocab", "rowfeed.Vocabulary"),
        (rowfeed.Column, "Column", "max_length", "rowfeed.Padded"),
        (rowfeed.Padded, "Padded", "max_length", "length"),
        (rowfeed.Stack, "Stack", "axis", "last axis"),
        (rowfeed.Vocabulary, "Vocabulary", "oov_index", "unknown"),
        (rowfeed.HashBuckets, "HashBuckets", "num_bins", "num_buckets"),
        (rowfeed.SampleWriter, "SampleWriter", "row_group_size", "rows_per_group"),
        (rowfeed.mix, "mix", "probabilities", "weights"),
        (rowfeed.mix, "mix", "batch_size", "each of the datasets"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_public_function_answers_words_of_others(
    call: Callable[..., Any], called: str, word: str, here: str
) -> None:
    with pytest.raises(
        TypeError,
        match=rf"^rowfeed\.{called} has no option '{word}': .*{re.escape(here)}",
    ):
        call("x", **{word: 1})


def test_no_keyword_of_a_dataloader_is_unknown() -> None:
    torch = pytest.importorskip("torch")
    theirs = set(inspect.signature(torch.utils.data.DataLoader).parameters)
    own = OPTIONS["ParquetDataset"]
    assert [word for word in theirs - own if answer_for(word, own) is None] == []


def test_no_keyword_of_a_pyarrow_dataset_is_unknown() -> None:
    theirs = set(inspect.signature(pyarrow.dataset.dataset).parameters)
    own = OPTIONS["ParquetDataset"]
    assert [word for word in theirs - own if answer_for(word, own) is None] == []


@pytest.mark.parametrize(
    "entry", foreign_options(), ids=lambda entry: entry.words.split()[0]
)
def test_each_word_of_the_table_is_answered_by_some_function(entry: Foreign) -> None:
    keras_fit = {"model", "dataset", "epochs", "initial_epoch", "callbacks", "verbose"}
    known = [*OPTIONS.values(), keras_fit]
    for word in entry.words.split():
        answers = [answer_for(word, own) for own in known if word not in own]
        assert entry.answer in answers, word


def test_the_nearest_option_is_named_where_no_other_loader_has_the_word(
    path: Path,
) -> None:
    with pytest.raises(TypeError, match=r"'shuffel': did you mean 'shuffle'\?$"):
        rowfeed.ParquetDataset(path, 4, shuffel=True)  # type: ignore[call-arg]
