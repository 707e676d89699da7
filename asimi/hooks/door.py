"""What `asimi hook install` makes an agent start: `python -I -S door.py AGENT`.

Isolated from the environment, the current directory and what else is installed: whoever could put a module in the way
would decide what runs. So it finds asimi beside itself, and asimi needs nothing but the standard library here.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    sys.path.append(__file__.rpartition("/asimi/")[0] if "/" in __file__ else __file__.rpartition("\\asimi\\")[0])
    from asimi.hooks.driver import main

    sys.exit(main(sys.argv[1] if len(sys.argv) == 2 else ""))
