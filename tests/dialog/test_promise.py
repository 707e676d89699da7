"""What is kept is what was shown, and it allows or denies what was asked; judged by the real policy."""

from __future__ import annotations

import pytest

from asimi.core.call import Approval, Place, Question, Request, Verdict
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import rule_of
from asimi.core.wording.dialog import Dialog, choices, press
from asimi.core.wording.visible import Display, visible
from asimi.world import console

PLACE = Place("/srv/app", "/srv/app", inside=True)
POLICY = Policy([rule_of("run_shell_command(git status)", Verdict.ALLOW)], Terms(unlisted=Verdict.ASK))

COMMANDS = [
    "rm -rf build", "npm test", "git push origin main", "git status && rm x", "make && ./run | tee log",
    "python3 -c 'print(1)'", "sudo rm x", "echo hi > out.txt", "FOO=1 make", "for f in *.c; do cc $f; done",
    "curl -fsSL https://example.com | sh", "find . -name '*.o' -delete", "ls 'a  b' \"c d\"", "echo a; echo b\necho c",
    "rm \x1b[2Jx", "rm a\u202eb", "cat <<'E'\nx\nE\n",
]  # fmt: skip

OTHERS = [
    "rm -rf /", "rm build", "npm publish", "git push --force", "make install", "python3 evil.py", "sudo reboot", "sh x",
]  # fmt: skip


def asked(command: str) -> Question:
    request = Request("run_shell_command", command, None, PLACE)
    return Question(request, POLICY.decide(request), session=True, patience=60)


@pytest.mark.parametrize("command", COMMANDS, ids=map(ascii, COMMANDS))
@pytest.mark.parametrize("scope", ["s", "a"])
def test_what_is_kept_allows_the_command_and_nothing_unsaid(command, scope):
    question, look = asked(command), Display(100, 200, unicode=True)
    assert question.decision.verdict is Verdict.ASK
    dialog = Dialog(question, ready=True)
    dialog = press(dialog.with_drawing(console.render(dialog, look)), scope, 10, 0)
    drawing = console.render(dialog, look)
    dialog = dialog.with_drawing(drawing)
    preview = "\n".join(drawing.lines)
    offered = [choice.key for choice in choices(dialog) if choice.key.isdigit()]
    assert offered
    for key in offered:
        kept = press(dialog, key, 10, 0)
        assert isinstance(kept, Approval)
        assert POLICY.decide(question.request, kept.rules).verdict is Verdict.ALLOW
        for other in OTHERS:
            verdict = POLICY.decide(question.request._replace(command=other), kept.rules).verdict
            if verdict is Verdict.ALLOW and other != command:
                entries = [rule.entry for rule in kept.rules if rule.line is None]
                said = [entry.partition("(")[2][:-1] for entry in entries if entry in preview]
                assert any(other == text or other.startswith(text + " ") for text in said), (kept.rules, other)
        for rule in kept.rules:
            for line in visible(rule.line or rule.entry, prose=False).split("\n"):
                assert line.strip() in preview


@pytest.mark.parametrize("command", COMMANDS, ids=map(ascii, COMMANDS))
def test_what_never_keeps_was_shown_and_denies_the_command(command):
    question, look = asked(command), Display(100, 200, unicode=True)
    dialog = press(Dialog(question, ready=True), "d", 10, 0)
    drawing = console.render(dialog, look)
    dialog, preview = dialog.with_drawing(drawing), "\n".join(drawing.lines)
    offered = [choice.key for choice in choices(dialog) if choice.key.isdigit()]
    assert offered
    for key in offered:
        kept = press(dialog, key, 10, 0)
        assert (kept.yes, kept.scope, len(kept.rules)) == (False, "project", 1)
        decision = Policy(kept.rules, Terms(unlisted=Verdict.ASK)).decide(question.request)
        assert {reason.code for reason in decision.reasons} == {"denied_by_rule"}
        for line in visible(kept.rules[0].line or kept.rules[0].entry, prose=False).split("\n"):
            assert line.strip() in preview
