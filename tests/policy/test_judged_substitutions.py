"""With `shell.substitution = "judge"` commands in substitutions are judged, and the call is asked about at least."""

import pytest

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy
from asimi.core.judging.rules import rule_of

JUDGED = """
ask	echo $(ls)	its commands are listed
ask	echo `ls`	also between backquotes
ask	cat <(ls)	also in a process substitution
ask	echo $(id)	what is not listed is asked about anyway
deny	echo $(rm x)	what is forbidden is denied inside
deny	echo $(echo `rm x`)	however deep
deny	cat <<$(ls)⏎x⏎$(ls)	one in a delimiter cannot be judged
deny	x='a[$(ls)]'; echo $((x))	nor can one that a second evaluation executes
deny	echo "${x@P}"	nor the value of a variable
"""


@pytest.mark.parametrize("line", JUDGED.strip().splitlines())
def test_judged(line):
    verdict, command, why = line.split("\t")
    listed = [rule_of(f"run_shell_command({name})", Verdict.ALLOW) for name in ("echo", "ls", "cat")]
    policy = Policy([*listed, rule_of("run_shell_command(rm)", Verdict.DENY)], substitution="judge")
    request = Request("run_shell_command", command.replace("⏎", "\n"), None, Place("/p", "/p", inside=True))
    decision = policy.decide(request)
    assert decision.verdict.word == verdict, why
    assert decision.substitution
    assert not decision.offers
