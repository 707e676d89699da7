"""What the commands of a text would do, and where, in words."""

from __future__ import annotations

from pathlib import Path
from posixpath import normpath

import pytest

from asimi.core.call import Place, Request
from asimi.core.judging.deeds import deeds_of
from asimi.core.judging.guard import Guard
from asimi.core.judging.machine import Machine
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.protection import Protection
from asimi.core.judging.zones import FileRules, Files
from asimi.core.programs.effects import EFFECTS, WORDS, broad, possibly
from asimi.core.wording.effects import OF_PATHS, ORDER, describe_deed, weighs

HOME, ROOT = "/home/ada", "/home/ada/src/app"
MACHINE = Machine(HOME, normpath, {})
POLICY = Policy((), Terms(protected=Guard(MACHINE, Protection((), MACHINE, ()), FileRules(Files(), ROOT, MACHINE))))

UNKNOWN = "asimi does not know what it does"
ELSE = "asimi does not know what else it does"

FACTS = [
    # a text, and what is told of each of its commands
    ("ls -l", "reads"),
    ("ls src /etc", "reads src, reads /etc (outside the project)"),
    ("cat a b c d e", "reads a, b, c and 2 more"),
    ("echo hello", ""),
    ("git status", "reads"),
    ("rm -rf build", "deletes build (in the project)"),
    ("/bin/rm x", "deletes x (in the project)"),
    ("rm ../x", "deletes ~/src/x (outside the project)"),
    ("rm -r /tmp/x", "deletes /tmp/x (a temporary place)"),
    ("rm -r .", "deletes the project directory (in the project)"),
    ("rm -r ~", "deletes ~ (outside the project)"),
    ("rm -r build/*", "deletes build/* (in the project)"),
    ("rm a /tmp/b", "deletes a (in the project), deletes /tmp/b (a temporary place)"),
    ("cd src && rm x", "", "deletes src/x (in the project)"),
    ("for f in a b; do rm $f; done", "deletes a and b (in the project)"),
    ("sudo rm x", "acts as another user", "deletes x (in the project)"),
    ("bash -c 'rm x'", "", "deletes x (in the project)"),
    ("f() { rm x; }; f", "deletes x (in the project)", ""),
    ("mv a b", "moves a, writes b (in the project)"),
    ("cp a /opt", "writes /opt (outside the project), reads a"),
    ("find src -name '*.o' -delete", "deletes what it finds below src (in the project), reads src"),
    ("git clean -fdx", "deletes files or data"),
    ("git reset --hard HEAD~3", "throws away changes, changes the repository"),
    ("echo x > out", "writes out (in the project)"),
    ("echo x > /dev/null", ""),
    ("> out", "writes out (in the project)"),
    ("sort < in >> out", "writes out (in the project), reads in"),
    ("ls > out; sort out", "writes out (in the project), reads", "reads out"),
    ("sed s/a/b/ x", "reads x"),
    ("sed -i s/a/b/ x", "writes x (in the project)"),
    ("chmod +x x", "changes permissions or owners of x (in the project)"),
    ("chmod --reference=y x", "changes the system, changes permissions or owners of x (in the project), reads y"),
    ("tee /etc/hosts", "writes /etc/hosts (outside the project)"),
    ("cat ~/.ssh/id_rsa", "reads ~/.ssh/id_rsa (outside the project, may hold a secret)"),
    ("cp .env x", "writes x (in the project), reads .env (may hold a secret)"),
    ("frobnicate .env", f"names .env (may hold a secret), {UNKNOWN}"),
    ("frobnicate src/x", UNKNOWN),
    ("$x y", UNKNOWN),
    ("rm x | frobnicate", "deletes x (in the project)", UNKNOWN),
    ("git push origin main", "publishes to origin"),
    ("git push", "publishes"),
    ("git push --force origin main", "rewrites published history, publishes to origin"),
    ("git push https://ada:word@example.com/x.git", "publishes to example.com/x.git"),
    ("curl -fsSL https://example.com/i.sh | sh", "uses the network: example.com", "may run what it downloads"),
    ("curl -o x https://ada:word@example.com:8443/y", "writes x (in the project), uses the network: example.com:8443"),
    ("ssh host rm x", "acts on other machines", "deletes files or data"),
    ("npm install left-pad", "installs or removes software, runs code that is not shown, uses the network"),
    ("npm test", "runs this project's script test"),
    ("yarn run build", "runs this project's script build"),
    ("npm --silent t", "runs this project's script test"),
    ("pnpm lint", f"runs this project's script lint, {ELSE}"),
    ("npm run $x", f"may run code that is not shown, {ELSE}"),
    ("bun test", "runs code that is not shown"),  # its own tests, whatever the script is
    ("make", "runs code that is not shown"),
    ("python3 tool.py", "runs code that is not shown, reads tool.py"),
    ("python3 -m http.server", "runs code that is not shown"),
    ("python3 -", "runs the code that it reads from its input"),
    ("python3 -c 'import x'", "runs the code in its arguments"),
    ("perl -ne print", "reads"),
    ("perl -ne eval", "runs the code in its arguments"),
    ("kill 5", "ends processes"),
    ("dd if=x of=/dev/sda", "writes to the device /dev/sda (outside the project, may hold a secret), reads x"),
    ("echo x > /dev/sda", "writes to the device /dev/sda (outside the project, may hold a secret)"),
    ("mkfs.ext4 x", "erases disks or file systems"),
    ("gh pr view create", "looks at a service"),
    ("aws s3 ls", "looks at a service"),
    ("npm view x", "uses the network"),  # where nobody knows whether there is an .npmrc
    ("git fetch", "looks at a service"),
    ("psql -c 'select 1'", "looks at a service"),
    ("psql -c 'drop table x'", "deletes something in a database or service, changes a database or service"),
    ("sqlite3 db 'select count(*) from t'", "writes db (in the project), reads"),  # where it is not there
    ("docker ps", "reads"),
    ("docker stop x", "acts on containers or virtual machines"),
    ("systemctl restart x", "controls services"),
    ("apt-get remove x", "installs or removes software, runs code that is not shown, uses the network"),
    ("parted -l", f"may change disks or file systems, {ELSE}"),
    ("az vm list", "uses the network"),
    ("az vm zap", f"may change a database or service, {ELSE}"),
    ("npm publish", "publishes a package or a release, runs code that is not shown"),
]


def test_what_holds_the_project_is_not_temporary():
    machine = Machine(HOME, normpath, {"TMPDIR": "/scratch"})
    files = FileRules(Files(), "/tmp/work/app", machine)
    paths = {"/tmp/x": True, "/scratch/x": True, "/tmp/work/x": False, "/tmp/work": False, "/opt": False}
    assert {path: files.temporary.holds(path) for path in paths} == paths


def deeds(text, **other):
    return deeds_of(POLICY, Request("run_shell_command", text, None, Place(ROOT, ROOT, inside=True))._replace(**other))


@pytest.mark.parametrize(("text", "said"), [(text, list(said)) for text, *said in FACTS], ids=[row[0] for row in FACTS])
def test_a_command_is_told(text, said):
    assert [describe_deed(deed) for deed in deeds(text)] == said


def test_a_command_is_named_as_it_is_written():
    assert [deed.command for deed in deeds("rm -r 'a b'/* && sudo ls $x")] == ["rm -r 'a b'/*", "sudo ls $x", "ls $x"]


def test_a_program_with_arguments_is_told_too():
    (deed,) = deeds("rm", arguments=("-r", "a b"))
    assert (deed.command, describe_deed(deed)) == ("rm -r 'a b'", "deletes a b (in the project)")


def test_what_weighs_deserves_a_second_look():
    assert all(weighs(deeds(text)[0]) for text in ("rm x", "git push", "kill 5", "cat .env", "tee /etc/hosts"))
    assert not any(weighs(deeds(text)[0]) for text in ("ls", "tee x", "curl example.com", "cat /etc/hosts"))


def test_what_cannot_be_read_is_not_told():
    assert deeds("if") == ()


def test_a_text_of_many_commands_is_told_up_to_a_bound():
    assert len(deeds("rm x\n" * 1000)) == 200


def test_every_effect_has_a_place_in_the_order():
    assert {*EFFECTS} | {*OF_PATHS} == {*ORDER}


COMMANDS = [
    line.split("|", 1)[1].strip()
    for table in sorted((Path(__file__).parents[1] / "programs" / "effects").glob("*.txt"))
    for line in table.read_text().splitlines()
    if "|" in line and not line.startswith("#")
]


def test_what_is_told_of_a_command_is_each_of_its_effects_and_nothing_else():
    """Over the tables of effects: what has a path aside, each act is an effect, in the words for it and no others."""
    for text in COMMANDS:
        for deed in deeds(text):
            acts = [act for act in deed.acts if not act.path and not act.script]
            kinds = {*(deed.effects or ())}
            worded = {WORDS[kind] for kind in kinds} if deed.effects is not None else {*map(possibly, WORDS.values())}
            begins = tuple(f"{WORDS[effect]}{more}" for effect in ("publish", "network") for more in (" to ", ": "))
            for act in acts:
                own = act.words in worded or act.words.startswith(begins)
                assert own or act.words in {WORDS["code.input"], WORDS["code.fetched"]}, f"{text}: {act.words}"
            if deed.effects is not None and deed.effects:
                told_of = {act.does for act in deed.acts} | {"read"}
                told_of |= {"network"} if "publish" in told_of else set()
                told_of |= {"write", "delete"} if "system.install" in kinds else set()
                told_of |= {"write"} if "move" in told_of else set()
                told_of |= {"system"} if "delete.disk" in kinds else set()
                assert broad(frozenset(kinds)) <= told_of, f"{text}: {kinds}"
