"""A user with a home, a project and a managed file, all of them in a temporary directory."""

import os
from pathlib import Path

import pytest

from asimi.world.config import Configuration
from asimi.world.host.places import places_of


class User:
    """A home directory with a project in it."""

    def __init__(self, directory):
        self.home = Path(directory, "home")
        self.root = self.home / "work" / "project"
        self.root.mkdir(parents=True)
        self.places = places_of({"HOME": str(self.home)})._replace(managed=str(Path(directory, "etc", "config.toml")))
        self.file = Path(self.places.config, "config.toml")
        self.approved = self.file.with_name("config.approved.toml")
        self.state = Path(self.places.state)

    def write(self, text, path=None):
        """Write the user's file, or another."""
        path = Path(path or self.file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def project(self, text, directory="."):
        """Write a project's file."""
        return self.write(text, self.root / directory / ".asimi" / "config.toml")

    def managed(self, text):
        """Write the managed file; only root can."""
        path = self.write(text, self.places.managed)
        path.parent.chmod(0o755)
        path.chmod(0o644)
        return path

    def configuration(self, root=None, file=None, environ=None, **options):
        file = file and str(file)
        return Configuration(self.places, str(root or self.root), file, environ=lambda: environ or {}, **options)

    def settings(self, **arguments):
        return self.configuration(**arguments).settings()

    def entries(self, **arguments):
        """The entries in force: verdict and entry."""
        return {(rule.verdict.word, rule.entry) for rule in self.configuration(**arguments).rules()}


@pytest.fixture
def user(tmp_path):
    return User(tmp_path)


@pytest.fixture
def only_root():
    if os.geteuid() != 0:
        pytest.skip("only root can own a managed file")
