"""A host program of LangChain, with its fake model and a checkpoint in a file."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from asimi.adapters.langchain import AsimiMiddleware
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

import asimi


class Model(GenericFakeChatModel):
    """The fake one, which takes no tools by itself."""

    def bind_tools(self, tools, **_):
        return self


def calls_of(turn):
    return [{"name": "run_shell_command", "args": {"command": text}, "id": name} for name, text in turn]


def decision_of(answer):
    match answer:
        case True:
            return {"type": "approve"}
        case False:
            return {"type": "reject", "message": "not now"}
    return {"type": "edit", "edited_action": {"name": "run_shell_command", "args": {"command": answer}}}


async def step(given, path):
    import pickle

    messages = [AIMessage("", tool_calls=calls_of(turn)) for turn in given["turns"]]
    saver = InMemorySaver()
    if path.exists():
        storage, writes, blobs = pickle.loads(path.read_bytes())
        saver.writes.update(writes)
        saver.blobs.update(blobs)
        for thread, spaces in storage.items():
            saver.storage[thread].update(spaces)
    agent = create_agent(
        Model(messages=iter([*messages, AIMessage("done")])),
        middleware=[AsimiMiddleware(asimi.open_gate())],
        checkpointer=saver,
    )
    config = {"configurable": {"thread_id": given["talk"]}}
    start = {"messages": [("user", "go")]}
    if given["answers"] is not None:
        asked = (await agent.aget_state(config)).interrupts
        start = Command(resume={each.id: decision_of(given["answers"][each.value["tool_call_id"]]) for each in asked})
    result = await agent.ainvoke(start, config)
    storage = {thread: dict(spaces) for thread, spaces in saver.storage.items()}
    path.write_bytes(pickle.dumps((storage, dict(saver.writes), dict(saver.blobs))))
    outputs = {
        each.tool_call_id: (str(each.content), each.status == "error")
        for each in result["messages"]
        if each.type == "tool"
    }
    asked = result.get("__interrupt__", ())
    return {"questions": {each.value["tool_call_id"]: each.value["description"] for each in asked}, "outputs": outputs}


given = json.load(sys.stdin)
sys.stdout.write(json.dumps(asyncio.run(step(given, Path(given["saved"])))))
