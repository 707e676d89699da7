"""Everyone that asimi can ask; `compose` chooses one.

There are three: `unasked` (nobody: every question is a no, or with `--yes` a yes given beforehand), `terminal`
(the person at this terminal), `queue` (a person elsewhere, with `asimi watch` and `asimi approve`).
"""
