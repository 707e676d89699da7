"""Programs and builtins that start the command given in their arguments, and where that command stands.

Options are those of GNU coreutils 9, util-linux 2.39, findutils 4.9, sudo 1.9, OpenDoas, procps 4, GNU parallel and of
the bash manual, Shell Builtin Commands. An option that stands in no table makes the position of the command unsure.
"""

from __future__ import annotations

from asimi.core.lean import NamedTuple


class Wrapper(NamedTuple):
    """Where a program's arguments hold the command it starts.

    Attributes:
        flags: its short options without a value, as letters.
        valued: its short options with a value, as letters.
        long_flags: its long options without a value (or with one behind `=` only), without dashes.
        long_valued: its long options with a value.
        operands: how many operands stand before the command.
        assignments: whether `NAME=VALUE` may stand before the command.
        text: options whose value is the command, as shell text.
        split: options whose value is split into words by the program itself, and followed by the arguments.
        joined: whether the words of the command are joined with blanks and read by a shell.
        inert: options with which nothing is started.
        shell: options with which it starts a shell that reads standard input or a file.
        placeholder: whether words may be replaced or added at run time (`xargs`), so that they are not literal.
        optional: whether it may stand without a command.
        loose: whether starting commands is the program's ordinary purpose (on another machine, in a container, of a
            project's tool): what forbids looks at the command, what allows does not need it unless `[wrappers]`
            names the program.
        numeric: whether `-N` (a number) is an option.
        dash: whether a lone `-` is an option.
        own: whether the command is a subcommand of the program itself.
    """

    flags: str = ""
    valued: str = ""
    long_flags: tuple[str, ...] = ()
    long_valued: tuple[str, ...] = ()
    operands: int = 0
    assignments: bool = False
    text: tuple[str, ...] = ()
    split: tuple[str, ...] = ()
    joined: bool = False
    inert: tuple[str, ...] = ()
    shell: tuple[str, ...] = ()
    placeholder: bool = False
    optional: bool = False
    loose: bool = False
    numeric: bool = False
    dash: bool = False
    own: bool = False


_HELP = ("help", "version")

WRAPPERS: dict[str, Wrapper] = {
    "builtin": Wrapper(optional=True),
    "catchsegv": Wrapper(),
    "chroot": Wrapper(
        long_flags=("skip-chdir", *_HELP), long_valued=("groups", "userspec"), operands=1, optional=True,
            inert=("--help", "--version")
    ),
    "chrt": Wrapper(
        flags="abfiorRvdhV", valued="TPDp", long_flags=("all-tasks", "batch", "deadline", "fifo", "idle",
            "other", "rr", "reset-on-fork", "verbose"),
        long_valued=("sched-runtime", "sched-period", "sched-deadline"), operands=1,
    ),
    "command": Wrapper(flags="pvV", inert=("-v", "-V"), optional=True),
    "dbus-launch": Wrapper(long_flags=("sh-syntax", "csh-syntax", "auto-syntax", "exit-with-session",
        "exit-with-x11"), optional=True),
    "dbus-run-session": Wrapper(long_valued=("config-file", "dbus-daemon")),
    "doas": Wrapper(flags="nsL", valued="uCa", shell=("-s",), optional=True),
    "env": Wrapper(
        flags="i0v", valued="uCa", long_flags=("ignore-environment", "null", "debug", "list-signal-handling",
            "block-signal", "default-signal", "ignore-signal", *_HELP),
        long_valued=("unset", "chdir", "argv0"), assignments=True, split=("-S", "--split-string"),
            optional=True, dash=True, inert=("--help", "--version"),
    ),
    "exec": Wrapper(flags="cl", valued="a", optional=True),
    "fakechroot": Wrapper(flags="sd", valued="lecbv", long_valued=("lib", "elfloader", "environment",
        "config-dir", "bindir"), optional=True),
    "fakeroot": Wrapper(flags="uhv", valued="lisb", long_flags=("unknown-is-real", *_HELP),
        long_valued=("lib", "faked"), optional=True),
    "firejail": Wrapper(long_flags=("noprofile", "private", "net", "quiet", "seccomp", "caps.drop"),
        optional=True),
    "flatpak-spawn": Wrapper(flags="v", long_flags=("host", "clear-env", "watch-bus", "verbose"),
        long_valued=("env", "directory")),
    "flock": Wrapper(
        flags="sxeunoFvhV", valued="wE", long_flags=("shared", "exclusive", "unlock", "nonblock", "nb",
            "close", "no-fork", "verbose", *_HELP),
        long_valued=("timeout", "wait", "conflict-exit-code"), operands=1, text=("-c", "--command"),
            optional=True,
    ),
    "gdb": Wrapper(flags="qnx", long_flags=("args", "batch", "quiet", "nx"), optional=True),
    "ionice": Wrapper(flags="thV", valued="cnpPu", long_flags=("ignore", *_HELP), long_valued=("class",
        "classdata", "pid"), optional=True),
    "logsave": Wrapper(flags="asv", operands=1),
    "ltrace": Wrapper(flags="cCfhiLrStTV", valued="aAbDeFlnopPsuwxX", long_flags=("demangle", "follow"),
        long_valued=("output",)),
    "nice": Wrapper(valued="n", long_flags=_HELP, long_valued=("adjustment",), optional=True, numeric=True),
    "nocache": Wrapper(valued="n"),
    "nohup": Wrapper(long_flags=_HELP),
    "nsenter": Wrapper(
        flags="amuinpUCTrwFZ", valued="tSG", long_flags=("all", "mount", "uts", "ipc", "net", "pid", "user",
            "cgroup", "preserve-credentials", "no-fork"),
        long_valued=("target", "setuid", "setgid"), optional=True, shell=(),
    ),
    "numactl": Wrapper(flags="sHa", valued="NmCpPi", long_flags=("show", "hardware"),
        long_valued=("cpunodebind", "membind", "physcpubind", "preferred", "interleave", "localalloc"),
        optional=True),
    "parallel": Wrapper(
        flags="0kmqrtuvXz", valued="aCdEIjLlNnPSsU", long_flags=("bar", "eta", "progress", "dry-run",
            "keep-order", "line-buffer", "null", "no-notice", "quote", "tag", "ungroup", "verbose",
            "will-cite", "xargs", "silent", "citation"),
        long_valued=("jobs", "arg-file", "colsep", "delay", "halt", "joblog", "max-args", "max-procs",
            "max-lines", "retries", "results", "timeout", "workdir", "tmpdir", "arg-sep", "memfree", "load"),
        joined=True, optional=True,
    ),
    "perf": Wrapper(operands=1, flags="agv", valued="eoFrp", optional=True),
    "pkexec": Wrapper(long_flags=("disable-internal-agent", *_HELP), long_valued=("user",), optional=True),
    "prlimit": Wrapper(
        flags="hV", valued="po", long_flags=("noheadings", "raw", "verbose", "core", "cpu", "data", "fsize",
            "nofile", "nproc", "rss", "stack", "as", "memlock", "locks"),
        long_valued=("pid", "output"), optional=True,
    ),
    "proot": Wrapper(flags="0lhvV", valued="rbwqik", optional=True),
    "proxychains": Wrapper(flags="q", valued="f"),
    "proxychains4": Wrapper(flags="q", valued="f"),
    "runuser": Wrapper(
        flags="lfmpPh", valued="gGswTu", long_flags=("login", "fast", "preserve-environment", "pty"),
            long_valued=("group", "supp-group", "shell", "user"),
        text=("-c", "--command", "--session-command"), optional=True,
    ),
    "rust-gdb": Wrapper(long_flags=("args",), optional=True),
    "schroot": Wrapper(flags="brepq", valued="cudns", long_flags=("begin-session", "run-session",
        "end-session", "preserve-environment"), long_valued=("chroot", "user", "directory"), optional=True),
    "script": Wrapper(
        flags="aefqhV", valued="BEIOTmot", long_flags=("append", "return", "flush", "force", "quiet"),
            long_valued=("log-io", "log-in", "log-out", "log-timing", "output-limit"),
        text=("-c", "--command"), operands=1, optional=True,
    ),
    "setpriv": Wrapper(
        flags="dhV", long_flags=("dump", "nnp", "no-new-privs", "clear-groups", "keep-groups", "init-groups",
            "reset-env"),
        long_valued=("ambient-caps", "inh-caps", "bounding-set", "ruid", "euid", "rgid", "egid", "reuid",
            "regid", "groups", "securebits", "pdeathsig", "selinux-label", "apparmor-profile"),
        optional=True,
    ),
    "setsid": Wrapper(flags="cfwhV", long_flags=("ctty", "fork", "wait", *_HELP)),
    "softlimit": Wrapper(valued="acdfmorstl", optional=True),
    "sshpass": Wrapper(flags="ev", valued="dfpP"),
    "start-stop-daemon": Wrapper(flags="SKTbomtvqC", valued="xapuncgIkNsRdr", long_flags=("start", "stop",
        "background", "make-pidfile"), long_valued=("exec", "startas", "pidfile", "chuid", "name", "chdir"),
        optional=True),
    "stdbuf": Wrapper(valued="ioe", long_flags=_HELP, long_valued=("input", "output", "error")),
    "strace": Wrapper(
        flags="cCdDfFhiknNqrtTvVwxXyYzZ", valued="aAbeEIoOPpsSuU", long_flags=("follow-forks", "summary-only",
            "summary", "debug", "quiet", "no-abbrev"),
        long_valued=("output", "trace", "attach", "user", "env", "columns", "string-limit"), optional=True,
    ),
    "su": Wrapper(
        flags="lfmpPhV-", valued="gGswT", long_flags=("login", "fast", "preserve-environment", "pty"),
            long_valued=("group", "supp-group", "shell", "whitelist-environment"),
        text=("-c", "--command", "--session-command"), operands=9, optional=True,
    ),
    "sudo": Wrapper(
        flags="AbBEeHiKklNnPSsVv", valued="aCcDghpRrTtUu",
        long_flags=("askpass", "background", "bell", "preserve-env", "edit", "set-home", "login",
            "remove-timestamp", "reset-timestamp", "list", "no-update",
                    "non-interactive", "preserve-groups", "stdin", "shell", "validate", *_HELP),
        long_valued=("auth-type", "close-from", "login-class", "chdir", "group", "host", "prompt", "chroot",
            "role", "command-timeout", "type", "other-user", "user"),
        assignments=True, optional=True, shell=("-s", "-i", "--shell", "--login"),
    ),
    "systemd-inhibit": Wrapper(long_flags=("list", "no-pager"), long_valued=("what", "who", "why", "mode"),
        optional=True),
    "systemd-run": Wrapper(
        flags="rGdtqPSM", valued="HMpuE", long_flags=("user", "system", "scope", "wait", "pty", "pipe",
            "quiet", "collect", "no-block", "remain-after-exit", "same-dir", "shell"),
        long_valued=("unit", "property", "description", "slice", "uid", "gid", "nice", "working-directory",
            "setenv", "on-active", "on-calendar"), optional=True, shell=("-S", "--shell"),
    ),
    "taskset": Wrapper(flags="achV", valued="p", long_flags=("all-tasks", "cpu-list", *_HELP), operands=1,
        optional=True),
    "time": Wrapper(flags="pavqV", valued="fo", long_flags=("portability", "append", "verbose", "quiet",
        *_HELP), long_valued=("format", "output"), optional=True),
    "timeout": Wrapper(flags="fpv", valued="ks", long_flags=("foreground", "preserve-status", "verbose",
        *_HELP), long_valued=("kill-after", "signal"), operands=1),
    "torsocks": Wrapper(flags="iqad", valued="uPp", optional=True),
    "torify": Wrapper(),
    "trickle": Wrapper(flags="sv", valued="duwtlLnN"),
    "tsocks": Wrapper(optional=True),
    "unbuffer": Wrapper(flags="p"),
    "unshare": Wrapper(
        flags="muinpUCTrcfR", valued="SGwl", long_flags=("mount", "uts", "ipc", "net", "pid", "user",
            "cgroup", "time", "fork", "map-root-user", "map-current-user", "mount-proc", "kill-child",
            "keep-caps"),
        long_valued=("root", "wd", "setuid", "setgid", "propagation", "setgroups", "map-user", "map-group"),
            optional=True,
    ),
    "valgrind": Wrapper(flags="qvhd", long_flags=("quiet", "verbose", "tool", "leak-check", "log-file",
        "track-origins", "error-exitcode", "show-leak-kinds"), optional=True),
    "watch": Wrapper(
        flags="bcdegprtwxhv", valued="nqs", long_flags=("beep", "color", "no-color", "errexit", "chgexit",
            "precise", "no-rerun", "no-title", "no-wrap", "exec", "differences", *_HELP),
        long_valued=("interval", "equexit", "shotsdir"), joined=True,
    ),
    "wine": Wrapper(optional=True),
    "winpty": Wrapper(optional=True),
    "xargs": Wrapper(
        flags="0oprtx", valued="adEIiLlnPs", long_flags=("null", "open-tty", "interactive", "no-run-if-empty",
            "verbose", "exit", "show-limits", "eof", "replace", "max-lines", *_HELP),
        long_valued=("arg-file", "delimiter", "max-args", "max-procs", "max-chars", "process-slot-var"),
            placeholder=True, optional=True,
    ),
    "xvfb-run": Wrapper(flags="al", valued="enfpsw", long_flags=("auto-servernum", "listen-tcp"),
        long_valued=("server-args", "server-num", "error-file", "auth-file", "wait"), optional=True),
}  # fmt: skip
"""`chrt`, `flock`, … by the last component of their path; `bash` and its like are `SHELLS`, `find` is `FINDERS`."""

OPTIONAL_VALUE: dict[str, str] = {"xargs": "eil"}
"""Short options whose value, if any, is in the same word."""

SHELLS: dict[str, str] = {
    "bash": "bash", "rbash": "bash",
    "ash": "posix", "dash": "posix", "sh": "posix",
    **dict.fromkeys(
        ("csh", "elvish", "fish", "ksh", "ksh93", "mksh", "nu", "osh", "oksh", "pdksh", "rzsh", "tcsh", "xonsh",
            "yash",
         "zsh", "powershell", "pwsh"),
        "other",
    ),
}  # fmt: skip
"""Shells that take `-c TEXT`, and whose grammar they have: bash's, POSIX's without bash's additions, or another one."""

SHELL_VALUED = {"-O", "+O", "-o", "+o", "--rcfile", "--init-file"}
"""Options of shells that take a value in the next word (bash manual, Invoking Bash)."""

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

SHELL_LETTERS = frozenset({*HARMLESS_SET_LETTERS, *"cslirDoO"})

SHELL_CODE = {"--rcfile", "--init-file", "--login", "-i", "--interactive"}
"""Options with which a shell reads a file of commands first."""

LOADERS = ("ld-linux", "ld-musl", "ld.so", "ld64.so", "setarch", "linux32", "linux64")
"""Beginnings of the names of programs that start a program in their arguments, wherever it stands in them."""

APPLETS = {"busybox", "toybox"}
"""Programs whose first argument names the program they become."""

FINDERS: dict[str, frozenset[str]] = {
    "find": frozenset({"-exec", "-execdir", "-ok", "-okdir"}),
    "gfind": frozenset({"-exec", "-execdir", "-ok", "-okdir"}),
    "fd": frozenset({"-x", "--exec", "-X", "--exec-batch"}),
    "fdfind": frozenset({"-x", "--exec", "-X", "--exec-batch"}),
}
"""Programs that start a command standing between an option and `;` or `+`."""

REMOTE: dict[str, Wrapper] = {
    "bunx": Wrapper(flags="y", long_flags=("bun",), long_valued=("package",), loose=True, optional=True),
    "cross-env": Wrapper(assignments=True, loose=True, optional=True),
    "dotenv": Wrapper(valued="ep", flags="o", loose=True, optional=True),
    "npx": Wrapper(
        flags="yq", valued="pw", long_flags=("yes", "no", "no-install", "quiet", "prefer-offline", "ignore-existing"),
        long_valued=("package", "workspace"), text=("-c", "--call"), loose=True, optional=True,
    ),
    "nix-shell": Wrapper(valued="pIA", flags="Q", text=("--run", "--command"), long_flags=("pure",),
        long_valued=("packages",), operands=9, loose=True, optional=True),
    "uvx": Wrapper(flags="qv", valued="p", long_valued=("from", "with", "python"), long_flags=("isolated", "offline"),
        loose=True, optional=True),
    "ssh": Wrapper(flags="46AaCfGgKkMNnqsTtVvXxYy", valued="BbcDEeFIiJLlmOopQRSWw", operands=1, joined=True,
        optional=True, loose=True),
    "mosh": Wrapper(flags="46ano", long_valued=("ssh", "client", "server", "predict", "port"), operands=1,
        optional=True, loose=True),
    "docker-exec": Wrapper(flags="dit", valued="euw", long_flags=("detach", "interactive", "tty",
        "privileged"), long_valued=("env", "env-file", "user", "workdir", "detach-keys"), operands=1,
        loose=True),
}  # fmt: skip
"""Programs that run a command elsewhere."""

_CONTAINER = Wrapper(
    flags="ditqP",
    valued="aceuhlmpwv",
    long_flags=(
        "rm",
        "detach",
        "interactive",
        "tty",
        "privileged",
        "init",
        "read-only",
        "no-healthcheck",
        "quiet",
        "publish-all",
        "no-deps",
        "service-ports",
    ),
    long_valued=(
        "volume",
        "mount",
        "env",
        "env-file",
        "name",
        "network",
        "net",
        "publish",
        "workdir",
        "user",
        "entrypoint",
        "label",
        "memory",
        "cpus",
        "platform",
        "restart",
        "hostname",
        "add-host",
        "gpus",
        "shm-size",
        "tmpfs",
        "ulimit",
        "pull",
        "cap-add",
        "cap-drop",
        "security-opt",
        "device",
        "pid",
        "ipc",
    ),
    operands=1,
    loose=True,
    optional=True,
)
_PACKAGE = Wrapper(
    flags="yq",
    valued="pw",
    long_flags=("yes", "quiet", "silent"),
    long_valued=("package", "from", "with", "spec"),
    text=("-c", "--call"),
    loose=True,
    optional=True,
)

SUBWRAPPERS: dict[tuple[str, ...], Wrapper] = {
    ("docker", "run"): _CONTAINER,
    ("podman", "run"): _CONTAINER,
    ("docker", "compose", "run"): _CONTAINER,
    ("kubectl", "run"): Wrapper(flags="it", valued="n", long_flags=("rm", "stdin", "tty", "command"),
        long_valued=("image", "restart", "namespace", "env"), operands=1, loose=True, optional=True),
    ("npm", "x"): _PACKAGE,
    ("npm", "explore"): Wrapper(operands=1, joined=True, loose=True, optional=True),
    ("pnpm", "dlx"): _PACKAGE,
    ("yarn", "dlx"): _PACKAGE,
    ("uv", "tool", "run"): _PACKAGE,
    ("pipx", "run"): _PACKAGE,
    ("pixi", "run"): Wrapper(loose=True, optional=True),
    ("mise", "x"): Wrapper(optional=True, text=("-c", "--command"), loose=True),
    ("nix", "shell"): Wrapper(text=("-c", "--command"), operands=9, loose=True, optional=True),
    ("doppler", "run"): Wrapper(optional=True, text=("--command",), loose=True),
    ("docker", "exec"): REMOTE["docker-exec"],
    ("podman", "exec"): REMOTE["docker-exec"],
    ("nerdctl", "exec"): REMOTE["docker-exec"],
    ("docker", "compose", "exec"): Wrapper(flags="dT", valued="euw", long_flags=("detach", "privileged",
        "no-tty"), long_valued=("env", "user", "workdir", "index"), operands=1, loose=True),
    ("kubectl", "exec"): Wrapper(flags="iqt", valued="cfn", long_flags=("stdin", "tty", "quiet"),
        long_valued=("container", "namespace", "filename"), operands=1, loose=True, optional=True),
    ("ip", "netns", "exec"): Wrapper(operands=1),
    ("git", "bisect", "run"): Wrapper(),
    ("git", "submodule", "foreach"): Wrapper(long_flags=("recursive", "quiet"), joined=True),
    ("git", "for-each-repo"): Wrapper(long_valued=("config",), long_flags=("keep-going",), optional=True, loose=True,
        own=True),
    ("git", "subtree"): Wrapper(flags="qdh", valued="P", long_flags=("quiet", "debug", "help"), long_valued=("prefix",),
        optional=True, loose=True, own=True),
    ("poetry", "run"): Wrapper(loose=True),
    ("pipenv", "run"): Wrapper(loose=True),
    ("pdm", "run"): Wrapper(optional=True, loose=True),
    ("hatch", "run"): Wrapper(optional=True, loose=True),
    ("uv", "run"): Wrapper(
        flags="qvnm", valued="pwC", long_flags=("quiet", "verbose", "no-sync", "frozen", "locked", "isolated",
            "no-project", "all-extras", "no-dev", "active", "offline", "exact"),
        long_valued=("python", "with", "extra", "group", "package", "project", "directory", "env-file",
            "index-url", "index", "with-requirements", "with-editable", "cache-dir"), optional=True,
            loose=True,
    ),
    ("rye", "run"): Wrapper(optional=True, loose=True),
    ("conda", "run"): Wrapper(flags="v", valued="np", long_flags=("no-capture-output", "live-stream"),
        long_valued=("name", "prefix", "cwd"), loose=True),
    ("mamba", "run"): Wrapper(flags="v", valued="np", long_valued=("name", "prefix", "cwd"), loose=True),
    ("bundle", "exec"): Wrapper(long_flags=("keep-file-descriptors",), loose=True),
    ("npm", "exec"): Wrapper(flags="y", valued="p", long_flags=("yes", "no"), long_valued=("package",),
        text=("-c", "--call"), optional=True, loose=True),
    ("pnpm", "exec"): Wrapper(flags="rc", long_flags=("recursive", "parallel"), long_valued=("filter",),
        loose=True),
    ("yarn", "exec"): Wrapper(joined=True, loose=True),
    ("bun", "x"): Wrapper(long_flags=("bun",), loose=True),
    ("mise", "exec"): Wrapper(optional=True, text=("-c", "--command"), loose=True),
    ("direnv", "exec"): Wrapper(operands=1, loose=True),
    ("nix", "develop"): Wrapper(optional=True, loose=True),
    ("devbox", "run"): Wrapper(optional=True, joined=True, loose=True),
    ("asdf", "exec"): Wrapper(loose=True),
    ("rbenv", "exec"): Wrapper(loose=True),
    ("pyenv", "exec"): Wrapper(loose=True),
    ("rustup", "run"): Wrapper(long_flags=("install",), operands=1, loose=True),
    ("op", "run"): Wrapper(long_flags=("no-masking",), long_valued=("env-file", "environment"), loose=True),
    ("aws-vault", "exec"): Wrapper(flags="nsj", valued="d", long_flags=("no-session", "server", "json"),
        long_valued=("duration", "region"), operands=1, optional=True, loose=True),
    ("dotnet", "exec"): Wrapper(optional=True, loose=True),
    ("cargo", "watch"): Wrapper(flags="cq", valued="wid", text=("-s", "-x", "--exec", "--shell"),
        optional=True, loose=True),
    ("busctl", "call"): Wrapper(operands=99, optional=True, loose=True),
}  # fmt: skip
"""Subcommands that start the command behind them. A plain `npm run`, `make` or `cargo run` runs what a project's file
says, which is their ordinary purpose."""
