"""Someone who types in an interactive shell that completes asimi's words, and lets it complete them."""

from __future__ import annotations

import shlex
import shutil

from helpers import PYTHON

SHELLS = ("bash", "zsh", "fish")
STARTS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
PREPARES = {
    "bash": "PS1='> '; bind 'set show-all-if-ambiguous on' 'set completion-query-items 0'; source {}; clear",
    "zsh": "PS1='> '; LISTMAX=9999; setopt no_list_ambiguous; bindkey '^I' complete-word; "
    "autoload -Uz compinit && compinit -u; source {}; clear",
    "fish": "function fish_prompt; echo -n '> '; end; source {}; clear",
}
"""What each shell is told before anything is completed; the place of the script stands in `{}`.

In zsh, Tab usually expands what is typed before it completes it, whatever the program; here it only completes.
"""


def is_there(shell):
    """Whether a shell is installed."""
    return shutil.which(shell) is not None


def with_asimi(home):
    """Put an `asimi` on a home's PATH that writes down what it is started with; returns the file."""
    programs, started = home.home / "bin", home.home / "started"
    programs.mkdir()
    text = f'#!/bin/sh\necho "$*" >>{shlex.quote(str(started))}\nexec {PYTHON} -m asimi "$@"\n'
    (programs / "asimi").write_text(text, encoding="utf-8")
    (programs / "asimi").chmod(0o755)
    home.environ["PATH"] = f"{programs}:{home.environ['PATH']}"
    started.touch()
    return started


class Typing:
    """A shell at a terminal.

    Args:
        home: where; with `with_asimi`.
        shell: which.
    """

    def __init__(self, home, shell):
        script = home.home / f"script.{shell}"
        script.write_text(home.asimi("completion", shell).stdout, encoding="utf-8")
        self.person = home.at_terminal(program=STARTS[shell], columns=160, rows=60, alone=0.0)
        self.shell = shell
        self.person.enters(PREPARES[shell].format(script))
        self.person.sees("> ")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.person.leaves()

    def completes(self, line):
        """The screen once a line was typed and completed, and the shell waits again."""
        self.person.presses(f"\x15\x0c{line}", "\t")
        return self.person.display

    def offers(self, line):
        """The words on the screen after a line was typed and completed, without those of the line."""
        return self.completes(line).replace(f"> {line}".rstrip(), "").split()
