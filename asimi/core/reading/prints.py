"""Whether a command shows the whole environment, or a variable that holds a credential by its name."""

from __future__ import annotations

from fnmatch import fnmatchcase
from itertools import pairwise

from asimi.core.lean import TYPE_CHECKING, pattern
from asimi.core.programs.variables import SECRETS
from asimi.core.reading.arguments import cut

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from asimi.core.reading.commands import Command

_PROGRAM = pattern(r"""\$ENV\b|(?<![.\w])env\b(?!\s*:)|\$__prog_args\b|\b(?:import|include)\s*["$(]""")
"""What shows the environment in a program of jq, or takes in a module that may (jq manual, `$ENV`, `import`)."""

_YQ = pattern(r"(?<![.\w])(?:(?=\w*load)\w++|strenv|eval|system)\s*+\(|envsubst")
"""What shows the environment or another file in an expression of yq (its manual, Load, Env Variable Operators)."""

_INSPECTED = pattern(r"(?i)env|config|json|\{\{\s*\.\s*\}\}")
"""What shows a container's environment in a template of `docker inspect` (docker manual, Format command output)."""

_KEY = pattern(
    r"(?is).{1024,}|(?:.*[._-])?"
    r"(?:extraheader|smtppass|\w*(?:token|secret|password|passwd|apikey|api_key|access_key|private_key|_auth))"
)
"""Settings that hold a credential (git-config(1), aws configure(1), npm config); a very long name counts as one."""

_PLAIN_SECTION = pattern(r"\^?(?:alias|branch|color|core|diff|fetch|init|merge|pull|push|remote|submodule|user)\b")
"""How a pattern of `git config --get-regexp` begins that finds no credential."""


_NAME = pattern(r"\$\{?(\w+)")


def shows_environment(command: Command, is_secret: Callable[[str | None], bool]) -> bool:
    """Whether what a command prints is the whole environment, or a variable of it that is a secret."""
    shows = _ALIKE.get(command.name or "", "") if command.program is None else command.program.shows
    return bool(shows) and SHOWS[shows](command, is_secret)


def looks_secret(name: str | None) -> bool:
    """Whether a variable's name is that of a credential, or not known."""
    return name is None or any(fnmatchcase(name.upper(), each) for each in SECRETS)


def _operands(command: Command) -> tuple[list[str | None], set[str]]:
    """The operands of a command, None for one that only bash can know, and the names of its options."""
    arguments = list(cut(command.words, command.program.syntax)) if command.program is not None else []
    options = {name for each in arguments if each.option is not None for name in (each.text, *each.option.names)}
    return [command.words[each.at].literal for each in arguments if each.option is None], options


def _env(command: Command, _: object) -> bool:
    """env(1) without a command, unless it starts with an empty environment."""
    operands, options = _operands(command)
    names = [each for each in operands if each is None or "=" not in each]
    return not names and options.isdisjoint({"-i", "-", "--ignore-environment", "--help", "--version", "-S"})


def _printenv(command: Command, is_secret: Callable[[str | None], bool]) -> bool:
    operands, options = _operands(command)
    return options.isdisjoint({"--help", "--version"}) and (not operands or any(map(is_secret, operands)))


def _declare(command: Command, is_secret: Callable[[str | None], bool]) -> bool:
    """`declare`, `export`, `readonly` without names, or with those of credentials behind `-p` (bash manual)."""
    words = command.literals[1:]
    options = [word for word in words if word is not None and word[:1] in {"-", "+"}]
    names = [word for word in words if word is None or word[:1] not in {"-", "+"}]
    if any(letter in word for word in options for letter in "fF"):
        return False
    if names:
        return any("p" in word for word in options) and any(map(is_secret, names))
    return not options or any(letter in word for word in options for letter in "px")


def _set(command: Command, _: object) -> bool:
    """`set` alone prints all variables."""
    return len(command.words) == 1


def _ps(command: Command, _: object) -> bool:
    """ps(1) with `e` among options in the BSD style, which shows the environment behind the command."""
    return any(word is not None and word[:1] != "-" and word.isalpha() and "e" in word for word in _bundles(command))


def _bundles(command: Command) -> Sequence[str | None]:
    """Words that are no values of options with one dash."""
    words = command.literals
    return [
        word
        for before, word in pairwise(words)
        if before is None or len(before) != 2 or before[0] != "-" or before[1] not in "CGgOopqstUuk"
    ]


def _jq(command: Command, _: object) -> bool:
    return any(word is not None and _PROGRAM.search(word) is not None for word in _operands(command)[0][:1])


def _awk(command: Command, _: object) -> bool:
    return any(word is not None and "ENVIRON" in word for word in command.literals[1:])


def _yq(command: Command, _: object) -> bool:
    words = command.literals[1:]
    files = not {"--from-file", "-f"}.isdisjoint(word and word.partition("=")[0] for word in words)
    return files or _jq(command, None) or any(word is None or _YQ.search(word) is not None for word in words)


def _kubectl(command: Command, _: object) -> bool:
    """`kubectl config view --raw` (kubectl reference)."""
    words = command.literals
    return {"config", "view"} <= {*words} and any(word is None or word.startswith("--ra") for word in words)


def _setting(command: Command, _: object) -> bool:
    """`aws configure get NAME`, `npm config get NAME` and their like with the name of a credential."""
    words = command.literals
    if "get" not in words:
        return False
    return any(word is None or _KEY.fullmatch(word.rstrip("/")) is not None for word in words[words.index("get") + 1 :])


def _git(command: Command, _: object) -> bool:
    """`git config` of a setting that holds a credential, or of settings by a pattern."""
    words = command.literals
    if "config" not in words:
        return False
    names = words[words.index("config") + 1 :]
    for before, word in pairwise(names):
        if before in {"--get-regexp", "--regexp"} and (word is None or _PLAIN_SECTION.match(word) is None):
            return True
    return any(word is None or _KEY.fullmatch(word) is not None for word in names)


def _docker(command: Command, _: object) -> bool:
    """`docker inspect`, as a whole or by a template that shows the environment of a container."""
    words = command.literals
    if "inspect" not in words or not {"image", "network", "volume", "context"}.isdisjoint(words):
        return False
    templates = [
        word.partition("=")[2] if word is not None and word[:2] == "--" and "=" in word else behind
        for word, behind in pairwise((*words, None))
        if word is not None and (word in {"-f", "--format"} or word.startswith("--format="))
    ]
    return not templates or any(each is None or _INSPECTED.search(each) is not None for each in templates)


def _decrypted(command: Command, _: object) -> bool:
    """gpg(1) that decrypts, ansible-vault that does or shows."""
    words = (word or "" for word in command.literals)
    return any(word in {"-d", "view"} or word.startswith(("--decr", "decrypt")) for word in words)


def _envsubst(command: Command, is_secret: Callable[[str | None], bool]) -> bool:
    """envsubst(1) puts in any variable that its input names, unless its operand says which."""
    operands, options = _operands(command)
    if not options.isdisjoint({"-V", "--version", "-h", "--help", "-v", "--variables"}):
        return False
    names = [name for each in operands[:1] for name in _NAME.findall(each or "")]
    return not names or any(map(is_secret, names))


def _environment(command: Command, _: object) -> bool:
    """tmux(1) and systemctl(1)."""
    return not {"show-environment", "showenv"}.isdisjoint(command.literals)


SHOWS: dict[str, Callable[[Command, Callable[[str | None], bool]], bool]] = {
    "AWK": _awk,
    "BARE": _set,
    "BSD": _ps,
    "DECLARED": _declare,
    "DECRYPTED": _decrypted,
    "ENVIRONMENT": _environment,
    "JQ": _jq,
    "KEY": _setting,
    "NAMED": _printenv,
    "PUT": _envsubst,
    "RAW": _kubectl,
    "REST": _env,
    "SETTING": _git,
    "TEMPLATE": _docker,
    "YQ": _yq,
}
"""How a program may show what is secret, by what its row says (`shows:`)."""

_ALIKE = {"gojq": "JQ", "jaq": "JQ", "k3s": "RAW"}
"""Programs without a row that show it as others do."""
