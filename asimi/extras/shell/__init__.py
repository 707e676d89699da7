"""`asimi shell`, the interactive session: `session` is what it does with a line, `prompt` how a line is typed."""
