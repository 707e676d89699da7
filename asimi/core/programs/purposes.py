"""Which programs are too wide to be allowed by their name alone, and which have subcommands that say what they do."""

from __future__ import annotations

NEVER_BARE = frozenset(
    {
        "awk", "gawk", "mawk", "nawk", "bun", "chmod", "chown", "cp", "curl", "dd", "deno", "docker", "ed",
            "emacs", "eval", "expect", "ftp", "gdb", "kill", "killall",
        "ln", "lua", "mkfs", "mount", "mv", "nc", "ncat", "netcat", "nix", "node", "nodejs", "npx",
            "osascript", "perl", "php", "pip", "pip3", "pipx", "pkill", "podman", "pnpx", "powershell",
        "pwsh", "python", "python2", "python3", "reboot", "rm", "rmdir", "rsync", "ruby", "scp", "sed",
            "shred", "shutdown", "socat", "source", ".", "sqlite3", "tclsh", "tee", "trap", "truncate",
        "umount", "unlink", "uvx", "vi", "vim", "nvim", "wget", "yarn", "ansible", "make",
    }
)  # fmt: skip

SUBCOMMANDED = {
    "apt": 1, "apt-get": 1, "aws": 2, "az": 2, "brew": 1, "bun": 2, "bundle": 2, "cargo": 1, "composer": 1,
        "conda": 1, "deno": 1, "dnf": 1, "docker": 1, "dotnet": 1, "gcloud": 2,
    "gh": 2, "git": 1, "go": 1, "gradle": 1, "helm": 1, "just": 1, "kubectl": 1, "make": 1, "mvn": 1,
        "nix": 1, "npm": 2, "pip": 1, "pip3": 1, "pnpm": 2, "podman": 1, "poetry": 2,
    "rustup": 1, "svn": 1, "systemctl": 1, "task": 1, "terraform": 1, "tox": 1, "uv": 2, "yarn": 2,
}  # fmt: skip
"""How many words behind the program say what it does: `git push` has one, `npm run build` two."""

TAKEN = frozenset(
    {
        ".", ":", "[", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command",
            "command_not_found_handle", "compgen", "complete", "compopt", "continue", "declare", "dirs",
        "disown", "echo", "enable", "eval", "exec", "exit", "export", "false", "fc", "fg", "getopts", "hash",
            "help", "history", "jobs", "kill", "let", "local", "logout", "mapfile", "popd",
        "printf", "pushd", "pwd", "read", "readarray", "readonly", "return", "set", "shift", "shopt",
            "source", "suspend", "test", "times", "trap", "true", "type", "typeset", "ulimit",
        "umask", "unalias", "unset", "wait",
    }
)  # fmt: skip
"""Names that a function would take from a builtin, and the name bash calls where it finds no command."""
