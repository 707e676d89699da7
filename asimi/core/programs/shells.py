"""Shells and the builtins of bash (bash 5.2 manual, Invoking Bash and Shell Builtin Commands; POSIX.1-2024, sh)."""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts

_LETTERS = "-cseuETvxfCmbtnPhBrD"
_POSIX = f"{_LETTERS} -l -o=SET +o= +*"
_BASH = (
    f"{_LETTERS} -o=SET +o= +* -O=SET +O= -l,-login,--login -debug,--debug -debugger,--debugger "
    "-dump-po-strings,--dump-po-strings -dump-strings,--dump-strings -help,--help -noediting,--noediting "
    "-noprofile,--noprofile -norc,--norc -pretty-print,--pretty-print -protected,--protected -restricted,--restricted "
    "-verbose,--verbose -version,--version"
)
_FILES = "-aHikp -init-file,--init-file= -posix,--posix -rcfile,--rcfile="
"""Options by which bash reads a file of commands first, exports what it sets, or reads text differently."""

SHELLS = (
    Program("bash", aliases="rbash", shell="bash", options=_BASH, runs=_FILES, syntax="ends exact", can="code"),
    Program("sh", aliases="ash dash", shell="posix", options=_BASH, runs=_FILES, syntax="ends exact", can="code"),
    Program(
        "csh", aliases="tcsh bsd-csh", shell="other", options="-cdefFlmnqstvxVX -D*", runs="-bi", syntax="ends exact"
    ),
    Program(
        "elvish",
        shell="other",
        options="-c -compileonly,--compileonly -norc,--norc",
        runs="-i -rc,--rc=",
        syntax="ends exact",
    ),
    Program(
        "fish",
        shell="other",
        options="-chlnNPv --no-config",
        runs="-i -C= -d= -D= -f= -o= --command= --init-command=",
        syntax="ends exact",
        can="code",
    ),
    Program(
        "ksh",
        aliases="ksh93 mksh oksh pdksh",
        shell="other",
        options=_POSIX,
        runs="-i",
        syntax="ends exact",
        can="code",
    ),
    Program(
        "nu",
        shell="other",
        options="-chlnv --no-std-lib --no-history",
        runs="-i -e= -I= -m= -t= --config= --env-config= --commands= --plugins=",
        syntax="ends exact",
    ),
    Program("osh", shell="other", options=_POSIX, runs="-i", syntax="ends exact"),
    Program(
        "xonsh",
        shell="other",
        options="-clhV --no-rc --no-env --no-script-cache",
        runs="-D= -i --rc=",
        syntax="ends exact",
    ),
    Program("yash", shell="other", options=_POSIX, runs="-i", syntax="ends exact"),
    Program("zsh", aliases="rzsh", shell="other", options=_POSIX, runs="-i", syntax="ends exact", can="code"),
    Program(
        "powershell",
        aliases="pwsh",
        shell="other",
        options="-c",
        runs="-i",
        syntax="ends exact",
        traits="wide",
        can="code",
    ),
)

BUILTINS = (
    Program(".", aliases="source", options="-p=", syntax="ends", traits="code builtin wide", can="code"),
    Program(":", traits="builtin", can="waits"),
    Program("alias", options="-p", traits="builtin"),
    Program("bg", traits="builtin"),
    Program("bind", options="-lpPsSvVX -fmqrux=", traits="builtin"),
    Program("break", traits="builtin"),
    Program("builtin", starts=Starts(optional=True), traits="builtin", can="reads"),
    Program("caller", traits="builtin"),
    Program("cd", options="-LPe -@", syntax="ends", traits="builtin", can="reads"),
    Program(
        "command", options="-p", inert="-vV", starts=Starts(optional=True), syntax="ends", traits="builtin", can="reads"
    ),
    Program("compgen", options="-abcdefgjksuvDEI -oAGWFCXPSV=", syntax="ends", traits="builtin"),
    Program("complete", options="-abcdefgjksuvprDEI -oAGWFCXPS=", syntax="ends", traits="builtin"),
    Program("compopt", options="-DEI -o= +o=", syntax="ends", traits="builtin"),
    Program("continue", traits="builtin"),
    Program("declare", aliases="typeset", options="-aAfFgiIlnrtuxp +*", syntax="ends", traits="builtin"),
    Program("dirs", options="-clpv", traits="builtin"),
    Program("disown", options="-ahr", traits="builtin"),
    Program("enable", options="-adnps -f=", traits="builtin"),
    Program("eval", traits="builtin wide", can="code"),
    Program("exec", options="-cl -a=", starts=Starts(optional=True), syntax="ends", traits="builtin", can="reads"),
    Program("exit", traits="builtin"),
    Program("export", options="-fnp", syntax="ends", traits="builtin", can="reads"),
    Program("fc", options="-lnrs -e=", syntax="ends", traits="builtin"),
    Program("fg", traits="builtin"),
    Program("getopts", syntax="ends", traits="builtin"),
    Program("hash", options="-rdlt -p=", syntax="ends", traits="builtin"),
    Program("help", options="-dms", traits="builtin", can="reads"),
    Program("history", options="-cnprs -d=", writes="-aw", syntax="ends", traits="builtin", can="reads"),
    Program("jobs", options="-lnprsx", traits="builtin", can="reads"),
    Program("let", traits="builtin"),
    Program("local", options="-aAfFgiIlnrtuxp +*", syntax="ends", traits="builtin"),
    Program("logout", traits="builtin"),
    Program("mapfile", aliases="readarray", options="-t -CcdnOsu=", syntax="ends", traits="builtin takes"),
    Program("popd", options="-n", traits="builtin"),
    Program("pushd", options="-n", traits="builtin"),
    Program("pwd", options="-LP", traits="builtin", can="reads"),
    Program("read", options="-eErs -adinNptu=", syntax="ends", traits="builtin takes", can="waits"),
    Program("readonly", options="-aAfp", syntax="ends", traits="builtin"),
    Program("return", traits="builtin"),
    Program("set", options="-abefhkmnptuvxBCEHPT -o= +*", syntax="ends", traits="builtin", can="reads"),
    Program("shift", traits="builtin", can="reads"),
    Program("shopt", options="-pqsuo", syntax="ends", traits="builtin"),
    Program("suspend", options="-f", traits="builtin"),
    Program("times", traits="builtin"),
    Program("trap", options="-lpP", syntax="ends", traits="builtin wide"),
    Program("type", options="-afptP", syntax="ends", traits="builtin", can="reads"),
    Program("ulimit", options="-SHabcdefiklmnpqrstuvxPRT", traits="builtin"),
    Program("umask", options="-pS", traits="builtin", can="permissions"),
    Program("unalias", options="-a", traits="builtin"),
    Program("unset", options="-fvn", syntax="ends", traits="builtin"),
    Program("wait", options="-fn -p=", syntax="ends", traits="builtin", can="waits"),
)

PROGRAMS = (*SHELLS, *BUILTINS)
