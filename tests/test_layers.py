"""Who may import whom, read from a table; an import for types alone (`TYPE_CHECKING`) binds nobody."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import asimi

PACKAGE = Path(asimi.__file__).parent

# What each module is, the longest name first that fits. Core decides and touches nothing; ground is what adapters
# stand on; each adapter is one way to touch the world; compose chooses; doors translate.
LAYERS = {
    "asimi": "face",
    "asimi.__main__": "door",
    "asimi.approvals": "adapter approvals",
    "asimi.approvers": "adapter approvers",
    "asimi.asking": "compose",
    "asimi.audit": "adapter audit",
    "asimi.bash": "adapter bash",
    "asimi.call": "core",
    "asimi.cli": "door",
    "asimi.compose": "compose",
    "asimi.config": "adapter config",
    "asimi.console": "adapter console",
    "asimi.dialog": "core",
    "asimi.effects": "core",
    "asimi.environment": "core",
    "asimi.errors": "core",
    "asimi.executors": "adapter executors",
    "asimi.explain": "core",
    "asimi.gate": "core",
    "asimi.hooks": "door",
    "asimi.library": "door",
    "asimi.lines": "core",
    "asimi.matching": "core",
    "asimi.mcp": "door",
    "asimi.nested": "ground",
    "asimi.offers": "core",
    "asimi.patterns": "core",
    "asimi.places": "ground",
    "asimi.policy": "core",
    "asimi.programs": "core",
    "asimi.protection": "core",
    "asimi.reading": "core",
    "asimi.risk": "core",
    "asimi.rules": "core",
    "asimi.running": "door",
    "asimi.serving": "door",
    "asimi.serving.dialects": "core",
    "asimi.serving.values": "core",
    "asimi.settings": "core",
    "asimi.shell": "door",
    "asimi.streams": "ground",
    "asimi.syntax": "core",
    "asimi.testing": "double",
    "asimi.tools": "door",
    "asimi.tuples": "core",
    "asimi.visible": "core",
    "asimi.wire": "core",
    "asimi.workspace": "adapter workspace",
}

MAY_IMPORT = {
    "core": {"core"},
    "ground": {"core", "ground"},
    "adapter": {"core", "ground"},  # and its own kind
    "compose": {"core", "ground", "adapter", "compose"},
    "door": {"core", "ground", "adapter", "compose", "door", "face"},
    "double": {"core"},
    "face": {"core", "door"},
}

# Adapters that a door may use directly: not parts of a gate, but what a command is about.
DOORS_MAY_USE = {"asimi.config", "asimi.approvals", "asimi.audit", "asimi.executors", "asimi.bash"}

THE_WORLD = {"asyncio", "os", "pathlib", "shutil", "signal", "socket", "subprocess", "tempfile", "threading"}

THIRD_PARTIES = {
    "typer": ("asimi.cli",),
    "rich": ("asimi.console",),
    "prompt_toolkit": ("asimi.approvers.terminal", "asimi.shell"),
    "tomli_w": ("asimi.config",),
    "mcp": ("asimi.mcp",),  # the extra asimi[mcp], and what it brings
    "mcp_types": ("asimi.mcp",),
    "anyio": ("asimi.mcp",),
}

LEAN = {
    "asimi": {"json", "asyncio", "typer"},
    "asimi.tools": {"json", "asyncio", "typer", "asimi.compose"},
    "asimi.cli.program": {"asyncio", "json", "tomllib", "rich", "prompt_toolkit", "asimi.policy", "asimi.config"},
    "asimi.policy": {"json", "asyncio", "dataclasses", "subprocess", "inspect"},
    "asimi.compose": {"json", "asyncio", "asimi.config", "asimi.policy"},
}


def module_of(path):
    parts = ["asimi", *path.relative_to(PACKAGE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def entry_of(name):
    while name not in LAYERS and "." in name:
        name = name.rpartition(".")[0]
    return name


def imports_of(path):
    """The modules that a file imports when it runs, wherever in the file it says so."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
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
                yield whole if whole in MODULES else node.module


def test_every_line_of_the_table_is_a_module():
    assert set(LAYERS) <= set(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_every_module_has_a_layer(name):
    entry = entry_of(name)
    assert name == "asimi" or entry != "asimi", f"say in LAYERS what {name} is"


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_only_what_its_layer_may(name):
    layer = LAYERS[entry_of(name)]
    for imported in imports_of(MODULES[name]):
        if imported.partition(".")[0] != "asimi" or imported == "asimi":
            continue
        other = LAYERS[entry_of(imported)]
        own_kind = layer == other and layer.startswith("adapter")
        allowed = own_kind or other.split()[0] in MAY_IMPORT[layer.split()[0]]
        if layer == "door" and other.startswith("adapter"):
            allowed = entry_of(imported) in DOORS_MAY_USE
        assert allowed, f"{name} ({layer}) imports {imported} ({other})"


@pytest.mark.parametrize("name", [name for name in MODULES if LAYERS[entry_of(name)] == "core"])
def test_core_touches_nothing_of_the_world(name):
    assert not THE_WORLD & set(imports_of(MODULES[name]))


@pytest.mark.parametrize("name", MODULES)
def test_third_parties_have_one_home_each(name):
    for imported in imports_of(MODULES[name]):
        homes = THIRD_PARTIES.get(imported.partition(".")[0])
        assert homes is None or name.startswith(homes), f"{name} imports {imported}"


def test_only_what_the_project_depends_on_is_imported():
    known = {"asimi", *THIRD_PARTIES, *sys.stdlib_module_names, "_sha2", "_sha256"}  # each Python has one of the two
    found = {imported.partition(".")[0] for path in MODULES.values() for imported in imports_of(path)}
    assert found <= known


@pytest.mark.parametrize("name", [name for name, layer in LAYERS.items() if layer == "core"])
def test_core_has_no_dataclasses(name):
    """Twenty frozen ones cost as much start-up as Python itself."""
    paths = [path for module, path in MODULES.items() if module == name or module.startswith(name + ".")]
    assert not any("dataclasses" in imports_of(path) for path in paths)


@pytest.mark.parametrize("name", LEAN)
def test_what_is_imported_at_start_is_lean(name):
    code = f"import sys; before = set(sys.modules); import {name}; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not LEAN[name] & set(done.stdout.split())


def test_the_gate_is_the_only_one_who_builds_an_execution():
    builders = [name for name, path in MODULES.items() if "Execution(" in path.read_text(encoding="utf-8")]
    assert sorted(builders) == ["asimi.call", "asimi.gate"]
