"""What is kept ready for the next start changes nothing but the time."""

import os
import subprocess
import sys

import pytest
from helpers.rules import add

from asimi.core.call import Verdict
from asimi.world.config import effective
from asimi.world.config.projects import project_of, trust, untrust
from asimi.world.config.store import RuleStore

EVERYTHING = """
coreTools = ["run_shell_command(ls)"]
excludeTools = ["run_shell_command(rm)"]
ask = ["execute_command"]
unlisted = "reject"
[files]
write = ["**", "/tmp/**"]
secret = ["*.key", "!*.pub"]
deny = ["/srv/**"]
[environment]
keep = ["LANG"]
set = { PAGER = "cat" }
[limits]
timeout = "2m"
state_bytes = "1GiB"
[hosts.gpu1]
reach = ["ssh", "gpu1"]
trusted = true
[[rules]]
decision = "allow"
command = ["npm", ["test", "ci"]]
effects = ["read", "write"]
[[rules]]
decision = "deny"
command = "git push"
options_any = ["--force"]
reason = "Ask Ada."
[[rules]]
decision = "deny"
command = "curl"
host = "gpu1"
"""


@pytest.fixture
def kept(user):
    """The files with what is kept, once asimi has a state directory."""
    user.state.mkdir(parents=True, mode=0o700)
    return lambda: sorted((user.state / "ready").glob("*"))


def what(user, **arguments):
    """Everything that a configuration says."""
    configuration = user.configuration(**arguments)
    return configuration.show(), configuration.rules(), configuration.notices(), configuration.settings().limits


def test_what_is_kept_says_the_same_as_the_files(user, kept):
    user.write(EVERYTHING)
    user.project('excludeTools = ["run_shell_command(make)"]\ncoreTools = ["run_shell_command(x)"]')
    fresh = what(user)
    (file,) = kept()
    before = file.stat().st_mtime_ns
    assert what(user) == fresh
    assert [each.stat().st_mtime_ns for each in kept()] == [before]


def test_with_what_is_kept_nothing_is_read_as_toml(user, kept):
    user.write(EVERYTHING)
    assert not kept()
    code = (
        "import sys; from asimi.world.config import Configuration; from asimi.world.host.places import places_of\n"
        "c = Configuration(places_of({'HOME': sys.argv[1]}), sys.argv[2], environ=dict)\n"
        "terms = c.settings().policy.terms\n"
        "print(terms.unlisted.word, sorted({'tomllib', 'asimi.world.config.keys'} & set(sys.modules)))"
    )
    arguments = [sys.executable, "-c", code, str(user.home), str(user.root)]
    said = [subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.strip() for _ in range(2)]
    assert said == ["deny ['asimi.world.config.keys', 'tomllib']", "deny []"]


def test_a_byte_more_counts_at_once(user, kept):
    user.write('coreTools = ["run_shell_command(ls)"]')
    user.settings()
    user.write('coreTools = ["run_shell_command(lsx)"]')
    assert user.entries() == {("allow", "run_shell_command(lsx)")}
    assert len(kept()) == 2


def test_a_broken_file_refuses_although_something_is_kept(user, kept):
    user.write('coreTools = ["run_shell_command(ls)"]')
    user.settings()
    user.write('coreTools = ["run_shell_command(ls)"')
    with pytest.raises(Exception, match="is not valid TOML"):
        user.settings()
    assert len(kept()) == 1


def test_an_entry_that_asimi_wrote_counts_in_the_next_start(user, kept):
    user.write("")
    add(user.configuration(), "ls", Verdict.ALLOW, project=True)
    user.settings()
    assert user.entries() == {("allow", "run_shell_command(ls)")}
    RuleStore(user.configuration()).remove("ls", project=True)
    assert user.entries() == set()
    assert kept()


def test_trust_is_part_of_what_it_is_kept_for(user, kept):
    user.project('coreTools = ["run_shell_command(make)"]')
    assert user.entries() == set()
    configuration = user.configuration()
    trust(configuration, project_of(configuration))
    assert user.entries() == {("allow", "run_shell_command(make)")}
    untrust(configuration)
    assert user.entries() == set()
    assert len(kept()) == 2


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(file.read_bytes()[:-1]),
        lambda file: file.write_bytes(file.read_bytes() + b"x"),
        lambda file: file.write_bytes(os.urandom(2000)),
        lambda file: file.chmod(0o666),
        lambda file: (file.unlink(), file.symlink_to("/etc/passwd")),
        lambda file: (file.unlink(), file.mkdir()),
        lambda file: (file.unlink(), os.mkfifo(file)),
        lambda file: file.unlink(),
        lambda file: (file.unlink(), file.parent.rmdir(), file.parent.write_text("")),
    ],
)
def test_what_is_wrong_with_it_changes_nothing(user, kept, spoil):
    user.write(EVERYTHING)
    fresh = what(user)
    spoil(kept()[0])
    assert what(user) == fresh


def test_nothing_is_kept_where_an_administrator_decides(user, kept, only_root):
    user.write(EVERYTHING)
    user.managed('excludeTools = ["run_shell_command(dd)"]')
    user.settings()
    assert not kept()


def test_nothing_is_kept_before_there_is_a_state(user):
    user.write(EVERYTHING)
    user.settings()
    assert not user.state.exists()


def test_a_directory_that_turns_into_a_link_is_looked_at_again(user, kept):
    """What a person wrote is kept nowhere; what asimi wrote counts only while it is a real directory."""
    there, other = user.home / "there", user.home / "other"
    there.mkdir(), other.mkdir()
    user.write(f'[[rules]]\ndecision = "allow"\ncommand = "make"\ndirectory = "{there}"')
    assert [rule.directory for rule in user.configuration().rules()] == [str(there)]
    assert not kept()
    text = f'version = 1\n[[rules]]\ndecision = "allow"\nline = "make"\ndirectory = "{there}"\nbelow = false\n'
    user.write(""), user.write(text, user.approved)
    user.approved.chmod(0o600)
    assert [rule.directory for rule in user.configuration().rules()] == [str(there)]
    assert len(kept()) == 1
    there.rename(user.home / "before"), there.symlink_to(other)
    for _ in range(2):
        assert [rule.directory for rule in user.configuration().rules()] == [str(other)]
    there.unlink(), there.symlink_to(user.home / "before")
    assert [rule.directory for rule in user.configuration().rules()] == [str(user.home / "before")]


def test_only_the_last_ones_stay(user, kept):
    for number in range(effective.MOST + 5):
        user.write(f'coreTools = ["run_shell_command(x{number})"]')
        user.settings()
    assert len(kept()) == effective.MOST
    before = kept()
    user.settings()
    assert kept() == before
