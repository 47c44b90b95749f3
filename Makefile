# make demo and make test do everything on a fresh machine with Python 3.11+ and make.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

.PHONY: demo test test-all lint docs bench mutate three clean

demo: $(VENV)/.installed
	$(BIN)/python examples/coil_drop.py
	@echo
	$(BIN)/python examples/four_bar.py
	@echo
	$(BIN)/python examples/rpr_manipulator.py
	@echo
	@echo "All three:"
	@echo "Pages:   out/coil_drop.html out/four_bar.html out/rpr_manipulator.html"
	@echo "Plots:   out/coil_energy.png out/coil_strobe.png"
	@echo "         out/four_bar_energy.png out/four_bar_crank.png out/four_bar_strobe.png"
	@echo "         out/rpr_torques.png out/rpr_paths.png out/rpr_strobe.png"
	@echo "Results: out/coil_drop.h5 out/four_bar.h5 out/rpr_manipulator.h5"
	@echo "Open out/rpr_manipulator.html in a browser, or: $(BIN)/poinsot view out/four_bar.h5"

test: $(VENV)/.installed lint
	$(BIN)/python tests/all_kernels.py
	$(BIN)/python -m pytest -n 2 -m "not long"

test-all: $(VENV)/.installed-robots lint
	$(BIN)/python tests/all_kernels.py
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/mypy

docs: $(VENV)/.installed-docs  # the site, to build/docs/index.html; a warning is an error
	$(BIN)/python -m sphinx -q -W --keep-going -b html -d build/doctrees docs build/docs

bench: $(VENV)/.installed-bench
	$(BIN)/python benchmarks/run.py

mutate: $(VENV)/.installed
	$(BIN)/python tests/mutations/run.py

three:  # the bundle of three.js that pages carry; see tools/three/README.md
	rm -rf build/three && mkdir -p build/three && cp tools/three/package.json tools/three/entry.js build/three
	cd build/three && npm install --no-audit --no-fund --no-package-lock
	cd build/three && npm run --silent bundle -- --outfile=$(CURDIR)/src/poinsot/view/web/three.bundle.js
	cp build/three/node_modules/three/LICENSE src/poinsot/view/web/three.LICENSE

clean:
	rm -rf $(VENV) out build dist

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Poinsot needs Python 3.11 or newer; set PYTHON=python3.11") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[viz,xarray,dev,browser]"
	touch $@

$(VENV)/.installed-robots: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[viz,xarray,dev,browser,robots]"
	touch $@

$(VENV)/.installed-bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[viz,xarray,dev,browser,bench]"
	touch $@

$(VENV)/.installed-docs: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[viz,xarray,dev,browser,docs]"
	touch $@
