"""An editor of our own that speaks the Agent Client Protocol, and a scripted agent (`python -m helpers.acp`)."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time

from helpers import PATIENCE, PYTHON, warm

OPTIONS = [
    {"optionId": "always", "name": "Always", "kind": "allow_always"},
    {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
    {"optionId": "never", "name": "Never", "kind": "reject_always"},
]
"""What the scripted agent offers with each request for permission."""

AGENT = [PYTHON, "-m", "helpers.acp"]


def chosen(option):
    """The answer to a request for permission that chooses an option."""
    return {"outcome": {"outcome": "selected", "optionId": option}}


class Editor:
    """An editor, and the program that it takes for its agent.

    Args:
        words: the command line.
        environ: its environment.
        cwd: where it is started.

    Attributes:
        seen: what the agent sent, in order: messages, or lines that are none.
        raw: the same as lines.
        replies: how each kind of request is answered: a result, or a function of the parameters that gives one.
    """

    def __init__(self, words, environ, cwd):
        self.process = warm.start(
            list(map(str, words)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environ,
            cwd=cwd,
        )
        self.seen, self.raw, self.replies, self.said = [], [], {}, b""
        self._waiting, self._lock, self._count = {}, threading.Lock(), 0
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._read, self._hear)]
        for each in self._threads:
            each.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for each in self._threads:
            each.join(PATIENCE)
        for each in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(BrokenPipeError):
                each.close()

    def _hear(self):
        self.said = self.process.stderr.read()

    def _read(self):
        for line in self.process.stdout:
            self.raw.append(line)
            try:
                value = json.loads(line)
            except ValueError:
                self.seen.append(line)
                continue
            self.seen.append(value)
            if "method" not in value:
                if (answer := self._waiting.pop(value.get("id"), None)) is not None:
                    answer.put(value)
            elif "id" in value:
                threading.Thread(target=self._reply, args=(value,), daemon=True).start()
        for each in [*self._waiting.values()]:
            each.put(None)

    def _reply(self, value):
        reply = self.replies.get(value["method"], {})
        reply = reply(value["params"]) if callable(reply) else reply
        if reply is not None:
            with contextlib.suppress(BrokenPipeError, ValueError):  # it has ended meanwhile
                self.send({"jsonrpc": "2.0", "id": value["id"], "result": reply})

    def write(self, data):
        """Write bytes."""
        with self._lock:
            self.process.stdin.write(data)
            self.process.stdin.flush()

    def send(self, value):
        """Write a message."""
        self.write(json.dumps(value).encode() + b"\n")

    def begin(self, method, params):
        """Send a request; what its answer comes to."""
        self._count += 1
        self._waiting[self._count] = answer = queue.Queue()
        self.send({"jsonrpc": "2.0", "id": self._count, "method": method, "params": params})
        return answer

    def call(self, method, **params):
        """The result of a request."""
        answer = self.begin(method, params).get(timeout=PATIENCE)
        assert answer is not None, f"the agent is gone: {self.said.decode()}"
        return answer.get("result", answer)

    def opened(self, directory, name="editor"):
        """The id of a new session in a directory, after the greetings."""
        capabilities = {"fs": {"readTextFile": True, "writeTextFile": True}, "terminal": True}
        info = {"name": name, "version": "1"}
        self.call("initialize", protocolVersion=1, clientCapabilities=capabilities, clientInfo=info)
        return self.call("session/new", cwd=str(directory), mcpServers=[])["sessionId"]

    def play(self, session, *steps):
        """Let the scripted agent play some steps; what was answered to its requests, in order."""
        prompt = [{"type": "text", "text": json.dumps(steps)}]
        return self.call("session/prompt", sessionId=session, prompt=prompt)["_meta"]["answers"]

    def asked(self, method="session/request_permission"):
        """The parameters of the requests of a kind that the editor got."""
        return [each["params"] for each in self.seen if isinstance(each, dict) and each.get("method") == method]

    def waits_for(self, method):
        """Return once a message of a kind came; its parameters."""
        end = time.monotonic() + PATIENCE
        while not self.asked(method):
            assert time.monotonic() < end, f"no {method} came: {self.seen}"
            time.sleep(0.01)
        return self.asked(method)[-1]

    def close(self):
        """Close the streams; the exit code of the program."""
        self.process.stdin.close()
        return self.process.wait(PATIENCE)


def permission(raw, kind="execute", **more):
    """A step: a request for permission."""
    call = {"toolCallId": "call-1", "title": "a title", "kind": kind, "status": "pending"} | more
    if raw is not None:
        call["rawInput"] = raw
    return {"method": "session/request_permission", "params": {"toolCall": call, "options": OPTIONS}}


def terminal(command, *words, **more):
    """A step: a program in a terminal of the editor's."""
    return {"method": "terminal/create", "params": {"command": command, "args": list(words)} | more}


def news(said, call="call-1", **more):
    """A step: news of a tool call (`tool_call`, `tool_call_update`)."""
    update = {"sessionUpdate": said, "toolCallId": call, **more}
    return {"method": "session/update", "params": {"update": update}, "notify": True}


def played(steps, session, send, answers):
    """Play steps: write lines, notify, ask and wait, or end."""
    heard = []
    for number, step in enumerate(steps):
        if "exit" in step:
            os._exit(step["exit"])
        if "line" in step:
            send(step["line"].encode("latin-1") + b"\n")
            continue
        if "wait" in step:
            heard.append(answers.get(timeout=PATIENCE))
            continue
        params = {"sessionId": session} | step["params"]
        message = {"jsonrpc": "2.0", "method": step["method"], "params": params}
        if not step.get("notify"):
            message["id"] = step.get("id", f"agent-{session}-{number}")
        for _ in range(step.get("times", 1)):
            send(json.dumps(message).encode() + b"\n")
        if not step.get("notify") and not step.get("on"):
            heard.append(answers.get(timeout=PATIENCE))
    return heard


def main():
    """The scripted agent: a prompt says what it sends; its answer says what was answered to that."""
    sessions, lock, count, cancelled = {}, threading.Lock(), 0, []

    def send(data):
        with lock:
            while data:
                data = data[os.write(1, data) :]

    def prompted(name, session, steps):
        heard = played(steps, session, send, sessions[session])
        result = {"stopReason": "end_turn", "_meta": {"answers": heard, "cancelled": cancelled}}
        send(json.dumps({"jsonrpc": "2.0", "id": name, "result": result}).encode() + b"\n")

    for line in sys.stdin.buffer:
        value = json.loads(line)
        method, name, params = value.get("method"), value.get("id"), value.get("params", {})
        result = {}
        if method is None:
            told = {key: value[key] for key in ("result", "error") if key in value}
            owner = str(name).split("-")[1] if str(name).startswith("agent-") else next(iter(sessions))
            sessions[owner].put(told)
            continue
        if method == "initialize":
            result = {"protocolVersion": 1, "agentInfo": {"name": "scripted", "version": "1"}, "agentCapabilities": {}}
        elif method in {"session/new", "session/load"}:
            count += 1
            session = params.get("sessionId", f"s{count}")
            sessions[session] = queue.Queue()
            result = {"sessionId": session}
        elif method == "session/prompt":
            steps = json.loads(params["prompt"][0]["text"])
            threading.Thread(target=prompted, args=(name, params["sessionId"], steps), daemon=True).start()
            continue
        elif method == "session/cancel":
            cancelled.append(params["sessionId"])
        elif method == "echo":
            send(line)
            continue
        elif method == "environment":
            result = {"cwd": os.getcwd(), "pid": os.getpid()}
        if name is not None:
            send(json.dumps({"jsonrpc": "2.0", "id": name, "result": result}).encode() + b"\n")
    sys.exit(int(os.environ.get("AGENT_EXIT", "0")))


if __name__ == "__main__":
    main()
