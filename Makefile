# Every target sets up what it needs. `make verify` and `make test` are all a newcomer has to type.
# VENV=dir uses another environment, PYTHON=program another interpreter to create it with, WORKERS=n other parallelism for the tests,
# SOAK=hours how much time of the processor each long comparison of `make deep` takes; it goes on where it was stopped (build/soak-1.json,
# build/plans.json).

VENV ?= .venv
WORKERS ?= 2
SOAK ?= 24
BIN := $(VENV)/bin
READY := $(VENV)/.ready
VERIFY_READY := $(VENV)/.ready-for-verify
DOCS_READY := $(VENV)/.ready-for-docs
# Only what is imported is compiled, when it is: half of what is installed never is.
INSTALL = $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --constraint constraints.txt
WHEEL := build/.wheel
COQ := coq libcoq-mathcomp-algebra libcoq-mathcomp-zify libcoq-mathcomp-algebra-tactics
LAYERS := shuffleproof spec impl proofs_check
SOURCES := $(shell find $(LAYERS) -type f -not -path '*/__pycache__/*' 2>/dev/null)

# Where this is set, every program that a test or a check starts compiles all that it imports again.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help verify test long minimum deep soak formal formal-numbers formal-check bench lint format coverage vectors wheel conda browser-check docs site pictures clean

help:
	@echo "make verify    check the ledger, the engines and the packages under test; writes report/"
	@echo "make test      run the tests"
	@echo "make long      run the tests that take longer, of which tests/long_tests.txt is the list"
	@echo "make test-3.13 run the tests with that Python, in an environment of its own"
	@echo "make minimum   run the tests with the least versions of the dependencies"
	@echo "make deep      run the long tests, and every property on ten times as many examples"
	@echo "make soak      compare engines, methods and plans with each other for SOAK=hours of the processor each; goes on where it stopped"
	@echo "make formal    check the formal proofs with Coq (build/formal/)"
	@echo "make formal-numbers  the same, with the numbers that take Coq longest: 1000 users of the default bound, and a million of the clones pair"
	@echo "make formal-check  that, and the proofs once more with Coq's separate checker"
	@echo "make bench     compare speed with others and with what was aimed for; writes build/bench/"
	@echo "make lint      format, lint and types"
	@echo "make coverage  run the tests and report branch coverage"
	@echo "make vectors   check the stored test vectors"
	@echo "make docs      build the documentation"
	@echo "make site      the documentation with the report of verify, a page for each statement, and the calculator"
	@echo "make pictures  the documentation's pictures again: curves, and the top of a page in headless Chromium"
	@echo "make wheel     build the wheel and import it in a clean environment"
	@echo "make conda     build the conda package from what \`make wheel\` built; CHANNEL=... for another channel than conda-forge"
	@echo "make browser-check  open the site and the reports in headless Chromium: tables sort, accessibility, the calculator; screenshots are kept"
	@echo "make clean     remove what the other targets made, the environment excepted"

verify: $(VERIFY_READY)
	$(BIN)/shuffleproof verify --report report

test: $(READY)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not deep and not long"

# What tests/long_tests.txt names: twice the time of all others.
long: $(READY)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "long and not deep"

# Python 3.13 as `python3.13` or among those of pyenv; PYTEST="tests/spec ..." for a part of the tests.
test-3.%:
	$(MAKE) --no-print-directory build/python3.$*/.ready VENV=build/python3.$* \
	  PYTHON="$$(ls -d $${PYENV_ROOT:-$$HOME/.pyenv}/versions/3.$*.*/bin/python 2>/dev/null | tail -n 1 | grep . || command -v python3.$*)"
	build/python3.$*/bin/python -m pytest -n $(WORKERS) --dist worksteal -m "not deep and not long" $(PYTEST)

# What the least versions print as deprecated is not ours.
minimum:
	@test -x build/minimum/bin/python || $(or $(PYTHON),python3.11) -m venv build/minimum
	build/minimum/bin/python -m pip install --quiet --disable-pip-version-check uv
	build/minimum/bin/uv pip install --quiet --python build/minimum/bin/python --resolution lowest-direct --editable '.[test]'
	build/minimum/bin/python -m pytest -n $(WORKERS) -m "not deep and not long" -W ignore::DeprecationWarning $(PYTEST)

deep: $(READY)
	HYPOTHESIS_PROFILE=deep $(BIN)/python -m pytest -n $(WORKERS) -m "deep or long or hypothesis"
	$(BIN)/python tests/deep/worst_cases.py 30
	$(BIN)/python tests/deep/mutations.py 60
	$(MAKE) soak

# Of the processor SOAK hours for engines and methods, and as many for plans; each says for how long its present code was compared.
soak: $(READY)
	$(BIN)/python tests/deep/soak.py $(SOAK); soaked=$$?; $(BIN)/python tests/deep/plans.py $(SOAK) && exit $$soaked

# Compiled again is only what changed and what rests on it. FORMAL=--record writes down what was checked, for machines without Coq.
formal: $(READY)
	@if [ "$$(dpkg-query --show --showformat '$${Status}\n' $(COQ) 2>/dev/null | grep -c ' installed$$')" != $(words $(COQ)) ]; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update && apt-get install --yes --no-install-recommends $(COQ); \
	  elif ! command -v coqc >/dev/null; then echo "make formal needs Coq 8.16 and MathComp 1.15, on Debian 12: apt-get install $(COQ)" >&2; exit 1; \
	  else echo "dpkg does not know all of $(COQ): where Coq finds no library, install them" >&2; fi; fi
	$(BIN)/python -m shuffleproof.proofs_check.formal --directory build/formal --jobs $(WORKERS) $(FORMAL)

formal-numbers:
	$(MAKE) formal FORMAL="--numbers $(FORMAL)"

formal-check:
	$(MAKE) formal FORMAL="--recheck $(FORMAL)"

# One process tree; BENCH=--quick for a minute, BENCH=--resume to go on.
bench: $(READY)
	$(BIN)/python -m bench $(BENCH)

coverage: $(READY)
	$(BIN)/python -m pytest -n $(WORKERS) -m "not deep and not long" --cov --cov-report=term --cov-report=xml

# Types are checked on a folder of links in which the layers are subpackages, as they are when installed.
lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@rm -rf build/tree && mkdir -p build/tree/shuffleproof
	@ln -s $(addprefix $(CURDIR)/,$(filter-out %__pycache__,$(wildcard shuffleproof/*)) $(filter-out shuffleproof,$(LAYERS))) build/tree/shuffleproof/
	MYPYPATH=build/tree $(BIN)/mypy --package shuffleproof

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The documentation, warnings being errors; the reference of the command line and of the objects is written by the code.
docs: $(DOCS_READY)
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/docs
	@echo "build/docs/index.html"

# The documentation with the report of verify: a page for each statement at a permanent address, the errata, the tables.
site: docs
	@[ -f report/index.html ] || $(MAKE) --no-print-directory verify
	$(BIN)/python docs/site.py build/docs report build/site
	$(BIN)/python docs/calculator/build.py build/calculator build/site
	@echo "build/site/index.html"

vectors: $(READY)
	$(BIN)/shuffleproof vectors lint

wheel: $(READY) $(WHEEL)
	@set -e; wheel=$$(ls $(CURDIR)/build/dist/*.whl); python=$(abspath $(BIN))/python; clean=$$(mktemp -d); trap 'rm -rf "$$clean"' EXIT; \
	  "$$python" -m twine check --strict build/dist/*; "$$python" -m check_wheel_contents "$$wheel"; \
	  "$$python" -m venv "$$clean"; \
	  "$$clean/bin/python" -m pip install --quiet --disable-pip-version-check --constraint constraints.txt "$$wheel[verify]"; \
	  cd "$$clean"; \
	  bin/python -c "import shuffleproof; print('imported from the wheel: shuffleproof', shuffleproof.__version__)"; \
	  bin/shuffleproof bound epsilon -n 1000000 --eps0 1 --delta 1e-6; \
	  bin/shuffleproof ledger check FMT21.Lem2.3; \
	  bin/shuffleproof vectors lint

conda: $(READY) $(WHEEL)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check py-rattler-build
	$(BIN)/python conda/build.py build/conda $(CHANNEL)

pictures: $(READY)
	$(BIN)/python docs/assets/pictures.py docs/assets

# Needs a report and a Chromium on the PATH; exit code 77 of a script says that all is well that could be looked at.
browser-check: $(READY)
	@{ [ report/index.html -nt shuffleproof/report/pages.py ]; } || $(MAKE) --no-print-directory verify
	@$(BIN)/python tests/browser_check.py report build/browser-check || { code=$$?; [ $$code -eq 77 ] && [ -n "$$CI" ]; }
	@$(MAKE) --no-print-directory site
	@$(BIN)/python tests/browser/site_check.py build/site build/browser-check || { code=$$?; [ $$code -eq 77 ] && [ -n "$$CI" ]; }

clean:
	rm -rf build dist report .coverage .coverage.* coverage.xml .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find $(LAYERS) tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@for python in "$(PYTHON)" python3.11 python3 python3.12 python3.13 python3.14; do \
	  if [ -n "$$python" ] && "$$python" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "creating $(VENV) with $$python" && exec "$$python" -m venv $(VENV); \
	  fi; \
	done; \
	echo "Python 3.11 or later is needed, and none was found" >&2; exit 1

# What `make verify` needs is set up in a third of the time that everything takes.
$(VERIFY_READY): pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[verify]'
	@touch $@

$(READY): pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[test,dev]'
	@touch $(VERIFY_READY) $@

$(DOCS_READY): $(READY) pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[docs]'
	@touch $@

# The wheel is built from the source distribution, so that both are known to be complete.
$(WHEEL): $(READY) $(SOURCES) README.md LICENSE
	rm -rf build/dist
	@mkdir -p build
	$(BIN)/python -m build --outdir build/dist . >build/log 2>&1 || { cat build/log; exit 1; }
	@touch $@
