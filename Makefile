# feedward: everything a person types. `make help` lists it.
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
# Of the functions and of their layer: arm64 or x86_64.
ARCHITECTURE ?= arm64
PORT ?= 8080

.PHONY: help
help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | awk -F'\t' '{printf "  %-14s %s\n", $$1, $$2}'

# --- set-up: each target is a stamp, so a second call does nothing -------------------------------

$(UV):
	@echo "setting up uv in $(TOOLS)/uv"
	@$(PYTHON) -c 'import sys; sys.exit("feedward needs python3 >= 3.11, < 3.14; this is " + sys.version.split()[0] + ". Say PYTHON=python3.x make ...") if not (3, 11) <= sys.version_info[:2] < (3, 14) else None'
	@$(PYTHON) -m venv $(TOOLS)/uv
	@$(TOOLS)/uv/bin/python -m pip install --quiet uv

$(VENV)/.ready: $(UV) requirements/dev.txt pyproject.toml
	@echo "setting up $(VENV)"
	@$(UV) venv --quiet --allow-existing --python "$$(command -v $(PYTHON))" $(VENV)
	@$(UV) pip sync --quiet --python $(BIN)/python --require-hashes requirements/dev.txt
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

$(MINISTACK)/.ready: $(UV) requirements/ministack.txt
	@echo "setting up MiniStack in $(MINISTACK)"
	@$(UV) venv --quiet --allow-existing --python "$$(command -v $(PYTHON))" $(MINISTACK)
	@$(UV) pip sync --quiet --python $(MINISTACK)/bin/python --require-hashes requirements/ministack.txt
	@touch $@

$(SAM)/.ready: $(UV) requirements/sam.txt
	@echo "setting up the SAM CLI in $(SAM)"
	@$(UV) venv --quiet --allow-existing --python "$$(command -v $(PYTHON))" $(SAM)
	@$(UV) pip sync --quiet --python $(SAM)/bin/python --require-hashes requirements/sam.txt
	@touch $@

$(RUNTIME)/.ready: $(UV) requirements/runtime.txt
	@echo "setting up the Lambda runtime's Python in $(RUNTIME)"
	@bin="$$(bash layers/feedward/python_for_runtime.sh)"; \
	$(UV) venv --quiet --allow-existing --python "$$bin/python3.13" $(RUNTIME)
	@$(UV) pip sync --quiet --python $(RUNTIME)/bin/python --require-hashes requirements/runtime.txt
	@touch $@

.PHONY: setup
setup: $(VENV)/.ready $(MINISTACK)/.ready ## Make .venv and MiniStack's environment, with all that the project needs

.PHONY: lock
lock: $(UV) ## Choose versions anew and write the lock files
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml -o layers/feedward/requirements.txt
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml --group dev -o requirements/dev.txt
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --group ministack -o requirements/ministack.txt
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --group sam -o requirements/sam.txt
	$(UV) pip compile --quiet --universal --python-version 3.13 --generate-hashes --no-emit-index-url --no-header --group runtime -o requirements/runtime.txt

# --- run ------------------------------------------------------------------------------------------

.PHONY: run
run: setup ## Deploy the stack into MiniStack and serve it at http://127.0.0.1:8080 until Ctrl-C (PORT=n)
	@$(BIN)/python -m feedward_local.serve --port $(PORT)

.PHONY: demo
demo: setup ## The same, beside a small made-up internet that needs no network
	@$(BIN)/python -m feedward_local.serve --port $(PORT) --demo

# --- check ----------------------------------------------------------------------------------------

.PHONY: test
test: setup ## Run all tests, the template gate among them
	@$(BIN)/python -m pytest

.PHONY: test-runtime
test-runtime: setup $(SAM)/.ready $(RUNTIME)/.ready ## Run the built function under AWS's runtime interface emulator
	@$(BIN)/python -m pytest -m runtime -s tests/runtime

.PHONY: lint
lint: $(VENV)/.ready ## ruff, mypy and the offline gate for template.yaml
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy layers/feedward/feedward functions local tests bench
	@$(BIN)/python -m pytest tests/template

.PHONY: bench
bench: $(VENV)/.ready ## Measure against other projects, as ratios of one run
	@$(BIN)/python -m bench

# --- ship -----------------------------------------------------------------------------------------

SAM_CLI := PATH="$$(bash layers/feedward/python_for_runtime.sh):$(abspath $(SAM))/bin:$$PATH" SAM_CLI_TELEMETRY=0 ARCHITECTURE=$(ARCHITECTURE) sam
# arm64 is the template's default; anything else has to be said to it as well as to the layer's Makefile.
OVERRIDES := $(if $(filter-out arm64,$(ARCHITECTURE)),--parameter-overrides Architecture=$(ARCHITECTURE))

.PHONY: build
build: $(SAM)/.ready ## sam build (ARCHITECTURE=x86_64 for the other processor)
	@$(SAM_CLI) build $(OVERRIDES)

.PHONY: deploy
deploy: build ## sam build && sam deploy, into your own account
	@$(SAM_CLI) deploy $(OVERRIDES)
