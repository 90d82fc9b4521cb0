# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The one shape that every room of cc/core has."""

COPTS = [
    "-Icc",
    "-Wall",
    "-Wextra",
    "-fno-gnu-unique",
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
    "-D_GLIBCXX_USE_CXX11_ABI=1",
]

CORE_COPTS = COPTS + ["-std=c++20"]

def room_target(room):
    """The target of a room: that of decode/pages is :decode_pages."""
    return ":" + room.replace("/", "_")

def _core_library(name, folder, deps, not_hdrs = []):
    native.cc_library(
        name = name,
        srcs = native.glob([folder + "/*.cc"], exclude = [folder + "/*_test.cc"]),
        hdrs = native.glob([folder + "/*.h"], exclude = not_hdrs),
        copts = CORE_COPTS,
        # Symbols are hidden: a shared library of one room would export none.
        linkstatic = True,
        deps = deps,
    )

def _core_tests(name, folder, tests, deps):
    for test in tests:
        native.cc_test(
            name = name + "_" + test[len(folder) + 1:-len(".cc")].replace("/", "_"),
            srcs = [test],
            # 0.6 of the time that the compiler takes with -O2.
            copts = CORE_COPTS + ["-O1"],
            linkstatic = True,
            deps = deps + [":testing"],
        )

def core_rooms(rooms):
    """The library of each room, and a test for each of the x_test.cc files.

    The test in cc/core/decode/pages/x_test.cc is :decode_pages_x_test.

    Args:
      rooms: what each room may include, as ROOMS of cc/core/rooms.bzl.
    """

    # The ground's headers that include Arrow are a library of their own, so that the rooms
    # without Arrow stay without it.
    arrow_headers = ["cc/core/arrow_*.h"]
    _core_library("ground", "cc/core", [], not_hdrs = arrow_headers)
    native.cc_library(
        name = "arrow_ground",
        hdrs = native.glob(arrow_headers),
        deps = [":ground", "@arrow//:parquet"],
    )
    _core_tests("ground", "cc/core", native.glob(["cc/core/*_test.cc"]), [":ground"])
    for room, may_include in rooms.items():
        arrow = [target for target in may_include if target.startswith("@")]
        others = [room_target(other) for other in may_include if not other.startswith("@")]
        _core_library(
            room_target(room)[1:],
            "cc/core/" + room,
            [":ground"] + ([":arrow_ground"] if arrow else []) + others + arrow,
        )
    for top in [room for room in rooms if "/" not in room]:
        folder = "cc/core/" + top
        _core_tests(
            top,
            folder,
            native.glob([folder + "/**/*_test.cc"]),
            [room_target(room) for room in rooms if (room + "/").startswith(top + "/")],
        )
