"""What a start loads of the pack is what the sources say, and whatever does not fit is an error."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from _imp import extension_suffixes, source_hash
from pathlib import Path

import pytest

import asimi
from asimi.packed import MAGIC, PACK

ROOT = Path(asimi.__file__).parent.parent
NAME = os.path.basename(PACK)
AGAIN = "install asimi again"
MAIN = "from asimi.__main__ import main; sys.argv = ['asimi', 'check', 'true']; main()"
TOLD = {
    "session_id": "x",
    "cwd": "/",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "true"},
    "transcript_path": "/dev/null",
    "tool_use_id": "x",
}

pytestmark = pytest.mark.skipif(os.sep != "/", reason="asimi uses packs on Unix alone")


def made(place):
    """Make the pack of a tree; how that ended."""
    words = [sys.executable, place / "packaging" / "packs.py"]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A tree of sources with the pack of this Python."""
    place = tmp_path_factory.mktemp("built")
    shutil.copytree(ROOT / "asimi", place / "asimi", ignore=shutil.ignore_patterns("__pycache__", "packs"))
    shutil.copytree(ROOT / "packaging", place / "packaging")
    done = made(place)
    assert done.returncode == 0, done.stderr
    return place


@pytest.fixture
def place(built, tmp_path):
    """A copy of it to change, with the times that the files had."""
    return shutil.copytree(built, tmp_path / "place")


@pytest.fixture
def start(tmp_path):
    """Starts asimi from a tree in a home of its own, where all is allowed."""
    home = tmp_path / "home"
    (home / ".config" / "asimi").mkdir(parents=True)
    (home / ".config" / "asimi" / "config.toml").write_text('coreTools = ["run_shell_command"]\n')

    def starts(place, code=MAIN, *options):
        code = f"import sys; sys.path.insert(0, {str(place)!r}); {code}"
        environ = {"HOME": str(home), "PATH": os.environ["PATH"]}
        words = [sys.executable, "-I", "-S", *options, "-c", code]
        return subprocess.run(words, cwd=home, env=environ, capture_output=True, text=True, check=False)

    return starts


def hooked(place, home):
    """What the hook of a tree says about `true`."""
    words = [sys.executable, "-I", "-S", place / "asimi" / "hooks" / "door.py", "claude-code", "42"]
    told = json.dumps(TOLD)
    return subprocess.run(words, input=told, env={"HOME": str(home)}, capture_output=True, text=True, check=False)


NOTED = """
import json, os
from asimi import packed
names, made = [], packed._made
def noted(name, *more):
    names.append(name)
    return made(name, *more)
packed._made = noted
def end(code, end=os._exit):
    print(json.dumps([names, [each for each in sys.modules if each.startswith("asimi.")]]))
    sys.stdout.flush()
    end(code)
os._exit = end
"""


def of_pack(done):
    """The modules that a start took of the pack, and all of asimi's that it had in the end."""
    taken, had = json.loads(done.stdout.splitlines()[-1])
    return taken, set(had)


@pytest.mark.parametrize("way", ["check", "run"])
def test_a_start_takes_of_the_pack_what_it_loads_anyway(built, start, place, way):
    main = MAIN.replace("check", way)
    start(built, main)  # and asimi keeps what it read of its configuration
    taken, had = of_pack(start(built, f"exec({NOTED!r}); {main}"))
    shutil.rmtree(place / "asimi" / "packs")
    none, without = of_pack(start(place, f"exec({NOTED!r}); {main}"))
    assert (none, had) == ([], without)
    assert 60 < len(taken) == len(set(taken))


def test_without_a_pack_asimi_is_loaded_of_its_files(place, start):
    shutil.rmtree(place / "asimi" / "packs")
    done = start(place, f"exec({NOTED!r}); {MAIN}")
    assert (done.returncode, of_pack(done)[0]) == (0, [])


@pytest.mark.parametrize("options", [["-O"], ["-OO"], ["-X", "pycache_prefix=compiled"]], ids=" ".join)
def test_where_python_compiles_in_another_way_the_pack_is_not_used(built, start, options):
    done = start(built, f"exec({NOTED!r}); {MAIN}", *options)
    assert (done.returncode, of_pack(done)[0]) == (0, [])


def test_in_an_archive_the_pack_is_not_used(built, start, tmp_path):
    with zipfile.ZipFile(tmp_path / "archive.zip", "w") as archive:
        for path in sorted((built / "asimi").rglob("*")):
            archive.write(path, path.relative_to(built))
    assert start(tmp_path / "archive.zip").returncode == 0


def at(place, offset):
    """Change a bit of the pack."""
    path = place / "asimi" / "packs" / NAME
    content = bytearray(path.read_bytes())
    content[offset] ^= 4
    path.write_bytes(content)


def of_another_python(place):
    """A pack whose index is summed as another Python's."""
    path = place / "asimi" / "packs" / NAME
    content = path.read_bytes()
    end = 12 + int.from_bytes(content[8:12], "big")
    path.write_bytes(source_hash(MAGIC + 1, content[12:end]) + content[8:])


def directory(place):
    path = place / "asimi" / "packs" / NAME
    path.unlink()
    path.mkdir()


def unreadable(place):
    """A link that leads to itself, which root cannot read either."""
    path = place / "asimi" / "packs" / NAME
    path.unlink()
    path.symlink_to(NAME)


def of_another_tree(place):
    """A pack of sources that say something else."""
    path = place / "asimi" / "core" / "errors.py"
    source = path.read_bytes()
    path.write_bytes(source + b"\n# another version\n")
    assert made(place).returncode == 0
    path.write_bytes(source)


def cut(place, size):
    os.truncate(place / "asimi" / "packs" / NAME, size)


PACKS = {
    "a bit of the sum": lambda place: at(place, 3),
    "a bit of the length": lambda place: at(place, 10),
    "a bit of the index": lambda place: at(place, 100),
    "a bit of the last stream": lambda place: at(place, -1),
    "empty": lambda place: cut(place, 0),
    "less than a sum": lambda place: cut(place, 5),
    "a part": lambda place: cut(place, 50_000),
    "without its last byte": lambda place: cut(place, (place / "asimi" / "packs" / NAME).stat().st_size - 1),
    "of another Python": of_another_python,
    "of another tree": of_another_tree,
    "a directory": directory,
    "unreadable": unreadable,
    "in a directory that is a file": lambda place: (
        (shutil.rmtree(place / "asimi" / "packs"), (place / "asimi" / "packs").write_text(""))
    ),
}
LOAD_ALL = """
from asimi import packed
for way in ("check", "hook", "run"): packed.use(way)
"""


@pytest.mark.parametrize("damage", PACKS)
def test_a_pack_that_does_not_fit_is_an_error(place, start, damage):
    PACKS[damage](place)
    done = start(place, f"exec({LOAD_ALL!r})")
    assert done.returncode == 1
    assert AGAIN in done.stderr.splitlines()[-1]
    assert str(place / "asimi") in done.stderr.splitlines()[-1]


BITS = """
import random
from asimi import packed
good = open(packed.PACK, "rb").read()
for number in range(300):
    offset = random.randrange(len(good)) if number > 40 else random.randrange(9000)
    bad = bytearray(good)
    bad[offset] ^= 1 << number % 8
    with open(packed.PACK, "wb") as file:
        file.write(bad)
    packed._load = lambda modules: None
    try:
        for way in ("check", "hook"):
            packed.use(way)
    except ImportError as error:
        assert "install asimi again" in str(error), error
    else:
        sys.exit(f"bit {number % 8} of byte {offset}")
"""


def test_no_bit_of_a_pack_is_changed_unseen(place, start):
    assert start(place, f"exec({BITS!r})").stderr == ""


SOURCE = Path("asimi", "core", "call.py")


def rewritten(place, change):
    """Change a source, which keeps its time."""
    path = place / SOURCE
    before = path.stat()
    path.write_bytes(change(path.read_bytes()))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def newer(place):
    rewritten(place, lambda source: source.replace(b"a", b"e", 1))
    os.utime(place / SOURCE, (2_000_000_000, 2_000_000_000))


def a_package_before(place):
    """What Python takes before a module of the same name."""
    (place / SOURCE).with_suffix("").mkdir()
    (place / SOURCE).with_suffix("").joinpath("__init__.py").write_text("")


SOURCES = {
    "of the same size and time": lambda place: rewritten(place, lambda source: source.replace(b"a", b"e", 1)),
    "one letter at the end": lambda place: rewritten(place, lambda source: source[:-2] + b"#\n"),
    "longer": lambda place: rewritten(place, lambda source: source + b"\n"),
    "shorter": lambda place: rewritten(place, lambda source: source[:-1]),
    "empty": lambda place: rewritten(place, lambda _: b""),
    "newer": newer,
    "gone": lambda place: (place / SOURCE).unlink(),
    "a directory": lambda place: ((place / SOURCE).unlink(), (place / SOURCE).mkdir()),
    "a package before it": a_package_before,
    "a pipe": lambda place: ((place / SOURCE).unlink(), os.mkfifo(place / SOURCE)),
    "an extension before it": lambda place: (place / SOURCE).with_suffix(extension_suffixes()[0]).write_bytes(b""),
    "an extension before a package": lambda place: (
        (place / SOURCE).with_name(f"__init__{extension_suffixes()[-1]}").write_bytes(b"")
    ),
}


@pytest.mark.parametrize("damage", SOURCES)
def test_a_source_that_does_not_fit_is_an_error(place, start, damage, tmp_path):
    SOURCES[damage](place)
    done = start(place)
    assert done.returncode == 125
    assert done.stderr.startswith(f"asimi: {place / 'asimi'}")
    assert AGAIN in done.stderr
    said = hooked(place, tmp_path / "home")
    assert said.returncode not in {0, 42}
    assert (said.stdout, AGAIN in said.stderr) == ("", True)


def a_directory_of_older_caches(place):
    """What an upgrade leaves where a package became a module."""
    (place / SOURCE).with_suffix("").joinpath("__pycache__").mkdir(parents=True)
    (place / SOURCE).with_suffix("").joinpath("__pycache__", "__init__.cpython-310.pyc").write_bytes(b"x")


HARMLESS = {
    "a directory of older caches": a_directory_of_older_caches,
    "other times": lambda place: os.utime(place / SOURCE, (1, 1)),
    "a module that nobody names": lambda place: (place / SOURCE).with_name("more.py").write_text("x = 1"),
    "an editor's copy": lambda place: (place / SOURCE).with_name("call.py~").write_text("x = 1"),
    "a patch's leavings": lambda place: (place / SOURCE).with_name("call.py.orig").write_text("x = 1"),
}


@pytest.mark.parametrize("change", HARMLESS)
def test_what_changes_no_module_is_none_of_its_business(place, start, change):
    HARMLESS[change](place)
    done = start(place, f"exec({NOTED!r}); {MAIN}")
    assert done.returncode == 0, done.stderr
    assert "asimi.core.call" in of_pack(done)[0]


def test_a_module_that_is_no_longer_in_a_pack_is_loaded_of_its_file(place, start):
    (place / SOURCE).with_name("more.py").write_text("x = 1")
    done = start(place, "from asimi import packed; packed.use('check'); from asimi.core import more; print(more.x)")
    assert done.stdout == "1\n"


SEEN = """
import importlib, importlib.resources, importlib.util, inspect, json, pickle, pkgutil, traceback
from importlib.machinery import SourceFileLoader
from asimi import packed
for way in ("check", "hook"): packed.use(way)
found = {}

def codes(code):
    yield code
    for each in filter(inspect.iscode, code.co_consts):
        yield from codes(each)

for name in json.loads(open(sys.argv[1]).read()):
    module = importlib.import_module(name)
    spec, loader = module.__spec__, module.__loader__
    assert isinstance(loader, SourceFileLoader) and spec.loader is loader
    assert importlib.util.find_spec(name) is spec and pickle.loads(pickle.dumps(loader)) == loader
    code, compiled = loader.get_code(name), compile(loader.get_source(name), loader.path, "exec", dont_inherit=True)
    assert code == compiled
    for one, other in zip(codes(code), codes(compiled), strict=True):
        assert one.co_filename == other.co_filename == inspect.getsourcefile(module)
        assert list(one.co_positions()) == list(other.co_positions())
        assert (one.co_qualname, one.co_flags) == (other.co_qualname, other.co_flags)
    seen = [getattr(module, f"__{each}__", None) for each in "name package file cached doc".split()]
    seen += [loader.get_filename(name), loader.is_package(name), loader.get_data(loader.path).decode()]
    seen += [spec.name, spec.parent, spec.origin, spec.cached, spec.has_location, spec.loader_state]
    seen += [spec.submodule_search_locations, getattr(module, "__path__", None)]
    if hasattr(module, "__path__"):
        seen += sorted(each.name for each in pkgutil.iter_modules(module.__path__))
        seen += sorted(each.name for each in importlib.resources.files(name).iterdir() if each.name[:2] != '__')
    for key, value in sorted(vars(module).items()):
        if inspect.isfunction(value) and value.__module__ == name and "<" not in value.__qualname__:
            seen += [key, inspect.getsource(value)]
    found[name] = seen

from asimi.core import startup
assert importlib.reload(startup) is startup
try:
    startup.escape(None)
except TypeError:
    found["traceback"] = traceback.format_exc()
assert "for each in _SPECIAL" in found["traceback"] or "if each in text" in found["traceback"]
print(json.dumps(found))
"""


def test_a_module_is_as_if_loaded_of_its_source(place, start, tmp_path):
    listed = f"{LOAD_ALL}print(json.dumps([each for each in sys.modules if each.startswith('asimi.')]))"
    (tmp_path / "names").write_text(start(place, f"import json; exec({listed!r})").stdout)
    code = f"sys.argv[1:] = [{str(tmp_path / 'names')!r}]; exec({SEEN!r})"
    with_pack = start(place, code)
    assert with_pack.returncode == 0, with_pack.stderr
    shutil.rmtree(place / "asimi" / "packs")
    without = start(place, code)
    assert without.returncode == 0, without.stderr
    assert json.loads(with_pack.stdout) == json.loads(without.stdout)


def test_the_same_python_makes_the_same_pack(built, tmp_path):
    """In another directory, with another order of hashes."""
    elsewhere = shutil.copytree(built, tmp_path / "elsewhere")
    (elsewhere / "asimi" / "packs" / NAME).unlink()
    words = [sys.executable, elsewhere / "packaging" / "packs.py"]
    environ = {"PYTHONHASHSEED": "7", "PATH": "/nowhere", "LC_ALL": "C"}
    subprocess.run(words, env=environ, check=True, capture_output=True)
    packs = [place / "asimi" / "packs" / NAME for place in (built, elsewhere)]
    assert packs[0].read_bytes() == packs[1].read_bytes()


def test_a_start_keeps_no_descriptor(built, start):
    code = "exec({!r}); import os; print(len(os.listdir('/dev/fd')))"
    assert start(built, code.format(LOAD_ALL)).stdout == start(built, code.format("0")).stdout
