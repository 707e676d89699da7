"""Which layer's word counts: the strongest stands, a weaker one may only make it stricter."""

import os

import pytest

from asimi.core.errors import ConfigError
from asimi.world.config.projects import project_of, trust
from asimi.world.config.sources import project_files

LISTS = (
    "coreTools = ['run_shell_command(a)']\nexcludeTools = ['run_shell_command(d)']\nask = ['run_shell_command(q)']\n"
)

# what a project's file says, without trust: the key, what holds then
UNTRUSTED = [
    ("unlisted = 'reject'", "unlisted", '"reject"'),
    ("[limits]\ntimeout = 60", "limits.timeout", '"1m"'),
    ("[limits]\noutput_bytes = '1MiB'", "limits.output_bytes", '"1MiB"'),
    ("[limits]\noutput_bytes = '1GiB'", "limits.output_bytes", '"64MiB"'),
    ("[limits]\nstate_bytes = '1MiB'", "limits.state_bytes", '"4GiB"'),
    ("[limits]\nstate_age = '1d'", "limits.state_age", '"30d"'),
    ("[environment]\nkeep = ['BASH_ENV']", "environment.keep", "[]"),
    ("[environment]\nset = { PATH = 'bin' }", "environment.set", "{}"),
    ("[environment]\nfree = ['RUST_*']", "environment.free", "[]"),
    ("[environment]\ndrop = ['SANDBOX']", "environment.drop", "[]"),
    ("[environment]\nnoninteractive = true", "environment.noninteractive", "true"),
    ("[shell]\nsubstitution = 'judge'", "shell.substitution", '"auto"'),
    ("[session]\nask_timeout = '1h'", "session.ask_timeout", '"2m"'),
    ("[session]\nask_timeout = 10", "session.ask_timeout", "10"),
    ("[session]\nmax_age = '30d'", "session.max_age", '"8h"'),
    ("[session]\nwait = true", "session.wait", "false"),
    ("[session]\nnotify = ['evil']", "session.notify", "[]"),
    ("[audit]\nrequired = false", "audit.required", "true"),
    ("[wrappers]\ncommands = ['npx']", "wrappers.commands", '["npx"]'),
    ("[files]\nwrite = ['src/**']", "files.write", '["src/**"]'),
    ("[files]\nsecret = ['x']", "files.secret", '["x"]'),
    ("[files]\ndeny = ['x']", "files.deny", '["x"]'),
]

# the same, once the file is trusted
TRUSTED = [
    ("[limits]\noutput_bytes = '1GiB'", "limits.output_bytes", '"1GiB"'),
    ("[environment]\ndrop = ['SANDBOX']", "environment.drop", '["SANDBOX"]'),
    ("[limits]\nstate_bytes = '1MiB'", "limits.state_bytes", '"4GiB"'),
    ("[environment]\nkeep = ['BASH_ENV']", "environment.keep", "[]"),
    ("[environment]\nset = { PATH = 'bin' }", "environment.set", "{}"),
    ("[environment]\nfree = ['RUST_*']", "environment.free", "[]"),
    ("[shell]\nsubstitution = 'judge'", "shell.substitution", '"auto"'),
    ("[session]\nask_timeout = '1h'", "session.ask_timeout", '"2m"'),
    ("[session]\nmax_age = '30d'", "session.max_age", '"8h"'),
    ("[session]\nwait = true", "session.wait", "false"),
    ("[session]\nnotify = ['evil']", "session.notify", "[]"),
    ("[audit]\nrequired = false", "audit.required", "true"),
]

# the managed file, the user's, what holds
MANAGED = [
    ("unlisted = 'reject'", "unlisted = 'ask'", "unlisted", '"reject"'),
    ("unlisted = 'ask'", "unlisted = 'reject'", "unlisted", '"reject"'),
    ("[limits]\ntimeout = 60", "[limits]\ntimeout = 0", "limits.timeout", '"1m"'),
    ("[limits]\ntimeout = 60", "[limits]\ntimeout = 30", "limits.timeout", "30"),
    ("[audit]\nrequired = true", "[audit]\nrequired = false", "audit.required", "true"),
    ("[shell]\nsubstitution = 'refuse'", "[shell]\nsubstitution = 'judge'", "shell.substitution", '"refuse"'),
    ("[shell]\nsubstitution = 'auto'", "[shell]\nsubstitution = 'judge'", "shell.substitution", '"auto"'),
    ("[shell]\nsubstitution = 'judge'", "[shell]\nsubstitution = 'auto'", "shell.substitution", '"auto"'),
    ("", "[shell]\nsubstitution = 'judge'", "shell.substitution", '"judge"'),
    ("[environment]\ndrop = ['A']", "[environment]\ndrop = ['B', 'A']", "environment.drop", '["A", "B"]'),
    ("[environment]\nkeep = []", "[environment]\nkeep = ['CDPATH']", "environment.keep", "[]"),
    ("[environment.set]\nA = '1'", "[environment.set]\nA = '2'\nB = '3'", "environment.set", '{ A = "1", B = "3" }'),
    ("[session]\nwait = false", "[session]\nwait = true", "session.wait", "false"),
]


def shown(configuration, name):
    return next(row.value for row in configuration.show() if row.name == name)


@pytest.mark.parametrize(("text", "name", "value"), UNTRUSTED)
def test_a_project_may_only_tighten(user, text, name, value):
    user.project(text)
    assert shown(user.configuration(), name) == value


@pytest.mark.parametrize(("text", "name", "value"), TRUSTED)
def test_a_trusted_project_may_loosen_some_keys_and_others_never(user, text, name, value):
    user.project(text)
    configuration = user.configuration()
    trust(configuration, project_of(configuration))
    assert shown(configuration, name) == value


@pytest.mark.parametrize(("managed", "own", "name", "value"), MANAGED)
def test_the_managed_files_word_stands(user, only_root, managed, own, name, value):
    user.managed(managed)
    user.write(own)
    assert shown(user.configuration(), name) == value


def test_a_trusted_project_does_not_overrule_the_user(user):
    user.write("[limits]\noutput_bytes = '1MiB'\nspill_bytes = '1MiB'\n")
    user.project("[limits]\noutput_bytes = '1GiB'\nspill_bytes = 0\n")
    configuration = user.configuration()
    trust(configuration, project_of(configuration))
    assert shown(configuration, "limits.output_bytes") == '"1MiB"'
    assert shown(configuration, "limits.spill_bytes") == "0"


def test_entries_of_all_layers_count_together(user):
    user.write("coreTools = ['run_shell_command(u)']\n")
    user.project(LISTS)
    assert user.entries() == {
        ("allow", "run_shell_command(u)"), ("deny", "run_shell_command(d)"), ("ask", "run_shell_command(q)"),
    }  # fmt: skip
    configuration = user.configuration()
    trust(configuration, project_of(configuration))
    assert ("allow", "run_shell_command(a)") in user.entries()


def test_what_a_project_says_in_vain_is_told_with_its_place(user):
    path = user.project(
        "[audit]\nrequired = false\n[limits]\noutput_bytes = '1GiB'\n[session]\nmax_age = '9d'\n"
        "[[rules]]\ndecision='allow'\ncommand='x'\n"
    )
    notices = user.configuration().notices()
    assert any(each.startswith(f"{path}:2: audit.required is never read") for each in notices)
    assert any(each.startswith(f"{path}:4: limits.output_bytes") and "asimi trust" in each for each in notices)
    assert any(each.startswith(f"{path}:6: session.max_age") for each in notices)
    assert any(each.startswith(f"{path}:7: run_shell_command(x)") and "asimi trust" in each for each in notices)


def test_a_broken_project_file_stops_everything(user):
    path = user.project("excludeTool = []")
    with pytest.raises(ConfigError) as told:
        user.settings()
    assert told.value.path == str(path)


def test_every_file_on_the_way_up_to_version_control_tightens(user):
    (user.root / ".git").mkdir()
    user.project("excludeTools = ['run_shell_command(top)']\ncoreTools = ['run_shell_command(x)']")
    user.project("excludeTools = ['run_shell_command(mid)']\ncoreTools = ['run_shell_command(y)']", "sub")
    user.write("excludeTools = ['run_shell_command(above)']", user.root.parent / ".asimi" / "config.toml")
    deep = user.root / "sub" / "deep"
    deep.mkdir()
    assert user.entries(root=deep) == {("deny", "run_shell_command(top)"), ("deny", "run_shell_command(mid)")}


@pytest.mark.parametrize("kind", ["file", "link", "dangling"])
def test_what_only_points_at_version_control_does_not_end_the_search(user, kind):
    (user.root / ".git").mkdir()
    user.project("excludeTools = ['run_shell_command(top)']")
    deep = user.root / "sub" / "deep"
    deep.mkdir(parents=True)
    if kind == "file":
        (deep / ".git").write_text("gitdir: /nowhere\n")
    else:
        (deep / ".git").symlink_to(user.root / ".git" if kind == "link" else "nowhere")
    assert user.entries(root=deep) == {("deny", "run_shell_command(top)")}


def test_a_trusted_file_loosens_only_where_its_directory_is_the_root(user):
    user.project(LISTS)
    configuration = user.configuration()
    trust(configuration, project_of(configuration))
    sub = user.root / "sub"
    sub.mkdir()
    assert ("allow", "run_shell_command(a)") in user.entries()
    assert user.entries(root=sub) == {("deny", "run_shell_command(d)"), ("ask", "run_shell_command(q)")}


def test_the_search_ends_at_the_home(tmp_path):
    home = tmp_path / "home"
    root = home / "a" / "b"
    root.mkdir(parents=True)
    assert list(project_files(str(root), str(home))) == [
        str(each / ".asimi" / "config.toml") for each in (root, root.parent, home)
    ]


def test_outside_of_a_home_a_directory_that_everybody_may_write_is_passed_over(tmp_path):
    shared = tmp_path / "shared"
    root = shared / "project"
    root.mkdir(parents=True)
    shared.chmod(0o1777)
    files = project_files(str(root), "/nowhere")
    assert files[0] == str(root / ".asimi" / "config.toml")
    assert str(shared / ".asimi" / "config.toml") not in files


def test_a_managed_file_must_be_roots_and_closed_to_others(user, only_root):
    path = user.managed("unlisted = 'reject'")
    assert user.settings().policy.terms.unlisted.word == "deny"
    path.chmod(0o664)
    with pytest.raises(ConfigError, match="root"):
        user.settings()
    path.chmod(0o644)
    path.parent.chmod(0o775)
    with pytest.raises(ConfigError, match="root"):
        user.settings()
    path.parent.chmod(0o755)
    os.chown(path, 12345, 0)
    with pytest.raises(ConfigError, match="root"):
        user.settings()


def test_a_managed_file_of_somebody_else_is_an_error(user):
    if os.geteuid() == 0:
        pytest.skip("root owns what it makes")
    user.managed("unlisted = 'ask'")
    with pytest.raises(ConfigError, match="root"):
        user.settings()


def test_relative_directories_of_a_project_are_the_projects(user):
    user.project("[[rules]]\ndecision = 'deny'\ncommand = 'x'\ndirectory = 'sub'\n")
    assert user.configuration().rules()[0].directory == str(user.root / "sub")


def test_names_that_commands_inherit_reach_the_policy(user):
    user.write("[environment]\ndrop = ['SECRET']\nset = { ADDED = '1' }")
    settings = user.settings(environ={"SECRET": "x", "KEPT": "y", "BASH_ENV": "z"})
    assert set(settings.policy.terms.exported) == {"KEPT", "ADDED", "ASIMI_CLI"}


def test_a_projects_file_that_is_named_counts_once(user):
    """`--config .asimi/config.toml`, in CI: it is the person's choice, and its directories are the project's."""
    file = user.project(
        "coreTools = ['run_shell_command(a)']\n[[rules]]\ndecision = 'deny'\ncommand = 'b'\ndirectory = 'x'"
    )
    configuration = user.configuration(file=file)
    assert configuration.files() == (("user", str(file)),)
    assert configuration.notices() == ()
    assert [rule.directory for rule in configuration.rules()] == [None, str(user.root / "x")]


def test_a_projects_file_lets_nothing_out_of_a_box(user):
    user.project("[[rules]]\ndecision = 'allow'\ncommand = 'git push'\noutside = true\n")
    configuration = user.configuration()
    trust(configuration, project_of(configuration))
    assert configuration.settings().policy.rules == ()
    assert "a rule with outside is never read from a project's file; it belongs in your own" in str(
        configuration.notices()
    )
