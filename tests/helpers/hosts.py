"""Hosts: places that commands run on through a link, reached by real programs."""

import os

from asimi.core.call import Place
from asimi.core.settings import Environment, Host
from asimi.extras.hosts.executor import RemoteExecutor
from asimi.extras.hosts.link import Link
from helpers import MODULES, PYTHON
from helpers.executors import Library

PROGRAM = (PYTHON, "-m", "asimi")
"""How asimi is started there: this one."""


def host_at(home, root, *reach, **more):
    """A host on this machine: another home, and none of our variables but what Python needs to find asimi."""
    os.makedirs(home, exist_ok=True)
    os.makedirs(root, exist_ok=True)
    variables = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"} | MODULES
    words = ("env", "-i", *(f"{name}={value}" for name, value in variables.items()))
    return Host(**{"name": "there", "reach": (*reach, *words), "root": str(root), "program": PROGRAM} | more)


class Hosted(Library):
    """Commands run at the far end of a link."""

    def __init__(self, home, directory, host=None, wish=Environment, **more):
        super().__init__(os.path.join(home, ".local/state/asimi"), directory)
        self.host = host_at(home, directory) if host is None else host
        self.refused = []
        self.link = Link(self.host, **more)
        self.executor = RemoteExecutor(self.link, wish, lambda *what: self.refused.append(what))

    def execution(self, command, environment=None, **limits):
        """An execution of a command, in the project root there."""
        made = super().execution(command, environment, **limits)
        root = self.link.facts.root
        directory = os.path.realpath(self.directory)
        return made._replace(
            directory=directory, request=made.request._replace(place=Place.at(directory, root, host=self.host.name))
        )

    @property
    def way(self):
        """The process that leads there, which here is the far end itself if nothing is before it."""
        return self.link._connection._process.pid

    def end(self):
        """Say goodbye."""
        self.link.close()
