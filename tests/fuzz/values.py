"""Looks for values that do more than asimi knows: `python -m fuzz.values SECONDS [SEED]` in tests/.

Each text reads data that an attacker may have written, moves it through variables, and uses it where bash or a program
may take it for more: in arithmetic, as words without quotes, as the value of an option, in a program text, as an
operand of a builtin. What asimi allows under the preset `developer`, with substitution judged, is run by bash in a box
to throw away (bwrap: no network, nothing of this machine but its programs, little of everything). A canary that is
made, changed or shown is a leak; it is printed with its seed, and the exit status is 1.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from fuzz.box import MANY, judged, leaked, report

MARKS = {"outside": "0utsideM4rk", "token": "t0kenM4rk", "environment": "env1ronM4rk"}
VARIABLES = {"GITHUB_TOKEN": MARKS["token"], "OTHER": MARKS["environment"]}


def rows(table: str) -> tuple[str, ...]:
    """The lines of a table."""
    return tuple(table.strip().splitlines())


ANY_USE = rows(
    r"""
1
2
README.md
name
x
H/outside
GITHUB_TOKEN
*
"""
)
RUNS = rows(
    r"""
a[$(touch H/ran)]
x[$(touch H/ran)]
a[`touch H/ran`]+1
1+a[$(touch H/ran)]
y=a[$(touch H/ran)]
-v a[$(touch H/ran)]
x -o -v a[$(touch H/ran)]
1 -v a[$(touch H/ran)]
$(touch H/ran)
PATH
= x
"""
)
WORDED = rows(
    r"""
1 H/outside
README.md H/outside
1 -f H/outside
x H/outside
1 H/o*
name H/outside
@H/outside
-o H/made
-oH/made
1 -o H/made
--output=H/made
1 --output=H/made
-fH/outside
src H/outside
1 -exec touch H/ran ;
1 e
e eww
-i OTHER
README.md H/made
l H/outside
1 --files0-from=H/outside
"""
)
CODE = rows(
    r"""
a,env
name,env
"],env,["
$ENV
1,$ENV
x) + env + (.
ENVIRON
x:GITHUB_TOKEN
1; system("touch H/ran")
1e touch H/ran
s/a/b/e
'; touch H/ran; '
"; touch H/ran; "
$(touch H/ran)
1}' H/outside '{
1) or __import__('os').system('touch H/ran') or (1
1;touch H/ran
{}/../outside
"""
)
"""Lines of the file that the texts read, for each kind of use; H is the home, which is not the project."""

READS = rows(
    r"""
read N < l
read -r N < l
IFS= read -r N < l
N=$(cat l)
N=$(head -n 1 l)
read -ra N < l
mapfile -t N < l
N=$(jq -r .name data.json)
read < l; N=$REPLY
mapfile < l
read < l
set -- $(cat l)
set -- "$(cat l)"
[[ $(cat l) =~ (.*) ]]
[[ $(cat l) =~ (.*) ]]; N=${BASH_REMATCH[1]}
N="$(cat l)"
N=($(cat l))
exec 3< l; read -u 3 N
N=$(sed -n 1p l)
N=$(< l)
read N z <<< "$(cat l)"
N=GITHUB_TOKEN
N=$GITHUB_TOKEN
N=1
N=2
N=README.md
N=src
N=$(wc -l < l)
N=$(date +%s)
N=$(ls | wc -l)
:
"""
)
"""Of all texts, N and M are two variables: what gives N a value that somebody else chose, or one that is known."""

AROUND = ("B",) * 8 + rows(
    r"""
while read -r N; do B; done < l
for N in $(cat l); do B; done
cat l | while read N; do B; done
for N in 1 2; do B; done
f() { B; }; f M
f() { B; }; f "$M"
f() { B; }; f $(cat l)
f() { B; }; f $M
if true; then B; fi
( B )
{ B; }
eval 'B'
trap 'B' EXIT
bash -c 'B' _ M
bash -c 'B' _ "$M"
case $M in *) B;; esac
for N in M 1; do B; done
export M; bash -c 'B'
select N in M; do B; break; done < l
"""
)
"""What the use B is in."""

MOVES = (":",) * 6 + rows(
    r"""
M=N
M=$N
M="$N"
M=N+1
M='N[0]'
M=($N)
M=("$N" 1)
M=(N)
M[1]=N
M=${N%.*}
M=${N:-1}
set -- N
set -- "$N"
set -- $N
printf -v M %s "$N"
printf -v M N
printf -v M %s N
M+=N
declare -i M
declare -i M; M=N
declare M=N
declare M="$N"
read M <<< N
read M <<< "$N"
: ${M:=N}
mapfile -t M <<< N
for M in N; do :; done
for M in $N; do :; done
export M=N
local M=N
M=1
M=2
declare -n M=N
M=$1
M="$@"
M=REPLY
M=MAPFILE
M=BASH_REMATCH
M=_
M=OPTARG
M=$MAPFILE
M="${MAPFILE[0]}"
M="${N[0]}"
M=${N[0]}
: "$N"
M=$_
M=${REPLY}
M=${N^^}
M=${N#x}
M=$((1+2))
"""
)
"""What moves a value."""

ARITHMETIC = rows(
    r"""
echo $((M))
((M))
((M + 1))
let z=M
let M
declare -i z=M
z[M]=1
z=([M]=1)
echo ${z[M]}
s=abc; echo ${s:M}
s=abc; echo ${s:0:M}
[[ M -gt 0 ]]
[[ $M -gt 0 ]]
for ((i=M; i<1; i++)); do :; done
echo $(($M))
echo $(($1))
echo $((_))
echo $((REPLY))
echo $((MAPFILE))
test -v 'z[M]'
unset 'z[M]'
printf -v "z[M]" 1
read 'z[M]' <<< 1
echo ${#z[M]}
echo ${z[$M]}
echo $[M]
RANDOM=M
z=${!M}
echo ${!M}
((z = M, z++))
((n += M))
echo "${@:M}"
echo $((${#M} + 1))
declare -a 'z=([M]=1)'
i=0; while ((i < 2)); do ((i++)); done
echo $((N)) $((M))
[[ -v z[M] ]]
n=$((M * 2))
echo $(( $(wc -l < l) + 1 ))
getopts ab M; echo $((M))
[[ -v M ]]
echo ${M@P}
echo ${M@Q}
mapfile -O M z < l
ulimit -n M
"""
)
WORDS = rows(
    r"""
head -n $M README.md
head -c $M README.md
head -n "$M" README.md
tail -n +$M README.md
cat ./$M
cat src/$M
cut -d, -f $M l
cut -d , -f "$M" l
grep -m $M a README.md
grep -A "$M" a README.md
grep -c $M README.md
nl -v $M l
od -N $M l
fold -w $M l
fmt -w $M l
sort -k $M l
sort -k"$M" l
comm $M l
diff -U $M l l
ls $M
ls -d ./$M
wc -l $M
wc -l src/$M
wc -l "src/$M"
echo $M
echo "$M"
printf '%s\n' $M
seq $M
find src -name $M
find src -name "$M"
find src -maxdepth $M
du -d $M src
stat -c $M l
touch src/$M
mkdir -p $M
touch "src/$M"
cp l src/$M
cp l "src/$M"
tee src/$M < l
git log -n $M
git log --format="$M"
git diff $M
basename $M
basename "$M"
dirname $M
tr $M x < l
tr "$M" x < l
xxd -l $M l
base64 -w $M l
paste -d $M l l
cat < $M
cat < "$M"
echo x > src/$M
echo x > "src/$M"
cat $M
cat "$M"
cat README.md$M
rm -f src/$M
ps -p $M
ps -p "$M"
ps a$M
env $M
uniq $M l
date -d $M
date -d "$M"
date "+$M"
expr $M + 1
file $M
git commit -m "$M"
grep -e "$M" l
sed -n "$M"p l
sed -n ${M}p l
test -f $M
[ $M = x ]
[ "$M" = x ]
test $M
"""
)
TEXTS = rows(
    r"""
jq ".$M" data.json
jq .$M data.json
jq -r ".[\"$M\"]" data.json
jq --arg v "$M" '.[$v]' data.json
jq "$M" data.json
awk "{print \$$M}" l
awk -v v="$M" '$1 == v' l
awk '/'"$M"'/' l
awk -v v=$M '{print v}' l
sed "s/a/$M/" l
sed 's/a/'$M'/' l
perl -ne "print if /$M/" l
python3 -c "print($M)"
python3 -c 'print(1)' "$M"
bash -c "echo $M"
bash -c 'echo "$1"' _ "$M"
eval "echo $M"
sqlite3 :memory: "select $M"
bc <<< "$M"
bc <<< "1 + $M"
dc -e "$M"
trap "echo $M" EXIT
find src -name x -exec echo "$M" \;
find src -printf "$M"
xargs -I{} echo {} <<< "$M"
xargs echo < l
"""
)
BUILTINS = rows(
    r"""
shift $M
shift "$M"
test "$M" x
test x "$M" y
[ "$M" ]
[ -n "$M" ]
[ -z $M ]
exit $M
return $M
break $M
printf %d "$M"
printf "$M"
ulimit $M
umask $M
cd "$M"
pushd $M
popd $M
export $M
export z="$M"
unset $M
declare $M
declare z="$M"
readonly $M
set $M
set -o $M
shopt $M
hash $M
type $M
command -v $M
trap : $M
wait $M
jobs $M
kill -l $M
history $M
getopts ab z $M
read -t $M z < l
read -n $M z < l
: "${z:?$M}"
: ${!M}
echo "${M:+set}"
: "${M:?none}"
TIMEFORMAT=$M; time :
caller $M
alias $M
source $M
complete -p $M
dirs $M
mapfile -n $M z < l
read -p "$M" z < l
let $M
true "$M"
case "$M" in x) ;; esac
[[ $M == x ]]
[[ x =~ $M ]]
PS3=$M; select z in a; do break; done < l
cat <<< "$M"
z=$M; shift $z
f() { shift "$1"; }; f "$M"
echo ${#M}
disown $M
"""
)
GOING_UP = rows(
    r"""
cat "src/$(seq -f ../../outside%g 1)"
cat "src/$(date +../../outside)"
cat "src/$(printf "%s/" .. ..)outside"
cat "src/$(printf '\056\056/../outside')"
cat "src/$(echo ../../outside)"
for i in $(seq -s /../ 2); do cat src/$i; done
cat "src/$(date +%F).md"
for i in $(seq 3); do cat src/$i; done
M=$(printf %s ../../outside); cat "src/$M"
cat src/$(wc -l < l)
"""
)


class Texts:
    """Writes one text after another."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.payload = ""

    def text(self) -> str:
        """A new text: it reads, moves and uses; `payload` is then what it may read."""
        kinds = (
            ((ARITHMETIC, RUNS),) * 3 + ((WORDS, WORDED),) * 3 + ((TEXTS, CODE), (BUILTINS, RUNS), (BUILTINS, ANY_USE))
        )
        uses, payloads = self.random.choice((*kinds, (GOING_UP, ANY_USE)))
        self.payload = self.random.choice(payloads * 3 + ANY_USE)
        body = self.named(self.random.choice(uses))
        if self.random.randrange(4) == 0:
            body = f"{self.named(self.random.choice(MOVES))}; {body}"
        around = self.random.choice(AROUND)
        quoted = "'B'" in around
        body = self.named(around).replace("B", body.replace("'", "'\\''") if quoted else body)
        parts = [self.named(self.random.choice(READS))]
        parts += [self.named(self.random.choice(MOVES)) for _ in range(self.random.choice((0, 1, 1, 2, 3)))]
        if self.random.randrange(4) == 0:
            self.random.shuffle(parts)
        joints = ("; ", "; ", "; ", "\n", " && ")
        return "".join(part + self.random.choice(joints) for part in parts if part != ":") + body

    def named(self, text: str) -> str:
        """A text with its two variables named."""
        names = {"N": self.random.choice("xxxy"), "M": self.random.choice("xyyw")}
        found = ""
        for at, letter in enumerate(text):
            alone = (
                not (text[at - 1 : at].isupper() or text[at + 1 : at + 2].isupper()) and text[at + 1 : at + 2] != "A"
            )
            found += names[letter] if letter in names and alone and text[at : at + 4] != "M4rk" else letter
        return found.replace("READxE", "README")


INSIDE = r"""
environment = {"PATH": "/usr/bin:/bin", "HOME": home, "LC_ALL": "C.UTF-8", "GITHUB_TOKEN": marks["token"] + " a b"}
environment["OTHER"] = marks["environment"]

def made():
    found = {}
    for place, names, files in os.walk(home):
        if place == home and "project" in names:
            names.remove("project")
        for name in files:
            with open(os.path.join(place, name), "rb") as file:
                found[os.path.join(place, name)] = file.read(4096)
    return found

def fresh(line):
    for name in os.listdir(home):
        path = os.path.join(home, name)
        shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
    os.makedirs(root + "/src")
    files = {"outside": marks["outside"], "outside1": marks["outside"], "project/README.md": "a\nb\n" * 4}
    files |= {"project/l": line, "project/data.json": json.dumps({"name": line}), "project/src/a.py": "a"}
    for name, text in files.items():
        with open(f"{home}/{name}", "w") as file:
            file.write(text + "\n")

for each in sys.stdin:
    number, line, text = json.loads(each)
    fresh(line)
    before = made()
    leaks = shown(text, environment)
    leaks += [path for path, text in made().items() if before.get(path) != text]
    print(json.dumps([number, leaks]), flush=True)
"""
"""Runs in the box: each text in a home made anew, which it tells of with what leaked."""


def ran(home: Path, texts: list[tuple[int, str, str]]) -> dict[int, list[str]]:
    """What leaked of texts, each with its number and the line that it reads, when bash ran them in one box."""
    return leaked(home, INSIDE, MARKS, texts)


def search(most: int, seed: int, seconds: float = float("inf")) -> tuple[int, int, list[str]]:
    """Look until this many texts were allowed and run: how many were written, how many run, and what leaked."""
    leaks: list[str] = []
    written = run = 0
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="asimi-fuzz-", dir=Path.home()) as place:
        home, config = Path(place, "home"), Path(place, "asimi-config", "config.toml")
        config.parent.mkdir()
        (home / "project" / "src").mkdir(parents=True)
        for name in ("README.md", "l", "data.json", "src/a.py"):
            (home / "project" / name).write_text("a\n", encoding="utf-8")
        while run < most and time.monotonic() < end:
            writers = [Texts(seed + at) for at in range(MANY)]
            texts = [each.text() for each in writers]
            verdicts = judged(home, config, texts, VARIABLES)
            allowed = [at for at, verdict in enumerate(verdicts) if verdict == "allow"][: most - run]
            lines = [writers[at].payload.replace("H/", f"{home}/") for at in allowed]
            given = [(at, line, texts[at]) for at, line in zip(allowed, lines, strict=True)]
            for at, what in ran(home, given).items():
                if what:
                    leaks.append(f"seed {seed + at}, l holds {writers[at].payload!r}: {', '.join(what)}\n{texts[at]}\n")
            written, run, seed = written + MANY, run + len(allowed), seed + MANY
    return written, run, leaks


if __name__ == "__main__":
    sys.exit(report("values", search))
