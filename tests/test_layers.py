"""Who may import whom, read from a table; an import for types alone (`TYPE_CHECKING`) binds nobody."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from importlib import import_module

import pytest
from helpers.house import MODULES, circles, extra_of, imports_of

# The folder says what a module is: each part of the world knows the core, the host it stands on, and itself.
FOLDERS = (
    "asimi.core",
    "asimi.world",
    "asimi.tools",
    "asimi.compose",
    "asimi.doors",
    "asimi.hooks",
    "asimi.adapters",
    "asimi.extras",
)

MAY_IMPORT = {
    "core": {"core"},
    "host": {"core", "host"},
    "world": {"core", "host"},  # and its own part
    "compose": {"core", "host", "world", "compose"},
    "doors": {"core", "host", "world", "compose", "doors", "tools", "asimi"},
    "tools": {"core", "compose", "doors", "tools"},
    "hooks": {"doors"},
    "adapters": {"core"},  # the public name of an extra
    "extras": {"core", "host", "world", "compose", "doors", "tools", "asimi"},  # the gate, and itself
    "testing": {"core"},
    "asimi": {"core", "doors", "tools"},
    "__main__": {"doors"},
}

# A part of the world that stands on another: a box around a program is made as the sandbox of a command is.
STANDS_ON = {"box": {"executors"}}

# Parts of the world that a door may use directly: not parts of a gate, but what a command is about.
DOORS_MAY_USE = {"config", "approvals", "audit", "box", "executors", "undo"}

THE_WORLD = {"asyncio", "os", "pathlib", "shutil", "signal", "socket", "subprocess", "tempfile", "threading"}

THIRD_PARTIES = {
    "typer": ("asimi.doors.cli", "asimi.extras"),
    "rich": (
        "asimi.world.console",
        "asimi.doors.cli.pages",
        "asimi.doors.cli.progress",
        "asimi.extras.report.screen",
    ),
    "prompt_toolkit": ("asimi.world.approvers.terminal", "asimi.extras.shell"),
    "tomli_w": ("asimi.world.config",),
    "nats": ("asimi.extras.team",),  # the extra asimi[team], and what it brings
    "nkeys": ("asimi.extras.team",),
    "opentelemetry": ("asimi.extras.telemetry.exporter",),  # the extra asimi[otel], and what it brings
    "requests": ("asimi.extras.telemetry.exporter",),
    "urllib3": ("asimi.extras.telemetry.exporter",),
    "wcwidth": ("asimi.world.host.terminal",),
    "mcp": ("asimi.doors.mcp",),  # the extra asimi[mcp], and what it brings
    "mcp_types": ("asimi.doors.mcp",),
    "anyio": ("asimi.doors.mcp", "asimi.extras.frameworks.claude_agent"),
    "claude_agent_sdk": ("asimi.extras.frameworks.claude_agent",),
    "agents": ("asimi.extras.frameworks.openai_agents",),  # each framework is an extra of its own
    "pydantic_ai": ("asimi.extras.frameworks.pydantic_ai",),
    "langchain": ("asimi.extras.frameworks.langchain",),
    "langchain_core": ("asimi.extras.frameworks.langchain",),
    "langgraph": ("asimi.extras.frameworks.langchain",),
    "google": ("asimi.extras.frameworks.google_adk", "asimi.extras.telemetry.exporter"),
}

LEAN = {
    "asimi": {"asyncio", "typer"},
    "asimi.tools": {"asyncio", "typer", "asimi.compose"},
    "asimi.doors.cli": {
        "typer",
        "asyncio",
        "json",
        "tomllib",
        "asimi.compose",
        "asimi.core.judging.policy",
    },
    "asimi.doors.cli.completion": {"typer", "asyncio", "tomllib", "asimi.compose"},
    "asimi.doors.cli.program": {
        "asyncio",
        "json",
        "tomllib",
        "rich",
        "prompt_toolkit",
        "asimi.core.judging.policy",
        "asimi.world.config",
    },
    "asimi.core.judging.policy": {"asyncio", "dataclasses", "subprocess"},
    "asimi.compose": {"asyncio", "asimi.world.config", "asimi.core.judging.policy"},
    "asimi.compose.hook": {"asyncio", "asimi.world.config", "asimi.core.judging.policy"},
}

NEVER_CHECKED = {"asyncio", "tomllib", "datetime", "subprocess"} | {
    f"asimi.core.{name}" for name in "reading.readers reading.sql reading.scripts wording.dialog".split()
}
"""What `asimi check` of a plain command does without, where no file configures it."""


def layer_of(name):
    """The folder that says what a module is, and which part of the world it is, if it is one."""
    parts = name.split(".")
    if parts[1:2] == ["world"]:
        return ("host" if parts[2:3] == ["host"] else "world"), "".join(parts[2:3])
    return parts[1 if len(parts) > 1 else 0], ""


def names_of(statement):
    """The names that a statement of a module binds."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return [each.id for each in targets if isinstance(each, ast.Name)]
    return []


def test_no_module_gives_one_name_to_two_things():
    found = []
    for name, path in MODULES.items():
        bound = Counter(each for one in ast.parse(path.read_text(encoding="utf-8")).body for each in names_of(one))
        found += [f"{name}.{each}" for each, times in bound.items() if times > 1]
    assert found == []


def test_the_top_of_the_package_reads_as_the_architecture():
    top = {".".join(name.split(".")[:2]) for name in MODULES}
    alone = {"asimi", "asimi.__main__", "asimi.testing"}
    assert top == {*FOLDERS, *alone}


def offences(may):
    """What is imported by whom, for every import that may not be."""
    found = ((name, imported) for name in MODULES for imported in imports_of(name))
    return [f"{name} imports {imported}" for name, imported in found if not may(name, imported)]


def may_import(name, imported):
    """Whether the layer of a module allows an import."""
    if imported.partition(".")[0] != "asimi":
        return True
    (layer, part), (other, its_part) = layer_of(name), layer_of(imported)
    if other == "extras":
        return extra_of(name) == extra_of(imported) != "gate"
    if other == "world" and its_part and layer in ("world", "doors"):
        return its_part in {part, *STANDS_ON.get(part, ())} if layer == "world" else its_part in DOORS_MAY_USE
    return other in MAY_IMPORT[layer]


def test_a_module_imports_only_what_its_layer_may():
    assert offences(may_import) == []


FLOORS = {
    "syntax": {"syntax"},
    "programs": {"programs"},
    "reading": {"syntax", "programs", "reading"},
    "judging": {"syntax", "programs", "reading", "judging", "wording"},
    "wording": {"syntax", "programs", "reading", "judging", "wording"},
}
"""The folders of core, and of which of these each may import something, when it runs or for its types."""


def test_the_folders_of_core_stand_on_each_other():
    found = []
    for name, path in MODULES.items():
        folder = name.split(".")[2] if name.count(".") > 1 else ""
        if not name.startswith("asimi.core.") or folder not in FLOORS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("asimi.core."):
                other = node.module.split(".")[2]
                if other in FLOORS and other not in FLOORS[folder]:
                    found.append(f"{name} imports {node.module}")
    assert found == []


CIRCLES = [
    {"reading.builtins", "reading.dialects", "reading.reader", "reading.starts"},  # a command starts commands
    {"reading.account", "reading.addresses", "reading.commands"},  # a command tells what it does, and to whom
    {"gate", "hosting", "interfaces"},  # a host calls the gate back
    {"call", "judging.rules", "wording.effects"},  # a decision holds the rules that it rests on
    {
        "judging.search_results",
        "judging.places",
        "judging.search_candidates",
        "judging.unpacking",
    },  # a search or a list is loaded where there is one
]
"""The files of core that name each other, if only for their types, and why; when they run, none does."""


def typed_imports_of(name):
    """The modules that a module imports, for its types as well."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            of = {f"{node.module}.{each.name}" for each in node.names} & MODULES.keys()
            found |= of or {node.module}
    return found - {name}


def test_no_files_of_core_but_these_name_each_other():
    core = [each for each in circles(typed_imports_of) if each[0].startswith("asimi.core.")]
    assert core == sorted(sorted(f"asimi.core.{name}" for name in circle) for circle in CIRCLES)


def test_core_touches_nothing_of_the_world():
    assert offences(lambda name, imported: layer_of(name)[0] != "core" or imported not in THE_WORLD) == []


def test_third_parties_have_one_home_each():
    def at_home(name, imported):
        return name.startswith(THIRD_PARTIES.get(imported.partition(".")[0], "asimi"))

    assert offences(at_home) == []


def test_only_what_the_project_depends_on_is_imported():
    known = {"asimi", *THIRD_PARTIES, *sys.stdlib_module_names}
    assert offences(lambda _, imported: imported.partition(".")[0] in known) == []


def test_what_a_machine_loads_late_is_there():
    """No import names it, so nothing else says so before somebody needs it."""
    late = re.findall(
        r'_late\("([\w.]+)", "(\w+)"\)', MODULES["asimi.compose.configuration"].read_text(encoding="utf-8")
    )
    assert len(late) > 5
    for module, name in late:
        assert callable(getattr(import_module(f"asimi.{module}"), name))


def test_core_has_no_dataclasses():
    """Twenty frozen ones cost as much start-up as Python itself."""
    assert offences(lambda name, imported: layer_of(name)[0] != "core" or imported != "dataclasses") == []


@pytest.mark.parametrize("name", LEAN)
def test_what_is_imported_at_start_is_lean(name):
    code = f"import sys; before = set(sys.modules); import {name}; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not LEAN[name] & set(done.stdout.split())


def loaded_by(home, *words):
    """What a command line imports, told by Python itself, because asimi ends the process; and its exit code."""
    code = f"import sys; from asimi.__main__ import main; sys.argv = {['asimi', *words]!r}; main()"
    environ = {"HOME": str(home), "PATH": os.environ["PATH"]}
    python = [sys.executable, "-X", "importtime", "-c", code]
    done = subprocess.run(python, capture_output=True, text=True, check=False, env=environ)
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}, done.returncode


def test_a_plain_command_is_checked_with_little(tmp_path):
    loaded, code = loaded_by(tmp_path, "check", "ls")
    assert code == 1
    assert "asimi.core.judging.policy" in loaded
    assert not NEVER_CHECKED & loaded


def test_the_gate_is_the_only_one_who_builds_an_execution():
    builders = [name for name, path in MODULES.items() if re.search(r"\bExecution\(", path.read_text(encoding="utf-8"))]
    assert sorted(builders) == ["asimi.core.call", "asimi.core.gate"]
