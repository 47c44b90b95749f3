# make demo and make test do everything on a fresh machine with Python 3.11+ and make.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

.PHONY: demo test test-all lint bench mutate clean

demo: $(VENV)/.installed
	$(BIN)/python examples/coil_drop.py
	@echo
	$(BIN)/python examples/four_bar.py
	@echo
	$(BIN)/python examples/rpr_manipulator.py

test: $(VENV)/.installed lint
	$(BIN)/python -m pytest -n 2 -m "not long"

test-all: $(VENV)/.installed lint
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/.installed-bench
	$(BIN)/python benchmarks/run.py

mutate: $(VENV)/.installed
	$(BIN)/python tests/mutations/run.py

clean:
	rm -rf $(VENV) out build dist

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Poinsot needs Python 3.11 or newer; set PYTHON=python3.11") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[viz,xarray,dev]"
	touch $@

$(VENV)/.installed-bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[viz,xarray,dev,bench]"
	touch $@
