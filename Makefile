# make demo    make the environment and show the main job
# make test    make the environment and run the tests but the long ones, several at a time: JOBS=4
# make check   lint, types, every test
# make live    drive the real agents, which it installs from npm
# make frameworks  run the adapters and examples with the agent frameworks, which it installs in an environment of their own
# make engines install what the tests of hosts start, if it has a Debian package: an OpenSSH server, podman with runc
# make bench   measure; make coverage; make fuzz SECONDS=600; make pictures; make clean
# make catalogue  write the index of the programs that asimi knows and docs/programs.md, after a row was changed

PYTHON ?= python3
VENV ?= .venv
FRAMEWORKS ?= .venv-frameworks
BIN = $(VENV)/bin
JOBS ?= 4
SECONDS ?= 60
LIVE ?= .live
export PYTHONDONTWRITEBYTECODE = 1

.PHONY: env demo test coverage lint types check live frameworks engines bench fuzz catalogue pictures clean

env: $(VENV)/.made

$(VENV)/.made: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo 'asimi needs Python 3.11 or newer; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)' >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "This Python has no venv module. On Debian and Ubuntu: apt install python$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: env
	@$(BIN)/python examples/demo.py

test: env
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not long"

coverage: env
	@rm -f .coverage .coverage.*
	$(BIN)/coverage run -m pytest -n $(JOBS)
	@$(BIN)/coverage combine -q
	@$(BIN)/coverage report --sort=cover | sed -n '1,12p;$$p'

lint: env
	$(BIN)/ruff check
	$(BIN)/ruff format --check --quiet

types: env
	$(BIN)/mypy

check: lint types
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

live: env
	$(BIN)/pip install --quiet --disable-pip-version-check openai anthropic google-genai
	ASIMI_LIVE=$(LIVE) $(BIN)/python -m pytest -rs tests/live tests/test_declarations.py

frameworks: $(FRAMEWORKS)/.made
	ASIMI_FRAMEWORKS=1 $(FRAMEWORKS)/bin/python -m pytest -n $(JOBS) tests/frameworks tests/test_declarations.py

$(FRAMEWORKS)/.made: pyproject.toml
	$(PYTHON) -m venv $(FRAMEWORKS)
	$(FRAMEWORKS)/bin/pip install --quiet --disable-pip-version-check -e '.[frameworks]'
	@touch $@

engines:
	apt-get install -y openssh-server podman runc

bench: env
	$(BIN)/python bench/run.py

fuzz: env
	PYTHONPATH=tests $(BIN)/python -m fuzz.run $(SECONDS)
	PYTHONPATH=tests $(BIN)/python -m fuzz.state $(SECONDS)
	PYTHONPATH=tests $(BIN)/python -m fuzz.slow $(SECONDS)

catalogue: env
	$(BIN)/python -c 'from asimi.core import programs; print("\n".join(programs.index()))' > .index
	mv .index asimi/core/programs/index.py
	$(BIN)/ruff format --quiet asimi/core/programs/index.py
	$(BIN)/python -c 'from asimi.core.wording.programs import page; print(page(), end="")' > docs/programs.md

pictures: env
	$(BIN)/python docs/pictures/draw.py

clean:
	rm -rf $(VENV) $(FRAMEWORKS) $(LIVE) .mypy_cache .ruff_cache .pytest_cache .hypothesis
