"""The tools as an MCP server on standard input and output, for the official SDK (`asimi[mcp]`).

Every call goes through `Gate.run`. A question becomes an elicitation, a form that the client shows. Two eras of the
protocol do that differently:

* with a handshake (up to 2025-11-25) the server sends the question while the call waits;
* since 2026-07-28 a server does not send requests. The call ends with the question and a token, and the client makes
  it again with the answer and the token. The gate judges it again, and if it asks the very same question, the answer
  counts. A token is a random number that only this process knows, for one call and one question, used once.

A form proves less than a terminal, because a client may answer it by itself. So the log names the client, and such an
answer holds once or for this process, never for good. If a client cannot show forms, or answers before a person can
have read one, the question goes to the queue, and the model reads what its person can type.
"""

from __future__ import annotations
