"""A rule by effect allows what is known to do no more, and forbids what does, or may do, some of it."""

import pytest

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy
from asimi.core.judging.rules import Rule, rule_of

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY
PLACE = Place("/project", "/project", inside=True)


def by(verdict, *effects, words=()):
    """A rule by effect."""
    return Rule(verdict, None, tuple((word,) for word in words), " ".join(effects), effects=effects)


def verdict(command, *rules):
    return Policy(rules).decide(Request("run_shell_command", command, None, PLACE)).verdict


READ, WRITE, DELETES = by(ALLOW, "read"), by(ALLOW, "read", "write"), by(DENY, "delete")


@pytest.mark.parametrize(
    ("expected", "command", "rules"),
    [
        (ALLOW, "ls -la", [READ]),
        (ALLOW, "/bin/ls -la", [READ]),
        (ALLOW, "basename x", [READ]),
        (ALLOW, "ls && stat x", [READ]),
        (ASK, "./ls -la", [READ]),
        (ASK, "ls --unknown", [READ]),
        (ASK, "frobnicate", [READ]),
        (ASK, "touch x", [READ]),
        (ALLOW, "touch x", [WRITE]),
        (ASK, "rm x", [WRITE]),
        (ALLOW, "find . -name x", [READ]),
        (ASK, "find . -delete", [WRITE]),
        (ALLOW, "find . -fprint list", [WRITE]),
        (ASK, "find . -exec rm {} +", [WRITE]),
        (ASK, "ls > file", [READ]),
        (ASK, "ls() { rm x; }; ls", [READ]),
        (ASK, "alias ls=rm; ls", [READ]),
        (ASK, "PATH=. ls", [READ]),
        (ALLOW, "touch x", [by(ALLOW, "write", words=("touch",))]),
        (ASK, "mkdir x", [by(ALLOW, "write", words=("touch",))]),
        (DENY, "rm x", [READ, DELETES]),
        (DENY, "sudo rm x", [DELETES, rule_of("run_shell_command", ALLOW)]),
        (DENY, "bash -c 'rm x'", [DELETES, rule_of("run_shell_command", ALLOW)]),
        (DENY, "find . -delete", [DELETES, rule_of("run_shell_command", ALLOW)]),
        (DENY, "ls; find . -exec find . -delete ';'", [DELETES, rule_of("run_shell_command", ALLOW)]),
        (ALLOW, "ls", [DELETES, rule_of("run_shell_command", ALLOW)]),
        (ASK, "frobnicate", [DELETES, rule_of("run_shell_command", ALLOW)]),
        (ASK, "frobnicate", [DELETES, rule_of("run_shell_command(frobnicate)", ALLOW)]),
        (ASK, "cp x y", [by(ASK, "write"), rule_of("run_shell_command(cp)", ALLOW)]),
        (ALLOW, "ls", [by(ASK, "write"), rule_of("run_shell_command(ls)", ALLOW)]),
        # an effect covers its kinds; a kind allows nothing else, and forbids what the catalogue knows as it
        (ALLOW, "kill 5", [by(ALLOW, "system")]),
        (ALLOW, "kill 5", [by(ALLOW, "system.process")]),
        (ASK, "systemctl restart x", [by(ALLOW, "system.process")]),
        (ASK, "ldconfig", [by(ALLOW, "system.process")]),
        (ASK, "sudo kill 5", [by(ALLOW, "system.process")]),
        (ALLOW, "sudo kill 5", [by(ALLOW, "system.process", "system.root")]),
        (ASK, "touch x", [by(ALLOW, "write.permission")]),
        (ALLOW, "chmod +x x", [by(ALLOW, "write.permission")]),
        (ALLOW, "chmod +x x", [by(ALLOW, "write")]),
        (ALLOW, "git commit -m x", [by(ALLOW, "read", "write.repository")]),
        (ASK, "git commit -m x > f", [by(ALLOW, "read", "write.repository")]),
        (ASK, "git rebase x", [by(ALLOW, "read", "write.repository")]),
        (ALLOW, "ssh h", [by(ALLOW, "network.remote")]),
        (ASK, "curl x", [by(ALLOW, "network.remote")]),
        (ASK, "npm install", [by(ALLOW, "network", "system.install")]),  # what it does besides is not the kind's
        (ALLOW, "python3 -c 'import x'", [by(ALLOW, "code")]),
        (ASK, "python3 x.py", [by(ALLOW, "code.given", "read")]),
        (ASK, "parted -l", [by(ALLOW, "system.disk", "system")]),  # what it may do is not all that it does
        (DENY, "git push -f", [by(DENY, "delete.history"), rule_of("run_shell_command", ALLOW)]),
        (ALLOW, "git push", [by(DENY, "delete.history"), rule_of("run_shell_command", ALLOW)]),
        (ALLOW, "rm x", [by(DENY, "delete.history"), rule_of("run_shell_command", ALLOW)]),
        (DENY, "git push -f", [DELETES, rule_of("run_shell_command", ALLOW)]),
        (DENY, "git reset --hard", [DELETES, rule_of("run_shell_command", ALLOW)]),
        (ASK, "apt-get install x", [by(ASK, "system"), rule_of("run_shell_command", ALLOW)]),
        (ASK, "apt-get install x", [by(ASK, "system.install"), rule_of("run_shell_command", ALLOW)]),
        (ASK, "frobnicate", [by(DENY, "system.install"), rule_of("run_shell_command", ALLOW)]),
        (ASK, "parted -l", [by(DENY, "system.disk"), rule_of("run_shell_command", ALLOW)]),
    ],
)
def test_verdict(expected, command, rules):
    assert verdict(command, *rules) is expected


def test_what_is_not_known_is_said():
    policy = Policy([DELETES, rule_of("run_shell_command", ALLOW)])
    decision = policy.decide(Request("run_shell_command", "frobnicate x", None, PLACE))
    assert "asimi does not know what `frobnicate x` does" in decision.reasons[0].message
