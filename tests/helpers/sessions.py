"""Sessions of real work: a project, and what an agent sends while it works there (tests/hooks/sessions)."""

from __future__ import annotations

import os
import re
import subprocess

from helpers import TESTS

SESSIONS = sorted((TESTS / "hooks" / "sessions").glob("*.txt"))

GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
PERSON = ["-c", "user.name=A. Person", "-c", "user.email=person@example.org"]


def read(path):
    """The files of a session's project, and its texts with the answer that each should get."""
    files, texts = {}, []
    for head, text in re.findall(r"^--- (.*)\n((?:(?!--- ).*(?:\n|\Z))*)", path.read_text(), flags=re.MULTILINE):
        if head.startswith("file "):
            files[head.removeprefix("file ")] = text
        else:
            texts.append((text.rstrip("\n"), head))
    return files, texts


def repository(home, files):
    """Make the project's root a repository with these files."""
    for name, text in files.items():
        (home.root / name).parent.mkdir(parents=True, exist_ok=True)
        (home.root / name).write_text(text)
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], [*PERSON, "commit", "-q", "-m", "Start"]):
        subprocess.run(["git", *words], cwd=home.root, env=home.environ | GIT, check=True)
