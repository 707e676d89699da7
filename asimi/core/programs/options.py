"""Options by which an ordinary program starts another, reads a program text, or writes although its purpose is reading.

An entry for the program does not cover them unless it names them. Long options count with every unambiguous
abbreviation (GNU getopt), short ones inside bundles (`-zxf`), `-opt` of `find`, `gcc` and their like as a whole.
"""

from __future__ import annotations

from asimi.core.tuples import NamedTuple


class Options(NamedTuple):
    """The options of one program, or of one of its subcommands.

    Attributes:
        short: letters that are an escape.
        long: long options that are an escape, without dashes.
        words: options with one dash, and operands, that are an escape as a whole word or before `=`.
        starts: beginnings of a word that are an escape.
        valued: short options that take a value, so that the rest of their word, or the next word, is no option.
        long_valued: long options that take a value in the next word.
        exact: whether long options cannot be abbreviated.
        scripts: which mini language the first operand (and `script_options`) is in, or empty.
        script_options: options whose value is in that language.
        long_flags: for programs with a mini language, the long options without a value; others leave in doubt which
            argument is the program.
        word_valued: options with one dash that take a value in the next word.
        harmless: a pattern for the values with which an escape is none.
        stops: whether what follows the first operand belongs to another program.
        contains: parts of any word that are an escape.
        stdin: whether its standard input, if the text gives it one, is a program text.
        second: whether its second operand is a file that it writes.
        bundle: whether its first argument is a bundle of options even without a dash.
    """

    short: str = ""
    long: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    valued: str = ""
    long_valued: tuple[str, ...] = ()
    exact: bool = False
    scripts: str = ""
    script_options: tuple[str, ...] = ()
    long_flags: tuple[str, ...] = ()
    word_valued: tuple[str, ...] = ()
    harmless: str = ""
    stops: bool = False
    contains: tuple[str, ...] = ()
    stdin: bool = False
    second: bool = False
    bundle: bool = False


_NOWHERE = r"/dev/(?:null|stdout|stderr)|-"
_SORT = Options(
    "o", ("output", "compress-program"), valued="kStoT", harmless=_NOWHERE,
    long_valued=("key", "buffer-size", "field-separator", "temporary-directory", "files0-from", "parallel",
        "batch-size"),
)
_AWK = Options(
    "fileEDopdWl", ("file", "exec", "include", "load", "source", "dump-variables", "profile", "pretty-print",
        "debug"),
    valued="Fv", long_valued=("assign", "field-separator"), scripts="awk",
    long_flags=("posix", "traditional", "lint", "re-interval", "non-decimal-data", "bignum", "sandbox", "csv",
        "version", "help"),
)
_SED = Options(
    "if", ("in-place", "file"), valued="l", long_valued=("line-length",), scripts="sed", script_options=("-e",
        "--expression"),
    long_flags=("quiet", "silent", "regexp-extended", "posix", "separate", "unbuffered", "null-data",
        "zero-terminated", "sandbox", "debug", "follow-symlinks", "version", "help"),
)
_FIND = (
    "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-lname", "-ilname",
        "-newer", "-anewer",
    "-cnewer", "-mtime", "-atime", "-ctime", "-mmin", "-amin", "-cmin", "-size", "-type", "-xtype", "-perm", "-user",
        "-group", "-uid", "-gid",
    "-maxdepth", "-mindepth", "-printf", "-samefile", "-links", "-inum", "-regextype", "-fstype", "-used", "-context",
)
_GREP = Options(valued="ABCDefm", long=(), long_valued=("after-context", "before-context", "context",
    "regexp", "file", "max-count", "include", "exclude"))
_TAR = Options(
    "IF", ("checkpoint-action", "to-command", "use-compress-program", "info-script", "new-volume-script",
        "rsh-command", "rmt-command", "remove-files"),
    valued="fCTXbHgNKVL", long_valued=("file", "directory", "files-from", "exclude-from", "exclude",
        "transform", "strip-components"), bundle=True, harmless=r"gzip|bzip2|xz|zstd|lz4|pigz|lzip|zstdmt",
)
_SSH = Options("FoSOEI", valued="BbcDeiJLlmpQRWw")
_GCC = Options(words=("-wrapper", "-fplugin", "-specs", "-Xlinker", "--specs", "-B"), starts=("-B", "@",
    "-fplugin=", "-specs=", "-wrapper,"), valued="")
_PSQL = ("\\!", "\\o", "\\copy", "\\g", "PROGRAM", "program")
_LESS = Options("oOkT", ("log-file", "LOG-FILE", "lesskey-file", "lesskey-src", "lesskey-context",
    "tag-file"), starts=("+",), valued="bhjpPtxyz")
_VIM = Options("cSswWueE", ("cmd", "remote-send", "remote-expr", "startuptime"), starts=("+",), valued="tiPT",
    stdin=True)
_MAN = Options("PHtTXC", ("pager", "html", "troff", "troff-device", "gxditview", "preprocessor",
    "config-file"), valued="LmMSsekER", words=())
_CC = ("gcc", "g++", "cc", "c++", "clang", "clang++", "gfortran", "cpp")
_EDITORS = ("vi", "vim", "nvim", "view", "ex", "rvim", "gvim", "vimdiff")

OPTIONS: dict[str, Options] = {
    "ag": Options(long=("pager",), valued="ABCGmp"),
    "ansible": Options("eam", ("extra-vars", "args", "module-name"), valued="iutflMTcK"),
    "apt": Options("oc", ("option", "config-file"), valued="t"),
    "apt-get": Options("oc", ("option", "config-file"), valued="t"),
    "awk": _AWK, "gawk": _AWK, "mawk": _AWK, "nawk": _AWK, "original-awk": _AWK,
    "aria2c": Options("oDi", ("on-download-complete", "on-download-start", "on-download-error",
        "on-download-stop", "on-bt-download-complete", "conf-path", "input-file"), valued="dsxjmMk"),
    "cargo": Options(long=("config",), valued="ZC", exact=True),
    "crontab": Options(words=("-",), short="er"),
    "curl": Options(
        "oOKTDcJ", ("output", "remote-name", "remote-name-all", "config", "upload-file", "dump-header", "cookie-jar",
            "output-dir", "remote-header-name", "trace", "trace-ascii", "stderr", "libcurl", "etag-save", "hsts",
            "alt-svc", "engine", "create-file-mode"),
        valued="AbdeEFHmPQrtuUwxXyYzCoKTDc", long_valued=("data", "data-raw", "data-binary", "data-urlencode",
            "header", "user", "user-agent", "request", "url", "form", "proxy", "cookie", "cacert", "cert", "key",
            "max-time", "retry", "connect-timeout", "write-out", "referer", "json"),
        harmless=_NOWHERE,
    ),
    "date": Options("s", ("set",), valued="dfrI", long_valued=("date", "file", "reference")),
    "dd": Options(starts=("of=",)),
    "diff": Options(long=("to-file",), valued="CUWDFIx"),
    "dmesg": Options("CcDEn", ("clear", "read-clear", "console-off", "console-on", "console-level")),
    "dpkg": Options(long=("pre-invoke", "post-invoke", "admindir", "root", "instdir"), exact=True),
    "ed": Options(words=("*",)), "red": Options(words=("*",)),
    "emacs": Options("lf", ("eval", "execute", "load", "funcall", "batch", "script"), words=("-eval",
        "-execute", "-load", "-funcall", "-batch", "-script")),
    "file": Options("Cm", ("compile", "magic-file"), valued="efFP"),
    "find": Options(words=("-delete", "-fprint", "-fprint0", "-fprintf", "-fls"), word_valued=_FIND),
    "gfind": Options(words=("-delete", "-fprint", "-fprint0", "-fprintf", "-fls"), word_valued=_FIND),
    "fzf": Options(long=("preview", "bind", "listen", "listen-unsafe", "with-shell", "become"),
        valued="defmnqt", exact=True),
    "gdb": Options("xc", ("command", "eval-command", "init-command", "init-eval-command", "args", "exec"),
        words=("-ex", "-ix", "-iex", "-x", "-command", "-eval-command")),
    "go": Options(words=("-exec", "-toolexec", "-vettool", "-overlay", "-ldflags", "-gcflags", "-o"),
        starts=("-exec=", "-toolexec=", "-vettool=", "-overlay=", "-o="), word_valued=("-run", "-tags", "-timeout",
        "-count", "-bench", "-coverprofile", "-mod")),
    "grep": _GREP, "egrep": _GREP, "fgrep": _GREP,
    "helm": Options(long=("post-renderer", "kubeconfig"), long_valued=("namespace", "values", "set", "version"),
        valued="nf", exact=True),
    "history": Options("anrwsp"),
    "hostname": Options("Fb", ("file", "boot")),
    "ip": Options(words=("-b", "-batch", "-force")),
    "journalctl": Options(long=("vacuum-size", "vacuum-time", "vacuum-files", "rotate", "flush", "sync",
        "update-catalog", "setup-keys"), valued="nuptSUocgD"),
    "less": _LESS, "more": _LESS,
    "make": Options("E", ("eval",), starts=("SHELL=", "MAKEFLAGS=", "MAKEFILES="), contains=("$(", "`"),
        valued="CfjlIoW", long_valued=("directory", "file", "makefile", "jobs")),
    "gmake": Options("E", ("eval",), starts=("SHELL=", "MAKEFLAGS=", "MAKEFILES="), contains=("$(", "`"),
        valued="CfjlIoW", long_valued=("directory", "file", "makefile", "jobs")),
    "man": _MAN,
    "mysql": Options("", ("pager", "tee", "init-command"), valued="ehPuD", long_valued=("execute", "host", "user",
        "database"), contains=("\\!", "system ", "\\T", "\\P"), stdin=True),
    "nc": Options("ec", ("exec", "sh-exec", "lua-exec"), valued="IiMmnOPpqsTVWwXx"), "ncat": Options("ec",
        ("exec", "sh-exec", "lua-exec"), valued="Iimpsgw"), "netcat": Options("ec", ("exec", "sh-exec"),
        valued="Iipqsw"),
    "nm": Options(long=("plugin",), starts=("@",)),
    "nmap": Options(long=("script", "script-args", "datadir", "servicedb", "versiondb"), words=("-oN", "-oX",
        "-oS", "-oG", "-oA", "-iL"), valued="pgSeDT"),
    "node": Options(valued="CepIr"),
    "npx": Options("c", ("call", "shell"), valued="pw", long_valued=("package",), stops=True),
    "npm": Options(long=("script-shell", "node-options", "globalconfig", "userconfig", "shell", "git"),
        exact=True),
    "pnpm": Options(long=("script-shell", "shell-mode", "config"), exact=True),
    "objdump": Options(starts=("@",)),
    "openssl": Options(words=("-out", "-engine", "-keyout", "-provider", "-provider-path", "-writerand")),
    "patch": Options("eo", ("ed", "output")),
    "pip": Options(long=("python", "log", "target", "prefix", "root", "global-option", "build-option",
        "config-settings", "use-pep517"), exact=True),
    "psql": Options("ofL", ("output", "file", "log-file", "set"), valued="cdhpUvFRPToL", long_valued=("command",
        "dbname", "host", "port", "username"), contains=_PSQL, stdin=True),
    "rg": Options(long=("pre", "hostname-bin", "search-zip"), valued="ABCEefgjMmrtTd", long_valued=("glob",
        "type", "type-not", "regexp", "file", "max-count", "sort", "color", "pre-glob"), exact=True),
    "rsync": Options("e", ("rsh", "rsync-path", "daemon", "config", "log-file", "password-file",
        "remove-source-files", "delete", "delete-before", "delete-after", "delete-during", "delete-excluded",
        "write-batch", "only-write-batch", "early-input"), valued="BfMT@", long_valued=("exclude", "include",
        "filter", "files-from", "port", "out-format", "backup-dir", "suffix", "chmod", "chown", "bwlimit",
        "timeout")),
    "sar": Options("o"),
    "scp": Options("SFDo", valued="ciJlPX"), "sftp": Options("SFDbo", valued="BciJlPRsX"),
    "screen": Options("cXp", valued="STesht"),
    "sdiff": Options("o", ("output", "diff-program")),
    "sed": _SED, "gsed": _SED,
    "socat": Options(words=("*",)),
    "sort": _SORT, "gsort": _SORT,
    "split": Options(long=("filter",), valued="abnlCt"),
    "sqlite3": Options(words=("-cmd", "-init", "-A"), starts=(".shell", ".system", ".output", ".once", ".excel",
        ".load", ".open", ".import", ".save", ".backup", ".clone", ".read", ".log", ".trace", ".cd"),
        contains=("writefile", "load_extension", "edit(", "ATTACH", "attach"), stdin=True),
    "ssh": _SSH,
    "ssh-add": Options("s", valued="tTHS"),
    "ssh-keygen": Options("DsfwM", valued="bCNPtEIOnVrRFz"),
    "strace": Options("oE", ("output", "env"), valued="abeIpPsSuUX"),
    "sysctl": Options("wpf", ("write", "load", "system"), words=()),
    "systemctl": Options(long=("root", "image", "host"), words=("edit", "set-environment",
        "import-environment", "link")),
    "tar": _TAR, "gtar": _TAR, "bsdtar": Options(long=("use-compress-program",), valued="fCTX"),
    "tcpdump": Options("zwWCGZ", ("postrotate-command",), valued="BciFijMrsTyE"),
    "terraform": Options(),
    "time": Options("o", ("output",), valued="f"),
    "tmux": Options("fc", words=("run", "run-shell", "if", "if-shell", "pipe-pane", "source", "source-file",
        "new", "new-session", "new-window", "neww", "split-window", "splitw", "respawn-pane",
        "respawn-window", "send-keys", "send", "display-popup", "popup", "set-hook", "bind", "bind-key")),
    "wget": Options(
        "OoaPieEmrx", ("output-document", "output-file", "append-output", "directory-prefix", "input-file",
            "execute", "use-askpass", "config", "rejected-log", "save-cookies", "post-file", "body-file",
            "warc-file", "hsts-file", "ca-directory", "mirror", "recursive"),
        valued="tTwQUBAIRDlX", long_valued=("tries", "timeout", "user-agent", "header", "user", "password",
            "post-data", "method"),
    ),
    "xmllint": Options(words=("--output", "--shell", "-o", "-shell"), starts=("--output=",)),
    "xxd": Options("r", second=True, valued="cglso"),
    "yq": Options("isI", ("inplace", "split-exp", "from-file"), valued="op"),
    "zip": Options("Tm", ("unzip-command", "test", "move"), words=("-TT",), valued="bnPtxi"),
    "uniq": Options(valued="fsw", long_valued=("skip-fields", "skip-chars", "check-chars"), second=True),
    "install": Options(long=("strip-program",), valued="gmoSt"),
    "shuf": Options("o", ("output",), valued="inor", long_valued=("input-range", "head-count", "random-source"),
        harmless=_NOWHERE),
    "iconv": Options("o", ("output",), valued="fto", long_valued=("from-code", "to-code"), harmless=_NOWHERE),
    "tree": Options("o", valued="LPIo", harmless=_NOWHERE),
    "gpg": Options("o", ("output", "agent-program", "dirmngr-program", "exec-path", "photo-viewer", "options",
        "log-file", "keyserver-options"), valued="ruo", long_valued=("recipient", "local-user", "homedir"),
        harmless=_NOWHERE),
    "xsltproc": Options("o", ("output", "load-trace", "writesubtree"), valued="o", harmless=_NOWHERE),
    "pg_dump": Options("f", ("file",), valued="dhpUntFf", harmless=_NOWHERE),
    "mysqldump": Options("rT", ("result-file", "tab"), valued="hPurT", harmless=_NOWHERE),
    "ctags": Options("fo", valued="fo", harmless=_NOWHERE),
    "rustc": Options("Co", ("codegen", "out-dir", "emit"), valued="CoLl", long_valued=("codegen", "out-dir", "emit",
        "edition", "crate-type", "crate-name", "target")),
    "bat": Options(long=("pager",), valued="lrHm", long_valued=("language", "line-range", "highlight-line", "theme",
        "style", "paging", "color"), exact=True),
    "batcat": Options(long=("pager",), valued="lrHm", long_valued=("language", "line-range", "highlight-line",
        "theme", "style", "paging", "color"), exact=True),
    "delta": Options(long=("pager",), exact=True),
    "ack": Options(long=("pager", "output"), valued="ABCm"),
    "pandoc": Options("FLo", ("filter", "lua-filter", "pdf-engine", "output", "extract-media", "defaults"),
        valued="ftFLodV", long_valued=("from", "to", "metadata", "variable"), harmless=_NOWHERE),
    "protoc": Options(long=("plugin",), starts=("--plugin", "--", "@")),
    "yt-dlp": Options(long=("exec", "exec-before-download", "external-downloader", "downloader", "plugin-dirs",
        "config-locations", "postprocessor-args")),
    "diff3": Options(long=("diff-program",)),
    "rpm": Options("E", ("eval", "pipe", "define", "load", "root"), valued="E"),
    "dc": Options(contains=("!",), stdin=True),
    "bc": Options(contains=("!",)),
    "m4": Options(words=("*",)),
    "pip3": Options(long=("python", "log", "target", "prefix", "root", "global-option", "build-option",
        "config-settings"), exact=True),
    "svn": Options(long=("config-dir", "config-option", "editor-cmd", "diff-cmd", "diff3-cmd"), valued="rmF",
        long_valued=("config-dir", "config-option", "editor-cmd", "diff-cmd", "diff3-cmd", "username", "password",
        "revision", "message", "file")),
    "hg": Options(long=("config", "configfile"), valued="rmRl", long_valued=("config", "configfile", "cwd",
        "repository", "encoding", "rev", "message")),
    "kubectl": Options(long=("kubeconfig",), valued="nslocf", long_valued=("kubeconfig", "namespace", "context",
        "selector", "output", "container", "filename"), exact=True),
    "at": Options(words=("*",)),
    "batch": Options(words=("*",)),
    "csplit": Options(words=("*",)),
    "telnet": Options(stdin=True),
    **dict.fromkeys(_CC, _GCC),
    **dict.fromkeys(_EDITORS, _VIM),
}  # fmt: skip

_DOCKER_RUN = Options(
    "v", ("volume", "mount", "privileged", "device", "cap-add", "pid", "security-opt", "userns", "cgroupns", "ipc",
        "volumes-from"),
    valued="aceuhlmpwv", long_valued=("env", "name", "network", "publish", "workdir", "user", "entrypoint", "label",
        "memory", "cpus", "platform", "restart", "hostname", "add-host", "env-file"),
    exact=True, stops=True,
)

MANAGEMENT = frozenset({("docker", "container"), ("podman", "container"), ("docker", "image"), ("podman", "image")})
"""Words between a program and its subcommand that say what it is about."""

SUBCOMMANDS: dict[tuple[str, str], Options] = {
    ("git", ""): Options(long=("upload-pack", "receive-pack", "output", "ext-diff"), starts=("ext::",
        "fd::")),
    ("git", "for-each-repo"): Options(words=("*",)),
    ("git", "remote-ext"): Options(words=("*",)),
    ("git", "remote-fd"): Options(words=("*",)),
    ("git", "merge-index"): Options(words=("*",)),
    ("git", "imap-send"): Options(words=("*",)),
    ("git", "web--browse"): Options(words=("*",)),
    ("git", "help"): Options("wi", ("web", "info")),
    ("git", "credential-store"): Options(words=("*",)),
    ("git", "interpret-trailers"): Options(long=("in-place",)),
    ("git", "mailinfo"): Options(second=True),
    ("git", "fast-export"): Options(long=("export-marks",)),
    ("git", "bugreport"): Options("o", ("output-directory",)),
    ("git", "diagnose"): Options("o", ("output-directory",)),
    ("git", "pack-objects"): Options(words=("*",)),
    ("git", "notes"): Options(words=("edit",)),
    ("git", "cherry-pick"): Options("", ("strategy",), valued="mX",
        harmless="ours|theirs|recursive|ort|resolve|octopus|subtree"),
    ("git", "revert"): Options("", ("strategy",), valued="mX",
        harmless="ours|theirs|recursive|ort|resolve|octopus|subtree"),
    ("git", "archive"): Options("o", ("output", "exec", "remote")),
    ("git", "bisect"): Options(words=("run",)),
    ("git", "blame"): Options(long=("output",)),
    ("git", "bundle"): Options(words=("create",)),
    ("git", "clone"): Options("uc", ("upload-pack", "config", "template", "reference"), valued="bojtuc",
        long_valued=("branch", "depth", "origin", "jobs"), starts=("ext::", "fd::", "--config=")),
    ("git", "commit"): Options("", ("template",), valued="mFCct", long_valued=("message", "file", "author",
        "date", "trailer", "fixup", "squash", "cleanup", "reuse-message")),
    ("git", "config"): Options(words=("*set",)),
    ("git", "credential"): Options(words=("*",)),
    ("git", "daemon"): Options(words=("*",)),
    ("git", "diff"): Options(long=("output", "ext-diff", "textconv"), valued="GSlOU", long_valued=()),
    ("git", "difftool"): Options(words=("*",)),
    ("git", "fast-import"): Options(words=("*",)),
    ("git", "fetch"): Options("", ("upload-pack", "recurse-submodules"), valued="jo", starts=("ext::",
        "fd::")),
    ("git", "fetch-pack"): Options(long=("upload-pack", "exec")),
    ("git", "filter-branch"): Options(words=("*",)),
    ("git", "format-patch"): Options("o", ("output-directory", "output")),
    ("git", "grep"): Options("O", ("open-files-in-pager", "textconv", "ext-grep"), valued="ABCemf",
        long_valued=("max-count", "max-depth", "threads")),
    ("git", "gui"): Options(words=("*",)),
    ("git", "hook"): Options(words=("*",)),
    ("git", "init"): Options(long=("template", "separate-git-dir"), valued="b"),
    ("git", "instaweb"): Options(words=("*",)),
    ("git", "log"): Options(long=("output", "ext-diff", "textconv"), valued="nGSLlO"),
    ("git", "ls-remote"): Options("", ("upload-pack", "exec"), valued="o", starts=("ext::", "fd::")),
    ("git", "maintenance"): Options(words=("start", "register")),
    ("git", "mergetool"): Options(words=("*",)),
    ("git", "merge"): Options("s", ("strategy",), valued="mFXs", long_valued=("strategy-option",),
        harmless="ours|theirs|recursive|ort|resolve|octopus|subtree"),
    ("git", "p4"): Options(words=("*",)),
    ("git", "pull"): Options("s", ("upload-pack", "strategy"), valued="jXos", starts=("ext::", "fd::"),
        harmless="ours|theirs|recursive|ort|resolve|octopus|subtree"),
    ("git", "push"): Options("", ("receive-pack", "exec"), valued="o", starts=("ext::", "fd::")),
    ("git", "range-diff"): Options(long=("output",)),
    ("git", "rebase"): Options("xs", ("exec", "strategy"), valued="CXms",
        harmless="ours|theirs|recursive|ort|resolve|octopus|subtree"),
    ("git", "reflog"): Options(long=("output",)),
    ("git", "remote"): Options(words=(), starts=("ext::", "fd::")),
    ("git", "send-email"): Options(words=("*",)),
    ("git", "send-pack"): Options(words=("*",)),
    ("git", "http-push"): Options(words=("*",)),
    ("git", "http-backend"): Options(words=("*",)),
    ("git", "receive-pack"): Options(words=("*",)),
    ("git", "shell"): Options(words=("*",)),
    ("git", "cvsserver"): Options(words=("*",)),
    ("git", "citool"): Options(words=("*",)),
    ("git", "difftool--helper"): Options(words=("*",)),
    ("git", "mergetool--lib"): Options(words=("*",)),
    ("git", "shortlog"): Options(long=("output",)),
    ("git", "show"): Options(long=("output", "ext-diff", "textconv"), valued="nGSLlO"),
    ("git", "stash"): Options(long=("output",)),
    ("git", "submodule"): Options(words=("foreach", "set-url"), starts=("ext::", "fd::")),
    ("git", "subtree"): Options(words=("push", "pull", "add"), starts=("ext::", "fd::")),
    ("git", "svn"): Options(words=("*",)),
    ("git", "tag"): Options(valued="mFnu"),
    ("git", "upload-archive"): Options(words=("*",)),
    ("git", "var"): Options(),
    ("git", "worktree"): Options(),
    ("docker", "run"): _DOCKER_RUN,
    ("podman", "create"): _DOCKER_RUN,
    ("podman", "run"): _DOCKER_RUN,
    ("cargo", "install"): Options(long=("config", "root"), exact=True),
    ("gh", "alias"): Options(words=("set", "import")),
    ("gh", "extension"): Options(words=("*",)),
    ("docker", "create"): _DOCKER_RUN,
    ("go", "env"): Options(words=("-w", "-u")),
    ("npm", "exec"): Options("c", ("call",), exact=True),
    ("npm", "x"): Options("c", ("call",), exact=True),
    ("npm", "explore"): Options(words=("*",)),
    ("npm", "set"): Options(words=("*",)),
    ("npm", "c"): Options(words=("set", "edit", "delete")),
    ("aws", "configure"): Options(words=("*",)),
    ("gh", "config"): Options(words=("set",)),
    ("npm", "config"): Options(words=("set", "edit", "delete")),
    ("pip", "config"): Options(words=("set", "edit", "unset")),
    ("yarn", "config"): Options(words=("set",)),
    ("kubectl", "config"): Options(words=("set-credentials", "set-context", "set-cluster", "set")),
}  # fmt: skip
"""Of a program's subcommands, the empty one for all others. `*` in `words` stands for everything it does; `*set` for
whatever writes a setting."""

PRELUDES: dict[str, Options] = {
    "bundle": Options(),
    "cargo": Options(long=("config",), valued="ZC", long_valued=("config", "color", "manifest-path")),
    "docker": Options(valued="cHlD", long_valued=("config", "context", "host", "log-level", "tlscacert",
        "tlscert", "tlskey")),
    "docker compose": Options(valued="fp", long_valued=("file", "project-name", "profile", "env-file",
        "project-directory", "ansi", "parallel")),
    "podman": Options(valued="c", long_valued=("connection", "url", "identity", "log-level", "root",
        "runroot", "storage-driver")),
    "gh": Options(valued="R", long_valued=("repo", "hostname")),
    "git": Options(
        "c", ("config-env", "exec-path"), valued="Cc",
        harmless=r"(?:color|advice|column)\..*|user\.(?:name|email)=.*|init\.defaultBranch=.*|commit\.gpgsign=\w*"
        r"|core\.(?:quotepath|autocrlf|abbrev|longpaths|ignorecase)=\w*|core\.pager=cat|diff\.(?:algorithm|renames)=\w*",
        long_valued=("git-dir", "work-tree", "namespace", "super-prefix", "attr-source", "list-cmds"),
    ),
    "go": Options(valued="C"),
    "helm": Options(valued="n", long_valued=("namespace", "kube-context", "kubeconfig", "registry-config")),
    "hg": Options(valued="R", long=("config", "configfile"), long_valued=("config", "configfile", "cwd", "repository",
        "encoding")),
    "kubectl": Options(
        valued="nsv", long_valued=("namespace", "context", "cluster", "user", "kubeconfig", "server", "token",
            "as", "as-group", "cache-dir", "request-timeout", "certificate-authority", "client-key",
            "client-certificate", "tls-server-name"),
    ),
    "npm": Options(valued="Cw", long_valued=("prefix", "workspace", "loglevel", "registry", "cache",
        "userconfig")),
    "pnpm": Options(valued="CFw", long_valued=("dir", "filter", "workspace-root")),
    "pip": Options(long_valued=("python", "log", "proxy", "cache-dir", "timeout", "retries", "cert")),
    "systemctl": Options(valued="HMtnops", long_valued=("host", "machine", "type", "state", "property",
        "output", "lines", "root")),
    "svn": Options(
        long=("config-dir", "config-option", "editor-cmd", "diff-cmd", "diff3-cmd"),
        long_valued=("config-dir", "config-option", "editor-cmd", "diff-cmd", "diff3-cmd", "username", "password"),
    ),
    "terraform": Options(starts=("-chdir=",)),
    "uv": Options(valued="p", long_valued=("directory", "project", "config-file", "cache-dir", "python",
        "color")),
    "yarn": Options(long_valued=("cwd",)),
    "aws": Options(long_valued=("profile", "region", "output", "endpoint-url", "query", "ca-bundle",
        "color")),
    "gcloud": Options(long_valued=("project", "account", "configuration", "format", "verbosity")),
    "az": Options(valued="o", long_valued=("output", "query", "subscription")),
    "make": Options(valued="CfIjloW", long_valued=("directory", "file", "makefile", "include-dir", "jobs")),
    "apt-get": Options(valued="otc", long_valued=("option", "config-file", "target-release")),
    "apt": Options(valued="otc", long_valued=("option", "config-file", "target-release")),
    "poetry": Options(valued="CP", long_valued=("directory", "project")),
    "just": Options(valued="fd", long_valued=("justfile", "working-directory", "set", "shell")),
    "brew": Options(),
    "conda": Options(),
    "dnf": Options(valued="cx", long_valued=("config", "exclude", "enablerepo", "disablerepo", "setopt")),
    "yum": Options(valued="cx", long_valued=("config", "exclude", "enablerepo", "disablerepo", "setopt")),
    "pacman": Options(valued="br", long_valued=("dbpath", "root", "config", "arch")),
    "ip": Options(valued="nl", words=("-n", "-netns")),
    "rustup": Options(),
    "nix": Options(),
    "composer": Options(valued="d", long_valued=("working-dir",)),
    "mvn": Options(valued="flPTgst", long_valued=("file", "log-file")),
    "gradle": Options(valued="bcIpg", long_valued=("build-file", "project-dir", "init-script")),
    "dotnet": Options(),
}  # fmt: skip
"""Options that stand between a program and its subcommand, for programs that have subcommands."""

SAME: dict[str, dict[str, str]] = {
    "chmod": {"R": "recursive"},
    "chown": {"R": "recursive"},
    "cp": {"r": "recursive", "R": "recursive", "f": "force"},
    "docker": {"f": "force", "v": "volume"},
    "git": {"f": "force", "d": "delete", "D": "delete", "n": "dry-run"},
    "grep": {"r": "recursive", "R": "recursive"},
    "kill": {},
    "mv": {"f": "force"},
    "npm": {"g": "global", "f": "force"},
    "rm": {"r": "recursive", "R": "recursive", "f": "force", "d": "dir"},
    "rsync": {"r": "recursive", "a": "archive"},
    "tar": {"x": "extract", "c": "create", "get": "extract"},
}
"""Short options (and long ones) that mean the same as a long one, for `options_any`."""
