"""Looks for requests that cost much to judge: `python -m fuzz.slow SECONDS [SEED]` in tests/.

A request is made of pieces, each repeated, inside wrappers, for a shell or as a program with arguments. It is judged by
one of several policies and the decision is put in words, or by a whole gate in a project with checks, links that lead
back and some trees, with all that a person would be asked. It is changed at random, and the most expensive ones are
changed further. The slowest are printed with their seconds of CPU; the exit status is 1 if one took over `MOST`.

Others may use the machine, so each time is divided by that of a fixed loop that runs right before and behind it, and
multiplied by the least time that the loop ever took.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from asimi.compose import Options
from asimi.compose.gate import open_judge
from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.guard import Guard
from asimi.core.judging.machine import Machine
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.protection import Protection
from asimi.core.judging.rules import rule_of
from asimi.core.wording.explain import decision_object, reasons_text
from asimi.world.config.presets import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from asimi.core.gate import Gate

MOST = 0.5
"""Seconds of CPU that no request may take."""

LIMIT = 131_000
KEPT = 40
RARE = 0.08
POLICIES = 3
GATES = 2
NUMBER = "№"
"""Stands for a number that is another each time."""

PIECES = tuple(
    piece
    for line in r"""
a ¦a;¦a¦ ¦;¦$x ¦"$x"¦${x:-a}¦$((x)) ¦$(a)¦`a`¦<(a) ¦x=a;¦x=$x ¦x=a ¦x[1]=a;¦'a'¦"a"¦{a,b}¦{¦}¦(¦)¦[¦]¦*¦?¦|\a¦
~/¦/¦../¦./a/b ¦a/b ¦-¦--¦-a ¦--a=b ¦-o¦= ¦:¦,¦$x/¦.config¦asimi ¦~/.config/¦cd a;¦cd $x;¦pushd a;¦
git -C a log;¦git log $x;¦ls $x;¦rm a;¦find . -exec ls {} + ;¦find . -exec ¦bash -c a;¦bash <<<a;¦
echo a|bash;¦sh -c 'rm $x';¦bash -c "rm $x";¦xargs ls;¦xargs -I{} ls {};¦env a=b ls;¦env -z ls ¦env ¦sudo¦
timeout 1 ¦nice ¦parallel a ::: b c;¦parallel ¦::: a ¦f() { a; };¦f;¦eval a;¦eval $x;¦trap a EXIT;¦unset x;¦
set a;¦read x;¦declare x=1;¦declare -i x=a;¦declare -n x=y;¦export x;¦local x=(a);¦x=(a b);¦[[ a == b ]];¦
[[ -v x ]];¦[[ $x -eq a ]];¦((x));¦((a[b]));¦let x=1;¦test -v a;¦printf -v x a;¦mapfile -C a x;¦
for x in a b;do ¦done;¦if a;then ¦fi;¦case a in b) ¦;;esac;¦while a;do ¦coproc a;¦select x in a;do ¦>a ¦<a ¦
>$x ¦2>&1 ¦>&a ¦<<E ¦<<'E' ¦E ¦sed s/a/b/;¦sed -e p ¦awk '{print}' ¦jq .a¦tar xzf ¦docker run -v a:b c d;¦
kubectl exec a -- ls;¦make x=y ¦ssh a ls;¦tmux a ';' ¦python -c a;¦python -m asimi ¦asimi log;¦a$x;¦$x a;¦
"$x" a;¦${x}a ¦!¦&&¦| ¦&¦a=¦$'\x41'¦$"a"¦é¦time ¦function f { a; };¦shopt -s x;¦alias a=b;¦command ¦exec ¦
builtin ¦source a;¦. a;¦IFS=,;¦PATH=a;¦PS4=a;set -x;¦${!x}¦${x@P}¦${x[$y]}¦$[x]¦ln -s a b;¦cp a b;¦
rsync -e a ¦git log --pretty=a¦git -c alias.x='!a' x;¦git ¦log ¦--¦;x=¦$a$b$c¦$(($x+$y)) ¦"$PWD"/a ¦$HOME/a ¦
~me/a ¦awk '/a/{print $1}' ¦sed -n '1,$p' ¦sed 's/[a-z]*/\1/g;' ¦sqlite3 a 'select max(a) from b;' ¦
psql -c 'select (a) from b' ¦select max(a), ¦mysql -e 'drop table a' ¦1p;¦s/a/b/;¦x(¦)/ ¦) /¦a.b.c(¦find a -name '*.c' ¦
-exec sh -c a {} ; ¦-exec rm {} + ¦case $x in a|b) c;; esac;¦a) b;; ¦a|b|¦if a; then b; elif c; then d; else e; fi;¦
while read x; do a; done <b;¦for x in *; do a; done;¦for ((i=0;i<9;i++)); do a; done;¦{ a; b; } >c;¦(a;b)|c;¦
{ bash; };¦bash;¦| bash ¦|\ntime a ¦cat <<E\n$x\nE\n¦<<E\n¦\n¦# a\n¦$(echo $(a));¦`\`a\``¦x=`a`;¦"`a`"¦"$(a)"¦"${x}"¦
${x:-${y}}¦${x//a/b}¦${x:1:2}¦${#x}¦${x[a]}¦$((a[b]+=1)) ¦$((x++)) ¦x[$y]=a;¦x[a$y]=b ¦x+=a;¦x=(a b c);¦x=$y$z;¦
printf %s a;¦printf -v x %s%s a b;¦printf -v x '¦%s¦read -r a b;¦read OPTIND;¦getopts a x;¦test $x a;¦test $x $y ¦
[ -v a ];¦set -o a ¦set -- a;¦declare -A x=([a]=b);¦declare -aa ¦local x=$y;¦export x=a;¦unset -f a;¦hash -p a b;¦
alias x='a b';¦f() { bash; };¦function f() { a; };¦f a b;¦f <<E\n¦xargs -I{} sh -c a;¦xargs -n1 a ¦env -S 'a b' c;¦
env a=$x ls;¦git --a --b ¦git -c a.b=c ¦git commit -m a;¦git log --format=%H ¦rm -rf a;¦rm -r -f $x ¦
docker run -v /a:/b ¦
docker exec a sh -c b;¦ansible a -e b=c¦curl -o a b;¦npx a;¦npm run a -- b;¦make -j a;¦tar -cf a b;¦cp -r a b;¦cd ..;¦
cd a/b;¦-C a ¦--chdir a ¦a/../b ¦~/.config/as*¦~/.*/a ¦$x/asimi ¦*/asimi ¦/etc/as?mi ¦{a,b}{c,d}¦{a,{b,c}}¦{1..9}¦,b¦
a:b:c ¦a=b,c=d ¦2>a ¦{x}>a ¦<(a) ¦>(a) ¦&>>a ¦<>a ¦a&&b||c;¦a|b|c;¦! a;¦\¦\\n¦\a¦'a b' ¦"a b" ¦'¦"¦`¦€¦
cat */*/*/ ¦d*/f* ¦d№ ¦d№/f ¦cp -r d№ e№;¦mv a№ a№b;¦chmod -R u+w d№ ¦rsync -a d№/ src/;¦tar ../¦git checkout b№;¦
make test;¦npm test;¦find . -type f -exec sed -i p {} + ;¦ls|xargs rm;¦ln -s /etc l№;rm l№/p;¦cd d№;¦> o№ ls;¦
cp -rt src ¦sed -i s/a/b/ ¦git add ¦$(echo a№) ¦source <(echo a№);¦x№="rm a";eval "$x№";¦bash <<<a;read x;¦
foo -- a b ¦unknown rm a;¦rm ¦sudo rm ¦nohup a;¦setsid a &¦python3 - <<E\n¦jq '.a|.b' ¦ssh a 'b c';¦strace a ¦entr a ¦
~me/a ¦{a..z}¦{{a,b},c}¦@(a)¦?(a)¦[!a]¦1¦+¦busybox sh -c a;¦watch a;¦ls -la;¦
""".splitlines()
    for piece in line.replace(r"\n", "\n").split("¦")
    if piece
)

WRAPPERS = (
    ("", ""),
    ("{ ", "\n}\n"),
    ("( ", "\n)\n"),
    ("bash <<'E'\n", "\nE\n"),
    ("bash <<E\n", "\nE\n"),
    ("{ bash; bash; } <<'E'\n", "\nE\n"),
    ("f() {\n", "\n}\n"),
    ("if a; then\n", "\nfi\n"),
    ("for x in a b; do\n", "\ndone\n"),
    ("$(", "\n)"),
    ('"$(', '\n)"'),
    ("`", "`"),
    ("bash -c '", "'"),
    ('bash -c "', '"'),
    ("eval '", "'"),
    ("echo '", "' | bash"),
    ("trap '", "' EXIT"),
    ("xargs sh -c '", "'"),
    ("env -z ", ""),
    ("find . -exec ", " ;"),
    ("parallel ::: '", "'"),
    ("sudo ", ""),
    ("x='", "'; $x"),
    ("cat <<'E'\n", "\nE\n"),
    ("cat <<E\n", "\nE\n"),
    ("a=(", ")"),
    ("$((", "))"),
    ("[[ ", " ]]"),
    ("${x:-", "}"),
    ('"', '"'),
    ("'", "'"),
    ("coproc ", ""),
    ("declare x=", ""),
    ("git log ", ""),
    ("ls ", ""),
)


class Text(NamedTuple):
    """A request as it is made.

    Attributes:
        kind: `shell`, or how a program with arguments is cut from the text: at blanks, or at each character.
        by: the index of the policy.
        parts: pieces, each with how often it is repeated.
        times: how often all of them are.
        around: indices of wrappers, the outermost first.
    """

    parts: tuple[tuple[str, int], ...]
    times: int
    around: tuple[int, ...]
    kind: str = "shell"
    by: int = 0

    def written(self) -> str:
        """The text, which never reaches the limit of one."""
        room = LIMIT - sum(len("".join(WRAPPERS[each])) for each in self.around)
        inside = ""
        for piece, times in self.parts:
            inside += piece * min(times, max(0, room - len(inside)) // max(1, len(piece)))
        inside *= max(1, min(self.times, room // max(1, len(inside))))
        for level, each in enumerate(reversed(self.around)):
            before, after = WRAPPERS[each]
            mark = f"E{level}"
            inside = before.replace("E", mark, 1) + inside + after.replace("E", mark, 1)
        numbers = count(1)
        return re.sub(NUMBER, lambda _: str(next(numbers) % 1000), inside)[:LIMIT]

    def changed(self, chance: random.Random) -> Text:
        """A text that differs a little."""
        parts, around, times, kind, by = list(self.parts), list(self.around), self.times, self.kind, self.by
        for _ in range(chance.randint(1, 3)):
            what, at = chance.randrange(8), chance.randrange(len(parts))
            if chance.random() < RARE:
                kind = chance.choice(("shell", "shell", "words", "characters"))
            if chance.random() < RARE:
                by = chance.randrange(POLICIES + GATES)
            if what <= 1:
                parts[at] = chance.choice(PIECES), parts[at][1]
            elif what == 2:
                parts.insert(at, (chance.choice(PIECES), 1))
            elif what == 3 and len(parts) > 1:
                del parts[at]
            elif what == 4:
                parts[at] = parts[at][0], chance.choice((1, 1, 2, 8, 60, 1000, LIMIT))
            elif what == 5:
                times = chance.choice((1, 10, 100, 1000, LIMIT, LIMIT))
            elif what == 6:
                around.insert(chance.randint(0, len(around)), chance.randrange(len(WRAPPERS)))
            elif around:
                if chance.random() < 0.3:
                    around = (around * 3)[:12]
                else:
                    del around[chance.randrange(len(around))]
        return Text(tuple(parts), times, tuple(around), kind, by)

    def request(self, root: str) -> Request:
        """The request."""
        place, text = Place(root, root, inside=True), self.written()
        if self.kind == "shell":
            return Request("run_shell_command", text, None, place)
        words = text.split() or ["a"] if self.kind == "words" else list(text) or ["a"]
        return Request("execute_command", words[0], tuple(words[1:]), place)


def policies(home: str) -> tuple[Policy, ...]:
    """Policies as teams may have them, with protection: a short one, one of 500 rules, one that allows everything."""
    own = [f"{home}/.config/asimi", f"{home}/.local/state/asimi", "/etc/asimi"]
    machine = Machine(home, os.path.realpath, {"XDG_CONFIG_HOME": f"{home}/.config"})
    protected = Protection(own, machine)
    lists = {
        Verdict.ALLOW: ("ls", "git", "cat", "sed", "find"),
        Verdict.ASK: ("git push", "curl"),
        Verdict.DENY: ("rm", "sudo", "dd"),
    }
    short = [rule_of(f"run_shell_command({words})", verdict) for verdict, each in lists.items() for words in each]
    names = ("rm", "git", "git push", "git log", "docker run", "find", "a", "b", "bash", "ls")
    options = ("-r", "-rf", "--force", "--recursive", "-x")
    long = [
        rule_of(f"run_shell_command({names[number % len(names)]})", verdict)._replace(
            options_any=options[: number % len(options)], entry=f"rule {number}"
        )
        for number in range(250)
        for verdict in (Verdict.ALLOW, Verdict.DENY if number % 2 else Verdict.ASK)
    ]
    everything = rule_of("run_shell_command", Verdict.ALLOW)
    return tuple(
        Policy(rules, Terms(protected=Guard(machine, protected), wrappers=(("just",),), substitution=substitution))
        for rules, substitution in ((short, "judge"), (long, "judge"), ([everything], "refuse"))
    )


def loop() -> float:
    """Seconds of CPU for some fixed work."""
    began, some = time.thread_time(), {}
    for number in range(20_000):
        some[number & 63] = number
    return time.thread_time() - began


def project(home: str) -> str:
    """A project with checks, two links that lead back, and directories with files."""
    root = os.path.join(home, "project")
    for number in range(40):
        os.makedirs(os.path.join(root, f"d{number}"))
        for name in "fgh":
            with open(os.path.join(root, f"d{number}", name), "w", encoding="ascii"):
                pass
    for name in "ab":
        os.symlink(".", os.path.join(root, name))
    for name, text in (("Makefile", "test:\n\ttrue\n" * 2000), ("package.json", '{"scripts": {"test": "true"}}')):
        with open(os.path.join(root, name), "w", encoding="ascii") as file:
            file.write(text)
    subprocess.run(["git", "init", "-q", root], check=True)
    return root


def gate(home: str, root: str, preset: str) -> Gate:
    """A gate as an agent's hook opens it."""
    file = os.path.join(home, f"{preset}.toml")
    if not os.path.exists(file):
        with open(file, "w", encoding="utf-8") as out:
            text = text_of(preset, "", tempfile.gettempdir(), "")
            out.write(f'{text}\n[shell]\nsubstitution = "judge"\n')
    return open_judge(Options(config=file, root=root))


def cost(request: Request, judge: Policy | Callable[[], Gate], quiet: float) -> tuple[float, str]:
    """Seconds of CPU for one request on a quiet machine, the least of three if they are many, and its verdict."""
    least, told = 99.0, ""
    for _ in range(3):
        fresh = judge.with_rules(judge.rules) if isinstance(judge, Policy) else judge()
        before, began = loop(), time.thread_time()
        if isinstance(fresh, Policy):
            decision = fresh.decide(request)
        else:
            decision = fresh.judge(request)
            if decision.verdict is Verdict.ASK:
                fresh.question(request, decision, fresh.settings())
        json.dumps(decision_object(decision))
        reasons_text(decision.reasons)
        took = time.thread_time() - began
        least = min(least, took * 2 * quiet / (before + loop()))
        told = f"{decision.verdict.word} {decision.reasons[0].code}"
        if least < MOST * 0.7:
            break
    return least, told


def main() -> int:
    """Search, and print the slowest."""
    seconds, seed = float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"HOME": home} | {f"XDG_{name}_HOME": f"{home}/{name}" for name in ("CONFIG", "STATE", "CACHE")}
        root = project(home)
        gates = [partial(gate, home, root, preset) for preset in ("developer", "reader")]
        return search(seconds, random.Random(seed), (*policies("/home/me"), *gates), root)


def search(seconds: float, chance: random.Random, judges: Sequence[Policy | Callable[[], Gate]], root: str) -> int:
    """Search for some time; 1 if one took too long."""
    end, quiet = time.monotonic() + seconds, min(loop() for _ in range(300))
    best: list[tuple[float, str, Text]] = []
    tried = 0
    while time.monotonic() < end:
        if tried < 2 * len(PIECES):
            text = Text(((PIECES[tried // 2], 1),), LIMIT, (), by=(0, POLICIES)[tried % 2])
        elif chance.random() < 0.3:
            text = Text(((chance.choice(PIECES), 1),), LIMIT, ()).changed(chance)
        else:
            text = best[int(len(best) * chance.random() ** 2)][2].changed(chance)
        took, told = cost(text.request(root), judges[text.by], quiet)
        tried += 1
        best.append((took, told, text))
        best.sort(key=lambda each: -each[0])
        alike: dict[tuple[object, ...], int] = {}
        kept = []
        for each in best:  # of one kind a few are enough
            kind = tuple(sorted({piece for piece, _ in each[2].parts}, key=PIECES.index)[:2])
            alike[kind] = alike.get(kind, 0) + 1
            if alike[kind] <= 3:
                kept.append(each)
        best = kept[:KEPT]
    sys.stdout.write(f"{tried} requests\n")
    for took, told, text in best[:10]:
        sys.stdout.write(f"{took:.2f} s  {len(text.written().encode())} bytes  {told}  {text}\n")
    return int(best[0][0] > MOST)


if __name__ == "__main__":
    sys.exit(main())
