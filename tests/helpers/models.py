"""Two small models on loopback that always want one shell command run, then stop: what the real agents talk to here."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class Model:
    """A server that asks for a command and hears what came of it.

    Attributes:
        heard: the results of tool calls that were sent back, as text.
        asked: how often the command was asked for.
    """

    def __init__(self, command):
        self.command, self.heard, self.asked = command, [], 0
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


class ResponsesModel(Model):
    """Speaks OpenAI's Responses API, as Codex CLI does."""

    def answer(self, path, body):
        del path
        tools = {tool.get("name") for tool in body.get("tools", [])}
        results = [item for item in body.get("input", []) if str(item.get("type", "")).endswith("_output")]
        self.heard += [json.dumps(item.get("output")) for item in results]
        if results or not tools:
            item = {
                "type": "message",
                "id": "m1",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": "done", "annotations": []}],
            }
        else:
            self.asked += 1
            name, arguments = next(
                (name, arguments)
                for name, arguments in (
                    ("exec_command", {"cmd": self.command}),
                    ("shell_command", {"command": self.command}),
                    ("shell", {"command": ["bash", "-lc", self.command]}),
                )
                if name in tools
            )
            item = {
                "type": "function_call",
                "id": "f1",
                "call_id": "call_1",
                "name": name,
                "arguments": json.dumps(arguments),
                "status": "completed",
            }
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        response = {"id": "r1", "object": "response"}
        whole = response | {"status": "completed", "output": [item], "usage": usage}
        events = [
            {"type": "response.created", "response": response | {"status": "in_progress", "output": []}},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": whole},
        ]
        return "text/event-stream", "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in events)


class GeminiModel(Model):
    """Speaks the Gemini API, as Gemini CLI does."""

    def answer(self, path, body):
        if "countTokens" in path:
            return "application/json", '{"totalTokens": 1}'
        parts = [part for content in body.get("contents", []) for part in content.get("parts", [])]
        results = [part["functionResponse"] for part in parts if "functionResponse" in part]
        tools = {each["name"] for tool in body.get("tools", []) for each in tool.get("functionDeclarations", [])}
        self.heard += [json.dumps(result) for result in results]
        if "run_shell_command" in tools and not results:
            self.asked += 1
            arguments = {"command": self.command, "description": "try"}
            part = {"functionCall": {"name": "run_shell_command", "args": arguments}}
        else:
            part = {"text": "done" if tools or results else "{}"}
        reply = {
            "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
            "modelVersion": "fake",
        }
        if "streamGenerateContent" in path:
            return "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n"
        return "application/json", json.dumps(reply)
