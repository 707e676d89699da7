"""An agent of LangChain behind asimi; needs `asimi[langchain]`."""

from __future__ import annotations

from asimi.adapters.langchain import AsimiMiddleware
from example import ALLOWED, ASKED, DENIED, POLICY, says_yes
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

import asimi


class Model(GenericFakeChatModel):
    """LangChain's fake model, which takes no tools by itself."""

    def bind_tools(self, *_: object, **__: object) -> Model:
        """Real models tell the model of the tools here."""
        return self


calls = [
    AIMessage("", tool_calls=[{"name": "run_shell_command", "args": {"command": each}, "id": each}])
    for each in (ALLOWED, DENIED, ASKED)
]
agent = create_agent(
    Model(messages=iter([*calls, AIMessage("Done.")])),
    middleware=[AsimiMiddleware(asimi.open_gate(config=POLICY))],
    checkpointer=InMemorySaver(),
)
config = {"configurable": {"thread_id": "1"}}
result = agent.invoke({"messages": [("user", "Make hello.txt")]}, config)
while asked := result.get("__interrupt__"):
    answers = {}
    for each in asked:
        yes = says_yes(each.value["description"])
        answers[each.id] = {"type": "approve"} if yes else {"type": "reject", "message": "not now"}
    result = agent.invoke(Command(resume=answers), config)
for message in result["messages"]:
    if message.type == "tool":
        print("The model reads:", message.content)
print(result["messages"][-1].content)
