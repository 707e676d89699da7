"""Looks for requests that cost much to judge: `python -m fuzz.slow SECONDS [SEED]` in tests/.

A request is made of pieces, each repeated, inside wrappers; it is changed at random, and the most expensive ones are
changed further. The slowest are printed with their seconds of CPU; the exit status is 1 if one took over `MOST`.
"""

from __future__ import annotations

import os
import random
import sys
import time
from typing import NamedTuple

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy
from asimi.core.judging.protection import Protection
from asimi.core.judging.rules import rule_of

MOST = 0.5
"""Seconds of CPU that no request may take."""

LIMIT = 131_000
KEPT = 40

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
~me/a ¦{a..z}¦{{a,b},c}¦@(a)¦?(a)¦[!a]¦1¦+¦busybox sh -c a;¦watch a;¦ls -la;¦
""".splitlines()
    for piece in line.split("¦")
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
        parts: pieces, each with how often it is repeated.
        times: how often all of them are.
        around: indices of wrappers, the outermost first.
    """

    parts: tuple[tuple[str, int], ...]
    times: int
    around: tuple[int, ...]

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
        return inside

    def changed(self, chance: random.Random) -> Text:
        """A text that differs a little."""
        parts, around, times = list(self.parts), list(self.around), self.times
        for _ in range(chance.randint(1, 3)):
            what, at = chance.randrange(8), chance.randrange(len(parts))
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
        return Text(tuple(parts), times, tuple(around))


def policy(home: str) -> Policy:
    """A policy as a team may have one, with protection."""
    own = [f"{home}/.config/asimi", f"{home}/.local/state/asimi", "/etc/asimi"]
    protected = Protection(own, home, os.path.realpath, (), {"XDG_CONFIG_HOME": f"{home}/.config"})
    lists = {
        Verdict.ALLOW: ("ls", "git", "cat", "sed", "find"),
        Verdict.ASK: ("git push", "curl"),
        Verdict.DENY: ("rm", "sudo", "dd"),
    }
    rules = [rule_of(f"run_shell_command({words})", verdict) for verdict, each in lists.items() for words in each]
    return Policy(rules, protected=protected, wrappers=(("just",),), substitution="judge")


def cost(text: str, judge: Policy) -> tuple[float, str]:
    """Seconds of CPU for one request, the least of two if they are many, and its verdict."""
    place, least, said = Place("/srv/project", "/srv/project", inside=True), 99.0, ""
    for _ in range(2):
        began = time.process_time()
        decision = judge.with_rules(judge.rules).decide(Request("run_shell_command", text, None, place))
        least = min(least, time.process_time() - began)
        said = f"{decision.verdict.word} {decision.reasons[0].code}"
        if least < MOST / 2:
            break
    return least, said


def main() -> int:
    """Search, and print the slowest."""
    seconds, seed = float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    chance, judge, end = random.Random(seed), policy("/home/me"), time.monotonic() + seconds
    best: list[tuple[float, str, Text]] = []
    count = 0
    while time.monotonic() < end:
        if not best or chance.random() < 0.3:
            text = Text(((chance.choice(PIECES), 1),), LIMIT, ())
        else:
            text = best[int(len(best) * chance.random() ** 2)][2]
        text = text.changed(chance)
        took, said = cost(text.written(), judge)
        count += 1
        best.append((took, said, text))
        best.sort(key=lambda each: -each[0])
        alike: dict[tuple[object, ...], int] = {}
        kept = []
        for each in best:  # of one kind a few are enough
            kind = tuple(sorted({piece for piece, _ in each[2].parts}, key=PIECES.index)[:2])
            alike[kind] = alike.get(kind, 0) + 1
            if alike[kind] <= 3:
                kept.append(each)
        best = kept[:KEPT]
    sys.stdout.write(f"{count} requests\n")
    for took, said, text in best[:10]:
        sys.stdout.write(f"{took:.2f} s  {len(text.written().encode())} bytes  {said}  {text}\n")
    return int(best[0][0] > MOST)


if __name__ == "__main__":
    sys.exit(main())
