#!/bin/sh
# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds and tests the C++ core and the op library with Debian's Bazel, offline.
# PYTHON names the Python that has the pyarrow and tensorflow wheels (default: python3).
# Arguments replace `test //:all`.
set -eu

python=$(command -v "${PYTHON:=python3}") || {
  echo "$0: there is no $PYTHON: set PYTHON" >&2
  exit 1
}
case $python in
  /*) ;;
  *) python=$PWD/$python ;;
esac
export PYTHON="$python"

# need PACKAGE COMMAND...: COMMAND succeeds where Debian's PACKAGE is installed.
need() {
  package=$1
  shift
  "$@" >/dev/null 2>&1 && return
  echo "$0: Debian's $package is missing: install it with apt-get" >&2
  exit 1
}

need bazel-bootstrap command -v bazel
rules=$(dirname "$(dirname "$(command -v bazel)")")/share/bazel
need bazel-platforms test -e "$rules/tools/platforms"
need bazel-rules-java test -e "$rules/rules/java"
need bazel-rules-proto test -e "$rules/rules/proto"
need libgmock-dev g++ -E -include gmock/gmock.h -x c++ /dev/null

cd "$(dirname "$0")/../.."
# A Python test of Bazel asks PATH for `python`, which a system may lack.
[ $# -gt 0 ] || set -- test --test_env="PATH=$(dirname "$python"):$PATH" //:all
exec bazel "$@"
