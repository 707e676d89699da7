"""What a box would be, as data: what is writable, hidden, held and handed in."""

import os

import pytest

from asimi.world.box.repositories import DEEPEST, directories_of


@pytest.fixture(scope="module")
def laid_out(yard):
    """The layout for Codex in a home with this and that."""
    home = yard.home
    for path in (".ssh/id_rsa", "letters/one", "tools/bin/x", "src/other", ".codex/auth.json", ".cache/pip/x"):
        yard.write(home / path)
    environ = {"PATH": f"{home}/tools/bin:/usr/bin:/bin", "GITHUB_TOKEN": "x", "EDITOR": "vi", "TMUX": "x"}
    return yard.layout(agent="codex", environment=environ | {"OPENAI_API_KEY": "sk-1", "COLORTERM": "truecolor"})


def test_the_project_and_the_agents_state_are_writable(yard, laid_out):
    assert laid_out["writable"] == [str(yard.root), f"{yard.home}/.codex"]


def test_keys_and_closed_directories_are_hidden(yard, laid_out):
    home = str(yard.home)
    assert {f"{home}/.ssh", f"{home}/letters", f"{home}/src"} <= set(laid_out["hidden"])
    assert f"{home}/.local/state/asimi" in laid_out["hidden"]


def test_what_path_leads_to_and_the_agents_login_are_not(yard, laid_out):
    assert not {f"{yard.home}/tools", f"{yard.home}/.codex/auth.json"} & set(laid_out["hidden"])


def test_settings_and_what_runs_by_itself_are_read_only(yard, laid_out):
    names = {f"{yard.home}/.codex/{each}" for each in ("config.toml", "hooks.json", "skills", "rules")}
    names |= {f"{yard.root}/{each}" for each in (".git/hooks", ".git/config", ".envrc", ".vscode", ".claude")}
    assert names <= set(laid_out["read_only"])
    assert f"{yard.root}/.git" not in laid_out["read_only"]


def test_submodules_of_submodules_are_found_up_to_a_depth(tmp_path):
    at, many = tmp_path / ".git", DEEPEST // 2  # each name has a slash
    for name in ["modules/a/b"] * many + ["modules/c"] * 2 + ["modules/d/e"]:
        at /= name
        at.mkdir(parents=True)
        (at / "HEAD").touch()
    found = [*directories_of(f"{tmp_path}/.git")]
    assert found[many].endswith("/modules/a/b")
    assert found[-1].endswith("/modules/c/modules/c")  # nobody looks on through directories without end


def test_the_hook_is_an_administrators_in_the_box_only(laid_out):
    own = {
        "/etc/codex/requirements.toml",
        *map(os.path.realpath, ("/etc/resolv.conf", "/etc/hosts")),
    }  # and its own names
    assert set(laid_out["only_in_the_box"]) == own


def test_the_environment_holds_no_secret_but_the_agents_own(laid_out):
    values = laid_out["values"]
    assert (values["EDITOR"], values["COLORTERM"], values["OPENAI_API_KEY"]) == ("vi", "truecolor", "sk-1")
    assert not {"GITHUB_TOKEN", "TMUX", "SSH_AUTH_SOCK"} & values.keys()
    assert (values["ASIMI_BOX"], values["TMPDIR"]) == ("/run/asimi", "/tmp")
    assert values["NPM_CONFIG_UPDATE_NOTIFIER"] == "false"  # which asks the network what nobody wanted to know


def test_a_directory_can_be_shown_and_another_be_written(yard):
    (yard.home / "letters").mkdir(exist_ok=True)
    yard.own()
    said = yard.layout(read=[f"{yard.home}/letters"], write=[str(yard.outside)])
    assert f"{yard.home}/letters" not in said["hidden"]
    assert str(yard.outside) in said["writable"]


@pytest.mark.parametrize("write", ["/", "/usr", "/nowhere", "{home}", "{home}/.local/state"])
def test_nobody_opens_these(yard, write):
    assert "cannot be set up" in yard.layout(write=[write.format(home=yard.home)])


def test_shared_caches_are_the_persons(yard):
    yard.write(yard.home / ".cache/pip/x")
    said = yard.layout(box={"caches": "shared"})
    assert said["caches"] == "shared"
    assert f"{yard.home}/.cache" in said["writable"]
    assert f"{yard.home}/.cache/asimi" in said["read_only"]


def test_a_variable_can_be_handed_in(yard):
    said = yard.layout(environment={"NPM_TOKEN": "x"}, box={"environment": ["NPM_TOKEN"]})
    assert said["values"]["NPM_TOKEN"] == "x"


@pytest.mark.parametrize(
    "agent", "claude-code codex gemini-cli qwen-code copilot-cli opencode cursor antigravity".split()
)
def test_each_agent_has_a_layout_that_says_how_it_was_tried(yard, agent):
    said = yard.layout(agent=agent)
    assert said["agent"] == agent
    assert said["tried"]
    assert said["title"]
