# Ludorum. `make help` lists what can be made.

PYTHON ?= python3
BIN := .venv/bin
PIP_INSTALL := $(BIN)/python -m pip install --retries 10 --timeout 60 --disable-pip-version-check
SETUP_STAMP := .venv/.ludorum-setup
CORE := $(wildcard src/ludorum/_core/*.cpp src/ludorum/_core/*.hpp)

.DEFAULT_GOAL := help

.PHONY: help
help:  ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-12s %s\n", $$1, $$2}'

.PHONY: setup
setup: $(SETUP_STAMP)  ## create .venv with an editable install and the developer tools
	@echo "ready: $(BIN)/ludorum"

.venv/bin/python:
	$(PYTHON) -m venv .venv

$(SETUP_STAMP): pyproject.toml CMakeLists.txt $(CORE) | .venv/bin/python
	$(PIP_INSTALL) --editable '.[dev]'
	@touch $@
