"""`[files]`: what the layers say of files together, and what asimi then says of commands."""

import os

import pytest

from asimi.core.call import Place, Request
from asimi.core.errors import ConfigError
from asimi.core.judging.agents import AgentFiles
from asimi.core.judging.guard import Guard
from asimi.core.judging.machine import Machine
from asimi.core.judging.protection import Protection
from asimi.core.judging.zones import FileRules
from asimi.world.config import Configuration

EVERYTHING = "coreTools = ['run_shell_command']\n"


@pytest.fixture
def decide(user):
    """Judges a text in the project, under the files that were written, with what the first reason is."""

    def decide(text):
        machine = Machine(str(user.home), os.path.realpath, {})
        root = str(user.root)

        def guard(files, _doubted):
            return Guard(machine, Protection([], machine, (), AgentFiles()), FileRules(files, root, machine))

        policy = Configuration(user.places, root, environ=dict, guard=guard).settings().policy
        decision = policy.decide(Request("run_shell_command", text, None, Place(root, root, inside=True)))
        return decision.verdict.word, decision.reasons[0].code

    return decide


def test_a_redirection_is_a_question_until_it_is_said_where_commands_may_write(user, decide):
    user.write("coreTools = ['run_shell_command(echo)']\n")
    assert decide("echo x > src.py") == ("ask", "redirection")
    user.write("coreTools = ['run_shell_command(echo)']\n[files]\nwrite = ['**']\n")
    assert decide("echo x > src.py")[0] == "allow"
    assert decide("echo x > ../src.py") == ("ask", "outside")


def test_a_write_elsewhere_is_a_question_whatever_is_listed(user, decide):
    user.write(f"{EVERYTHING}[files]\nwrite = ['build/**']\n")
    assert decide("touch build/x")[0] == "allow"
    assert decide("touch x") == ("ask", "outside")
    assert decide("unknown-program x")[0] == "allow"


def test_all_layers_must_agree_where_commands_may_write(user, decide):
    user.write(f"{EVERYTHING}[files]\nwrite = ['**', '/srv/**']\n")
    user.project("[files]\nwrite = ['src/**', '/etc/**']\n")
    assert decide("touch src/x")[0] == "allow"
    assert decide("touch x") == ("ask", "outside")
    assert decide("touch /srv/x") == ("ask", "outside")
    assert decide("touch /etc/x") == ("ask", "outside")


def test_a_project_narrows_where_commands_may_write_and_frees_no_redirection(user, decide):
    user.write("coreTools = ['run_shell_command(echo)']\n")
    assert decide("echo x > y") == ("ask", "redirection")
    user.project("[files]\nwrite = ['**']\n")
    assert decide("echo x > y") == ("ask", "redirection")
    assert decide("echo x > ../y")[0] == "ask"


def test_secrets_add_up_and_only_the_person_takes_one_back(user, decide):
    user.write(f"{EVERYTHING}[files]\nsecret = ['plans/**', '!fixtures/*.pem']\n")
    user.project("[files]\nsecret = ['notes.txt', '!.env']\n")
    for text in ("cat plans/x", "cat notes.txt", "cat .env", "cat a.pem"):
        assert decide(text) == ("ask", "secret"), text
    assert decide("cat fixtures/a.pem")[0] == "allow"


def test_what_no_command_may_touch_is_denied(user, decide):
    user.write(f"{EVERYTHING}[files]\ndeny = ['infra/**']\n")
    assert decide("ls infra/x") == ("deny", "denied_by_rule")
    assert decide("ls")[0] == "allow"


def test_the_home_is_no_project(user, decide):
    user.write(f"{EVERYTHING}[files]\nwrite = ['**', '/tmp/**', 'notes/x']\n")
    assert decide("touch x")[0] == "allow"
    user.root = user.home
    assert decide("touch x") == ("ask", "outside")
    assert decide("touch /tmp/x") == ("ask", "outside")
    assert decide("touch notes/x")[0] == "allow"


@pytest.mark.parametrize("pattern", ["", "!", "a/../b", "~other/x", "a\0b"])
def test_a_pattern_that_names_nothing_is_refused(user, pattern):
    text = pattern.replace("\0", "\\u0000")
    user.write(f'[files]\nwrite = ["{text}"]\n')
    with pytest.raises(ConfigError, match=r"files\.write"):
        user.settings()
