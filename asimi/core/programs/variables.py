"""Variables that mean something to bash or to programs, what declares and compares them, and the few that are free.

Bash's own are from the bash manual, Shell Variables, and from bash 5.2's `variables.c`.
"""

from __future__ import annotations

from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Collection

COMPARISONS = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
"""Operators that compare numbers: `[` evaluates nothing for them, `[[` its operands."""

SECRETS = (
    "*TOKEN*", "*SECRET*", "*PASSWORD*", "*PASSWD*", "*PASSPHRASE*", "*CREDENTIAL*", "*API_KEY*", "*APIKEY*",
    "*ACCESS_KEY*", "*PRIVATE_KEY*", "*_KEY", "*AUTH*", "*COOKIE*", "*_DSN", "*_PASS", "*_PWD", "PGPASSFILE",
    "*CONNECTION_STRING*", "*DATABASE_URL", "*DATABASE_URI", "*DB_URL", "*DB_URI", "*REDIS_URL", "*REDIS_URI",
    "*AMQP_URL", "*AMQP_URI", "*RABBITMQ_URL", "*BROKER_URL", "*MONGO_URL", "*MONGO_URI", "*MONGODB_URL",
    "*MONGODB_URI", "*POSTGRES_URL", "*POSTGRESQL_URL", "*MYSQL_URL", "*CLOUDINARY_URL", "*WEBHOOK_URL",
)  # fmt: skip
"""Names that look like credentials, for `drop = ["secrets"]`; `SSH_AUTH_SOCK` is a path and stays."""

FREE = frozenset(
    "ANSIBLE_FORCE_COLOR ANSIBLE_NOCOLOR APP_ENV AWS_DEFAULT_OUTPUT AWS_DEFAULT_REGION AWS_PROFILE AWS_REGION"
    " CARGO_BUILD_JOBS CARGO_INCREMENTAL CARGO_NET_OFFLINE CARGO_TERM_COLOR CGO_ENABLED CHECKPOINT_DISABLE CI"
    " CLICOLOR CLICOLOR_FORCE COLORTERM COLUMNS CUDA_LAUNCH_BLOCKING CUDA_VISIBLE_DEVICES DEBIAN_FRONTEND DEBUG"
    " DISABLE_SPRING DOCKER_BUILDKIT DO_NOT_TRACK FLASK_ENV FORCE_COLOR GIT_TERMINAL_PROMPT GO111MODULE GOARCH"
    " GOMAXPROCS GOOS GOTRACEBACK HF_HUB_OFFLINE HIP_VISIBLE_DEVICES HOMEBREW_NO_AUTO_UPDATE HOST IFS LANG LANGUAGE"
    " LINES LOG_LEVEL MIX_ENV MKL_NUM_THREADS MYSQL_PWD NCCL_DEBUG NEXT_TELEMETRY_DISABLED NODE_DISABLE_COLORS"
    " NODE_ENV NODE_NO_WARNINGS NO_COLOR NO_UPDATE_NOTIFIER NUMEXPR_NUM_THREADS NVIDIA_VISIBLE_DEVICES"
    " OMP_NUM_THREADS OPENBLAS_NUM_THREADS PGDATABASE PGHOST PGPASSWORD PGPORT PGUSER PIP_DISABLE_PIP_VERSION_CHECK"
    " PORT PYTHONASYNCIODEBUG PYTHONDEVMODE PYTHONDONTWRITEBYTECODE PYTHONFAULTHANDLER PYTHONHASHSEED"
    " PYTHONIOENCODING PYTHONTRACEMALLOC PYTHONUNBUFFERED PYTHONUTF8 PYTHONWARNINGS PY_COLORS RACK_ENV RAILS_ENV"
    " RAYON_NUM_THREADS RUST_BACKTRACE RUST_LOG RUST_TEST_THREADS SOURCE_DATE_EPOCH TERM TF_CPP_MIN_LOG_LEVEL"
    " TF_IN_AUTOMATION TF_LOG TOKENIZERS_PARALLELISM TRANSFORMERS_OFFLINE TZ VECLIB_MAXIMUM_THREADS VERBOSE"
    " WANDB_MODE".split()
)
"""Names that choose a language, a colour, a mode, a device, an account: free before a command and in `export`."""

FREE_BEGINNINGS = ("LC_", "NEXT_PUBLIC_", "REACT_APP_", "VITE_")
"""Also of locales, and of constants for the code of a page (Next.js, Create React App, Vite)."""

_PAGER = pattern(r"(?:cat)?")
_EDITOR = pattern(r"true|:")
_COMPILER = pattern(r"(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(?:-\d+)?")
_HERE = pattern(r"(?:(?:https?|wss?)://)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:/[\w./-]*)?", ASCII)
_TESTED = pattern(
    r"(?:postgres(?:ql)?|mysql2?)(?:\+\w+)?://(?:[\w.-]+(?::[\w.-]*)?@)?(?:localhost|127\.0\.0\.1)(?::\d{1,5})?"
    r"/(?:\w+[_-])?tests?(?:[_-]\w+)?",
    ASCII,
)
FREE_VALUES = {
    **dict.fromkeys(
        "API_BASE_URL API_URL APP_BASE_URL APP_URL BACKEND_URL BASE_URL CYPRESS_BASE_URL E2E_BASE_URL E2E_URL"
        " FRONTEND_URL PLAYWRIGHT_BASE_URL PLAYWRIGHT_TEST_BASE_URL SERVER_URL SITE_URL TEST_BASE_URL TEST_URL".split(),
        _HERE,
    ),
    **dict.fromkeys(("DATABASE_URL", "TEST_DATABASE_URL"), _TESTED),
    "AWS_PAGER": _PAGER, "GIT_PAGER": _PAGER, "PAGER": _PAGER, "SYSTEMD_PAGER": _PAGER,
    "EDITOR": _EDITOR, "GIT_EDITOR": _EDITOR, "GIT_SEQUENCE_EDITOR": _EDITOR,
    "CC": _COMPILER, "CXX": _COMPILER,
    "NODE_OPTIONS": pattern(
        r"(?: ?(?:--max-old-space-size=\d+|--experimental-vm-modules|--enable-source-maps|--no-deprecation"
        r"|--no-warnings|--openssl-legacy-provider|--trace-deprecation|--trace-uncaught|--trace-warnings))+"
    ),
    "MPLBACKEND": pattern(r"(?i:agg|cairo|pdf|ps|svg)"),
    "QT_QPA_PLATFORM": pattern(r"minimal|offscreen"),
    "RUSTFLAGS": pattern(r"-[ADW] ?[\w:-]+|-C target-cpu=native"),
}  # fmt: skip
"""Names whose values may say more than a choice, with those that are free before one command.

`NODE_OPTIONS` takes options that load nothing (Node.js, Command-line API); a backend of Matplotlib may be a module.
The others name a server or a database: it is one of this machine, and the database is one for tests by its name.
"""


OWN_CODE = frozenset(
    "alembic celery coverage django-admin flask gunicorn ipython jupyter nox poetry pytest python streamlit torchrun"
    " tox uv uvicorn".split()
)
"""Programs that run the code of the project, so `PYTHONPATH` may name more of it."""

OWN_PATHS = pattern(r"(?:(?:\./)?(?:\.|src|lib|tests?)/?(?::|\Z))+(?<!:)", ASCII)
"""Directories in which a project has its own code; code of others may be in any other one (`vendor`)."""


BELOW = pattern(r"(?>(?:\./)*)(?:\.|\w[\w.-]*+)(?>(?:/\w[\w.-]*+)*)/?", ASCII)
"""A directory below another."""


def is_free(name: str, value: str | None = None) -> bool:
    """Whether a variable, before one command, can only choose how a program does what it does anyway.

    Args:
        name: its name.
        value: what it gets, None where that is not known.
    """
    if name in FREE_VALUES:
        return value is not None and FREE_VALUES[name].fullmatch(value) is not None
    return name in FREE or name.startswith(FREE_BEGINNINGS)


BASH = frozenset(
    {
        "BASH", "BASHOPTS", "BASHPID", "BASH_ALIASES", "BASH_ARGC", "BASH_ARGV", "BASH_ARGV0", "BASH_CMDS",
            "BASH_COMMAND", "BASH_COMPAT", "BASH_ENV",
        "BASH_EXECUTION_STRING", "BASH_FUNC_", "BASH_LINENO", "BASH_LOADABLES_PATH", "BASH_MONOSECONDS",
            "BASH_REMATCH", "BASH_SOURCE", "BASH_SUBSHELL",
        "BASH_TRAPSIG", "BASH_VERSINFO", "BASH_VERSION", "BASH_XTRACEFD", "CDPATH", "CHILD_MAX", "COLUMNS",
            "COMP_CWORD", "COMP_KEY", "COMP_LINE",
        "COMP_POINT", "COMP_TYPE", "COMP_WORDBREAKS", "COMP_WORDS", "COMPREPLY", "COPROC", "DIRSTACK",
            "EMACS", "ENV", "EPOCHREALTIME", "EPOCHSECONDS", "EUID",
        "EXECIGNORE", "FCEDIT", "FIGNORE", "FUNCNAME", "FUNCNEST", "GLOBIGNORE", "GLOBSORT", "GROUPS",
            "HISTCMD", "HISTCONTROL", "HISTFILE", "HISTFILESIZE",
        "HISTIGNORE", "HISTSIZE", "HISTTIMEFORMAT", "HOME", "HOSTFILE", "HOSTNAME", "HOSTTYPE", "IFS",
            "IGNOREEOF", "INPUTRC", "INSIDE_EMACS", "LANG", "LINENO",
        "LINES", "LOGNAME", "MACHTYPE", "MAIL", "MAILCHECK", "MAILPATH", "MAPFILE", "OLDPWD", "OPTARG",
            "OPTERR", "OPTIND", "OSTYPE", "PATH", "PIPESTATUS",
        "POSIXLY_CORRECT", "PPID", "PROMPT_COMMAND", "PROMPT_DIRTRIM", "PS0", "PS1", "PS2", "PS3", "PS4",
            "PWD", "RANDOM", "READLINE_ARGUMENT", "READLINE_LINE",
        "READLINE_MARK", "READLINE_POINT", "REPLY", "SECONDS", "SHELL", "SHELLOPTS", "SHLVL", "SRANDOM",
            "TERM", "TIMEFORMAT", "TMOUT", "TMPDIR", "UID", "USER",
        "_", "auto_resume", "histchars",
    }
)  # fmt: skip

HARMLESS_BASH = frozenset(
    {
        "IFS",
        "REPLY",
        "MAPFILE",
        "COLUMNS",
        "LINES",
        "OPTIND",
        "SECONDS",
        "TIMEFORMAT",
        "OPTERR",
        "PS3",
        "TMOUT",
        "LANG",
        "TERM",
        "COMPREPLY",
        "COPROC",
        "BASH_REMATCH",
        "_",
        "OPTARG",
    }
)
"""Of bash's own, those that change no program, no file and no reading of the text that is already parsed."""

REBINDING = frozenset({"BASH_ALIASES", "BASH_CMDS", "PATH", "BASH_LOADABLES_PATH", "EXECIGNORE", "GLOBIGNORE"})
"""Of bash's own, those that decide which program a command name is."""

EXPANDED = {
    "PS4": ("x", "xtrace"), "BASH_ENV": ("", ""),
    **dict.fromkeys(("ENV", "PROMPT_COMMAND", "PS0", "PS1", "PS2"), ("i", "interactive")),
}  # fmt: skip
"""Variables whose value a shell expands, and the option, by letter and name, with which it does (bash manual)."""

INTEGER = frozenset({"RANDOM", "SRANDOM", "OPTIND", "HISTCMD", "LINENO", "SECONDS", "BASHPID", "EPOCHSECONDS"})
"""Variables whose assigned value bash evaluates as arithmetic, or may."""

NUMERIC = INTEGER | frozenset(
    "BASHPID BASH_ARGC BASH_LINENO BASH_MONOSECONDS BASH_SUBSHELL BASH_TRAPSIG COLUMNS EPOCHREALTIME EUID GROUPS LINES"
    " PIPESTATUS PPID SHLVL UID".split()
)
"""Variables that bash itself fills, with numbers alone."""

HARMLESS_SHOPT = frozenset(
    "nullglob failglob dotglob globstar nocaseglob nocasematch inherit_errexit lastpipe checkwinsize globskipdots"
    " globasciiranges huponexit cmdhist histappend patsub_replacement varredir_close".split()
)
GLOBBING = frozenset({"dotglob", "globstar", "nocaseglob", "nullglob"})
"""Options of bash that change what a pattern stands for (bash manual, The Shopt Builtin)."""

HARMLESS_SET = frozenset(
    "errexit nounset pipefail errtrace functrace verbose xtrace noglob noclobber monitor notify onecmd noexec"
    " physical hashall braceexpand".split()
)
HARMLESS_SET_LETTERS = frozenset("euETvxfCmbtnPhB")
"""Options of `shopt` and `set` that change neither how the rest is read nor which program runs (bash manual)."""

LOADING = pattern(
    r"BASH_(?:ENV|FUNC_.*)|ENV|PATH|HOME|SHELL|SHELLOPTS|PS4|PROMPT_COMMAND|XDG_\w+|\w+_PRELOAD|(?:LD|DYLD)_\w+"
    r"|\w*(?:EDITOR|PAGER|BROWSER|ASKPASS|_WRAPPER|_LAUNCHER|_RSH)|VISUAL|LESS|LESSOPEN|LESSCLOSE|VIMINIT|EXINIT"
    r"|GIT_(?:SSH\w*|PROXY_COMMAND|EXTERNAL_DIFF|EXEC_PATH|TEMPLATE_DIR|CONFIG\w*|DIR|WORK_TREE|ALLOW_PROTOCOL)"
    r"|PYTHON(?:PATH|HOME|STARTUP|BREAKPOINT|INSPECT|USERBASE|EXECUTABLE|PLATLIBDIR)|PYTEST_(?:ADDOPTS|PLUGINS)|PIP_\w+"
    r"|PERL\w*(?:OPT|LIB|DB)|RUBY(?:OPT|LIB)|GEM_\w+|BUNDLE_\w+|NODE_(?:OPTIONS|PATH)|(?i:npm_config_\w+)|LUA_\w+"
    r"|(?:\w*_)?(?:JAVA|JVM|MAVEN|GRADLE|ANT|SBT)\w*_(?:OPTS|OPTIONS|ARGS)|CLASSPATH|PHPRC|PHP_INI_SCAN_DIR|R_PROFILE\w*"
    r"|GO(?:FLAGS|ENV|ROOT|TOOLCHAIN)|RUSTC|RUSTDOC|RUST\w*FLAGS|RUSTUP_\w+|CARGO_\w*(?:RUNNER|LINKER|RUSTFLAGS|HOME)"
    r"|GCC_EXEC_PREFIX|COMPILER_PATH|CMAKE_TOOLCHAIN_FILE|TAR_OPTIONS|RSYNC_CONNECT_PROG|KUBECONFIG|DOCKER_(?:HOST|CONFIG)"
    r"|OPENSSL_(?:CONF|ENGINES|MODULES)|GCONV_PATH|GTK_MODULES"
)
"""Variables of the environment that name a program, an option or a file of a program, or where code is looked for."""

_CODE = pattern(
    r"CC|CXX|LD|AR|AS|NM|CPP|FC|\w*(?:PATH|HOME|ROOT|SHELL|PROGRAM|EXEC|COMMAND|CMD|RUNNER|LINKER|COMPILER|TOOLCHAIN)"
    r"|\w*(?:PLUGINS?|MODULES?|LIBRAR(?:Y|IES)|LIBS?|LOADERS?|HOOKS?|AGENT|PRELOAD|STARTUP|INIT|RC|PROFILE)"
    r"|\w*(?:FLAGS|OPTS|OPTIONS|ARGS|CONFIG|CONF|CONFIG_FILE|SETTINGS\w*|FILES)"
)
"""More names of that kind by what they end with: none of these is free because of what it begins with."""


def names_code(name: str) -> bool:
    """Whether a variable, by its name, may name a program, its options, or where code is looked for."""
    return LOADING.fullmatch(name) is not None or _CODE.fullmatch(name) is not None


def is_listed(name: str, free: Collection[str]) -> bool:
    """Whether a person's list of free variables holds a name: by itself, or by its beginning where it names no code.

    Args:
        name: the name.
        free: names, and beginnings with a `*` at their end.
    """
    if name in free:
        return True
    if not free or name in FREE_VALUES or name in BASH or names_code(name):
        return False
    return any(each.endswith("*") and name.startswith(each[:-1]) for each in free)
