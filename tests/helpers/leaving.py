"""A yard with an agent in a box, and what only runs outside of it: stand-ins for ssh, gh, docker and kubectl.

The agent runs a Python program of the test's, in which `hook` asks its hook as Codex, Gemini CLI or Qwen Code does,
`bash` runs a text, `do` does both, and `tell` prints a value for the test.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading

from helpers import MODULES, PATIENCE
from helpers.boxes import Yard
from helpers.hooks import envelope
from helpers.sandboxes import AS_NOBODY, nobodys_python

AGENT = r"""#!/usr/bin/python3 -I
import json, os, re, subprocess, sys, time

NAME = sys.argv[0].rpartition("/")[2]
if NAME == "codex":
    SETTINGS = open("/etc/codex/requirements.toml").read()
    HOOK = json.loads(re.search(r'^command = (".*")$', SETTINGS, re.M)[1])
else:
    SETTINGS, EVENT = {"qwen": ("qwen-code", "PreToolUse"), "gemini": ("gemini-cli", "BeforeTool")}[NAME]
    PATHS = (f"/etc/{SETTINGS}/settings.json", os.path.expanduser("~/.gemini/settings.json"))
    HOOK = json.load(open(next(filter(os.path.exists, PATHS))))["hooks"][EVENT][0]["hooks"][0]["command"]
SENT = json.loads(ENVELOPE)


def tell(value):
    print(json.dumps(value), flush=True)


def hook(command, directory=None):
    sent = SENT | {"tool_input": {"command": command}} | ({"cwd": directory} if directory else {})
    said = subprocess.run(["sh", "-c", HOOK], input=json.dumps(sent), capture_output=True, text=True, cwd=directory)
    if said.returncode:
        return None, said.stderr
    said = json.loads(said.stdout or "{}")
    answer = said.get("hookSpecificOutput", {})
    if "deny" in (said.get("decision"), answer.get("permissionDecision")):
        return None, said.get("reason") or answer["permissionDecisionReason"]
    return (answer.get("updatedInput") or answer.get("tool_input") or {}).get("command", command), ""


def bash(text, directory=None):
    done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, cwd=directory)
    return [done.returncode, done.stdout, done.stderr]


def do(command, directory=None):
    text, why = hook(command, directory)
    return ["no", why] if text is None else bash(text, directory)


exec(compile(open(sys.argv[-1]).read(), "agent.py", "exec"))
"""

SSH = """\
#!/usr/bin/python3 -IS
# Carries what git says to a host and back, over the host's socket.
import os, socket, sys, threading
host = socket.socket(socket.AF_UNIX)
host.connect("SOCKET")
host.sendall(sys.argv[-1].encode() + b"\\n")
def sends():
    while piece := os.read(0, 65536):
        host.sendall(piece)
    host.shutdown(socket.SHUT_WR)
threading.Thread(target=sends, daemon=True).start()
while piece := host.recv(65536):
    os.write(1, piece)
"""

ASKS = """\
#!/usr/bin/python3 -IS
# Asks a daemon over its socket, with what it knows of a login; and says where it found that.
import os, socket, sys
name = sys.argv[0].rpartition("/")[2]
daemon = socket.socket(socket.AF_UNIX)
daemon.connect("SOCKET")
login = open(os.environ["HOME"] + "/.netrc").read().strip()
words = [name, *sys.argv[1:], login, os.getcwd()]
names = ("KUBECONFIG", "DOCKER_CONFIG", "GH_CONFIG_DIR")
settings = [each + "=" + os.environ[each] for each in names if each in os.environ]
daemon.sendall("\\0".join(words + settings).encode())
daemon.shutdown(socket.SHUT_WR)
while piece := daemon.recv(65536):
    os.write(1, piece)
sys.exit(7 if "fails" in sys.argv else 0)
"""

CONFIG = """\
[[rules]]
decision = "allow"
command = ["git", ["push", "fetch"]]
outside = true

[[rules]]
decision = "allow"
command = ["gh", "pr", "view"]
outside = true

[[rules]]
decision = "allow"
command = [["docker", "kubectl"]]
effects = ["read", "network"]
outside = true
"""


class Office(Yard):
    """A yard with stand-ins, a forge that git pushes to, and a daemon.

    Attributes:
        forge: the repository of the forge.
        asked: what the daemon was asked, each a list of words.
        bin: the directory of the stand-ins.
    """

    def __init__(self, *, nobody=False):
        super().__init__(nobody=nobody)
        self.asked, self.bin, self.forge = [], self.top / "bin", self.top / "forge.git"
        self.answers = lambda words: b"said by the daemon\n"
        self.config = self.write(self.home / ".config/asimi/config.toml", CONFIG)
        self.write(self.home / ".netrc", "login-of-mine", 0o600)
        subprocess.run(["git", "init", "-q", "--bare", self.forge], check=True)
        self.sockets = [self._hears("forge.sock", self._forge), self._hears("daemon.sock", self._daemon)]
        self.write(self.bin / "ssh", SSH.replace("SOCKET", str(self.top / "forge.sock")), 0o755)
        for name in ("gh", "docker", "kubectl"):
            self.write(self.bin / name, ASKS.replace("SOCKET", str(self.top / "daemon.sock")), 0o755)
        for name, agent in (("codex", "codex"), ("qwen", "qwen-code"), ("gemini", "gemini-cli")):
            sent = json.dumps(envelope(agent, "", self.root))
            self.write(self.bin / name, AGENT.replace("ENVELOPE", repr(sent)), 0o755)
        self.git("remote", "add", "origin", "ssh://forge.example/repo.git")
        self.own()

    def _hears(self, name, serve):
        """A socket that serves whoever connects, each in a thread."""
        heard = socket.socket(socket.AF_UNIX)
        heard.bind(str(self.top / name))
        os.chmod(self.top / name, 0o777)
        heard.listen()

        def accept():
            while True:
                try:
                    connection, _ = heard.accept()
                except OSError:
                    return
                threading.Thread(target=serve, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        return heard

    def _forge(self, connection):
        with connection:
            words = b""
            while not words.endswith(b"\n"):
                words += connection.recv(1)
            program = words.decode().split()[0]
            user = AS_NOBODY if self.nobody else ()
            subprocess.run([*user, program, self.forge], stdin=connection, stdout=connection, check=False, cwd="/")

    def _daemon(self, connection):
        with connection:
            said = b""
            while piece := connection.recv(65536):
                said += piece
            self.asked.append(said.decode().split("\0"))
            connection.sendall(self.answers(self.asked[-1]))

    @property
    def head(self):
        """What the forge has of the branch `main`; empty where it has none."""
        user = AS_NOBODY if self.nobody else ()
        words = [*user, "git", "-C", self.forge, "rev-parse", "-q", "--verify", "main"]
        return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()

    def environ(self, **more):
        """The environment of asimi there."""
        path = f"{self.bin}:{os.environ['PATH']}"
        return {"PATH": path, "HOME": str(self.home), "LANG": "C.UTF-8", **MODULES} | more

    def asimi(self, *words, **environ):
        """Start asimi."""
        python = [*AS_NOBODY, nobodys_python()] if self.nobody else [sys.executable]
        return subprocess.Popen(
            [*python, "-m", "asimi", *words],
            cwd=self.root,
            env=self.environ(**environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def starts(self, program, agent="codex", **environ):
        """Start an agent in a box, with a program."""
        self.write(self.root / "agent.py", program)
        return self.asimi("wrap", agent, "agent.py", **environ)

    def does(self, program, agent="codex", **environ):
        """What an agent tells, a list of values; what asimi says at the end is in `said`, a list of lines."""
        process = self.starts(program, agent, **environ)
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
            raise
        self.said = err.splitlines()
        return [json.loads(line) for line in out.splitlines()]

    def log(self):
        """What asimi wrote down."""
        path = self.home / ".local/state/asimi/log.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def end(self):
        """End all that was started and remove everything."""
        for each in self.sockets:
            each.shutdown(socket.SHUT_RDWR)
            each.close()
        super().end()
