"""Looks for Python that does more than asimi has proven: `python -m fuzz.programs SECONDS [SEED]` in tests/.

Each text calls what may be used, and what may not, with values that could do harm: paths, functions, names of
attributes, texts that Python or SQLite would run. What `python.read` proves is run by Python in a box to throw away,
statement by statement, so an error hides nothing. Its audit events say what it did: a program started, a file of the
project opened or changed that the proof does not name. Such a text is printed with its seed, and the exit status is 1.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from fuzz.box import leaked, report

from asimi.core.budget import Budget
from asimi.core.reading import python, python_names

OPENERS = """
open(P)
open(P, 'w')
open(P, 'r+b')
pathlib.Path(P)
pathlib.Path(P).open(M)
pathlib.Path(P).read_text()
pathlib.Path(P).write_text(V)
pathlib.Path(P).touch(V)
pathlib.Path(P).mkdir(V)
sqlite3.connect(P)
sqlite3.connect(':memory:')
sqlite3.connect(P).execute(V)
sqlite3.connect(P).execute(f'select {V}')
sqlite3.connect(P).execute(f'{V} select')
sqlite3.connect('file:a.db?mode=ro', uri=True).execute(V)
configparser.ConfigParser().read(P)
zipfile.ZipFile(P)
zipfile.ZipFile('a.zip').open(V)
zipfile.ZipFile('a.zip').open(V, M)
tarfile.open(P)
tarfile.open(P, M)
gzip.open(P, M)
shutil.copy(P, P)
shutil.copyfile(P, P)
os.makedirs(P)
compile(V, P, 'exec')
compile(V, V, V)
ast.parse(V, P)
inspect.getsource(V)
importlib.util.find_spec(V)
importlib.import_module(V)
__import__(V)
getattr(V, 'A')
getattr(V, V)
'{0.A}'.format(V)
V.format(V)
logging.basicConfig(level=V)
logging.warning(V, V)
functools.partial(V, V)
map(V, V)
list(map(V, [V, V]))
sorted([V, V], key=V)
functools.reduce(V, [V, V])
csv.reader(V)
plistlib.load(V)
plistlib.dump(V, V)
json.dump(V, V)
print(V, file=V)
email.message_from_string(V)
re.sub(V, V, V)
type(V)
repr(V)
iter(V, V)
(lambda x: x.A)(V)
[V for _ in V]
{V: V}
V[V]
V(V)
V(V, V)
V.A
V.A()
V.A(V)
V.A(V)
V.A(V, V)
V + V
V % V
""".strip().splitlines()
VALUES = """
1
0
[1, 2]
'.env'
'../.env'
'a.csv'
'run.py'
'new.txt'
'w'
'r'
'os'
'system'
'__import__("os").mkdir("ran")'
'select 1; delete from t'
'delete from t'
"attach 'new.db' as y"
"vacuum into 'new.db'"
'pragma user_version = 3'
'{0.__class__}'
'touch ran'
b'x'
None
open
print
eval
compile
len
str
getattr
os
os.system
os.remove
os.environ
sys.modules
sys.path
sqlite3
shutil.rmtree
shutil.which
ast.parse
zipfile.ZipFile
pathlib.Path
operator.getitem
operator.concat
inspect.getsource
io.StringIO('x')
sys.stdin
sys.stdout
lambda *x: 1
lambda *x: x
""".strip().splitlines()
PATHS = ("'.env'", "'a.csv'", "'new.txt'", "'a.db'", "'a.zip'", "'src'", "'../x'", "x0", "x1", "os.environ['HOME']")
WAYS = ("x{0} = {1}",) * 4 + (
    "{1}", "for x{0} in {1}: pass", "with {1} as x{0}: pass", "def x{0}(*a): return {1}", "x{0} = [{1}]",
    "x{0}.A = {1}", "x{0}[0] = {1}", "x0 += {1}", "x{0} = lambda *a: {1}", "x{0} = f'{{{1}}}'",
)  # fmt: skip

INSIDE = r"""
import os, io
os.makedirs(root); os.chdir(root)
FILES = {".env": "A=1\n", "a.csv": "a,b\n1,2\n", "run.py": "import os; os.mkdir('ran')\n", "../x": "x"}
import sqlite3, zipfile
def fresh():
    shutil.rmtree(root); os.makedirs(root + "/src"); os.chdir(root)
    for name, text in FILES.items():
        open(name, "w").write(text)
    sqlite3.connect("a.db").executescript("create table t (a)")
    zipfile.ZipFile("a.zip", "w").writestr("m", "x")
CHANGES = ("os.remove", "os.rename", "os.rmdir", "os.chmod", "os.truncate", "os.symlink", "os.link", "os.utime",
           "os.chown", "os.putenv", "os.unsetenv", "os.chdir")
STARTS = ("os.system", "os.exec", "os.posix_spawn", "os.fork", "os.spawn", "shutil.rmtree", "shutil.move")
for line in sys.stdin:
    number, text, reads, writes = json.loads(line)
    there, back = os.pipe()
    child = os.fork()
    if child == 0:
        fresh()
        reads, writes = ({os.path.realpath(each) for each in some} for some in (reads, writes))
        found, on = [], [False]
        def watch(event, given):
            if not on[0]:
                return
            try:
                on[0] = False
                path = given[0] if given and isinstance(given[0], (str, bytes)) else None
                path = os.path.realpath(os.fsdecode(path)) if path else None
                ours = path is not None and path.startswith(home + "/")
                if event == "open" and path is not None:
                    mode, flags = given[1:3]
                    changing = set(mode or "") & set("wax+") or (flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
                    if changing and path not in writes and path != "/dev/null":
                        found.append(f"changes {path}")
                    elif ours and not changing and path not in reads | writes:
                        found.append(f"reads {path}")
                elif event == "os.mkdir":
                    if not any(f"{each}/".startswith(path + "/") for each in writes):
                        found.append(f"makes {path}")
                elif event == "os.chmod" and path in writes:
                    pass  # shutil.copy copies it
                elif event in CHANGES or event in STARTS or event.partition(".")[0] in ("socket", "ctypes", "pty"):
                    found.append(event)
                elif event == "subprocess.Popen" and given[0] != "uname":
                    found.append(f"starts {given[0]}")
                elif event == "sqlite3.connect" and path != os.path.realpath(":memory:") and "mode=ro" not in given[0]:
                    if path not in reads | writes:
                        found.append(f"opens {path}")
                elif event == "import" and given[0] in ("run", "src"):
                    found.append(f"loads {given[0]}")
            finally:
                on[0] = True
        sys.addaudithook(watch)
        space = {"__name__": "__main__"}
        devnull = open("/dev/null", "r+")
        os.dup2(devnull.fileno(), 0); os.dup2(devnull.fileno(), 1); os.dup2(devnull.fileno(), 2)
        before = {name: open(name, "rb").read() for name in (".env", "a.db", "run.py", "../x")}
        import signal
        signal.alarm(3)
        for statement in text.split("\n"):
            try:
                code = compile(statement, "<string>", "exec")
            except Exception:
                continue
            on[0] = True
            try:
                exec(code, space)
            except BaseException as error:
                try:
                    import traceback
                    "".join(traceback.format_exception(error))
                except BaseException:
                    pass
            on[0] = False
        for name, was in before.items():
            if os.path.realpath(name) not in writes and open(name, "rb").read() != was:
                found.append(f"has changed {name}")
        os.write(back, json.dumps(found)[:4000].encode())
        os._exit(0)
    os.close(back)
    with os.fdopen(there, "rb") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    print(json.dumps([number, json.loads(said) if said else []]), flush=True)
"""
"""Runs each text in a project of its own, and tells what it did that its proof does not name."""


def value(rng: random.Random) -> str:
    """A value, or a name that a statement before may have bound."""
    return rng.choice((rng.choice(VALUES), f"x{rng.randrange(4)}", f"x{rng.randrange(4)}"))


def filled(rng: random.Random, form: str) -> str:
    """A form with a value for each V, a path for each P, an attribute for each A and a mode for each M."""
    given = {
        "V": lambda: value(rng),
        "P": lambda: rng.choice(PATHS),
        "M": lambda: rng.choice(("'r'", "'w'", "'a'", "'r:gz'")),
        "A": lambda: rng.choice(METHODS),
    }
    words, out = form, ""
    for at, mark in enumerate(words):
        alone = not (words[max(at - 1, 0) : at].isalnum() or words[at + 1 : at + 2].isalnum())
        out += given[mark]() if mark in given and alone else mark
    return out


METHODS = (
    *sorted(python_names.KNOWN_METHODS),
    "open",
    "execute",
    "read",
    "write_text",
    "system",
    "extractall",
    "__class__",
)
FUNCTIONS = [f"{module}.{name}" for module, names in python_names.MODULES.items() for name in names]


def expression(rng: random.Random) -> str:
    """A call of something."""
    if rng.random() < 0.4:
        return f"{rng.choice(FUNCTIONS)}({', '.join(value(rng) for _ in range(rng.randrange(4)))})"
    return filled(rng, rng.choice(OPENERS))


def written(rng: random.Random) -> str:
    """A text."""
    lines = [
        filled(rng, rng.choice(WAYS).format(at % 4, expression(rng))) if rng.random() < 0.9 else expression(rng)
        for at in range(rng.randrange(2, 6))
    ]
    used = "\n".join(lines)
    roots = sorted({name.partition(".")[0] for name in python_names.MODULES if f"{name.partition('.')[0]}." in used})
    modules = [name for name in python_names.MODULES if name.partition(".")[0] in roots and f"{name}." in used]
    return "\n".join([f"import {name}" for name in dict.fromkeys((*modules, *roots)) if name != "__future__"] + lines)


def search(most: int, seed: int, seconds: float) -> tuple[int, int, list[str]]:
    """Write texts and run what is proven; how many there were, how many ran, and what each leak did."""
    end, count, run, leaks = time.monotonic() + seconds, 0, 0, list[str]()
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory).resolve() / "home"
        while time.monotonic() < end and run < most:
            rows, texts = [], {}
            while len(rows) < 300 and time.monotonic() < end:
                text, count = written(random.Random(seed + count)), count + 1
                found = python.read(text, Budget())
                if found is None or not found.reads:
                    continue
                reads = [each.path for each in found.files if each.how in {"read", "look"}]
                writes = [each.path for each in found.files if each.how not in {"read", "look"}]
                rows.append((len(rows), text, reads, writes))
                texts[len(rows) - 1] = (seed + count - 1, text)
            for number, did in leaked(home, INSIDE, {}, rows).items() if rows else ():
                if did:
                    leaks.append(f"seed {texts[number][0]}: {', '.join(dict.fromkeys(did))}\n{texts[number][1]}\n")
            run += len(rows)
    return count, run, leaks


if __name__ == "__main__":
    sys.exit(report("programs", search))
