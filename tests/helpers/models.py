"""Small models on loopback that want commands run, one turn after another: what the real agents talk to here."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, NamedTuple


class Wanted(NamedTuple):
    """One call that a model makes.

    Attributes:
        command: the shell text.
        directory: where it is to run, as the model says it; empty where it says nothing of it.
        shell: which shell is to run it, where an agent lets its model choose.
        tool: the agent's tool, where it has several that run commands; empty for the usual one.
        given: the parameters of a tool that runs none, as they are; None for one that does.
    """

    command: str
    directory: str = ""
    shell: str = ""
    tool: str = ""
    given: Any = None


class Model:
    """A server that asks for commands, and tells a script what came of them.

    Args:
        script: a generator of turns: yields the calls of a turn and is sent what the agent said of each, in order.
        tools: the tools that run commands by their names, and how the parameters of each are made from a call.

    Attributes:
        text: what it says where it has no call to make.
    """

    text = "done"

    def __init__(self, script, tools):
        self.script, self.tools, self.lock = script, tools, Lock()
        self.turn, self.asked, self.ended = None, 0, False
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                self.reply("application/json", json.dumps({"object": "list", "data": [], "models": []}))

            def do_POST(self):
                self.reply(*model.answer(self.path, json.loads(self.body() or b"{}")))

            def body(self):
                length = self.headers.get("content-length")
                if length is not None:
                    return self.rfile.read(int(length))
                pieces = []
                while size := int(self.rfile.readline().strip() or b"0", 16):
                    pieces.append(self.rfile.read(size))
                    self.rfile.readline()
                self.rfile.readline()
                return b"".join(pieces)

            def reply(self, kind, text):
                data = text.encode()
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def calls(self, offered, results):
        """The calls of this turn as ids, tools and parameters; none where the model has nothing more to say.

        A request that offers no tool of ours is about something else, and one without new results is asked again.

        Args:
            offered: the names of the tools that the request offers.
            results: what came of all calls so far, in order.
        """
        with self.lock:
            usual = next((name for name in self.tools if name in offered), None)
            if usual is None or self.ended:
                return []
            if self.turn is None or len(results) >= self.asked + len(self.turn):
                self.asked += len(self.turn or ())
                try:
                    wanted = self.script.send(None if self.turn is None else results[-len(self.turn) :])
                except StopIteration:
                    self.ended = True
                    return []
                self.turn = [self.made(call, call.tool or usual) for call in wanted]
            return [(f"call_{self.asked + index}", *call) for index, call in enumerate(self.turn)]

    def made(self, call, tool):
        """The tool and the parameters of a call."""
        return tool, self.tools[tool](call) if call.given is None else call.given


class ResponsesModel(Model):
    """Speaks OpenAI's Responses API, as Codex CLI does; a tool that takes a text gets it as it is."""

    def answer(self, path, body):
        del path
        results = [item for item in body.get("input", []) if str(item.get("type", "")).endswith("_output")]
        said = [json.dumps(item.get("output")) for item in results]
        items = [
            {"id": f"f{name}", "call_id": name, "name": tool, "status": "completed"}
            | (
                {"type": "custom_tool_call", "input": given}
                if isinstance(given, str)
                else {"type": "function_call", "arguments": json.dumps(given)}
            )
            for name, tool, given in self.calls({tool.get("name") for tool in body.get("tools", [])}, said)
        ] or [
            {
                "type": "message",
                "id": "m1",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": self.text, "annotations": []}],
            }
        ]
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        response = {"id": "r1", "object": "response"}
        whole = response | {"status": "completed", "output": items, "usage": usage}
        events = [
            {"type": "response.created", "response": response | {"status": "in_progress", "output": []}},
            *({"type": "response.output_item.done", "output_index": n, "item": each} for n, each in enumerate(items)),
            {"type": "response.completed", "response": whole},
        ]
        return "text/event-stream", "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in events)


class GeminiModel(Model):
    """Speaks the Gemini API, as Gemini CLI does."""

    def answer(self, path, body):
        if "countTokens" in path:
            return "application/json", '{"totalTokens": 1}'
        parts = [part for content in body.get("contents", []) for part in content.get("parts", [])]
        said = [json.dumps(part["functionResponse"]) for part in parts if "functionResponse" in part]
        tools = {each["name"] for tool in body.get("tools", []) for each in tool.get("functionDeclarations", [])}
        answer = [{"functionCall": {"name": tool, "args": given}} for _, tool, given in self.calls(tools, said)]
        reply = {
            "candidates": [
                {
                    "content": {"role": "model", "parts": answer or [{"text": self.text if tools or said else "{}"}]},
                    "finishReason": "STOP",
                    "index": 0,
                }
            ],
            "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
            "modelVersion": "fake",
        }
        if "streamGenerateContent" in path:
            return "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n"
        return "application/json", json.dumps(reply)


class ChatModel(Model):
    """Speaks OpenAI's Chat Completions API, as Qwen Code, Copilot CLI and opencode do."""

    def answer(self, path, body):
        del path
        said = [json.dumps(each.get("content")) for each in body.get("messages", []) if each.get("role") == "tool"]
        tools = {tool.get("function", {}).get("name") for tool in body.get("tools") or ()}
        calls = [
            {"index": n, "id": name, "type": "function", "function": {"name": tool, "arguments": json.dumps(given)}}
            for n, (name, tool, given) in enumerate(self.calls(tools, said))
        ]
        message = {"role": "assistant"} | ({"content": None, "tool_calls": calls} if calls else {"content": self.text})
        end = {"finish_reason": "tool_calls" if calls else "stop"}
        reply = {"id": "c1", "created": 1, "model": "fake"}
        usage = {"usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
        if not body.get("stream"):
            choice = {"index": 0, "message": message} | end
            return "application/json", json.dumps(reply | {"object": "chat.completion", "choices": [choice]} | usage)
        chunk = reply | {"object": "chat.completion.chunk"}
        pieces = [
            chunk | {"choices": [{"index": 0, "delta": message, "finish_reason": None}]},
            chunk | {"choices": [{"index": 0, "delta": {}} | end]},
            chunk | {"choices": []} | usage,
        ]
        data = [*map(json.dumps, pieces), "[DONE]"]
        return "text/event-stream", "".join(f"data: {each}\n\n" for each in data)
