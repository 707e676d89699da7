"""A proxy between an editor and an agent that speak the Agent Client Protocol (agentclientprotocol.com, version 1).

The two speak JSON-RPC over the agent's standard input and output, one message a line. Lines go through as they are,
except those by which the agent wants something: leave to run a command or to change a file, a program in one of the
editor's terminals, a file. Each of these goes through `Gate.run`. Where that asks, the editor shows the question: on
the card of the agent's own request where there is one, else on a card of asimi's.

What an agent does without a word to the editor does not come by here; only a box holds that.
"""

from __future__ import annotations
