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

EACH_TIME = {"secret": "cat .env", "outside": "touch ../x", "floor": "mv .git gone", "a rule": "echo published"}
