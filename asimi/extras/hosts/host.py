"""A host as judging sees it: what it says of its own files, asked for in as few round trips as can be foreseen.

`RemoteJobs` is what commands left running there.
"""

from __future__ import annotations

import os.path
import re
import threading
import time
from base64 import b64decode
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from asimi.core.call import Verdict
from asimi.core.errors import AsimiError, HostError
from asimi.core.judging.machine import Machine
from asimi.core.pattern import pattern
from asimi.core.settings import RemoteMachine
from asimi.extras.hosts.questions import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from asimi.core.call import Act, Deed, Place, Request, Sandbox
    from asimi.core.settings import Host
    from asimi.extras.hosts.frames import Facts
    from asimi.extras.hosts.link import Link

    Asked = tuple[Any, ...]
    """A question: its name, then its arguments."""

MOST_TEXTS = 256
"""Texts of which it is kept what was asked about them."""

MOST_GUESSED = 256
"""Questions that are asked beforehand about a text that is new."""

LONGEST_GUESSED = 4096
"""Characters of such a text that are looked through."""

_PATH = re.compile(r"[\w./~@%+=,:-]+")


class Remote:
    """A host.

    An answer holds for one look and no longer, since files change. What was asked about a text the last time is asked
    beforehand the next time, all in one round trip; of a new text, what its words may name.

    Args:
        host: which one.
        link: leads there.

    Attributes:
        name: what the person calls it.
        link: leads there.
    """

    def __init__(self, host: Host, link: Link) -> None:
        self.name, self.link, self._host = host.name, link, host
        _check(host.name, link.facts)
        self._before: dict[object, tuple[Asked, ...]] = {}
        self._now = threading.local()

    @property
    def facts(self) -> Facts:
        """What it says of itself; only the environment may be another one after a connection was lost."""
        return self.link.facts

    @property
    def trusted(self) -> bool:
        """Whether what it says of itself may allow something, as it was configured when it was reached."""
        return self._host.trusted

    @property
    def seconds(self) -> float:
        """How long one question takes now."""
        began = time.perf_counter()
        self.link.ask("kind", self.facts.root)
        return time.perf_counter() - began

    def ask(self, *asked: Any) -> Any:
        """The answer to a question; within a look, each is asked once.

        Raises:
            AsimiError: there is none.
        """
        known: dict[Asked, Any] | None = getattr(self._now, "answers", None)
        if known is None:
            return self.link.ask(*asked)
        self._now.used[asked] = None
        if asked not in known:
            known[asked] = self.link.ask(*asked)
        return known[asked]

    @contextmanager
    def looking(self, about: object, guess: Callable[[], Iterable[Asked]] = tuple) -> Iterator[None]:
        """One look; within another one, it is a part of that.

        Args:
            about: what it is about; what was asked about the same the last time is asked beforehand.
            guess: gives what to ask beforehand the first time.
        """
        if getattr(self._now, "answers", None) is not None:
            yield
            return
        before = self._before.pop(about, None)
        self._now.answers = self._asked([*dict.fromkeys(islice(guess(), MOST_GUESSED))] if before is None else before)
        self._now.used = {}
        try:
            yield
        finally:
            self._now.answers = None
            self._before[about] = tuple(self._now.used)
            while len(self._before) > MOST_TEXTS:
                self._before.pop(next(iter(self._before)), None)

    def check(self, host: Host) -> None:
        """Make sure that it is still what is configured under its name; whether it is trusted may change.

        Raises:
            HostError: it is not.
        """
        if host._replace(trusted=self._host.trusted) != self._host:
            raise HostError(f"host {self.name}: [hosts.{self.name}] has changed; start asimi again")

    def look(self, request: Request) -> Any:
        """A look at what a request names."""
        return self.looking((request.command, request.arguments, request.place), lambda: self._named(request))

    def complete_deeds(self, deeds: tuple[Deed, ...], place: Place) -> tuple[Deed, ...]:
        """What commands would do, with what only the file system there says, and nothing else of its answer."""
        said = self.link.ask("looked", deeds, place.path, place.root)
        if [len(deed.acts) for deed in said] != [len(deed.acts) for deed in deeds]:
            raise HostError(f"host {self.name}: says what other commands would do")
        return tuple(
            deed._replace(acts=tuple(map(_seen, deed.acts, there.acts)))
            for deed, there in zip(deeds, said, strict=True)
        )

    def machine(self, names: Collection[str]) -> Machine:
        """What has to be known of it to say where a path leads.

        Args:
            names: the variables that paths are written with.
        """
        ask, environ = self.ask, self.facts.environ
        return Machine(
            self.facts.home,
            lambda path: str(ask("resolve", path)),
            {name: environ[name] for name in names if environ.get(name)},
            names=partial(ask, "names"),
            kind=partial(ask, "kind"),
            below=partial(ask, "below"),
            repository=partial(ask, "repository"),
            guides=partial(ask, "guides"),
            branch=partial(ask, "branch"),
            links=partial(ask, "links"),
            leads=lambda starts: ask("leads", tuple(starts)),
            walk=lambda *what: walk(self.link.ask_all, *what),
        )

    def real(self, path: str) -> str:
        """The real path of an absolute one.

        Raises:
            HostError: it says something that is none.
        """
        real = str(self.ask("resolve", path))
        if not is_path(real):
            raise HostError(f"host {self.name}: says that {path!r} is {real!r:.80}, which is no path")
        return real

    def what(self, path: str) -> str:
        """What is at a path: `directory`, `other`, or empty for nothing."""
        return str(self.ask("directory", path))

    def unkept(self, sandbox: Sandbox) -> str:
        """Why it cannot keep a sandbox, in words; empty where it can."""
        if sandbox.mode != "off" and sandbox.network == "named":
            return "`network` by name is for commands on this machine"
        return self._said(self.link.ask("unkept", sandbox))

    def opened_to(self, sandbox: Sandbox) -> str:
        """Which file of asimi's own there a sandbox would open, in words; empty where it opens none."""
        return self._said(self.link.ask("opened_to", sandbox))

    def lacking_exec_rules(self) -> str:
        """Why it cannot keep exec rules, in words; empty where it can."""
        return self._said(self.link.ask("lacking_exec_rules"))

    def there(self) -> RemoteMachine:
        """What the configuration has to know of it."""
        denies = tuple(
            rule._replace(source=f"{self.name}:{rule.source or self.facts.places.managed}", host=self.name)
            for rule in self.facts.managed
            if rule.verdict is not Verdict.ALLOW
        )
        return RemoteMachine(self.name, self.facts.root, denies, self.lacking_exec_rules)

    @property
    def own(self) -> list[str]:
        """Files and directories of asimi's own there."""
        there = self.facts.places
        return [there.config, there.state, there.runtime, os.path.dirname(there.managed)]

    def _said(self, why: object) -> str:
        return f"on {self.name}: {why}" if why else ""

    def _asked(self, questions: Sequence[Asked]) -> dict[Asked, Any]:
        """The answers that there are to some questions."""
        if not questions:
            return {}
        try:
            return dict(zip(questions, self.link.ask_all(questions), strict=True))
        except HostError:
            raise
        except AsimiError:
            return {}  # one of them has no answer, which matters only if it is asked again

    def _named(self, request: Request) -> Iterator[Asked]:
        """What is likely to be asked about a text: the words in it that may be paths, and what is above them."""
        text = " ".join((request.command, *(request.arguments or ())))[:LONGEST_GUESSED]
        words = _PATH.findall(text)
        base, home = request.place.path, self.facts.home
        paths = dict.fromkeys(os.path.normpath(os.path.join(base, word.replace("~", home, 1))) for word in words)
        for path in [base, *paths]:
            yield "kind", path
            while path.strip("/"):
                yield "links", path
                path = os.path.dirname(path)  # noqa: PLW2901 - upward


def _seen(act: Act, there: Act) -> Act:
    """What a command would do, with how many files it is there, or what the script says there."""
    return act._replace(files=there.files, words=there.words if act.script else act.words)


def _check(name: str, facts: Facts) -> None:
    """Make sure that paths can be judged by what a host says of itself.

    Raises:
        HostError: they cannot.
    """
    there = facts.places
    for what, path in (("home", facts.home), ("project root", facts.root), ("configuration", there.config)):
        if not is_path(path):
            raise HostError(f"host {name}: says that its {what} is {path!r:.80}, which is no path")


def is_path(text: str) -> bool:
    """Whether a text is an absolute path without detours."""
    return text[:1] == "/" and "\0" not in text and os.path.normpath(text) == text


_ID = pattern(r"[0-9a-f]{1,32}-[0-9a-f]{1,32}")
_LATEST = 1e11  # seconds since the epoch that every clock can show


class RemoteJobs:
    """The jobs of a host, as `asimi.world.executors.jobs.Jobs` has those of this machine.

    Args:
        remote: the host.
    """

    def __init__(self, remote: Remote) -> None:
        self._remote = remote

    def list(self) -> Sequence[Any]:
        """All jobs, the oldest first.

        Raises:
            AsimiError: they cannot be told.
        """
        found = tuple(self._remote.ask("jobs"))
        for job in found:
            if _ID.fullmatch(job.id) is None or not 0 <= job.began < _LATEST:
                raise HostError(
                    f"host {self._remote.name}: tells of a job that asimi has not written down: {job.id!r:.80}"
                )
        return found

    def job(self, name: str) -> Any:
        """The job of an id.

        Raises:
            AsimiError: there is none.
        """
        found = next((job for job in self.list() if job.id == name), None)
        if found is None:
            raise AsimiError(
                f"There is no job {name} on {self._remote.name}; asimi jobs list --host {self._remote.name}"
            )
        return found

    def kill(self, name: str) -> Sequence[int]:
        """End the processes of a job; those that could not be ended.

        Raises:
            AsimiError: there is no such job.
        """
        return tuple(self._remote.ask("job_kill", name))

    def read_log(self, path: str) -> Iterator[bytes]:
        """What a log that asimi keeps there holds, piece by piece.

        Raises:
            AsimiError: it cannot be read.
        """
        at = 0
        while data := b64decode(self._remote.ask("kept", path, at)):
            at += len(data)
            yield data

    def tail(self, path: str | None, size: int) -> tuple[bytes, int]:
        """The end of a log, and how long it is."""
        end, total = b"", 0
        with suppress(AsimiError):  # it was removed
            for piece in self.read_log(path) if path else ():
                end, total = (end + piece)[-size:], total + len(piece)
        return end, total
