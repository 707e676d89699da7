"""Version control: git 2.39, Subversion, Mercurial, and the forges' own programs."""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts

PROGRAMS = (
    Program(
        "git",
        options="-C= --attr-source= --git-dir= --list-cmds= --namespace= --super-prefix= --work-tree=",
        runs="-c=SETTING --config-env= --exec-path[=]",
        syntax="open",
        subcommands=(
            Program("branch", traits="looks"),
            Program("describe", traits="looks"),
            Program("ls-files", traits="looks"),
            Program("ls-tree", traits="looks"),
            Program("rev-list", traits="looks"),
            Program("rev-parse", traits="looks"),
            Program("status", traits="looks"),
            Program("archive", writes="-o= --output=", runs="--exec= --remote=", syntax="open"),
            Program("bisect", subcommands=(Program("run", starts=Starts()),)),
            Program("blame", traits="looks", writes="--output=", syntax="open"),
            Program("bugreport", writes="-o= --output-directory=", syntax="open"),
            Program("bundle", subcommands=(Program("create", traits="opaque"),)),
            Program("cherry-pick", options="-X= -m=", runs="--strategy=STRATEGY", syntax="open"),
            Program("citool", traits="opaque"),
            Program(
                "clone",
                operands="REMOTE*",
                options="-b= -j= -o= -t= --branch= --depth= --jobs= --origin=",
                runs="-u= -c= --upload-pack= --config= --template= --reference=",
                syntax="open",
            ),
            Program(
                "commit",
                options=(
                    "-C= -F= -c= -m= -t= --author= --cleanup= --date= --file= --fixup= --message= "
                    "--reuse-message= --squash= --trailer="
                ),
                runs="--template=",
                syntax="open",
            ),
            Program(
                "config",
                options="--get --get-all --get-regexp --get-urlmatch --get-color= --get-colorbool= -l,--list -z,--null --name-only --show-origin --show-scope --type= --bool --int --bool-or-int --path --no-type --includes --no-includes --default= --global --system --local --worktree --blob=",
                writes="--add --unset --unset-all --replace-all --rename-section --remove-section -e,--edit -f,--file=",
                operands="SETTINGNAME write|--get|--get-all|--get-regexp|--get-urlmatch|--get-color|--get-colorbool|-l|--list",
                traits="looks",
            ),
            Program("credential", traits="opaque"),
            Program("credential-store", traits="opaque"),
            Program("cvsserver", traits="opaque"),
            Program("daemon", traits="opaque"),
            Program("diagnose", writes="-o= --output-directory=", syntax="open"),
            Program(
                "diff",
                traits="looks",
                options="-G= -O= -S= -U= -l=",
                writes="--output=",
                runs="--ext-diff --textconv",
                syntax="open",
            ),
            Program("difftool", traits="opaque"),
            Program("difftool--helper", traits="opaque"),
            Program("fast-export", writes="--export-marks=", syntax="open"),
            Program("fast-import", traits="opaque"),
            Program(
                "fetch",
                traits="looks",
                operands="REMOTE*",
                options="-j= -o=",
                runs="--upload-pack= --recurse-submodules=",
                syntax="open",
            ),
            Program("fetch-pack", runs="--upload-pack= --exec=", syntax="open"),
            Program("filter-branch", traits="opaque"),
            Program(
                "for-each-repo",
                options="--keep-going --config=",
                starts=Starts(optional=True, loose=True, own=True),
                traits="opaque",
            ),
            Program("format-patch", writes="-o= --output-directory= --output=", syntax="open"),
            Program(
                "grep",
                traits="looks",
                options="-e= -f= -m= --max-count= --max-depth= --threads=",
                runs="-O= --open-files-in-pager= --textconv --ext-grep=",
                syntax="open",
            ),
            Program("gui", traits="opaque"),
            Program("help", runs="-w -i --web= --info=", syntax="open"),
            Program("hook", traits="opaque"),
            Program("http-backend", traits="opaque"),
            Program("http-push", traits="opaque"),
            Program("imap-send", traits="opaque"),
            Program("init", options="-b=", runs="--template= --separate-git-dir=", syntax="open"),
            Program("instaweb", traits="opaque"),
            Program("interpret-trailers", writes="--in-place[=]", syntax="open"),
            Program(
                "log",
                traits="looks",
                options="-G= -L= -O= -S= -l= -n=",
                writes="--output=",
                runs="--ext-diff --textconv",
                syntax="open",
            ),
            Program(
                "ls-remote",
                traits="looks",
                operands="REMOTE*",
                options="-o=",
                runs="--upload-pack= --exec=",
                syntax="open",
            ),
            Program("mailinfo", operands="read write"),
            Program(
                "maintenance", subcommands=(Program("start", traits="opaque"), Program("register", traits="opaque"))
            ),
            Program(
                "merge", options="-F= -X= -m= --strategy-option=", runs="-s=STRATEGY --strategy=STRATEGY", syntax="open"
            ),
            Program("merge-index", traits="opaque"),
            Program("mergetool", traits="opaque"),
            Program("mergetool--lib", traits="opaque"),
            Program("notes", subcommands=(Program("edit", traits="opaque"),)),
            Program("p4", traits="opaque"),
            Program("pack-objects", traits="opaque"),
            Program(
                "pull",
                operands="REMOTE*",
                options="-X= -j= -o=",
                runs="-s=STRATEGY --upload-pack=STRATEGY --strategy=STRATEGY",
                syntax="open",
            ),
            Program(
                "push", traits="looks", operands="REMOTE*", options="-o=", runs="--receive-pack= --exec=", syntax="open"
            ),
            Program("range-diff", writes="--output=", syntax="open"),
            Program(
                "rebase",
                options="-C= -X= -m=",
                runs="-x -s=STRATEGY --exec=STRATEGY --strategy=STRATEGY",
                syntax="open",
            ),
            Program("receive-pack", traits="opaque"),
            Program("reflog", writes="--output=", syntax="open"),
            Program("remote", traits="looks", operands="REMOTE*"),
            Program("remote-ext", traits="opaque"),
            Program("remote-fd", traits="opaque"),
            Program("revert", options="-X= -m=", runs="--strategy=STRATEGY", syntax="open"),
            Program("send-email", traits="opaque"),
            Program("send-pack", traits="opaque"),
            Program("shell", traits="opaque"),
            Program("shortlog", traits="looks", writes="--output=", syntax="open"),
            Program(
                "show",
                traits="looks",
                options="-G= -L= -O= -S= -l= -n=",
                writes="--output=",
                runs="--ext-diff --textconv",
                syntax="open",
            ),
            Program("stash", writes="--output=", syntax="open"),
            Program(
                "submodule",
                operands="REMOTE*",
                subcommands=(Program("foreach", options="--recursive --quiet", starts=Starts(joined=True)),),
            ),
            Program(
                "subtree",
                operands="REMOTE*",
                options="-q -d -h -P= --quiet --debug --help --prefix=",
                starts=Starts(optional=True, loose=True, own=True),
            ),
            Program("svn", traits="opaque"),
            Program("tag", traits="looks", options="-F= -m= -n= -u="),
            Program("upload-archive", traits="opaque"),
            Program("var"),
            Program("web--browse", traits="opaque"),
            Program("worktree"),
        ),
        others=Program("", writes="--output=", runs="--upload-pack= --receive-pack= --ext-diff", syntax="open"),
        names_by=1,
        traits="moves",
        can=(
            "deletes: clean, rm, gc, branch -D, branch --delete, tag -d, worktree remove; discards: reset --hard, "
            "checkout --, checkout ., checkout -f, checkout --force, restore, stash drop, stash clear, switch "
            "--discard-changes, switch -f; history: push --force, push -f, push --force-with-lease, push "
            "--mirror, push --delete, filter-branch, filter-repo; publishes: push; later: config core.hooksPath; "
            "code: bisect run, rebase --exec; network: fetch, pull, push, clone, ls-remote, remote update, "
            "submodule; writes: clone, apply, am, archive; repository: add, commit, merge, rebase, checkout, "
            "switch, cherry-pick, revert, pull, stash, tag, branch, init, mv, remote add, remote set-url, config, "
            "worktree, submodule, reset, notes, update-ref; reads: status, log, diff, show, blame, rev-parse, "
            "ls-files, describe, shortlog, grep, remote, fetch, reflog, cat-file, ls-tree"
        ),
    ),
    Program(
        "gh",
        options="-R= --hostname= --repo=",
        subcommands=(
            Program("alias", subcommands=(Program("set", traits="opaque"), Program("import", traits="opaque"))),
            Program("config", subcommands=(Program("set", traits="opaque"),)),
            Program("extension", traits="opaque"),
        ),
        names_by=2,
        can="publishes: release, pr create, issue create, pr merge, gist; network",
    ),
    Program("glab", can="network"),
    Program(
        "svn",
        options="-F= -m= -r= --file= --message= --password= --revision= --username=",
        runs="--config-dir= --config-option= --editor-cmd= --diff-cmd= --diff3-cmd=",
        syntax="open",
        names_by=1,
        can="discards: revert; network; repository: commit",
    ),
    Program(
        "hg",
        options="-R= -l= -m= -r= --cwd= --encoding= --message= --repository= --rev=",
        runs="--config= --configfile=",
        syntax="open",
        names_by=1,
        can="discards: revert, purge; network: pull, push; repository: commit",
    ),
)
