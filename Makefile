# feedward: commands for people. `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
TOOLS := .tools
UV := $(TOOLS)/uv/bin/uv
VENV := .venv
BIN := $(VENV)/bin
MINISTACK := $(TOOLS)/ministack
SAM := $(TOOLS)/sam
RUNTIME := $(TOOLS)/runtime
PEERS := $(TOOLS)/peers
# Processor of the functions and of their layer: arm64 or x86_64.
ARCHITECTURE ?= arm64
PORT ?= 8080
# keys: the local stack enforces API keys like a deployed one, and shows an operator's key once.
AUTH ?= open

# uv trusts the system's certificate authorities, like git: they may include a company's own.
STORES := /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem /etc/ssl/cert.pem
export UV_SYSTEM_CERTS ?= $(if $(wildcard $(STORES)),1,0)
export PIP_DISABLE_PIP_VERSION_CHECK ?= 1
# uv uses the index of pip's configuration.
ifdef PIP_INDEX_URL
export UV_DEFAULT_INDEX ?= $(PIP_INDEX_URL)
endif
# Each module is compiled once, even if the environment disables bytecode: hundreds of processes share it.
unexport PYTHONDONTWRITEBYTECODE
# uv's cache is in the home folder, for all checkouts, or in this checkout if the home folder is not writable.
ifeq ($(shell d="$${XDG_CACHE_HOME:-$${HOME:-/}/.cache}"; while test ! -e "$$d"; do d="$$(dirname "$$d")"; done; test -w "$$d" && echo yes),)
export UV_CACHE_DIR ?= $(CURDIR)/$(TOOLS)/cache
endif

.PHONY: help
help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | awk -F'\t' '{printf "  %-14s %s\n", $$1, $$2}'

# --- set-up: each target is a stamp, so a second call does nothing -------------------------------

# An environment is rebuilt if the checkout has moved or PYTHON names another version.
VERSION_ASKED := $(if $(filter file,$(origin PYTHON)),,$(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' || echo none))
is_stale = $(shell test ! -e $(1)/.ready || { test "$$(cat $(1)/.ready)" = "$(CURDIR)" \
    && grep -q '^version_info = *$(VERSION_ASKED)' $(1)/pyvenv.cfg; } || echo anew)
check_python = $(PYTHON) -c 'import sys; sys.exit("feedward needs python3 >= 3.11, < 3.14; this is " + sys.version.split()[0] + ". Use PYTHON=python3.x make ...") if not (3, 11) <= sys.version_info[:2] < (3, 14) else None'
new_environment = $(check_python); \
    $(UV) venv --quiet $(if $(call is_stale,$(1)),--clear,--allow-existing) --python "$$(command -v $(PYTHON))" $(1)
made = printf %s "$(CURDIR)" > $@

.PHONY: anew
anew:

$(UV):
	@echo "setting up uv in $(TOOLS)/uv"
	@$(check_python)
	@if $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null; then \
	    $(PYTHON) -m venv $(TOOLS)/uv; $(TOOLS)/uv/bin/python -m pip install --quiet uv; \
	elif $(PYTHON) -m pip --version >/dev/null 2>&1; then $(PYTHON) -m pip install --quiet --target $(TOOLS)/uv uv; \
	else echo "This Python has neither venv nor pip. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; fi

$(VENV)/.ready: $(UV) requirements/dev.txt pyproject.toml $(call is_stale,$(VENV))
	@echo "setting up $(VENV)"
	@$(call new_environment,$(VENV))
	@$(UV) pip sync --quiet --python $(BIN)/python --require-hashes requirements/dev.txt
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@$(made)

$(MINISTACK)/.ready: $(UV) requirements/ministack.txt $(call is_stale,$(MINISTACK))
	@echo "setting up MiniStack in $(MINISTACK)"
	@$(call new_environment,$(MINISTACK))
	@$(UV) pip sync --quiet --python $(MINISTACK)/bin/python --require-hashes requirements/ministack.txt
	@$(made)

$(SAM)/.ready: $(UV) requirements/sam.txt $(call is_stale,$(SAM))
	@echo "setting up the SAM CLI in $(SAM)"
	@$(call new_environment,$(SAM))
	@$(UV) pip sync --quiet --python $(SAM)/bin/python --require-hashes requirements/sam.txt
	@$(made)

$(PEERS)/.ready: $(UV) requirements/peers.txt
	@echo "setting up the other projects of the bench in $(PEERS)"
	@bin="$$(bash layers/feedward/python_for_runtime.sh)"; \
	$(UV) venv --quiet --allow-existing --python "$$bin/python3.13" $(PEERS)
	@$(UV) pip sync --quiet --python $(PEERS)/bin/python --require-hashes requirements/peers.txt
	@$(made)

$(RUNTIME)/.ready: $(UV) requirements/runtime.txt
	@echo "setting up the Lambda runtime's Python in $(RUNTIME)"
	@bin="$$(bash layers/feedward/python_for_runtime.sh)"; \
	$(UV) venv --quiet --allow-existing --python "$$bin/python3.13" $(RUNTIME)
	@$(UV) pip sync --quiet --python $(RUNTIME)/bin/python --require-hashes requirements/runtime.txt
	@$(made)

.PHONY: setup
setup: $(VENV)/.ready $(MINISTACK)/.ready ## Create .venv and MiniStack's environment, with all dependencies

.PHONY: lock
lock: $(UV) ## Resolve the dependencies again and write the lock files
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml --extra layer -o layers/feedward/requirements.txt
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml --extra opensearch -c layers/feedward/requirements.txt -o layers/feedward/requirements-opensearch.txt
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml --extra stack --group dev -o requirements/dev.txt
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --group ministack -o requirements/ministack.txt
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --group sam -o requirements/sam.txt
	$(UV) pip compile --quiet --universal --python-version 3.13 --generate-hashes --no-emit-index-url --no-header --group peers -o requirements/peers.txt
	$(UV) pip compile --quiet --universal --python-version 3.13 --generate-hashes --no-emit-index-url --no-header --group runtime -o requirements/runtime.txt

# --- run ------------------------------------------------------------------------------------------

.PHONY: run
run: setup ## Deploy the stack into MiniStack and serve it at http://127.0.0.1:8080 until Ctrl-C (PORT=n AUTH=keys)
	@$(BIN)/python -m feedward_local.serve --port $(PORT) --auth $(AUTH) $(PARAMETERS:%=--parameter %) $(if $(IAM),--iam)

.PHONY: demo
demo: setup ## Like run, with a small made-up internet that needs no network
	@$(BIN)/python -m feedward_local.serve --port $(PORT) --auth $(AUTH) --demo $(PARAMETERS:%=--parameter %) $(if $(IAM),--iam)

SEEDS ?= seed/feed-directory.json
.PHONY: seed
seed: $(VENV)/.ready ## Put the feeds of seed/feed-directory.json into the directory of a running stack (SEEDS=file)
	@$(BIN)/feedward seed $(SEEDS) --api http://127.0.0.1:$(PORT)

.PHONY: pictures
pictures: setup ## Render docs/pictures from the demo, in a browser of this machine
	@$(BIN)/python -m tests.local.page.pictures

# --- check ----------------------------------------------------------------------------------------

# Tests of whole stacks mostly wait, so several run at once. The others are thousands of quick ones: with two cores,
# distributing them costs more than it saves.
label = 2>&1 | awk '{ print "$(1)  " $$0; fflush() }'

.PHONY: test
test: setup ## Run all tests, including those of the template: those of whole stacks beside the others
	@($(BIN)/python -m pytest -n logical --maxprocesses 4 tests/local $(call label,stacks)) & code=0; \
	$(BIN)/python -m pytest --ignore=tests/local $(call label,others) || code=$$?; wait $$! || code=$$?; exit $$code

.PHONY: test-runtime
test-runtime: setup $(SAM)/.ready $(RUNTIME)/.ready ## Run the built functions under AWS's runtime interface emulator
	@$(BIN)/python -m pytest -m runtime -s tests/runtime

.PHONY: lint
lint: $(VENV)/.ready ## Run ruff and mypy
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy layers/feedward/feedward functions local tests bench

.PHONY: golden
golden: $(VENV)/.ready ## Record normalized outputs after a version bump (docs/lineage.md)
	@$(BIN)/python -m tests.golden.golden_set

.PHONY: bench
bench: $(VENV)/.ready ## Measure feedward and other projects in one run, as ratios
	@$(MAKE) --no-print-directory $(PEERS)/.ready || echo "continuing without the other feed finders" >&2
	@$(BIN)/python -m bench

# --- ship -----------------------------------------------------------------------------------------

SAM_CLI := PATH="$$(bash layers/feedward/python_for_runtime.sh):$(abspath $(SAM))/bin:$$PATH" SAM_CLI_TELEMETRY=0 ARCHITECTURE=$(ARCHITECTURE) EXTRAS="$(EXTRAS)" sam
# arm64 is the template's default. Another processor must be set for both the template and the layer's Makefile.
OVERRIDES := $(if $(filter-out arm64,$(ARCHITECTURE)),--parameter-overrides Architecture=$(ARCHITECTURE))

.PHONY: build
build: $(SAM)/.ready ## Run sam build (ARCHITECTURE=x86_64 for the other processor)
	@$(SAM_CLI) build $(OVERRIDES)

.PHONY: deploy
deploy: build ## Run sam build and sam deploy, into your own account
	@$(SAM_CLI) deploy $(OVERRIDES)
