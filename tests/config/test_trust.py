"""Trust: exactly this content at this real path, kept where no project can write."""

import json
import shutil
import time

import pytest

from asimi.core.errors import AsimiError, ConfigError
from asimi.world.config.projects import ProjectStore, project_of, trust, untrust

LOOSE = "coreTools = ['run_shell_command(evil)']\n"
ALLOWED = {("allow", "run_shell_command(evil)")}


def trusted(user, text=LOOSE):
    user.project(text)
    configuration = user.configuration()
    trust(configuration, project_of(configuration))
    return configuration


def test_a_file_counts_once_it_is_trusted(user):
    user.project(LOOSE)
    configuration = user.configuration()
    project = project_of(configuration)
    assert (project.text, project.loosens, project.trusted) == (LOOSE, True, False)
    assert configuration.rules() == ()
    trust(configuration, project)
    assert [rule.entry for rule in configuration.rules()] == ["run_shell_command(evil)"]
    assert project_of(configuration).trusted


def test_a_file_that_only_tightens_needs_no_trust(user):
    user.project("excludeTools = ['run_shell_command(x)']")
    assert project_of(user.configuration()).loosens is False


def test_without_a_file_there_is_nothing_to_trust(user):
    assert project_of(user.configuration()) is None
    assert untrust(user.configuration()) is False


def test_any_change_ends_the_trust(user):
    trusted(user)
    user.project(LOOSE + "# a comment\n")
    assert user.entries() == set()
    user.project(LOOSE)
    assert user.entries() == ALLOWED


def test_the_content_that_was_shown_is_trusted_and_no_other(user):
    user.project(LOOSE)
    configuration = user.configuration()
    project = project_of(configuration)
    user.project("coreTools = ['run_shell_command']")
    trust(configuration, project)
    assert configuration.rules() == ()


def test_what_was_trusted_is_kept_to_show_the_change(user):
    configuration = trusted(user)
    assert (project_of(configuration).before, configuration.trust_notice()) == (None, "")
    user.project("")
    before = project_of(configuration).before
    assert (before.text, 0 <= time.time() - before.since < 60) == (LOOSE, True)
    assert configuration.notices() == (configuration.trust_notice(),)
    assert "has changed since you trusted it" in configuration.trust_notice()
    untrust(configuration)
    assert (project_of(configuration).before, configuration.trust_notice(), configuration.notices()) == (None, "", ())


def test_what_a_changed_file_would_allow_is_said_to_have_changed(user):
    trusted(user)
    user.project(LOOSE + "unlisted = 'sandbox'\n")
    first, *others = user.configuration().notices()
    assert "has changed since" in first
    assert [each.count("does not count since this file has changed") for each in others] == [1] * len(others)


def test_a_trust_of_the_first_format_counts_and_has_no_content(user):
    configuration = trusted(user)
    path = user.state / "trust.json"
    old = json.loads(path.read_text())
    assert old["version"] == 2
    del old["files"][project_of(configuration).path]["text"]
    path.write_text(json.dumps(old | {"version": 1}))
    assert user.entries() == ALLOWED
    user.project("")
    assert project_of(user.configuration()).before.text == ""


def test_a_bounded_number_of_contents_is_kept_the_last_ones(user):
    store = ProjectStore(str(user.state))
    for number in range(8):
        store.trust(f"/{number}", str(number) * 50_000)
    assert [len(store.trust_of(f"/{number}").text) for number in range(8)] == [0, 0, 0, *[50_000] * 5]
    assert all(store.trusts(f"/{number}", str(number).encode() * 50_000) for number in range(8))
    assert (user.state / "trust.json").stat().st_mode & 0o777 == 0o600


def test_trust_is_taken_back(user):
    configuration = trusted(user)
    assert untrust(configuration) is True
    assert configuration.rules() == ()
    assert untrust(configuration) is False


def test_the_same_content_elsewhere_is_not_trusted(user):
    trusted(user)
    other = user.root.with_name("other")
    shutil.copytree(user.root, other)
    assert user.entries(root=other) == set()


def test_a_directory_with_another_name_is_not_trusted(user):
    trusted(user)
    other = user.root.rename(user.root.with_name("renamed"))
    assert user.entries(root=other) == set()


def test_a_link_to_a_trusted_file_is_not_trusted(user):
    trusted(user)
    other = user.root.with_name("other")
    (other / ".asimi").mkdir(parents=True)
    (other / ".asimi" / "config.toml").symlink_to(user.root / ".asimi" / "config.toml")
    assert user.entries(root=other) == set()
    with pytest.raises(AsimiError, match="symbolic link"):
        trust(user.configuration(root=other), project_of(user.configuration(root=other)))


def test_a_link_to_a_trusted_directory_is_not_trusted(user):
    trusted(user)
    other = user.root.with_name("other")
    other.mkdir()
    (other / ".asimi").symlink_to(user.root / ".asimi")
    assert user.entries(root=other) == set()


def test_a_git_file_that_points_at_a_trusted_project_lends_nothing(user):
    (user.root / ".git").mkdir()
    trusted(user)
    other = user.root.with_name("other")
    (other / ".asimi").mkdir(parents=True)
    (other / ".git").write_text(f"gitdir: {user.root}/.git\n")
    (other / ".asimi" / "config.toml").write_text(LOOSE)
    assert user.entries(root=other) == set()


def test_a_project_reached_through_a_link_is_the_same_project(user):
    trusted(user)
    link = user.root.with_name("link")
    link.symlink_to(user.root)
    assert user.entries(root=link) == ALLOWED


@pytest.mark.parametrize("name", ["config.approved.toml", "trust.json", "projects/x.toml", "state/trust.json"])
def test_files_of_a_project_that_look_like_asimis_own_are_never_read(user, name):
    user.project("")
    user.write("version = 1\ncoreTools = ['run_shell_command']\n", user.root / ".asimi" / name)
    assert user.entries() == set()


def test_a_trust_file_that_others_may_enter_is_refused(user):
    trusted(user)
    (user.state / "trust.json").chmod(0o644)
    with pytest.raises(ConfigError, match="chmod 600"):
        user.settings()
    (user.state / "trust.json").chmod(0o600)
    user.state.chmod(0o755)
    with pytest.raises(ConfigError, match="chmod 700"):
        user.settings()


def test_a_trust_file_that_is_a_link_is_refused(user, tmp_path):
    trusted(user)
    (user.state / "trust.json").rename(tmp_path / "elsewhere.json")
    (user.state / "trust.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(ConfigError, match="symbolic link"):
        user.settings()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 1}', '{"version": 1, "files": 3}'])
def test_a_trust_file_that_is_none_is_told(user, text):
    trusted(user)
    (user.state / "trust.json").write_text(text)
    with pytest.raises(ConfigError, match=r"trust\.json"):
        user.settings()


def test_a_trust_file_of_a_newer_version_names_it(user):
    trusted(user)
    (user.state / "trust.json").write_text('{"version": 3, "files": {}}')
    with pytest.raises(ConfigError, match="version 3"):
        user.settings()


def test_trust_is_private(user):
    trusted(user)
    assert oct((user.state / "trust.json").stat().st_mode & 0o777) == "0o600"
    assert oct(user.state.stat().st_mode & 0o777) == "0o700"
