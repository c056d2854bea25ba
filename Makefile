# What a contributor types; CI runs the same targets. `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
DIR ?= .
export PYTHON
ifneq ($(shell command -v ccache 2>/dev/null),)
export CMAKE_CXX_COMPILER_LAUNCHER ?= ccache
export CMAKE_C_COMPILER_LAUNCHER ?= ccache
export CCACHE_BASEDIR ?= $(CURDIR)
# With one name for the compiler, the same flags, and each build in a folder two below its sources, the compiler cache
# builds the core once for package, tests, wheel and source distribution.
ifeq ($(origin CXX) $(shell command -v c++ cc | wc -l),default 2)
CC := cc
CXX := c++
export CC CXX
endif
endif
ifdef CI
export SKBUILD_CMAKE_DEFINE ?= ROOTLEAF_WERROR=ON
endif
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)

BIN := .venv/bin
CPP_FILES = $(shell find cpp tests/cpp tests/fuzz bench -name '*.cpp' -o -name '*.hpp')
BUILD_FILES = pyproject.toml CMakeLists.txt python/rootleaf/_version.py $(shell find cpp -type f)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## build, index DIR (default: this project's own markdown), and ask it a handful of questions
	@tools/demo "$(DIR)"

test: ## C++ tests, Python tests, and the linters' quick part
	@tools/step "system packages" tools/system_packages test
	@tools/step "virtual environment" tools/venv build test lint
	@tools/step "engine and package" $(MAKE) build
	@tools/step "quick linters" $(MAKE) lint-quick
	@tools/step "C++ tests" $(MAKE) test-cpp
	@tools/step "Python tests" $(MAKE) test-python

build: .venv/.installed ## the engine, and the package, editable in .venv
	@:

.venv/.installed: $(BUILD_FILES)
	@tools/venv build
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-build-isolation -e .
	@touch $@

test-cpp: ## the C++ tests
	@tools/venv build
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S . -B build/cpp -G Ninja -DCMAKE_BUILD_TYPE=Release \
	    -DROOTLEAF_BUILD_TESTS=ON -DROOTLEAF_BUILD_BENCH=OFF -DROOTLEAF_WERROR=$(if $(CI),ON,OFF) --log-level=WARNING
	cmake --build build/cpp --parallel $(JOBS)
	ctest --test-dir build/cpp --output-on-failure --progress --parallel $(JOBS)

# Each file goes to one process, in order: the long ones (tests/crash) early, so that none is left for the end.
BESIDE = $(if $(filter 1,$(JOBS)),,-n $(JOBS) --dist loadfile --no-loadscope-reorder)
test-python: ## the Python tests
	@tools/venv build test lint
	@mkdir -p build
	$(BIN)/python -m pytest $(BESIDE) $(PYTEST_ARGS) | tee build/pytest.log

KILLS ?= 300
CROWD_SECONDS ?= 60
crash: build ## the crash tests with KILLS (default 300) kills, torn logs and failures; CROWD_SECONDS of many processes
	@tools/venv build test
	ROOTLEAF_KILLS=$(KILLS) ROOTLEAF_SECONDS=$(CROWD_SECONDS) $(BIN)/python -m pytest tests/crash $(PYTEST_ARGS)

long: build ## the crash tests with KILLS kills and the life cycle in its long form: an hour or more
	@tools/venv build test
	HYPOTHESIS_PROFILE=nightly ROOTLEAF_KILLS=$(KILLS) $(BIN)/python -m pytest --timeout=0 \
	    tests/crash tests/property/test_life_cycle.py $(PYTEST_ARGS)

oracle: build/oracle/node_modules/commonmark ## the reference implementation of CommonMark, for the conformance tests (npm)

build/oracle/node_modules/commonmark:
	npm install --silent --no-save --no-audit --no-fund --prefix build/oracle commonmark@0.31.2

lint-quick: ## ruff, clang-format, import-linter: seconds
	@tools/venv lint
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	@echo "$(BIN)/clang-format --dry-run --Werror ..."
	@$(BIN)/clang-format --dry-run --Werror $(CPP_FILES)
	@mkdir -p build
	PYTHONPATH=python $(BIN)/lint-imports --no-logo > build/import-linter.txt || { cat build/import-linter.txt; exit 1; }
	$(BIN)/python tools/check_includes.py

lint: lint-quick lint-types lint-tidy ## and mypy --strict, stubtest, clang-tidy: minutes

lint-types: build ## mypy --strict over package and tests, and the stub against the built extension
	@tools/venv build test lint
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest --allowlist tools/stubtest_allowlist.txt rootleaf._core

lint-tidy: ## clang-tidy over all C++
	@tools/venv build lint
	tools/clang_tidy $(JOBS)

format: ## let ruff and clang-format mend what they can
	@tools/venv lint
	$(BIN)/ruff check --fix-only --quiet
	$(BIN)/ruff format --quiet
	$(BIN)/clang-format -i $(CPP_FILES)

SANITIZERS := address,undefined
CLANG ?= 16
export ASAN_OPTIONS ?= detect_stack_use_after_return=1
export UBSAN_OPTIONS ?= print_stacktrace=1

sanitize: sanitize-build ## C++ tests and fuzz targets under address and undefined-behaviour sanitizers (Clang)
	ctest --test-dir build/sanitize --output-on-failure --progress --parallel $(JOBS)

sanitize-build:
	@tools/venv build
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S . -B build/sanitize -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
	    -DCMAKE_C_COMPILER=clang-$(CLANG) -DCMAKE_CXX_COMPILER=clang++-$(CLANG) -DROOTLEAF_WERROR=ON \
	    -DROOTLEAF_BUILD_TESTS=ON -DROOTLEAF_BUILD_FUZZERS=ON -DROOTLEAF_SANITIZE=$(SANITIZERS) --log-level=WARNING
	cmake --build build/sanitize --parallel $(JOBS)

THREADED := ^(base_parallel|index_(view|collection|merge)|render_hits)
sanitize-threads: ## the C++ tests of views and collections under the thread sanitizer (Clang)
	@tools/venv build
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S . -B build/sanitize-threads -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
	    -DCMAKE_C_COMPILER=clang-$(CLANG) -DCMAKE_CXX_COMPILER=clang++-$(CLANG) -DROOTLEAF_WERROR=ON \
	    -DROOTLEAF_BUILD_TESTS=ON -DROOTLEAF_TESTS='$(THREADED)' -DROOTLEAF_SANITIZE=thread --log-level=WARNING
	cmake --build build/sanitize-threads --parallel $(JOBS) --target rootleaf_tests
	ctest --test-dir build/sanitize-threads --output-on-failure --progress -R '$(THREADED)'

SECONDS_EACH ?= 30
fuzz: sanitize-build ## each fuzz target for SECONDS_EACH (default 30)
	tools/fuzz $(SECONDS_EACH) $(JOBS)

wheel: ## build, repair and inspect a wheel, and try it in an empty environment
	@tools/venv build wheel
	wheels/check

clean: ## all that was built, and .venv
	rm -rf build .venv dist wheelhouse

.PHONY: help demo test build test-cpp test-python crash long oracle lint-quick lint lint-types lint-tidy format sanitize sanitize-build sanitize-threads fuzz wheel clean
