"""Program texts in other languages under rules: what they start, the files they name, and modules of the same name."""

import os
import subprocess
import sys
from glob import glob
from os.path import exists, expanduser
from shlex import quote

import pytest

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.guard import Guard
from asimi.core.judging.machine import Machine
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.protection import Protection
from asimi.core.judging.rules import Rule, rule_of
from asimi.core.judging.zones import FileRules, Files
from asimi.core.reading.python_names import LOADED, MODULES
from asimi.world.host.places import names_in
from asimi.world.host.trees import below, kind

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY
READ = Rule(ALLOW, None, (), "read", effects=("read",))
WRITE = Rule(ALLOW, None, (), "read write", effects=("read", "write"))


@pytest.fixture
def home(tmp_path):
    for name in ("project/src", "project/web", ".ssh"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


@pytest.fixture
def decide(home):
    """What is decided of a text, with rules and what is said of files."""

    def decide(text, *rules, files=None, variables=None):
        root = f"{home}/project"
        machine = Machine(str(home), os.path.realpath, variables or {}, names=names_in, kind=kind, below=below)
        guard = Guard(machine, Protection((), machine), FileRules(files or Files(), root, machine))
        policy = Policy(rules, Terms(protected=guard, substitution="judge", placed=guard.has_write_limits))
        return policy.decide(Request("run_shell_command", text, None, Place(root, root, inside=True)))

    return decide


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (DENY, "python3 -c 'import os; os.system(\"mv a b\")'"),
        (DENY, "python3 -c 'import subprocess; subprocess.run([\"mv\", x])'"),
        (DENY, "python3 - <<'E'\nimport os\nos.system('ls; mv a b')\nE"),
        (DENY, 'node -e \'require("child_process").execSync("mv a b")\''),
        (DENY, 'perl -e \'system("mv", "a", "b")\''),
        (DENY, "ruby -e '`mv a b`'"),
        (ASK, "python3 -c 'import os; os.system(\"cp a b\")'"),
        (ALLOW, "python3 -c 'import os; os.system(\"ls\")'"),
        (ALLOW, "python3 -c 'print(\"mv a b\")'"),
    ],
)
def test_what_is_forbidden_is_found_in_a_program_text(decide, expected, text):
    rules = [rule_of("run_shell_command", ALLOW), rule_of("run_shell_command(mv)", DENY)]
    assert decide(text, *rules, rule_of("run_shell_command(cp)", ASK)).verdict is expected


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ({"secret"}, "python3 -c 'print(open(\".env\").read())'"),
        ({"secret"}, "python3 -c 'from pathlib import Path; print(Path(\"src/../.env\").read_text())'"),
        ({"secret"}, "python3 -c 'from pathlib import Path; print((Path.home() / \".ssh/id_rsa\").read_text())'"),
        ({"secret"}, "python3 -c 'import os; print(open(os.path.expanduser(\"~/.ssh/id_rsa\")).read())'"),
        ({"secret"}, "cd ~/.ssh && python3 -c 'print(open(\"id_rsa\").read())'"),
        ({"secret"}, "python3 -c 'import os; os.system(\"cat .env\")'"),
        ({"secret"}, "python3 -c 'from pathlib import Path; [p.read_text() for p in Path().rglob(\".en*\")]'"),
        ({"secret"}, "python3 -c 'from pathlib import Path; [p.read_text() for p in Path().glob(\"*/*.pem\")]'"),
        ({"secret"}, "python3 -c 'from pathlib import Path; [p.read_text() for p in Path.home().rglob(\"id_rsa\")]'"),
        ({"secret"}, "python3 -c 'import glob; [open(f).read() for f in glob.glob(\"/proc/*/environ\")]'"),
        ({"secret"}, "cd ~ && python3 -c 'import glob; [open(f).read() for f in glob.glob(\".ssh/id*a\")]'"),
        ({"secret", "outside"}, "python3 -c 'import glob, os; [os.remove(p) for p in glob.glob(\"../*.x\")]'"),
        ({"secret"}, 'node -p \'require("fs").readFileSync(".env", "utf8")\''),
        ({"secret"}, "ruby -e 'puts File.read(\".env\")'"),
        ({"secret"}, 'perl -e \'open(F, "<", ".env"); print <F>\''),
        ({"secret"}, "python3 -m json.tool credentials.json"),
        ({"outside"}, "python3 -m json.tool a.json ../b.json"),
        ({"floor"}, "python3 -c 'import shutil; shutil.rmtree(\"/\")'"),
        ({"floor"}, "python3 -c 'import os; os.removedirs(\"/usr/local\")'"),
        ({"floor"}, "python3 - <<'E'\nimport shutil as s\ns.rmtree('.git')\nE"),
        ({"floor"}, "python3 -c 'import shutil; from pathlib import Path; shutil.rmtree(Path.home())'"),
        ({"floor"}, "python3 -c 'from pathlib import Path; Path(\"..\").rmdir()'"),
        ({"floor"}, "python3 -c 'import os; os.system(\"rm -rf /etc\")'"),
        ({"floor"}, 'python3 -c \'import subprocess; subprocess.Popen(["rm", "-rf", "/etc"])\''),
        ({"floor"}, 'node -e \'require("fs").rmSync("/", { recursive: true })\''),
        ({"floor"}, "perl -MFile::Path -e 'remove_tree(\"/usr\")'"),
        ({"floor"}, "ruby -rfileutils -e 'FileUtils.rm_rf(\"/etc\")'"),
        ({"floor"}, "ruby -rfileutils -e 'FileUtils.rm_rf %w[a /etc]'"),
        ({"outside"}, 'python3 -c \'open("../x", "w").write("a")\''),
        ({"outside"}, 'python3 -c \'open("../" + "a" + "b" + "c" + "d" + "e", "w")\''),
        ({"outside"}, 'python3 -c \'from pathlib import Path; Path("/tmp/x").write_text("a")\''),
        ({"outside"}, 'python3 -c \'import shutil; shutil.copy("a", "../x")\''),
        ({"outside"}, 'node -e \'require("fs").writeFileSync("../x", "a")\''),
        ({"outside"}, "perl -e 'open(F, \">../x\")'"),
        ({"outside"}, "ruby -e 'File.write(\"../x\", 1)'"),
        (set(), 'python3 -c \'open("src/x", "w").write("a")\''),
        (set(), 'python3 -c \'import os; os.remove("src/x"); print(os.path.exists(".env"))\''),
        (set(), 'node -e \'require("fs").rmSync("web/dist", { recursive: true })\''),
    ],
)
def test_the_files_that_a_program_text_names(decide, expected, text):
    """They count even where a person listed the interpreter."""
    names = ("cd", "python3", "node", "perl", "ruby")
    rules = [rule_of(f"run_shell_command({name})", ALLOW) for name in names]
    decision = decide(text, *rules, files=Files(write=(("**",),)))
    codes = {reason.code for reason in decision.reasons} - {"allowed_by_rule"}
    assert expected <= codes
    assert codes <= {*expected, "outside"} if expected else not codes


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (ALLOW, "python3 -c 'print(1)'"),
        (ALLOW, "python3 - <<'E'\nimport json\nprint(json.dumps([1]))\nE"),
        (ALLOW, "cd web && python3 -c 'for x in [1]: print(open(\"a.json\").read())'"),
        (ALLOW, "python3 -c 'import glob; [print(len(open(f).read())) for f in glob.glob(\"web/*.json\")]'"),
        (ALLOW, 'python3 -c \'from pathlib import Path; [print(p.read_text()) for p in Path("src").rglob("*.py")]\''),
        (ASK, "python3 -c 'from pathlib import Path; [print(p.read_text()) for p in Path().rglob(\"*.key\")]'"),
        (ALLOW, "cat a | timeout 5 python3 -c 'import sys; print(sys.stdin.read())' | sort"),
        (ALLOW, "touch src/x && python3 -c 'print(1)'"),
        (ALLOW, "mkdir -p out; python3 -c 'print(1)' > out/a.txt"),
        (ALLOW, "python3 -m py_compile src/x.py web/y.py"),
        (ALLOW, "cd src && python3 -m compileall -q ."),
        (ASK, "python3 -m py_compile"),
        (ASK, "python3 -m py_compile -"),
        (ASK, "python3 -m py_compile src/*.py"),
        (ASK, 'python3 -m py_compile "$f"'),
        (ASK, "python3 -m py_compile ../x/y.py"),
        (ASK, "python3 -m py_compile .env"),
        (ASK, "python3 -m compileall"),
        (ASK, "python3 -m compileall -b src"),
        (ASK, "python3 -m compileall -q ../x"),
        (ASK, "xargs python3 -m compileall src < list"),
        (ASK, "echo x > py_compile.py; python3 -m py_compile src/x.py"),
        (ALLOW, 'python3 -c \'open("x", "w")\''),
        (ASK, 'python3 -c \'open("json.py", "w")\''),
        (ALLOW, 'python3 -c \'import os; [open(os.path.join("src", n)).read() for n in os.listdir("src")]\''),
        (ASK, 'python3 -c \'import os; [open(os.path.join("src", n), "w") for n in os.listdir("src")]\''),
        (ASK, 'python3 -c \'import os; [open(n, "w") for n in os.listdir("src")]\''),
        (ASK, 'python3 -c \'import os; [open(os.path.join("..", n), "w") for n in os.listdir("..")]\''),
        (ASK, "python3 -c 'import os; [open(os.path.join(r, n)).read() for r, d, f in os.walk(\"..\") for n in f]'"),
        (ASK, "python3 -c 'open(\"json.py\", \"w\")'; python3 -c 'print(1)'"),
        (ASK, "echo x > numpy.py; python3 -c 'import numpy'"),
        (ASK, "echo x > numba/x.py; python3 -c 'import numpy'"),
        (ALLOW, "echo x > app.py; python3 -c 'import numpy'"),
        (ASK, "echo x > nets.py; python3 -c 'import torch'"),
        (ASK, "echo x > nets/app.py; python3 -c 'import torch'"),
        (ALLOW, "echo x > app.py; python3 -c 'import torch'"),
        (ALLOW, "echo x > src/app.py; python3 -c 'import torch'"),
        (ASK, "python3 app.py"),
        (ASK, "./python3 -c 'print(1)'"),
        (ASK, "cd \"$d\" && python3 -c 'print(1)'"),
        (ASK, "echo x > json.py; python3 -c 'print(1)'"),
        (ASK, "echo x > _a.py; python3 -c 'print(1)'"),
        (ASK, "echo x > email/__init__.py; python3 -c 'print(1)'"),
        (ASK, "echo x > org/python/core.py; python3 -c 'print(1)'"),
        (ALLOW, "echo x > src/email/core.py; python3 -c 'print(1)'"),
        (ASK, "cp src/x json.py && python3 -c 'print(1)'"),
        (ASK, "cp -r src/x . && python3 -c 'print(1)'"),
        (ASK, "cd web && cp ../src/x . && python3 -c 'print(1)'"),
        (ASK, "tar xf a.tar; python3 -c 'print(1)'"),
        (ASK, "touch \"$x\"; python3 -c 'print(1)'"),
        (ASK, "PYTHONPATH=src python3 -c 'print(1)'"),
        (ASK, "export PYTHONPATH=src; python3 -c 'print(1)'"),
        (ASK, "env -C web python3 -c 'print(1)'"),
        (ALLOW, "perl -pe 's/a/b/' src/x"),
        (ALLOW, "perl -ne 'print if /a/' src/x web/a.json | head"),
        (ALLOW, "perl -pi -e 's/a/b/' src/x"),
        (ALLOW, "perl -i.bak -pe 's/a/b/' src/x"),
        (ALLOW, "perl -0777 -lpi -e 's/a/b/' src/x"),
        (ASK, "perl -pie 's/a/b/' src/x"),
        (ASK, "perl -i../x -pe 's/a/b/' src/x"),
        (ASK, "perl '-i*/../../x' -pe 's/a/b/' src/x"),
        (ASK, "perl -i.envrc -pe 's/a/b/' ''"),
        (ASK, "perl -pi -e 's/a/b/' ../x"),
        (ASK, "perl -pi -e 's/a/b/' .git/config"),
        (ASK, "perl -ne print .env"),
        (ASK, "perl -ne print src/*"),
        (ASK, 'perl -ne print "$f"'),
        (ASK, "perl -Mre -ne print src/x"),
        (ASK, "perl -e 'print 1'"),
        (ASK, "./perl -ne print src/x"),
        (ALLOW, "node -p 'process.version'"),
        (ALLOW, "node <<'E'\nconsole.log([1, 2].map(x => x * 2))\nE"),
        (ALLOW, "node -e \"console.log(require('./web/a.json').version)\" | head -1"),
        (ALLOW, "node -p \"require('fs').readFileSync('src/x.txt', 'utf8').length\""),
        (ALLOW, "node -p \"require('fs').readFileSync('src/x.txt', {encoding: 'utf8'}).length\""),
        (ALLOW, "node -p \"require('fs').readdirSync('src', {'withFileTypes': true}).length\""),
        (ASK, "node -p \"require('fs').readFileSync('src/x.txt', {flag: 'w+'})\""),
        (ASK, "node -p \"require('fs').readFileSync('src/x.txt', {'flag': 'w'})\""),
        (ASK, "node -p \"require('fs').readFileSync('src/x.txt', {encoding: 'utf8', flag: 'w'})\""),
        (ASK, "node -p \"require('fs').readFileSync('src/x.txt', ...[{flag: 'w'}])\""),
        (ASK, "node -e \"const o = {flag: 'w'}; require('fs').readFileSync('src/x.txt', o)\""),
        (ALLOW, "node -p \"require('./web/missing.json')\""),
        (ALLOW, "node -p \"require('./nowhere/missing.json')\""),
        (ASK, "node -p \"require('./web/b.json')\""),
        (ASK, "node -p \"require('./web/c.json')\""),
        (ASK, "echo x > web/missing.json.js; node -p \"require('./web/missing.json')\""),
        (ASK, "node"),
        (ASK, "node < src/x.js"),
        (ASK, "node - < src/x.js"),
        (ASK, "cat src/x.js | node"),
        (ASK, "cat src/x.js | node - --test"),
        (ASK, "node <<E\nconsole.log($x)\nE"),
        (ASK, "rm web/a.json; node -p \"require('./web/a.json')\""),
        (ASK, 'cd "$d" && node -p "require(\'./a.json\')"'),
        (ASK, "env -C web node -p \"require('./web/a.json')\""),
        (ASK, "node -r ./x -p 1"),
        (ASK, "node -p \"require('fs').readFileSync('.env')\""),
        (ASK, "./node -p 1"),
        (ASK, "bun -p 1"),
    ],
)
def test_a_text_that_only_reads_is_read(home, decide, expected, text):
    (home / "project/web/a.json").write_text("{}")
    (home / "project/web/b.json.js").touch()
    (home / "project/web/c.json").mkdir()
    files = Files(write=(("**",),))
    assert decide(text, WRITE, rule_of("run_shell_command(cd)", ALLOW), files=files).verdict is expected


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (ALLOW, "select 1"),
        (ALLOW, ".tables"),
        (ALLOW, "describe select * from read_parquet('web/*.parquet')"),
        (ALLOW, "select a from 'web/a.csv' join \"src/b.parquet\" using (a)"),
        (ALLOW, "from read_csv(['web/a.csv', 'src/b.csv'], header = true)"),
        (ALLOW, "explain analyze from web.csv"),
        (ALLOW, "with a as (from 'web/a.csv') select replace(x, 'b', 'c') from a"),
        (ALLOW, "copy (select * from 'web/*.parquet') to 'web/o.csv' (format csv, header);"),
        (ALLOW, "copy (select ') to ''web/a.csv') to 'web/o.csv'"),
        (ASK, "copy (select 1) to '../o.csv'"),
        (ASK, "copy (select 1) to '~/o.csv'"),
        (ASK, "copy (select 1) to 'web/o.xlsx'"),
        (ASK, "copy (select 1) to 'web/o.csv' (format xlsx)"),
        (ASK, "copy (select 1) to 'web/o.csv' (partition_by a)"),
        (ASK, "copy (select 1) to '../o.csv'; copy (select 2) to 'web/o.csv'"),
        (ASK, "copy (select 1) to '../o.csv' -- ) to 'web/o.csv'"),
        (ASK, "copy (select 1) to '../o.csv' /* */ ) to 'web/o.csv'"),
        (ASK, "copy (select 1) union (select 2) to 'web/o.csv'"),
        (ASK, "copy (from read_csv('.env')) to 'web/o.csv'"),
        (ASK, "copy t from 'web/a.csv'"),
        (ASK, "from read_csv('.env')"),
        (ASK, "from read_csv('?env')"),
        (ASK, "from read_csv(['web/a.csv', '.env'])"),
        (ASK, "from \"read_csv\"('.env')"),
        (ASK, "from read_csv('.e' || 'nv')"),
        (ASK, "from read_csv('.e'\n'nv')"),
        (ASK, "from read_csv(e'\\x2eenv')"),
        (ASK, "from read_csv($$.env$$)"),
        (ASK, "from read_csv('file:.env')"),
        (ASK, "from read_csv('~/.ssh/id_rsa')"),
        (ASK, "from '~/credentials.json'"),
        (ASK, "from 'credentials'\n'.json'"),
        (ASK, "from 'https://example.org/a.csv'"),
        (ASK, "from read_text('web/a.csv')"),
        (ASK, "attach 'web/a.db'"),
        (ASK, "create table t as select 1"),
        (ASK, "with a as (select 1) insert into t from a"),
    ],
)
def test_what_duckdb_reads_and_copies(home, decide, expected, text):
    (home / "project/.env").write_text("")
    decision = decide(f"duckdb -csv -c {quote(text)}", WRITE, files=Files(write=(("**",),)))
    assert decision.verdict is expected


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (ALLOW, "duckdb :memory: 'select 1'"),
        (ALLOW, "duckdb -cmd '.mode csv' -c 'select 1' | head -3"),
        (ALLOW, "duckdb -safe -readonly web/a.db -c 'from t'"),
        (ALLOW, "duckdb -safe web/a.db -c 'from t'"),
        (ASK, "duckdb -safe ../a.db -c 'from t'"),
        (ASK, "duckdb -readonly web/a.db -c 'from t'"),
        (ASK, "duckdb -cmd 'select 1'"),
        (ASK, "echo 'select 1' | duckdb :memory: 'select 1'"),
        (ASK, "duckdb -init x -c 'select 1'"),
        (ASK, 'duckdb -c "$q"'),
        (ASK, "duckdb"),
    ],
)
def test_a_database_of_duckdb_may_have_views(decide, expected, text):
    assert decide(text, WRITE, files=Files(write=(("**",),))).verdict is expected


@pytest.mark.parametrize("text", ["python3 -m py_compile src/x.py", "python3 -m compileall src"])
def test_what_compiles_writes(decide, text):
    assert decide(text, READ).verdict is ASK


@pytest.mark.parametrize(
    ("name", "shadows"),
    [
        ("json.py", True),
        ("traceback.py", True),
        ("enum.cpython-311-x86_64-linux-gnu.so", True),
        ("csv.pyc", True),
        ("email/__init__.py", True),
        ("_private.py", True),
        ("compression.py", True),
        ("email/a.py", False),
        ("org/__init__.py", True),
        ("org/python.py", True),
        ("org/notes.txt", False),
        ("tzdata/__init__.py", True),
        ("tzdata/zoneinfo.py", True),
        ("tzdata/zones", False),
        ("org.py", True),
        ("test/__init__.py", False),
        ("app.py", False),
        ("json.txt", False),
        ("__init__.py", False),
        ("src/json.py", False),
    ],
)
def test_a_module_of_the_same_name_makes_it_code(home, decide, name, shadows):
    path = home / "project" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    assert decide("python3 -c 'print(1)'", READ).verdict is (ASK if shadows else ALLOW)
    assert decide("python3 -I -c 'print(1)'", READ).verdict is ALLOW
    path.unlink()
    assert decide("python3 -c 'print(1)'", READ).verdict is ALLOW


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (ALLOW, "python3 -c 'print(1)' && node x"),
        (ALLOW, "python3 -c 'print(1)'\nnode x"),
        (ALLOW, "python3 - <<'E'\nprint(1)\nE\nnode x"),
        (ALLOW, "python3 -c 'print(1)' | tail -3; touch json.py"),
        (ALLOW, "python3 -c 'print(1)'; echo > json.py"),
        (ALLOW, "timeout 9 python3 -c 'print(1)'; echo > json.py"),
        (ASK, "node x && python3 -c 'print(1)'"),
        (ASK, "node x & python3 -c 'print(1)'"),
        (ASK, "python3 -c 'print(1)' & node x"),
        (ASK, "python3 -c 'print(1)' && true & node x"),
        (ASK, "python3 -c 'print(1)' && true | tail -3 &\nnode x"),
        (ALLOW, "python3 -c 'print(1)' && node x > node.log 2>&1 && true"),
        (ASK, "python3 -c 'print(1)' | node x"),
        (ASK, "python3 -c 'print(1)' > json.py"),
        (ASK, "{ python3 -c 'print(1)'; } > json.py"),
        (ASK, "echo > json.py; python3 -c 'print(1)'"),
        (ASK, "for i in 1 2; do python3 -c 'print(1)'; node x; done"),
        (ASK, "while true; do python3 -c 'print(1)'; touch json.py; done"),
        (ASK, "f() { python3 -c 'print(1)'; node x; }; f; f"),
        (ASK, "trap 'node x' DEBUG; python3 -c 'print(1)'; ls"),
        (ASK, "trap \"python3 -c 'print(1)'\" EXIT; echo > json.py"),
        (ASK, "bash -c \"sleep 1; python3 -c 'print(1)' &\"; echo > json.py"),
        (ASK, "eval \"sleep 1; python3 -c 'print(1)' &\"; echo > json.py"),
        (ASK, "timeout 9 bash -c \"python3 -c 'print(1)' &\"; echo > json.py"),
        (ASK, "python3 -c 'print(1)' > >(node x)"),
    ],
)
def test_what_runs_only_later_makes_no_module(decide, expected, text):
    made = [rule_of(f"run_shell_command({name})", ALLOW) for name in ("node", "touch", "tail", "trap", "true")]
    assert decide(text, READ, *made, files=Files(write=(("**",),))).verdict is expected


def test_modules_on_the_path_of_python_count_too(home, decide):
    (home / "project" / "src" / "json.py").write_text("")
    assert decide("python3 -c 'print(1)'", READ, variables={"PYTHONPATH": "/nowhere:src"}).verdict is ASK
    assert decide("python3 -I -c 'print(1)'", READ, variables={"PYTHONPATH": "/nowhere:src"}).verdict is ALLOW


def test_without_a_look_at_the_files_it_stays_code():
    request = Request("run_shell_command", "python3 -c 'print(1)'", None, Place("/project", "/project", inside=True))
    assert Policy([READ]).decide(request).verdict is ASK


LOADS = """
import importlib, sys
found = set()
class Finder:
    def find_spec(self, name, path=None, target=None):
        found.add(name.partition(".")[0])
sys.meta_path.insert(0, Finder())
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ImportError:
        pass
import zoneinfo
try:
    zoneinfo.ZoneInfo("No/Such")
except Exception:
    pass
zoneinfo.available_timezones()
print(*found - sys.stdlib_module_names)
"""
PYTHONS = sorted({sys.executable, "/usr/bin/python3", *glob(expanduser("~/.pyenv/versions/3.1[1-9]*/bin/python3"))})


@pytest.mark.parametrize("python", PYTHONS)
def test_all_that_the_allowed_modules_load_can_be_in_the_way(python):
    """A finder in front of all others sees each name that they ask for, found or not."""
    if not exists(python):
        pytest.skip(f"there is no {python} here")
    done = subprocess.run([python, "-I", "-S", "-c", LOADS, *MODULES], capture_output=True, text=True, check=True)
    asked = {name for name in done.stdout.split() if not (name.startswith("_") and not name.startswith("__"))}
    assert asked <= LOADED
    assert "json" not in asked
