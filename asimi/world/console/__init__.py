"""How questions and answers look on a terminal.

A question becomes rows of text (`rows`, of it the `command` and the `words` about it), which `frame` puts into a panel
with the keys below it. What cannot fit is paged and never shortened. Colours only repeat words. They are the terminal's
own sixteen, so light and dark backgrounds both work, and are all left out where a terminal cannot or shall not
show them. Whatever comes from outside passes `visible` first.
"""

from __future__ import annotations

from asimi.world.console.frame import closing_line, prompt, render

__all__ = ["closing_line", "prompt", "render"]
