# Every command there is. `make` prints them.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup run test rules laws lint bench simulate replay-all rulebook newgame scenario shape browser clean

PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SEED ?= 1
MATCHES ?= 100

help:  ## print this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | awk -F'\t' '{ printf "  make %-12s %s\n", $$1, $$2 }'

setup: $(READY)  ## make the virtual environment from the locked packages

$(READY): pyproject.toml requirements.lock
	[ -x $(BIN)/python ] || $$(command -v $(PYTHON) || command -v python3) -m venv $(VENV)
	$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11) and "cupboard needs Python 3.11 or newer: make PYTHON=...")'
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $@

run: $(READY)  ## start everything with a demonstration championship; Ctrl-C stops it
	@exec $(BIN)/cupboard up

test: $(READY) browser  ## run every test, with servers of their own; two files at a time
	$(BIN)/pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

rules: $(READY)  ## run the rules tests and scenarios of one game: make rules GAME=champions
	$(BIN)/pytest tests/games/$(GAME)

laws: $(READY)  ## run the laws that every game keeps, or those of one: make laws GAME=champions
	$(BIN)/pytest tests/laws $(if $(GAME),--game $(GAME))

lint: $(READY)  ## check style and types
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(READY)  ## measure turns a second, waiting times and play_out, beside a naive queue; then the league at 1,000 to 100,000
	$(BIN)/cupboard bench
	$(BIN)/python -m services.league.bench
	$(BIN)/python -m tests.bench.field

simulate: $(READY)  ## play matches without servers: make simulate GAME=champions SEED=1 MATCHES=100
	$(BIN)/cupboard simulate --game $(GAME) --matches $(MATCHES) --seed $(SEED) $(ARGS)

replay-all: $(READY)  ## run every stored match of the current versions again
	$(BIN)/cupboard replay --all

rulebook: $(READY)  ## print every clause with its function and tests: make rulebook GAME=champions
	@$(BIN)/cupboard rulebook $(GAME)

scenario: $(READY)  ## run scenario files: make scenario FILES="a.toml b.toml"
	$(BIN)/cupboard scenario $(FILES)

newgame: $(READY)  ## begin a new game from the sample: make newgame NAME=lucky_seven
	$(BIN)/cupboard newgame $(NAME)

shape: $(READY)  ## check rooms, imports, sizes and numbered rules
	$(BIN)/pytest tests/shape

browser:
	@deploy/browser.sh >/dev/null

clean:  ## remove the virtual environment, caches and the local run's data
	for link in var/postgres var/redis; do if [ -L $$link ]; then rm -rf "$$(readlink $$link)"; fi; done
	rm -rf $(VENV) var build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
