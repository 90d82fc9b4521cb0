# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Options of other loaders, and what stands for them in rowfeed.

The words are keywords of PyTorch's `DataLoader`, tf.data, Hugging Face datasets,
petastorm, pyarrow.dataset, WebDataset, MosaicML's streaming and DALI, and names that
people try.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final, NamedTuple


class Foreign(NamedTuple):
    """Words of others that have one answer here.

    Attributes:
        option: Option that a function of rowfeed must have for the answer to be true.
        words: The words, separated by spaces.
        answer: Sentence that says what there is instead.
    """

    option: str
    words: str
    answer: str


def answer_for(word: str, options: Container[str]) -> str | None:
    """Returns what stands for another loader's option in a function of rowfeed.

    Args:
        word: Option that the function does not have.
        options: Options that the function has, which tell what kind of function it is.

    Returns:
        Answer of the first entry of the table that fits; None if none fits.
    """
    for entry in FOREIGN:
        if entry.option in options and word in entry.words.split():
            return entry.answer
    return None


# The first entry that fits is taken: for a word with several answers, the entry with
# the option that fewer functions have comes first.
FOREIGN: Final = (
    # Columns and their values.
    Foreign(
        "encode",
        "vocabulary vocab categories num_buckets hash_buckets hash_bucket_size",
        "encode=rowfeed.Vocabulary(...) or rowfeed.HashBuckets(...) turns strings into "
        "integers",
    ),
    Foreign(
        "pad",
        "padding pad_value padding_value length max_length max_len truncate truncation",
        "pad=rowfeed.Padded(length, value, truncate) pads and cuts lists",
    ),
    Foreign("layout", "axis dim", "the columns lie side by side in the last axis"),
    Foreign("layout", "order memory_format", "layout says how the numbers lie"),
    Foreign(
        "fill",
        "default default_value fill_value fillna na null_value nullable value",
        "fill gives the value in the place of a null",
    ),
    Foreign(
        "dtype",
        "type astype cast",
        "dtype gives the type that numbers are converted to",
    ),
    Foreign(
        "truncate",
        "max_length max_len size maxlen padded_shapes",
        "length gives the number of elements of each row",
    ),
    Foreign(
        "truncate",
        "pad_value padding_value padding_values fill fill_value",
        "value gives what follows the elements of a shorter list",
    ),
    Foreign("truncate", "truncation truncating", "truncate says which end is cut"),
    Foreign(
        "unknown",
        "oov oov_index oov_token default default_index default_value num_oov_indices",
        "unknown gives the index of values that are not in the vocabulary",
    ),
    Foreign(
        "values", "vocabulary vocab tokens keys", "values gives the list of values"
    ),
    Foreign(
        "num_buckets",
        "num_bins hash_bucket_size buckets size",
        "num_buckets gives the number of buckets",
    ),
    Foreign("num_buckets", "salt seed", "the hash is always XXH64 with seed 0"),
    # `rowfeed.mix`.
    Foreign(
        "weights",
        "probabilities ratios proportions",
        "weights gives the share of each dataset",
    ),
    Foreign(
        "weights",
        "stopping_strategy stop_on_empty_dataset strategy",
        "stop says when an epoch ends",
    ),
    Foreign(
        "weights",
        "batch_size columns label shuffle shuffle_window num_epochs rank world_size "
        "num_lanes remainder num_threads memory_budget_bytes transform device filter",
        "give it to each of the datasets, and the mixture has it too",
    ),
    Foreign(
        "weights",
        "seed rerandomize_each_iteration",
        "weights alone decide whose rows come next, and each dataset has a seed of its "
        "own",
    ),
    # `rowfeed.SampleWriter`.
    Foreign(
        "rows_per_group",
        "path paths where root_path base_dir folder output",
        "directory says where the files are written",
    ),
    Foreign(
        "rows_per_group",
        "row_group_size max_rows_per_group min_rows_per_group block_rows",
        "rows_per_group gives the number of rows in a row group",
    ),
    Foreign(
        "rows_per_group",
        "max_rows_per_file max_open_files shard_size maxcount",
        "rows_per_file gives the number of rows in a file",
    ),
    Foreign(
        "rows_per_group",
        "size_limit cache_limit max_size maxsize capacity",
        "max_bytes limits the size of all written files together",
    ),
    Foreign(
        "rows_per_group",
        "mode existing_data_behavior overwrite append",
        "files are only ever added to the directory, and max_bytes removes the oldest",
    ),
    Foreign("rows_per_group", "features fields columns", "schema gives the columns"),
    Foreign("rows_per_group", "codec", "compression gives the codec"),
    # `rowfeed.keras.fit`.
    Foreign(
        "epochs",
        "workers use_multiprocessing max_queue_size",
        "Keras 3 has no such option, and rowfeed's own threads read ahead",
    ),
    Foreign(
        "epochs", "steps_per_epoch", "the dataset knows the steps of each of its epochs"
    ),
    Foreign("epochs", "shuffle", "give shuffle=True to the dataset"),
    Foreign("epochs", "x", "dataset is the second argument, after the model"),
    # `Catalog.take`.
    Foreign(
        "indices", "index idx ids rows row_indices", "indices gives the rows to take"
    ),
    # Streaming datasets.
    Foreign(
        "batch_size",
        "batch batchsize bs batch_rows batched minibatch_size global_batch_size "
        "local_batch_size per_device_batch_size",
        "batch_size gives the number of rows in a batch of one rank",
    ),
    Foreign(
        "remainder",
        "drop_last drop_remainder partial last_batch_policy pad_last_batch",
        'remainder="drop" leaves out the rows that do not fill a batch, and "uneven" '
        "delivers them in a short one",
    ),
    Foreign(
        "shuffle",
        "shuffle_files shuffle_rows shuffle_row_groups shardshuffle random_shuffle "
        "shuffle_algo detshuffle cycle_length block_length",
        "shuffle=True shuffles files, row groups and rows; see shuffle_window",
    ),
    Foreign(
        "shuffle_window",
        "buffer_size shuffle_buffer shuffle_buffer_size shuffle_size bufsize "
        "shuffling_queue_capacity min_after_dequeue initial initial_fill "
        "shuffle_block_size",
        "there is no buffer: shuffle=True shuffles, and shuffle_window gives the "
        "number of rows that are shuffled together",
    ),
    Foreign(
        "seed",
        "generator random_state random_seed shuffle_seed shard_seed seed_fn",
        "seed gives the order, together with the number of the epoch",
    ),
    Foreign(
        "seed",
        "in_order deterministic sloppy exec_pipelined",
        "batches always come in the order of the seed, whatever the threads do",
    ),
    Foreign(
        "seed",
        "sampler batch_sampler",
        "shuffle and seed give the order; rowfeed.ParquetMapDataset and "
        "rowfeed.torch.ParquetMapDataset return rows by index for an order of your own",
    ),
    Foreign(
        "num_epochs",
        "epochs repeat num_repeats count resampled",
        "num_epochs gives the number of epochs of one iteration; None: endless",
    ),
    Foreign(
        "first_epoch",
        "epoch start_epoch initial_epoch",
        "first_epoch gives the number of the first epoch",
    ),
    Foreign(
        "rank",
        "local_rank global_rank shard_id shard_index shard index cur_shard "
        "process_index replica_id nodesplitter workersplitter input_pipeline_id",
        "rank gives the number of this process among all world_size processes of the "
        "training",
    ),
    Foreign(
        "world_size",
        "num_shards shard_count num_replicas num_ranks num_processes process_count "
        "world global_size num_input_pipelines",
        "world_size gives the number of processes of the training, and rank the number "
        "of this one",
    ),
    Foreign(
        "num_lanes",
        "num_canonical_nodes lanes",
        "num_lanes gives the most ranks that you will ever use",
    ),
    Foreign(
        "device",
        "pin_memory pin_memory_device device_id prefetch_to_device",
        'device="cuda" of rowfeed.torch.ParquetDataset delivers batches on the GPU, '
        "through pinned memory",
    ),
    Foreign(
        "transform",
        "collate_fn collate map_func map_fn function transforms transform_spec "
        "preprocess preprocessing_fn",
        "elements are whole batches already; transform is called with each, in place "
        "of which a tf.data.Dataset has map",
    ),
    Foreign(
        "batch_size",
        "streaming",
        "rows are always streamed, and no copy of the data is made",
    ),
    Foreign(
        "batch_size",
        "state state_dict checkpoint resume_from",
        "load_state_dict(state) sets the place of a dataset that is made",
    ),
    # Datasets by index, which lack the options above.
    Foreign(
        "label",
        "batch_size batch batchsize drop_last drop_remainder remainder shuffle "
        "shuffle_window buffer_size seed generator sampler batch_sampler block_rows "
        "rank world_size num_shards num_lanes num_epochs first_epoch in_order",
        "this dataset returns rows by index, in the order that the caller asks for; "
        "ParquetDataset makes shuffled batches, and a DataLoader takes a sampler",
    ),
    Foreign(
        "label",
        "transform collate_fn map_func transforms preprocess pin_memory "
        "pin_memory_device device",
        "this dataset returns rows as they are; give it to the DataLoader, or call a "
        "function on what take returns",
    ),
    # All datasets.
    Foreign(
        "num_threads",
        "num_workers workers workers_count num_proc num_parallel_calls "
        "num_parallel_reads reader_pool_type use_threads py_num_workers n_jobs "
        "persistent_workers worker_init_fn multiprocessing_context timeout threads",
        "rowfeed's own threads do the work of worker processes; num_threads gives "
        "their number",
    ),
    Foreign(
        "memory_budget_bytes",
        "prefetch prefetch_factor prefetch_size prefetch_buffer_size queue_size "
        "results_queue_size max_queue_size prefetch_queue_depth predownload readahead "
        "batch_readahead fragment_readahead memory_limit max_memory",
        "rowfeed reads ahead by itself; memory_budget_bytes limits the memory for it",
    ),
    Foreign(
        "cache_dir",
        "cache cache_type cache_location cache_size cache_size_limit cache_limit "
        "inmemory_cache_all keep_in_memory local",
        "rowfeed keeps no copy of the data; cache_dir keeps the counts of filters",
    ),
    Foreign(
        "label",
        "labels label_name label_col label_cols label_column target targets y "
        "as_supervised",
        "label names the column that is delivered apart from the features",
    ),
    Foreign(
        "sample_weight",
        "weight weights sample_weights weight_column weight_col",
        "sample_weight names the column of weights",
    ),
    Foreign(
        "label",
        "dtype dtypes schema column_defaults fill fillna encode pad read_dictionary",
        "columns=[rowfeed.Column(name, dtype=..., fill=...)] says in which form a "
        "column is delivered",
    ),
    Foreign(
        "filter",
        "filters predicate row_filter where query condition",
        "filter gives the condition for the rows",
    ),
    Foreign(
        "verify_checksums",
        "page_checksum_verification checksum checksums",
        "verify_checksums=True checks the pages",
    ),
    # All that opens paths.
    Foreign(
        "paths",
        "path url urls uri dataset_url dataset_url_or_urls source data_files data_dir "
        "file_pattern files filenames filename root dataset remote",
        "paths gives the files, directories or globs",
    ),
    Foreign(
        "partitions",
        "partitioning partition_base_dir hive_partitioning hive",
        "partitions says whether directories called key=value become columns",
    ),
    Foreign(
        "paths",
        "fs hdfs_driver",
        "filesystem takes a file system of fsspec or pyarrow.fs",
    ),
    Foreign(
        "paths",
        "token credentials endpoint_url endpoint_override region anon",
        "storage_options takes it, or the URI carries it, such as "
        "s3://bucket/train?region=eu-west-1, and keys come from the environment",
    ),
    Foreign(
        "paths",
        "ignore_prefixes exclude_invalid_files recursive",
        "directories are read recursively, without names that begin with '.' or '_'; "
        "paths may be a list of files of your own",
    ),
    Foreign(
        "paths",
        "format file_format framework output_type with_format",
        "the files are Parquet; rowfeed, rowfeed.torch and rowfeed.tensorflow each "
        "have a ParquetDataset",
    ),
    Foreign(
        "columns",
        "schema_fields select_columns column_names feature_names features fields cols "
        "usecols names",
        "columns gives the columns to deliver",
    ),
    # `Catalog.open`, which lacks all options of datasets.
    Foreign(
        "partitions",
        "batch_size label sample_weight shuffle shuffle_window seed num_epochs rank "
        "world_size num_lanes remainder transform device filter num_threads "
        "memory_budget_bytes cache_dir",
        "a catalog only lists the data; give the option to the dataset that is made "
        "of the catalog",
    ),
)
