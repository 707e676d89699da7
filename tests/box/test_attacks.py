"""Ways out of a box, from inside and with help from outside: none changes the outside, or runs later.

Each way is tried for real. What it would leave is looked for on the host.
"""

import os
import shutil
import socket
import stat
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest
from helpers.executors import eventually
from helpers.sandboxes import AS_NOBODY, NOBODY

from asimi.doors.hooks import AGENTS
from asimi.world.box.profiles import profile_of

SECRET = "geheim"


def as_user(yard, *words, **more):
    """Run a program outside, as the user of the yard."""
    user = AS_NOBODY if yard.nobody else ()
    environ = {"PATH": os.defpath, "HOME": str(yard.home), "TERM": "dumb"}
    return subprocess.run([*user, *words], env=environ, check=False, capture_output=True, text=True, **more)


@pytest.fixture(scope="module")
def scene(yard):
    """A yard with what an attacker looks for: secrets, sockets, pipes, a worktree, links from the home."""
    home, root = yard.home, yard.root
    for path in (".ssh/id_rsa", ".aws/credentials", ".netrc", "letters/private", ".config/gh/hosts.yml"):
        yard.write(home / path, SECRET)
    yard.write(home / ".local/state/asimi/logs/log.jsonl", SECRET)
    yard.write(home / ".codex/auth.json", "login")
    yard.write(home / ".codex/config.toml", "")
    yard.write(home / ".bashrc", "")
    yard.write(root / ".env", "A=inside")
    yard.write(root / "bin/tool", "#!/bin/sh\n", 0o755)
    yard.write(root / "sub/.git/HEAD", "ref: refs/heads/main\n")
    yard.write(root / "sub/.git/config", "[core]\n")
    for each in ("objects", "refs", "hooks"):
        (root / "sub/.git" / each).mkdir(exist_ok=True)
    yard.write(root / "deep/.envrc", "true")
    yard.write(root / ".git/info/attributes", "")
    (home / ".local/bin").mkdir(parents=True)
    (home / ".local/bin/tool").symlink_to(root / "bin/tool")
    os.mkfifo(home / ".pipe")
    os.mkfifo(root / "pipe")
    yard.own()
    as_user(yard, "git", "worktree", "add", "-q", str(yard.top / "tree"), cwd=root)
    as_user(yard, "tmux", "-S", str(home / ".tmux"), "-f", "/dev/null", "new-session", "-d", "-s", "x", "sleep 600")
    assert stat.S_ISSOCK((home / ".tmux").stat().st_mode)
    path = {"PATH": f"{home}/.local/bin:{os.environ['PATH']}"}
    box = yard.box(agent="codex", environment=path | {"MY_API_TOKEN": SECRET, "PLAIN": "plain", "LINK": URL})
    yield box
    box.end()
    as_user(yard, "tmux", "-S", str(home / ".tmux"), "kill-server")


URL = f"https://ada:{SECRET}@example.org/"  # a secret by its form

C = "import ctypes, os; c = ctypes.CDLL(None, use_errno=True)\n"
"""What begins a program that calls the kernel by itself."""


def python(text):
    """A command that runs some Python."""
    return f"python3 - <<'END'\n{text}\nEND"


NOWHERE = {
    "a file outside": "echo x > {outside}/new",
    "a file of the outside's": "echo x > {outside}/kept",
    "a link to the outside": "ln -sf {outside}/kept l; echo x > l",
    "a hard link": "ln {outside}/kept l && echo x > l",
    "the home": "echo x > ~/new",
    "start-up files": "echo x >> ~/.bashrc",
    "moving the home's files": "mv ~/.bashrc ~/.bashrc2",
    "a directory on PATH": "echo x > ~/.local/bin/new",
    "what PATH leads to by a link": "echo x > bin/tool",
    "renaming what PATH leads to": "mv bin other",
    "asimi's own files": "mkdir -p ~/.config/asimi && echo x > ~/.config/asimi/config.toml",
    "asimi's log": "echo x > ~/.local/state/asimi/logs/log.jsonl",
    "the system": "touch /etc/x || touch /usr/x || touch /x || touch /var/x",
    "the agent's rules": "echo x >> ~/.codex/rules/default.rules",
    "renaming the agent's settings": "mv ~/.codex/config.toml ~/.codex/c",
    "replacing the agent's settings": "touch ~/.codex/c; mv ~/.codex/c ~/.codex/config.toml",
    "hooks of the agent that are missing": "echo x > ~/.codex/hooks.json",
    "plug-ins of the agent that are missing": "mkdir -p ~/.codex/plugins/x && touch ~/.codex/plugins/x/y",
    "renaming the agent's state": "mv ~/.codex ~/.codex2",
    "another agent's settings": "mkdir -p ~/.claude && echo x > ~/.claude/settings.json",
    "git's hooks": "echo x > .git/hooks/pre-commit",
    "git's configuration": "git config core.fsmonitor ./x",
    "replacing git's configuration": "touch .git/c && mv .git/c .git/config",
    "removing git's hooks": "rm -r .git/hooks",
    "renaming .git": "mv .git x",
    "replacing .git's hooks": "mv .git/hooks .git/h && mkdir .git/hooks",
    "git's attributes": "echo '* filter=x' > .git/info/attributes",
    "renaming git's info": "mv .git/info .git/i",
    "a missing commondir": "echo /tmp/evil > .git/commondir",
    "replacing what stands for it": "touch .git/c && mv .git/c .git/commondir",
    "a worktree's commondir": "echo /tmp/evil > .git/worktrees/tree/commondir",
    "a worktree's gitdir": "echo /tmp/evil > .git/worktrees/tree/gitdir",
    "renaming a worktree": "mv .git/worktrees .git/w",
    "a nested repository's hooks": "echo x > sub/.git/hooks/x",
    "a nested repository's configuration": "echo x >> sub/.git/config",
    "renaming what holds a nested repository": "mv sub other",
    "a deeper file that runs by itself": "echo x > deep/.envrc",
    "renaming what holds a deeper one": "mv deep other",
    "renaming the project": "mv {root} {root}2",
    "the gate's client": "echo x > /run/asimi/hook",
    "the gate's socket": python("import socket; socket.socket(socket.AF_UNIX).bind('/run/asimi/gate')"),
    "renaming the runtime": "mv /run/asimi /run/x",
    "the administrator's file": "echo x > /etc/codex/requirements.toml",
    "renaming the administrator's file": "mv /etc/codex /etc/c",
}
"""What must fail."""


APPEARS = {
    "an .envrc": "echo x > .envrc",
    "tasks of an editor": "mkdir .vscode && echo x > .vscode/tasks.json",
    "a hook of husky's": "mkdir -p .husky/_ && echo x > .husky/pre-commit",
    "a project's own settings for agents": "mkdir -p .claude && echo '{{}}' > .claude/settings.json",
    "a workflow": "mkdir -p .github/workflows && echo x > .github/workflows/x.yml",
    "settings of npm": "echo script-shell=./x > .npmrc",
    "a link": "ln -s file .gdbinit",
    "a link in git's directory": "ln -sf {outside}/kept .git/FETCH_HEAD",
    "a link in git's logs": "ln -sf {outside}/kept .git/logs/refs/x",
}
"""What is moved away, with what it makes."""


@pytest.mark.parametrize("way", APPEARS)
def test_what_appears_is_moved_away(yard, scene, way):
    moved = len(scene.ask("moved"))
    scene(f"( {APPEARS[way].format(outside=yard.outside)}\n)")
    assert eventually(lambda: len(scene.ask("moved")) > moved)
    for path, to in scene.ask("moved")[moved:]:
        assert not os.path.lexists(path)
        assert os.path.lexists(to)
    assert yard.untouched()


@pytest.mark.parametrize("way", NOWHERE)
def test_nothing_else_can_be_written(yard, scene, way):
    before = {path: path.lstat().st_mtime_ns for path in guarded(yard)}
    command = NOWHERE[way].format(outside=yard.outside, root=yard.root)
    said, code = scene(f"( {command}\n)")
    assert code != 0, said
    assert {path: path.lstat().st_mtime_ns for path in guarded(yard)} == before
    assert yard.untouched()


def guarded(yard):
    """What must stay as it is."""
    root, home = yard.root, yard.home
    names = ".bashrc .local/bin .codex/config.toml .local/state/asimi/logs/log.jsonl"
    own = "config hooks info/attributes worktrees/tree/commondir worktrees/tree/gitdir"
    deeper = "sub/.git/config sub/.git/hooks deep/.envrc bin/tool .git/commondir sub/.git/commondir"
    return [
        *(home / each for each in names.split()),
        *(root / ".git" / each for each in own.split()),
        *(root / each for each in deeper.split()),
        yard.top,
    ]


UNSEEN = {
    "a key": "cat ~/.ssh/id_rsa",
    "a key by a link": "ln -s ~/.ssh/id_rsa k; cat k; rm k",
    "a cloud's login": "cat ~/.aws/credentials",
    "a login for the network": "cat ~/.netrc",
    "a forge's token": "cat ~/.config/gh/hosts.yml",
    "a directory of the home": "cat ~/letters/private",
    "asimi's log": "cat ~/.local/state/asimi/logs/log.jsonl",
    "a variable that is a secret by its name": "env",
    "a variable that is a secret by its form": "env | grep LINK",
    "the environment of the first process": "tr '\\0' '\\n' < /proc/1/environ; cat /proc/1/cmdline",
    "the environment of all": "cat /proc/*/environ /proc/*/task/*/environ",
    "by the root of another process": "cat /proc/1/root{home}/.ssh/id_rsa /proc/self/root{home}/.ssh/id_rsa",
    "by a descriptor of the first process": "for f in /proc/1/fd/*; do cat $f/.ssh/id_rsa $f/letters/private; done",
    "unmounting what hides it": "umount ~/.ssh; umount -l ~/.ssh; cat ~/.ssh/id_rsa",
    "in a namespace of one's own": "unshare -Urm sh -c 'umount ~/.ssh; cat ~/.ssh/id_rsa'",
    "in a sandbox of one's own": "bwrap --bind / / --dev /dev cat ~/.ssh/id_rsa",
    "by a file handle": python(
        C + "h = ctypes.create_string_buffer(128); h[0:4] = b'\\x78\\0\\0\\0'; m = ctypes.c_int()\n"
        "print(c.name_to_handle_at(-100, b'/', h, ctypes.byref(m), 0), c.open_by_handle_at(3, h, 0))\n"
        "f = c.open_by_handle_at(os.open('/', 0), h, 0); print(os.listdir(f)); assert f < 0"
    ),
}
"""What shows no secret."""


@pytest.mark.parametrize("way", UNSEEN)
def test_no_secret_is_seen(yard, scene, way):
    said, _ = scene(f"( {UNSEEN[way].format(home=yard.home) if '{home}' in UNSEEN[way] else UNSEEN[way]}\n)")
    assert SECRET not in said


def test_what_is_needed_is_seen(scene):
    assert scene("cat .env ~/.codex/auth.json; echo; echo $PLAIN")[0] == "A=insidelogin\nplain\n"


MIGHT = {
    "mounting over": "mount -t tmpfs x {root}",
    "mounting again": "mount -o remount,bind,rw /",
    "mounting a bind": "mount --bind {root} /usr",
    "mounting in a namespace": "unshare -Urm mount -o remount,bind,rw / || unshare -Urm mount -t tmpfs x /mnt",
    "mounting by the new calls": python(
        C + "print(c.syscall(430, b'tmpfs', 0)); raise SystemExit(c.syscall(428, -100, b'/', 1) < 0)"
    ),
    "moving the root": python(C + "raise SystemExit(c.syscall(155, b'/tmp', b'/tmp') < 0)"),
    "entering the first process's namespaces": "nsenter -t 1 -m -p true",
    "what the kernel starts for a core": python("open('/proc/sys/kernel/core_pattern', 'w')"),
    "what the kernel starts for a module": python("open('/proc/sys/kernel/modprobe', 'w')"),
    "the magic keys": python("open('/proc/sysrq-trigger', 'w')"),
    "the kernel's settings": "sh -c 'for f in /sys/kernel/mm/ksm/run /sys/power/state; do echo 0 > $f || exit 1; done'",
    "control groups": "mkdir /sys/fs/cgroup/x",
    "a block device": "mknod b b 7 0",
    "a device of characters": "mknod m c 1 1",
    "the memory of the machine": "head -c1 /dev/mem",
    "a disk": "ls /dev/sd* /dev/vd* /dev/nvme* /dev/loop*",
    "the kernel's log": "dmesg",
    "another user": "su nobody -s /bin/sh -c true || setpriv --reuid 1 true",
    "more rights": "sudo -n true",
    "a set-id program": "cp /bin/true t && chmod u+s t && [ -u t ] && ./t && rm t && false",
    "the keys of the kernel": python(C + "raise SystemExit(c.syscall(250, 0, -3, 0) < 0)"),
    "typing on a terminal": python("import fcntl; fcntl.ioctl(0, 0x5412, b'x')"),
    "io_uring": python(C + "raise SystemExit(c.syscall(425, 1, 0) < 0)"),
    "a socket of the machine it runs on": python("import socket; socket.socket(40, socket.SOCK_STREAM)"),
    "the network": python("import socket; socket.create_connection(('1.1.1.1', 80), 2)"),
    "names": "getent hosts example.org",
    "the machine's own ports": python(f"import socket; socket.create_connection(('127.0.0.1', PORT), 2)"),  # noqa: F541
    "a server of the person's": "tmux -S ~/.tmux run-shell 'touch {outside}/tmux'",
    "a named pipe of the person's": "timeout 2 sh -c 'echo x > ~/.pipe; [ -p ~/.pipe ]'",
    "a named pipe in the project": "timeout 2 sh -c 'echo x > pipe; [ -p pipe ]'",
    "abstract sockets": python("import socket; socket.socket(socket.AF_UNIX).connect('\\0asimi-' + 'SECRET')"),
    "a process outside": "kill -0 {pid} || ls /proc/{pid}",
    "tracing outside": "timeout 2 strace -p {pid}",
}
"""What must fail, and changes nothing outside."""


@pytest.mark.parametrize("way", MIGHT)
def test_no_might_over_the_machine(yard, scene, way):
    server, abstract = socket.socket(), socket.socket(socket.AF_UNIX)
    with server, abstract:
        server.bind(("127.0.0.1", 0))
        server.listen()
        abstract.bind(f"\0asimi-{os.getpid()}")
        abstract.listen()
        command = MIGHT[way].replace("PORT", str(server.getsockname()[1])).replace("' + 'SECRET", str(os.getpid()))
        for name, value in {"outside": yard.outside, "root": yard.root, "pid": 2**22 - 1}.items():
            command = command.replace(f"{{{name}}}", str(value))
        command = command.replace(str(2**22 - 1), str(os.getpid()) if os.getpid() > 400 else "399")
        said, code = scene(f"( {command}\n) 2>&1 < /dev/null")
        assert code != 0, said
    assert yard.untouched()


def test_no_process_outside_is_in_sight(scene):
    said, _ = scene("ls -d /proc/[0-9]*")
    assert len(said.split()) < 10


def test_the_first_process_holds_the_box_no_more_than_asimi_does(scene):
    """It ends with what it is asked to end, and what is inside is over then; it cannot be made to do anything else."""
    said, _ = scene("grep -E 'CapEff|CapPrm|NoNewPrivs|Seccomp:' /proc/1/status /proc/self/status | sed 's/.*://'")
    values = said.split()
    assert {int(each, 16) for each in values if len(each) == 16} == {0}
    assert values[-1] == "2"


def test_what_was_replaced_outside_is_held_again(yard, scene):
    config = yard.root / ".git/config"
    for number in range(3):
        yard.replace(config, config.read_text() + f"# {number}\n")
        assert scene("sleep 0.3; echo x >> .git/config")[1] != 0
        assert f"# {number}" in scene("cat .git/config")[0]
    assert scene.ask("restore") == ""


def test_no_moment_is_left_for_who_waits_for_it(yard, scene):
    """While a program inside writes as fast as it can, the file is replaced outside again and again."""
    config = yard.root / ".git/config"
    text = config.read_text()
    scene("(while :; do echo evil >> .git/config; done) 2>/dev/null & sleep 0.1")
    for _ in range(5):
        yard.replace(config, text)
        time.sleep(0.3)
        assert scene.ask("restore") == ""
        before = config.read_text()
        time.sleep(0.1)
        assert config.read_text() == before
    yard.replace(config, text)
    scene("kill %1; wait")


def test_what_is_replaced_many_times_in_a_row_is_held_again(yard, scene):
    """As a script that calls `git config` many times does."""
    config = yard.root / ".git/config"
    text = config.read_text()
    for _ in range(100):
        yard.replace(config, text)
        time.sleep(0.01)
    assert scene.ask("restore") == ""
    assert scene("echo evil >> .git/config")[1] != 0
    assert config.read_text() == text


def test_a_directory_that_was_replaced_outside_is_held_again(yard, scene):
    hooks = yard.root / ".git/hooks"
    hooks.rename(yard.root / ".git/away")
    hooks.mkdir()
    yard.own()
    assert scene("sleep 0.3; echo x > .git/hooks/x")[1] != 0
    hooks.rmdir()
    (yard.root / ".git/away").rename(hooks)
    assert scene.ask("restore") == ""
    assert scene("echo x > .git/hooks/x")[1] != 0


def test_what_stands_for_a_missing_name_is_made_again_when_it_was_removed_outside(yard, scene):
    (yard.root / ".git/commondir").unlink()
    assert eventually((yard.root / ".git/commondir").is_file)
    assert scene("sleep 0.3; rm .git/commondir || echo x > .git/commondir")[1] != 0


def test_what_was_removed_outside_must_not_appear_any_more(fresh):
    fresh.write(fresh.root / ".envrc", "true")
    box = fresh.box()
    assert box("echo x > .envrc")[1] != 0
    (fresh.root / ".envrc").unlink()
    assert box.ask("restore") == ""
    box("echo x > .envrc")
    assert eventually(lambda: not (fresh.root / ".envrc").exists())
    assert box.ask("restore") == ""


def test_a_secret_that_was_replaced_outside_is_hidden_again(yard, scene):
    yard.replace(yard.home / ".netrc", SECRET)
    assert scene.ask("restore") == ""
    assert SECRET not in scene("cat ~/.netrc")[0]


def test_a_secret_that_appears_is_hidden_within_a_minute(fresh):
    fresh.write(fresh.home / ".config/gh/config.yml", "plain")
    box = fresh.box(again=0.2)
    assert box("cat ~/.config/gh/config.yml")[0] == "plain"
    fresh.write(fresh.home / ".config/gh/hosts.yml", SECRET)
    fresh.write(fresh.home / ".netrc", SECRET)
    assert eventually(lambda: SECRET not in box("cat ~/.config/gh/hosts.yml ~/.netrc")[0])
    assert box("cat ~/.config/gh/config.yml")[0] == "plain"
    assert box.ask("restore") == ""


def test_what_the_inside_takes_of_the_machine_is_bounded(scene):
    said, _ = scene("ulimit -f; ulimit -u; df -k --output=size /tmp | tail -n 1")
    file, processes, size = map(int, said.split())
    assert (file, size) == (4 << 20, 4 << 20)  # in KiB
    assert processes < 1 << 20
    assert scene("ulimit -Hf unlimited || ulimit -Hu unlimited")[1] != 0


@pytest.mark.parametrize("name", ["config.worktree", "objects/info/alternates"])
def test_what_leads_git_elsewhere_is_moved_away_when_it_appears(yard, scene, name):
    scene(f"mkdir -p .git/objects/info; echo /tmp/evil > .git/{name}")
    assert eventually(lambda: not (yard.root / ".git" / name).exists())
    (path, moved) = scene.ask("moved")[-1]
    assert (path, Path(moved).read_text()) == (str(yard.root / ".git" / name), "/tmp/evil\n")


def test_what_becomes_a_link_outside_is_held_as_one(fresh):
    box = fresh.box()
    (fresh.root / ".git/config").rename(fresh.root / "config")
    (fresh.root / ".git/config").symlink_to("../config")
    fresh.own()
    assert box.ask("restore") == ""
    assert box("rm .git/config || mv .git/config x")[1] != 0
    assert box("echo x >> config || mv config y")[1] != 0
    assert box("git config user.name")[0] == "Ada\n"
    assert box.ask("restore") == ""


def test_a_box_below_tmp_shows_nothing_else_of_it(request):
    from helpers.boxes import Yard

    with suppress(FileNotFoundError):
        shutil.rmtree("/tmp/asimi-test-beside")
    beside = Path("/tmp/asimi-test-beside")
    beside.mkdir()
    (beside / "x").write_text(SECRET)
    yard = Yard(below="/tmp")
    request.addfinalizer(lambda: (yard.end(), shutil.rmtree(beside)))
    box = yard.box()
    assert box("echo x > made && cat made file") == ("x\none\n", 0)
    assert SECRET not in box(f"cat {beside}/x")[0]
    assert box("echo x > .git/hooks/x")[1] != 0
    box(f"echo x > {yard.top}/new")  # in the box's own /tmp
    assert not (yard.top / "new").exists()


def test_a_worktree_writes_its_own_and_what_all_share(fresh):
    tree = fresh.top / "tree"
    as_user(fresh, "git", "worktree", "add", "-q", "-b", "topic", str(tree), cwd=fresh.root)
    as_user(fresh, "git", "worktree", "add", "-q", "-b", "third", str(fresh.top / "third"), cwd=fresh.root)
    box = fresh.box(root=str(tree))
    said, code = box("echo 2 > file && git commit -qam two && git log --format=%s -1 && git status --short")
    assert (said, code) == ("two\n", 0)
    git = fresh.root / ".git"
    ways = ["config", "hooks/x", "HEAD", "index", "worktrees/third/HEAD", "worktrees/tree/commondir", "description"]
    for each in (*ways, "worktrees/tree/gitdir"):
        assert box(f"echo x > {git}/{each}")[1] != 0, each
    assert box(f"echo x > {tree}/.git")[1] != 0
    box(f"echo x > {fresh.root}/file")  # in the box's own /var/tmp
    assert (fresh.root / "file").read_text() == "one\n"


def test_a_git_file_that_nobody_confirms_opens_nothing(fresh):
    tree = fresh.top / "tree"
    fresh.write(tree / ".git", f"gitdir: {fresh.root}/.git/worktrees/tree\n")
    box = fresh.box(root=str(tree))
    for each in ("objects/x", "refs/heads/x", "HEAD", "worktrees/x"):
        assert box(f"echo x > {fresh.root}/.git/{each}")[1] != 0, each


@pytest.mark.parametrize("where", ["home", "above", "asimi's", "secrets", "system"])
def test_what_is_no_project_is_refused(fresh, where):
    fresh.write(fresh.home / ".local/state/asimi/x")
    root = {
        "home": fresh.home,
        "above": fresh.top,
        "asimi's": fresh.home / ".local/state",
        "secrets": fresh.write(fresh.home / ".ssh/x/y").parent,
        "system": "/usr",
    }[where]
    assert "cannot be set up" in fresh.layout(root=str(root))


@pytest.mark.parametrize("agent", AGENTS)
def test_no_state_of_an_agent_that_is_code_can_be_changed(fresh, agent):
    """What it starts, or is told by, the next time: its settings, hooks and plug-ins, there or not, and by a rename."""
    profile = profile_of(agent)
    home = str(fresh.home)
    written = [*profile.held, *profile.own, *profile.copied]
    for each in written[::2]:  # every other one is missing
        path = Path(profile.at(each, home, {}))
        fresh.write(path / "there" if each.endswith("/") else path, "{}" if path.suffix == ".json" else "mine")
    for each in profile.state:
        if each.endswith("/"):
            Path(profile.at(each, home, {})).mkdir(parents=True, exist_ok=True)
    named = [profile.at(each, home, {}) for each in written]
    fresh.own()
    before = _content(fresh.home)
    box = fresh.box(agent=agent)
    for each in named:
        for way in ("echo x > {0}", "echo x > {0}/new", "echo x > {0}/there", "mkdir -p {0}/more; echo x > {0}/more/y"):
            box(way.format(each))
        for way in ("mv {0} {0}.old", "rm -rf {0}; mkdir {0}", "ln -sf /dev/null {0}", "cd {0}/.. && mv $PWD $PWD.old"):
            box(f"( {way.format(each)} )")
    assert box.ask("restore") == ""
    box.end()
    assert {path: text for path, text in _content(fresh.home).items() if path in before} == before
    new = [path for path in _content(fresh.home) if path not in before]
    assert not [path for path in new for each in named if path.startswith(each)]


def _content(home):
    """The files of a home but for asimi's own, with what they hold."""
    own = [home / ".local/state/asimi", home / ".cache/asimi"]
    files = (path for path in home.rglob("*") if path.is_file() and not any(each in path.parents for each in own))
    return {str(path): path.read_text() for path in files}


@pytest.mark.parametrize("link", [".bashrc", ".config/git/config", ".config/fish/conf.d/x.fish", ".vimrc"])
def test_what_the_home_leads_into_the_project_is_read_only(fresh, link):
    """People keep their dotfiles in a repository, and link them from their homes."""
    target = fresh.write(fresh.root / "dotfiles/some/file", "mine")
    (fresh.home / link).parent.mkdir(parents=True, exist_ok=True)
    (fresh.home / link).symlink_to(target)
    fresh.own()
    box = fresh.box()
    for way in ("echo x > dotfiles/some/file", "mv dotfiles/some/file x", "mv dotfiles d", "rm -r dotfiles"):
        assert box(way)[1] != 0, way
    assert target.read_text() == "mine"


STEERING = {
    "attributes": "echo '* filter=x diff=x merge=x' > .gitattributes",
    "modules": "printf '[submodule \"x\"]\npath = x\nurl = ext::sh -c x\nupdate = !touch ran\n' > .gitmodules",
    "an alias": "git config alias.status '!touch ran'",
    "a variable in a file": "echo 'export GIT_EXTERNAL_DIFF=./x' > .env",
    "a bare repository below": "mkdir b && git init -q --bare b && git -C b config core.fsmonitor 'touch ran'",
    "a signed commit's program": "git config gpg.program ./x",
    "an index that names a filter": "git add -A . ; git update-index --chmod=+x file",
    "a replaced object": "git replace -f HEAD $(git commit-tree HEAD^{tree} -m x)",
    "a branch that looks like an option": "git update-ref refs/heads/--upload-pack=x HEAD",
    "a note that is code": "git notes add -m '$(touch ran)'",
}
"""What an agent does to a repository before its person works in it."""


@pytest.mark.parametrize("way", STEERING)
def test_git_starts_nothing_outside_whatever_was_done_inside(fresh, way):
    fresh.write(fresh.root / "x", "#!/bin/sh\ntouch ran\n", 0o755)
    box = fresh.box()
    box(f"( {STEERING[way]}\n)")
    for words in ("status", "diff", "add file", "commit -qm x --allow-empty", "log -p -1", "branch -a", "stash"):
        as_user(fresh, "git", *words.split(), cwd=fresh.root)
    box.end()
    for words in ("status", "checkout -q -b other", "log --oneline --notes", "gc -q"):
        as_user(fresh, "git", *words.split(), cwd=fresh.root)
    assert not list(fresh.root.rglob("ran"))


def test_a_second_box_opens_nothing_that_the_first_holds(fresh):
    first = fresh.box(agent="codex")
    second = fresh.box(agent="gemini-cli")
    for box in (first, second):
        assert box("echo x > .git/hooks/x || echo x > .git/commondir || rm .git/commondir")[1] != 0
    assert second("ls /proc | grep -c '^[0-9]'")[0].split()[0] < "9"
    assert second("kill -9 -1; cat /run/asimi/gate /run/asimi/tmp/*")[1] != 0
    second.end()
    assert first("echo x > .git/hooks/x || echo x > .git/commondir || rm .git/commondir")[1] != 0
    assert first.ask("restore") == ""


def test_a_person_at_work_outside_sees_git_as_it_is(yard, scene):
    del scene
    said = as_user(yard, "git", "status", "--short", cwd=yard.root)
    assert said.stderr == ""
    assert ".envrc" not in said.stdout


def test_who_is_nobody_here(yard):
    assert yard.root.stat().st_uid == (NOBODY if yard.nobody else os.geteuid())
