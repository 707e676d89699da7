# make test    run the tests, JOBS=4 at a time
# make check   lint, types, every test, and the size of asimi
# make demo    show what asimi does
# make docs    build the site of the documentation in build/site
# make bench   measure, with each interpreter of PYTHONS=; OPTIONS=--quick is a look of some minutes
# The rest: catalogue clean coverage deb dist engines env frameworks fuzz gates harnesses help lint live man peers pictures pins release-check tasks tools types

help:
	@sed -n 's/^# //p;/^$$/q' Makefile

PYTHON ?= python3
VENV ?= .venv
FRAMEWORKS ?= .venv-frameworks
RELEASE ?= .venv-release
CLEAN ?= .clean-root
DOCS ?= .venv-docs
ATHERIS ?= .venv-fuzz
BIN = $(VENV)/bin
JOBS ?= 4
SECONDS ?= 60
PYTHONS ?=
OPTIONS ?=
PEERS = @google/gemini-cli-core@0.61.0 @openai/codex@0.169.0
GATES = vetter==0.2.1 nah==0.11.0 bashgate==0.2.0 claude-safety-guard==0.2.0
GATES_OF_NPM = cc-safety-net@2.4.5 @google/gemini-cli-core@0.61.0
SETS ?=
LIVE ?= .live
TOOLS ?= .tools
TOOLS_OF_NPM = pnpm9=pnpm@9 pnpm10=pnpm@10 yarn1=yarn@1 yarn4=@yarnpkg/cli-dist@4 bun=bun@1 husky=husky@9
TOOLS_OF_PYPI = ansible-core pdm poetry pre-commit uv virtualenv 'hishel<2' # which pdm needs
TOOLS_OF_DEBIAN = cargo=cargo cc=gcc cmake=cmake direnv=direnv go=golang-go make=make npm=npm stow=stow
export PYTHONDONTWRITEBYTECODE = 1

.PHONY: help env demo test coverage lint types check live frameworks engines tools dist release-check pins deb docs peers gates tasks bench fuzz harnesses catalogue man pictures clean

env: $(VENV)/.made

$(VENV)/.made: $(VENV)/.needs
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

# What asimi itself needs, and nothing to build or test it with.
$(VENV)/.needs: pyproject.toml packaging/needs.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo 'asimi needs Python 3.11 or newer; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)' >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "This Python has no venv module. On Debian and Ubuntu: apt install python$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r packaging/needs.txt
	@touch $@

demo: $(VENV)/.needs
	@PYTHONPATH=. $(BIN)/python examples/demo.py

# Else each worker, and each process that tests start, compiles again what it imports.
test check: PYTHONDONTWRITEBYTECODE =
test: env
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not long"

# Which files the tests reach least.
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
	ASIMI_REAL_STARTS=1 $(BIN)/python -m pytest -n $(JOBS) --dist worksteal
	@PYTHONPATH=tests $(BIN)/python -m helpers.house

# Drive the real agents, which it installs from npm.
live: env
	$(BIN)/pip install --quiet --disable-pip-version-check openai anthropic google-genai
	ASIMI_LIVE=$(LIVE) $(BIN)/python -m pytest -rs tests/live tests/test_declarations.py

# Run the adapters and examples with the agent frameworks, in an environment of their own.
frameworks: $(FRAMEWORKS)/.made
	ASIMI_FRAMEWORKS=1 $(FRAMEWORKS)/bin/python -m pytest -n $(JOBS) tests/extras/frameworks tests/test_declarations.py

$(FRAMEWORKS)/.made: pyproject.toml
	$(PYTHON) -m venv $(FRAMEWORKS)
	$(FRAMEWORKS)/bin/pip install --quiet --disable-pip-version-check -e '.[frameworks]'
	@touch $@

# What tests start, where Debian has it: an OpenSSH server, podman, nats-server, shells that complete, readers of manual pages.
engines:
	apt-get install -y openssh-server podman runc nats-server bash-completion zsh fish man-db mandoc

# What tests/projects tries in people's projects, in TOOLS=. Each by itself: a row whose tool is missing is skipped, and says so.
tools:
	@[ "$$(id -u)" != 0 ] || for each in $(TOOLS_OF_DEBIAN); do \
	  PATH="$$PATH:$$HOME/.cargo/bin" command -v $${each%%=*} >/dev/null || apt-get install -y -qq $${each#*=} >/dev/null || \
	  { apt-get update -qq && apt-get install -y -qq $${each#*=} >/dev/null; } || echo "left out: $$each"; done
	@for each in $(TOOLS_OF_NPM); do at=$(TOOLS)/$${each%%=*}; [ -d $$at/node_modules ] || { mkdir -p $$at && \
	  npm install --prefix $$at --no-audit --no-fund --loglevel=error $${each#*=}; } || echo "left out: $$each"; done
	@[ -d $(TOOLS)/bin ] || { $(PYTHON) -m venv $(TOOLS)/python && \
	  $(TOOLS)/python/bin/pip install --quiet --disable-pip-version-check $(TOOLS_OF_PYPI) && mkdir $(TOOLS)/bin && \
	  for each in ansible ansible-galaxy ansible-playbook pdm poetry pre-commit uv uvx virtualenv; do \
	    ln -s ../python/bin/$$each $(TOOLS)/bin/$$each; done; } || echo "left out: $(TOOLS_OF_PYPI)"

# The wheel and the source archive in dist/; in build/ asimi.pyz, an environment with the wheel alone, and the list of what is in it.
dist: $(RELEASE)/.made
	rm -rf dist build/installed
	$(RELEASE)/bin/python -m build --no-isolation --outdir dist >/dev/null
	$(PYTHON) -m venv --without-pip build/installed
	$(RELEASE)/bin/pip --python build/installed/bin/python install --quiet --disable-pip-version-check \
	  --require-hashes -r packaging/needs.txt
	$(RELEASE)/bin/pip --python build/installed/bin/python install --quiet --disable-pip-version-check dist/*.whl
	packaging/tree.sh $(RELEASE)/bin/python dist/*.whl build/tree
	$(RELEASE)/bin/python packaging/pyz.py build/tree
	@sed "s/^dynamic = .*/version = \"$$(sed -n 's/^__version__ = "\(.*\)"$$/\1/p' asimi/__init__.py)\"/" pyproject.toml >build/pyproject.toml
	$(RELEASE)/bin/cyclonedx-py environment --pyproject build/pyproject.toml --mc-type application --output-reproducible \
	  --output-file build/asimi.cdx.json build/installed/bin/python

# Build what a release ships, in dist/ and build/, and check it.
release-check: dist
	$(RELEASE)/bin/twine check --strict dist/*
	ASIMI_RELEASE=1 $(RELEASE)/bin/python -m pytest tests/release/test_shipped.py

# Build Debian's package, and as root install, try and remove it in a clean root, which debootstrap makes.
deb: dist
	packaging/deb.sh $(RELEASE)/bin/python dist/*.whl
	@if [ "$$(id -u)" = 0 ]; then $(MAKE) --no-print-directory $(CLEAN)/.made && \
	  ASIMI_RELEASE=1 ASIMI_DEB=$(abspath $(CLEAN)) $(RELEASE)/bin/python -m pytest -rs tests/release/test_deb.py; \
	else echo 'Built, and not tried: only root can make a clean root to install it in.' >&2; exit 1; fi

$(CLEAN)/.made:
	@command -v debootstrap >/dev/null || { echo 'make deb needs debootstrap: apt install debootstrap' >&2; exit 1; }
	rm -rf $(CLEAN)
	debootstrap --variant=minbase --include=python3 bookworm $(CLEAN) >$(CLEAN).log
	@touch $@

$(RELEASE)/.made: packaging/release.txt
	$(PYTHON) -m venv $(RELEASE)
	$(RELEASE)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r packaging/release.txt
	$(RELEASE)/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# Write into packaging/ which files of what asimi and a release need are installed there, by their hashes.
pins:
	$(PYTHON) -m venv build/pins
	build/pins/bin/pip install --quiet --disable-pip-version-check 'uv>=0.9'
	for each in needs 'release --extra release'; do set -- $$each; name=$$1; shift; \
	  build/pins/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate \
	    --custom-compile-command 'make pins' "$$@" pyproject.toml --output-file packaging/$$name.txt || exit 1; \
	done

# The programs of others that `make bench` compares asimi with. What cannot be installed is left out of the results, and named there.
peers:
	@mkdir -p build/peers
	-npm install --prefix build/peers --no-audit --no-fund --loglevel=error $(PEERS)
	-$(PYTHON) -m venv build/peers/python && \
	  build/peers/python/bin/pip install --quiet --disable-pip-version-check mcp-shell-server==1.1.14

# The gates of others, which judge the public sets in SETS= with asimi (bench/gates/sets.toml); nothing of a set is executed. Without SETS= it
# only installs.
gates: env
	@mkdir -p build/gates/programs
	-npm install --prefix build/gates/programs --no-audit --no-fund --loglevel=error $(GATES_OF_NPM)
	-$(PYTHON) -m venv build/gates/programs/python
	@for each in $(GATES); do \
	  build/gates/programs/python/bin/pip install --quiet --disable-pip-version-check $$each || echo "left out: $$each"; \
	done
	$(if $(SETS),$(BIN)/python bench/gates/run.py --sets '$(SETS)' $(OPTIONS))

tasks: env
	$(BIN)/python bench/tasks/run.py --sets '$(SETS)' $(OPTIONS)

bench: env
	@for each in $(PYTHONS); do \
	  $(MAKE) --no-print-directory env PYTHON=$$each VENV=build/bench/$$each || exit 1; \
	done
	$(BIN)/python bench/run.py $(PYTHONS:%=--python build/bench/%/bin/python) $(OPTIONS)

# Compare the parser with bash and verdicts with what scripts do, for SECONDS= each.
fuzz: env
	PYTHONPATH=tests $(BIN)/python -m fuzz.run $(SECONDS)
	PYTHONPATH=tests $(BIN)/python -m fuzz.state $(SECONDS)
	PYTHONPATH=tests $(BIN)/python -m fuzz.slow $(SECONDS)
	PYTHONPATH=tests $(BIN)/python -m fuzz.layouts $(SECONDS)
	PYTHONPATH=tests $(BIN)/python -m fuzz.values $(SECONDS)
	PYTHONPATH=tests $(BIN)/python -m fuzz.lists $(SECONDS)
	PYTHONPATH=tests $(BIN)/python -m fuzz.programs $(SECONDS)

# Run what is in harnesses/ under coverage guidance, SECONDS= each.
harnesses: $(ATHERIS)/.made
	@for each in parser wire configuration; do \
	  mkdir -p .fuzz/$$each; \
	  $(ATHERIS)/bin/python harnesses/$${each}_fuzzer.py -max_total_time=$(SECONDS) -artifact_prefix=.fuzz/ \
	    .fuzz/$$each harnesses/seeds/$${each}_fuzzer || exit 1; \
	done

$(ATHERIS)/.made: pyproject.toml
	$(PYTHON) -m venv $(ATHERIS)
	$(ATHERIS)/bin/pip install --quiet --disable-pip-version-check -e '.[fuzz]'
	@touch $@

# A link that leads nowhere is an error.
docs: $(DOCS)/.made
	NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs build --quiet --strict

$(DOCS)/.made: pyproject.toml
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/pip install --quiet --disable-pip-version-check 'mkdocs-material>=9.8,<10'
	@touch $@

# After a row of a program was changed.
catalogue: env
	$(BIN)/python packaging/index.py

# After a command, an option, a key or a page about rules was changed.
man: env
	$(BIN)/python man/write.py

pictures: env
	$(BIN)/python docs/pictures/draw.py
	$(BIN)/python docs/pictures/record.py

clean:
	rm -rf $(VENV) $(FRAMEWORKS) $(RELEASE) $(CLEAN) $(CLEAN).log $(DOCS) $(ATHERIS) $(LIVE) $(TOOLS) dist build .fuzz .mypy_cache .ruff_cache .pytest_cache .hypothesis
