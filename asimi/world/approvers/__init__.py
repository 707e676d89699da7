"""Everyone that asimi can ask; `compose` chooses one.

There are four: `flag` (`--yes`: the person approved beforehand), `refuse` (nobody: every question is a no), `terminal`
(the person at this terminal), `queue` (a person elsewhere, with `asimi watch` and `asimi approve`).
"""
