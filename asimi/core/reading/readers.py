"""Readers of single arguments: whether a value or an operand does nothing that its program's name does not promise.

The rows of the catalogue name them in capitals: `-o,--output=NOWHERE`. Each answers with what the text does beyond, in
words that follow the program's name, or with an empty string where it was read to its end and does nothing else. What
is not understood counts as doing something.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.programs import find
from asimi.core.programs.variables import HARMLESS_SET, HARMLESS_SHOPT, LOADING, is_free
from asimi.core.reading.values import DELETES

if TYPE_CHECKING:
    from asimi.core.reading.values import Reader

_NOWHERE = pattern(r"/dev/(?:null|stdout|stderr)|-")
_SETTING = (
    r"(?i)(?:advice|author|color|column|committer|grep|i18n|log|status)\..*|user\.(?:email|name|signingkey|useconfigonly)=.*"
    r"|(?:apply|blame|branch|checkout|clean|clone|commit|diff|feature|fetch|format|gc|index|init|merge|pack|pull|push"
    r"|rebase|rerere|revert|stash|tag|transfer|worktree)\.(?:abbreviatecommands|algorithm|aggressivewindow|auto"
    r"|autodetach|autosetupmerge|autosetuprebase|autosetupremote|autosquash|autostash|autoupdate|autorefreshindex"
    r"|colormoved|colormovedws|compression|conflictstyle|context|date|default|defaultbranch|defaultremotename"
    r"|defaulttoupstream|depth|dirstat|directoryrenames|enabled|experimental|ff|followtags|forkpoint|fsckobjects"
    r"|gpgsign|guess|guessremote|ignorerevsfile|ignoresubmodules|ignorewhitespace|indentheuristic|interhunkcontext"
    r"|manyfiles|markignoredlines|mnemonicprefix|noprefix|numbered|outputindicator\w*|parallel|pretty|prune|prunetags"
    r"|rebase|recursesubmodules|reference|rejectshallow|relative|renamelimit|renames|requireforce|showemail|showpatch"
    r"|showstat|showforcedupdates|signoff|sort|stat|status|submodule|suppressblankempty|threads|unpacklimit|updaterefs"
    r"|verbose|verbosity|version|whitespace|window|windowmemory|wordregex|workers|writecommitgraph|wserrorhighlight)=.*"
    r"|core\.(?:abbrev|autocrlf|bare|bigfilethreshold|checkstat|commentchar|compression|eol|filemode|fscache|fsync"
    r"|ignorecase|ignorestat|logallrefupdates|longpaths|loosecompression|packedgitlimit|packedgitwindowsize"
    r"|precomposeunicode|preloadindex|protecthfs|protectntfs|quotepath|safecrlf|splitindex|symlinks|trustctime"
    r"|untrackedcache|warnambiguousrefs|whitespace)=.*|core\.(?:editor|pager)=(?:cat|true|:)?|sequence\.editor=(?:true|:)"
    r"|core\.fsmonitor=false|core\.hookspath=/dev/null|credential\.helper=|filter\.lfs\.(?:clean|process|smudge)="
    r"|filter\.lfs\.required=\w*|interactive\.singlekey=\w*|maintenance\.auto=\w*|pager\.\w+=(?:false|true)"
    r"|http\.(?:[^=]+\.)?(?:extraheader|followredirects|lowspeedlimit|lowspeedtime|maxrequests|postbuffer|version)=.*"
    r"|protocol\.version=\d|submodule\.(?:fetchjobs|propagatebranches|recurse)=\w*"
)
"""Settings of git that name no program, no directory and no other file of settings (git-config(1))."""

_GIT_CLONE = pattern(
    r"--(?:bare|dissociate|mirror|no-checkout|no-single-branch|no-tags|progress|quiet|recurse-submodules|recursive"
    r"|remote-submodules|shallow-submodules|single-branch|sparse|tags|verbose|(?:branch|depth|filter|jobs|origin|revision"
    r"|shallow-exclude|shallow-since)(?:=.*)?|recurse-submodules=.*)|-[bjnoqv46]|-j\d+"
)
_VARIABLE = pattern(r"([A-Za-z_][\w.-]*)(?::{0,3}|[?+])=([\w .,:@%+=/~-]*)", re.ASCII)
_CODE_FLAG = pattern(
    r"(?:^|\s)(?:@|-B|-fplugin|-fpass-plugin|-load|-plugin|-toolexec|-wrapper|-X(?:clang|linker|assembler)|-C\s*linker"
    r"|-Wl,\S*-plugin|-fuse-ld=[./]|--?(?:config|specs|require|import|loader)\b|-r(?:\s|$))"
)
"""An option by which compilers and interpreters load code or start another program."""

_TARGET = pattern(r"[\w./@%+,:~-]+", re.ASCII)
_HELPER = pattern(r"[A-Za-z][\w+.-]*::", re.ASCII)
_SSH = pattern(r"ssh(?: -[46aCqTvx]+| -[pl] ?[\w.]+| -[ci] ?[\w.,/~@+][\w.,/~@+-]*| -o ?[\w=./~:@+-]+)*", re.ASCII)
_SSHFS = pattern(
    r"allow_other|allow_root|auto_unmount|default_permissions|delay_connect|follow_symlinks|kernel_cache|reconnect|ro"
    r"|transform_symlinks|(?:attr_timeout|cache|cache_timeout|entry_timeout|gid|idmap|max_conns|uid|umask)=\w+"
)
_VOLUME = pattern(r"(?:(?:\.|[A-Za-z0-9][\w.-]*):)?/[^:]*(?::(?:ro|rw|z|Z|cached|delegated|consistent|nocopy|,)+)?")
_MOUNT = pattern(
    r"(?:(?:type=(?:bind|volume|tmpfs|cache|cluster)|(?:source|src)=(?:\.|[A-Za-z0-9][\w.-]*)|(?:target|destination|dst)=/[^,]*"
    r"|tmpfs-(?:size|mode)=\w+|(?:volume-nocopy|readonly|ro)(?:=true|=false)?)(?:,|$))+"
)
_PLAN = pattern(r"(?:[\w-]+\.)?(?:tf)?plan(?:\.(?:out|bin))?", re.ASCII)
_SSH_OPTION = pattern(r"([A-Za-z]+)(?:\s*+=\s*+|\s++)([\w .,:@/+*~-]*)", re.ASCII)
_SSH_JUMP = pattern(r"[\w.@:\[\]][\w.@:\[\],-]*", re.ASCII)
_BUILD_OUTPUT = pattern(r"type=(?:docker|image|registry|inline|gha|cacheonly)(?:,(?!dest=)[\w-]+=[^,]*)*")

MAKE_PROGRAMS = frozenset(
    "AR ARFLAGS AS CC CO CPP CTANGLE CWEAVE CXX F77 FC GET GNUMAKEFLAGS LD LEX LINT M2C MAKE MAKEFILES MAKEFLAGS"
    " MAKEINFO MFLAGS OBJC PC RM SHELL TANGLE TEX TEXI2DVI WEAVE YACC".split()
)
"""Variables of make that name a program, or what is read (GNU make manual, Implicit Variables)."""

HARMLESS_SSH = frozenset(
    "addkeystoagent addressfamily batchmode bindaddress bindinterface canonicaldomains canonicalizefallbacklocal"
    " canonicalizehostname canonicalizemaxdots casignaturealgorithms certificatefile checkhostip ciphers"
    " clearallforwardings compression connectionattempts connecttimeout dynamicforward escapechar exitonforwardfailure"
    " fingerprinthash forkafterauthentication forwardagent forwardx11 forwardx11timeout forwardx11trusted gatewayports"
    " gssapiauthentication gssapidelegatecredentials hashknownhosts hostbasedacceptedalgorithms"
    " hostbasedauthentication hostkeyalgorithms hostkeyalias hostname identitiesonly identityfile ipqos"
    " kbdinteractiveauthentication kexalgorithms localforward loglevel macs nohostauthenticationforlocalhost"
    " numberofpasswordprompts passwordauthentication port preferredauthentications pubkeyacceptedalgorithms"
    " pubkeyacceptedkeytypes pubkeyauthentication rekeylimit remoteforward requesttty requiredrsasize sendenv"
    " serveralivecountmax serveraliveinterval sessiontype setenv stdinnull stricthostkeychecking syslogfacility"
    " tcpkeepalive updatehostkeys user verifyhostkeydns visualhostkey".split()
)
"""Settings of ssh that start nothing and write nothing but what it learns of hosts (ssh_config(5))."""


def nowhere(text: str) -> str:
    """A file to write that is none: `/dev/null`, or the program's own output."""
    return "" if _NOWHERE.fullmatch(text) else "writes a file"


def ssh(text: str) -> str:
    """How rsync reaches the other machine (rsync(1), --rsh)."""
    if _SSH.fullmatch(text) is None:
        return "starts a program to reach the other machine"
    return next(filter(None, map(ssh_option, re.findall(r" -o ?(\S+)", text))), "")


def sshfs(text: str) -> str:
    """Options of a file system over ssh, some of which name a program (sshfs(1), ssh_config(5))."""
    return next(filter(None, (ssh_option(part) for part in text.split(",") if not _SSHFS.fullmatch(part))), "")


def _is_compiler(name: str) -> bool:
    """Whether make may be told to use a program in place of another of its kind."""
    program = find(name)
    return program is not None and "compiles" in program.traits


def make(text: str) -> str:
    """An operand of make: a target, or a variable (GNU make manual, Overriding Variables).

    Make expands the value, puts it into the environment, and recipes put it into shell text.
    """
    if "=" not in text:
        return "" if _TARGET.fullmatch(text) else "takes a target with characters that mean something to it"
    match = _VARIABLE.fullmatch(text)
    if match is None:
        return "takes a variable that it, or a shell, expands"
    if match[1].upper() in MAKE_PROGRAMS and not _is_compiler(match[2]):
        return f"takes {match[1]}, which names a program"
    if LOADING.fullmatch(match[1]) or _CODE_FLAG.search(match[2]):
        return f"takes this {match[1]}, which can name code to run"
    return ""


def variable(text: str) -> str:
    """`NAME=VALUE` that becomes a variable of the environment (rake(1))."""
    name, equals, _ = text.partition("=")
    return f"takes {name}, which can name code to run" if equals and LOADING.fullmatch(name) else ""


def remote(text: str) -> str:
    """A repository's address; `ext::` and its like start a program (gitremote-helpers(7))."""
    if text.startswith("-"):
        return "takes an address that is an option"
    return "starts the helper that this address names" if _HELPER.match(text) else ""


def mount(text: str) -> str:
    """What a container is given of this machine: a named volume, or the directory of the call (docker-run(1))."""
    if _VOLUME.fullmatch(text) or _MOUNT.fullmatch(text):
        return ""
    return "gives the container a part of this machine"


def build_output(text: str) -> str:
    """Where `docker build` puts what it has built: an image, or a cache elsewhere (docker-buildx-build(1))."""
    return "" if _BUILD_OUTPUT.fullmatch(text) or not nowhere(text) else "writes a file"


def ssh_option(text: str) -> str:
    """`NAME=VALUE` of `ssh -o` (ssh_config(5))."""
    match = _SSH_OPTION.fullmatch(text)
    if match is None:
        return "takes a setting with characters that mean something to it"
    name, value = match[1].lower(), match[2]
    if name == "proxyjump":
        return ssh_jump(value)
    if name in {"globalknownhostsfile", "userknownhostsfile"}:
        return nowhere(value)
    return "" if name in HARMLESS_SSH else "takes a setting that could name a program to run, or a file to write"


def plan(text: str) -> str:
    """A file for a plan of terraform, with the name of one and beside the configuration."""
    return "" if _PLAN.fullmatch(text) else nowhere(text)


def ssh_jump(text: str) -> str:
    """The hosts of `ssh -J`, which ssh puts into shell text (ssh(1))."""
    return "" if _SSH_JUMP.fullmatch(text) else "takes a host with characters that mean something to a shell"


def clone(text: str) -> str:
    """An operand of a program that hands it to `git clone`: a repository, a directory, or one of git's options."""
    if text.startswith("-"):
        return "" if _GIT_CLONE.fullmatch(text) else "hands an option to git that could start a program"
    return remote(text)


def no_file(text: str) -> str:
    """An operand that is a file of options if it begins with `@`, or takes an option back (`tsc --noEmit false`)."""
    if text == "false":
        return "may take back the option before it"
    return "takes its options from a file" if text.startswith("@") else ""


def set_option(text: str) -> str:
    """An option of `set` or `shopt` (bash manual, The Set Builtin and The Shopt Builtin)."""
    return "" if text in HARMLESS_SET | HARMLESS_SHOPT else "reads or runs the text differently with this option"


_TMUX = pattern(
    r"(?:[^#]|#(?![#({])|#\{(?:(?:[bd]|=-?\d+):)?NAME\}|#\{\?NAME,[^#{}]*,[^#{}]*\})*".replace(
        "NAME",
        r"(?:@[\w-]+|(?:active|alternate|client|cursor|history|host|insert|keypad|last|mouse|next|origin|pid|scroll|server"
        r"|session|socket|start|uid|user|version|window|wrap|pane(?!_search))(?:_\w+)?|buffer_(?:created|name|size))",
    ),
    re.DOTALL,
)
"""Formats that are replaced once: not `E:` and `T:`, which expand what they find again (tmux(1), FORMATS).

A name that is none of tmux's own is one of its environment; some of its own show what was copied or looked for.
"""


def assignment(text: str) -> str:
    """`NAME` or `NAME=VALUE` for the environment of what is started."""
    name, equals, value = text.partition("=")
    return "" if is_free(name, value if equals else None) else "sets a variable that may name code to run"


def tmux(text: str) -> str:
    """An argument of tmux: a `;` at its end begins another command, `#(` in it starts one (tmux(1))."""
    return (
        ""
        if _TMUX.fullmatch(text) and not text.endswith(";")
        else "starts what is behind `;` or in `#()`, or shows its environment"
    )


def file_system(text: str) -> str:
    """Types of file systems; for others mount starts a helper, and that of fuse starts a program (mount(8))."""
    kinds = text.removeprefix("no").split(",")
    return "" if _FILE_SYSTEMS.issuperset(kinds) else "starts the program of that type"


_FILE_SYSTEMS = frozenset(
    "auto bind bpf btrfs cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs erofs exfat ext2 ext3 ext4 f2fs hfs"
    " hfsplus hugetlbfs iso9660 jfs minix mqueue msdos none ntfs3 overlay proc ramfs reiserfs securityfs squashfs swap"
    " sysfs tmpfs tracefs udf vfat virtiofs xfs".split()
)
"""Types that the kernel mounts itself (filesystems(5), /proc/filesystems)."""


_MODE = pattern(r"[DF]?(?:[=+-]?0*[01]?[0-7]{1,3}|[ugoa]*(?:[+=][rwxXtugo]*|-[rwxXstugo]*)+)")
"""One part of a mode without the bits `s`: not in octal, 4000 and 2000, nor added."""


def mode(text: str) -> str:
    """The mode of a file, in octal or in symbols (coreutils manual, File permissions; `D` and `F`: rsync(1))."""
    return "" if all(map(_MODE.fullmatch, text.split(","))) else "lets whoever runs the file be its owner or group"


_UNIT_PART = pattern(
    r"\w+State|\w*PID|\w*Timestamp\w*|(?:CPU|Can|IO|IP|Limit|Memory|NextElapse|Restart|Tasks)\w+|After|Before|BindsTo"
    r"|ConsistsOf|ControlGroup|Description|Documentation|DropInPaths|ExecMain(?:Code|Status)|FragmentPath|GID|Group|Id"
    r"|InvocationID|Job|LastTrigger|Listen|NRestarts|Names|PartOf|RequiredBy|Requires|Restart|Result|Slice|StatusErrno"
    r"|StatusText|TriggeredBy|Triggers|Type|UID|User|Version|WantedBy|Wants|What|Where|WorkingDirectory"
)


def unit_parts(text: str) -> str:
    """Properties of units that hold no environment and no command (org.freedesktop.systemd1(5))."""
    return "" if all(map(_UNIT_PART.fullmatch, text.split(","))) else _CREDENTIAL


_CREDENTIAL = "may print a credential"
_INDEX = r"""(?:\[(?:[\d*:,-]*|\?\(@\.\w+==(?:"[\w.-]*"|'[\w.-]*')\))\])*"""
_FIELDS = (
    rf"(?:\.\w+{_INDEX})*?(?:\.metadata\.(?:labels(?:\.(?:[\w/-]|\\\.)+)?|(?!annotations|managedFields|labels)\w+{_INDEX}"
    rf"(?:\.\w+{_INDEX})*)|\.status{_INDEX}(?:\.\w+{_INDEX})*|\.(?:accessModes|apiVersion|capacity|clusterIPs?|count"
    r"|externalIPs|firstTimestamp|host|image|imagePullPolicy|kind|lastTimestamp|loadBalancerIP|message|name|namespace"
    r"|nodeName|nodePort|phase|podCIDR|ports?|protocol|providerID|reason|replicas|resources|restartPolicy|schedule"
    r"|serviceAccountName|storageClassName|suspend|targetPort|tolerations|type|unschedulable|volumeName)"
    rf"{_INDEX})(?![\w.\[\\])"
)
"""Paths to fields of a resource that are neither its environment nor its data."""

_STATE = (
    r"\.(?:(?:Architecture|Created|CreatedAt|Driver|ExitCode|FinishedAt|Gateway|GraphDriver|Health|HostIp|HostPort|I[Dd]"
    r"|IPAddress|Image|ImageName|LogPath|MacAddress|Metadata|Mode|Mountpoint|Mounts|Name|NetworkID|NetworkSettings|Os|Parent"
    r"|Pid|Platform|Pod|RW|RepoDigests|RepoTags|RestartCount|RootFS|Running|Scope|Size|SizeRootFs|SizeRw|Source|StartedAt"
    r"|State|Status|Type|VirtualSize)(?:\.\w+)*|(?:Container)?Config\.(?:ExposedPorts|Hostname|Image|Labels|StopSignal|Tty"
    r"|User|Volumes|WorkingDir)|HostConfig\.(?:AutoRemove|CpuShares|Memory|NanoCpus|NetworkMode|PortBindings|Privileged"
    r"|RestartPolicy)(?:\.\w+)*)(?![\w.])"
)
"""Paths to fields of a container, an image or a volume that are no environment, no command and no options."""

_PARTS = (
    r"""(?s)(?!\s*(?:json|yaml)\b)(?:[^{]|\{(?!\{)|\{\{(?:[\s(),|:=-]|"[^"]*"|'[^']*'|\d|(?:and|else|end|eq|if|index"""
    r"""|join|json|len|lower|ne|not|or|print|printf|println|range|split|title|upper|with)\b"""
    rf"""|\$[A-Za-z]\w*(?:\.\w+)*(?![\w.])|{_STATE})*\}}\}})*"""
)
"""What `docker inspect` prints (docker manual, Format command output)."""

_RESOURCE = (
    r"""name|wide|(?:go-)?template|jsonpath|(?!-)[\w-]*file(?:=.*)?|(?:(?:(?:go-)?template|jsonpath(?:-as-json)?|custom-columns)=)?"""
    r"""(?:[\s{}|,;=/-]|"[^"]*"|'[^']*'|(?:end|range)\b(?!:)|[A-Za-z][\w-]*:"""
    rf"""|(?<=range )\.?[\w.]+{_INDEX}(?:[.\w]+{_INDEX})*(?=\}})|\$?{_FIELDS})*"""
)
"""What kubectl prints of a resource; `PRINTED` speaks of templates in files (kubectl get --help, JSONPath Support)."""

_GIT_KEY = (
    r"(?is)\^?(?:advice|alias|am|apply|blame|branch|checkout|clean|clone|color|column|commit|core|diff|difftool"
    r"|extensions|feature|fetch|gc|gpg|grep|help|i18n|index|init|interactive|log|maintenance|merge|mergetool|notes|pack"
    r"|pager|protocol|pull|push|rebase|receive|remote|rerere|safe|sequence|stash|status|submodule|tag|transfer|user"
    r"|versionsort|worktree|http\.(?:postbuffer|sslverify|version)\Z)(?:\\?\.[^|]*)?"
)
"""Settings of git, and patterns of these, that hold no credential (git-config(1))."""

_KEY_NAME = (
    r"(?a)(?:(?:compute|core|functions|global|install|list|profile\.[\w-]+|run|user)[./])?(?:account|cache|cache-dir"
    r"|cli_\w+|color|default-timeout|disable-pip-version-check|engine-strict|fund|globalconfig|init-[\w-]+|loglevel"
    r"|max_attempts|no-cache-dir|node-version|output|package-lock|platform|prefix|project|python|region|registry"
    r"|require-virtualenv|retries|retry_mode|role_arn|save-\w+|script-shell|source_profile"
    r"|sso_(?:account_id|region|role_name|session)|timeout|user-agent|userconfig|zone)"
)
"""Settings of pip, npm, aws and gcloud that hold none (pip config, npm config, aws configure get, gcloud config)."""

READERS: dict[str, Reader] = {
    "GITKEY": (_GIT_KEY, _CREDENTIAL),
    "KEYNAME": (_KEY_NAME, _CREDENTIAL),
    "PARTS": (_PARTS, _CREDENTIAL),
    "RESOURCEPARTS": (_RESOURCE, _CREDENTIAL),
    # How helm says that a release is there; the other forms have its values (helm help status).
    "TABLE": (r"table", _CREDENTIAL),
    # A module that changes nothing (the documentation of ansible.builtin).
    "ANSIBLEMODULE": (
        r"(?:ansible\.builtin\.)?(?:debug|gather_facts|getent|package_facts|ping|service_facts|setup|stat|win_ping)",
        "runs this module",
    ),
    # `NAME=VALUE` of `ansible-playbook -e`; those of ansible itself name programs (Special Variables).
    "ANSIBLEVARIABLES": (
        r"(?a)(?:(?!ansible_)[A-Za-z_]\w*=[\w.,:@%+/~-]*\s*)+",
        "takes variables that could name a program to run",
    ),
    # A chart of a repository that was added (helm show); others are files or have addresses.
    "CHART": (r"(?a)[\w-][\w.-]*/[\w-][\w.-]*", "takes a chart from elsewhere"),
    # A directory with a chart, the name of a release, or a chart of a repository that was added; others have addresses
    # (helm help template).
    "LOCALCHART": (r"(?a)[\w./~+-]+", "takes a chart from elsewhere"),
    # A file of this machine where an address could stand, whose scheme may be one of a plug-in (helm help template).
    "LOCALFILE": (r"[^:]*", "takes a file from elsewhere"),
    # Settings that take in no others but yamllint's own, nor a list in a file; without a colon they name some.
    "YAMLLINT": (
        r"(?s)default|relaxed|(?=.*:)(?!.*from-file)(?:(?!extends)[^\\]|extends: (?:default|relaxed)(?=[,}\s]|\Z))*",
        "takes in settings of a file",
    ),
    # A formula or a cask by its name, and no file or address that brings code (brew manual, Specifying Formulae).
    "FORMULA": (r"(?a)[\w+-]+(?:@[\d.]+)?", "takes what is no plain name"),
    # A package of the registry; others are fetched from elsewhere, or are files (npm help package-spec).
    "PACKAGE": (
        r"(?a)(?!.*\.(?:tgz|tar|tar\.gz)(?:@|$))(?:@[\w-][\w.-]*/)?[\w-][\w.-]*(?:@[\w.^~<>=*+-]*)?",
        "takes a package that is in no registry",
    ),
    # An archive; `HOST:FILE` is on another machine (GNU tar manual, Remote Tape Server).
    "ARCHIVE": (r"(?s)(?![^/]*:).*", "starts `rsh` for an archive on another machine"),
    # A text in which `!` starts a command.
    "BC": (r"[^!]*", "starts what `!` says"),
    "BUILT": build_output,
    # A word that the shell of a device leaves as it is, and the name of a package there.
    "DEVICENAME": (r"(?a)[\w.:/-]+", "takes a word that may start something on the device"),
    "DEVICEPACKAGE": (r"(?a)[A-Za-z]\w*(?:\.\w+)+", "takes a word that is no name of a package"),
    # What tar does at a checkpoint (GNU tar manual, Checkpoints).
    "CHECKPOINT": (r"(?:\.|dot|bell|totals|sleep=\d+|(?:echo|ttyout)(?:=.*)?)", "runs a command at each checkpoint"),
    # An operand of date: a format begins with `+`, anything else is a time to set (date(1)).
    "CLOCK": (r"(?s)\+.*", "sets the clock"),
    "CLONE": clone,
    "CODE": lambda _: "runs the program in this file",
    # A program that compresses.
    "COMPRESSOR": (
        (
            r"(?:gzip|pigz|bzip2|pbzip2|xz|zstd|zstdmt|lz4|lzip|brotli)"
            r"(?: (?:-[0-9cdefkqv]+|-[Tp] ?\d+|--ultra|--long(?:=\d+)?))*"
        ),
        "starts a program",
    ),
    # The first operand of pandoc, which may be a verb (pandoc(1), Running Pandoc as a Lua Interpreter).
    "DOCUMENT": (r"(?s)(?!(?:lua|server)\Z).*", "runs as an interpreter or a server"),
    # A string that ends at a `$`, behind which are more options (less(1), Options).
    "DOLLAR": (r"[^$]*\$?", "takes what follows `$` as more options"),
    # A program that makes a PDF (pandoc(1), --pdf-engine).
    "ENGINE": (
        r"(?:pdf|lua|xe)latex|latexmk|tectonic|context|wkhtmltopdf|weasyprint|pagedjs-cli|prince|pdfroff|groff|typst",
        "starts a program",
    ),
    # A format of pandoc, with extensions; a custom one is a program in Lua (pandoc(1), --to).
    # How a client tries what it would do (kubectl apply --help); with `none` it does it.
    "DRYRUN": (r"client|server", "does it, and not only says so"),
    "FORMAT": (r"(?a)[A-Za-z][\w+-]*", "runs a program in Lua"),
    # What `curl -X` asks for (RFC 9110, RFC 4918); a method that nobody knows may delete as well.
    "HTTPMETHOD": (r"(?i)get|head|options|patch|post|propfind|put|query|report|search|trace", DELETES),
    "HOSTNAME": lambda _: "gives this machine another name",
    # A tool that shows or merges differences; those of the program itself begin with a colon or `internal:`.
    "INTERNAL": (r"(?s)(?:internal)?:.*", "starts the tool of that name"),
    "JUMP": ssh_jump,
    # An operand of less; behind `+` are its commands, of which some go to a line or a pattern (less(1), Options).
    "LESS": (r"(?as)\+{1,2}(?:\d*[FGg]?|[/?][\w .-]*)|(?!\+).*", "runs the command behind `+`"),
    "LISTED": no_file,
    "MAKE": make,
    # An option of mawk, or a long one of gawk (mawk(1), -W; gawk(1), -W).
    "MAWK": (
        r"interactive|version|help|usage|posix_space|(?:random|sprintf)=\d+",
        "writes, or runs a program from a file",
    ),
    "MOUNT": mount,
    "NOWHERE": nowhere,
    # Less takes what follows numbers in the same word as more options (less(1), Options).
    "NUMBERS": (r"(?a)[-+]?[\d.,]*", "takes what follows the number as more options"),
    "PLAN": plan,
    # A command of PlistBuddy that takes in no other file (PlistBuddy -h).
    "PLIST": (r"(?is)(?:print|set|add|copy|delete|clear|save|revert|exit|help)\b.*", "takes in another file"),
    # An operand that is a command if it begins with `+`; a number is a line.
    "PLUS": (r"(?s)(?!\+).*|\+[0-9]+", "runs the command behind `+`"),
    # `NAME=VALUE` of `psql -v`; some names in capitals are settings of its own (psql(1), Variables).
    "PSQLVARIABLE": (
        r"(?a)(?:[a-z]\w*|AUTOCOMMIT|ECHO(?:_HIDDEN)?|FETCH_COUNT|ON_ERROR_(?:ROLLBACK|STOP)|QUIET|SHOW_CONTEXT|VERBOSITY)(?:=.*)?",
        "takes a setting that could name a program to run",
    ),
    "REMOTE": remote,
    # New names of files, for either `rename`. In Perl `@{…}`, `$x[…]` and `(?{…})` run code between the slashes.
    "RENAME": (
        r"""(?ax)(?:s/(?:[^/\\@$(]|\\.|\((?![?*])|\(\?[:=!]|\$(?=[/|)]))*/(?:[^/\\@$]|\\.|\$(?:&|\d+)(?![\[{-]))*/[gimsx]*;?
    |(?:y|tr)/[\w .,:;+-]*/[\w .,:;+-]*/[cdsr]*|[\w .,+-]*)""",
        "runs this text as Perl code",
    ),
    # The program that rsync starts on the other machine (rsync(1), --rsync-path).
    "RSYNC": (r"(?:sudo (?:-n )?)?rsync", "starts a program on the other machine"),
    "SET": set_option,
    # `NAME=VALUE` of `git -c`; many settings name programs (git-config(1)).
    "SETTING": (_SETTING, "takes a setting that could name a program to run"),
    # The first operand of `git config`, which may be a verb (git-config(1), Commands).
    "SETTINGNAME": (
        r"(?s)(?!(?:edit|(?:un)?set|(?:rename|remove)-section)\Z).*",
        "writes a setting, and settings can name programs to run",
    ),
    "SSH": ssh,
    # An argument that others hand to ssh.
    "SSHARGUMENT": (r"(?s)(?!-).*", "takes an option of ssh"),
    "SSHFS": sshfs,
    "SSHOPTION": ssh_option,
    # A merge strategy of git: its own ones start no other program (git-merge(1)).
    "STRATEGY": (r"ours|theirs|recursive|ort|resolve|octopus|subtree", "starts the program of that strategy"),
    "VARIABLE": variable,
    # How kubectl prints; `templatefile`, `jsonpath-file` and their like read a file (kubectl get --help).
    "PRINTED": (
        r"(?s)(?:json|k?yaml|name|wide|(?:(?:go-)?template|jsonpath(?:-as-json)?|custom-columns)(?:=.*)?)",
        "reads a file with the template",
    ),
    # What `curl -w` prints; `%output{FILE}` writes a file (curl(1)).
    "WRITEOUT": (
        r"(?a)(?!@)(?:[^%]|%%|%\{\w+\}|%header\{[\w-]+\}|%(?![a-z]*\{))*",
        "reads or writes a file with this text",
    ),
    "ASSIGNMENT": assignment,
    # What GNU parallel replaces, which is `{}` unless it is told otherwise.
    "BRACES": (r"\{\}", "replaces other words than `{}`"),
    # A number with units; GNU parallel computes it as Perl (its source, multiply_time_units).
    "COUNT": (r"(?a)(?>(?:[\d.]++(?>(?:[KMGTPEkmgtpe]i?+|[dhsDHS%])?))+)", "computes this text as Perl"),
    "FILESYSTEM": file_system,
    "MODE": mode,
    # mknod(1): `p` is a FIFO; `b`, `c` and `u` are devices.
    "NODE": (r"p", "makes a device"),
    # The shell of hyperfine: none, or one that reads text as `sh` does (hyperfine(1)).
    "NOSHELL": (r"none|default|(?:ba|da)?sh", "starts that shell"),
    # The name of a setting of the kernel: a path below /proc/sys; with `=` it is set (sysctl(8)).
    "NOVALUE": (r"(?:(?!\.\.)[^=])*", "sets this, or leads out of /proc/sys"),
    # A path of rclone; settings in it can name a program (rclone.org/docs, Connection strings).
    "REMOTEFILES": (r"(?s)[^:]*|[^:,]+:.*", "takes settings in this path that can name a program"),
    # `NAME=VALUE` of a systemd unit: limits and accounting start nothing (systemd.resource-control(5)).
    "RESOURCE": (
        r"(?a)(?:CPU|Memory|IO|Tasks|Limit|IPAccounting|OOM|Startup|Runtime|Timeout)\w*=[\w.%:/ -]*",
        "sets a property that could start a program",
    ),
    # The path of a shell that reads text as `sh` does.
    "SHELL": (r"(?:/usr)?/bin/(?:ba|da)?sh", "starts that program as a shell"),
    "TMUX": tmux,
    # The file of `strace -o`; behind `|` or `!` it is a command (strace(1)).
    "TRACE": (r"/dev/(?:null|stdout|stderr)", "writes a file, or starts a program"),
    # A unit of systemd; the path of a file makes the programs in it a service (systemctl(1), enable).
    "UNIT": (r"[^/]*", "makes a service of this file, which names programs"),
    "UNITPARTS": unit_parts,
    # A tool of valgrind's own; its name is part of the path of a program (valgrind(1)).
    "VALGRIND": (
        r"memcheck|cachegrind|callgrind|helgrind|drd|massif|dhat|lackey|none|exp-bbv",
        "starts the program of that tool",
    ),
}
