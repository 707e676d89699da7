"""What cannot be obeyed is an error with file, line and what to do; nothing runs until it is fixed."""

import os

import pytest

from asimi.core.errors import ConfigError

# a file, the line of its fault, and words of the message
BROKEN = [
    ('# a comment\ncoreTools = "run_shell_command"\n', 2, ["coreTools", "array"]),
    ('coreTool = ["run_shell_command"]', 1, ["coreTool", "'coreTools'"]),
    ("\n\ncoretools = []", 3, ["'coreTools'"]),
    ("[limits]\ntimout = 1", 2, ["limits.timout", "'limits.timeout'"]),
    ("[limit]\ntimeout = 1", 1, ["'limits'"]),
    ("timeout = 1", 1, ["'limits.timeout'"]),
    ("zzzzzz = 1", 1, ["coreTools", "excludeTools", "wrappers.commands"]),
    ('"limits.timeout" = 3', 1, ["limits.timeout"]),
    ("coreTools = [\n", 1, ["not valid TOML"]),
    ("a = 1\nb = = 2\n", 2, ["not valid TOML"]),
    ("ask = []\nask = []\n", 2, ["not valid TOML"]),
    ('coreTools = [\n  "run_shell_command",\n  "run_shell_command(",\n]', 3, ["closing parenthesis"]),
    ('coreTools = ["ls"]', 1, ["run_shell_command(ls)"]),
    ('coreTools = ["run_shell_command()"]', 1, ["empty"]),
    ("excludeTools = [\n1]", 2, ["excludeTools", "quotation marks"]),
    ('unlisted = "deny"', 1, ["unlisted", '"ask" or "reject"']),
    ("limits = 3", 1, ["[limits]"]),
    ('[limits]\ntimeout = "soon"', 2, ["limits.timeout", '"10m"']),
    ("[limits]\ntimeout = -1", 2, ["limits.timeout"]),
    ("[limits]\ntimeout = true", 2, ["limits.timeout"]),
    ("[limits]\ntimeout = nan", 2, ["limits.timeout"]),
    ("[limits]\ntimeout = inf", 2, ["limits.timeout"]),
    ("[limits]\ntimeout = " + "9" * 400, 2, ["limits.timeout"]),
    ('[limits]\noutput_bytes = "1 MB"', 2, ["limits.output_bytes", '"1MiB"']),
    ("[limits]\noutput_bytes = 1", 2, ["at least", "4KiB"]),
    ("[session]\nask_timeout = 0", 2, ["session.ask_timeout", "at least"]),
    ("[session]\nask_timeout = 1e12", 2, ["at most"]),
    ('[session]\nwait = "yes"', 2, ["session.wait", "true or false"]),
    ('[session]\nnotify = ["", "x"]', 2, ["program"]),
    ("[audit]\nrequired = 1", 2, ["audit.required", "true or false"]),
    ('[shell]\nsubstitution = "allow"', 2, ['"judge" or "auto" or "refuse"']),
    ('[environment]\nkeep = ["A B"]', 2, ["'A B'"]),
    ('[environment]\ndrop = [\n"A", "*B"]', 3, ["'*B'"]),
    ('[environment]\nfree = ["A B"]', 2, ["'A B'"]),
    ('[environment]\nfree = [\n"A", "*"]', 3, ["'*'", "RUST_*"]),
    ('[environment]\nfree = ["PATH"]', 2, ["PATH", "always a question"]),
    ("[environment.set]\nA = 1", 2, ["A", "string"]),
    ('[environment]\nset = ["A"]', 2, ["table"]),
    ('[environment.set]\n"A=B" = "x"', 2, ["'A=B'"]),
    ("[wrappers]\ncommands = [\"sh -c 'x'\"]", 2, ["uv run"]),
    ('[wrappers]\ncommands = ["* x"]', 2, ["uv run"]),
    ('[wrappers]\ncommands = [""]', 2, ["uv run"]),
    ("rules = 3", 1, ["[[rules]]"]),
    ("[rules]\ndecision = 'deny'", 1, ["[[rules]]"]),
    ("\n[[rules]]\ncommand = 'x'", 2, ["decision"]),
    ("[[rules]]\ndecision = 'no'\ncommand = 'x'", 2, ["decision"]),
    ("[[rules]]\ndecision = 'deny'", 1, ["command", "line"]),
    ("[[rules]]\ndecision = 'deny'\ncommand = 'x'\nline = 'x'", 4, ["not both"]),
    ("[[rules]]\ndecision = 'deny'\ncommand = 'x'\nreson = 'x'", 4, ["'reson'", "reason"]),
    ("[[rules]]\ndecision = 'deny'\ncommand = 'x | y'", 3, ["'x | y'"]),
    ("[[rules]]\ndecision = 'deny'\ncommand = []", 3, ["command"]),
    ("[[rules]]\ndecision = 'deny'\ncommand = ['x',\n3]", 4, ["command"]),
    ("[[rules]]\ndecision = 'deny'\ncommand = ['x', []]", 3, ["command"]),
    ("[[rules]]\ndecision = 'deny'\ntool = 'bash'", 3, ["run_shell_command"]),
    ("[[rules]]\ndecision = 'deny'\ncommand = 'x'\noptions_any = ['f']", 4, ["'f'"]),
    ("[[rules]]\ndecision = 'deny'\ncommand = 'x'\ndirectory = 'x'", 4, ["absolute"]),
    ("[[rules]]\ndecision = 'deny'\ncommand = 'x'\nexpires = 'soon'", 4, ["expires"]),
    ("[[rules]]\ndecision = 'deny'\ncommand = 'x'\nexpires = 3", 4, ["expires"]),
    ("[[rules]]\ndecision = 'deny'\ncommand = 'x'\nbelow = 1", 4, ["below"]),
    ("[[rules]]\ndecision = 'deny'\ncommand = 'x'\nreason = ''", 4, ["reason"]),
    ("[[rules]]\ndecision = 'deny'\ncommand = 'x'\nmatch = 'x'", 4, ["match"]),
    ("version = 1", 1, ["version"]),
]


@pytest.mark.parametrize(("text", "line", "words"), BROKEN)
def test_a_broken_file_is_told_with_its_line(user, text, line, words):
    user.write(text)
    with pytest.raises(ConfigError) as told:
        user.settings()
    assert (told.value.path, told.value.line) == (str(user.file), line)
    assert str(told.value).startswith(f"{user.file}:{line}: ")
    for word in words:
        assert word in told.value.message


def test_bytes_that_are_no_text_are_told_with_their_line(user):
    user.write("").write_bytes(b"# \xc3\xa9\nask = ['\xff']\n")
    with pytest.raises(ConfigError, match="UTF-8") as told:
        user.settings()
    assert told.value.line == 2


def test_nesting_beyond_reason_is_told(user):
    user.write("ask = " + "[" * 100000)
    with pytest.raises(ConfigError):
        user.settings()


def test_no_file_is_no_error(user):
    assert user.settings().limits.timeout is None
    assert user.entries() == set()


def test_a_file_that_was_named_must_be_there(user, tmp_path):
    with pytest.raises(ConfigError, match="config init --config") as told:
        user.settings(file=tmp_path / "missing.toml")
    assert told.value.path == str(tmp_path / "missing.toml")


def test_a_named_file_stands_in_place_of_the_users(user, tmp_path):
    user.write("coreTools = ['run_shell_command(a)']")
    other = user.write("coreTools = ['run_shell_command(b)']", tmp_path / "other.toml")
    assert user.entries(file=other) == {("allow", "run_shell_command(b)")}


def test_a_file_that_everybody_may_replace_is_refused(user):
    user.write("ask = []")
    user.file.parent.chmod(0o777)
    with pytest.raises(ConfigError, match="everybody can replace it"):
        user.settings()
    user.file.parent.chmod(0o1777)
    user.settings()


def test_a_file_that_everybody_may_write_is_refused(user):
    user.write("ask = []").chmod(0o666)
    with pytest.raises(ConfigError, match="chmod o-w"):
        user.settings()


def test_what_is_no_file_is_refused(user):
    user.file.mkdir(parents=True)
    with pytest.raises(ConfigError):
        user.settings()
    user.file.rmdir()
    os.mkfifo(user.file)
    with pytest.raises(ConfigError, match="regular"):
        user.settings()


def test_a_file_that_cannot_be_read_is_told(user):
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    user.write("ask = []").chmod(0)
    with pytest.raises(ConfigError, match="cannot be read"):
        user.settings()


def test_a_file_may_be_a_link_into_a_repository_of_dotfiles(user, tmp_path):
    real = user.write("unlisted = 'reject'", tmp_path / "dotfiles" / "asimi.toml")
    user.file.parent.mkdir(parents=True)
    user.file.symlink_to(real)
    assert user.settings().policy.terms.unlisted.word == "deny"


def test_every_entry_knows_where_it_stands(user):
    user.write(
        "coreTools = ['run_shell_command(a)',\n  'execute_command(b)']\n\n"
        "[[rules]]\n# why\ndecision = 'ask'\ncommand = 'c d'\n"
    )
    sources = {rule.entry: rule.source for rule in user.configuration().rules()}
    assert sources == {
        "run_shell_command(a)": f"{user.file}:1",
        "execute_command(b)": f"{user.file}:2",
        "run_shell_command(c d)": f"{user.file}:4",
    }


def test_every_key_is_obeyed(user):
    user.write("""
unlisted = "reject"
[limits]
timeout = "10m"
idle_timeout = 90
output_bytes = "1MiB"
spill_bytes = 0
state_bytes = "2GiB"
state_age = "1.5d"
[environment]
keep = ["CDPATH"]
drop = ["secrets", "AWS_*"]
set = { A = "b" }
noninteractive = true
free = ["RUST_*"]
[shell]
substitution = "judge"
[session]
ask_timeout = 5
max_age = "1h"
wait = true
notify = ["notify-send", "asimi"]
bell = false
breaker = 5
questions = "asimi"
relax = false
[audit]
required = false
[wrappers]
commands = ["npx", "docker exec *"]
""")
    settings = user.settings()
    assert settings.limits == (600, 90, 1 << 20, 0)
    assert settings.state == (2 << 30, 1.5 * 86400)
    assert settings.environment == (("CDPATH",), ("secrets", "AWS_*"), (("A", "b"),), True, ("RUST_*",))
    assert settings.session == (5, 3600, True, ("notify-send", "asimi"), False, 5, "asimi", False, True)
    assert settings.audit == (False,)
    assert settings.policy.terms.unlisted.word == "deny"
    assert settings.policy.terms.substitution == "judge"
    assert [tuple(each) for each in settings.policy.terms.wrappers] == [("npx",), ("docker", "exec", "*")]


def test_zero_is_no_time_limit(user):
    user.write("[limits]\ntimeout = 0\nidle_timeout = 0")
    assert user.settings().limits[:2] == (None, None)
