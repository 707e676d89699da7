"""Where `git push` and `kubectl` go by the files that a person keeps; nothing is started to learn it.

Sources: git-push(1), git-config(1), gitrepository-layout(5); the form of a kubeconfig as kubectl writes it
(kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig). What is written in another form, or
tells more than is understood here, gives no answer.
"""

from __future__ import annotations

import os
from re import ASCII
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.pattern import pattern
from asimi.world.host.git_settings import GLOBAL, plain_settings, settings_in
from asimi.world.host.repositories import branch_at, is_ref, shared_of, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_URL = pattern(r"[a-z][a-z0-9+.-]*://[!-~]+|[\w.+-]+@[\w.-]+:[!-~]+", ASCII)
"""An address as git takes it: a URL, or a place of ssh's."""

_OF_REMOTE = frozenset({"url", "pushurl", "fetch", "tagopt", "prune", "gh-resolved"})
"""Settings of a remote that change nothing of what `git push` sends; a `push`, a `mirror` and others do."""

_OF_PUSH = frozenset({"default", "autosetupremote", "negotiate", "useforceifincludes"})
"""The same of `push`; `followTags` and `recurseSubmodules` send more."""

_PLAIN = frozenset({"", "simple", "current"})
"""Values of `push.default` with which a push without a branch is one of the branch that one is on, by its name."""

_STEERING = ("GIT_CONFIG", "GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_NAMESPACE")
"""Beginnings of variables by which git finds other settings, or another repository (git(1))."""

LARGEST = 1 << 20
"""Bytes of a kubeconfig that is read."""

_LINE = pattern(r'( *)(- )?([\w.-]+):(?: +(?:"([^"\\]*)"|\'([^\']*)\'|([^\s"\'#&*!|>{}\[\]%@`][^#]*?)|\{\}))? *')
"""A line of a kubeconfig: its indent, whether it begins an item, its key and value."""

_OTHER = pattern(r"([\w-]+):")
"""What a line at the left begins with whose value is of another form."""


def pushes(repository: str, operands: Sequence[str]) -> tuple[str, ...]:
    """Return the URLs that `git push` goes to and the branches that it sends; none where not all of it is sure.

    Args:
        repository: the real path of the `.git`.
        operands: what follows the options: a remote, then branches.
    """
    if any(name.startswith(_STEERING) for name in os.environ):
        return ()
    shared = shared_of(repository)
    own = plain_settings(shared)
    if own is None or os.path.lexists(f"{repository}/config.worktree"):
        return ()
    beside = _beside()
    if beside is None:
        return ()
    settings: dict[tuple[str, str], list[str]] = {}
    for name, which, value in (*beside, *own):
        settings.setdefault((name, which), []).append(value)
    for (name, _), (*_, last) in settings.items():
        section, _, key = name.rpartition(".")
        more = section == "push" and key not in _OF_PUSH
        if more or section.startswith("include") or (name == "submodule.recurse" and last != "false"):
            return ()
    here = branch_at(repository)
    remote = operands[0] if operands else _remote(settings, here)
    urls = _urls(settings, remote, shared)
    branches = [here if each == "HEAD" else each for each in operands[1:]]
    if not branches:
        *_, default = settings.get(("push.default", ""), [""])
        follows = settings.get(("branch.merge", here), [f"refs/heads/{here}"])
        if default not in _PLAIN or (default != "current" and follows != [f"refs/heads/{here}"]):
            return ()
        branches = [here]
    if not urls or not all(branches) or not all(is_ref(shared, "heads", each) for each in branches):
        return ()
    if any(is_ref(shared, "tags", each) for each in branches):
        return ()
    return (*(f"remote {each}" for each in urls), *(f"branch {each}" for each in dict.fromkeys(branches)))


def _beside() -> list[tuple[str, str, str]] | None:
    """The settings of the person and the system, as `plain_settings` has them; None where not all are understood."""
    found = []
    for file in (*GLOBAL, f"{os.environ.get('XDG_CONFIG_HOME') or '~/.config'}/git/config"):
        for section, key, value in settings_in(text_of(os.path.expanduser(file))):
            name, _, which = section.partition(" ")
            if name.startswith("include") or name in {"remote", "branch"}:
                return None
            found.append((f"{name}.{key}", which.strip('"'), value))
    return found


def _remote(settings: dict[tuple[str, str], list[str]], branch: str) -> str:
    """The remote that a push from a branch goes to where the text names none; empty where that is not sure."""
    for key in (("branch.pushremote", branch), ("remote.pushdefault", ""), ("branch.remote", branch)):
        if key in settings:
            return settings[key][-1]
    remotes = {which for name, which in settings if name.startswith("remote.") and which}
    return "origin" if remotes == {"origin"} else ""


def _urls(settings: dict[tuple[str, str], list[str]], remote: str, shared: str) -> list[str]:
    """The URLs that a push to a remote goes to; none where that is not sure."""
    own = {name.rpartition(".")[2]: values for (name, which), values in settings.items() if which == remote}
    own = {key: values for key, values in own.items() if remote and (f"remote.{key}", remote) in settings}
    older = any(os.path.lexists(os.path.join(shared, kind, remote)) for kind in ("remotes", "branches"))
    if not own.keys() <= _OF_REMOTE or (older and not own):  # a file says what it is (gitrepository-layout(5))
        return []
    urls = (own.get("pushurl") or own.get("url") or []) if own else [remote]
    begun = [value for (name, _), values in settings.items() if name.startswith("url.") for value in values]
    sure = all(_URL.fullmatch(each) and not each.startswith(tuple(begun)) for each in urls)
    return list(dict.fromkeys(urls)) if sure else []


def contexts(root: str, context: str, namespace: str) -> tuple[str, ...]:
    """Return the context and the namespace that `kubectl` works in; none where not both are sure.

    Args:
        root: the project root, whose files say nothing of it.
        context: what the text names; empty for the one in force now.
        namespace: the same.
    """
    if not (context and namespace):
        file = os.environ.get("KUBECONFIG") or os.path.expanduser("~/.kube/config")
        real = os.path.realpath(file)
        if os.pathsep in file or not os.path.isabs(file) or is_below(real, root):
            return ()
        found = _kubeconfig(text_of(real, LARGEST))
        if found is None:
            return ()
        now, namespaces = found
        context = context or now
        if context not in namespaces:
            return ()
        namespace = namespace or namespaces[context]
    return (f"context {context}", f"namespace {namespace}") if context else ()


def _kubeconfig(text: str) -> tuple[str, dict[str, str]] | None:
    """The context in force, and the namespace of each; None where the text is not as kubectl writes it."""
    now, section, item = "", "", dict[str, str]()
    namespaces: dict[str, str] = {}
    items: list[dict[str, str]] = []
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            other = _OTHER.match(line)
            section = section if other is None else other[1]
            if section in {"contexts", "current-context"} or (other is None and not line.startswith((" ", "-"))):
                return None
            continue
        indent, begins, key = len(match[1]), match[2], match[3]
        value = next((each for each in match.group(4, 5, 6) if each is not None), "")
        if not indent and not begins:
            if section == key or (key == "current-context" and now):
                return None
            section, now = key, value if key == "current-context" else now
        elif section == "contexts":
            if begins:
                items.append(item := {})
            if key in item:
                return None
            item[key] = value
    for each in items:
        if not each.get("name") or each["name"] in namespaces:
            return None
        namespaces[each["name"]] = each.get("namespace") or "default"
    return now, namespaces
