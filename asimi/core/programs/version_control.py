"""Version control besides git: Subversion, Mercurial, Jujutsu, and pre-commit.

From Subversion 1.14, Mercurial 6.3, Jujutsu 0.44, pre-commit 4.
"""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts

PROGRAMS = (
    Program(
        "pre-commit",
        options="-h,--help!none -V,--version!none",
        subcommands=(
            Program(
                "autoupdate",
                options="--bleeding-edge --color= --freeze -h,--help -j,--jobs= --repo=",
                runs="-c,--config=",
                effects="network write",
            ),
            Program("clean", aliases="gc", options="--color=", effects="delete"),
            Program("init-templatedir", aliases="hazmat hook-impl try-repo", traits="opaque"),
            Program(
                "install",
                aliases="install-hooks uninstall",
                options="--allow-missing-config --color= -f,--overwrite -h,--help -t,--hook-type= --install-hooks",
                runs="-c,--config=",
                effects="write code",
            ),
            Program("migrate-config", options="--color= -h,--help", runs="-c,--config="),
            Program(
                "run",
                options=(
                    "-a,--all-files --checkout-type= --color= --commit-msg-filename= --commit-object-name= --fail-fast "
                    "--files= -s,--from-ref,--source= -h,--help --hook-stage= --is-squash-merge= --local-branch= "
                    "-o,--to-ref,--origin= --pre-rebase-branch= --pre-rebase-upstream= "
                    "--prepare-commit-message-source= --remote-branch= --remote-name= --remote-url= --rewrite-command= "
                    "--show-diff-on-failure -v,--verbose"
                ),
                runs="-c,--config=",
                operands="data*",
                effects="code write",
            ),
        ),
        names_by=1,
        can="later: install, init-templatedir; code: run, try-repo; network: autoupdate",
    ),
    Program(
        "hg",
        aliases="chg",
        options=(
            "--color= --cwd=enter --debug --encoding= --encodingmode= -h,--help!none --hidden -y,--noninteractive "
            "--pager= --profile -q,--quiet -R,--repository=enter --time --traceback -v,--verbose --version!none"
        ),
        runs="--config= --debugger",
        syntax="brief shared",
        subcommands=(
            Program("abort", options="-n,--dry-run"),
            Program(
                "add",
                options="-n,--dry-run!read -X,--exclude= -I,--include= -S,--subrepos",
                operands="look*",
                effects="write",
            ),
            Program(
                "addremove",
                options="-n,--dry-run!read -X,--exclude= -I,--include= -s,--similarity= -S,--subrepos",
                operands="look*",
                effects="write",
            ),
            Program(
                "annotate",
                aliases="blame",
                options=(
                    "-c,--changeset -d,--date -X,--exclude= -f,--file --follow -w,--ignore-all-space "
                    "-B,--ignore-blank-lines -Z,--ignore-space-at-eol -b,--ignore-space-change -I,--include= "
                    "-l,--line-number --no-follow -n,--number -r,--rev= --skip= -T,--template= -a,--text -u,--user"
                ),
                operands="read*",
                traits="looks",
                effects="read",
            ),
            Program(
                "archive",
                options="-X,--exclude= -I,--include= --no-decode -p,--prefix= -r,--rev= -S,--subrepos -t,--type=",
                operands="write",
                effects="write",
            ),
            Program(
                "backout",
                options=(
                    "--commit -d,--date= -e,--edit -X,--exclude= -I,--include= -l,--logfile=read --merge -m,--message= "
                    "--no-commit --parent= -r,--rev= -u,--user="
                ),
                runs="-t,--tool=INTERNAL",
                operands="data*",
                effects="write",
            ),
            Program(
                "bisect",
                options="-b,--bad -e,--extend -g,--good -U,--noupdate -r,--reset -s,--skip",
                runs="-c,--command=",
                operands="data*",
                effects="write",
            ),
            Program(
                "bookmarks",
                aliases="bookmark",
                options=(
                    "-d,--delete+delete -f,--force+delete -i,--inactive -l,--list!read -m,--rename=+write -r,--rev= "
                    "-T,--template="
                ),
                operands="new*",
                effects="read",
            ),
            Program("branch", options="-C,--clean+write -f,--force+write -r,--rev=", operands="new", effects="read"),
            Program(
                "branches", options="-a,--active -c,--closed -r,--rev= -T,--template=", traits="looks", effects="read"
            ),
            Program(
                "bundle",
                options="-a,--all --base= -b,--branch= --exact -f,--force --insecure -r,--rev= -t,--type=",
                runs="-e,--ssh= --remotecmd=",
                operands="write data*",
                effects="read network",
            ),
            Program(
                "cat",
                options="--decode -X,--exclude= -I,--include= -r,--rev= -T,--template=",
                writes="-o,--output=",
                operands="read*",
                traits="looks",
                effects="read",
            ),
            Program(
                "clone",
                options=(
                    "-b,--branch= --insecure -U,--noupdate --pull -r,--rev= --stream --uncompressed -u,--updaterev="
                ),
                runs="-e,--ssh= --remotecmd=",
                operands="data write",
                traits="writes",
                effects="network write",
            ),
            Program(
                "commit",
                aliases="ci",
                options=(
                    "-A,--addremove --amend+delete --close-branch -d,--date= -e,--edit -X,--exclude= "
                    "--force-close-branch -I,--include= -i,--interactive -l,--logfile=read -m,--message= -s,--secret "
                    "-S,--subrepos -u,--user="
                ),
                operands="look*",
                effects="write",
            ),
            Program(
                "config",
                aliases="showconfig debugconfig",
                options="--exp-all-known --source -T,--template= -u,--untrusted",
                writes="-e,--edit -g,--global -l,--local --non-shared --shared",
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program("continue", options="-n,--dry-run"),
            Program(
                "copy",
                aliases="cp",
                options="-A,--after --at-rev= -n,--dry-run!read>look -X,--exclude= -f,--force --forget -I,--include=",
                operands="read* write",
                traits="writes",
                effects="write",
            ),
            Program(
                "diff",
                options=(
                    "--binary -c,--change= -X,--exclude= --from= -g,--git -w,--ignore-all-space "
                    "-B,--ignore-blank-lines -Z,--ignore-space-at-eol -b,--ignore-space-change -I,--include= --nodates "
                    "--noprefix -r,--rev= --reverse --root= -p,--show-function --stat -S,--subrepos -a,--text --to= "
                    "-U,--unified="
                ),
                operands="read*",
                traits="looks",
                effects="read",
            ),
            Program(
                "export",
                options="--binary -B,--bookmark= -g,--git --nodates -r,--rev= --switch-parent -T,--template= -a,--text",
                writes="-o,--output=",
                operands="data*",
                effects="read",
            ),
            Program(
                "files",
                options="-X,--exclude= -I,--include= -0,--print0 -r,--rev= -S,--subrepos -T,--template=",
                operands="look*",
                traits="looks",
                effects="read",
            ),
            Program(
                "forget",
                options="-n,--dry-run!read -X,--exclude= -I,--include= -i,--interactive",
                operands="look*",
                effects="write",
            ),
            Program(
                "graft",
                options=(
                    "--abort+delete --base= -c,--continue -D,--currentdate -U,--currentuser -d,--date= "
                    "-n,--dry-run!read -e,--edit -f,--force --log --no-commit -r,--rev= --stop -u,--user="
                ),
                runs="-t,--tool=INTERNAL",
                operands="data*",
                effects="write",
            ),
            Program(
                "grep",
                options=(
                    "--all --all-files -d,--date --diff -X,--exclude= -l,--files-with-matches -f,--follow "
                    "-i,--ignore-case -I,--include= -n,--line-number -0,--print0 -r,--rev= -T,--template= -a,--text "
                    "-u,--user"
                ),
                operands="data read*",
                traits="looks",
                effects="read",
            ),
            Program(
                "heads",
                options="-a,--active -c,--closed -r,--rev= --style= -T,--template= -t,--topo",
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "help",
                options="-c,--command -e,--extension -k,--keyword -s,--system=",
                operands="data*",
                traits="looks",
                effects="none",
            ),
            Program(
                "identify",
                aliases="id",
                options="-B,--bookmarks -b,--branch -i,--id --insecure -n,--num -r,--rev= -t,--tags -T,--template=",
                runs="-e,--ssh= --remotecmd=",
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "import",
                aliases="patch",
                options=(
                    "-b,--base= --bypass -d,--date= -e,--edit --exact -f,--force --import-branch -l,--logfile=read "
                    "-m,--message= --no-commit --partial --prefix= --secret -s,--similarity= -p,--strip= -u,--user="
                ),
                operands="read*",
                effects="write",
            ),
            Program(
                "incoming",
                aliases="in",
                options=(
                    "-B,--bookmarks -b,--branch= -f,--force -g,--git -G,--graph --insecure -l,--limit= "
                    "-n,--newest-first -M,--no-merges -p,--patch -r,--rev= --stat --style= -S,--subrepos "
                    "-T,--template="
                ),
                writes="--bundle=",
                runs="-e,--ssh= --remotecmd=",
                operands="data",
                traits="looks",
                effects="network",
            ),
            Program(
                "init",
                options="--insecure",
                runs="-e,--ssh= --remotecmd=",
                operands="write",
                traits="writes",
                effects="write",
            ),
            Program(
                "locate",
                options="-X,--exclude= -f,--fullpath -I,--include= -0,--print0 -r,--rev=",
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "log",
                aliases="history",
                options=(
                    "-B,--bookmark= -b,--branch= -C,--copies -d,--date= -X,--exclude= -f,--follow --follow-first "
                    "-g,--git -G,--graph -I,--include= -k,--keyword= -l,--limit= -L,--line-range= -M,--no-merges "
                    "--only-branch= -m,--only-merges -p,--patch -P,--prune= --removed -r,--rev= --stat --style= "
                    "-T,--template= -u,--user="
                ),
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "manifest", options="--all -r,--rev= -T,--template=", operands="data*", traits="looks", effects="read"
            ),
            Program(
                "merge",
                options="--abort+delete -f,--force -P,--preview!read -r,--rev=",
                runs="-t,--tool=INTERNAL",
                operands="data*",
                effects="write",
            ),
            Program(
                "outgoing",
                aliases="out",
                options=(
                    "-B,--bookmarks -b,--branch= -f,--force -g,--git -G,--graph --insecure -l,--limit= "
                    "-n,--newest-first -M,--no-merges -p,--patch -r,--rev= --stat --style= -S,--subrepos "
                    "-T,--template="
                ),
                runs="-e,--ssh= --remotecmd=",
                operands="data",
                traits="looks",
                effects="network",
            ),
            Program(
                "parents", options="-r,--rev= --style= -T,--template=", operands="data*", traits="looks", effects="read"
            ),
            Program("paths", options="-T,--template=", operands="data", traits="looks", effects="read"),
            Program(
                "phase",
                options="-d,--draft -f,--force -p,--public -r,--rev= -s,--secret",
                operands="data*",
                effects="write",
            ),
            Program(
                "pull",
                options="-B,--bookmark= -b,--branch= --confirm -f,--force --insecure -r,--rev= -u,--update",
                runs="-e,--ssh= --remotecmd=",
                operands="data",
                effects="network write",
            ),
            Program(
                "purge",
                aliases="clean",
                options=(
                    "-a,--abort-on-err --all --confirm --dirs -X,--exclude= --files -i,--ignored -I,--include= "
                    "-p,--print!read -0,--print0"
                ),
                operands="delete*",
                traits="writes",
                effects="delete",
            ),
            Program(
                "push",
                options=(
                    "--all-bookmarks -B,--bookmark= -b,--branch= -f,--force --insecure --new-branch --publish "
                    "--pushvars= -r,--rev="
                ),
                runs="-e,--ssh= --remotecmd=",
                operands="data",
                effects="publish network",
            ),
            Program(
                "rebase",
                options=(
                    "-a,--abort --auto-orphans= -b,--base= --collapse --confirm -c,--continue -d,--dest= -D,--detach "
                    "-n,--dry-run!read -e,--edit -i,--interactive -k,--keep --keepbranches -l,--logfile=read "
                    "-m,--message= -r,--rev= -s,--source= --stop -T,--template="
                ),
                runs="-t,--tool=INTERNAL",
                effects="write delete",
            ),
            Program("recover", effects="write delete"),
            Program(
                "remove",
                aliases="rm",
                options="-A,--after -n,--dry-run!read>look -X,--exclude= -f,--force -I,--include= -S,--subrepos",
                operands="delete*",
                traits="writes",
                effects="delete",
            ),
            Program(
                "rename",
                aliases="move mv",
                options="-A,--after --at-rev= -n,--dry-run!read>look -X,--exclude= -f,--force --forget -I,--include=",
                operands="move* write",
                traits="writes",
                effects="write",
            ),
            Program(
                "resolve",
                options=(
                    "-a,--all -X,--exclude= -I,--include= -l,--list!read -m,--mark -n,--no-status --re-merge "
                    "-T,--template= -u,--unmark"
                ),
                runs="-t,--tool=INTERNAL",
                operands="data*",
                effects="write delete",
            ),
            Program(
                "revert",
                options=(
                    "-a,--all -d,--date= -n,--dry-run!read -X,--exclude= -I,--include= -i,--interactive -C,--no-backup "
                    "-r,--rev="
                ),
                operands="data*",
                effects="write delete",
            ),
            Program("rollback", options="-n,--dry-run!read -f,--force", effects="delete"),
            Program("root", options="-T,--template=", traits="looks", effects="read"),
            Program(
                "serve",
                options=(
                    "-a,--address= --certificate= -d,--daemon -6,--ipv6 -n,--name= -p,--port= --prefix= --print-url "
                    "--stdio --style= -S,--subrepos -t,--templates="
                ),
                writes="-A,--accesslog= -E,--errorlog= --pid-file=",
                runs="--daemon-postexec= --web-conf= --webdir-conf= --cmdserver=",
            ),
            Program(
                "shelve",
                options=(
                    "-A,--addremove --cleanup+delete --date= -d,--delete+delete -e,--edit -X,--exclude= -I,--include= "
                    "-i,--interactive -k,--keep -l,--list!read -m,--message= -n,--name= -p,--patch --stat -u,--unknown"
                ),
                operands="look*",
                effects="write",
            ),
            Program(
                "status",
                aliases="st",
                options=(
                    "-a,--added -A,--all --change= -c,--clean -C,--copies -d,--deleted -X,--exclude= -i,--ignored "
                    "-I,--include= -m,--modified -n,--no-status -0,--print0 -r,--removed --rev= -S,--subrepos "
                    "-T,--template= -t,--terse= -u,--unknown"
                ),
                operands="look*",
                traits="looks",
                effects="read",
            ),
            Program("summary", aliases="sum", options="--remote+network", traits="looks", effects="read"),
            Program(
                "tag",
                options=(
                    "-d,--date= -e,--edit -f,--force+delete -l,--local -m,--message= --remove+delete -r,--rev= "
                    "-u,--user="
                ),
                operands="data*",
                effects="write",
            ),
            Program("tags", options="-T,--template=", traits="looks", effects="read"),
            Program("tip", options="-g,--git -p,--patch --style= -T,--template=", traits="looks", effects="read"),
            Program("unbundle", options="-u,--update", operands="read*", effects="write"),
            Program(
                "unshelve",
                options="-a,--abort+delete -c,--continue --date= -i,--interactive -k,--keep -n,--name=",
                runs="-t,--tool=INTERNAL",
                operands="data*",
                effects="write",
            ),
            Program(
                "update",
                aliases="up checkout co",
                options="-c,--check -C,--clean+delete -d,--date= -m,--merge -r,--rev=",
                runs="-t,--tool=INTERNAL",
                operands="data*",
                effects="write",
            ),
            Program("verify", traits="looks", effects="read"),
            Program("version", options="-T,--template=", traits="looks", effects="none"),
        ),
        others=Program(
            "", writes="-o,--output=", runs="-c,--command= -e,--ssh= --remotecmd= -t,--tool=INTERNAL", syntax="open"
        ),
        names_by=1,
        traits="moves",
        can=(
            "deletes: purge, remove; discards: revert, update -C, update --clean, strip; history: push -f, push "
            "--force; publishes: push; network: clone, pull, push, incoming, outgoing; repository: add, commit, merge, "
            "rebase, graft, import, tag, branch, bookmark, backout, histedit; reads: status, log, diff, annotate, cat, "
            "grep, identify, summary"
        ),
    ),
    Program(
        "jj",
        options=(
            "--at-op,--at-operation= --color= --debug -h,--help!none --ignore-immutable --ignore-working-copy "
            "--no-integrate-operation --no-pager --quiet -R,--repository=enter -V,--version!none"
        ),
        runs="--config= --config-file= --config-toml=",
        syntax="exact shared",
        subcommands=(
            Program(
                "abandon",
                options="-r= --restore-descendants --retain-bookmarks -s,--summary",
                operands="data*",
                effects="write delete",
            ),
            Program("absorb", options="-f,--from= -i,--interactive -t,--to,--into=", runs="--tool=INTERNAL"),
            Program("arrange", aliases="edit parallelize", options="-r="),
            Program("redo", aliases="undo"),
            Program("bisect", subcommands=(Program("run", options="--find-good -r,--range=", starts=Starts()),)),
            Program(
                "bookmark",
                aliases="b",
                subcommands=(
                    Program("advance", options="-t,--to="),
                    Program("create", options="-r,--revision,--revisions=", operands="data*", effects="write"),
                    Program("delete", operands="data*", effects="write delete"),
                    Program("forget", options="--include-remotes"),
                    Program(
                        "list",
                        options=(
                            "-a,--all-remotes -c,--conflicted --remote= -r,--revision,--revisions= --sort= "
                            "-T,--template= -t,--tracked"
                        ),
                        operands="data*",
                        traits="looks",
                        effects="read",
                    ),
                    Program("move", options="-B,--allow-backwards -f,--from= -t,--to="),
                    Program("rename", options="--overwrite-existing"),
                    Program("set", options="-B,--allow-backwards -r,--revision,--revisions="),
                    Program("track", options="--remote="),
                    Program("untrack", options="--remote="),
                ),
            ),
            Program(
                "commit",
                aliases="ci",
                options="--author= --editor -i,--interactive -m,--message= --no-edit --reset-author",
                runs="--tool=INTERNAL",
                operands="look*",
                effects="write",
            ),
            Program(
                "config",
                subcommands=(
                    Program("edit", options="--repo --user --workspace", traits="opaque"),
                    Program("gc"),
                    Program("get", traits="looks"),
                    Program(
                        "list",
                        options="--include-defaults --include-overridden --repo -T,--template= --user --workspace",
                        traits="looks",
                    ),
                    Program("path", options="--repo --user --workspace", traits="looks"),
                    Program("set", options="--repo --user --workspace", traits="opaque"),
                    Program("unset", options="--repo --user --workspace", traits="opaque"),
                ),
            ),
            Program("converge", options="--no-interactive -r,--revision,--revisions="),
            Program(
                "describe",
                aliases="desc",
                options="-r= --author= --editor -m,--message= --no-edit --reset-author --stdin",
                operands="data*",
                effects="write",
            ),
            Program(
                "diff",
                options=(
                    "--color-words --context= -f,--from= --git -w,--ignore-all-space -b,--ignore-space-change "
                    "--name-only -r,--revision,--revisions= --stat -s,--summary -T,--template= -t,--to= --types"
                ),
                runs="--tool=INTERNAL",
                operands="look*",
                traits="looks",
                effects="read",
            ),
            Program(
                "diffedit",
                options="-f,--from= --restore-descendants -r,--revision,--revisions= -t,--to=",
                runs="--tool=INTERNAL",
            ),
            Program(
                "duplicate",
                options="-r= -o,-d,--onto,--destination= -A,--after,--insert-after= -B,--before,--insert-before=",
            ),
            Program(
                "evolog",
                options=(
                    "--color-words --context= --git --ignore-all-space --ignore-space-change -n,--limit= --name-only "
                    "-G,--no-graph -p,--patch --reversed -r,--revision,--revisions= --stat -s,--summary -T,--template= "
                    "--types"
                ),
                runs="--tool=INTERNAL",
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "file",
                subcommands=(
                    Program(
                        "annotate",
                        options="-r,--revision,--revisions= -T,--template=",
                        operands="read",
                        traits="looks",
                        effects="read",
                    ),
                    Program("chmod", options="-r,--revision,--revisions="),
                    Program(
                        "list",
                        options="-r,--revision,--revisions= -T,--template=",
                        operands="look*",
                        traits="looks",
                        effects="read",
                    ),
                    Program(
                        "search",
                        options="-n,--line-number --name-only -p,--pattern= -r,--revision,--revisions=",
                        traits="looks",
                    ),
                    Program(
                        "show",
                        options="-r,--revision,--revisions= -T,--template=",
                        operands="read*",
                        traits="looks",
                        effects="read",
                    ),
                    Program("track", options="--include-ignored"),
                    Program("untrack"),
                ),
            ),
            Program("fix", options="-a,--all-lines --include-unchanged-files -s,--source="),
            Program(
                "gerrit",
                subcommands=(
                    Program(
                        "upload",
                        options=(
                            "--cc= --custom= --deadline= -n,--dry-run --edit --hashtag= --ignore-attention-set "
                            "-l,--label= --merged -m,--message= --no-publish-comments --notify= -o,--option= --private "
                            "--publish-comments --ready --remote= -b,--remote-branch= --remove-private --reviewer= "
                            "-r,--revision,--revisions= --skip-validation --submit --topic= --trace= --wip"
                        ),
                    ),
                ),
            ),
            Program(
                "git",
                subcommands=(
                    Program(
                        "clone",
                        options="-b,--branch= --colocate --depth= --no-colocate --object-hash= --remote= -t,--tag=",
                        operands="REMOTE write",
                        traits="writes",
                        effects="network write",
                    ),
                    Program(
                        "fetch",
                        options="--all-remotes -b,--branch= --remote= -t,--tag= --tracked",
                        effects="network write",
                    ),
                    Program(
                        "init",
                        options="--colocate --git-repo=enter --no-colocate --object-hash=",
                        operands="write",
                        traits="writes",
                        effects="write",
                    ),
                    Program(
                        "push",
                        options=(
                            "--all --allow-conflicts --allow-empty-description -N,--allow-new --allow-private "
                            "-b,--bookmark= -c,--change= --deleted+delete --dry-run!read+network --named= "
                            "-o,--option= --remote= -r,--revision,--revisions= -t,--tag= --tracked"
                        ),
                        effects="publish network",
                    ),
                    Program(
                        "remote",
                        subcommands=(
                            Program("add", options="--push-url=REMOTE", operands="data REMOTE"),
                            Program("set-url", options="--fetch=REMOTE --push=REMOTE", operands="data REMOTE"),
                            Program("list", aliases="remove rename"),
                        ),
                    ),
                    Program("colocation", aliases="export import root"),
                ),
            ),
            Program("help", options="-k,--keyword=", operands="data*", traits="looks", effects="none"),
            Program(
                "interdiff",
                options=(
                    "--color-words --context= -f,--from= --git -w,--ignore-all-space -b,--ignore-space-change "
                    "--name-only --stat -s,--summary -t,--to= --types"
                ),
                runs="--tool=INTERNAL",
                traits="looks",
            ),
            Program(
                "log",
                options=(
                    "--color-words --context= --count --git --ignore-all-space --ignore-space-change -n,--limit= "
                    "--name-only -G,--no-graph -p,--patch --reversed -r,--revision,--revisions= --stat -s,--summary "
                    "-T,--template= --types"
                ),
                runs="--tool=INTERNAL",
                operands="look*",
                traits="looks",
                effects="read",
            ),
            Program(
                "metaedit",
                options=(
                    "-r= --author= --author-timestamp= --force-rewrite -m,--message= --update-author "
                    "--update-author-timestamp --update-change-id"
                ),
            ),
            Program(
                "new",
                options="-o,-r= -A,--after,--insert-after= -B,--before,--insert-before= -m,--message= --no-edit",
                operands="data*",
                effects="write",
            ),
            Program("next", options="--conflict -e,--edit -n,--no-edit"),
            Program(
                "operation",
                aliases="op",
                subcommands=(
                    Program(
                        "diff",
                        options=(
                            "--color-words --context= -f,--from= --git --ignore-all-space --ignore-space-change "
                            "--name-only -G,--no-graph --operation= -p,--patch --show-changes-in= --stat -s,--summary "
                            "-t,--to= --types"
                        ),
                        runs="--tool=INTERNAL",
                        traits="looks",
                    ),
                    Program(
                        "log",
                        options=(
                            "--color-words --context= --git --ignore-all-space --ignore-space-change -n,--limit= "
                            "--name-only -G,--no-graph -d,--op-diff -p,--patch --reversed --show-changes-in= --stat "
                            "-s,--summary -T,--template= --types"
                        ),
                        runs="--tool=INTERNAL",
                        traits="looks",
                        effects="read",
                    ),
                    Program("restore", options="--what="),
                    Program("revert", options="--what="),
                    Program(
                        "show",
                        options=(
                            "--color-words --context= --git --ignore-all-space --ignore-space-change --name-only "
                            "-G,--no-graph --no-op-diff -p,--patch --show-changes-in= --stat -s,--summary "
                            "-T,--template= --types"
                        ),
                        runs="--tool=INTERNAL",
                        operands="data*",
                        traits="looks",
                        effects="read",
                    ),
                    Program("abandon", aliases="integrate"),
                ),
            ),
            Program("prev", options="--conflict -e,--edit -n,--no-edit"),
            Program(
                "rebase",
                options=(
                    "-b,--branch= -o,-d,--onto,--destination= -A,--after,--insert-after= -B,--before,--insert-before= "
                    "--keep-divergent -r,--revision,--revisions= --simplify-parents --skip-emptied -s,--source="
                ),
                operands="data*",
                effects="write delete",
            ),
            Program("resolve", options="-l,--list -r,--revision,--revisions=", runs="--tool=INTERNAL"),
            Program(
                "restore",
                options="-c,--changes-in= -f,--from= -i,--interactive -t,--to,--into= --restore-descendants",
                runs="--tool=INTERNAL",
                operands="data*",
                effects="write delete",
            ),
            Program(
                "revert",
                options=(
                    "-o,-d,--onto,--destination= -A,--after,--insert-after= -B,--before,--insert-before= "
                    "-r,--revision,--revisions="
                ),
            ),
            Program("root", traits="looks", effects="read"),
            Program("run", traits="opaque"),
            Program(
                "show",
                options=(
                    "--color-words --context= --git -w,--ignore-all-space -b,--ignore-space-change -r= --name-only "
                    "--no-patch --reversed --stat -s,--summary -T,--template= --types"
                ),
                runs="--tool=INTERNAL",
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program("sign", options="--key= -r,--revision,--revisions="),
            Program("simplify-parents", options="-r,--revision,--revisions= -s,--source="),
            Program(
                "sparse",
                subcommands=(
                    Program("list", traits="looks"),
                    Program("set", options="--add= --clear --remove="),
                    Program("edit", aliases="reset"),
                ),
            ),
            Program(
                "split",
                options=(
                    "-o,-d,--onto,--destination= --editor -A,--after,--insert-after= -B,--before,--insert-before= "
                    "-i,--interactive -m,--message= -p,--parallel -r,--revision,--revisions="
                ),
                runs="--tool=INTERNAL",
            ),
            Program(
                "squash",
                options=(
                    "-o,-d,--onto,--destination= --editor -f,--from= -A,--after,--insert-after= "
                    "-B,--before,--insert-before= -i,--interactive -t,--to,--into= -k,--keep-emptied -m,--message= "
                    "-r,--revision,--revisions= -u,--use-destination-message"
                ),
                runs="--tool=INTERNAL",
                operands="look*",
                effects="write delete",
            ),
            Program("status", aliases="st", operands="look*", traits="looks", effects="read"),
            Program(
                "tag",
                subcommands=(
                    Program("delete"),
                    Program(
                        "list",
                        options=(
                            "-a,--all-remotes -c,--conflicted --remote= -r,--revision,--revisions= --sort= "
                            "-T,--template= -t,--tracked"
                        ),
                        operands="data*",
                        traits="looks",
                        effects="read",
                    ),
                    Program("set", options="--allow-move -r,--revision,--revisions="),
                    Program("track", options="--remote="),
                    Program("untrack", options="--remote="),
                ),
            ),
            Program("unsign", options="-r,--revision,--revisions="),
            Program(
                "util",
                subcommands=(
                    Program("exec", starts=Starts()),
                    Program("gc", options="--expire="),
                    Program("backend", aliases="completion config-schema install-man-pages markdown-help snapshot"),
                ),
            ),
            Program("version", traits="looks", effects="none"),
            Program(
                "workspace",
                subcommands=(
                    Program(
                        "add",
                        options="-m,--message= --name= -r,--revision,--revisions= --sparse-patterns=",
                        operands="write",
                        traits="writes",
                    ),
                    Program("list", options="-T,--template=", traits="looks", effects="read"),
                    Program("root", options="--name="),
                    Program("forget", aliases="rename update-stale"),
                ),
            ),
        ),
        names_by=1,
        traits="moves",
        can=(
            "discards: abandon, restore; publishes: git push; network: git push, git fetch, git clone; repository: "
            "new, commit, describe, squash, rebase, split, edit, bookmark; code: run, fix, bisect run, util exec; "
            "reads: log, diff, show, status"
        ),
    ),
    Program(
        "svn",
        options=(
            "-? --accept= --adds-as-modification --allow-mixed-revisions --auto-props -c,--change= --changelist,--cl= "
            "--depth= --diff --dry-run --encoding= -x,--extensions= -F,--file=read --force --force-interactive "
            "--force-log --git -h,--help -H,--human-readable --ignore-ancestry --ignore-externals --ignore-keywords "
            "--ignore-properties --ignore-whitespace --include-externals --incremental --internal-diff "
            "--keep-changelists --keep-local -l,--limit= --log -m,--message= --native-eol= --new= --no-auth-cache "
            "--no-auto-props --no-diff-added --no-diff-deleted --no-ignore --no-newline --no-unlock --non-interactive "
            "-N,--non-recursive --notice-ancestry --old= --parents --password= --password-from-stdin "
            "--patch-compatible --pin-externals --properties-only -q,--quiet --record-only -R,--recursive "
            "--reintegrate --relocate --remove --remove-added --remove-ignored --remove-unversioned --reverse-diff "
            "-r,--revision= --revprop --search= --search-and= --set-depth= --show-copies-as-adds "
            "--show-inherited-props --show-item= --show-passwords --show-revs= -u,--show-updates --stop-on-copy "
            "--strict --strip= --summarize --targets=read --trust-server-cert --trust-server-cert-failures= "
            "-g,--use-merge-history --username= --vacuum-pristines -v,--verbose --version --with-all-revprops "
            "--with-no-revprops --with-revprop= --xml"
        ),
        runs="--config-dir= --config-option= --diff-cmd= --diff3-cmd= --editor-cmd=",
        syntax="exact shared",
        subcommands=(
            Program(
                "blame",
                aliases=(
                    "praise annotate ann cat diff di info list ls log mergeinfo propget pget pg proplist plist pl"
                ),
                operands="data*",
                traits="looks",
                effects="read network",
            ),
            Program(
                "status",
                aliases="stat st",
                options="-u,--show-updates+network",
                operands="look*",
                traits="looks",
                effects="read",
            ),
            Program("help", operands="data*", traits="looks", effects="none"),
            Program("add", operands="look*", effects="write"),
            Program("cleanup", operands="data*", effects="write delete"),
            Program("commit", aliases="ci", operands="look*", effects="publish network write"),
            Program("merge", aliases="update up switch sw", operands="data*", effects="network write"),
            Program("resolve", aliases="resolved changelist cl", operands="data*", effects="write delete"),
            Program("revert", operands="data*", effects="write delete"),
            Program("checkout", aliases="co", operands="data write", traits="writes", effects="network write"),
            Program(
                "delete",
                aliases="del remove rm",
                operands="delete*",
                traits="writes",
                effects="write delete publish network",
            ),
            Program("export", operands="read write", traits="writes", effects="network write"),
            Program("import", operands="read data", effects="publish network"),
            Program(
                "move",
                aliases="mv rename ren",
                operands="move* write",
                traits="writes",
                effects="write publish network",
            ),
            Program("patch", operands="read data", effects="write"),
        ),
        others=Program(""),
        names_by=1,
        traits="moves",
        can=(
            "deletes: delete, del, remove, rm, cleanup --remove-unversioned; discards: revert; publishes: commit, ci; "
            "network; repository: add, commit, ci, copy, move, merge, mkdir, propset, switch; reads: status, log, "
            "diff, info, list"
        ),
    ),
    Program(
        "svnlook",
        options=(
            "--copy-info --diff-copy-from -x,--extensions= --full-paths -h,--help --ignore-properties -l,--limit= "
            "-M,--memory-cache-size= --no-diff-added --no-diff-deleted --no-newline -N,--non-recursive "
            "--properties-only -r,--revision= --revprop --show-ids --show-inherited-props -t,--transaction= "
            "-v,--verbose --version --xml"
        ),
        runs="--diff-cmd=",
        operands="data*",
        syntax="exact",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "svnmucc",
        options=(
            "-F,--file=read --force-interactive -h,--help -m,--message= --no-auth-cache --non-interactive "
            "-p,--password= --password-from-stdin -r,--revision= -U,--root-url= --trust-server-cert "
            "--trust-server-cert-failures= -u,--username= --version --with-revprop="
        ),
        runs="--config-dir= --config-option= -X,--extra-args=",
        operands="data*",
        syntax="exact",
        effects="publish network",
        can="publishes; network",
    ),
    Program(
        "svnrdump",
        options=(
            "--force-interactive -h,--help --incremental --no-auth-cache --non-interactive --password= "
            "--password-from-stdin -q,--quiet -r,--revision= --skip-revprop= --trust-server-cert "
            "--trust-server-cert-failures= --username= --version"
        ),
        writes="-F,--file=",
        runs="--config-dir= --config-option=",
        operands="data*",
        syntax="exact",
        effects="network publish",
        can="network",
    ),
    Program(
        "svnsync",
        options=(
            "--allow-non-empty --disable-locking --force-interactive -h,--help -M,--memory-cache-size= --no-auth-cache "
            "--non-interactive --password= --password-from-stdin -q,--quiet -r,--revision= --skip-unchanged "
            "--source-password= --source-prop-encoding= --source-trust-server-cert-failures= --source-username= "
            "--steal-lock --sync-password= --sync-trust-server-cert-failures= --sync-username= --trust-server-cert "
            "--trust-server-cert-failures= --username= --version"
        ),
        runs="--config-dir= --config-option=",
        operands="data*",
        syntax="exact",
        effects="publish network",
        can="network; repository",
    ),
)
