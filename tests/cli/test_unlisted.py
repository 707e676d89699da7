"""`unlisted = "sandbox"`: what nothing lists runs without a question, and neither loses, tells nor plants anything."""

import contextlib
import json
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from helpers import PYTHON
from helpers.executors import HELD, eventually
from helpers.home import OTHER_PYTHONS, Home
from helpers.hooks import envelope
from helpers.sandboxes import AS_NOBODY, NOBODY, nobodys_python, skip
from helpers.sessions import SESSIONS, read, repository

if sys.platform != "linux":
    pytest.skip("bubblewrap is Linux's", allow_module_level=True)

from asimi.world.executors.confining import ability

if fault := ability.lacking_bubblewrap():
    skip(fault)

CONFIG = 'unlisted = "sandbox"\n[shell]\nsubstitution = "judge"\n[limits]\ntimeout = 20\n' + OTHER_PYTHONS
KEY = "made-up-key"


@pytest.fixture
def place():
    """A directory that is not below /tmp, of which the sandbox has its own."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as path:
        yield Path(os.path.realpath(path))


@pytest.fixture
def home(place):
    return made(place)


def made(directory, config=CONFIG, files=None):
    """A home with keys and a project in it that is a repository."""
    it = Home(directory, config)
    keys = [".ssh/id_ed25519", ".aws/credentials", "other/.env", ".config/tool/token.pem"]
    for name in keys:
        (it.home / name).parent.mkdir(parents=True, exist_ok=True)
        (it.home / name).write_text(KEY)
    (it.home / ".gitconfig").write_text("[user]\nname = A. Person\nemail = person@example.org\n")
    secrets = {".env": KEY, "conf/deep/er/server.pem": KEY, ".gitignore": ".env\n*.pem\nbuild/\n"}
    repository(it, {"src/app.py": "print('app')\n", "sub/x": "", **secrets} if files is None else files)
    return it


def runs(home, text, **options):
    """What comes of a text."""
    return json.loads(home.asimi("run", "--json", text, **options).stdout)


def verdicts(home, texts):
    """What is said of each text."""
    table = home.root / "table.jsonl"
    table.write_text("".join(json.dumps({"command": text}) + "\n" for text in texts))
    lines = home.asimi("policy", "test", "--json", str(table)).stdout.splitlines()
    table.unlink()
    return {text: json.loads(line)["verdict"] for text, line in zip(texts, lines, strict=True)}


ALLOWED = [
    "python3 src/app.py",
    "python3 -c 'import shutil, sys; f = getattr(shutil, sys.argv[1])'",
    "npm test && ./anything",
    "made-up-program --with anything",
    "cat src/app.py > build.log",
    "ls; for f in src/*; do made-up-program $f; done",
    "git add -A && git commit -m x",
    "cd sub; git add x; cd ..; git -C src add app.py",
    "git log --oneline | head -3",
    'echo "on $(git branch --show-current)"',
    "curl http://example.org",
    "mkdir -p build && mv src/app.py build/",
]
ASKED = [
    "rm src/app.py",
    "made-up-program; rm src/app.py",
    "git push",
    "git-push",
    "/usr/lib/git-core/git-push x",
    "git reset --hard",
    "git commit --amend -m x",
    "git config core.pager x",
    "git made-up-subcommand",
    "git worktree add sub/tree",
    "git worktree add --detach .git/rebase-merge",
    "npm publish",
    "sudo made-up-program",
    "kill 1",
    ": > src/app.py",
    "> src/app.py",
    "cat .env",
    "cat ~/.ssh/id_ed25519",
    "rm -rf /",
    "$x y",
    "eval $x",
    "python3 -c 'import os; os.system(\"rm src/app.py\")'",
    "PATH=. ls",
    "touch .claude/settings.json",
    "asimi policy add ls",
    "echo $(",
]


def test_what_runs_and_what_is_asked_about(home):
    found = verdicts(home, ALLOWED + ASKED)
    assert [text for text in ALLOWED if found[text] != "allow"] == []
    assert [text for text in ASKED if found[text] == "allow"] == []


def test_check_says_that_a_sandbox_holds_what_is_unlisted(home):
    judged = json.loads(home.asimi("check", "--json", "made-up-program").stdout)
    assert (judged["verdict"], judged["sandbox"]) == ("allow", "project")
    assert judged["reasons"][0]["code"] == "allowed_in_sandbox"
    assert judged["reasons"][0]["message"] == "nothing lists `made-up-program`; it runs in a sandbox"
    assert runs(home, "python3 src/app.py")["sandbox"] == "project"
    assert "It would run in a sandbox" in home.asimi("check", "made-up-program").stdout


def test_a_list_and_what_asks_still_count(place):
    home = made(
        place,
        'coreTools = ["run_shell_command(ls)"]\nexcludeTools = ["run_shell_command(made-up)"]\n'
        'ask = ["run_shell_command(python3)"]\n' + CONFIG,
    )
    found = verdicts(home, ["ls", "made-up x", "python3 src/app.py", "ls && other", "other made-up"])
    assert list(found.values()) == ["allow", "deny", "ask", "allow", "ask"]
    assert "sandbox" not in runs(home, "ls")


def test_no_secret_is_read(home):
    script = "import glob, os\n" + "".join(
        f"for name in glob.glob(os.path.expanduser('{pattern}')):\n"
        "    try: print(name, open(name).read())\n"
        "    except OSError as error: print(error)\n"
        for pattern in ("~/.ssh/*", "~/.aws/*", "~/other/.*", "~/.config/tool/*", ".e*", "conf/deep/er/*")
    )
    (home.root / "look.py").write_text(script)
    (home.root / ".env.local").symlink_to("../shared")
    (home.root.parent / "shared").write_text(KEY)
    done = runs(home, "python3 look.py")
    assert done["exitCode"] == 0, done
    assert KEY not in json.dumps(done)
    assert "app" in runs(home, "python3 src/app.py; python3 look.py")["stdout"]
    assert (home.root / ".env").read_text() == KEY


PLANTED = [
    ".git/hooks/pre-commit",
    ".git/config",
    ".git/HEAD",
    ".husky/pre-commit",
    ".envrc",
    ".vscode/tasks.json",
    ".claude/settings.json",
    ".mcp.json",
    ".asimi/config.toml",
    ".venv/bin/python",
    ".gitmodules",
    "sub/.vscode/tasks.json",
]
PLANTS = f"""
import os
for path in {PLANTED!r}:
    for change in (lambda: os.makedirs(os.path.dirname(path), exist_ok=True), lambda: open(path, "w").write("planted"),
                   lambda: os.rename(path.split("/")[0], "moved")):
        try:
            change()
        except OSError:
            pass
open("done", "w").close()
"""


def tree(path):
    """Content, mode and times of all that is below a directory."""
    found = {}
    for each in sorted(path.rglob("*")):
        there = each.lstat()
        content = each.read_bytes() if stat.S_ISREG(there.st_mode) else b""
        found[str(each.relative_to(path))] = (there.st_mode, there.st_mtime_ns, content)
    return found


def test_nothing_is_planted(home):
    (home.root / "sub" / ".vscode").mkdir()
    (home.root / "plant.py").write_text(PLANTS)
    before = tree(home.root)
    done = runs(home, "python3 plant.py")
    assert done["exitCode"] == 0, done
    after = tree(home.root)
    assert after.pop("done")
    assert after == before


def test_git_itself_may_write_but_not_what_it_runs(home):
    config = (home.root / ".git" / "config").read_text()
    (home.root / "src" / "app.py").write_text("print('other')\n")
    done = runs(home, "git add -A && git commit -q -m Other && git log --oneline")
    assert (done["exitCode"], done["sandbox"]) == (0, "project"), done
    assert len(done["stdout"].splitlines()) == 2
    assert (home.root / ".git" / "config").read_text() == config
    done = runs(home, "python3 src/app.py; git commit -q --allow-empty -m Third")
    assert "Read-only file system" in done["stderr"]


GUIDES = ["real/hooks/pre-commit", "real/config", "real/commondir", "scripts/hooks/pre-commit", "included", "other"]


def test_what_guides_git_is_protected_wherever_it_is(home):
    for words in (
        ["init", "-q", f"--separate-git-dir={home.root}/real"],
        ["config", "core.hooksPath", "scripts/hooks"],
        ["config", "include.path", "../included"],
        ["config", "includeIf.gitdir:/nowhere/.path", "../other"],
    ):
        subprocess.run(["git", *words], cwd=home.root, env=home.environ, check=True)
    (home.root / "scripts" / "hooks").mkdir(parents=True)
    (home.root / "included").touch()
    (home.root / "plant.py").write_text(PLANTS.replace(repr(PLANTED), repr(GUIDES)))
    before = tree(home.root)
    done = runs(home, "python3 plant.py")
    assert done["exitCode"] == 0, done
    after = tree(home.root)
    assert after.pop("done")
    assert after == before


@pytest.fixture
def evil(home):
    """A repository in the project that is not found, whose configuration starts a program; where it would be found."""
    directory = home.root / "sub" / "off"
    subprocess.run(["git", "init", "-q", f"{directory}/new"], env=home.environ, check=True)
    (directory / "new" / ".git").rename(directory / "it")
    for key in ("core.fsmonitor", "filter.x.clean"):
        started = f"touch {home.root}/ran {home.root}/.git/commondir; cat"
        words = ["git", f"--git-dir={directory}/it", "config", key, started]
        subprocess.run(words, env=home.environ, check=True)
    (home.root / "sub" / ".gitattributes").write_text("* filter=x\n")
    return directory / "it", home.root / "sub" / ".git"


def while_it_waits(home, text, change):
    """What comes of a text that waits until something has changed after its verdict."""
    os.mkfifo(home.root / "pipe")
    call = home.start("run", "--json", f"cat pipe && {text}")
    writer = -1

    def is_read():
        nonlocal writer
        with contextlib.suppress(OSError):
            writer = os.open(home.root / "pipe", os.O_WRONLY | os.O_NONBLOCK)
        return writer >= 0 or call.poll() is not None

    assert eventually(is_read)
    change()
    os.close(writer)
    return json.loads(call.communicate()[0])


@pytest.mark.parametrize("text", ["cd sub; git add x", "git -C sub status && git commit -qm x --allow-empty"])
def test_git_goes_by_no_repository_that_appears_after_the_verdict(text, home, evil):
    """What its configuration names would be started with the `.git` of the project open."""
    for path in (".gitattributes", "x"):
        (home.root / "sub" / path).touch()
    result = while_it_waits(home, text, lambda: evil[0].rename(evil[1]))
    assert (result["exitCode"], result["sandbox"]) == (0, "project"), result
    assert not (home.root / "ran").exists()
    subprocess.run(["sh", "-c", text], cwd=home.root, env=home.environ, check=False, capture_output=True)
    assert (home.root / "ran").exists(), "else this proves nothing"


def test_a_submodule_that_git_knows_has_to_be_there(home, evil):
    """Git goes into it by itself, and would start what its configuration names."""
    words = ["git", "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},lib"]
    assert verdicts(home, ["git add -A"]) == {"git add -A": "allow"}
    subprocess.run(words, cwd=home.root, env=home.environ, check=True)
    assert verdicts(home, ["git add -A", "git status"]) == {"git add -A": "ask", "git status": "allow"}
    subprocess.run(["git", "init", "-q", "lib"], cwd=home.root, env=home.environ, check=True)
    assert verdicts(home, ["git add -A"]) == {"git add -A": "allow"}


def test_each_work_tree_has_its_own_branch(home):
    """So what git is told to find is the one that it would have found."""
    subprocess.run(["git", "worktree", "add", "-q", "tree"], cwd=home.root, env=home.environ, check=True)
    (home.root / "tree" / "new").touch()
    result = runs(home, "cd tree && git add -A && git commit -qm Tree && git log --oneline")
    assert (result["exitCode"], result["sandbox"]) == (0, "project"), result
    words = ["git", "log", "--format=%s"]
    logs = [
        subprocess.run(words, cwd=each, env=home.environ, capture_output=True, text=True, check=True).stdout
        for each in (home.root, home.root / "tree")
    ]
    assert ("Tree" in logs[0], "Tree" in logs[1]) == (False, True)
    both = "git add -A && cd tree && git add -A"
    assert verdicts(home, [both]) == {both: "ask"}


def test_git_writes_files_only_where_nobody_can_lead_them_into_its_directory(home, left):
    """A process that an earlier call left could put a link to `.git` where git writes what a branch has."""
    texts = ["git add -A", "git commit -qm x", "git tag v1", "git checkout -b other", "git stash", "git mv src lib"]
    assert list(verdicts(home, texts).values()) == ["allow"] * 3 + ["ask"] * 3
    assert "something of an earlier call" in json.dumps(runs(home, "git stash"))
    (home.root / "go").touch()
    assert eventually(lambda: runs(home, "git checkout -q -b other").get("exitCode") == 0)


STARTING = {
    "hook": "touch .git/hooks/post-checkout",
    "path": "git config core.hooksPath scripts",
    "global path": "git config --global core.hooksPath ~/hooks",
    "filter": "git config filter.x.clean ./clean",
}


@pytest.mark.parametrize("change", STARTING)
def test_git_that_starts_what_is_not_its_own_is_asked_about(home, change):
    """A hook runs what the project says, and with `.git` open it could write `commondir`, or lose what is kept."""
    texts = ["git add -A && git commit -qm x", "git status", "python3 src/app.py"]
    subprocess.run(
        ["git", "config", "--global", "filter.lfs.process", "git-lfs filter-process"], env=home.environ, check=True
    )
    assert list(verdicts(home, texts).values()) == ["allow", "allow", "allow"]
    subprocess.run(["/bin/sh", "-c", STARTING[change]], cwd=home.root, env=home.environ, check=True)
    assert list(verdicts(home, texts).values()) == ["ask", "allow", "allow"]


def test_git_takes_nothing_hidden_for_deleted(place):
    files = {".env": KEY, "src/app.py": "1\n", "keys/one": KEY}
    home = made(place, CONFIG + '[files]\nsecret = ["keys/**"]\n', files)
    commit = "git add -A && git commit -qm x"
    assert verdicts(home, [commit, "git status", "python3 src/app.py"]) == {
        commit: "ask",
        "git status": "allow",
        "python3 src/app.py": "allow",
    }
    home.config.write_text(CONFIG)
    done = runs(home, commit)
    assert (done["exitCode"], done["sandbox"]) == (128, "project")
    assert "can only add regular files" in done["stderr"]


LEADING = {
    "~/.bashrc": "rc",
    "~/.profile": "missing",
    "~/.vimrc": "../dots/vimrc",
    "../dots/vimrc": "vimrc",
    "~/.local/bin/tool": "src/tool",
    "~/tools/command": "command",
    "~/.config/fish": "fish",
    "~/.config/git/config": "gitconfig",
    ".husky/pre-push": "scripts/push",
    ".git/hooks/x.sample": "scripts/hook",
}
"""Links by which something of the project runs by itself, or is found by `PATH`: where it is, and where it leads."""


def link(home, at, to):
    """Make a link as a person has it."""
    path = home.home / at[2:] if at[:2] == "~/" else home.root / at
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(os.path.normpath(home.root / to))


def test_what_runs_by_a_link_is_protected(home):
    for at, to in LEADING.items():
        link(home, at, to)
    for name in ("src/tool", "command", "vimrc", "rc", "gitconfig", "scripts/push", "scripts/hook", "fish/config.fish"):
        (home.root / name).parent.mkdir(exist_ok=True)
        (home.root / name).write_text("")
    home.environ["PATH"] = f"{home.home}/tools:{home.environ['PATH']}"
    paths = [*dict.fromkeys(to for to in LEADING.values() if to[:2] != ".."), "fish/config.fish"]
    (home.root / "plant.py").write_text(PLANTS.replace(repr(PLANTED), repr(paths)))
    before = tree(home.root)
    done = runs(home, "python3 plant.py")
    assert done["exitCode"] == 0, done
    after = tree(home.root)
    assert after.pop("done")
    assert after == before


def test_the_names_of_packages_on_the_path_stay_writable(home):
    """Where the project's own packages are on `PATH`, there may be hundreds."""
    link(home, "node_modules/.bin/tool", "node_modules/tool/cli.js")
    (home.root / "node_modules" / "tool").mkdir()
    home.environ["PATH"] = f"{home.root}/node_modules/.bin:{home.environ['PATH']}"
    (home.root / "build.py").write_text("open('node_modules/tool/cli.js', 'w').write('built')\n")
    assert runs(home, "python3 build.py")["exitCode"] == 0


def test_a_name_that_is_taken_out_of_the_secrets_stays_writable(home):
    (home.root / ".env.example").write_text("")
    (home.root / "write.py").write_text("open('.env.example', 'w').write('KEY=')\n")
    assert runs(home, "python3 write.py")["exitCode"] == 0
    assert (home.root / ".env.example").read_text() == "KEY="


@pytest.mark.parametrize(("at", "to"), [("~/.zshrc", "now/zshrc"), ("~/.config/nvim", "."), ("~/bin", "..")])
def test_what_leads_through_the_project_or_to_all_of_it_is_asked_about(at, to, home):
    link(home, "now", "src")
    assert verdicts(home, ["python3 src/app.py"]) == {"python3 src/app.py": "allow"}
    link(home, at, to)
    assert verdicts(home, ["python3 src/app.py", "cat src/app.py"]) == {
        "python3 src/app.py": "ask",
        "cat src/app.py": "allow",
    }


@pytest.fixture
def left(home):
    """What a call left running in its sandbox; it ends at the end of the test."""
    (home.root / "serve.sh").write_text(f"({HELD}) > /dev/null 2>&1 &\n")
    done = runs(home, "bash serve.sh")
    assert done["backgroundPids"], done
    yield done["backgroundPids"]
    (home.root / "go").touch()


def test_the_names_that_asimi_holds_are_no_secrets(home, left):
    """A name such as `.envrc` is one of a secret, too; an empty directory of asimi's keeps anybody from making it."""
    assert (home.root / ".envrc").is_dir()
    assert verdicts(home, ["git add -A && git commit -qm x"]) == {"git add -A && git commit -qm x": "allow"}
    done = runs(home, "git add -A && git commit -qm x")
    assert (done["exitCode"], done["sandbox"]) == (0, "project"), done
    (home.root / ".envrc").chmod(0o700)
    assert list(verdicts(home, ["git add -A"]).values()) == ["ask"]


def test_nothing_outside_changes(home):
    outside = home.home / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    (home.root / "out.py").write_text(
        "import os, pathlib\n"
        "for path in (os.path.expanduser('~/outside/kept'), os.path.expanduser('~/outside')):\n"
        "    for change in (lambda: os.chmod(path, 0), lambda: os.utime(path, (1, 1)), lambda: os.remove(path),\n"
        "                   lambda: pathlib.Path(path).write_text('x')):\n"
        "        try:\n"
        "            change()\n"
        "        except OSError as error:\n"
        "            print(error)\n"
        "import socket\n"
        "for family in (socket.AF_INET, socket.AF_UNIX):\n"
        "    try:\n"
        "        socket.socket(family)\n"
        "    except OSError as error:\n"
        "        print(error)\n"
    )
    before = tree(outside)
    done = runs(home, "python3 out.py")
    assert len(done["stdout"].splitlines()) >= 9, done
    assert tree(outside) == before


def test_the_caches_in_the_home_stay(home):
    for name in (".cache", ".npm"):
        (home.home / name).mkdir()
        (home.home / name / "kept").write_text("kept")
    before = [tree(home.home / name) for name in (".cache", ".npm")]
    (home.root / "cache.py").write_text(
        "import os, pathlib\n"
        "cache = pathlib.Path(os.environ['npm_config_cache'])\n"
        "cache.mkdir(parents=True, exist_ok=True)\n"
        "(cache / 'new').write_text('x')\n"
        "pathlib.Path('~/.cache/new').expanduser().write_text('x')\n"
    )
    done = runs(home, "python3 cache.py")
    assert "Read-only file system" in done["stderr"]
    assert [tree(home.home / name) for name in (".cache", ".npm")] == before


def test_temporary_files_stay_for_the_session(home):
    answers = home.answers({"command": "echo x > /tmp/left"}, {"command": "cat /tmp/left"})
    assert [answer["stdout"] for answer in answers] == ["", "x\n"]


def test_a_project_below_tmp_is_not_led_away(place):
    """What one command leaves in its /tmp is not on the way of the next: bwrap follows links to where it mounts."""
    with tempfile.TemporaryDirectory(dir="/tmp") as below:
        home, victim = made(Path(below)), place / "victim"
        victim.mkdir()
        home.environ["XDG_STATE_HOME"] = str(place / "state")
        (home.root / "lead.py").write_text(
            f"import os\nos.rename('{below}', '/tmp/moved')\nos.symlink('/oldroot{victim}', '{below}')\n"
        )
        answers = home.answers({"command": "python3 lead.py"}, {"command": "python3 src/app.py"})
        assert answers[1]["stdout"] == "app\n", answers
        assert list(victim.iterdir()) == []


def test_what_it_has_of_memory_is_small_or_read_only(home):
    (home.root / "fill.py").write_text(
        "import os\n"
        "for at in ('/dev', '/dev/shm', os.path.expanduser('~/.ssh'), os.path.expanduser('~/.aws')):\n"
        "    try:\n"
        "        open(f'{at}/made-up', 'w').close()\n"
        "        there = os.statvfs(at)\n"
        "        print(at, there.f_blocks * there.f_frsize >> 20)\n"
        "    except OSError:\n"
        "        pass\n"
    )
    assert runs(home, "python3 fill.py")["stdout"] == "/dev/shm 1024\n"


@pytest.mark.parametrize("mode", [0o300, 0o600, 0o000])
def test_what_a_command_closes_is_not_forgotten(home, mode):
    """An ordinary user's command takes the directory's bits, so that nobody looks through it for the next one."""
    if not (python := nobodys_python()):
        skip("only root can become somebody else, who must have a Python to start")
    (home.root / "sub" / "close.py").write_text(f"import os\nos.chmod('conf', {mode})\n")
    (home.root / "sub" / "open.py").write_text(
        "import os\nos.chmod('conf', 0o700)\nprint(open('conf/deep/er/server.pem').read())\n"
    )
    for path in (home.root.parent, *home.root.parent.rglob("*")):
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    answers = []
    for name in ("close", "open"):
        words = [*AS_NOBODY, python, "-m", "asimi", "run", "--json", f"python3 sub/{name}.py"]
        options = {"cwd": home.root, "env": home.environ, "stdout": subprocess.PIPE}
        answers.append(json.loads(subprocess.run(words, check=False, **options).stdout))
    assert (answers[0]["exitCode"], answers[0]["sandbox"]) == (0, "project")
    assert KEY not in json.dumps(answers)
    assert "that cannot be" in answers[1]["error"]


def test_a_link_that_could_be_replaced_is_asked_about(home):
    (home.root / ".venv").symlink_to(home.home)
    assert verdicts(home, ["python3 src/app.py", "ls"]) == {"python3 src/app.py": "ask", "ls": "allow"}
    said = home.asimi("check", "python3 src/app.py").stdout
    assert "reached by a symbolic link" in " ".join(said.split())


def test_a_stricter_sandbox_stays(place):
    home = made(place, CONFIG + '[sandbox]\nmode = "read-only"\n')
    done = runs(home, "touch new; touch $TMPDIR/new && echo $?")
    assert (done["sandbox"], done["stdout"]) == ("read-only", "0\n")
    assert not (home.root / "new").exists()


def test_behind_a_hook_it_means_ask(home):
    done = home.asimi(
        "hook",
        "claude-code",
        stdin=json.dumps(envelope("claude-code", "made-up-program", home.root, permission_mode="default")),
    )
    assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "ask"


def test_a_project_does_not_loosen_to_it(place):
    home = made(place, "")
    (home.root / ".asimi").mkdir()
    (home.root / ".asimi" / "config.toml").write_text('unlisted = "sandbox"\n')
    assert verdicts(home, ["made-up-program"]) == {"made-up-program": "ask"}


def test_in_the_home_it_is_asked_about(home):
    judged = home.asimi("--root", str(home.home), "check", "--json", "made-up-program", cwd=home.home)
    assert json.loads(judged.stdout)["verdict"] == "ask"


def at_terminal(home, text):
    """A person in whose shell asimi runs a text."""
    words = [PYTHON, "-m", "asimi", "run", text]
    return home.at_terminal(program=["/bin/sh", "-c", '"$@"; exit $?', "sh", *words])


OUTSIDE = "echo began; touch ../outside || exit 3"


def test_what_failed_is_offered_once_outside(home):
    with at_terminal(home, OUTSIDE) as person:
        person.sees("began")
        person.sees("a part of it has run", "Read-only file system")
        person.asked()
        person.presses("y")
        person.ended()
    assert (home.root.parent / "outside").exists()
    starts = [line for line in home.log() if line["event"] == "start"]
    assert [line.get("by", line.get("approval")) for line in starts] != []
    assert len(starts) == len([line for line in home.log() if line["event"] == "end"]) == 2


def test_what_is_offered_says_whose_words_and_what_else_it_does(home):
    with at_terminal(home, "touch ../outside > written.log 2>&1; cat written.log; exit 3") as person:
        person.sees("may have changed", 'Read-only file system";', "this writes written.log")
        person.asked()
        person.presses("e")
        person.sees("touch")
        person.presses("x\r")
        person.sees("only what has run is offered outside")
        person.asked()
        person.presses("n")
        assert person.ended() == 3


def test_a_no_leaves_the_result_as_it_is(home):
    with at_terminal(home, OUTSIDE) as person:
        person.sees("a part of it has run")
        person.asked()
        person.presses("n")
        assert person.ended() == 3
    assert not (home.root.parent / "outside").exists()


@pytest.mark.parametrize("words", [(), ("--yes",)])
def test_nobody_is_no_answer(home, words):
    done = home.asimi(*words, "run", "--json", OUTSIDE)
    answer = json.loads(done.stdout)
    assert (answer["exitCode"], answer["stdout"], answer["sandbox"]) == (3, "began\n", "project")
    assert not (home.root.parent / "outside").exists()


def test_what_was_offered_is_not_kept_for_a_later_yes(home):
    """A yes to that would run the text outside at once, when what it starts is long another."""
    done = home.asimi("--session", "made-up", "run", "--json", OUTSIDE)
    assert json.loads(done.stdout)["exitCode"] == 3
    assert [path for path in home.home.rglob("*") if "questions" in path.parts and path.suffix == ".json"] == []
    home.config.write_text(OTHER_PYTHONS)
    home.asimi("--session", "made-up", "run", "--json", OUTSIDE)
    assert [path for path in home.home.rglob("*") if "questions" in path.parts and path.suffix == ".json"] != []


def test_no_yes_lifts_a_mode(place):
    home = made(place, CONFIG + '[sandbox]\nmode = "project"\n')
    with at_terminal(home, OUTSIDE) as person:
        assert person.ended() == 3
        assert "a part of it has run" not in person.display
    assert not (home.root.parent / "outside").exists()


@pytest.mark.parametrize(("text", "code"), [("exit 4", 4), ("touch ../outside\nkill -9 $$", 137)])
def test_what_fails_by_itself_is_not_offered(home, text, code):
    (home.root / "fail.sh").write_text(text)
    with at_terminal(home, "made-up-program; sh fail.sh") as person:
        assert person.ended() == code
        assert "a part" not in person.display


MOST_QUESTIONS = {"data": 3, "node": 3, "python": 5, "rust": 3}
"""What is asked about before it runs: pushes, releases, installs, deletes and secrets, which no sandbox answers."""


@pytest.mark.long
@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_a_session_without_any_list(place, path):
    files, texts = read(path)
    home = made(place, files={**files, "src/canary": "sings"})
    (home.home / "outside").mkdir()
    (home.home / "outside" / "kept").write_text("kept")
    canaries = (home.home / "outside", home.home / ".ssh", home.root / ".git" / "hooks")
    before = [tree(each) for each in canaries], (home.root / ".git" / "config").read_bytes()
    words = [{"command": text.replace("PROJECT", str(home.root))} for text, _ in texts]
    answers = home.answers(*words)
    asked = [text for (text, _), answer in zip(texts, answers, strict=True) if "sandbox" not in answer]
    assert len(asked) <= MOST_QUESTIONS[path.stem], asked
    assert KEY not in json.dumps(answers)
    assert ([tree(each) for each in canaries], (home.root / ".git" / "config").read_bytes()) == before
    assert (home.root / "src" / "canary").read_text() == "sings"
