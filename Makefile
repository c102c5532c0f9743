# `make test` and `make demo` need nothing but Python 3.11 or newer: they create .venv and install into it.

CANDIDATES := python3 python3.13 python3.12 python3.14 python3.11 python
RECENT := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in $(CANDIDATES); do $$p -c '$(RECENT)' 2>/dev/null && { echo $$p; break; }; done)

VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2
CACHE := $(CURDIR)/.cache

# The workers share the cores already, so BLAS gets one thread in each of them.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest
# A module stays with one worker, so that two of them do not compile the same composition.
PARALLEL := -n $(WORKERS) --dist loadscope

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help test demo lint bench unit pure bounds coverage docs wheel matrix clean

help:  ## list the targets
	@echo "make TARGET [PYTHON=python3.x] [WORKERS=2]"
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

test: $(VENV)/dev.stamp  ## lint, all tests, engine tests in pure Python, bounds checks
	@start=$$(date +%s); \
	$(MAKE) --no-print-directory lint unit pure bounds || exit 1; \
	seconds=$$(( $$(date +%s) - start )); \
	echo "all tests passed in $$((seconds / 60)) min $$((seconds % 60)) s"

demo: $(VENV)/demo.stamp  ## stream a checkerboard through the recipes; table and figure in demo/
	NUMBA_CACHE_DIR=$(CACHE)/numba $(BIN)/kernelstream demo

lint: $(VENV)/dev.stamp  ## ruff, format, mypy, import contracts, private names across rooms
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.check_seams

bench: $(VENV)/dev.stamp  ## speed, as ratios beside their bars; make bench BENCH=--quick for less data
	NUMBA_CACHE_DIR=$(CACHE)/numba $(BIN)/python -m benchmarks $(BENCH)

unit: $(VENV)/dev.stamp  ## the tests, compiled, in parallel
	NUMBA_CACHE_DIR=$(CACHE)/numba $(PYTEST) $(PARALLEL)

pure: $(VENV)/dev.stamp  ## the engine tests without the compiler
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n $(WORKERS) -m engine

# Bounds checks are compiled in, so this run must not meet the code cached by the others.
bounds: $(VENV)/dev.stamp  ## the edge tests with array bounds checked
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CACHE)/numba-bounds $(PYTEST) $(PARALLEL) -m bounds

# numba's machine code cannot be traced: lines of the compiled rooms are counted while they run as plain Python, those of
# the others in their usual tests, but for the checks of scikit-learn over all recipes, which take too long here.
COVERAGE := $(PYTEST) -q --deselect tests/estimators/test_sklearn.py --cov --cov-report=
coverage: $(VENV)/dev.stamp  ## share of the lines that tests run, by room, in a few minutes
	NUMBA_DISABLE_JIT=1 $(COVERAGE) -n $(WORKERS) -m engine
	NUMBA_CACHE_DIR=$(CACHE)/numba $(COVERAGE) --cov-append $(PARALLEL) -m "not engine and not slow" tests
	$(BIN)/python -m tools.coverage_by_room

docs: $(VENV)/docs.stamp  ## the documentation site in docs/_build/html; DOCS="-D sphinx_gallery_conf.plot_gallery=0" runs no example
	rm -rf docs/reference/generated
	NUMBA_CACHE_DIR=$(CACHE)/numba $(BIN)/python -m sphinx -b html -E -j auto -W --keep-going $(DOCS) docs docs/_build/html
	@echo "open docs/_build/html/index.html"

wheel: $(VENV)/dev.stamp  ## both wheels in dist/: for all platforms, and with compiled code for this one
	$(BIN)/python -m tools.build_wheel

matrix: $(BIN)/python  ## a few tests with the oldest and the newest numba; not part of make test
	$(BIN)/python -m tools.matrix

clean:  ## remove the environment, the caches and the demo's output
	rm -rf $(VENV) .cache .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage demo dist docs/_build docs/gallery docs/reference/generated

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "kernelstream needs Python 3.11 or newer, and none of '$(CANDIDATES)' is: install one, or name it with make PYTHON=/path/to/python."; exit 1; }
	@$(PYTHON) -c '$(RECENT)' || { echo "kernelstream needs Python 3.11 or newer, but $(PYTHON) is $$($(PYTHON) --version 2>&1): name another with make PYTHON=/path/to/python."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/dev.stamp: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/demo.stamp $(VENV)/docs.stamp

$(VENV)/demo.stamp: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[demo]'
	@touch $@

$(VENV)/docs.stamp: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@
