"""What the parts of a command can do, in words a person can weigh; a help for the eye, never a reason to allow.

A table knows some hundreds of programs by name, subcommand and option. It is judged by the words alone: what a script
or an unknown program does nobody here knows, and then that is what is said.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from asimi.core.lean import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.core.call import Decision

LOW, MEDIUM, HIGH = 0, 1, 2
LEVELS = ("low", "medium", "high")

EFFECTS = {
    "disk": (HIGH, "can overwrite whole disks"),
    "machine": (HIGH, "stops or restarts the machine"),
    "fetched": (HIGH, "may run what it downloads"),
    "root": (HIGH, "acts as another user"),
    "deletes": (HIGH, "deletes files"),
    "discards": (HIGH, "throws away changes"),
    "history": (HIGH, "rewrites published history"),
    "secrets": (HIGH, "touches credentials"),
    "computed": (HIGH, "runs what only bash can know"),
    "accounts": (HIGH, "changes accounts or passwords"),
    "firewall": (HIGH, "changes the network's rules"),
    "data": (HIGH, "can change or delete data in a service"),
    "publishes": (MEDIUM, "publishes"),
    "permissions": (MEDIUM, "changes permissions or owners"),
    "ends": (MEDIUM, "ends processes"),
    "services": (MEDIUM, "starts or stops services"),
    "later": (MEDIUM, "makes something run later"),
    "remote": (MEDIUM, "acts on other machines"),
    "containers": (MEDIUM, "acts on containers"),
    "installs": (MEDIUM, "installs software, which runs its code"),
    "code": (MEDIUM, "runs code that is not shown"),
    "network": (MEDIUM, "uses the network"),
    "writes": (MEDIUM, "writes files"),
    "repository": (MEDIUM, "changes the repository"),
    "waits": (LOW, "waits"),
    "reads": (LOW, "reads and shows"),
}
"""Each effect: how much it weighs, and the words; the worst first, as they are shown."""

TABLE = {
    "disk": (
        "mkfs, mkfs.*, fdisk, sfdisk, parted, wipefs, mkswap, dd of=/dev/*, lvremove, vgremove, cryptsetup, zpool"
    ),
    "machine": "shutdown, reboot, poweroff, halt, init, telinit, systemctl reboot, systemctl poweroff, kexec",
    "root": "sudo, su, doas, pkexec, runuser, setpriv, chroot, nsenter",
    "deletes": (
        "rm, rmdir, unlink, shred, truncate, trash, trash-put, srm, find -delete, fd -X rm, git clean, "
        "git rm, git gc, git branch -D, git branch --delete, git tag -d, git worktree remove, "
        "rsync --delete, rsync --del, docker rm, docker rmi, docker prune, docker volume rm, podman rm, "
        "podman rmi, podman prune, kubectl delete, cargo clean, make clean, make distclean, npm uninstall, "
        "pip uninstall, apt remove, apt purge, apt-get remove, apt-get purge, apt-get autoremove, "
        "dnf remove, yum remove, brew uninstall, userdel, groupdel, aws delete, aws rm, gsutil rm, "
        "helm uninstall, terraform destroy, tofu destroy, pulumi destroy, dropdb, redis-cli FLUSHALL, "
        "redis-cli FLUSHDB"
    ),
    "discards": (
        "git reset --hard, git checkout --, git checkout ., git checkout -f, git checkout --force, "
        "git restore, git stash drop, git stash clear, git switch --discard-changes, git switch -f, "
        "svn revert, hg revert, hg purge"
    ),
    "history": (
        "git push --force, git push -f, git push --force-with-lease, git push --mirror, git push --delete, "
        "git filter-branch, git filter-repo"
    ),
    "accounts": (
        "useradd, usermod, userdel, groupadd, groupmod, passwd, chpasswd, visudo, adduser, deluser, gpasswd, chsh"
    ),
    "firewall": ("iptables, ip6tables, nft, ufw, firewall-cmd, ip link, ip route, ip addr, ifconfig, route, sysctl -w"),
    "data": (
        "psql, mysql, mariadb, sqlite3, mongosh, mongo, redis-cli, dropdb, createdb, pg_restore, aws, "
        "gcloud, az, gsutil, terraform apply, tofu apply, pulumi up, vault"
    ),
    "publishes": (
        "git push, npm publish, yarn publish, pnpm publish, cargo publish, twine upload, uv publish, "
        "poetry publish, docker push, podman push, gh release, gh pr create, gh issue create, gh pr merge, "
        "gh gist, gem push, mail, sendmail, mutt"
    ),
    "permissions": "chmod, chown, chgrp, setfacl, chattr, setcap, umask, chcon, restorecon, install -m",
    "ends": ("kill, killall, pkill, xkill, fuser -k, docker stop, docker kill, tmux kill-server, tmux kill-session"),
    "services": (
        "systemctl, service, initctl, rc-service, launchctl, supervisorctl, docker-compose, docker compose, modprobe"
    ),
    "later": "crontab, at, batch, systemd-run, git config core.hooksPath, screen, tmux",
    "remote": (
        "ssh, scp, sftp, rsync, ansible, ansible-playbook, kubectl, helm, mosh, rsh, fab, salt, "
        "gcloud compute ssh, terraform, tofu, pulumi, heroku, fly, vercel, netlify"
    ),
    "containers": "docker, podman, nerdctl, buildah, lxc, vagrant, virsh, runc, crun",
    "installs": (
        "apt, apt-get, dpkg, dnf, yum, rpm, zypper, pacman, apk, brew, port, snap, flatpak, pip install, "
        "pip3 install, pipx, uv pip, uv add, uv sync, uv tool, poetry install, poetry add, conda, mamba, "
        "npm install, npm i, npm ci, npm update, npm add, yarn, pnpm install, pnpm add, pnpm i, bun install, "
        "bun add, cargo install, go install, go get, gem install, bundle install, composer, luarocks, cpan, "
        "cpanm, nix, nix-env, asdf, mise, rustup, nvm"
    ),
    "code": (
        "bash, sh, dash, zsh, ksh, fish, python, python2, python3, node, deno, bun, perl, ruby, php, lua, "
        "Rscript, julia, java, scala, groovy, osascript, powershell, pwsh, eval, source, ., make, gmake, "
        "cmake --build, ninja, just, task, rake, tox, nox, pytest, npm run, npm test, npm start, npm exec, "
        "npm t, npx, yarn run, pnpm run, pnpm test, pnpm exec, bunx, uvx, uv run, poetry run, pipenv run, "
        "cargo run, cargo test, cargo build, go run, go test, go generate, go build, mvn, gradle, gradlew, "
        "ant, sbt, dotnet, swift, gcc -o, awk, gawk, mawk, vim, vi, nvim, ex, ed, emacs, gdb, strace, "
        "ltrace, expect, parallel, jest, vitest, mocha, tsx, ts-node, docker run, docker exec, docker build, "
        "podman run, podman exec, kubectl exec, git bisect run, git rebase --exec"
    ),
    "fetched": (
        "npx, bunx, uvx, pipx run, npm exec, pnpm dlx, yarn dlx, npm create, npm init, go run *@*, deno run http*"
    ),
    "network": (
        "curl, wget, aria2c, http, https, xh, nc, ncat, netcat, socat, telnet, ftp, lftp, ping, dig, "
        "nslookup, host, whois, traceroute, nmap, openssl s_client, git fetch, git pull, git push, "
        "git clone, git ls-remote, git remote update, git submodule, gh, glab, docker pull, docker push, "
        "podman pull, cargo fetch, go mod, apt update, apt-get update, yt-dlp, svn, hg pull, hg push, aws, "
        "gcloud, az, gsutil"
    ),
    "writes": (
        "cp, mv, ln, tee, touch, mkdir, mktemp, install, dd, split, csplit, patch, sed -i, sed --in-place, "
        "perl -i, sort -o, curl -o, curl -O, curl --output, wget, tar, unzip, zip, gzip, gunzip, bzip2, xz, "
        "zstd, 7z, rsync, scp, git clone, rename, iconv -o, openssl -out, black, isort, ruff format, "
        "ruff --fix, prettier --write, gofmt -w, cargo fmt, rustfmt, eslint --fix, cmake, protoc, git apply, "
        "git am, git archive, mkfifo, ssh-keygen, gcc, g++, cc, clang, rustc, javac, tsc, go build, "
        "cargo build"
    ),
    "repository": (
        "git add, git commit, git merge, git rebase, git checkout, git switch, git cherry-pick, git revert, "
        "git pull, git stash, git tag, git branch, git init, git mv, git remote add, git remote set-url, "
        "git config, git worktree, git submodule, git reset, git notes, git update-ref, hg commit, svn commit"
    ),
    "waits": "sleep, wait, true, false, :, read",
    "reads": (
        "ls, cat, head, tail, less, more, grep, egrep, fgrep, rg, ag, ack, wc, sort, uniq, cut, tr, diff, "
        "cmp, comm, file, stat, du, df, pwd, cd, echo, printf, test, [, which, type, whereis, whoami, id, "
        "groups, date, env, printenv, uname, hostname, uptime, ps, top, free, find, fd, locate, tree, "
        "basename, dirname, realpath, readlink, jq, yq, sed, md5sum, sha1sum, sha256sum, cksum, xxd, od, "
        "hexdump, strings, column, nl, tac, rev, fold, fmt, seq, expr, bc, man, help, history, jobs, "
        "git status, git log, git diff, git show, git blame, git rev-parse, git ls-files, git describe, "
        "git shortlog, git grep, git remote, git fetch, git reflog, git cat-file, git ls-tree, lsof, ss, "
        "netstat, tput, getconf, locale, nproc, command, export, set, shift, timeout, time, nice, nohup, "
        "xargs, ionice, stdbuf, ruff, mypy, shellcheck, npm ls, npm view, pip list, pip show, pip freeze, "
        "cargo check, go vet, docker ps, docker images, docker logs, kubectl get, exec, builtin"
    ),
}
"""Which programs have an effect: by name alone, or with words and options that must be among the arguments."""

SECRETS = (
    ".ssh/", "id_rsa", "id_ed25519", ".aws/", ".netrc", ".pgpass", ".npmrc", ".pypirc", ".git-credentials", ".gnupg",
    ".kube/config", ".docker/config.json", "/etc/shadow", "/etc/sudoers", ".env",
)  # fmt: skip
"""Parts of paths where credentials are kept."""

READERS_OF_CODE = {
    "bash", "sh", "dash", "zsh", "ksh", "python", "python3", "node", "perl", "ruby", "php", "source", ".",
}  # fmt: skip
"""What would run a text that was just fetched."""

FETCHERS = {"curl", "wget", "aria2c", "http", "https", "xh", "scp", "nc", "ncat"}
"""What fetches a text from elsewhere."""

BY_REASON = {"redirection": "writes", "dynamic": "computed", "code": "code"}
"""What a reason of the verdict says by itself."""


class Risk(NamedTuple):
    """What a command can do.

    Attributes:
        level: `low`, `medium`, `high`, or `unknown` where a program is in no table and nothing worse is known.
        words: what it can do, the worst first; never empty.
    """

    level: str
    words: tuple[str, ...]

    @property
    def high(self) -> bool:
        """Whether it deserves a second look."""
        return self.level == "high"


def risk_of(decision: Decision) -> Risk:
    """What a command that was judged can do."""
    found: set[str] = {BY_REASON[reason.code] for reason in decision.reasons if reason.code in BY_REASON}
    unknown: dict[str, None] = {}
    fetched = False
    for part in decision.parts:
        if not part.words:
            continue
        program = None if part.words[0] is None else part.words[0].rpartition("/")[2]
        effects = {"computed"} if program is None else set(_effects(program, part.words[1:]))
        if not effects and program is not None:
            unknown[program] = None
        if fetched and program in READERS_OF_CODE:
            effects.add("fetched")
        fetched = fetched or program in FETCHERS
        if any(word is not None and secret in word for word in part.words[1:] for secret in SECRETS):
            effects.add("secrets")
        found |= effects
    if found & {"fetched", "computed"}:
        found.discard("code")  # that is what they say, only worse
    worst = max((EFFECTS[effect][0] for effect in found), default=LOW)
    words = [text for effect, (weight, text) in EFFECTS.items() if effect in found and (weight or worst == LOW)]
    if unknown or not words:
        names = list(unknown)
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        words.append(f"it is not known what {', '.join(names[:3]) or 'this'}{more} can do")
    return Risk("unknown" if worst < HIGH and (unknown or not found) else LEVELS[worst], tuple(words))


def _effects(program: str, arguments: Sequence[str | None]) -> Iterator[str]:
    """The effects of one command; of an entry with a program alone and one with arguments, both count."""
    for name in (program, f"{program.partition('.')[0]}.*"):
        for wanted, effect in _table().get(name, ()):
            if all(any(_is(argument, one) for argument in arguments) for one in wanted):
                yield effect


def _is(argument: str | None, wanted: str) -> bool:
    """Whether an argument is what the table names: a word, an option, a letter of bundled options, a beginning."""
    if argument is None:
        return False
    if wanted.startswith("--") and len(wanted) > 2:
        return argument == wanted or argument.startswith(wanted + "=")
    if wanted.startswith("-") and len(wanted) == 2 and wanted != "--":
        return argument.startswith("-") and not argument.startswith("--") and wanted[1] in argument
    if "*" in wanted:
        begin, _, end = wanted.partition("*")
        return argument.startswith(begin) and end.replace("*", "") in argument
    return argument == wanted


@cache
def _table() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """The table by program."""
    table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for effect, entries in TABLE.items():
        for entry in entries.split(", "):
            program, *wanted = entry.split()
            table.setdefault(program, []).append((tuple(wanted), effect))
    return table
