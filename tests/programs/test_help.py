"""Each option that an installed program prints in its help is in its row."""

import re
import shutil
import subprocess

import pytest

from asimi.core.programs import find
from asimi.core.reading.arguments import UNKNOWN, cut
from asimi.core.syntax.nodes import Word

OPTION = re.compile(r"^\s{0,12}(?:-[\w?], ?)*\s*(--?[a-z][\w-]*|-[A-Z]\b)", re.MULTILINE)

HELP = [
    "curl --help all",
    "docker --help",
    "docker build --help",
    "docker create --help",
    "docker exec --help",
    "docker run --help",
    "docker service create --help",
    "docker service update --help",
    "gpg --dump-options",
    "kubectl debug --help",
    "kubectl exec --help",
    "kubectl run --help",
    "pg_dump --help",
    "pg_dumpall --help",
    "pg_restore --help",
    "psql --help",
    "sqlite3 -help",
    "terraform apply -help",
    "terraform init -help",
    "terraform plan -help",
    "wget --help",
]


@pytest.mark.parametrize("command", HELP)
def test_each_option_of_the_help_is_in_the_row(command):
    name, *words = command.split()
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    done = subprocess.run(command.split(), capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    row = find(name)
    for word in words:
        row = row.subcommands.get(word, row)
    options = {each for each in OPTION.findall(done.stdout + done.stderr) if each not in {"--help", "-help"}}
    assert options
    unknown = {
        option
        for option in options
        for argument in cut([Word(0, 0, option, option, single=True)], row.syntax, 0)
        if argument.option is UNKNOWN
    }
    assert not unknown
