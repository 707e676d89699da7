"""Looks for state that asimi takes for known and bash does not: `python -m fuzz.state SECONDS [SEED]` in tests/.

Each script binds variables and functions in every place where bash may or may not do so, and then uses them where it
matters: as a command, an option, an operand, a text that is run. bash runs it among canaries. If asimi allows a text
whose effect no entry allows, that is an unseen effect; it is printed with its seed, and the exit status is 1. So it is
if a forbidden command behind the script is not denied.

Nothing in a script is harmful: its programs read, and what one of them writes or starts stays in the directory it runs
in, which is thrown away. A function calls only what comes later in the alphabet, but for a few that call themselves.
"""

from __future__ import annotations

import collections
import random
import shutil
import sys
import time

from fuzz.oracle import Playground

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import rule_of

REAL = ("bash", "cat", "env", "find", "head", "nice", "sed", "sh", "shuf", "sort", "timeout", "uniq", "xargs")
BUILTINS = (
    *(".", ":", "[", "alias", "break", "builtin", "cd", "command", "continue", "declare", "echo", "eval", "exec"),
    *("exit", "export", "false", "getopts", "let", "local", "mapfile", "printf", "read", "readonly", "return", "set"),
    *("shift", "shopt", "source", "test", "trap", "true", "type", "typeset", "unalias", "unset", "wait"),
)
REAL += tuple(name for name in ("fdfind", "parallel") if shutil.which(name))
LISTED = [f"run_shell_command({name})" for name in (*REAL, *BUILTINS, "tool ok")]
FORBIDDEN = ["run_shell_command(evil)", "run_shell_command(tool danger)"]
HERE = Place("/project", "/project", inside=True)
NAMES = ("x", "x", "x", "y")
FUNCTIONS = ("evil", "f", "g", "h")
KNOWN, UNKNOWN = "known", "unknown"

DENIED = (
    *(
        "evil in",
        "'ev'il in",
        "./evil in",
        "env -i evil",
        "nice -n1 evil",
        "echo in | xargs evil",
        "find in -exec evil {} +",
    ),
    *("bash -c 'evil $x'", 'sh -c "evil $x"', 'eval "evil $x"', 'trap "evil $x" EXIT', "w=evil; $w in", "{evil,in}"),
    *(
        "echo -e 'evil x' | bash",
        "bash <<< 'evil $x'",
        "f() { evil; }",
        "timeout 1 tool danger $x",
        "mapfile -C evil -c1 a",
    ),
)
"""What a rule forbids, in each way that asimi promises to see: denied behind any script."""

# A use, what makes it harmless, what makes it dangerous. W is a word with a variable in it, V a quoted value.
USES = (
    *(("sort in W", "in", danger) for danger in ("-oout", " -oout", "in -oout", "in,-oout")),
    ("sort W-oout in", "in", ""),
    ("sort W in", "-u", "-oout"),
    ("sort -W in", "u", "oout"),
    ("sort in -W out", "u", "o"),
    ("sort -k W in", "1", "1 -oout"),
    ("sort -- W", "in", "-oout"),
    ("sort inW", "2", " -oout"),
    ("sort ./W", "in", "in -oout"),
    ("sort *", "", ""),
    ("uniq in W", "", "out"),
    ("uniq W", "in", "in out"),
    ("shuf W in", "-n1", "-oout"),
    ("find in W", "-print", "-fprint out"),
    ("find in W out", "-newer", "-fprint"),
    ("find in W -fprint out", "-name", "-print"),
    ("find W -exec tool ok {} +", "in", "in -fprint out"),
    ("find in -exec tool W {} +", "ok", "danger"),
    ("find in -exec echo {} W -exec evil ';'", "x", ";"),
    ("find in -exec echo {} W", ";", "; -fprint out"),
    ("find inW -print", "2", " -fprint out"),
    ("sed W in", "-n", "wout"),
    ("sed -n W in", "1p", "wout"),
    ("sed -n -e W in", "1p", "1eevil"),
    ("sed 's/a/W/' in", "b", "b/wout\n#"),
    ("sed W 1p in", "-n", "-i.out"),
    ("head W in", "-1", "-2"),
    ("tool W", "ok", "danger"),
    ("tool W", "ok", "danger"),
    ("tool W x", "ok", " danger"),
    ("tool Wok", "", "danger "),
    ("tool W ok", "", "danger"),
    ("W in", "sort", "evil"),
    ("W in", "sort", "evil in"),
    ("Win in", "sort ", "evil "),
    ("W sort in", "env", "evil"),
    ("W evil in", "echo", "env"),
    ("env W in", "sort", "evil"),
    ("env W sort in", "a=b", "PATH=."),
    ("env -W sort in", "i", "Sevil"),
    ("env W evil", "echo", "a=b"),
    ("nice W", "sort", "evil"),
    ("nice -n W sort in", "1", "1 evil"),
    ("timeout W sort in", "1", "1 evil"),
    ("timeout 1 W in", "sort", "evil"),
    ("command W sort in", "-p", "evil"),
    ("command -W evil", "v", "p"),
    ("builtin W in", "echo", "eval evil"),
    ("exec W", "sort", "evil"),
    ("echo W | xargs sort in", "in", "-oout"),
    ("echo W | xargs tool", "ok", "danger"),
    ("echo W | xargs tool ok", "ok", "danger"),
    ("echo W | xargs -I% tool %", "ok", "danger"),
    ("echo W | xargs -IX sort in X", "in", "-oout"),
    ("echo W | xargs -n1 -- sort -- in", "in", "-oout"),
    ("xargs W <<< in", "sort", "evil"),
    ("xargs W sort <<< in", "-n1", "evil"),
    ("xargs -W sort in <<< in2", "t", "Ievil"),
    ("echo W | bash", "sort in", "evil"),
    ("bash <<< W", "sort in", "evil"),
    ("bash -c W", "sort in", "evil"),
    ("bash -c 'sort in W'", "in2", "; evil"),
    ("bash -c 'sort in \"$1\"' _ W", "in2", "-oout"),
    ("bash -c 'sort in $1' _ W", "in2", "in -oout"),
    ("bash -c 'tool \"$0\"' W", "ok", "danger"),
    ("bash W 'evil'", "-n", "-c"),
    ("sh -c 'sort \"$@\"' _ W", "in2", "-oout"),
    ("eval W", "sort in", "evil"),
    ("eval sort W", "in", "-oout"),
    ("eval 'sort $x'", "in", "-oout"),
    ("eval 'tool $x'", "ok", "danger"),
    ("trap W EXIT", "sort in", "evil"),
    ("trap 'sort $x' EXIT", "in", "-oout"),
    ("trap 'tool $x' EXIT", "ok", "danger"),
    ("{ read -rN5 z; bash; } <<< W", "echo sort", "echo evil"),
    ("echo W | { read -rn5 z; bash; }", "echo sort", "echo evil"),
    ("{ read z; bash; } <<< W", "sort", "sort\nevil"),
    ("{ head -n1; sh; } <<< W", "sort", "sort\nevil"),
    ("{ bash; } <<< 'read x; evil'", "", ""),
    ("{ eval 'read z'; bash -s; } <<< 'echo\necho'", "", ""),
    ("mapfile -t -c1 -C 'sort in' a <<< W", "in", "-oout"),
    ("mapfile -t -c1 -C W a <<< in", "sort", "evil"),
    ("mapfile -t -c1 -C tool a <<< W", "ok", "danger"),
    ('mapfile -t a <<< W; sort "${a[0]}"', "in", "-oout"),
    ('set -- W; sort "$1"', "in", "-oout"),
    ("set -- W; sort $@", "in", "-oout"),
    ("set -- W; tool $1", "ok", "danger"),
    ('g() { sort "$1"; }; g W', "in", "-oout"),
    ('g() { tool "$@"; }; g W', "ok", "danger"),
    ('g() { "$@"; }; g W in', "sort", "evil"),
    ("test W 'a[$(evil)]'", "-n", "-v"),
    ("[ -n W ]", "x", "x -a -v a[$(evil)]"),
    ("compgen -C W in", "sort", "evil"),
    ("compgen -C 'sort in' W", "in2", "-oout"),
    ("parallel -j1 sort in ::: W", "in2", "-oout"),
    ("parallel -j1 W ::: in", "sort", "evil"),
    ("parallel -j1 tool {} ::: W", "ok", "danger"),
    ("fdfind -j1 '^in$' -x W", "sort", "evil"),
    ("fdfind -j1 '^in$' -x tool W", "ok", "danger"),
    ("set -x; : W", "z", "$(evil)"),
    ("PS4=W; set -x; :", "z", "$(evil)"),
    ("[[ W -eq 1 ]]", "1", "a[$(evil)]"),
    ("[[ -v W ]]", "a", "a[$(evil)]"),
    ("echo $((x))", "1", "a[$(evil)]"),
    ("echo $((x + 1)) ${a[x]}", "1", "a[$(evil)]"),
    ("printf -v W z", "z", "a[$(evil)]"),
    ("read W <<< z", "z", "a[$(evil)]"),
    ("unset W", "z", "a[$(evil)]"),
    ("declare W=z", "z", "a[$(evil)]"),
    ("let W", "z=1", "a[$(evil)]"),
    ("echo ${x@P}", "z", "$(evil)"),
    ("export W=.; sort in", "z", "PATH"),
    ("declare W; sort in", "z", "PATH=."),
    ("read W <<< .; sort in", "z", "PATH"),
    ("printf -v W .; sort in", "z", "PATH"),
    ("unset W; sort in", "z", "PATH"),
    ("for z in W; do sort $z; done", "in", "-oout"),
    ("for z in W in2; do tool $z; done", "ok", "danger"),
    ("case W in ok) tool ok;; *) tool $x;; esac", "ok", "danger"),
    *(("evil", "", ""),) * 6,
    *(("evil in", "", ""),) * 3,
    ("f in", "", ""),
    ("g W", "in", "-oout"),
    *(("sort in", "", ""),) * 5,
    *(("find in", "", ""),) * 2,
    *(("env sort in", "", ""),) * 2,
)
WORDS = (
    *("$N",) * 6,
    *('"$N"',) * 6,
    *("${N}", '"${N}"', "${N:-A}", "${N:+B}", "${N-B}", "${N=B}", '"${N:-B}"', "$N$y", '$N""', "${N%z}", "${N#z}"),
    *("${N/q/B}", "${N:0:99}", "${!y}", "${N[0]}", "${N[@]}", '"${N[*]}"', "$1", '"$@"', "$_", "${N,,}", "~/$N", "A$y"),
    *('"${N[@]}"', '"A${N[@]}"', "{A,B}", "A{,$N}", "{$N,B}", "{1..2}", "{$N..2}", "{A,{B,$N}}", "$((1+1))", "$((N))"),
    *('"${N%n}"', "${N%A}", '"${N%ut}"', '"${N:-in}"', "${N:-in -oout}", "$N*", '"$N"*', "A$N*", "${N[1]}"),
)
BINDS = (
    *("N=V",) * 14,
    *("export N=V", "declare N=V", "typeset N=V", "readonly N=V", "read -r N <<< V", "read -r z N <<< V"),
    *(
        "printf -v N %s V",
        "N+=V",
        "N+=V",
        "unset N",
        "N=",
        "N=$y",
        'N="$y"',
        "N=V true",
        "N=V :",
        "N=V eval",
        ": ${N:=V}",
    ),
    *("for N in V; do :; done", "for N in V B; do :; done", "for N in; do :; done", "mapfile -t N <<< V", "N=(V)"),
    *("N=(V B)", "N=(A V)", "N=({A,B} V)", "N=('*')", "N={A,B}", "for N in {A,B} V; do :; done"),
    *("for N in *; do :; done", "for N in A*; do :; done"),
    *("N[0]=V", "declare -n r=N; r=V", "declare -n r=N", "declare -n N=y", "declare -i N", "declare -u N", "N=V N=B"),
    *("unset -n N", "y=N", "y=B", "y=V", "set -- V", "shift", "getopts ab N -a", "let N=1", "((N=1))", "((N++))"),
    *(
        "select N in V; do break; done <<< 1",
        "read N < in",
        "export N",
        "declare N",
        "local N",
        "local N=V",
        "declare -g N=V",
    ),
    *("echo ${N:=V}", "echo $((N=1))", "N=V exec", "export N=V y=B", "case V in $N) ;; esac", "[[ ab =~ (.)b ]]"),
)
SETTINGS = (
    *("IFS=,", "IFS=", "IFS=n", "unset IFS", "IFS=$y", "export IFS=,", "local IFS=,", "read IFS <<< ,", "IFS=, true"),
    *(
        "PATH=.",
        "PATH=",
        "unset PATH",
        "export PATH",
        "declare PATH",
        "local PATH",
        "typeset PATH",
        "PATH=. :",
        "local PATH=.",
    ),
    *(
        "read PATH <<< .",
        "for PATH in .; do :; done",
        "printf -v PATH .",
        ": ${PATH:=.}",
        "declare -n y=PATH",
        "PATH+=:.",
    ),
    *(
        "declare -n r=PATH; r=.",
        "export x=PATH",
        "((PATH=1))",
        "mapfile PATH < in",
        "getopts a PATH",
        "hash -p ./sort sort",
    ),
    *("set -f", "set -u", "set -e", "set -k", "set -a", "shopt -s expand_aliases", "alias sort=evil", "alias evil=:"),
    *(
        "shopt -s lastpipe",
        "set -n",
        "set +e",
        "set -o posix",
        "shopt -s nullglob",
        "shopt -s extglob",
        "set -T",
        "set -m",
    ),
    *(
        "readonly x",
        "readonly y",
        "readonly -f evil",
        "readonly -f f",
        "unset -f evil",
        "unset -f f",
        "unset evil",
        "unset f",
    ),
    *(
        "cd sub",
        "cd ..",
        "exec < in",
        "exec 3< in",
        "trap - EXIT",
        "enable -n echo",
        "wait",
        "shift",
        "declare -f evil",
    ),
)
STOPS = (
    *(
        "echo $((1/0))",
        "echo ${nope?}",
        "echo ${nope:?x}",
        "readonly r=1; r=2",
        "r=1; readonly r; r=2 true",
        ": ${r@Z}",
    ),
    *(
        "return",
        "break",
        "continue",
        "exit",
        "false",
        "exec < missing",
        ". missing",
        "a[-9]=1",
        "((1/0))",
        "declare -i x=1/0",
    ),
    *(
        "set -u; echo $nope",
        "set -e; false",
        "echo {1",
        "[[ a =~ ( ]]",
        "shift 9",
        "unset 'a['",
        "echo ${!nope}",
        "kill -0",
    ),
)
PLACES = (
    *("S",) * 10,
    *("{ S; }",) * 4,
    *("( S )", "S | cat", "true | { S; }", "S &", "{ S; } &", "false && S", "true || S", "true && S", "false || S"),
    *(
        "if false; then S; fi",
        "if true; then S; fi",
        "if S; then :; fi",
        "if S; then :; else T; fi",
        "while false; do S; done",
    ),
    *(
        "{ S; } < missing",
        "{ S; } < in",
        "{ S; } <<< x",
        "{ S; } < $nope",
        "{ S; } 2> /dev/null",
        "S < missing",
        "{ S; } <&7",
    ),
    *(
        "for i in; do S; done",
        "for i in 1; do S; done",
        "for i in 1 2; do S; done",
        "for i in 1 2; do S; T; done",
        "for i; do S; done",
    ),
    *(
        "case x in y) S;; esac",
        "case x in x) S;; esac",
        "case x in y) S;& *) T;; esac",
        "case x in (y) S;; (*) T;; esac",
    ),
    *(
        "! S",
        "! { S; }",
        "time S",
        "coproc { S; }; wait",
        "eval 'S'",
        "eval S",
        "[[ a ]] && S",
        "[[ '' ]] && S",
        "((0)) && S",
    ),
    *(
        "S || T",
        "S && T",
        "{ S && T; }",
        "{ S || T; }",
        "S; T",
        "T; S",
        "S\nT",
        "X; S",
        "X\nS",
        "X && S",
        "X || S",
        "{ X; S; }",
        "( X; S )",
    ),
    *("while S; do break; done", "until S; do break; done", "while S; do T; break; done", "until true; do S; done"),
    *(
        "for ((i = 0; i < 2; i++)); do S; T; done",
        "for ((i = 0; i < 0; i++)); do S; done",
        "while read z; do S; done < in",
    ),
    *(
        "echo a | while read z; do S; done",
        "while read z; do S; done <<< a",
        "trap 'S' EXIT",
        "trap 'S' DEBUG",
        "trap 'S' ERR",
    ),
    *("P() { S; }", "P() { S; }; P", "P() { S; }; P in", "P() ( S ); P", "function P { S; }; P", "P() { S; T; }; P; P"),
    *(
        "P() { S; return; T; }; P",
        "P() if true; then S; fi; P",
        "P() { S; } < missing; P",
        "P() { S; } < in; P",
        "P() { X; S; }; P",
    ),
    *(
        "P() { :; }",
        "P() { :; }",
        "'P'() { :; }",
        "function P { :; }",
        "function 'P' { :; }",
        "P() { :; } < missing",
        "P() { P; }; P",
    ),
    *("P() { evil() { :; }; }; P", "P() { evil() { :; }; }", "P() { unset -f evil; }; P", "P() { Q; }", "P", "P in"),
    *(
        "evil() { :; }",
        "evil() { echo a; }",
        "evil() { sort in; }",
        "evil() ( sort in )",
        "function evil() { tool ok; }",
    ),
)


class Scripts:
    """Writes one script after another."""

    def __init__(self, random: random.Random) -> None:
        self.random = random
        self.safe = self.danger = ""

    def script(self) -> str:
        """A new script: some statements, the use, and now and then something behind it."""
        use, self.safe, self.danger = self.random.choice(USES)
        statements = [self.statement(2) for _ in range(self.random.choice((1, 1, 2, 2, 3, 4)))]
        last = self.used(use)
        if self.random.randrange(3) == 0:
            last = self.placed(self.random.choice(PLACES), 0, last)
        statements.append(last)
        if self.random.randrange(5) == 0:
            statements.append(self.statement(1))
        text = statements[0]
        for statement in statements[1:]:
            text += ("; " if text[-1:] != "&" else " ") if self.random.randrange(3) else "\n"
            text += statement
        return text

    def statement(self, depth: int) -> str:
        """Something that binds, in some place."""
        kind = self.random.randrange(10)
        if kind < 5 or (kind < 9 and not depth):
            return self.bound()
        if kind < 9:
            return self.placed(self.random.choice(PLACES), depth - 1)
        return self.random.choice((*SETTINGS, *STOPS))

    def placed(self, place: str, depth: int, text: str | None = None) -> str:
        """A place with its statements in it; the first of them may be given."""
        name = self.random.choice(FUNCTIONS)
        later = [other for other in FUNCTIONS if other > name] or [":"]
        result = ""
        for piece in place if any(letter in place for letter in "STXPQ") else [place]:
            if piece == "S":
                first, text = text, None
                inner = self.statement(depth) if first is None else first
                result += inner.replace("'", "'\\''") if "'S'" in place else inner
            elif piece == "T":
                result += self.statement(depth)
            elif piece == "X":
                result += self.random.choice(STOPS)
            elif piece == "P":
                result += name
            elif piece == "Q":
                result += self.random.choice(later)
            else:
                result += piece
        return result.replace("&;", "&")

    def bound(self) -> str:
        return self.filled(self.random.choice(BINDS))

    def used(self, use: str) -> str:
        return self.filled(use.replace("W", self.random.choice(WORDS)))

    def filled(self, text: str) -> str:
        """A text with its names and values chosen: N, A and B, V."""
        values = {"A": self.safe, "B": self.danger, "V": self.danger if self.random.randrange(5) < 2 else self.safe}
        result, name = "", self.random.choice(NAMES)
        for at, letter in enumerate(text):
            whole = not (text[at - 1 : at].isalpha() or text[at + 1 : at + 2].isalpha()) or letter == "N"
            if letter == "N" and text[at + 1 : at + 2] != "U":
                result += name
            elif letter in values and whole:
                value = values[letter]
                result += value if value.isalnum() else "'" + value + "'" if "'" not in value else '"' + value + '"'
            else:
                result += letter
        return result


def unseen(effects: list[str], *, bare: bool) -> list[str]:
    """Those of the effects that no verdict of allow may have."""
    found = []
    for effect in effects:
        program, _, arguments = effect.partition("\t")
        first = arguments.split("\t")[0]
        name = program.rpartition("/")[2]
        if bare:
            wrong = name == "evil" or (name == "tool" and first == "danger")
        else:
            wrong = name == "evil" or "/bin/" not in program or (name == "tool" and first != "ok")
        if wrong:
            found.append(effect)
    return found


def main() -> int:
    """Run for some seconds; print the figures and every finding."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    print(f"state: seed {seed}, {seconds:g} s", flush=True)  # noqa: T201 (its output)
    listed = Policy([rule_of(entry, Verdict.ALLOW) for entry in LISTED], Terms(exported=("PATH", "HOME", "LANG")))
    bare = Policy(
        [rule_of("run_shell_command", Verdict.ALLOW), *(rule_of(entry, Verdict.DENY) for entry in FORBIDDEN)],
        Terms(exported=("PATH", "HOME", "LANG")),
    )
    total: collections.Counter[str] = collections.Counter()
    start = time.monotonic()
    with Playground(REAL, ("evil", "tool")) as playground:
        while time.monotonic() - start < seconds:
            seed += 1
            scripts = Scripts(random.Random(seed))
            text = scripts.script()
            request = Request("run_shell_command", text, None, HERE)
            total["scripts"] += 1
            denied = f"{text}\n{scripts.random.choice(DENIED)}"
            if bare.decide(request._replace(command=denied)).verdict is not Verdict.DENY:
                total["undenied"] += 1
                print(f"NOT DENIED seed {seed}\n{denied}\n", flush=True)  # noqa: T201 (its output)
            verdicts = {policy is bare: policy.decide(request).verdict for policy in (listed, bare)}
            for verdict in verdicts.values():
                total[verdict.word] += 1
            if Verdict.ALLOW not in verdicts.values() and scripts.random.randrange(8):
                continue
            effects = playground.effects(text)
            total["run"] += 1
            total["with effects"] += bool(unseen(effects, bare=False))
            for is_bare, verdict in verdicts.items():
                # An entry of the whole tool answers what is computed, so also what a computed program of sed starts.
                wrong = [] if is_bare and "sed" in text else unseen(effects, bare=is_bare)
                if verdict is Verdict.ALLOW and wrong:
                    total["unseen"] += 1
                    print(f"UNSEEN EFFECT seed {seed} {'bare' if is_bare else 'listed'} {wrong}\n{text}\n", flush=True)  # noqa: T201 (its output)
    figures = ", ".join(f"{name} {count}" for name, count in sorted(total.items()))
    print(f"{figures}; next seed {seed + 1}; {total['unseen']} unseen effects, {total['undenied']} not denied")  # noqa: T201 (its output)
    return 1 if total["unseen"] or total["undenied"] else 0


if __name__ == "__main__":
    sys.exit(main())
