"""What holds of the source text itself."""

import re
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "asimi"


def test_no_pattern_has_a_possessive_group():
    """Python 3.11.0 to 3.11.4 match `(?:…)*+` wrongly (bpo issue gh-106052), and Debian 12 ships 3.11.2."""
    found = [
        f"{path.relative_to(PACKAGE)}:{number}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"(?<!\\)\)[*+?]\+", line)
    ]
    assert found == []
