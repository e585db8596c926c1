# Everything goes through uv; pip fetches it where it is missing.
PYTHON ?= python3
UV := $(shell command -v uv 2>/dev/null || echo $(PYTHON) -m uv)
BIN := .venv/bin
# Whole files, in the order of tests/conftest.py.
SHARING := --dist loadfile --no-loadscope-reorder
# Tests share the cores; calls, whose media live by the clock, have them for themselves: one on real
# engines at a time, and one on scripted engines beside it.
PARALLEL := OMP_NUM_THREADS=1 $(BIN)/pytest -n logical $(SHARING)
CALLS := $(BIN)/pytest -n 2 $(SHARING)
# onnxruntime-gpu takes the place of onnxruntime, whose files would be mixed with its own: where it
# is wanted or there, nothing brings the other (docs/decisions/0028-gpu-packages.md).
WANTS_GPU = $(findstring gpu,$(EXTRAS))
HAS_GPU = $(wildcard .venv/lib/python*/site-packages/onnxruntime_gpu-*.dist-info)
INSTALL = $(UV) pip install --quiet --python .venv --constraints constraints.txt $(if $(WANTS_GPU)$(HAS_GPU),--override overrides-gpu.txt)
# Exit status of pytest where ARGS names tests of the other kind only.
NONE_CHOSEN := 5
# Else every process that a test starts would compile anew whatever it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup setup-dev install run livekit test recordings test-tools unit networks check format bench constraints tree clean

setup: .venv/.run-installed  ## Install what running needs.
setup-dev: .venv/.dev-installed  ## Install what testing needs.

.venv/bin/python:
	@command -v uv >/dev/null 2>&1 || $(PYTHON) -m uv --version >/dev/null 2>&1 || $(PYTHON) -m pip install --quiet --user uv || $(PYTHON) -m pip install --quiet --user --break-system-packages uv
	@$(UV) venv --quiet --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')" .venv

.venv/.run-installed: .venv/bin/python pyproject.toml constraints.txt
	@echo "Installing rt-avatar into .venv …"
	@$(INSTALL) -e .
	@touch $@

.venv/.livekit-installed: .venv/bin/python pyproject.toml constraints.txt
	@echo "Installing rt-avatar for LiveKit into .venv …"
	@$(INSTALL) -e '.[livekit]'
	@touch $@ .venv/.run-installed

.venv/.dev-installed: .venv/bin/python pyproject.toml constraints.txt
	@echo "Installing rt-avatar with its test tools (espeak-ng, GPL-3.0, among them) into .venv …"
	@$(INSTALL) -e '.[espeak,dev]'
	@touch $@ .venv/.run-installed .venv/.livekit-installed

# Both go first: each takes files of the other's away with its own.
install: setup  ## Install further extras: EXTRAS=whisper, or EXTRAS=train,bench; on a GPU EXTRAS=network,gpu,tensorrt.
	@$(if $(WANTS_GPU),$(UV) pip uninstall --quiet --python .venv onnxruntime onnxruntime-gpu,:)
	@$(INSTALL) -e '.[$(EXTRAS)]'

run: setup  ## Start the avatar on a local page.
	@$(BIN)/rt-avatar serve $(ARGS)

livekit: .venv/.livekit-installed  ## Let the avatar join rooms of a LiveKit server.
	@$(BIN)/rt-avatar livekit $(ARGS)

check: setup-dev  ## Format, lint, types.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

unit: setup-dev  ## The fast tests.
	$(PARALLEL) -m unit $(ARGS)

networks: setup-dev  ## The tests of the torch networks.
	$(PARALLEL) -m networks $(ARGS)

test-tools: setup-dev
	@sh scripts/need_system_packages.sh chromium npm
	@sh scripts/need_livekit_client.sh >/dev/null
	@sh scripts/need_livekit_server.sh >/dev/null

test: test-tools  ## All tests, with real parts.
	$(PARALLEL) -m "not realtime" $(ARGS) || [ $$? = $(NONE_CHOSEN) ]
	$(CALLS) -m realtime $(ARGS) || [ $$? = $(NONE_CHOSEN) ]

recordings: test-tools  ## The tests on recordings of people alone: TEST_MEDIA names their folder.
	$(PARALLEL) -m "recordings and not realtime" $(ARGS)
	$(CALLS) -m "recordings and realtime" $(ARGS)

format: setup-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: ARGS ?= all --quick
bench: setup-dev  ## Measure the promises; ARGS="turn" one of them in full.
	@$(BIN)/rt-avatar bench $(ARGS)

constraints: .venv/bin/python  ## Bring constraints.txt up to date (names and versions only).
	@printf '# Made by `make constraints`: names and versions only.\n' > constraints.txt
	@$(UV) pip compile --quiet --upgrade --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url --all-extras pyproject.toml >> constraints.txt

tree: setup-dev  ## Renew docs/tree.md and the README's tree.
	$(BIN)/python scripts/write_tree.py

clean:
	rm -rf .venv build dist *.egg-info
