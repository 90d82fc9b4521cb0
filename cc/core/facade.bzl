# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The facade of the core: the headers that the adapters include.

They and all that they include are C++17 and free of Arrow; all other code of the core is
C++20. With C++17 and with C++20 they mean the same, because an adapter and the kernel library
share their classes. cc/core/CMakeLists.txt, which expects one name a line, compiles each alone
as both. tests/house/test_facade.py holds the adapters to the list.
"""

FACADE = [
    "core/batch/batch.h",
    "core/build_id.h",
    "core/catalog/catalog.h",
    "core/catalog/growth.h",
    "core/catalog/listing/partition_rule.h",
    "core/catalog/partition.h",
    "core/catalog/schema/column.h",
    "core/catalog/schema/dtypes.h",
    "core/decode/blocks/inline_string.h",
    "core/enum_table.h",
    "core/fields.h",
    "core/filter/bounds/footer_trust.h",
    "core/filter/expression/filter_columns.h",
    "core/glob.h",
    "core/io/file_systems.h",
    "core/io/remote_file.h",
    "core/io/uri.h",
    "core/plan/delivery.h",
    "core/plan/epoch_plan.h",
    "core/plan/random.h",
    "core/plan/stream_plan.h",
    "core/status.h",
    "core/stopwatch.h",
    "core/stream/batch_stream.h",
    "core/stream/conversion_timer.h",
    "core/stream/dataset_place.h",
    "core/stream/epochs/cursor.h",
    "core/stream/epochs/dataset_rows.h",
    "core/stream/epochs/epoch_data.h",
    "core/stream/epochs/epoch_forecast.h",
    "core/stream/epochs/epoch_splits.h",
    "core/stream/epochs/iteration_steps.h",
    "core/stream/epochs/plan_epoch.h",
    "core/stream/epochs/restored_epochs.h",
    "core/stream/epochs/snapshots.h",
    "core/stream/open_streams.h",
    "core/stream/options/batch_layout.h",
    "core/stream/options/block_advice.h",
    "core/stream/options/memory_plan.h",
    "core/stream/options/mix_streams.h",
    "core/stream/options/mixture_options.h",
    "core/stream/options/options.h",
    "core/stream/options/order_identity.h",
    "core/stream/options/settled.h",
    "core/stream/options/stream_defaults.h",
    "core/stream/options/validate_stream.h",
    "core/stream/take/row_taker.h",
]
