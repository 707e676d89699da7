"""Looks for names that do more than asimi knows: `python -m fuzz.lists SECONDS [SEED [TEXTS]]` in tests/.

Each text makes a list of names (a search, a listing, variables with several values), may filter it, and hands it to
something that reads or changes what is named: `xargs`, `read`, `for`, `-exec`, a substitution; with text around the
names, in another directory, through other delimiters. What asimi allows under the preset `developer`, with substitution
judged, is run by bash in a box to throw away (bwrap: no network, nothing of this machine but its programs, little of
everything). A secret that is shown, or a file outside of the project that is changed, is a leak; it is printed with its
seed, and the exit status is 1.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fuzz.box import MANY, judged, leaked, report

MARKS = {"key": "k3yM4rk", "settings": "s3ttingsM4rk", "other": "0therM4rk"}
"""What the secrets hold: the one at home, the project's own, and one where a link leads."""

READERS = (
    "cat",
    "head -n 3",
    "tail -n 3",
    "grep .",
    "sed -n p",
    "nl",
    "sort --",
    "wc -l",
    "cat --",
    "od -c",
    "grep -h .",
)
WRITERS = (
    "touch",
    "touch",
    "rm -f",
    "rm -rf",
    "cp README.md",
    "sed -i s/a/b/",
    "chmod u+x",
    "mkdir -p",
    "cp -r src",
    "mv docs/a.md",
    "ln -sf README.md",
    "truncate -s 0",
    "touch --",
    "tee",
)
SECRETS = ("~/.ssh/id_rsa", '"$HOME/.ssh/id_rsa"', "../.ssh/id_rsa", ".env", "./.env", "src/../.env", "out/id_rsa")
KEPT = ("../made", "~/made", ".git/hooks/made", "..", "/", "~", "../other", ".git", "out/made", "src/../../made", "out")
PLAIN = ("README.md", "src", "src/app.py", "docs", "docs/a.md", "./src", "lib", "src/*.py", "odd", "l")
AROUND_READ = (
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "/../.env",
    "/../../.ssh/id_rsa",
    ".env",
    "/id_rsa",
    "env",
    "/.env",
    "/",
    "/.",
)
AROUND_WRITE = (
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "/../../made",
    ".bak",
    "git/hooks/made",
    "/hooks/made",
    "/made",
    "/sub/made",
    "/",
    "/../made",
)
STARTS = (
    "src",
    "docs",
    '"$PWD/src"',
    "src docs",
    "./src",
    "src/",
    "odd",
    "odd lines",
    "lines",
    ".",
    "lib",
    '"$PWD"',
    "$PWD/odd",
    "*",
    "src/*",
    "sr?",
    "out",
    ".git",
    "..",
    "../project/src",
)
TESTS = (
    "",
    "",
    "-type f",
    "-type f",
    "-type f",
    "-name '*.py'",
    "-name '*.py'",
    "-type f",
    "-type d",
    "-maxdepth 0",
    "-maxdepth 1",
    "-name '*.py'",
    "-name '*.md'",
    "-type l",
    "-name '*env'",
    "-name 'i*'",
    "-path '*/a*'",
    "-mindepth 1",
    "-name src",
    "-name .git -prune -o -type f -print",
    "-regex '.*\\.py'",
    "! -name '*.md'",
    "-name hooks",
    "-empty",
    "-depth",
)
FILTERS = (
    "sort",
    "sort -u",
    "sort -r",
    "uniq",
    "head -n 2",
    "tail -n 1",
    "grep a",
    "grep -v x",
    "grep -i ENV",
    "grep -x .env",
    "grep '\\.py$'",
    "grep -E '(env|md)$'",
    "grep -F .e",
    "grep 'e.v'",
    "grep -o .",
    "cut -c2-",
    "cut -d/ -f1",
    "sort -z",
    "tac",
    "cat",
    "tr a b",
    "sed s/src/../",
    "rev",
    "xargs -n1",
    "xargs -n1 dirname",
    "tee /dev/null",
    "grep -z a",
    "shuf",
    "grep -l a",
    "xargs grep -l a",
    "head -c 9",
    "sed 's,^,../,'",
    "sort - l",
    "awk 1",
    "grep '[.]env'",
    "rg env",
    "tail -n +2",
)


SOUGHT = (".e", "*env", "ENV", "e.v", "(env|", "rg env", "]env", "}env", "%env", "id_rsa")
"""What says something of a secret that is among all there is below a directory."""


class Texts:
    """Writes one text after another.

    Attributes:
        seeks: whether the text says something of a secret that is among all there is below a directory.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.seeks = self.writes = False

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def chance(self, of: int) -> bool:
        return self.random.randrange(of) == 0

    def text(self) -> str:
        """A new text: it lists, and hands on what it lists."""
        self.writes = self.chance(2)
        kinds = (self.valued, self.searched, self.listed, self.looped, self.printed)
        text = self.random.choices(kinds, (2, 1, 3, 1, 1))[0]()
        self.seeks = any(each in text for each in SOUGHT)
        return text

    # -- pieces

    def tool(self) -> str:
        return self.pick(*(WRITERS if self.writes else READERS))

    def tail(self) -> str:
        return self.pick(*(AROUND_WRITE if self.writes else AROUND_READ))

    def bad(self) -> str:
        """What may not be read, or changed; or something else."""
        return self.pick(*(KEPT if self.writes else SECRETS)) if self.chance(2) else self.pick(*PLAIN)

    def start(self) -> str:
        """Where a search begins."""
        return self.pick(*STARTS) if self.chance(3) else self.pick("src", "docs", "lib", "src docs", "./src", ".")

    def given(self, name: str) -> str:
        """What gives a variable one of several values."""
        bad, good = self.bad(), self.pick(*PLAIN)
        one, other = (bad, good) if self.chance(2) else (good, bad)
        if self.chance(4):
            one = good
            other = self.pick(*PLAIN)
        false = self.pick("false", "[ -e none ]", "test -z x", "! true", "grep -q zzz l", "[[ a = b ]]")
        return self.pick(
            f"{name}={one}; {false} && {name}={other}",
            f"{name}={one}; if {false}; then {name}={other}; fi",
            f"{name}={one}; ({name}={other})",
            f"{name}={one}; {{ {name}={other}; }} < none",
            f"{name}={one}; {name}={other} | true",
            f"{name}={one}; {name}={other} & wait",
            f"{name}={one}; {name}={other} true",
            f"{name}={one}; case a in b) {name}={other};; esac",
            f"{name}={one}; while {false}; do {name}={other}; done",
            f"{name}={one}; for i in; do {name}={other}; done",
            f"{name}={one}; g() {{ {name}={other}; }}",
            f"{name}={one}; g() {{ {name}={other}; }}; g",
            f"{name}={one}; g() {{ local {name}={other}; }}; g",
            f"{name}={one}; trap '{name}={other}' EXIT",
            f"{name}=({one} {other})",
            f"{name}=({one}); {name}+=({other})",
            f"{name}={one}; : $({name}={other})",
            f"{name}={one}; true || {name}={other}",
            f"{name}={one}; readonly {name}; {name}={other}",
            f"{name}={one}; read -r {name} <<< {other}",
            f"{name}={one}; {name}={other} < none",
            f"{name}=${{none:-{one}}}",
            f"{name}={one}; unset {name}; {name}={other}",
            f"set -- {one} {other}; {name}=$1",
            f"printf -v {name} %s {one}",
            f"for {name} in {one} {other}; do :; done",
            f"declare {name}={one}; {false} || {name}={other}",
            f"{name}={one}",
        )

    def filter(self) -> str:
        return "".join(f" | {self.pick(*FILTERS)}" for _ in range(self.random.choice((0, 0, 0, 0, 0, 1, 1, 2))))

    def list(self) -> str:
        """A command that prints names."""
        start, test = self.start(), self.pick(*TESTS)
        options = self.pick("", "-z", "-o", "--full-name", "src", "-oi --exclude-standard")
        shape = self.pick("%s", "%s/", "../%s", "%s.") + self.pick("", "\\n", "\\0")
        print0 = self.pick("", "", " -print0", " -print", " -printf '%f\\n'", " -printf '%p\\n'")
        return self.pick(
            f"find {start} {test}{print0}",
            f"find {start} {test}{print0}",
            f"find {start} {test}",
            f"ls {self.pick('', '-1', '-A', '-a', '-d', '-R', '-p')} {self.pick('', start)}",
            f"git ls-files {options} {self.pick('', start)}",
            f"git ls-files {self.pick('*.py', 'odd', ':/src', ':!docs')!r}",
            f"git -C {self.pick('src', 'docs', '..')} ls-files",
            f"grep -rl{self.pick('', 'Z', 'z')} {self.pick('a', '.')} {start}",
            f"printf {shape} {self.bad()} {self.pick(*PLAIN)}",
            f"printf '%s{self.pick(chr(92) + 'n', chr(92) + '0', '', '/')}' {self.pick(*PLAIN)} {self.pick(*PLAIN)}",
            f"echo {self.pick(*PLAIN)} {self.pick(*PLAIN)}",
            f"echo {self.pick(*PLAIN)}{self.pick('', ' ' + self.bad())}",
            f"(cd {self.pick('src', 'docs', '..', '.git')}; {self.pick('ls', 'find . -type f', 'git ls-files')})",
            f"cd {self.pick('src', 'docs', '..')} && {self.pick('ls', 'find . -type f', 'git ls-files')}",
            "git diff --name-only",
            "git grep -l a",
            f"timeout 2 find {start} {test}",
            f"env find {start} {test}",
            f"find {start} {test} -exec grep -l a {{}} {self.pick('+', chr(92) + ';')}",
            f"dirname {self.pick('src/app.py', '$PWD', 'src/..')}",
            "cat l",
        )

    def taken(self) -> str:
        """What takes a list from its input."""
        tool, tail = self.tool(), self.tail()
        place = self.pick("..", "src", "~", ".git", "docs", "/tmp", "../other")
        mark = self.pick("{}", "%", "X", "@@", "f")
        options = self.pick(
            "",
            "",
            "",
            "",
            "",
            "",
            "-n1 ",
            "-r ",
            "-0 ",
            "-r ",
            "-L1 ",
            "-P2 -n1 ",
            "-0 -n1 ",
            "-d '\\n' ",
            "-t ",
            "-x -n2 ",
        )
        odd = self.pick(
            "-d /", "-d s", "-dt", "-d '\\t'", "-E src", "-s 60", "-e", "-d ' '", "-d '\\0'", "-a l", "--delimiter=c"
        )
        quoted = self.pick('"$f{}"', '"$f{}"', '"${f}{}"', "$f{}").replace("{}", tail)
        reading = self.pick(
            "read -r f",
            "IFS= read -r f",
            "read f",
            "IFS=/ read -r f",
            "read -r f g",
            "read -rd '' f",
            "IFS= read -r -d '' f",
            "read -rn3 f",
            "IFS=s read -r f",
            "IFS=$'\\n' read -r f",
            "read -r -d s f",
            "IFS=p read -r f",
        )
        behind = self.pick("", " ..", " src", f" {self.bad()}") if self.chance(6) else ""
        return self.pick(
            f"xargs {options}{tool}{behind}",
            f"xargs {options}{tool}{behind}",
            f"xargs {options}-I{mark} {tool} {self.pick('', '', '', 'src/', './', '../', 'x', '~/')}{mark}{tail}",
            f"xargs {self.pick('-i', '--replace', '-0 -I {}', '--replace={}')} {tool} {{}}{tail}",
            f"xargs {self.pick('', options)}{odd} {tool}",
            f"xargs {options}{tool}",
            f"xargs {options}{tool} --",
            f"while read -r f; do {tool} {quoted}; done",
            f"xargs {options}env -C {place} {tool}",
            f"env -C {place} xargs {options}{tool}",
            f"timeout 2 xargs {options}{tool}",
            f"xargs {options}timeout 2 {tool}",
            f"(cd {place}; xargs {options}{tool})",
            f"{{ cd {place}; xargs {options}{tool}; }}",
            f"(cd {place} && while {reading}; do {tool} {quoted}; done)",
            f"while {reading}; do cd {place}; {tool} {quoted}; done",
            f"while {reading}; do {tool} {quoted}; done",
            f"while {reading}; do {tool} {quoted}; done",
            f"while {reading}; do {tool} {quoted}; done",
            f"{{ {reading}; {tool} {quoted}; }}",
            f"{{ read -r _; while {reading}; do {tool} {quoted}; done; }}",
            f"while {reading}; do echo $f | xargs {tool}; done",
            f'while {reading}; do find "$f" -type f -exec {tool} {{}}{tail} \\;; done',
            f"while {reading}; do g=$f; {tool} {quoted.replace('f', 'g', 1)}; done",
            f"xargs {options}xargs {tool}",
            f"xargs {options}sh -c '{tool} \"$@\"' _",
        )

    # -- texts

    def valued(self) -> str:
        """A variable with several values that is handed on."""
        name = self.pick("f", "d", "x")
        word, tool, tail = (
            self.pick(f"${name}", f'"${name}"', f'"${{{name}}}"', f'"${name}{self.tail()}"'),
            self.tool(),
            self.tail(),
        )
        every = f'"${{{name}[@]}}"'
        use = self.pick(
            f"echo {word} | {self.taken()}",
            f"echo {word} | xargs {tool}",
            f"printf '%s\\n' {word} | {self.taken()}",
            f"printf '%s\\n' {every} | xargs {tool}",
            f"printf '%s\\0' {word} | xargs -0 {tool}",
            f"find {word} {self.pick(*TESTS)} -exec {tool} {{}}{tail} {self.pick(';', '+')}".replace(" ;", " \\;"),
            f"find {word} -type f | {self.taken()}",
            f"ls {self.pick('', '-d ', '-A ')}{word} | {self.taken()}",
            f"grep -rl a {word} | {self.taken()}",
            f"git ls-files {word} | {self.taken()}",
            f'for z in {word}; do {tool} "$z{tail}"; done',
            f"for z in {every}; do echo $z | xargs {tool}; done",
            f'for z in $(echo {word}); do {tool} "$z{tail}"; done',
            f"{tool} $(echo {word})",
            f"{tool} $(find {word} -type f)",
            f'while read -r z; do {tool} "$z{tail}"; done < <(echo {word})',
            f'while read -r z; do {tool} "$z"; done <<< {word}',
            f"xargs {tool} <<< {word}",
            f'z={word}; {tool} "$z{tail}"',
            f"{tool} {word}",
            f"find src -maxdepth 0 -exec {tool} {{}}/{word} \\;",
            f"echo src | xargs -I{{}} {tool} {{}}/{word}",
            f'mapfile -t z < <(find {word}); {tool} "${{z[@]}}"',
        )
        return self.around(f"{self.given(name)}{self.pick('; ', chr(10))}{use}")

    def around(self, text: str) -> str:
        """A text in what runs it once or more."""
        loop, function = f"for q in 1 2; do {text}\ndone", f"m() {{ {text}\n}}; m"
        held = (f"({text}\n)", f"{{ {text}\n}}", function, loop, f"if true; then {text}\nfi", f"true && {{ {text}\n}}")
        return self.pick(*(text,) * 4, *held)

    def searched(self) -> str:
        tail, tool = self.tail(), self.tool()
        word = self.pick("{}", "{}", "{}", "{}", "./{}", "../{}", "x{}", ".{}", "{}/{}", "src/{}")
        end = self.pick("\\;", "\\;", "+")
        search = f"find {self.start()} {self.pick(*TESTS)}"
        return self.pick(
            f"{search} -exec {tool} {word}{tail} {end}",
            f"{search} -exec {tool} {word}{tail} {end}",
            f"{search} -execdir {tool} {word}{tail} {end}",
            f"{search} -execdir {tool} {self.bad()} \\;",
            f"{search} -exec {tool} {{}} \\; -exec {self.tool()} {{}}{tail} \\;",
            f"{search} -exec sh -c '{tool} \"$1{tail}\"' _ {{}} \\;",
            f"{search} -delete" if self.writes else f"{search} -exec {tool} {{}} +",
            f"{search} -exec env {tool} {word}{tail} \\;",
            f"cd src && {search} -exec {tool} {word}{tail} \\;",
        )

    def listed(self) -> str:
        listing, taken = f"{self.list()}{self.filter()}", self.taken()
        if taken.startswith("while") and self.chance(4):
            return f"{taken} < <({listing})"
        return self.around(f"{listing} | {taken}")

    def looped(self) -> str:
        tool, tail = self.tool(), self.tail()
        word = self.pick('"$f"', '"$f"', "$f", f'"$f{tail}"')
        return self.pick(
            f"for f in $({self.list()}{self.filter()}); do {tool} {word}; done",
            f"for f in {self.pick(*STARTS)}; do {tool} {word}; done",
            f"for f in {self.pick('*', '*/', 'odd/*', 'lines/*', '.*', './*', '*/*', 'o*')}; do {tool} {word}; done",
            f'for d in {self.pick("*/", "src docs", "odd/*")}; do (cd "$d" && {tool} {self.bad()}); done',
            f"IFS=$'\\n'; for f in $({self.list()}); do {tool} {word}; done",
            f'for f in $({self.list()}); do echo "$f" | xargs {tool}; done',
        )

    def printed(self) -> str:
        return self.pick(
            f"{self.tool()} $({self.list()}{self.filter()})",
            f"{self.tool()} `{self.list()}`".replace("\\", "\\\\"),
            f'{self.tool()} "$({self.list()})"',
            f"{self.tool()} $({self.list()}){self.tail()}",
            f"f=$({self.list()}); {self.tool()} $f",
            f'mapfile -t f < <({self.list()}); {self.tool()} "${{f[@]}}"',
        )


INSIDE = r"""
environment = {"PATH": "/usr/bin:/bin", "HOME": home, "LC_ALL": "C.UTF-8", "GIT_CONFIG_GLOBAL": "/dev/null"}

def held():
    found = {}
    for top in (home, root + "/.git/hooks"):
        for place, names, files in os.walk(top):
            if place == home:
                names.remove("project") if "project" in names else None
            found[place] = "directory"
            for name in files:
                path = os.path.join(place, name)
                status = os.lstat(path)
                content = os.readlink(path) if os.path.islink(path) else open(path, "rb").read(4096).decode()
                found[path] = status.st_mode, status.st_mtime_ns, content
    for path in (root, root + "/.git", root + "/.env", root + "/.git/config"):
        found[path] = os.path.exists(path)
    return found

def fresh():
    subprocess.run(["rm", "-rf", "--", *(os.path.join(home, name) for name in os.listdir(home))], check=True)
    shutil.copytree("/pristine", home, symlinks=True, dirs_exist_ok=True)

def signed():
    try:
        paths = [os.path.join(place, name) for place, _, files in os.walk(home) for name in ["", *files]]
        return [(path, os.lstat(path).st_ino, os.lstat(path).st_ctime_ns) for path in paths]
    except RecursionError:  # a copy of a directory into itself
        return None

signature = None
for each in sys.stdin:
    number, text = json.loads(each)
    if signature is None or signed() != signature:  # most texts only read
        fresh()
        before, signature = held(), signed()
    leaks = shown(text, environment)
    after = held()
    leaks += sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    print(json.dumps([number, leaks]), flush=True)
"""
"""Runs in the box: each text in a home made anew, which it tells of with what leaked."""


def built(home: Path) -> None:
    """Make the home: a project with names that are cut and a link that leads out, and secrets around it."""
    root = home / "project"
    files = {
        ".ssh/id_rsa": MARKS["key"],
        "other/id_rsa": MARKS["other"],
        "other/b.py": "b",
        "precious": "b",
        "src/app.py": "b",
        "project/.env": MARKS["settings"],
        "project/README.md": "a\nb",
        "project/src/app.py": "a",
        "project/src/.gitkeep": "",
        "project/docs/a.md": "a",
        "project/lib/b/c.py": "a\nb",
        "project/l": "src/app.py\nREADME.md",
        "project/.gitignore": ".env",
        "project/odd/a ../.ssh/id_rsa": "a",
        f"project/odd/b {home}/.ssh/id_rsa": "a",
        f"project/odd/c {home}/precious": "a",
        "project/odd/it's.md": "a",
        "project/odd/d\\e": "a",
        'project/odd/f "g" h.py': "a",
        "project/odd/ i .py": "a",
        "project/lines/a\n../.ssh/id_rsa": "a",
        f"project/lines/b\n{home}/precious": "a",
        "project/lines/c.py": "a",
        "project/x/hooks/y": "a",
        "project/t/s": "a",
        "project/app.env/n": "a",
    }
    for name, text in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text + "\n", encoding="utf-8")
    (root / "out").symlink_to("../other")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
    }
    for words in (
        ["init", "-q", "--template="],
        ["add", "-A"],
        ["-c", "user.email=a@b", "-c", "user.name=n", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *words], cwd=root, env=environment, check=True)


def ran(home: Path, texts: list[tuple[int, str]]) -> dict[int, list[str]]:
    """What leaked of texts, each with its number, when bash ran them in one box, each in a copy of the home."""
    return leaked(home, INSIDE, MARKS, texts, ("--ro-bind", str(home), "/pristine"))


def search(most: int, seed: int, seconds: float = float("inf"), many: int = MANY) -> tuple[int, int, list[str]]:
    """Look until this many texts were allowed and run: how many were written, how many run, and what leaked."""
    leaks: list[str] = []
    written = run = 0
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="asimi-fuzz-", dir=Path.home()) as place:
        home, config = Path(place, "home"), Path(place, "asimi-config", "config.toml")
        config.parent.mkdir()
        built(home)
        while run < most and time.monotonic() < end:
            writers = [Texts(seed + at) for at in range(many)]
            texts = [each.text() for each in writers]
            allowed = [at for at, verdict in enumerate(judged(home, config, texts)) if verdict == "allow"][: most - run]
            for at, what in ran(home, [(at, texts[at]) for at in allowed]).items():
                # All that is below a directory may be read, also a secret, unless the text looks for that.
                if found := [each for each in what if each not in {"settings", "other"} or writers[at].seeks]:
                    leaks.append(f"seed {seed + at}: {', '.join(found)}\n{texts[at]}\n")
            written, run, seed = written + many, run + len(allowed), seed + many
    return written, run, leaks


if __name__ == "__main__":
    sys.exit(report("lists", search))
