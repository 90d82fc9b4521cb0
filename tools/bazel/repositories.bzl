# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""External repositories, all of them found on this machine: nothing is downloaded.

Bazel's own rules come from Debian's packages, beside the bazel on the PATH; Arrow and
TensorFlow from the wheels of the Python that PYTHON names (default: python3).
"""

# rules_cc of Debian needs a newer Bazel than Debian's. Bazel 4 only asks it for the
# rules that are built in.
_RULES_CC = {
    "cc/BUILD": "",
    "cc/defs.bzl": """
cc_binary = native.cc_binary
cc_library = native.cc_library
cc_proto_library = native.cc_proto_library
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
objc_library = native.objc_library
""",
}

# Every test rule names these two, but only `bazel coverage` runs them.
_COVERAGE_TOOLS = {
    "BUILD": """
filegroup(name = "coverage_report_generator", visibility = ["//visibility:public"])
filegroup(name = "lcov_merger", visibility = ["//visibility:public"])
""",
}

_PYTHON_BUILD = """
load("@bazel_tools//tools/python:toolchain.bzl", "py_runtime_pair")
py_runtime(name = "py3", interpreter_path = "{python}", python_version = "PY3")
py_runtime_pair(name = "pair", py3_runtime = ":py3")
toolchain(
    name = "toolchain",
    toolchain = ":pair",
    toolchain_type = "@bazel_tools//tools/python:toolchain_type",
)
"""

# Finds a package without importing it: TensorFlow takes seconds.
_FIND_PACKAGE = """
import importlib.util, sys
spec = importlib.util.find_spec(sys.argv[1])
print(spec.submodule_search_locations[0] if spec else "")
"""

def _written_impl(ctx):
    for path, text in ctx.attr.files.items():
        ctx.file(path, text, executable = False)

_written = repository_rule(
    doc = "A repository whose files are given as text.",
    implementation = _written_impl,
    attrs = {"files": attr.string_dict(mandatory = True)},
)

def _debian_rules_impl(ctx):
    bazel = ctx.which("bazel")
    if not bazel:
        fail("bazel is not on the PATH, so Debian's rules cannot be found beside it")
    path = ctx.path("{}/share/bazel/{}".format(bazel.dirname.dirname, ctx.attr.path))
    if not path.exists:
        fail("{} does not exist: install Debian's {}".format(path, ctx.attr.package))
    for entry in path.readdir():
        ctx.symlink(entry, entry.basename)

_debian_rules = repository_rule(
    doc = "Rules as one of Debian's bazel-* packages installs them.",
    implementation = _debian_rules_impl,
    attrs = {
        "package": attr.string(mandatory = True),
        "path": attr.string(mandatory = True),
    },
    environ = ["PATH"],
    local = True,
)

def _find_python(ctx):
    chosen = ctx.os.environ.get("PYTHON")
    python = ctx.path(chosen) if chosen else ctx.which("python3")
    if not python or not python.exists:
        fail("There is no Python at {}: set PYTHON".format(chosen or "python3"))
    return python

def _python_impl(ctx):
    ctx.file("BUILD", _PYTHON_BUILD.format(python = _find_python(ctx)), executable = False)

_python = repository_rule(
    doc = "The Python that has the wheels, as a toolchain for py_test.",
    implementation = _python_impl,
    environ = ["PYTHON", "PATH"],
    local = True,
)

def _wheel_impl(ctx):
    python = _find_python(ctx)
    found = ctx.execute([python, "-c", _FIND_PACKAGE, ctx.attr.package])
    if found.return_code:
        fail("{} failed:\n{}".format(python, found.stderr))
    path = found.stdout.strip()
    if not path:
        fail("{} has no {}: install that wheel".format(python, ctx.attr.package))
    for entry in ctx.path(path).readdir():
        if entry.basename == "include" or ".so." in entry.basename:
            ctx.symlink(entry, entry.basename)
    ctx.symlink(ctx.attr.build_file, "BUILD")

_wheel = repository_rule(
    doc = "Headers and shared libraries that an installed wheel brings.",
    implementation = _wheel_impl,
    attrs = {
        "build_file": attr.label(mandatory = True, allow_single_file = True),
        "package": attr.string(mandatory = True),
    },
    environ = ["PYTHON", "PATH"],
    local = True,
)

def rowfeed_repositories():
    """Declares every repository that the build names, Bazel's defaults included."""
    _debian_rules(name = "platforms", package = "bazel-platforms", path = "tools/platforms")
    _debian_rules(name = "rules_java", package = "bazel-rules-java", path = "rules/java")
    _debian_rules(name = "rules_proto", package = "bazel-rules-proto", path = "rules/proto")
    _written(name = "rules_cc", files = _RULES_CC)
    _written(name = "remote_coverage_tools", files = _COVERAGE_TOOLS)
    _python(name = "python")
    _wheel(name = "arrow", package = "pyarrow", build_file = "//:tools/bazel/arrow.BUILD")
    _wheel(
        name = "tensorflow",
        package = "tensorflow",
        build_file = "//:tools/bazel/tensorflow.BUILD",
    )
