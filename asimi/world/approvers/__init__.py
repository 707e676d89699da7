"""Whoever can be asked; `compose` chooses.

There are four: `flag` (`--yes`: the person said yes beforehand), `refuse` (nobody: every question is a no), `terminal`
(the person at this terminal), `queue` (a person elsewhere, by `asimi watch` and `asimi approve`).
"""
