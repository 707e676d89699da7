"""`[hosts.NAME]` and `host` in a rule: what can be written, by whom, and where it holds."""

from __future__ import annotations

import pytest
from helpers.rules import add

from asimi.core.call import Verdict
from asimi.core.errors import ConfigError
from asimi.core.settings import Host, RemoteMachine
from asimi.world.config.projects import project_of, trust
from asimi.world.config.store import RuleStore

SSH = '[hosts.gpu1]\nreach = ["ssh", "gpu1"]\n'
THERE = RemoteMachine("gpu1", "/srv/x")


def test_a_host_is_read(user):
    user.write(SSH + 'root = "/srv/x"\nprogram = "asimi3"\ntrusted = true\npatience = "2m"\nanswer = 5\n')
    assert user.settings().hosts == (Host("gpu1", ("ssh", "gpu1"), "/srv/x", ("asimi3",), True, 120, 5),)
    user.write(SSH + 'program = ["python3", "-m", "asimi"]\n')
    assert user.settings().hosts == (Host("gpu1", ("ssh", "gpu1"), program=("python3", "-m", "asimi")),)
    user.write("")
    assert user.settings().hosts == ()


@pytest.mark.parametrize(
    ("program", "started"),
    [
        (["asimi"], "asimi"),
        (["python3", "-m", "asimi"], "python3 -P -m asimi"),
        (
            ["env", "X=1", "python3", "-X", "dev", "-Im", "asimi", "--color"],
            "env X=1 python3 -X dev -P -Im asimi --color",
        ),
        (["python3", "-masimi", "--verbose"], "python3 -P -masimi --verbose"),
        (["python3", "/opt/asimi.pyz"], "python3 /opt/asimi.pyz"),
        (["python3", "-m", "asimilate"], "python3 -m asimilate"),
    ],
)
def test_asimi_as_a_module_is_taken_from_no_directory(program, started):
    assert " ".join(Host("gpu1", ("ssh", "gpu1"), program=tuple(program)).words) == f"ssh gpu1 {started} executor"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("hosts = 3", 1, "must be tables, each under its own [hosts.NAME]"),
        ("[hosts]\ngpu1 = 3", 1, "must be tables, each under its own [hosts.NAME]"),
        ('[hosts."../x"]\nreach = ["ssh"]', 1, "the name of a host must be letters, digits"),
        ('[hosts."a\\nb"]\nreach = ["ssh"]', None, r"not 'a\nb'"),
        ('[hosts.""]\nreach = ["ssh"]', 1, "the name of a host must be"),
        (f"[hosts.{'x' * 65}]\nreach = ['ssh']", 1, "64 at most"),
        ("[hosts.x]\n", 1, 'a host needs reach: what starts a program there, such as ["ssh", "gpu1"]'),
        ("[hosts.x]\nreach = 'ssh x'", 2, "must be an array of words"),
        ("[hosts.x]\nreach = []", 2, "must begin with a program"),
        ("[hosts.x]\nreach = ['']", 2, "must begin with a program"),
        ('[hosts.x]\nreach = ["a\\u0000"]', 2, "no word can contain NUL"),
        ("[hosts.x]\nreach = ['a']\nroot = ''", 3, "must be the path of a directory there"),
        ("[hosts.x]\nreach = ['a']\ntrusted = 'yes'", 3, "must be true or false"),
        ("[hosts.x]\nreach = ['a']\nprogram = 3", 3, "must be an array of words"),
        ("[hosts.x]\nreach = ['a']\npatience = 0", 3, "must be from 1s to 1d"),
        ("[hosts.x]\nreach = ['a']\nanswer = 'soon'", 3, "must be a time"),
        ('[hosts.x]\nreach = ["a"]\n"\\u001b[31m" = 22', None, r"a host has no key '\x1b[31m'"),
        ("[hosts.x]\nreach = ['a']\nport = 22", 3, "a host has no key 'port'; its keys are reach, root, program"),
        ("[[rules]]\ndecision = 'deny'\ncommand = 'x'\nhost = '../x'", 4, "host must be letters, digits"),
        ("[[rules]]\ndecision = 'deny'\ncommand = 'x'\nhost = ''", 4, "host must be a string"),
        (
            "[[rules]]\ndecision = 'allow'\ncommand = 'x'\nhost = 'gpu1'\ndirectory = '~/x'",
            5,
            "directory must be absolute on a host",
        ),
    ],
)
def test_what_cannot_be_used_is_an_error_with_its_line(text, line, said, user):
    user.write(text)
    with pytest.raises(ConfigError) as fault:
        user.settings()
    assert said in fault.value.message
    assert line is None or fault.value.line in {line, line + 1}  # of a name with escapes, it is not known
    assert fault.value.message.isprintable()


def test_the_administrators_host_wins_and_others_are_added(user, only_root):
    user.managed('[hosts.gpu1]\nreach = ["theirs"]\n')
    user.write(SSH + "trusted = true\n[hosts.gpu2]\nreach = ['mine']\n")
    hosts = {host.name: host for host in user.settings().hosts}
    assert hosts == {"gpu1": Host("gpu1", ("theirs",)), "gpu2": Host("gpu2", ("mine",))}


def test_a_projects_file_names_no_host_and_no_rule_for_one(user):
    user.write(SSH)
    user.project('[hosts.gpu2]\nreach = ["evil"]\n[[rules]]\ndecision = "deny"\ncommand = "x"\nhost = "gpu1"\n')
    configuration = user.configuration()
    assert [host.name for host in configuration.settings().hosts] == ["gpu1"]
    assert configuration.settings().policy.rules == ()
    assert [notice.partition(": ")[2] for notice in configuration.notices()] == [
        "hosts is never read from a project's file; it belongs in your own",
        "a rule with host is never read from a project's file; it belongs in your own",
    ]


def test_the_directory_of_a_rule_for_a_host_is_a_path_there(user, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    rule = f"[[rules]]\ndecision = 'allow'\ncommand = 'x'\ndirectory = '{tmp_path}/link/'\n"
    user.write(rule + "host = 'gpu1'\n" + rule)
    there, here = user.configuration().rules()
    assert (there.directory, here.directory) == (f"{tmp_path}/link", f"{tmp_path}/real")


def test_what_asimi_wrote_holds_on_this_machine_and_what_a_person_wrote_everywhere(user):
    user.write("coreTools = ['run_shell_command(a)']\n")
    configuration = user.configuration()
    add(configuration, "b", Verdict.ALLOW)
    add(configuration, "c", Verdict.DENY)
    hosts = {rule.entry: rule.host for rule in configuration.rules()}
    assert hosts == {"run_shell_command(a)": None, "run_shell_command(b)": "", "run_shell_command(c)": None}
    assert "host" not in user.approved.read_text()


def test_an_always_on_a_host_is_kept_for_it(user):
    user.write(SSH)
    configuration = user.configuration(there=THERE)
    rule = RuleStore(configuration).rule_for("npm test", Verdict.ALLOW, host="gpu1")
    RuleStore(configuration).remember((rule,))
    RuleStore(configuration).remember((rule,))
    assert user.approved.read_text().count('host = "gpu1"') == 1
    (again,) = user.configuration().rules()
    assert again._replace(source=None) == rule
    assert RuleStore(user.configuration()).remove_rule(again)
    assert user.configuration().rules() == ()


def test_the_entries_of_a_project_there_are_none_of_the_project_here(user):
    user.write(SSH)
    add(user.configuration(), "here", Verdict.ALLOW, project=True)
    there = user.configuration(there=THERE)
    assert (there.key, there.rules()) == ("gpu1:/srv/x", ())
    RuleStore(there).remember((RuleStore(there).rule_for("there", Verdict.ALLOW, host="gpu1"),), project=True)
    assert [rule.entry for rule in user.configuration().rules()] == ["run_shell_command(here)"]
    assert [rule.entry for rule in user.configuration(there=THERE).rules()] == ["run_shell_command(there) on gpu1"]
    assert user.configuration(there=THERE._replace(root="/srv/y")).rules() == ()


def test_a_trusted_project_here_allows_nothing_there(user):
    user.write(SSH)
    user.project("coreTools = ['run_shell_command(a)']\nexcludeTools = ['run_shell_command(b)']\n")
    configuration = user.configuration()
    trust(configuration, project_of(configuration))
    assert {rule.entry for rule in configuration.rules()} == {"run_shell_command(a)", "run_shell_command(b)"}
    assert {rule.entry for rule in user.configuration(there=THERE).rules()} == {"run_shell_command(b)"}


def test_a_host_that_is_gone_from_the_file_refuses(user):
    user.write(SSH)
    configuration = user.configuration(there=THERE)
    assert configuration.settings().policy.terms.untrusted_host == "gpu1"
    user.write(SSH.replace("gpu1", "gpu2"))
    with pytest.raises(ConfigError, match="no host 'gpu1' under \\[hosts\\]; there are gpu2"):
        user.configuration(there=THERE).settings()


def test_what_the_administrator_forbids_there_is_among_the_rules(user):
    from asimi.core.judging.rules import rule_of

    user.write(SSH + "trusted = true\n")
    deny = rule_of("run_shell_command(rm)", Verdict.DENY, "gpu1:/etc/asimi/config.toml:2")
    policy = user.configuration(there=THERE._replace(denies=(deny,))).settings().policy
    assert (policy.rules, policy.terms.untrusted_host) == ((deny,), "")
