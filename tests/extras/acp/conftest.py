from __future__ import annotations

import pytest
from helpers import PYTHON
from helpers.acp import AGENT, Editor, chosen
from helpers.home import Home

POLICY = """\
coreTools = ["run_shell_command(echo)", "execute_command(echo)"]
excludeTools = ["run_shell_command(rm)"]
[files]
deny = ["sealed/*"]
[session]
breaker = 0
"""


class Desk:
    """Editors in a home with a policy; a person there takes a moment before they answer a card.

    Attributes:
        option: what the person chooses, by its kind; None to leave every card open.
        seconds: how long they take.
    """

    def __init__(self, directory):
        self.home = Home(directory, POLICY)
        self.option, self.seconds, self.editors = "allow_once", 0.6, []

    def editor(self, *options, agent=AGENT, environ=None):
        """An editor that starts an agent behind asimi."""
        words = [PYTHON, "-m", "asimi", "acp", *options, "--", *agent]
        editor = Editor(words, self.home.environ | (environ or {}), self.home.root)
        editor.replies = {
            "session/request_permission": self.answer,
            "terminal/create": {"terminalId": "terminal"},
            "fs/read_text_file": {"content": "text"},
            "fs/write_text_file": {},
        }
        self.editors.append(editor)
        return editor

    def answer(self, params):
        """The person's answer to a card."""
        if self.option is None:
            return None
        if self.option == "cancelled":
            return {"outcome": {"outcome": "cancelled"}}
        import time

        time.sleep(self.seconds)
        return chosen(next(each["optionId"] for each in params["options"] if each["kind"] == self.option))

    def records(self):
        """What the log says: the event, what is judged, and by whom it was answered."""
        found = []
        for each in self.home.log():
            approval = each.get("approval") or {}
            words = [each.get("command", ""), *each.get("arguments", ())]
            found.append((each["event"], " ".join(words), approval.get("by", "")))
        return found


@pytest.fixture
def desk(tmp_path):
    desk = Desk(tmp_path)
    yield desk
    for each in desk.editors:
        each.__exit__()
