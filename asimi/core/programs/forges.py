"""The forges' own programs.

From gh 2.23 (with some options of later manuals) and glab's manual.
"""

from __future__ import annotations

from asimi.core.programs.program import Program, alike

_PUBLISHES = "network publish"
_GLAB = (
    "-a,--assignee= --author= -l,--label= --milestone= -A,--all -c,--closed -M,--merged -d,--draft -r,--reviewer= "
    "-s,--source-branch= -t,--target-branch= --search= --output= -F,--output-format= -p,--page= -P,--per-page= "
    "--comments --color= -b,--branch="
)
"""Options of glab's lists and views; `--web` starts a browser, so it is none of them."""

PROGRAMS = (
    Program(
        "gh",
        options="-h,--help!none --hostname= -R,--repo= --version!none",
        syntax="exact",
        subcommands=(
            Program(
                "alias",
                subcommands=(
                    Program("import", aliases="set", traits="opaque"),
                    Program("list", effects="read"),
                ),
            ),
            Program(
                "api",
                options=(
                    "--cache= -F,--field=+publish -H,--header= --hostname= -i,--include --input=read+publish -q,--jq= "
                    "-X,--method=+publish --paginate -p,--preview= -f,--raw-field=+publish --silent --slurp "
                    "-t,--template= --verbose"
                ),
                operands="data",
                effects="network",
            ),
            Program(
                "auth",
                subcommands=(
                    Program("setup-git", traits="opaque"),
                    Program(
                        "login",
                        options="-p,--git-protocol= -h,--hostname= -s,--scopes= --with-token",
                        effects="network system",
                    ),
                    Program("logout", options="-h,--hostname=", effects="network system"),
                    Program("refresh", options="-h,--hostname= -s,--scopes=", effects="network system"),
                    Program("status", options="-h,--hostname=", effects="network"),
                ),
            ),
            Program(
                "cache",
                options="-R,--repo=",
                subcommands=(
                    Program("delete", options="-R,--repo=", operands="data*", effects="publish network delete"),
                    Program("list", options="-R,--repo=", effects="network"),
                ),
            ),
            Program(
                "codespace",
                aliases="cs",
                subcommands=(
                    Program(
                        "cp",
                        aliases="ssh",
                        options=(
                            "-c,--codespace= -d,--debug --debug-file=write -e,--expand -p,--profile= -r,--recursive "
                            "-R,--repo= --repo-owner= --server-port="
                        ),
                        operands="REMOTE*",
                    ),
                    Program(
                        "list",
                        options="-q,--jq= --json= -L,--limit= -o,--org= -R,--repo= -t,--template= -u,--user=",
                        effects="network",
                    ),
                    Program(
                        "create",
                        options=(
                            "-b,--branch= --default-permissions --devcontainer-path= -d,--display-name= "
                            "--idle-timeout= -l,--location= -m,--machine= -R,--repo= --retention-period= -s,--status"
                        ),
                        effects="publish network",
                    ),
                    Program(
                        "delete",
                        options="--all -c,--codespace= --days= -f,--force -o,--org= -R,--repo= -u,--user=",
                        effects="publish network delete",
                    ),
                    Program("stop", options="-c,--codespace= -o,--org= -u,--user=", effects="publish network"),
                ),
            ),
            Program("completion", options="-s,--shell=", effects="none"),
            Program("config", subcommands=(Program("set", traits="opaque"),)),
            Program("copilot", traits="opaque"),
            Program(
                "extension",
                aliases="ext extensions",
                subcommands=(
                    Program("install", aliases="exec remove upgrade", traits="opaque"),
                    Program("list", effects="read"),
                    Program(
                        "search",
                        options="-q,--jq= --json= --license= -L,--limit= --order= --owner= --sort= -t,--template=",
                        operands="data*",
                        effects="network",
                    ),
                ),
            ),
            Program(
                "gist",
                subcommands=(
                    Program("clone", operands="CLONE*", effects="network write"),
                    Program(
                        "create",
                        options="-d,--desc= -f,--filename= -p,--public",
                        operands="read*",
                        effects="publish network",
                    ),
                    Program("delete", operands="data*", effects="publish network delete"),
                    Program(
                        "edit",
                        options="-a,--add=read -d,--desc= -f,--filename=",
                        operands="data read",
                        effects="publish network",
                    ),
                    Program("list", options="-L,--limit= --public --secret", effects="network"),
                    Program("view", options="-f,--filename= --files -r,--raw", operands="data*", effects="network"),
                ),
            ),
            Program(
                "gpg-key",
                subcommands=(
                    Program("add", operands="read", effects="publish network"),
                    Program("delete", options="-y,--yes", operands="data*", effects="publish network delete"),
                    Program("list", effects="network"),
                ),
            ),
            Program(
                "issue",
                options="-R,--repo=",
                subcommands=(
                    Program(
                        "list",
                        options=(
                            "--app= -a,--assignee= -A,--author= -q,--jq= --json= -l,--label= -L,--limit= --mention= "
                            "-m,--milestone= -R,--repo= -S,--search= -s,--state= -t,--template="
                        ),
                        effects="network",
                    ),
                    Program("status", options="-q,--jq= --json= -R,--repo= -t,--template=", effects="network"),
                    Program(
                        "view",
                        options="-c,--comments -q,--jq= --json= -R,--repo= -t,--template=",
                        operands="data*",
                        effects="network",
                    ),
                    Program(
                        "create",
                        options=(
                            "-a,--assignee= -F,--body-file=read -b,--body= -l,--label= -m,--milestone= -p,--project= "
                            "--recover= -R,--repo= -t,--title="
                        ),
                        effects="publish network",
                    ),
                    Program(
                        "close",
                        options="-c,--comment= -r,--reason= -R,--repo=",
                        operands="data*",
                        effects="publish network",
                    ),
                    Program(
                        "comment",
                        options="-F,--body-file=read -b,--body= --edit-last -e,--editor -R,--repo=",
                        operands="data*",
                        effects="publish network",
                    ),
                    Program(
                        "edit",
                        options=(
                            "--add-assignee= --add-label= --add-project= -F,--body-file=read -b,--body= "
                            "-m,--milestone= --remove-assignee= --remove-label= --remove-project= -R,--repo= "
                            "-t,--title="
                        ),
                        operands="data*",
                        effects="publish network",
                    ),
                    Program("lock", options="-r,--reason= -R,--repo=", operands="data*", effects="publish network"),
                    Program("pin", options="-R,--repo=", operands="data*", effects="publish network"),
                    Program("reopen", options="-c,--comment= -R,--repo=", operands="data*", effects="publish network"),
                    Program("transfer", options="-R,--repo=", operands="data*", effects="publish network"),
                    Program("unlock", options="-R,--repo=", operands="data*", effects="publish network"),
                    Program("unpin", options="-R,--repo=", operands="data*", effects="publish network"),
                    Program("delete", options="-R,--repo= --yes", operands="data*", effects="publish network delete"),
                    Program(
                        "develop",
                        options="-b,--base= -c,--checkout -i,--issue-repo= -l,--list -n,--name= -R,--repo=",
                        operands="data*",
                        effects="publish network write",
                    ),
                ),
            ),
            Program(
                "label",
                options="-R,--repo=",
                subcommands=(
                    Program(
                        "list",
                        options="-q,--jq= --json= -L,--limit= --order= -R,--repo= -S,--search= --sort= -t,--template=",
                        effects="network",
                    ),
                    Program("clone", options="-f,--force -R,--repo=", operands="data*", effects="publish network"),
                    Program(
                        "create",
                        options="-c,--color= -d,--description= -f,--force -R,--repo=",
                        operands="data*",
                        effects="publish network",
                    ),
                    Program(
                        "edit",
                        options="-c,--color= -d,--description= -n,--name= -R,--repo=",
                        operands="data*",
                        effects="publish network",
                    ),
                    Program("delete", options="-R,--repo= --yes", operands="data*", effects="publish network delete"),
                ),
            ),
            Program(
                "pr",
                options="-R,--repo=",
                subcommands=(
                    Program(
                        "checks",
                        options=(
                            "--fail-fast -i,--interval= -q,--jq= --json= -R,--repo= --required -t,--template= --watch"
                        ),
                        operands="data*",
                        effects="network",
                    ),
                    Program(
                        "diff", options="--color= --name-only --patch -R,--repo=", operands="data*", effects="network"
                    ),
                    Program(
                        "list",
                        options=(
                            "--app= -a,--assignee= -A,--author= -B,--base= -d,--draft -H,--head= -q,--jq= --json= "
                            "-l,--label= -L,--limit= -R,--repo= -S,--search= -s,--state= -t,--template="
                        ),
                        effects="network",
                    ),
                    Program(
                        "status",
                        options="-c,--conflict-status -q,--jq= --json= -R,--repo= -t,--template=",
                        effects="network",
                    ),
                    Program(
                        "view",
                        options="-c,--comments -q,--jq= --json= -R,--repo= -t,--template=",
                        operands="data*",
                        effects="network",
                    ),
                    Program(
                        "checkout",
                        options="-b,--branch= --detach -f,--force+delete --recurse-submodules -R,--repo=",
                        operands="data*",
                        effects="network write",
                    ),
                    Program(
                        "create",
                        options=(
                            "-a,--assignee= -B,--base= -F,--body-file=read -b,--body= -d,--draft -f,--fill "
                            "--fill-first -H,--head= -l,--label= -m,--milestone= --no-maintainer-edit -p,--project= "
                            "--recover= -R,--repo= -r,--reviewer= -T,--template= -t,--title="
                        ),
                        effects="publish network",
                    ),
                    Program(
                        "close",
                        options="-c,--comment= -d,--delete-branch+delete -R,--repo=",
                        operands="data*",
                        effects="publish network",
                    ),
                    Program(
                        "merge",
                        options=(
                            "--admin -A,--author-email= --auto -F,--body-file=read -b,--body= "
                            "-d,--delete-branch+delete --disable-auto --match-head-commit= -m,--merge -r,--rebase "
                            "-R,--repo= -s,--squash -t,--subject="
                        ),
                        operands="data*",
                        effects="publish network",
                    ),
                    Program(
                        "comment",
                        options="-F,--body-file=read -b,--body= --edit-last -e,--editor -R,--repo=",
                        operands="data*",
                        effects="publish network",
                    ),
                    Program(
                        "edit",
                        options=(
                            "--add-assignee= --add-label= --add-project= --add-reviewer= -B,--base= "
                            "-F,--body-file=read -b,--body= -m,--milestone= --remove-assignee= --remove-label= "
                            "--remove-project= --remove-reviewer= -R,--repo= -t,--title="
                        ),
                        operands="data*",
                        effects="publish network",
                    ),
                    Program("lock", options="-r,--reason= -R,--repo=", operands="data*", effects="publish network"),
                    Program("ready", options="-R,--repo= --undo", operands="data*", effects="publish network"),
                    Program("reopen", options="-c,--comment= -R,--repo=", operands="data*", effects="publish network"),
                    Program(
                        "review",
                        options=(
                            "-a,--approve -F,--body-file=read -b,--body= -c,--comment -R,--repo= -r,--request-changes"
                        ),
                        operands="data*",
                        effects="publish network",
                    ),
                    Program("unlock", options="-R,--repo=", operands="data*", effects="publish network"),
                ),
            ),
            Program(
                "release",
                options="-R,--repo=",
                subcommands=(
                    Program(
                        "create",
                        options=(
                            "--discussion-category= -d,--draft --generate-notes --latest -F,--notes-file=read "
                            "--notes-start-tag= -n,--notes= -p,--prerelease -R,--repo= --target= -t,--title= "
                            "--verify-tag"
                        ),
                        operands="data read*",
                        effects="publish network",
                    ),
                    Program(
                        "delete",
                        options="--cleanup-tag -R,--repo= -y,--yes",
                        operands="data*",
                        effects="publish network delete",
                    ),
                    Program(
                        "delete-asset",
                        options="-R,--repo= -y,--yes",
                        operands="data*",
                        effects="publish network delete",
                    ),
                    Program(
                        "download",
                        options=(
                            "-A,--archive= --clobber -D,--dir=write -O,--output=write -p,--pattern= -R,--repo= "
                            "--skip-existing"
                        ),
                        operands="data*",
                        effects="network write",
                    ),
                    Program(
                        "edit",
                        options=(
                            "--discussion-category= --draft --latest -F,--notes-file=read -n,--notes= --prerelease "
                            "-R,--repo= --tag= --target= -t,--title="
                        ),
                        operands="data*",
                        effects="publish network",
                    ),
                    Program(
                        "list",
                        options="--exclude-drafts --exclude-pre-releases -L,--limit= -R,--repo=",
                        effects="network",
                    ),
                    Program("upload", options="--clobber -R,--repo=", operands="data read*", effects="publish network"),
                    Program(
                        "view",
                        options="-q,--jq= --json= -R,--repo= -t,--template=",
                        operands="data*",
                        effects="network",
                    ),
                ),
            ),
            Program(
                "repo",
                subcommands=(
                    Program("archive", options="-y,--yes", operands="data*", effects="publish network"),
                    Program(
                        "clone",
                        options="--no-upstream -u,--upstream-remote-name=",
                        operands="CLONE*",
                        effects="network write",
                    ),
                    Program(
                        "create",
                        options=(
                            "--add-readme -c,--clone+write -d,--description= --disable-issues --disable-wiki "
                            "-g,--gitignore= -h,--homepage= --include-all-branches --internal -l,--license= --private "
                            "--public --push -r,--remote= -s,--source=enter -t,--team= -p,--template="
                        ),
                        operands="data*",
                        effects="publish network",
                    ),
                    Program("delete", options="--yes", operands="data*", effects="publish network delete"),
                    Program(
                        "edit",
                        options=(
                            "--add-topic= --allow-forking --allow-update-branch --default-branch= "
                            "--delete-branch-on-merge -d,--description= --enable-auto-merge --enable-discussions "
                            "--enable-issues --enable-merge-commit --enable-projects --enable-rebase-merge "
                            "--enable-squash-merge --enable-wiki -h,--homepage= --remove-topic= --template "
                            "--visibility="
                        ),
                        operands="data*",
                        effects="publish network",
                    ),
                    Program(
                        "fork",
                        options="--clone+write --default-branch-only --fork-name= --org= --remote+write --remote-name=",
                        operands="CLONE*",
                        effects="publish network",
                    ),
                    Program(
                        "list",
                        options=(
                            "--archived --fork -q,--jq= --json= -l,--language= -L,--limit= --no-archived --source "
                            "-t,--template= --topic= --visibility="
                        ),
                        operands="data*",
                        effects="network",
                    ),
                    Program("rename", options="-R,--repo= -y,--yes", operands="data*", effects="publish network"),
                    Program(
                        "set-default", options="-u,--unset -v,--view!read", operands="data*", effects="network system"
                    ),
                    Program(
                        "sync",
                        options="-b,--branch= --force+delete -s,--source=",
                        operands="data*",
                        effects="publish network write",
                    ),
                    Program(
                        "view",
                        options="-b,--branch= -q,--jq= --json= -t,--template=",
                        operands="data*",
                        effects="network",
                    ),
                ),
            ),
            Program(
                "run",
                options="-R,--repo=",
                subcommands=(
                    Program(
                        "list",
                        options=(
                            "-a,--all -b,--branch= -c,--commit= --created= -e,--event= -q,--jq= --json= -L,--limit= "
                            "-R,--repo= -s,--status= -t,--template= -u,--user= -w,--workflow="
                        ),
                        effects="network",
                    ),
                    Program(
                        "view",
                        options=(
                            "--exit-status -j,--job= -q,--jq= --json= --log --log-failed -R,--repo= -t,--template= "
                            "-v,--verbose"
                        ),
                        operands="data*",
                        effects="network",
                    ),
                    Program(
                        "watch", options="--exit-status -i,--interval= -R,--repo=", operands="data*", effects="network"
                    ),
                    Program(
                        "download",
                        options="-D,--dir=write -n,--name= -p,--pattern= -R,--repo=",
                        operands="data*",
                        effects="network write",
                    ),
                    Program("cancel", options="-R,--repo=", operands="data*", effects="publish network"),
                    Program(
                        "rerun",
                        options="-d,--debug --failed -j,--job= -R,--repo=",
                        operands="data*",
                        effects="publish network",
                    ),
                ),
            ),
            Program(
                "search",
                subcommands=(
                    Program(
                        "commits",
                        options=(
                            "--author-date= --author-email= --author-name= --author= --committer-date= "
                            "--committer-email= --committer-name= --committer= --hash= -q,--jq= --json= -L,--limit= "
                            "--merge --order= --owner= --parent= --repo= --sort= -t,--template= --tree= --visibility="
                        ),
                        operands="data*",
                        effects="network",
                    ),
                    Program(
                        "issues",
                        options=(
                            "--app= --archived --assignee= --author= --closed= --commenter= --comments= --created= "
                            "--include-prs --interactions= --involves= -q,--jq= --json= --label= --language= "
                            "-L,--limit= --locked --match= --mentions= --milestone= --no-assignee --no-label "
                            "--no-milestone --no-project --order= --owner= --project= --reactions= --repo= --sort= "
                            "--state= --team-mentions= -t,--template= --updated= --visibility="
                        ),
                        operands="data*",
                        effects="network",
                    ),
                    Program(
                        "prs",
                        options=(
                            "--app= --archived --assignee= --author= -B,--base= --checks= --closed= --commenter= "
                            "--comments= --created= --draft -H,--head= --interactions= --involves= -q,--jq= --json= "
                            "--label= --language= -L,--limit= --locked --match= --mentions= --merged --merged-at= "
                            "--milestone= --no-assignee --no-label --no-milestone --no-project --order= --owner= "
                            "--project= --reactions= --repo= --review-requested= --review= --reviewed-by= --sort= "
                            "--state= --team-mentions= -t,--template= --updated= --visibility="
                        ),
                        operands="data*",
                        effects="network",
                    ),
                    Program(
                        "repos",
                        options=(
                            "--archived --created= --followers= --forks= --good-first-issues= --help-wanted-issues= "
                            "--include-forks= -q,--jq= --json= --language= --license= -L,--limit= --match= "
                            "--number-topics= --order= --owner= --size= --sort= --stars= -t,--template= --topic= "
                            "--updated= --visibility="
                        ),
                        operands="data*",
                        effects="network",
                    ),
                ),
            ),
            Program(
                "secret",
                options="-R,--repo=",
                subcommands=(
                    Program("list", options="-a,--app= -e,--env= -o,--org= -R,--repo= -u,--user", effects="network"),
                    Program(
                        "set",
                        options=(
                            "-a,--app= -b,--body= -f,--env-file=read -e,--env= --no-store -o,--org= -R,--repo= "
                            "-r,--repos= -u,--user -v,--visibility="
                        ),
                        operands="data*",
                        effects="publish network",
                    ),
                    Program(
                        "delete",
                        options="-a,--app= -e,--env= -o,--org= -R,--repo= -u,--user",
                        operands="data*",
                        effects="publish network delete",
                    ),
                ),
            ),
            Program("skill", traits="opaque"),
            Program(
                "ssh-key",
                subcommands=(
                    Program("add", options="-t,--title=", operands="read", effects="publish network"),
                    Program("delete", options="-y,--yes", operands="data*", effects="publish network delete"),
                    Program("list", effects="network"),
                ),
            ),
            Program("status", options="-e,--exclude= -o,--org=", effects="network"),
            Program(
                "workflow",
                options="-R,--repo=",
                subcommands=(
                    Program("list", options="-a,--all -L,--limit= -R,--repo=", effects="network"),
                    Program("view", options="-r,--ref= -R,--repo= -y,--yaml", operands="data*", effects="network"),
                    Program(
                        "run",
                        options="-F,--field= --json -f,--raw-field= -r,--ref= -R,--repo=",
                        operands="data*",
                        effects="publish network",
                    ),
                    Program("enable", options="-R,--repo=", operands="data*", effects="publish network"),
                    Program("disable", options="-R,--repo=", operands="data*", effects="publish network"),
                ),
            ),
        ),
        names_by=2,
        can=(
            "deletes: delete; secrets: auth token, auth status; publishes: release create, release upload, pr create, "
            "pr merge, pr comment, pr review, issue create, issue comment, issue close, gist create, repo create, "
            "workflow run, secret set; network"
        ),
    ),
    Program(
        "glab",
        options="-h,--help -R,--repo= -v,--version",
        syntax="exact shared",
        subcommands=(
            Program("alias", subcommands=(Program("set", traits="opaque"),)),
            Program("auth", subcommands=(Program("configure-docker", aliases="docker-helper", traits="opaque"),)),
            Program("clone", operands="CLONE*"),
            Program("config", subcommands=(Program("edit", aliases="set", traits="opaque"),)),
            Program("duo", aliases="mcp", traits="opaque"),
            Program(
                "repo",
                aliases="project",
                subcommands=(
                    Program(
                        "clone",
                        options=(
                            "-a,--archived --active -G,--include-subgroups -g,--group= -m,--mine -o,--owned --page= "
                            "--paginate --per-page= -p,--preserve-namespace -v,--visibility= -I,--with-issues-enabled "
                            "-M,--with-mr-enabled -S,--with-shared"
                        ),
                        operands="CLONE*",
                    ),
                ),
            ),
            *(
                Program(
                    name,
                    syntax="exact shared",
                    subcommands=(
                        *alike("list/ls view/show diff issues trace status get", "network", options=_GLAB),
                        *alike("create/new merge/accept approve close reopen note update delete run retry", _PUBLISHES),
                    ),
                )
                for name in ("mr", "issue", "release", "ci", "pipeline", "label", "milestone", "variable")
            ),
        ),
        names_by=2,
        can=(
            "deletes: delete; publishes: release create, mr create, mr merge, mr note, issue create, issue note, "
            "snippet create, repo create; network"
        ),
    ),
)
