"""Programs that test, check and format.

From the programs' own help: pytest 9 (cov 7, xdist 3, timeout 2, rerunfailures 16, benchmark 5, randomly 4), tox 4,
nox 2026, coverage 7, mypy 2, ruff 0.15, pylint 4, flake8 7, isort 7, eslint 10, prettier 3, jest 30, vitest 4,
mocha 11; of black 24, clang-format 19, shellcheck 0.9 and shfmt 3.8 from their manuals.

What runs a project's tests runs its code, so settings of the project are no question there; a checker's can be. A
checker is `code` if its configuration can name plug-ins. A cache that a program keeps for itself is no write of what it
checks, but `fix` in ruff's configuration is.
"""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts, alike

PROGRAMS = (
    Program(
        "pytest",
        aliases="py.test",
        options=(
            "-k= -m= --markers -x,--exitfirst --maxfail= --strict-config --strict-markers --strict"
            " --fixtures,--funcargs --fixtures-per-test --pdb --trace --capture= -s --runxfail --lf,--last-failed"
            " --ff,--failed-first --nf,--new-first --cache-show[=] --cache-clear --lfnf,--last-failed-no-failures="
            " --sw,--stepwise --sw-skip,--stepwise-skip --sw-reset,--stepwise-reset --durations= --durations-min="
            " -v,--verbose --no-header --no-summary --no-fold-skipped --force-short-summary -q,--quiet --verbosity="
            " -r,--report-chars= --disable-warnings --disable-pytest-warnings -l,--showlocals --no-showlocals --tb="
            " --xfail-tb --show-capture= --full-trace --fulltrace --color= --code-highlight="
            " --junit-prefix,--junitprefix= -W,--pythonwarnings= --max-warnings= --collect-only,--co --pyargs"
            " --ignore= --ignore-glob= --deselect= --noconftest --keep-duplicates --collect-in-virtualenv"
            " --continue-on-collection-errors --import-mode= --doctest-modules --doctest-report= --doctest-glob="
            " --doctest-ignore-import-errors --doctest-continue-on-failure -c,--config-file=PROJECTFILE"
            " --rootdir=enter -V,--version -h,--help --disable-plugin-autoload --trace-config --assert="
            " --setup-only --setup-show --setup-plan --log-level= --log-format= --log-date-format= --log-cli-level="
            " --log-cli-format= --log-cli-date-format= --log-file-mode= --log-file-level= --log-file-format="
            " --log-file-date-format= --log-auto-indent= --log-disable= --asyncio-mode= --asyncio-debug"
            " --anyio-mode= --benchmark-skip --benchmark-disable --benchmark-enable --benchmark-only"
            " --benchmark-sort= --benchmark-group-by= --benchmark-columns= --benchmark-name= --benchmark-min-time="
            " --benchmark-max-time= --benchmark-min-rounds= --benchmark-warmup[=] --benchmark-compare[=]"
            " --benchmark-compare-fail= --benchmark-autosave --benchmark-save= --benchmark-verbose"
            " --benchmark-quiet --benchmark-disable-gc -p=PYTESTPLUGIN --randomly-seed= --randomly-dont-reset-seed"
            " --randomly-dont-reorganize --force-reruns= --only-rerun= --reruns= --reruns-delay= --rerun-except="
            " --fail-on-flaky -n,--numprocesses= --maxprocesses= --max-worker-restart= --dist= --loadscope-reorder"
            " --no-loadscope-reorder --testrunuid= --maxschedchunk= -f,--looponfail --timeout="
            " --timeout-method,--timeout_method= --timeout-disable-debugger-detection --session-timeout= --cov[=]"
            " --cov-reset --cov-report=COVREPORT --cov-config=PROJECTFILE --no-cov-on-fail --no-cov"
            " --cov-fail-under= --cov-append --cov-branch --cov-precision= --cov-context= --snapshot-update"
            " --snapshot-details --inline-snapshot= --create-db --reuse-db --nomigrations --no-migrations"
            " --migrations --ds=PROJECTFILE --dc=PROJECTFILE --mypy --ruff --ruff-format --flake8"
            " --black --isort --pylint --runslow"
            " --run-slow --slow --integration --headed --headless --browser= --slowmo= --device= --base-url="
            " --record-mode= --disable-recording --block-network --no-flaky-report --force-flaky --splits= --group="
            " --picked[=] --testmon --nbval --nbval-lax --hypothesis-show-statistics --hypothesis-seed="
            " --hypothesis-profile= --hypothesis-verbosity= --hypothesis-explain --count= --forked --pspec --sugar"
            " --self-contained-html --random-order --random-order-seed="
        ),
        writes=(
            "--junit-xml,--junitxml=REPORT --debug[=REPORT] --log-file=REPORT --html=REPORT --report-log=REPORT"
            " --json-report-file=REPORT --benchmark-json=REPORT --basetemp=write --benchmark-storage=write"
            " --benchmark-cprofile-dump= --benchmark-histogram= --resultlog=REPORT --pastebin= --output=write"
        ),
        runs=(
            "--pdbcls= --confcutdir=read -o,--override-ini= --tx= --px= -d --rsyncdir= --rsyncignore="
            " --benchmark-timer="
        ),
        operands="LISTED*|--pyargs",
        syntax="exact",
        traits="obeys",
        effects="code",
        can="code",
    ),
    Program(
        "tox",
        options=(
            "-h,--help --colored= --stderr-color= --exit-and-dump-after= -c,--conf=PROJECTFILE --root=enter"
            " --runner= --version --no-provision[=] --no-recreate-provision -r,--recreate -v,--verbose -q,--quiet"
            " -e= -m= -f= -p= -o,--parallel-live --skip-missing-interpreters[=] -n,--notest"
            " -b,--pkg-only,--sdistonly --skip-pkg-install -s= --no-recreate-pkg --override-ini= --skip-env="
            " --develop --discover= --list-dependencies --no-list-dependencies -l -a --parallel-no-spinner"
            " --parallel= --no-capture -i --fail-fast -k= --hashseed= --force-dep="
        ),
        writes="--workdir=write --result-json=REPORT --installpkg= --alwayscopy",
        runs="-x,--override=",
        operands="data*",
        syntax="open shared",
        subcommands=(
            Program("exec", options="-e=", syntax="open", starts=Starts(optional=True, loose=True), effects="code"),
        ),
        names_by=1,
        traits="obeys",
        effects="code",
        can="code",
    ),
    Program(
        "nox",
        options=(
            "-h,--help --version --script-mode= -f,--noxfile=PROJECTFILE -k,--keywords= -s,-e,--sessions,--session="
            " -t,--tags= -l,--list-sessions,--list --usage= --json --download-python= -p= --pythons= --python="
            " --extra-pythons= --extra-python= -P= --force-pythons= --force-python= -db,--default-venv-backend="
            " -fb,--force-venv-backend= -r,--reuse-existing-virtualenvs -N,--no-reuse-existing-virtualenvs"
            " --reuse-venv= --no-venv -R --allow-parallel --error-on-external-run --no-error-on-external-run"
            " --error-on-missing-interpreters --no-error-on-missing-interpreters -j,--parallel="
            " -x,--stop-on-first-error --no-stop-on-first-error --no-dependencies --install-only"
            " --no-allow-parallel --no-verbose --script-venv-backend= --no-install --non-interactive -v,--verbose"
            " -ts,--add-timestamp --nocolor,--no-color --forcecolor,--force-color"
        ),
        writes="--envdir=write --report=REPORT",
        operands="data*",
        names_by=1,
        effects="code",
        can="code",
    ),
    Program(
        "coverage",
        subcommands=(
            Program(
                "run",
                options=(
                    "-m,--module --branch -a,--append -p,--parallel-mode --source= --include= --omit= --rcfile=read "
                    "--data-file=write -h,--help"
                ),
                operands="data*",
                syntax="ends",
                effects="write code",
            ),
            *alike(
                "report",
                "read code",
                options=(
                    "--contexts= --data-file=read --fail-under= --format= -i,--ignore-errors --include= "
                    "--keep-combined --omit= --precision= --sort= -m,--show-missing --skip-covered --no-skip-covered "
                    "--skip-empty --debug= -h,--help --rcfile=read"
                ),
            ),
            *alike(
                "html xml json lcov annotate",
                "read write code",
                options=(
                    "-d,--directory=write -o= --contexts= --data-file=read --fail-under= -i,--ignore-errors "
                    "--include= --keep-combined --omit= --precision= -q,--quiet --show-contexts --skip-covered "
                    "--no-skip-covered --skip-empty --title= --debug= -h,--help --rcfile=read"
                ),
            ),
            *alike("combine", "read write delete code"),
            *alike("erase", "delete code"),
        ),
        names_by=1,
        can="code: run; reads: report; writes: html, xml, json; deletes: erase",
    ),
    Program(
        "jest",
        options=(
            "-h,--help --version --all --automock -b --bail[=] --cache --changedFilesWithAncestor --changedSince="
            " --ci --clearCache --clearMocks --collectCoverage --collectCoverageFrom= --collectTests"
            " --color,--colors -c,--config=PROJECTFILE --coverage --coveragePathIgnorePatterns= --coverageProvider="
            " --coverageThreshold= --coverageReporters= --debug --detectLeaks --detectOpenHandles"
            " --errorOnDeprecated -e,--expand --findRelatedTests --forceExit --globals= --ignoreProjects="
            " --injectGlobals --json --lastCommit --listTests --logHeapUsage --maxConcurrency= -w,--maxWorkers="
            " --moduleFileExtensions= --modulePathIgnorePatterns= --noStackTrace --notify --notifyMode="
            " -o,--onlyChanged -f,--onlyFailures --openHandlesTimeout= --passWithNoTests --randomize --resetMocks"
            " --resetModules --restoreMocks -i,--runInBand --runTestsByPath --seed= --selectProjects= --shard="
            " --showConfig --showSeed --silent --skipFilter --rootDir=enter --roots= --projects="
            " --testEnvironmentOptions= --testFailureExitCode= --testLocationInResults --testMatch="
            " -t,--testNamePattern= --testPathIgnorePatterns= --testPathPatterns,--testPathPattern= --testRegex="
            " --testTimeout= --transformIgnorePatterns= --unmockedModulePathPatterns= -u,--updateSnapshot"
            " --useStderr --verbose --waitForUnhandledRejections --watch --watchAll --watchPathIgnorePatterns="
            " --watchman --workerGracefulExitTimeout= --workerThreads --testEnvironment=JSENVIRONMENT"
            " --env=JSENVIRONMENT"
        ),
        writes="--cacheDirectory=write --coverageDirectory=REPORT --outputFile=REPORT",
        runs=(
            "--filter= --globalSetup= --globalTeardown= --haste= --moduleDirectories= --moduleNameMapper="
            " --modulePaths= --preset= --prettierPath= --reporters=JSREPORTER --resolver= --runner= --setupFiles="
            " --setupFilesAfterEnv= --snapshotSerializers= --testResultsProcessor= --testRunner= --testSequencer="
            " --transform="
        ),
        operands="data*",
        syntax="camel exact no",
        traits="obeys",
        effects="code",
        can="code",
    ),
    Program(
        "vitest",
        options=(
            "-v,--version -r,--root=enter -c,--config=PROJECTFILE -u --update[=] -w,--watch -t,--testNamePattern="
            " --dir= --ui --open --silent[=] --hideSkippedTests --reporter=JSREPORTER --coverage"
            " --coverage.enabled[=] --coverage.reporter= --coverage.provider= --coverage.include="
            " --coverage.exclude= --coverage.all --coverage.thresholds* --mode= --isolate --globals --dom"
            " --browser[=] --browser.* --pool= --poolOptions.* --vmMemoryLimit= --fileParallelism --maxWorkers="
            " --minWorkers= --environment=JSENVIRONMENT --passWithNoTests --logHeapUsage --detectAsyncLeaks"
            " --allowOnly --dangerouslyIgnoreUnhandledErrors --shard= --changed[=] --sequence.* --inspect[=]"
            " --inspectBrk[=] --testTimeout= --hookTimeout= --bail[=] --retry= --exclude= --expandSnapshotDiff"
            " --disableConsoleIntercept --typecheck --typecheck.enabled --typecheck.only --project="
            " --slowTestThreshold= --teardownTimeout= --cache --maxConcurrency= --expect.* --printConsoleTrace"
            " --includeTaskLocation --run --color --clearScreen --standalone --mergeReports[=] --listTags[=]"
            " --clearCache --tagsFilter= --strictTags --experimental.* -h,--help --threads --single-thread"
            " --no-file-parallelism --api[=] --related --staged --compare= --json[=] --filesOnly"
        ),
        writes=(
            "--outputFile=REPORT --outputFile.*=REPORT --attachmentsDir=write --coverage.reportsDirectory=REPORT"
            " --outputJson=REPORT"
        ),
        runs=(
            "--execArgv= --diff= --configLoader= --typecheck.checker= --coverage.customProviderModule="
            " --globalSetup= --setupFiles= --environmentOptions= --runner="
        ),
        operands="data*",
        syntax="camel exact no",
        effects="code",
        can="code",
    ),
    Program(
        "mocha",
        options=(
            "--extension= --global,--globals= --ignore,--exclude= --watch-files= --watch-ignore= --allow-uncaught"
            " -A,--async-only -b,--bail --check-leaks -c,--color,--colors --delay --diff --dry-run --exit"
            " --fail-hook-affected-tests --pass-on-failing-test-suite --fail-zero --forbid-only --forbid-pending"
            " --full-trace --inline-diffs -i,--invert --list-interfaces --list-reporters -C,--no-colors"
            " -p,--parallel --posix-exit-codes --recursive -S,--sort -w,--watch --retries= -j,--jobs="
            " --config=PROJECTFILE -f,--fgrep= -g,--grep= --package=PROJECTFILE -R,--reporter=JSREPORTER -u,--ui="
            " -s,--slow= -t,--timeout,--timeouts= -h,--help -V,--version --file=PROJECTFILE --inspect --inspect-brk"
        ),
        runs="-n,--node-option= -O,--reporter-option,--reporter-options= -r,--require= --import= --loader=",
        operands="data*",
        syntax="exact no",
        traits="obeys",
        effects="code",
        can="code",
    ),
    Program("ava", operands="data*", traits="obeys", effects="code", can="code"),
    Program("tap", operands="data*", traits="obeys", effects="code", can="code"),
    Program(
        "nyc",
        aliases="c8",
        options=(
            "-r,--reporter= -n,--include= -x,--exclude= -e,--extension= -s,--silent -a,--all --cwd=enter"
            " --check-coverage --lines= --functions= --branches= --statements= --per-file --100 --src= --skip-full"
            " --exclude-after-remap --clean --cache --source-map --instrument --temp-dir=write"
            " --temp-directory=write --nycrc-path=read -c,--config=read -o,--report-dir,--reports-dir=write"
            " -i,--require= --hook-require --show-process-tree --allowExternal --omit-relative --resolve="
            " --wrapper-length= --merge-async -h,--help -v,--version"
        ),
        syntax="exact no",
        starts=Starts(optional=True, loose=True),
        traits="obeys",
        effects="code",
        can="code",
    ),
    Program("playwright", aliases="cypress", operands="data*", names_by=1, effects="code", can="code"),
    Program(
        "nodemon",
        options=(
            "--config=read --exitcrash -i,--ignore= --no-colors --colors --signal= -w,--watch= --no-update-notifier"
            " -C,--on-change-only --cwd=enter -e,--ext= -I,--no-stdin --stdin --spawn -x,--exec=TEXT -d,--delay="
            " -L,--legacy-watch -P,--polling-interval= --dump -h,--help -q,--quiet -v,--version -V,--verbose"
            " -r,--require= --inspect --inspect-brk"
        ),
        syntax="exact",
        starts=Starts(optional=True, loose=True),
        effects="code",
        can="code",
    ),
    Program("rspec", operands="data*", traits="obeys", effects="code", can="code"),
    Program("phpunit", operands="data*", traits="obeys", effects="code", can="code"),
    Program(
        "ruff",
        options="--color= -v,--verbose -q,--quiet -s,--silent --config=read --isolated -h,--help -V,--version",
        syntax="exact shared",
        subcommands=(
            Program(
                "check",
                options=(
                    "--fix>write --unsafe-fixes --no-unsafe-fixes --show-fixes --no-show-fixes --diff>read -w,--watch "
                    "--fix-only>write --no-fix --no-fix-only --ignore-noqa --output-format= --target-version= "
                    "--preview --no-preview --extension= --statistics --add-noqa[=]>write --add-ignore[=]>write "
                    "--show-files --show-settings --select= --ignore= --extend-select= --extend-ignore= "
                    "--per-file-ignores= --extend-per-file-ignores= --fixable= --unfixable= --extend-fixable= "
                    "--exclude=data --extend-exclude=data --respect-gitignore --no-respect-gitignore --force-exclude "
                    "--no-force-exclude -n,--no-cache --cache-dir=write --stdin-filename= -e,--exit-zero "
                    "--exit-non-zero-on-fix --line-length="
                ),
                writes="-o,--output-file=REPORT",
                operands="read*",
                syntax="exact",
                effects="read write",
            ),
            Program("analyze", syntax="exact open"),
            Program(
                "format",
                options=(
                    "--check!read>read --diff!read>read --extension= --target-version= --preview --no-preview "
                    "--output-format= -n,--no-cache --cache-dir=write --stdin-filename= --exit-non-zero-on-format "
                    "--respect-gitignore --no-respect-gitignore --exclude= --extend-exclude= --force-exclude "
                    "--no-force-exclude --line-length= --range="
                ),
                operands="write*",
                syntax="exact",
                traits="writes",
                effects="read write",
            ),
            *alike("rule", "none", options="--all --output-format=", syntax="exact"),
            *alike("linter config", "none", options="--output-format=", syntax="exact"),
            *alike("version", "none", options="--output-format=", syntax="exact"),
            *alike("clean", "delete", syntax="exact"),
        ),
        names_by=1,
        effects="none",
        can="writes: format, --fix; reads",
    ),
    Program(
        "black",
        aliases="blue",
        options=(
            "-c,--code= -l,--line-length= -t,--target-version= --pyi --ipynb --python-cell-magics= "
            "-x,--skip-source-first-line -S,--skip-string-normalization -C,--skip-magic-trailing-comma --preview "
            "--unstable --enable-unstable-feature= --check!read>read --diff!read>read --color --no-color "
            "--line-ranges= --fast --safe --required-version= --exclude= --extend-exclude= --force-exclude= "
            "--stdin-filename= --include= -W,--workers= -q,--quiet -v,--verbose --version --config=read -h,--help"
        ),
        operands="write*",
        traits="writes",
        effects="read write",
        can="writes",
    ),
    Program(
        "isort",
        options=(
            "-h,--help -V,--version --vn,--version-number -v,--verbose --only-modified,--om --dedup-headings "
            "-q,--quiet -d,--stdout!read+code>read --overwrite-in-place --show-config!read --show-files!read "
            "--df,--diff!read+code>read -c,--check-only,--check!read+code>read --ws,--ignore-whitespace "
            "--sp,--settings-path,--settings-file,--settings=read --cr,--config-root=look --resolve-all-configs "
            "--profile= -j,--jobs[=] --ac,--atomic --format-error= --format-success= --srx,--sort-reexports "
            "--filter-files -s,--skip= --extend-skip= --sg,--skip-glob= --extend-skip-glob= "
            "--gitignore,--skip-gitignore --dont-follow-links --filename= --allow-root -a,--add-import= "
            "--append,--append-only --af,--force-adds --rm,--remove-import= --float-to-top --dont-float-to-top "
            "--ca,--combine-as --cs,--combine-star -e,--balanced --ff,--from-first -i,--indent= "
            "--lai,--lines-after-imports= --ls,--length-sort -m,--multi-line= --sl,--force-single-line-imports "
            "--tc,--trailing-comma --up,--use-parentheses -l,-w,--line-length,--line-width= --color "
            "--fss,--force-sort-within-sections --src,--src-path=look -o,--thirdparty= -p,--project= "
            "--py,--python-version="
        ),
        operands="write*",
        syntax="exact",
        traits="writes",
        effects="read write code",
        can="writes",
    ),
    Program(
        "autopep8",
        options=(
            "-h,--help --version -v,--verbose -d,--diff!read>read -i,--in-place --global-config=read "
            "--ignore-local-config -r,--recursive -j,--jobs= -p,--pep8-passes= -a,--aggressive --experimental "
            "--exclude= --list-fixes!none --ignore= --select= --max-line-length= --line-range,--range== --hang-closing "
            "--exit-code"
        ),
        operands="write*",
        traits="writes",
        effects="read write",
        can="writes",
    ),
    Program(
        "yapf",
        options=(
            "-h,--help -v,--version -d,--diff!read>read -i,--in-place>write -q,--quiet -r,--recursive -l,--lines= "
            "-e,--exclude= --style= --style-help --no-local-style -p,--parallel -m,--print-modified -vv,--verbose"
        ),
        operands="read*",
        traits="writes",
        effects="read",
        can="writes: -i, --in-place; reads",
    ),
    Program("pyupgrade", operands="write*", traits="writes", effects="read write", can="writes"),
    Program(
        "mypy",
        options=(
            "--enable-incomplete-feature= --no-native-parser -h,--help -v,--verbose -V,--version -O,--output="
            " --warn-unused-configs --no-namespace-packages --namespace-packages --ignore-missing-imports"
            " --follow-untyped-imports --follow-imports= --no-site-packages --no-silence-site-packages"
            " --python-version= --platform= --always-true= --always-false= --disallow-any-expr"
            " --disallow-any-decorated --disallow-any-explicit --disallow-any-generics --allow-any-generics"
            " --disallow-any-unimported --disallow-subclassing-any --disallow-untyped-calls"
            " --untyped-calls-exclude= --disallow-untyped-defs --disallow-incomplete-defs --check-untyped-defs"
            " --disallow-untyped-decorators --implicit-optional --no-implicit-optional --no-strict-optional"
            " --warn-redundant-casts --warn-unused-ignores --no-warn-no-return --warn-return-any --warn-unreachable"
            " --report-deprecated-as-note --deprecated-calls-exclude= --allow-untyped-globals --allow-redefinition"
            " --allow-redefinition-old --allow-redefinition-new --no-implicit-reexport --implicit-reexport"
            " --strict-equality --strict-equality-for-none --no-strict-bytes --strict-bytes --extra-checks --strict"
            " --no-strict --disable-error-code= --enable-error-code= --show-error-context --show-column-numbers"
            " --hide-column-numbers --show-error-end --hide-error-codes --show-error-codes --show-error-code-links"
            " --hide-error-code-links --pretty --no-pretty --no-color-output --no-error-summary"
            " --show-absolute-path --no-incremental --incremental --cache-dir=write --sqlite-cache"
            " --no-sqlite-cache --cache-fine-grained --no-fixed-format-cache --fixed-format-cache"
            " --skip-version-check --skip-cache-mtime-checks --pdb --show-traceback,--tb --raise-exceptions"
            " --custom-typing-module= --custom-typeshed-dir=read --warn-incomplete-stub --shadow-file="
            " -n,--num-workers= --find-occurrences= --scripts-are-modules --non-interactive --interactive"
            " --explicit-package-bases --exclude= --exclude-gitignore -m,--module= -p,--package= -c,--command="
            " --junit-format= --local-partial-types --bazel --no-warn-unused-ignores --allow-untyped-defs"
            " --allow-untyped-calls --allow-untyped-decorators --allow-incomplete-defs --allow-subclassing-any"
            " --no-check-untyped-defs --show-error-code --fast-exit --no-fast-exit"
        ),
        writes=(
            "--junit-xml=REPORT --any-exprs-report= --cobertura-xml-report= --html-report= --linecount-report="
            " --linecoverage-report= --lineprecision-report= --txt-report= --xml-report= --xslt-html-report="
            " --xslt-txt-report= --timing-stats= --line-checking-stats="
        ),
        runs="--config-file=OWNCONFIG --python-executable=INTERPRETER --install-types",
        operands="LISTED*",
        effects="read code",
        can="reads",
    ),
    Program(
        "dmypy",
        options="-h,--help -v,--verbose -V,--version",
        writes="--status-file=NOWHERE --log-file=NOWHERE --perf-stats-file=NOWHERE --junit-xml=REPORT",
        operands="data*",
        syntax="open",
        names_by=1,
        effects="read code",
        can="reads",
    ),
    Program(
        "pyright",
        aliases="basedpyright",
        options=(
            "-h,--help --version --dependencies --ignoreexternal --level= --outputjson -p,--project=OWNCONFIG "
            "--pythonplatform= --pythonversion= --skipunannotated --stats -t,--typeshedpath=read --threads[=] "
            "-v,--venvpath=read --verbose --verifytypes= -w,--watch --warnings"
        ),
        writes="--createstub= --writebaseline",
        runs="--pythonpath=",
        operands="read*",
        effects="read code",
        can="reads",
    ),
    Program(
        "pylint",
        options=(
            "-h,--help --help-msg[=] --list-msgs --list-msgs-enabled --list-groups --list-conf-levels"
            " --list-extensions --full-documentation --generate-rcfile --generate-toml-config --long-help"
            " -E,--errors-only -v,--verbose --enable-all-extensions --ignore= --ignore-patterns= --ignore-paths="
            " --persistent= --fail-under= --fail-on= -j,--jobs= --limit-inference-results="
            " --extension-pkg-allow-list= --extension-pkg-whitelist= --exit-zero --from-stdin --source-roots="
            " --recursive= --py-version= --ignored-modules= --analyse-fallback-blocks= --clear-cache-post-run="
            " --prefer-stubs= --files -f,--output-format=FORMATTER -r,--reports= --evaluation= -s,--score="
            " --msg-template= --confidence= -e,--enable= -d,--disable= --max-* --min-* --ignore-* --ignored-*"
            " --good-names* --bad-names* --notes= --notes-rgx= --generated-members= --dummy-variables-rgx="
            " --additional-builtins= --known-* --no-docstring-rgx= --docstring-min-length= --single-line-*"
            " --expected-line-ending-format= --indent-string= --indent-after-paren= --version --argument-* --attr-*"
            " --class-* --const-* --function-* --inlinevar-* --method-* --module-* --variable-* --logging-*"
            " --spelling-dict= --spelling-ignore-* --include-naming-hint= --init-import= --allow-*"
            " --deprecated-modules= --preferred-modules= --overgeneral-exceptions= --never-returning-functions="
            " --suggest-join-with-non-empty-separator= --mixin-class-rgx= --contextmanager-decorators="
            " --missing-member-* --signature-mutators= --check-* --exclude-too-few-public-methods="
            " --redefining-builtins-modules= --allowed-redefined-builtins= --defining-attr-methods= --valid-*"
            " --exclude-protected= --known-side-effects-only-functions= --property-classes= --name-group="
            " --paramspec-* --typealias-* --typevar* --timeout-methods= --callbacks="
        ),
        writes="--output=REPORT --import-graph=REPORT --ext-import-graph=REPORT --int-import-graph=REPORT",
        runs="--rcfile=OWNCONFIG --init-hook= --load-plugins= --spelling-store-unknown-words=",
        operands="read*",
        traits="obeys",
        effects="read code",
        can="reads",
    ),
    Program(
        "flake8",
        options=(
            "-h,--help -v,--verbose --isolated --version -q,--quiet --color= --count --exclude= --extend-exclude="
            " --filename= --stdin-display-name= --format= --hang-closing --ignore= --extend-ignore="
            " --per-file-ignores= --max-* --indent-size= --select= --extend-select= --disable-noqa --show-source"
            " --no-show-source --statistics --exit-zero -j,--jobs= --tee --benchmark --bug-report --builtins="
            " --doctests --include-in-doctest= --exclude-from-doctest= --application-import-names="
            " --import-order-style= --docstring-convention= --ban-relative-imports --inline-quotes="
        ),
        writes="--output-file=REPORT",
        runs="--config=OWNCONFIG --append-config=OWNCONFIG --enable-extensions= --require-plugins=",
        operands="read*",
        traits="obeys",
        effects="read code",
        can="reads",
    ),
    Program(
        "bandit",
        options=(
            "-h,--help --version -r,--recursive -a,--aggregate= -n,--number= -c,--configfile=OWNCONFIG -p,--profile= "
            "-t,--tests= -s,--skip= -l,--level --severity-level= -i,--confidence --confidence-level= -f,--format= "
            "--msg-template= -v,--verbose -d,--debug -q,--quiet,--silent --ignore-nosec -x,--exclude= "
            "-b,--baseline=read --ini=read --exit-zero"
        ),
        writes="-o,--output=REPORT",
        operands="read*",
        effects="read code",
        can="reads",
    ),
    Program(
        "pyflakes", aliases="pycodestyle pydocstyle vulture yamllint", operands="read*", effects="read", can="reads"
    ),
    Program(
        "eslint",
        aliases="eslint_d",
        options=(
            "--config-lookup --eslintrc --ext= --global= --env= --parser-options= --rule= --fix>write --fix-dry-run"
            " --fix-type= --ignore --ignore-path=read --ignore-pattern= --stdin --stdin-filename= --quiet"
            " --max-warnings= -f,--format=FORMATTER --color --no-inline-config --inline-config"
            " --report-unused-disable-directives --report-unused-disable-directives-severity="
            " --report-unused-inline-configs= --cache --cache-strategy= --suppress-all --suppress-rule="
            " --prune-suppressions --pass-on-unpruned-suppressions --env-info --error-on-unmatched-pattern"
            " --exit-on-fatal-error --warn-ignored --pass-on-no-patterns --debug -h,--help -v,--version"
            " --print-config=read --stats --flag= --concurrency="
        ),
        writes="-o,--output-file=REPORT --cache-file=write --cache-location=write --suppressions-location=write",
        runs=(
            "-c,--config=OWNCONFIG --inspect-config --parser= --plugin= --rulesdir= --resolve-plugins-relative-to="
            " --init --mcp"
        ),
        operands="read*",
        syntax="exact no",
        effects="read code",
        can="writes: --fix; reads",
    ),
    Program(
        "prettier",
        options=(
            "-c,--check -l,--list-different -w,--write>write --arrow-parens= --bracket-same-line --bracket-spacing"
            " --embedded-language-formatting= --end-of-line= --experimental-operator-position="
            " --experimental-ternaries --html-whitespace-sensitivity= --jsx-single-quote --object-wrap= --parser="
            " --print-width= --prose-wrap= --quote-props= --semi --single-attribute-per-line --single-quote"
            " --tab-width= --trailing-comma= --use-tabs --vue-indent-script-and-style --no-config"
            " --config-precedence= --editorconfig --find-config-path=read --ignore-path=read --with-node-modules"
            " --cursor-offset= --range-end= --range-start= --cache --cache-strategy= --check-ignore-pragma --color"
            " --error-on-unmatched-pattern --no-errors-on-unmatched --file-info=read -h,--help[=]"
            " -u,--ignore-unknown --insert-pragma --log-level,--loglevel= --require-pragma --stdin-filepath="
            " --support-info -v,--version --no-plugin-search"
        ),
        writes="--cache-location=write",
        runs="--config=OWNCONFIG --plugin= --plugin-search-dir=",
        operands="read*",
        syntax="exact no",
        effects="read code",
        can="writes: --write, -w; reads",
    ),
    Program("biome", names_by=1, can="writes: --write, --fix, migrate; reads"),
    Program(
        "stylelint",
        aliases="standard xo oxlint",
        runs=(
            "-c=OWNCONFIG --config=OWNCONFIG --plugins= --custom-formatter= --custom-syntax= -o=REPORT"
            " --output-file=REPORT"
        ),
        operands="read*",
        syntax="exact no open",
        effects="read code",
        can="writes: --fix; reads",
    ),
    Program(
        "golangci-lint",
        options=(
            "-c= -D= -E= -e= -j= -p= -v --build-tags= --config= --out-format= --timeout= --new-from-rev= --concurrency="
        ),
        writes="--cpu-profile-path=REPORT --mem-profile-path=REPORT --trace-path=REPORT",
        operands="data*",
        syntax="exact open",
        names_by=1,
        effects="read code",
        can="writes: --fix; reads",
    ),
    Program("staticcheck", aliases="govulncheck", operands="read*", effects="read code", can="reads"),
    Program(
        "rubocop",
        writes="-o=REPORT --out=REPORT",
        runs="-r= --require= --plugin= -c= --config=",
        operands="read*",
        syntax="open",
        traits="obeys",
        effects="read code",
        can="writes: -a, -A, --auto-correct; reads",
    ),
    Program(
        "clang-format",
        options=(
            "-i>write -n,-dry-run!read>read -Werror -Wno-error= -assume-filename= -cursor= -dump-config "
            "-fallback-style= -ferror-limit= -files=read -length= -lines= -offset= -output-replacements-xml "
            "-qualifier-alignment= -sort-includes -style= -verbose -help -version"
        ),
        operands="read*",
        syntax="words",
        effects="read write",
        can="writes: -i; reads",
    ),
    Program(
        "shellcheck",
        options=(
            "-a,--check-sourced -C,--color[=] -i,--include= -e,--exclude= -f,--format= "
            "--list-optional --norc -o,--enable= -P,--source-path= -s,--shell= -S,--severity= "
            "-V,--version -W,--wiki-link-count= -x,--external-sources --help"
        ),
        operands="read*",
        effects="read",
        can="reads",
    ),
    Program("hadolint", aliases="actionlint", can="reads"),
    Program(
        "shfmt",
        options=(
            "-l,-list -w,-write>write -d,-diff -s,-simplify -mn,-minify -apply-ignore -ln,-language-dialect= "
            "-p,-posix -filename= -i,-indent= -bn,-binary-next-line -ci,-case-indent -sr,-space-redirects "
            "-kp,-keep-padding -fn,-func-next-line -f,-find -version -h,-help"
        ),
        operands="read*",
        syntax="words",
        effects="read",
        can="writes: -w; reads",
    ),
)
