"""`[wrappers]`: the command behind a named program is judged as well; naming one never hides what would start."""

import pytest

from asimi.core.call import Place, Request

LISTS = "coreTools = ['run_shell_command']\nexcludeTools = ['run_shell_command(rm)', 'run_shell_command(git push)']\n"

# what [wrappers] names, a text, its verdict
TABLE = [
    ("", "mytool run box rm x", "ask"),
    ("mytool run *", "mytool run box rm x", "deny"),
    ("mytool run *", "mytool run $box rm x", "deny"),
    ("mytool run *", "mytool run box ls", "allow"),
    ("mytool run *", "mytool stop box rm x", "ask"),
    ("npx", "/usr/bin/npx rm x", "deny"),
    ("docker exec *", "docker exec box rm x", "deny"),
    ("docker exec", "docker exec -it box rm x", "deny"),
    ("ssh", "ssh host rm x", "deny"),
    ("bash -c", "bash -c 'rm x'", "deny"),
    ("bash", "bash -c 'rm x'", "deny"),
    ("find", "find . -exec rm {} +", "deny"),
    ("xargs", "echo x | xargs rm", "deny"),
    ("sudo", "sudo -u me rm x", "deny"),
    ("git", "git push", "deny"),
    ("git *", "git push x", "deny"),
    ("rm", "rm ls", "deny"),
]


@pytest.mark.parametrize(("wrapper", "text", "verdict"), TABLE)
def test_what_a_wrapper_starts_is_judged(user, wrapper, text, verdict):
    commands = f"['{wrapper}']" if wrapper else "[]"
    user.write(f"{LISTS}[wrappers]\ncommands = {commands}\n")
    place = Place(str(user.root), str(user.root), inside=True)
    decision = user.settings().policy.decide(Request("run_shell_command", text, None, place))
    assert decision.verdict.word == verdict
