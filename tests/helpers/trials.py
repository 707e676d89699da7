"""Commands, and what must come of them wherever they run."""

FACTS = [
    # the command, the exit code, the signal, stdout, stderr
    ("true", 0, None, "", ""),
    ("exit 3", 3, None, "", ""),
    ("exit 256", 0, None, "", ""),
    ("echo out; echo err >&2", 0, None, "out\n", "err\n"),
    ("printf abc", 0, None, "abc", ""),
    ("printf 'a\\n\\n'", 0, None, "a\n\n", ""),
    ("kill -TERM $$", None, 15, "", ""),
    ("kill -KILL $$", None, 9, "", ""),
    ("exec 2>/dev/null; bash -c 'kill -9 $$'; exit $?", 137, None, "", ""),
    ("yes | head -1; echo ${PIPESTATUS[0]}", 0, None, "y\n141\n", ""),
    ("cat; read x; echo $?", 0, None, "1\n", ""),
    ("(: </dev/tty) 2>/dev/null; echo $?", 0, None, "1\n", ""),
    ("echo a > /dev/stderr; echo $?", 0, None, "0\n", "a\n"),
    ("echo 1; echo 2 > /dev/stdout; echo 3", 0, None, "1\n2\n3\n", ""),
    ("[ -t 1 ]; echo $?", 0, None, "1\n", ""),
    ("printf '\\xf0\\x9f'; sleep .05; printf '\\x98\\x80'", 0, None, "😀", ""),
    ("printf 'a\\0b\\r\\n\\033[0m'", 0, None, "a\0b\r\n\033[0m", ""),
    ("mkdir gone && cd gone && rmdir ../gone && echo ok", 0, None, "ok\n", ""),
    ("true & wait; echo ok", 0, None, "ok\n", ""),
    ("-c true 2>/dev/null", 127, None, "", ""),
]

DAEMON = """python3 -I -c "import os
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
os.closerange(0, 64)
os.execvp('sleep', ['sleep', '@'])"; sleep .3"""

FORMS = [
    # the command, how many sleeps it leaves, how many processes in all
    ("sleep @ & echo hi", 1, 1),
    ("sleep @ & sleep @ &", 2, 2),
    ("( sleep @ & )", 1, 1),
    ("sleep @ & disown", 1, 1),
    ("nohup sleep @ >/dev/null 2>&1 &", 1, 1),
    ("setsid sleep @ &", 1, 1),
    ("setsid -f sleep @", 1, 1),
    ("env -i setsid -f sleep @", 1, 1),
    ("env -i setsid -f sleep @ </dev/null >/dev/null 2>&1", 1, 1),
    (DAEMON, 1, 1),
    ("bash -c 'sleep @ & sleep @; true' & sleep 2", 2, 3),
    ("sleep @ | cat &", 1, 2),
    ("set -m; sleep @ &", 1, 1),
    ("trap 'echo bye' EXIT; sleep @ &", 1, 1),
    ("sleep @ & exec true", 1, 1),
    ("sleep @ & kill -9 $$", 1, 1),
    ("coproc sleep @", 1, 1),
]

TREES = [
    # the command, the beginning of stdout, the exit code, the signal; ... where either may be
    ("echo part; sleep @", "part\n", None, 15),
    ("printf 'no newline'; sleep @; true", "no newline", None, 15),
    ("setsid -f sleep @; echo hi; sleep @; true", "hi\n", None, 15),
    ("env -i setsid -f sleep @ >/dev/null 2>&1; sleep @; true", "", None, 15),
    ("trap '' TERM; (trap '' TERM; sleep @; sleep @) & echo hi; sleep @; sleep @", "hi\n", None, 9),
    ("sleep @ & kill -STOP $!; kill -STOP $$; true", "", None, ...),
    ("r(){ sleep 0.01; [ -d . ] && (r &) ; }; (r &); sleep @; true", "", None, 15),
    ("while :; do (setsid -f sleep @); sleep .01; done", "", None, ...),
    ("trap 'echo cleaning; exit 7' TERM; while :; do sleep .05; done", "cleaning\n", 7, None),
    ("trap 'echo told once' TERM; while :; do :; done", "told once\n", None, 9),
    (
        "trap 'echo one; trap - TERM; (sleep .05; echo and another); exit 3' TERM; while :; do :; done",
        "one\nand another\n",
        3,
        None,
    ),
    ("sleep @ & sleep @; true", "", None, 15),
    ("(trap '' TERM HUP INT; setsid bash -c 'trap \"\" TERM; sleep @; sleep @') & exec sleep @", "", None, 15),
]

LIMITS = (0.7, 3.0, 10.0, 30.0)
"""Seconds that the trees above are given, one after the other while one has not said all that it says.

A shell that the machine gives no turn to before the limit, or between the two signals, says less, whoever ends it.
"""
