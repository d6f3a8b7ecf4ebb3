# Ludorum. `make help` lists what can be made; `make play` and `make test` are the two to know.

PYTHON ?= python3
BIN := .venv/bin
# Tests wait for clocks and processes half of the time: on two cores two workers took 17 minutes, four took 11. Fewer
# than that, since players of tests must not be late on slower machines.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) * 3 / 2)))
DEPENDENCIES_STAMP := .venv/.ludorum-dependencies
OWN_PIP := .venv/.ludorum-pip
KERNELS_STAMP := .venv/.ludorum-kernels
PLAY_STAMP := .venv/.ludorum-play
SETUP_STAMP := .venv/.ludorum-setup
BUILD_INPUTS := pyproject.toml CMakeLists.txt $(shell find src/ludorum/_core -name '*.[ch]pp')

# Registries have bad minutes; these reach pip inside isolated builds as well.
export PIP_RETRIES ?= 10
export PIP_DEFAULT_TIMEOUT ?= 60
export PIP_DISABLE_PIP_VERSION_CHECK ?= 1
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell getconf _NPROCESSORS_ONLN)
# Tests start hundreds of interpreters: without kept bytecode each would compile the package again.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help

.PHONY: help
help:  ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-12s %s\n", $$1, $$2}'

.PHONY: setup
setup: $(SETUP_STAMP)  ## create .venv with an editable install and the developer tools
	@echo "ready: $(BIN)/ludorum"

# Under a second instead of six: the pip of the machine fills the environment, where it can (since 22.3), and pip
# itself comes with the dependencies, while the kernels are compiled.
$(BIN)/python:
	$(PYTHON) -m venv --without-pip .venv
	@$(PYTHON) -m pip --python $@ --version >/dev/null 2>&1 || { $@ -m ensurepip && touch $(OWN_PIP); }

PIP = $(if $(wildcard $(OWN_PIP) $(DEPENDENCIES_STAMP)),$(BIN)/python -m pip,$(PYTHON) -m pip --python $(BIN)/python)

# Writes a list of pyproject.toml beside the stamp, for pip.
list_of = $(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))$(1), sep='\n')" > $@.txt

# The build tools live in .venv, not in a fresh environment for each build: their headers keep their place, so
# that a changed kernel is compiled anew and the others are not.
$(BIN)/.build-tools: pyproject.toml | $(BIN)/python
	@$(call list_of,['build-system']['requires'])
	$(PIP) install --quiet -r $@.txt $(if $(shell command -v cmake),,cmake) $(if $(shell command -v ninja),,ninja)
	@touch $@

# Modules become bytecode when they are first imported: pip would compile thousands that no game asks for.
$(DEPENDENCIES_STAMP): pyproject.toml | $(BIN)/python
	@$(call list_of,['project']['dependencies'])
	$(PIP) install --quiet --no-compile -r $@.txt pip
	@touch $@

$(KERNELS_STAMP): $(BUILD_INPUTS) $(BIN)/.build-tools
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# Both at once: one waits for the registry and the other for the compiler.
$(PLAY_STAMP): $(BUILD_INPUTS) | $(BIN)/python
	+@$(MAKE) --no-print-directory --jobs=2 $(KERNELS_STAMP) $(DEPENDENCIES_STAMP)
	@touch $@

$(SETUP_STAMP): pyproject.toml | $(PLAY_STAMP)
	@$(call list_of,['project']['optional-dependencies']['dev'])
	$(PIP) install --quiet -r $@.txt
	@touch $@

.PHONY: play
play: $(PLAY_STAMP)  ## play connect four in the terminal (a short demonstration where there is none)
	$(BIN)/ludorum play connect_four

# The page of the web application, from frontend/. Node is needed for this only: the built page is part of the wheel.
PAGE := src/ludorum/web/page/index.html
PAGE_INPUTS := $(shell find frontend/src frontend/public -type f) $(addprefix frontend/,index.html package-lock.json \
    tsconfig.json vite.config.ts vite.recorded.config.ts)
NODE_STAMP := frontend/node_modules/.package-lock.json

$(NODE_STAMP): frontend/package.json frontend/package-lock.json | $(BIN)/python
	frontend/with-node npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(PAGE): $(PAGE_INPUTS) $(NODE_STAMP)
	frontend/with-node npm run --silent build -- --logLevel warn

.PHONY: page
page: $(PAGE)  ## build the page of the web application (needs Node, or fetches one into .venv)

.PHONY: serve
serve: $(PLAY_STAMP) page  ## play any game in a browser: serve the web application (SERVE=options)
	$(BIN)/ludorum serve $(SERVE)

.PHONY: test-page
test-page: $(NODE_STAMP)  ## check the types of the page and run its unit tests
	frontend/with-node npm test --silent

.PHONY: screens
screens: $(SETUP_STAMP)  ## draw the screens of docs/play.md
	$(BIN)/python -m docs.pictures.draw_screens

.PHONY: pictures
pictures: screens  ## draw all pictures of the documentation (those of pages need a Chromium)
	$(BIN)/python -m docs.pictures.draw_packages
	$(BIN)/python -m docs.pictures.draw_exploitability
	$(BIN)/python -m docs.pictures.record_play
	+@$(MAKE) --no-print-directory page
	$(BIN)/python -m docs.pictures.draw_pages
	$(BIN)/python -m docs.pictures.draw_web

# Types are checked beside the tests: they take one core for most of a minute.
.PHONY: test pytest
test: style  ## everything that must be green: lint, types, import contract, tests
	+@$(MAKE) --no-print-directory --jobs=2 types pytest
pytest: $(SETUP_STAMP) $(PAGE)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# One worker fewer: Chromium has processes of its own.
.PHONY: test-browser
test-browser: $(SETUP_STAMP) $(PAGE)  ## pages in a real Chromium; must be green, too
	LUDORUM_REQUIRE_CORPUS= $(BIN)/python -m pytest -n $$(($(WORKERS) - 1)) --dist worksteal \
	    -m "browser and not slow and not long" tests/browser tests/web/browser

# The files that have such tests: every worker would import all others as well, for four seconds.
LONG_FILES = $$(grep -rl --include='*.py' 'mark\.long' tests | sort)
.PHONY: test-long
test-long: $(SETUP_STAMP)  ## the longest tests that must be green; with `make test test-browser` all but the slow
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "long and not slow" $(LONG_FILES)

.PHONY: test-full test-corpus
FULL := LUDORUM_FULL=1 LUDORUM_RESUME=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
test-full: $(SETUP_STAMP)  ## all tests with their full counts, for hours; can be stopped, and goes on where it was
	$(FULL) -m ""

test-corpus: $(SETUP_STAMP)  ## those of them that need the public sheets and records
	LUDORUM_REQUIRE_CORPUS=1 $(FULL) -m corpus

.PHONY: soundness
soundness: $(SETUP_STAMP)  ## a thousand matches of every sheet with hidden information; takes a day of one core
	LUDORUM_THOUSAND=1 $(FULL) -m "" tests/knowledge/test_soundness.py

.PHONY: tsan asan
tsan: $(SETUP_STAMP)  ## threads under the thread sanitizer: every race in the kernels is a fault (a long build)
	.ci/sanitize thread $(TESTS)
asan: $(SETUP_STAMP)  ## tests of the kernels under the address and undefined-behaviour sanitizers (a long build)
	.ci/sanitize address $(TESTS)

.PHONY: lint style types
lint: style types  ## style, types and the direction of imports
style: $(SETUP_STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
types: $(SETUP_STAMP)
	$(BIN)/mypy

.PHONY: format
format: $(SETUP_STAMP)  ## format the code and mend what can be mended
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

.PHONY: playthroughs
playthroughs: $(SETUP_STAMP)  ## write the playthrough files of all library games anew, and the list of the web's lobby
	$(BIN)/python -m tests.games.write_playthroughs
	$(BIN)/python -c "from ludorum.web.games.card import keep_cards; keep_cards()"

.PHONY: bench
bench: $(SETUP_STAMP)  ## measure the engines, with public sheets beside ours where they are at hand (BENCH=options)
	$(BIN)/ludorum bench engine $(addprefix --corpus ,$(or $(LUDORUM_CORPUS),$(wildcard ../shared/corpus))) $(BENCH)

.PHONY: bench-web
bench-web: $(SETUP_STAMP)  ## measure the web application under many people who click at once (BENCH=options)
	$(BIN)/python bench/web.py $(BENCH)

.PHONY: bench-realtime
bench-realtime: $(SETUP_STAMP)  ## measure how punctual realtime matches are, for a minute; on a quiet machine (BENCH=options)
	$(BIN)/python bench/realtime.py $(BENCH)

.PHONY: speed-page
speed-page: $(SETUP_STAMP)  ## put the newest results of `make bench` into docs/speed.md
	$(BIN)/python -m tests.speed_page

.PHONY: docs
docs: $(SETUP_STAMP)  ## build the site of the documentation into build/site, and fail on any warning
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "built: build/site/index.html"

.PHONY: wheel
wheel: $(SETUP_STAMP)  ## build the wheel, install it into an empty environment and count tic-tac-toe with it
	.ci/check-wheel

.PHONY: clean
clean:  ## remove the environment, builds and caches
	rm -rf .venv build dist frontend/node_modules src/ludorum/web/page src/ludorum/pages/built .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find src tests -name __pycache__ -prune -exec rm -rf {} +
