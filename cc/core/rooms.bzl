# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The rooms of the core, from the ground up, and what each may include.

A room is a folder of cc/core: its own files, without those of the rooms within it. A room
may include its own headers, the ground (the headers in cc/core itself) and the rooms that
its entry names, all of which stand above it in this list. A room whose entry names a
target of Arrow may also include Arrow and the ground's arrow_*.h.

Both builds read this list: tools/bazel/core_library.bzl loads it, and
cc/core/CMakeLists.txt parses it with a regular expression that expects each entry to be a
string, a colon and a list of strings. A test may include every room of its top folder, and
cc/testing.
"""

ROOMS = {
    "plan": [],
    "io": ["@arrow//:parquet"],
    "catalog/schema": ["@arrow//:parquet"],
    "catalog/listing": ["io"],
    "catalog": ["catalog/listing", "catalog/schema", "io", "@arrow//:parquet"],
    "decode/chunk": ["catalog", "catalog/schema", "io", "@arrow//:parquet"],
    "decode/pages": [
        "catalog",
        "catalog/schema",
        "decode/chunk",
        "io",
        "@arrow//:parquet",
    ],
    "decode/levels": ["decode/chunk", "decode/pages", "io"],
    "decode/values": [
        "catalog/schema",
        "decode/chunk",
        "decode/levels",
        "decode/pages",
        "io",
        "@arrow//:parquet",
    ],
    "decode/blocks": [
        "catalog",
        "catalog/schema",
        "decode/chunk",
        "decode/levels",
        "io",
        "@arrow//:parquet",
    ],
    "decode": [
        "catalog",
        "catalog/schema",
        "decode/blocks",
        "decode/chunk",
        "decode/levels",
        "decode/pages",
        "decode/values",
        "io",
        "@arrow//:parquet",
    ],
    "batch": ["decode/blocks", "io", "plan"],
    "filter/bounds": [
        "catalog",
        "decode/pages",
        "io",
        "plan",
        "@arrow//:compute",
        "@arrow//:parquet",
    ],
    "filter/expression": [
        "catalog",
        "catalog/schema",
        "decode",
        "decode/pages",
        "decode/values",
        "io",
        "plan",
        "@arrow//:compute",
        "@arrow//:parquet",
    ],
    "filter": [
        "catalog",
        "decode/pages",
        "filter/bounds",
        "filter/expression",
        "io",
        "plan",
        "@arrow//:compute",
        "@arrow//:parquet",
    ],
    "stream/options": [
        "batch",
        "catalog",
        "catalog/schema",
        "decode",
        "decode/blocks",
        "decode/chunk",
        "decode/values",
        "filter/expression",
        "io",
        "plan",
    ],
    "stream/stats": ["catalog", "io", "stream/options"],
    "stream/epochs": [
        "catalog",
        "filter",
        "filter/expression",
        "io",
        "plan",
        "stream/options",
        "stream/stats",
    ],
    "stream/window": [
        "batch",
        "catalog",
        "decode",
        "decode/blocks",
        "decode/chunk",
        "decode/pages",
        "filter/expression",
        "io",
        "plan",
        "stream/epochs",
        "stream/options",
        "stream/stats",
    ],
    "stream/pipeline": [
        "batch",
        "io",
        "plan",
        "stream/epochs",
        "stream/options",
        "stream/stats",
        "stream/window",
    ],
    "stream/take": [
        "batch",
        "catalog",
        "decode",
        "decode/blocks",
        "decode/chunk",
        "decode/pages",
        "io",
        "plan",
        "stream/options",
        "stream/stats",
        "@arrow//:parquet",
    ],
    "stream": [
        "batch",
        "catalog/schema",
        "io",
        "stream/epochs",
        "stream/options",
        "stream/pipeline",
    ],
}
