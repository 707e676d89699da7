"""The size of asimi, and who imports whom: `python -m helpers.house` prints it."""

from __future__ import annotations

import ast
import io
import json
import os
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter
from functools import cache
from pathlib import Path

import asimi

PACKAGE = Path(asimi.__file__).parent
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def module_of(path):
    """The name of the module in a file of the package."""
    parts = ["asimi", *path.relative_to(PACKAGE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def tree_of(name):
    """The parsed text of a module."""
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


def extra_of(name):
    """The extra that a module belongs to; `gate` for any other module."""
    parts = name.split(".")
    return parts[2] if parts[1:2] == ["extras"] and len(parts) > 2 else "gate"


def code_lines(name):
    """How many lines of a module are code: no docstring, comment, blank or import."""
    tokens = tokenize.generate_tokens(io.StringIO(MODULES[name].read_text(encoding="utf-8")).readline)
    lines = {line for each in tokens if each.type not in LAYOUT for line in range(each.start[0], each.end[0] + 1)}
    for node in ast.walk(tree_of(name)):
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        if text or isinstance(node, ast.Import | ast.ImportFrom):
            lines.difference_update(range(node.lineno, node.end_lineno + 1))
    return len(lines)


def sizes():
    """The code lines and the modules of the gate, and of each extra."""
    lines, modules = Counter(), Counter(map(extra_of, MODULES))
    for name in MODULES:
        lines[extra_of(name)] += code_lines(name)
    return lines, modules


@cache
def imports_of(name):
    """The modules that a module imports when it runs, wherever in the file it says so."""
    return {*_imports(tree_of(name))}


def _imports(tree):
    typing_only = {
        id(node)
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and "TYPE_CHECKING" in ast.dump(branch.test)
        for part in branch.body
        for node in ast.walk(part)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "an import says the whole name"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if whole != "asimi.__version__":
                    yield whole if whole in MODULES else node.module


def circles(imports):
    """The sets of modules that reach each other, each once."""
    reached = {name: set(imports(name)) & MODULES.keys() for name in MODULES}
    for middle in MODULES:  # Warshall's
        for others in reached.values():
            if middle in others:
                others.update(reached[middle])
    found = {frozenset(b for b in reached[a] if a in reached[b]) for a in MODULES if a in reached[a]}
    return sorted(map(sorted, found))


CALL = {
    "session_id": "s",
    "transcript_path": "",
    "cwd": ".",
    "permission_mode": "default",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "git status"},
    "tool_use_id": "t",
}

JOURNEYS = {
    "check": (("check", "git push origin main"), ""),
    "hook": (("hook", "claude-code"), json.dumps(CALL)),
    "run": (("--yes", "run", "true"), ""),
    "serve": (("serve",), '{"command": "git status"}\n'),
    "wrap": (("wrap", "--explain", "true"), ""),
    "undo": (("undo",), ""),
    "log": (("log",), ""),
}
"""What people and agents start most: the words, and what is on standard input."""

CONFIGURED = 'coreTools = ["run_shell_command(git status)"]\n[undo]\nkeep = "3d"\n'


def start(home, words, given="", package=PACKAGE):
    """Run asimi in a project of a home that may have a configuration, and have Python say what is imported.

    Args:
        home: a directory; what it lacks is made.
        words: the words behind `asimi`.
        given: what is on standard input.
        package: the folder of the package.

    Returns:
        The modules by their names; and the ended process, whose `stderr` says nothing of them.
    """
    project, file = home / "project", home / ".config/asimi/config.toml"
    project.mkdir(exist_ok=True)
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(CONFIGURED)
    code = f"import sys; sys.path.insert(0, {str(package.parent)!r}); from asimi.__main__ import main"
    python = [sys.executable, "-X", "importtime", "-c", f"{code}; sys.argv = {['asimi', *words]!r}; main()"]
    done = subprocess.run(
        python,
        cwd=project,
        env={"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
        input=given.replace('"."', json.dumps(str(project))),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    told, said = [], []
    for line in done.stderr.splitlines():
        (told if line.startswith("import time:") else said).append(line)
    done.stderr = "\n".join(said)
    return {line.rpartition("|")[2].strip() for line in told}, done


def journey(name):
    """The modules of asimi's that a journey loads in a new home, where asimi has kept nothing yet."""
    with tempfile.TemporaryDirectory() as home:
        loaded, _ = start(Path(home), *JOURNEYS[name])
    return {each for each in loaded if each.split(".")[0] == "asimi"}


def report():
    """The numbers, in lines."""
    lines, modules = sizes()
    for name in sorted(lines, key=lambda each: (each != "gate", each)):
        yield f"{name:12} {lines[name]:7,} lines of code in {modules[name]} modules"
    yield f"{'all':12} {lines.total():7,} lines of code in {modules.total()} modules"
    yield f"circles of imports: {len(circles(imports_of))}"
    loaded = {name: journey(name) for name in JOURNEYS}
    told = ", ".join(f"{name} {len(modules)}" for name, modules in loaded.items())
    yield f"modules loaded: {told}; together {len(set().union(*loaded.values()))}"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in report())
