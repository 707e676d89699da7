"""`[sandbox]` and `sandbox` of a rule: what they may say, who may say it, and what a machine cannot keep."""

import pytest

from asimi.core.call import Sandbox
from asimi.core.errors import ConfigError
from asimi.world.config import Configuration
from asimi.world.executors.confining.ability import unkept


def sandbox(user):
    return user.settings().policy.terms.sandbox


def test_nothing_holds_by_default(user):
    assert sandbox(user) == Sandbox()


def test_all_of_it(user):
    user.write(
        '[sandbox]\nmode = "read-only"\nwritable = ["build", "~/x"]\nnetwork = "none"\nsockets = true\n'
        'backend = "bubblewrap"\nhidden = ["~/.ssh"]\nprotected = [".git/hooks"]\n'
    )
    wanted = Sandbox("read-only", ("build", "~/x"), "none", True, "bubblewrap", ("~/.ssh",), (".git/hooks",))
    assert sandbox(user) == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('mode = "on"', ':2: sandbox.mode must be "off" or "project" or "read-only"'),
        ('network = "some"', ':2: sandbox.network must be "full" or "named" or "none"'),
        ('sockets = "no"', ":2: sandbox.sockets must be true or false"),
        ('writable = "."', ":2: sandbox.writable must be an array of paths"),
        ('writable = ["."\n, ""]', ":3: sandbox.writable '' is not a path"),
        ('writable = ["~other/x"]', ":2: sandbox.writable '~other/x' is not a path"),
        ('hidden = ["~/.ssh/*"]', ":2: sandbox.hidden '~/.ssh/*' is a pattern: name the file or directory itself"),
        ('protected = ["a?"]', ":2: sandbox.protected 'a?' is a pattern"),
        ('hidden = ["$HOME/.ssh"]', ":2: sandbox.hidden '$HOME/.ssh' is a variable, which is not looked up"),
    ],
)
def test_a_wrong_value_is_named(user, text, said):
    user.write(f"[sandbox]\n{text}\n")
    with pytest.raises(ConfigError) as error:
        user.settings()
    assert said in str(error.value).replace("[0] ", "").replace("[1] ", "")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('decision = "deny"\nsandbox = "project"', "sandbox is for decision = "),
        ('decision = "allow"\nsandbox = "off"', 'sandbox must be "project" or "read-only"'),
        ('decision = "allow"\nsandbox = true', 'sandbox must be "project" or "read-only"'),
    ],
)
def test_a_wrong_rule_is_named(user, table, said):
    user.write(f'[[rules]]\ncommand = "make"\n{table}\n')
    with pytest.raises(ConfigError, match=r":4: .*" + said):
        user.settings()


def test_a_project_only_tightens(user):
    user.write('[sandbox]\nmode = "project"\nnetwork = "none"\nsockets = false\n')
    user.project('[sandbox]\nmode = "off"\nnetwork = "full"\nsockets = true\nwritable = ["/"]\n')
    assert sandbox(user) == Sandbox("project", network="none")
    notices = "".join(user.configuration().notices())
    assert "sandbox.writable is never read from a project's file" in notices
    user.write("")
    assert "sandbox.network can only be made stricter" not in "".join(user.configuration().notices())
    user.project('[sandbox]\nmode = "read-only"\nsockets = true\n')
    assert "sandbox.sockets can only be made stricter" in "".join(user.configuration().notices())
    assert sandbox(user).mode == "read-only"


@pytest.mark.parametrize(
    ("own", "project", "network", "auto"),
    [
        ("full", "named", "named", "none"),
        ("full", "none", "none", "none"),
        ("named", "full", "named", "named"),
        ("named", "none", "none", "none"),
        ("none", "named", "none", "none"),
        ("", "named", "named", "none"),
        ("named", "", "named", "named"),
    ],
)
def test_the_strictest_network_holds_and_a_project_opens_none(user, own, project, network, auto):
    user.write('unlisted = "sandbox"\n[sandbox]\n' + (f'network = "{own}"\n' if own else ""))
    user.project("[sandbox]\n" + (f'network = "{project}"\n' if project else ""))
    asked = []
    configuration = user.configuration(unkept=lambda sandbox: asked.append(sandbox) or "")
    assert configuration.settings().policy.terms.sandbox.network == network
    assert [each.network for each in asked] == [auto]


def test_the_network_by_name_needs_bubblewrap(user):
    assert unkept(Sandbox("project", network="named", backend="landlock")).startswith("`network` by name needs ")
    user.write('[sandbox]\nmode = "project"\nbackend = "landlock"\nnetwork = "named"\n')
    with pytest.raises(ConfigError, match=r":4: this sandbox cannot be kept here: `network` by name needs bubblewrap"):
        user.configuration(unkept=unkept).settings()


def test_a_project_hides_and_protects_more(user):
    user.write('[sandbox]\nhidden = ["~/.ssh"]\n')
    user.project('[sandbox]\nhidden = ["keys"]\nprotected = [".git"]\nbackend = "landlock"\n')
    assert sandbox(user) == Sandbox(hidden=("~/.ssh", "keys"), protected=(".git",))


def test_an_option_only_tightens(user):
    def mode(least):
        return (
            Configuration(user.places, str(user.root), environ=dict, least=least).settings().policy.terms.sandbox.mode
        )

    assert [mode("off"), mode("project")] == ["off", "project"]
    user.write('[sandbox]\nmode = "read-only"\n')
    assert [mode("off"), mode("project")] == ["read-only", "read-only"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[sandbox]\nmode = "project"\n', 2),
        ('[[rules]]\ndecision = "allow"\ncommand = "make"\nsandbox = "project"\n', 1),
        ('\nunlisted = "sandbox"\n', 2),
    ],
)
def test_what_this_machine_cannot_keep_is_an_error(user, text, line):
    user.write(text)
    configuration = Configuration(user.places, str(user.root), environ=dict, unkept=lambda _: "it needs a moon")
    with pytest.raises(ConfigError) as error:
        configuration.settings()
    assert str(error.value) == f"{user.file}:{line}: this sandbox cannot be kept here: it needs a moon"


@pytest.mark.parametrize(("key", "line"), [("hidden", 3), ("writable", 2)])
def test_the_line_of_the_key_at_fault_is_named(user, key, line):
    user.write('[sandbox]\nmode = "project"\nhidden = ["x"]\n')
    configuration = user.configuration(unkept=lambda _: f"`{key}` needs a moon")
    with pytest.raises(ConfigError, match=f":{line}: this sandbox cannot be kept here: `{key}` needs a moon"):
        configuration.settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[sandbox]\nhidden = ["x"]\n', ["2: sandbox.hidden has no effect"]),
        ('[sandbox]\nnetwork = "none"\n[[rules]]\ndecision = "allow"\ncommand = "make"\nsandbox = "project"\n', []),
        ('[sandbox]\nmode = "project"\nhidden = ["x"]\n', []),
        (
            '[sandbox]\nmode = "project"\nwritable = [".", "no"]\n',
            ["3: the directory 'no' of sandbox.writable is not there"],
        ),
        ('[shell]\nenforce = "exec"\n', ["2: shell.enforce has no effect"]),
        ('excludeTools = ["run_shell_command(git push)"]\n[shell]\nenforce = "exec"\n', []),
    ],
)
def test_what_holds_nothing_is_told(user, text, said):
    user.write(text)
    told = user.configuration().idle()
    assert [each.startswith(f"{user.file}:{one}") for each, one in zip(told, said, strict=True)] == [True] * len(said)


def test_the_option_is_shown_as_what_holds(user):
    def shown(least):
        return [row[1:] for row in user.configuration(least=least).show() if row.name == "sandbox.mode"]

    assert [shown("off"), shown("project")] == [[('"off"', "default")], [('"project"', "--sandbox")]]
    user.write('[sandbox]\nmode = "read-only"\n')
    assert shown("project") == [('"read-only"', f"{user.file}:2")]


def test_an_option_that_cannot_be_kept_is_an_error(user):
    given = {"environ": dict, "least": "project", "unkept": lambda _: "it needs a moon"}
    with pytest.raises(ConfigError, match=r"^this sandbox cannot be kept here: it needs a moon \(--sandbox\)$"):
        Configuration(user.places, str(user.root), **given).settings()


def test_what_is_not_asked_for_need_not_be_kept(user):
    user.write('[sandbox]\nnetwork = "none"\n')
    Configuration(user.places, str(user.root), environ=dict, unkept=lambda _: 1 / 0).settings()


def test_behind_an_agent_nothing_runs_that_should_be_held(user):
    user.write('coreTools = ["run_shell_command"]\n[sandbox]\nmode = "project"\n')
    configuration = Configuration(user.places, str(user.root), environ=dict, behind=True, unkept=lambda _: 1 / 0)
    with pytest.raises(ConfigError, match=r":3: sandbox.mode = \"project\" cannot hold here, .* \(`asimi mcp`\), or"):
        configuration.settings()
