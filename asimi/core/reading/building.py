"""Readers of the values that compilers, build tools and package managers take; `readers` has the rest and the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asimi.core.reading.values import Reader

_FLAG = (
    r"-(?:O\w*|g\w*|s|w|v|pipe|pthread|static|shared|ansi|pedantic|std=[\w+:]+|m[\w.+=-]+|D\w+(?:=[\w.+-]*)?|U\w+"
    r"|W(?!l,|a,|p,)[\w=+-]*|f(?!plugin|pass-plugin|use-ld)[\w=+,-]*|[ILl][\w./+-]+)"
)
"""A compiler's flag that names no program (GCC manual, Option Summary)."""

_FLAGS = rf"(?:{_FLAG}(?:\s+{_FLAG})*)?"


def _one_of(said: str, *regexes: str, flags: str = "") -> tuple[str, str]:
    """A reader that knows every value that does nothing."""
    return f"(?a{flags})" + "|".join(f"(?:{each})" for each in regexes), said


READERS: dict[str, Reader] = {
    # apt.conf(5): many settings name programs
    "APT": _one_of(
        "takes a setting that could name a program to run",
        r"acquire::(?:retries|forceipv[46]|queue-mode|languages|check-(?:valid-until|date)|(?:https?|ftp)::timeout)=[\w:-]*",
        r"apt::(?:install-(?:recommends|suggests)|get::[a-z-]+|color|sandbox::user|acquire::retries)=[\w:-]*",
        r"dpkg::(?:options::=--force-(?:conf(?:old|def|new|miss|ask)|unsafe-io|overwrite)|use-pty=\w+|lock::timeout=-?\d+)",
        r"debug::[\w:]+=\w+",
        flags="i",
    ),
    # environments of tox and sessions of nox whose names say that they check; others may publish
    "CHECKNAMES": _one_of(
        "runs what has that name",
        r"(?:,?(?![\w-]*(?:publish|deploy|release|upload|push))(?:py(?:py)?[\d.]*|tests?|lint(?:ing|ers?)?|typ(?:e|es|ing)|typecheck"
        r"|mypy|pyright|check|build|format|fmt|style|flake8|ruff|pylint|black|isort|cov(?:erage)?|docs?|spec|unit|integration"
        r"|pre-commit|static|security|doctests?)(?:[-_.][\w.-]*)?)+",
    ),
    # cmake(1), -D: variables that name a compiler, a launcher, a toolchain or code to include
    "CMAKE": _one_of(
        "takes a variable that could name a program or code",
        r"CMAKE_(?:BUILD_TYPE|EXPORT_COMPILE_COMMANDS|POSITION_INDEPENDENT_CODE|VERBOSE_MAKEFILE|UNITY_BUILD|COLOR_\w+"
        r"|C(?:XX)?_(?:STANDARD|EXTENSIONS)\w*|INTERPROCEDURAL_\w+|OSX_\w+|CUDA_ARCHITECTURES|SYSTEM_NAME)(?::\w+)?=[\w.;+-]*",
        r"CMAKE_(?:INSTALL_\w+|PREFIX_PATH|\w+_OUTPUT_DIRECTORY|MAKE_PROGRAM)(?::\w+)?=(?!.*=)(?:ninja|make|[\w./;+~-]*/?)"
        r"(?<!PROGRAM)",
        r"CMAKE_(?:C|CXX|CUDA|Fortran)_COMPILER(?:_LAUNCHER)?(?::\w+)?=(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ccache|sccache)"
        r"(?:-\d+)?",
        rf"CMAKE_(?:C|CXX|(?:EXE|SHARED|MODULE)_LINKER)_FLAGS(?:_[A-Z]+)?(?::\w+)?={_FLAGS}",
        r"(?!CMAKE_|\w*(?:EXECUTABLE|PROGRAM|COMMAND))\w+(?::\w+)?=[\w .,;:+-]*",
        r"(?!CMAKE_)\w+(?:_DIR|_ROOT|_PATH|_PREFIX|_DIRS)(?::\w+)?=[\w./;+~-]*",
    ),
    # rustc -C help: `linker`, `link-arg` and their like name programs
    "CODEGEN": _one_of(
        "takes a setting that could name a program to run",
        r"-C|--codegen|--|help",
        r"(?:-C)?(?:opt-level|debuginfo|target-cpu|tune-cpu|target-feature|lto|embed-bitcode|codegen-units|panic|strip|overflow-checks"
        r"|debug-assertions|relocation-model|code-model|instrument-coverage|prefer-dynamic|rpath|split-debuginfo"
        r"|force-frame-pointers|control-flow-guard|no-prepopulate-passes|symbol-mangling-version|metadata|extra-filename)"
        r"(?:=[\w.,+-]*)?",
        r"-[AWDF]|--(?:allow|warn|deny|forbid|cap-lints|cfg|check-cfg|edition|print)|[\w:]+",
        r"--(?:cap-lints|cfg|edition)=[\w=\"-]+",
    ),
    # the manual page of dnf.conf
    "DNF": _one_of(
        "takes a setting that could name a program or a plug-in",
        r"(?:install_weak_deps|tsflags|fastestmirror|keepcache|max_parallel_downloads|timeout|retries|sslverify|deltarpm"
        r"|skip_if_unavailable|[\w*-]+\.skip_if_unavailable|color|best|assumeyes|obsoletes|clean_requirements_on_remove"
        r"|protected_packages|metadata_expire|ip_resolve)=[\w.,-]*",
    ),
    # formatters that eslint 10, prettier and jest have themselves; others are files or packages that it loads
    "FORMATTER": _one_of(
        "loads that formatter",
        r"stylish|json2?|json-with-metadata|html|compact|unix|tap|junit|checkstyle|visualstudio|text|parseable|colorized|github",
    ),
    # formatters that RSpec 3 and RuboCop 1 have themselves; others are classes that they load
    "RUBYFORMATTER": _one_of(
        "loads that formatter",
        r"p|progress|d|doc|documentation|h|html|j|json|f|failures|ju|junit|c|clang|e|emacs|fi|files|fu|fuubar|g|github|m|markdown"
        r"|o|offenses|q|quiet|s|simple|t|tap|w|worst|a|autogenconf|pa|pacman",
    ),
    # loggers that the .NET SDK brings; others are assemblies that it looks for (`dotnet test`)
    "DOTNETLOGGER": _one_of("loads that logger", r"(?:console|trx|html)(?:;(?:verbosity|LogFilePrefix)=[\w.-]+)*"),
    # go help build: `-ldflags` and `-gcflags` are handed to the linker and the compiler
    "GOFLAGS": _one_of(
        "hands this on to the linker or the compiler, which could start a program",
        r"(?:[\w./*]+=)?(?:\s*(?:-[swNlmBSV]|-m=\d|-e|-race|-compressdwarf=\w+|-buildid=\w*|-linkmode=\w+|-dwarf=\w+"
        r"|-extldflags[= ](?:-static|'-static'|\"-static\")|-X[= ](?:'[^']*'|\"[^\"]*\"|[^\s'\"]+)))*\s*",
    ),
    # a version, or an interpreter where a project or the system keeps it
    "INTERPRETER": _one_of(
        "starts that interpreter",
        r"(?:(?:c?python|pypy|graalpy)[-@]?)?\d+(?:\.\d+)*[\w.+<>=!,*-]*|python3?|(?:[<>=!~]=?[\d.]+,?)+",
        r"(?:\./)?\.?venv(?:/bin/python[\d.]*)?|/usr(?:/local)?/bin/python[\d.]*",
    ),
    # GCC manual, Link Options
    "LD": _one_of("starts that linker", r"bfd|gold|lld|mold|ld|lld-link|lld-\d+"),
    # ld(1), behind `-Wl,`; a warning is read by its beginning, too
    "LINKER": _one_of(
        "hands this on to the linker, which could load a plug-in",
        r"[^,].*|",
        r"(?:,(?:--?(?:rpath|rpath-link|soname|install_name|z|O\d?|s|S|x|as-needed|no-as-needed|start-group|end-group|whole-archive"
        r"|no-whole-archive|gc-sections|no-undefined|export-dynamic|E|Bstatic|Bdynamic|Bsymbolic[\w-]*|build-id|strip-all"
        r"|strip-debug|hash-style|enable-new-dtags|disable-new-dtags|dead_strip|undefined|allow-multiple-definition"
        r"|no-allow-shlib-undefined|headerpad_max_install_names|stack|subsystem|print-gc-sections|v|warn-common"
        r"|fatal-warnings|allow-shlib-undefined|exclude-libs|sort-common|no-keep-memory|pie|no-pie|Ttext|Tdata)(?:=[^,]*)?"
        r"|(?!-)[^,]*))*",
    ),
    # GCC manual, Assembler Options, Preprocessor Options: `-Wa,-o,FILE` and `-Wp,-MD,FILE` write
    "PASSED": _one_of(
        "hands this on to the assembler or the preprocessor, which could write a file",
        r"[^,].*|",
        r"(?:,(?:-[DU]\w+(?:=[\w.+-]*)?|-I[^,]*|-[mgW][\w=+-]*|-a[cdghlmns]*|-[LvPCf]|-O\d?|--(?:no)?execstack|--(?:no-)?warn|--\d\d"
        r"|--(?:fatal-warnings|strip-local-absolute|gdwarf-\d|gstabs\+?|traditional-format)|-traditional))*",
    ),
    # GCC manual; the file that one may name is looked at where it leads (`asimi.core.reading.account`)
    "FLAG": _one_of("takes what is no flag", r"[^\n]*"),
    # the file of rules of a program that runs the project's code; `-` and /dev/stdin hold what nobody has seen
    "PROJECTFILE": _one_of("takes its rules from there", r"(?:(?!\.\./)[\w@%+.][\w@%+.-]*/)*[\w@%+.][\w@%+.-]*"),
    # what jest, vitest and mocha have themselves; others are files or packages that they load
    "JSENVIRONMENT": _one_of(
        "loads that environment", r"node|jsdom|happy-dom|edge-runtime|jest-environment-(?:node|jsdom)"
    ),
    "JSREPORTER": _one_of(
        "loads that reporter",
        r"default|verbose|basic|dot|json|junit|tap|tap-flat|html|blob|summary|github-actions|agents|hanging-process|spec|min|nyan|list"
        r"|progress|landing|line|github|doc|xunit|minimal|tree|silent|jest-silent-reporter|jest-junit",
    ),
    # what istanbul has itself; others are packages that it loads
    "JSCOVERAGE": _one_of(
        "loads that reporter",
        r"clover|cobertura|html|html-spa|json|json-summary|lcov|lcovonly|none|teamcity|text|text-lcov|text-summary",
    ),
    # ninja -t list: `browse` starts a server
    "NINJATOOL": _one_of(
        "starts a program or removes files with that tool",
        r"commands|compdb(?:-targets)?|deps|graph|inputs|list|missingdeps|multi-inputs|path|query|rules|targets|urtle",
    ),
    # a file that says by its name that it is a result, so nothing else is lost
    "REPORT": _one_of(
        "writes a file",
        r"/dev/(?:null|stdout|stderr)|-",
        r"(?:\./)?(?:[\w-]+/)*[\w-]*(?:cover|cov|junit|report|result|profile|prof\b|bench|trace|pytest|mem|cpu)[\w-]*"
        r"(?:\.(?:out|xml|json|html|txt|log|prof|pprof|lcov|info|svg|sarif|test))+",
    ),
    # pytest(1) -p; pytest-cov(1) --cov-report=TYPE[:FILE]
    "PYTESTPLUGIN": _one_of("loads that plug-in", r"no:[\w.-]+"),
    "COVREPORT": _one_of(
        "writes a file", r"(?:term|term-missing|annotate|html|xml|json|lcov|markdown)?(?::skip-covered)?"
    ),
    # what a checker would read without being told to
    "OWNCONFIG": _one_of(
        "reads settings that can name code to run",
        r"(?:\./)?(?:pyproject\.toml|setup\.cfg|tox\.ini|\.?(?:mypy|flake8|ruff|isort|pylintrc|bandit)(?:\.(?:ini|toml|cfg|ya?ml))?"
        r"|(?:eslint|prettier|stylelint)\.config\.[cm]?[jt]s|\.(?:eslintrc|prettierrc|stylelintrc)(?:\.\w+)?|package\.json)",
    ),
    # a revision that a program hands to git, or to a shell that starts git
    "REVISION": _one_of("hands an option to git", r"(?!-)[\w./@~^-]+"),
    # a plain name, and no path of a module
    "WORD": _one_of("loads what is no plain name", r"[A-Za-z][\w-]*"),
    # rpm(8), --eval: `%(…)` starts a program, `%{lua:…}` runs code
    "RPM": _one_of("runs what this macro says", r"(?:[\w .:/-]|%\{?[?!]*\w+\}?)*"),
}
