"""A policy that allows everything but what takes more than any yes, and a command of each such kind."""

GUARDED = """\
coreTools = ["run_shell_command"]
[files]
write = ["**"]
[[rules]]
decision = "ask"
command = "echo published"
terminal = true
"""


def says_yes(person, command):
    """Say yes to one of them: what nothing brings back takes a word."""
    person.presses("y")
    if command == EACH_TIME["floor"]:
        person.sees("type delete to allow it")
        person.enters("delete")


EACH_TIME = {"secret": "cat .env", "outside": "touch ../x", "floor": "mv .git gone", "a rule": "echo published"}
