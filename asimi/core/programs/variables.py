"""Variables that mean something to bash or to programs, and the few that may be set freely.

Bash's own are from the bash manual, Shell Variables, and from bash 5.2's `variables.c`.
"""

from __future__ import annotations

from asimi.core.lean import pattern

FREE = frozenset(
    {
        "CI", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "COLUMNS", "DEBUG", "DO_NOT_TRACK", "FORCE_COLOR",
            "LANG", "LANGUAGE", "LINES",
        "NODE_ENV", "NO_COLOR", "NO_UPDATE_NOTIFIER", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED",
            "PYTHONIOENCODING", "PYTHONUNBUFFERED",
        "PYTHONUTF8", "PYTHONWARNINGS", "RAILS_ENV", "RACK_ENV", "RUST_BACKTRACE", "RUST_LOG", "TERM", "TZ",
            "VERBOSE", "APP_ENV", "GOOS", "GOARCH",
        "CGO_ENABLED", "IFS", "DEBIAN_FRONTEND", "GIT_TERMINAL_PROMPT", "SOURCE_DATE_EPOCH", "PORT", "HOST",
            "LOG_LEVEL",
    }
)  # fmt: skip
"""Names that choose a language, a colour, a mode: free before a command and in `export`. Also `LC_*`."""

FREE_BEGINNINGS = ("LC_",)

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

INTEGER = frozenset({"RANDOM", "SRANDOM", "OPTIND", "HISTCMD", "LINENO", "SECONDS", "BASHPID", "EPOCHSECONDS"})
"""Variables whose assigned value bash evaluates as arithmetic, or may."""

HARMLESS_SHOPT = frozenset(
    "nullglob failglob dotglob globstar nocaseglob nocasematch inherit_errexit lastpipe checkwinsize globskipdots"
    " globasciiranges huponexit cmdhist histappend patsub_replacement varredir_close".split()
)
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
