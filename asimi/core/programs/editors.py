"""Editors and terminal multiplexers."""

from __future__ import annotations

from asimi.core.programs.program import Program

PROGRAMS = (
    Program(
        "vim",
        aliases="ex gvim nvim rvim vi view vimdiff",
        options="-i= -t=",
        operands="PLUS*",
        runs="-c= -S= -s= -w= -W= -u= -e -E --cmd= --remote-send= --remote-expr= --startuptime=",
        syntax="open",
        traits="embeds input wide writes",
        can="code",
    ),
    Program(
        "emacs",
        runs=(
            "-l -f --eval= --execute --load= --funcall= --batch= --script= -eval -execute -load -funcall -batch -script"
        ),
        syntax="open",
        traits="wide",
        can="code",
    ),
    Program("ed", aliases="red", traits="opaque wide writes", can="code"),
    Program("screen", options="-e= -h= -s= -t=", runs="-c -X -p", syntax="open", traits="interprets", can="later"),
    Program(
        "tmux",
        runs="-f= -c=",
        syntax="open",
        subcommands=tuple(
            Program(name, traits="opaque")
            for name in (
                "run",
                "run-shell",
                "if",
                "if-shell",
                "pipe-pane",
                "source",
                "source-file",
                "new",
                "new-session",
                "new-window",
                "neww",
                "split-window",
                "splitw",
                "respawn-pane",
                "respawn-window",
                "send-keys",
                "send",
                "display-popup",
                "popup",
                "set-hook",
                "bind",
                "bind-key",
            )
        ),
        traits="interprets",
        can="ends: kill-server, kill-session; later",
    ),
)
