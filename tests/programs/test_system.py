"""Wrappers, shells, editors and programs of the machine: what is free, a question, or forbidden behind them."""

import re
import subprocess

import pytest

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import rule_of
from asimi.core.programs import find, rows_of

HERE = Place("/project", "/project", inside=True)

BUILTINS = [program.name for program in rows_of("shells") if "builtin" in program.traits]

# what is listed, and a command in which nothing else is needed
FREE = [
    ("strace ls", "strace -fyy -tt -qq -s 200 ls"),
    ("vim", "vim -O2 a b"),
    ("sudo ls", "sudo -nE -u me -- ls"),
    ("sudo", "sudo -l"),
    ("sudo ls", "sudo CI=1 ls"),
    ("env ls", "env -i -u HOME CI=1 ls"),
    ("env ls", "env -S 'ls -l' x"),
    ("timeout ls", "timeout -s KILL -k 5 10 ls"),
    ("nice ls", "nice -n 5 ls"),
    ("nice ls", "nice -19 ls"),
    ("ionice ls", "ionice -c 2 -n 0 ls"),
    ("taskset", "taskset -cp 0 123"),
    ("chrt", "chrt -p 123"),
    ("flock", "flock -n 9"),
    ("flock ls", "flock -w 5 /tmp/l ls"),
    ("xargs rm", "xargs -0 -n 1 rm -- < x"),
    ("xargs mv", "xargs -I {} mv ./{} ./{}.bak < x"),
    ("parallel wc", "parallel -j4 --bar wc -l ./{} ::: a b"),
    ("parallel wc", "parallel --dry-run 'wc -l < ./{}' ::: a"),
    ("watch ls", "watch -tdn0.5 ls -l"),
    ("watch git status", "watch -x git status"),
    ("entr make", "entr -cr make test < x"),
    ("hyperfine make", "hyperfine -w 3 -r 10 --shell=none 'make a' 'make b'"),
    ("hyperfine ls", "hyperfine -P n 1 4 'ls {n}'"),
    ("strace ls", "strace -f -e trace=open -s 200 -o /dev/null ls"),
    ("perf ls", "perf stat -r 5 -e cycles ls"),
    ("valgrind ./a.out", "valgrind --leak-check=full --tool=massif ./a.out x"),
    ("start-stop-daemon ./d", "start-stop-daemon -S -b -m -p /run/d.pid --exec ./d -- --port 1"),
    ("start-stop-daemon", "start-stop-daemon -K -p /run/d.pid --retry 5"),
    ("systemd-run ls", "systemd-run --user --scope -p MemoryMax=1G -p CPUQuota=50% ls"),
    ("bwrap ls", "bwrap --ro-bind / / --dev /dev --unshare-net ls"),
    ("setpriv ls", "setpriv --reuid=1000 --clear-groups ls"),
    ("unshare ls", "unshare -rn ls"),
    ("tini ls", "tini -g -- ls"),
    ("xvfb-run ls", "xvfb-run -a -s '-screen 0 640x480x24' ls"),
    ("cross-env ls", "cross-env CI=1 ls"),
    ("ssh-agent ls", "ssh-agent -t 60 ls"),
    ("ssh-agent", "ssh-agent -s"),
    ("script ls", "script -qec ls /dev/null"),
    ("su ls", "su -s /bin/sh -c ls me"),
    ("runuser ls", "runuser -u me -- ls"),
    ("time ls", "command time -f %e ls"),
    ("busybox ls", "busybox ls"),
    ("schroot", "schroot --list"),
    ("tmux", "tmux -L x ls -F '#{session_name}'"),
    ("tmux", "tmux capture-pane -pt a:1 -S -100"),
    ("tmux", "tmux kill-session -t a"),
    ("tmux", f"tmux ls -F {'a' * 2048}"),
    ("screen", "screen -ls"),
    ("screen", "screen -r a"),
    ("screen ls", "screen -dmS a ls -l"),
    ("vim", "vim -R +12 f"),
    ("nano", "nano -w +12 f"),
    ("emacs", "emacs -nw f"),
    ("code", "code -r -g f:12"),
    ("systemctl", "systemctl --user --no-pager -l status x"),
    ("systemctl", "systemctl list-units --type=service --state=running"),
    ("systemctl", "systemctl restart x --now"),
    ("systemctl", "systemctl set-property x MemoryMax=1G"),
    ("journalctl", "journalctl -xeu x --since today -n 50 --no-pager -o json"),
    ("ip", "ip -br -4 addr show dev eth0"),
    ("ip", "ip -j route get 1.1.1.1"),
    ("ss", "ss -tlnp"),
    ("lsof", "lsof -nP -iTCP:3000 -sTCP:LISTEN -t"),
    ("sysctl", "sysctl -n hw.model"),
    ("dmesg", "dmesg -T --level=err,warn"),
    ("hostname", "hostname -I"),
    ("crontab", "crontab -l"),
    ("fuser", "fuser -v 80/tcp"),
    ("ps", "ps aux --sort=-%mem"),
    ("tcpdump", "tcpdump -i any -nn -c 10 port 80"),
    ("free", "free -h"),
    ("bash ls", "bash -lc 'ls'"),
    ("bash ls", "bash -euxo pipefail -c 'ls'"),
    ("bash", "bash --version"),
    ("cd", "cd -P /tmp"),
    ("history", "history -c"),
]

# what is listed, and a command that is a question all the same
ASKED = [
    ("strace ls", "strace -to out ls"),
    ("bwrap ls", "bwrap --setenv LD_PRELOAD ./x ls"),
    ("firejail ls", "firejail --env=LD_PRELOAD=./x ls"),
    ("run0 ls", "run0 --setenv=LD_PRELOAD=./x ls"),
    ("vim", "vim -oc '!evil' f"),
    ("sudo", "sudo -e /etc/hosts"),
    ("sudo ls", "sudo --unknown ls"),
    ("env ls", "env -S 'ls\\_-l'"),
    ("xargs find", "xargs -I{} -n 1 find . {} < x"),
    ("xargs find", "xargs -I foo -I X find f X < x"),
    ("parallel ls", "parallel -I ls ls x ::: touch"),
    ("parallel find", "parallel find . ::: -delete"),
    ("parallel echo", "parallel echo '{= unlink =}' ::: x"),
    ("parallel ls", "parallel --rpl '{x} unlink' ls {} ::: x"),
    ("parallel ls", "parallel --joblog f ls ./{} ::: x"),
    ("strace ls", "strace -o '|./evil' ls"),
    ("strace ls", "strace -E LD_PRELOAD=./evil ls"),
    ("time ls", "command time -o f ls"),
    ("valgrind ls", "valgrind --tool=../../evil ls"),
    ("valgrind ls", "valgrind --log-file=f ls"),
    ("systemd-run ls", "systemd-run -p ExecStartPre=./evil ls"),
    ("systemd-run ls", "systemd-run -H other ls"),
    ("perf ls", "perf stat --pre ./evil ls"),
    ("perf", "perf script ./evil"),
    ("dbus-run-session ls", "dbus-run-session --dbus-daemon=./evil ls"),
    ("hyperfine ls", "hyperfine --export-json f ls"),
    ("hyperfine ls", "hyperfine -S ./evil ls"),
    ("fakeroot ls", "fakeroot -l ./evil.so ls"),
    ("rlwrap ls", "rlwrap -z ./evil ls"),
    ("su ls", "su -s ./evil -c ls me"),
    ("chroot", "chroot /mnt"),
    ("nsenter", "nsenter -t 1 -a"),
    ("script", "script f"),
    ("ssh-agent ls", "ssh-agent -P '/*' ls"),
    ("tmux", "tmux ls ';' run './evil'"),
    ("tmux", "tmux ls -F 'x;' run './evil'"),
    ("tmux", f"tmux ls -F {'a' * 2049}"),  # too long to check
    ("tmux", "tmux ls -F '#(./evil)'"),
    ("tmux", "tmux kill-ser"),
    ("tmux", "tmux send-keys -t a './evil' Enter"),
    ("tmux ls", "tmux new-session -d ls"),
    ("screen", "screen -S a -X stuff './evil'"),
    ("screen ls", "screen -c f ls"),
    ("vim", "vim '+!./evil' f"),
    ("vim", "vim -es -c 'w! g' f"),
    ("vim", "vim -S f"),
    ("nano", "nano -s ./evil f"),
    ("nano", "nano --spell=./evil f"),
    ("emacs", "emacs --batch --eval '(x)'"),
    ("emacsclient", "emacsclient -e '(x)'"),
    ("code", "code --install-extension evil"),
    ("systemctl", "systemctl edit x"),
    ("systemctl", "systemctl set-environment PATH=."),
    ("systemctl", "systemctl --host=evil status"),
    ("systemctl", "systemctl --ro=/x enable y"),
    ("systemctl", "systemctl set-property x ExecStart=./evil"),
    ("journalctl", "journalctl --vacuum-time=1s"),
    ("journalctl", "journalctl --rot"),
    ("journalctl", "journalctl --cursor-file=f"),
    ("ip", "ip -batch f"),
    ("ip", "ip -ba f"),
    ("ss", "ss -K dst 1.1.1.1"),
    ("sysctl", "sysctl kernel.core_pattern='|./evil'"),
    ("sysctl", "sysctl -w a=b"),
    ("dmesg", "dmesg -C"),
    ("hostname", "hostname evil"),
    ("crontab", "crontab evil"),
    ("crontab", "crontab - < evil"),
    ("crontab", "crontab -r"),
    ("fuser", "fuser -k 80/tcp"),
    ("tcpdump", "tcpdump -i any -w f -z ./evil"),
    ("modprobe", "modprobe -C evil x"),
    ("iptables", "iptables --modprobe=./evil -L"),
    ("pidstat", "pidstat 1 -e ./evil"),
    ("logrotate", "logrotate evil"),
    ("bash ls", "bash --rcfile evil -ic ls"),
    ("bash ls", "bash -O extglob -c ls"),
    ("history", "history -w f"),
    ("mapfile find", "mapfile -t -c1 -C 'find f' a < x"),
]

# a command in which `rm` is forbidden and started
DENIED = [
    "find -- . -exec rm {} ';'",
    "strace -to /dev/null rm x",
    "strace -qqe trace=all -ff rm x",
    "nsenter -S 0 rm x",
    "sem -j 4 --id a rm x",
    "systemd-nspawn -D / rm x",
    "rr rm x",
    "dotenv -c dev rm x",
    "gtimeout 5 genv gxargs rm",
    "docker run --entrypoint rm img x",
    "gdb -ex 'shell rm x'",
    "tar --checkpoint-action=exec='rm x' -cf a b",
    "sudo -u root -C 3 -p x rm x",
    "sudo -h host rm x",
    "doas -u me rm x",
    "su - me -c 'rm x'",
    "su -c 'rm x' me",
    "runuser -l me -c 'rm x'",
    "runuser -u me rm x",
    "sg docker 'rm x'",
    "gosu me rm x",
    "su-exec me rm x",
    "s6-setuidgid me rm x",
    "chpst -u me -e env rm x",
    "nsenter -t 1 -m/proc/1/ns/mnt -- rm x",
    "setpriv --reuid 1 rm x",
    "env -a x -C /tmp rm x",
    "env -vS 'rm x'",
    "timeout --signal KILL 5 rm x",
    "nohup nice -n 5 rm x",
    "ionice -c 3 rm x",
    "chrt -f 10 rm x",
    "taskset -c 0 rm x",
    "prlimit --nofile=10 rm x",
    "stdbuf -o L rm x",
    "flock -w 3 /tmp/l rm x",
    "flock /tmp/l -c 'rm x'",
    "xargs -P 4 -n 1 -d x rm",
    "parallel -j 4 rm {} ::: x",
    "parallel sh -c {} ::: 'rm x'",
    "parallel ::: 'rm x'",
    "watch -n 1 'ls; rm x'",
    "watch -x bash -c 'ls; rm x'",
    "entr -s 'rm x'",
    "entr -r rm x",
    "watchexec -w src -e py 'rm x'",
    "hyperfine -w 3 --prepare 'rm x' ls",
    "hyperfine ls 'rm x'",
    "pee 'cat' 'rm x'",
    "script -q /dev/null rm x",
    "script -c 'rm x' f",
    "unbuffer -p rm x",
    "strace -E A=b -e open rm x",
    "strace -tfe open -qqs 99 rm x",
    "unshare -mR /x rm x",
    "nsenter -S 0 -t 1 rm x",
    "ltrace -s 10 -n 2 rm x",
    "perf stat -r 5 rm x",
    "perf record -g -o f -- rm x",
    "valgrind --tool=none rm x",
    "gdb -q --args rm x",
    "numactl --localalloc -N 0 rm x",
    "systemd-run --user -u x --on-active=5 rm x",
    "systemd-inhibit --what=idle rm x",
    "systemd-cat -t x rm x",
    "start-stop-daemon --start --exec /bin/rm -- -rf x",
    "start-stop-daemon -S -a /bin/rm -- -rf x",
    "tini -e 143 -- rm x",
    "dumb-init -r 15:2 rm x",
    "ssh-agent -t 5 rm x",
    "dbus-run-session -- rm x",
    "fakeroot -i f rm x",
    "proot -b /a -w / rm x",
    "bwrap --bind / / --setenv A b rm x",
    "firejail --quiet --net=none rm x",
    "keep-header a.tsv -- rm x",
    "xvfb-run -s '-screen 0' rm x",
    "cpulimit -l 50 rm x",
    "faketime yesterday rm x",
    "dotenv -e .env -- rm x",
    "dotenv run rm x",
    "doppler run --command 'rm x'",
    "pueue add -g a -- rm x",
    "linux64 -R rm x",
    "busybox rm x",
    "caffeinate -i rm x",
    "tmux new -d 'rm x'",
    "tmux new-session -d -s x rm x",
    "tmux respawn-pane -k -t a 'rm x'",
    "screen -dmS a rm x",
    "ip netns exec a rm x",
    "ip net ex a rm x",
    "ip -n a vrf exec b rm x",
    "machinectl shell me@.host /bin/rm x",
    "arch -x86_64 rm x",
    "echo rm x | chroot /mnt",
    "echo rm x | sudo -s",
    "echo rm x | nsenter -t 1 -a",
    "echo rm x | script",
]


def verdict_of(listed, command, forbidden=""):
    rules = [rule_of(f"run_shell_command({entry})", Verdict.ALLOW) for entry in listed]
    rules += [rule_of(f"run_shell_command({forbidden})", Verdict.DENY)] if forbidden else []
    decision = Policy(rules, Terms(exported=("PATH", "HOME", "LANG"))).decide(
        Request("run_shell_command", command, None, HERE)
    )
    return decision.verdict.word, [reason.message for reason in decision.reasons]


def entries(listed):
    """A wrapper and what it starts, each an entry; what is not one word is behind the first blank."""
    return [*listed.split(" ", 1), "command"]


@pytest.mark.parametrize(("listed", "command"), FREE)
def test_an_everyday_use_is_free(listed, command):
    verdict, messages = verdict_of(entries(listed), command)
    assert verdict == "allow", messages


@pytest.mark.parametrize(("listed", "command"), ASKED)
def test_more_than_the_name_promises_is_asked_about(listed, command):
    assert verdict_of(entries(listed), command)[0] == "ask"


@pytest.mark.parametrize("command", DENIED)
def test_what_is_started_is_seen(command):
    assert verdict_of([], command, "rm")[0] == "deny"


def test_every_option_of_a_builtin_is_in_its_row():
    """As this bash prints them: `[-lr]` are flags, `[-p pathname]` takes a value."""
    shown = subprocess.run(["bash", "-c", 'help -s "$@"', "_", *BUILTINS], capture_output=True, text=True, check=True)
    for line in shown.stdout.splitlines():
        name, _, synopsis = line.partition(": ")
        options = find(name).syntax.options
        known = {letter: option.value for letter, option in options.items() if len(letter) == 2}
        for letters, value in re.findall(r"\[-([A-Za-z@]+)(?:\|\+\w)?( [\w:-]+)?\]", synopsis):
            if (letters, value) != ("N", ""):  # a number
                assert {f"-{letter}" for letter in letters} <= set(known), (name, letters)
                assert bool(value) is (known[f"-{letters[-1]}"] == "="), (name, letters)
