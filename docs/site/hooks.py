# ruff: noqa: INP001 - a program of mkdocs', not a package
"""What mkdocs needs to be told: the pages beside docs/ are pages too, and a picture has a light and a dark side."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import normpath
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "bench/RESULTS.md")
PAGES = {"index.md": "README.md", "pages.md": "docs/README.md", **{name: name for name in BESIDE}}
SHOWN = ("bench/latency.svg", "config.example.toml", "examples/policy-test.yml")
"""Files beside docs/ to which pages lead."""

LINK = re.compile(r"(?P<mark>!?)\[(?P<text>(?:[^][]|\[[^]]*\])*)\]\((?P<to>[^()\s:#]*)(?P<anchor>#[^()\s]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Add what is beside docs/."""
    for name, source in {**PAGES, **{each: each for each in SHOWN}}.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links to where the pages are in the site."""
    source = page.file.src_uri
    here = PAGES.get(source, f"docs/{source}").rpartition("/")[0]

    def replaced(match: re.Match[str]) -> str:
        if not match["to"]:
            return match[0]
        target = normpath(f"{here}/{match['to']}" if here else match["to"])
        inside = target.removeprefix("docs/")
        inside = next((name for name, path in PAGES.items() if path == target), inside)
        if not (ROOT / target).exists():
            return match[0]  # mkdocs says that it leads nowhere
        up = "../" * source.count("/")
        to = f"{up}{inside}{match['anchor'] or ''}"
        light = target.replace(".svg", "-light.svg")
        if match["mark"] and (ROOT / light).exists():
            bright = f"{up}{light.removeprefix('docs/')}"
            return f"![{match['text']}]({to}#only-dark)![{match['text']}]({bright}#only-light)"
        return f"{match['mark']}[{match['text']}]({to})"

    return LINK.sub(replaced, markdown)


def on_page_content(html: str, **_: Any) -> str:
    """Show a bar in a table's code as a bar: Markdown wants it marked there, and only GitHub takes the mark away."""
    return re.sub(r"<td.*?</td>", lambda cell: cell[0].replace(r"\|", "|"), html, flags=re.DOTALL)
