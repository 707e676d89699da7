"""Version control: git, Subversion, Mercurial, Jujutsu, and the forges' own programs.

From git 2.39 (`git X -h` and its manual, with the options that later documentation adds, to 2.52), git-lfs 3.3,
git-filter-repo 2.47, Subversion 1.14, Mercurial 6.3, Jujutsu 0.44, gh 2.23 (with some options of later manuals),
pre-commit 4.

Where git's own options of a subcommand share a letter with its diff or revision options, its own are behind those, so
they count.
"""

from __future__ import annotations

from functools import partial

from asimi.core.programs.program import Program, Starts, alike

_OUTPUT = "--output="
_DIFF_PROGRAMS = "--ext-diff --textconv"

_PUBLISHES = "network publish"
_GLAB = (
    "-a,--assignee= --author= -l,--label= --milestone= -A,--all -c,--closed -M,--merged -d,--draft -r,--reviewer= "
    "-s,--source-branch= -t,--target-branch= --search= --output= -F,--output-format= -p,--page= -P,--per-page= "
    "--comments --color= -b,--branch="
)
"""Options of glab's lists and views; `--web` starts a browser, so it is none of them."""

_shows = partial(Program, writes=_OUTPUT, runs=_DIFF_PROGRAMS, operands="data*", effects="read")

_OPAQUE = (
    "add--interactive archimport bisect--helper checkout--worker citool credential credential-cache "
    "credential-cache--daemon credential-store cvsexportcommit cvsimport cvsserver daemon difftool difftool--helper "
    "env--helper fast-import filter-branch fsmonitor--daemon gui hook http-backend http-fetch http-push imap-send "
    "instaweb merge-index mergetool mergetool--lib p4 receive-pack remote-ext remote-fd send-email send-pack shell "
    "submodule--helper svn upload-archive upload-archive--writer upload-pack web--browse"
)
"""Subcommands of git that start programs, serve others, hand out passwords or take a program as their input."""

_DIFF = (
    "-# --abbrev[=] --anchored= --binary -B,--break-rewrites[=] -c --cc --check --color[=] --color-moved[=] "
    "--color-moved-ws= --color-words[=] --combined-all-paths --compact-summary --cumulative --dd --default-prefix "
    "--diff-algorithm= --diff-filter= --diff-merges= -X,--dirstat[=] --dirstat-by-file[=] --dst-prefix= --exit-code "
    "-C,--find-copies[=] --find-copies-harder --find-object= -M,--find-renames[=] --follow --full-index "
    "-W,--function-context -G= -h --help --histogram -w,--ignore-all-space --ignore-blank-lines --ignore-cr-at-eol "
    "-I,--ignore-matching-lines= --ignore-space-at-eol -b,--ignore-space-change --ignore-submodules[=] "
    "--indent-heuristic --inter-hunk-context= -D,--irreversible-delete --ita-invisible-in-index --ita-visible-in-index "
    "-l= --line-prefix= -m --max-depth= --minimal --name-only --name-status --no-diff-merges -s,--no-patch --no-prefix "
    "--no-renames --notes[=] --numstat -O=read --output-indicator-context= --output-indicator-new= "
    "--output-indicator-old= -p,--patch --patch-with-raw --patch-with-stat --patience --pickaxe-all --pickaxe-regex "
    "--quiet -R --raw --relative[=] --remerge-diff --rename-empty --rotate-to= -S= --shortstat --skip-to= "
    "--src-prefix= --stat[=] --stat-count= --stat-graph-width= --stat-name-width= --stat-width= --submodule[=] "
    "--summary -t -a,--text -u -U,--unified[=] --word-diff[=] --word-diff-regex= --ws-error-highlight= -z"
)

_REVISIONS = (
    " -# --abbrev-commit --all --all-match --alternate-refs --ancestry-path[=] --author= --author-date-order "
    "--basic-regexp --bisect --boundary --branches[=] --cherry --cherry-mark --cherry-pick --children "
    "--clear-decorations --committer= --date= --date-order --decorate[=] --decorate-refs= --decorate-refs-exclude= "
    "--default= --dense --do-walk --encoding= --exclude= --exclude-first-parent-only --exclude-hidden= "
    "--expand-tabs[=] -E,--extended-regexp --first-parent -F,--fixed-strings --format[=] --full-history --glob= "
    "--graph --grep= --grep-reflog= --ignore-missing --invert-grep -L= --left-only --left-right --max-age= "
    "-n,--max-count= --max-parents[=] --maximal-only --merge --merges --min-age= --min-parents[=] --no-merges "
    "--no-walk[=] --not --notes[=] --oneline --parents -P,--perl-regexp --pretty[=] -r --reflog "
    "-i,--regexp-ignore-case --relative-date --remotes[=] --remove-empty --reverse --right-only --show-linear-break[=] "
    "--show-notes[=] --show-pulls --show-signature --simplify-by-decoration --simplify-merges --after,--since= "
    "--since-as-filter= --single-worktree --skip= --source --sparse --standard-notes --stdin --tags[=] --topo-order "
    "--unpacked --before,--until= --mailmap,--use-mailmap -v -g,--walk-reflogs"
)

_LOG = _DIFF + _REVISIONS

_SETTINGS = (
    "--all --blob= --bool --bool-or-int --bool-or-str --default= --expiry-date -f,--file=read --fixed-value --global "
    "-h --help --includes --int --local --name-only --no-type -z,--null --path --regexp --show-names --show-origin "
    "--show-scope --system -t,--type= --url= --value= --worktree"
)

_STASH = (
    "-a,--all -k,--keep-index -m,--message= -p,--patch --pathspec-file-nul --pathspec-from-file=read -q,--quiet "
    "-S,--staged -u,--include-untracked -U,--unified= --inter-hunk-context="
)


_SUBTREE = (
    "--annotate= -b,--branch= -d,--debug -h,--help --ignore-joins -m,--message= --onto= -P,--prefix= "
    "-q,--quiet --rejoin -S,--gpg-sign[=] --squash"
)

_FILTER_REPO = Program(
    "filter-repo",
    options=(
        "--analyze --date-order --debug --dry-run -f,--force -h,--help --invert-paths --mailmap=read --no-fetch "
        "--no-ff --no-gc --partial --path-glob= --path,--path-match= --path-regex= --path-rename,--path-rename-match= "
        "--paths-from-file=read --preserve-commit-encoding --preserve-commit-hashes --proceed --prune-degenerate= "
        "--prune-empty= --quiet --refs= --replace-message=read --replace-refs= --replace-text=read "
        "--sdr,--sensitive-data-removal --source=enter --stdin --strip-blobs-bigger-than= --strip-blobs-with-ids=read "
        "--subdirectory-filter= --tag-rename= --to-subdirectory-filter= --use-base-name --use-mailmap --version"
    ),
    writes="--report-dir= --target=",
    runs=(
        "--blob-callback= --commit-callback= --email-callback= --file-info-callback= --filename-callback= "
        "--message-callback= --name-callback= --refname-callback= --reset-callback= --tag-callback="
    ),
    effects="write delete",
)

_LFS = (
    Program("clone", aliases="install merge-driver uninstall update", traits="opaque"),
    Program("env", aliases="ls-files status version", operands="data*", traits="looks", effects="read"),
    Program("locks", operands="data*", traits="looks", effects="network"),
    Program(
        "fetch",
        aliases="pull",
        options=(
            "-a,--all -d,--dry-run -X,--exclude= -I,--include= --json --object-id -p,--prune --recent --refetch --stdin"
        ),
        operands="REMOTE data*",
        effects="network write",
    ),
    Program(
        "push",
        options=(
            "-a,--all -d,--dry-run!read+network -X,--exclude= -I,--include= --json --object-id -p,--prune --recent "
            "--refetch --stdin"
        ),
        operands="REMOTE data*",
        effects="publish network",
    ),
)

PROGRAMS = (
    Program(
        "git",
        options=(
            "--attr-source= --bare --build-options -C=enter --git-dir=enter --glob-pathspecs -h,--help!none "
            "--html-path!read --icase-pathspecs --info-path!read --list-cmds= --literal-pathspecs --man-path!read "
            "--namespace= --no-advice --no-lazy-fetch --no-optional-locks --no-pager --no-replace-objects "
            "--noglob-pathspecs -p,--paginate -P --shallow-file= --super-prefix[=] -v,--version!none "
            "--work-tree=enter"
        ),
        runs="-c=SETTING --config-env= --exec-path[=]",
        syntax="no",
        subcommands=(
            Program(
                "add",
                options=(
                    "-A,--all --chmod= -n,--dry-run!read -e,--edit -f,--force --ignore-errors --ignore-missing "
                    "--ignore-removal -N,--intent-to-add -i,--interactive -p,--patch --pathspec-file-nul "
                    "--pathspec-from-file=read --refresh --renormalize --sparse -u,--update -v,--verbose"
                ),
                operands="read*",
                effects="read write",
            ),
            Program(
                "am",
                options=(
                    "-3,--3way --abort+delete --allow-empty -C= --committer-date-is-author-date --continue "
                    "--directory= --empty= --exclude= -S,--gpg-sign[=] --ignore-date --ignore-space-change "
                    "--ignore-whitespace --include= -i,--interactive -k,--keep --keep-cr --keep-non-patch "
                    "-m,--message-id --no-keep-cr -n,--no-verify -p= --patch-format= -q,--quiet --quit --quoted-cr= "
                    "--reject --rerere-autoupdate -r,--resolved --resolvemsg= --retry -c,--scissors "
                    "--show-current-patch[=]!read -s,--signoff --skip+delete -u,--utf8 --whitespace="
                ),
                operands="read*",
                effects="write",
            ),
            Program(
                "apply",
                options=(
                    "-3,--3way+write --allow-binary-replacement --allow-empty --allow-overlap --apply+write --binary "
                    "-C= --cached --check!read --directory= --exclude= -h --help --ignore-space-change "
                    "--ignore-whitespace --inaccurate-eof --include= --index -N,--intent-to-add --no-add "
                    "--numstat!read --ours -p= -q,--quiet --recount --reject+write -R,--reverse --stat!read "
                    "--summary!read --theirs --unidiff-zero --union -v,--verbose --whitespace= -z"
                ),
                writes="--build-fake-ancestor= --unsafe-paths+system",
                operands="read*",
                effects="read write",
            ),
            Program(
                "archive",
                options=(
                    "-# --add-file=read --add-virtual-file= --format= -h --help -l,--list --mtime= --prefix= "
                    "-v,--verbose --worktree-attributes --remote=REMOTE+network"
                ),
                writes="-o,--output=NOWHERE",
                runs="--exec=",
                operands="data*",
                effects="read",
            ),
            Program("backfill", options=_REVISIONS + " --min-batch-size=", writes=_OUTPUT, effects="network write"),
            Program(
                "bisect",
                subcommands=(
                    Program("bad", aliases="new good old skip next reset", operands="data*", effects="write"),
                    Program(
                        "terms",
                        aliases="log help",
                        options="--term-good --term-old --term-bad --term-new",
                        effects="read",
                    ),
                    Program("replay", operands="read", effects="read write"),
                    Program("run", starts=Starts(), effects="write"),
                    Program(
                        "start",
                        options="--first-parent --no-checkout --term-bad= --term-good= --term-new= --term-old=",
                        operands="data*",
                        effects="write",
                    ),
                    Program("visualize", aliases="view", traits="opaque", effects="code"),
                ),
            ),
            _shows(
                "blame",
                aliases="annotate pickaxe",
                options=_LOG
                + (
                    " --abbrev[=] -b -C[=] -c --color-by-age --color-lines --contents=read --date= --encoding= "
                    "--first-parent -h --ignore-rev= --ignore-revs-file=read --incremental -L= -l --line-porcelain "
                    "-M[=] --minimal -p,--porcelain --progress --reverse --root -S=read -s --score-debug "
                    "-e,--show-email -f,--show-name -n,--show-number --show-stats -t -w"
                ),
                traits="looks",
                operands="read*",
            ),
            Program(
                "branch",
                options=(
                    "--abbrev[=] -a,--all!read -C+delete --color[=] --column[=] --contains=!read -c,--copy+write "
                    "--create-reflog -D+delete -d,--delete+delete --edit-description+system -f,--force+delete "
                    "--format= -i,--ignore-case -l,--list!read -M+delete --merged=!read -m,--move+write "
                    "--no-contains=!read --no-merged=!read --omit-empty --points-at=!read -q,--quiet "
                    "--recurse-submodules -r,--remotes!read -u,--set-upstream-to=+system --show-current!read --sort= "
                    "-t,--track[=] --unset-upstream+system -v,--verbose"
                ),
                operands="new data",
                traits="looks",
                effects="read",
            ),
            Program(
                "bugreport",
                options="--diagnose[=] -h --help -s,--suffix=",
                writes="-o,--output-directory=",
                effects="write",
            ),
            Program(
                "bundle",
                subcommands=(
                    Program(
                        "create",
                        options=_LOG + " --all-progress --all-progress-implied --progress -q,--quiet --version=",
                        writes=_OUTPUT,
                        operands="NOWHERE data*",
                    ),
                    Program(
                        "verify",
                        aliases="list-heads",
                        options="-q,--quiet --progress",
                        operands="read data*",
                        effects="read",
                    ),
                    Program("unbundle", options="-q,--quiet --progress", operands="read data*", effects="read write"),
                ),
            ),
            Program(
                "cat-file",
                options=(
                    "--allow-unknown-type --batch[=] --batch-all-objects --batch-check[=] --batch-command[=] --buffer "
                    "-e --filter= --follow-symlinks -h --help --mailmap -p --path= -s -t --unordered --use-mailmap -Z "
                    "-z"
                ),
                runs="--filters --textconv",
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "check-attr", options="-a,--all --cached --stdin -z", operands="data*", traits="looks", effects="read"
            ),
            Program(
                "check-ignore",
                options="--no-index -n,--non-matching -q,--quiet --stdin -v,--verbose -z",
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "check-mailmap",
                options="--mailmap-blob= --mailmap-file=read --stdin",
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "check-ref-format",
                options="--allow-onelevel --branch --normalize --print --refspec-pattern",
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "checkout",
                options=(
                    "-B=!write+delete -b=!write --conflict=+delete -d,--detach -f,--force+delete --guess "
                    "--ignore-other-worktrees --ignore-skip-worktree-bits --inter-hunk-context= -l -m,--merge+delete "
                    "--orphan= -2,--ours --overlay --overwrite-ignore -p,--patch+delete --pathspec-file-nul "
                    "--pathspec-from-file=read --progress -q,--quiet --recurse-submodules[=] -3,--theirs "
                    "-t,--track[=]!write -U,--unified="
                ),
                operands="data*",
                effects="write delete",
            ),
            Program(
                "checkout-index",
                options=(
                    "-a,--all -f,--force+delete -h --help --ignore-skip-worktree-bits -u,--index -n,--no-create "
                    "-q,--quiet --stage= --stdin --temp -z"
                ),
                writes="--prefix=",
                operands="data*",
                effects="write",
            ),
            Program("cherry", options="--abbrev[=] -v,--verbose", operands="data*", traits="looks", effects="read"),
            Program(
                "cherry-pick",
                options=_LOG
                + (
                    " --abort+delete --allow-empty --allow-empty-message --cleanup= --continue -e,--edit --empty= --ff "
                    "-S,--gpg-sign[=] --keep-redundant-commits -m,--mainline= -n,--no-commit --quit "
                    "--rerere-autoupdate -s,--signoff --skip+delete -X,--strategy-option= -x"
                ),
                writes=_OUTPUT,
                runs=_DIFF_PROGRAMS + " --strategy=STRATEGY",
                operands="data*",
                effects="write",
            ),
            Program(
                "clean",
                options="-d -n,--dry-run!read>look -e,--exclude= -f,--force -i,--interactive -q,--quiet -X -x",
                operands="delete*",
                traits="writes",
                effects="delete",
            ),
            Program(
                "clone",
                options=(
                    "--also-filter-submodules --bare -b,--branch= --bundle-uri= --depth= --dissociate --filter= -h "
                    "--help -4,--ipv4 -6,--ipv6 -j,--jobs= -l,--local --mirror -n,--no-checkout --no-hardlinks "
                    "--no-tags -o,--origin= --progress -q,--quiet --recurse-submodules[=] --recursive[=] --ref-format= "
                    "--reference=read --reference-if-able=read --reject-shallow --remote-submodules --revision= "
                    "--server-option= --shallow-exclude= --shallow-since= --shallow-submodules -s,--shared "
                    "--single-branch --sparse --tags -v,--verbose"
                ),
                writes="--separate-git-dir=",
                runs="-c,--config=SETTING --template= -u,--upload-pack=",
                operands="REMOTE write",
                traits="writes",
                effects="network write",
            ),
            Program(
                "column", options="--command= --indent= --mode[=] --nl= --padding= --raw-mode= --width=", effects="none"
            ),
            Program(
                "commit",
                options=(
                    "--ahead-behind -a,--all --allow-empty --allow-empty-message --amend+delete --author= --branch "
                    "--cleanup= --date= --dry-run!read -e,--edit -F,--file=read --fixup= -S,--gpg-sign[=] -i,--include "
                    "--inter-hunk-context= --interactive --long -m,--message= --no-post-rewrite -n,--no-verify "
                    "-z,--null -o,--only -p,--patch --pathspec-file-nul --pathspec-from-file=read --porcelain!read "
                    "-q,--quiet -c,--reedit-message= --reset-author -C,--reuse-message= --short!read -s,--signoff "
                    "--squash= --status -t,--template=read --trailer= -U,--unified= -u,--untracked-files[=] "
                    "-v,--verbose --verify"
                ),
                operands="read*",
                effects="write",
            ),
            Program(
                "commit-graph",
                writes="--object-dir=",
                subcommands=(
                    Program("verify", options="--object-dir=read --progress --shallow", traits="looks", effects="read"),
                    Program(
                        "write",
                        options=(
                            "--append --changed-paths --max-new-filters= --progress --reachable --split[=] "
                            "--max-commits= --size-multiple= --expire-time= --stdin-commits --stdin-packs"
                        ),
                        writes="--object-dir=",
                        effects="write",
                    ),
                ),
            ),
            Program("commit-tree", options="-F=read -S,--gpg-sign[=] -m= -p=", operands="data*", effects="write"),
            Program(
                "config",
                options=_SETTINGS
                + (
                    " --comment= --fixed-value --get --get-all --get-color --get-colorbool --get-regexp --get-urlmatch "
                    "-l,--list"
                ),
                writes=(
                    "--add+system --append+system --unset+system --unset-all+system --replace-all+system "
                    "--rename-section+system --remove-section+system -e,--edit+system"
                ),
                operands=(
                    "SETTINGNAME set|--get|--get-all|--get-regexp|--get-urlmatch|--get-color|--get-colorbool|-l|--list"
                ),
                subcommands=(
                    Program("get", aliases="list", options=_SETTINGS, operands="data*", traits="looks", effects="read"),
                ),
                traits="looks",
                effects="read",
            ),
            Program(
                "count-objects",
                options="-H,--human-readable -v,--verbose",
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "describe",
                options=(
                    "--abbrev[=] --all --always --broken[=] --candidates= --contains --debug --dirty[=] --exact-match "
                    "--exclude= --first-parent --long --match= --tags"
                ),
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "diagnose", options="-h --help --mode= -s,--suffix=", writes="-o,--output-directory=", effects="write"
            ),
            _shows(
                "diff",
                options=_DIFF + " --base --cached --merge-base --no-index --ours -q --staged --theirs",
                traits="looks",
                operands="read*",
            ),
            _shows("diff-files", options=_DIFF + " --base --ours -q --theirs", traits="looks"),
            _shows("diff-index", options=_DIFF + " --cached --merge-base -q", traits="looks"),
            _shows("diff-pairs", options=_DIFF, traits="looks"),
            _shows(
                "diff-tree",
                options=_LOG + " --always --commit-id --merge-base --no-commit-id -r --root -t -v",
                traits="looks",
            ),
            Program(
                "fast-export",
                options=_LOG
                + (
                    " --anonymize --anonymize-map= --fake-missing-tagger --full-tree --import-marks=read "
                    "--import-marks-if-exists=read --mark-tags --no-data --progress= --reencode= "
                    "--reference-excluded-parents --refspec= --show-original-ids --signed-commits= --signed-tags= "
                    "--tag-of-filtered-object= --use-done-feature"
                ),
                writes=_OUTPUT + " --export-marks=",
                runs=_DIFF_PROGRAMS,
                operands="data*",
                effects="read",
            ),
            Program(
                "fetch",
                options=(
                    "--all -a,--append --atomic --auto-gc --auto-maintenance --deepen= --depth= "
                    "--dry-run!read+network --filter= -f,--force+delete -h --help -4,--ipv4 -6,--ipv6 -j,--jobs= "
                    "-k,--keep -m,--multiple -n --negotiate-only --negotiation-tip= --porcelain --prefetch --progress "
                    "-p,--prune+delete -P,--prune-tags+delete -q,--quiet --recurse-submodules[=] "
                    "--recurse-submodules-default[=] --refetch --refmap= -o,--server-option= --set-upstream "
                    "--shallow-exclude= --shallow-since= --show-forced-updates --stdin --submodule-prefix[=] "
                    "-t,--tags --unshallow -u,--update-head-ok+delete --update-shallow -v,--verbose "
                    "--write-commit-graph --write-fetch-head"
                ),
                runs="--upload-pack=",
                operands="REMOTE data*",
                traits="looks",
                effects="network write",
            ),
            Program(
                "fetch-pack",
                options=(
                    "--all --check-self-contained-and-connected --cloning --deepen-relative --depth[=] --diag-url "
                    "--filter[=] --from-promisor -h --help --include-tag -k,--keep --lock-pack -q,--quiet --refetch "
                    "--shallow-exclude[=] --shallow-since[=] --stateless-rpc --stdin --thin --update-shallow -v"
                ),
                runs="--exec[=] --upload-pack[=]",
                operands="REMOTE data*",
                effects="network write",
            ),
            _FILTER_REPO,
            Program(
                "fmt-merge-msg",
                options="-F,--file=read --into-name= --log[=] -m,--message=",
                traits="looks",
                effects="read",
            ),
            Program(
                "for-each-ref",
                options=(
                    "--color[=] --contains= --count= --exclude= --format= --ignore-case --include-root-refs --merged= "
                    "--no-contains= --no-merged= --omit-empty -p,--perl --points-at= --python -s,--shell --sort= "
                    "--start-after= --stdin --tcl"
                ),
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "for-each-repo",
                options="--config= --keep-going",
                starts=Starts(optional=True, loose=True, own=True),
                traits="opaque",
            ),
            Program(
                "format-patch",
                options=_LOG
                + (
                    " --add-header= --always --attach[=] --base= --cc= --cover-from-description= --cover-letter "
                    "--creation-factor= --description-file=read --encode-email-headers --filename-max-length= "
                    "--force-in-body-from --from[=] --ignore-if-in-upstream --in-reply-to= --inline[=] --interdiff= "
                    "-k,--keep-subject --no-binary -N,--no-numbered -p,--no-stat -n,--numbered --numbered-files "
                    "--progress -q,--quiet --range-diff= -v,--reroll-count= --rfc[=] --root --signature= "
                    "--signature-file=read -s,--signoff --start-number= --stdout!read --subject-prefix= --suffix= "
                    "--thread[=] --to= --zero-commit"
                ),
                writes=_OUTPUT + " -o,--output-directory=",
                runs=_DIFF_PROGRAMS,
                operands="data*",
                effects="write",
            ),
            Program(
                "fsck",
                aliases="fsck-objects",
                options=(
                    "--cache --connectivity-only --dangling --full --lost-found+write --name-objects --progress "
                    "--references --reflogs --root --strict --tags --unreachable -v,--verbose"
                ),
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "gc",
                options=(
                    "--aggressive --auto --cruft --detach --force -h --help --keep-largest-pack --max-cruft-size= "
                    "--no-prune --prune[=] -q,--quiet"
                ),
                writes="--expire-to=",
                effects="write delete",
            ),
            Program("get-tar-commit-id", traits="looks", effects="none"),
            Program(
                "grep",
                options=(
                    "-# -A,--after-context= --all-match --and -G,--basic-regexp -B,--before-context= --break --cached "
                    "--color[=] --column -C,--context= -c,--count -e= --exclude-standard -E,--extended-regexp -f=read "
                    "-l,--files-with-matches -L,--files-without-match -F,--fixed-strings --full-name "
                    "-W,--function-context -H -h --heading --help -I -i,--ignore-case -v,--invert-match "
                    "-n,--line-number -m,--max-count= --max-depth= --name-only --no-index --not -z,--null "
                    "-o,--only-matching --or --parent-basename= -P,--perl-regexp -q,--quiet --recurse-submodules "
                    "-r,--recursive -p,--show-function -a,--text --threads= --untracked -w,--word-regexp -y"
                ),
                runs="--ext-grep -O,--open-files-in-pager[=] --textconv",
                operands="data|-e|-f read*",
                traits="looks",
                effects="read",
            ),
            Program(
                "hash-object",
                options="--literally --no-filters --path= --stdin --stdin-paths -t= -w+write",
                operands="read*",
                effects="read",
            ),
            Program(
                "help",
                options=(
                    "--aliases -a,--all -c,--config --developer-interfaces --external-commands -g,--guides -h --help "
                    "-m,--man --user-interfaces -v,--verbose"
                ),
                runs="-i,--info -w,--web",
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "history",
                syntax="no",
                subcommands=(Program("reword", aliases="split", options="--dry-run --ref-action= --update-refs="),),
            ),
            Program(
                "index-pack",
                options=(
                    "--check-self-contained-and-connected --fix-thin --fsck-objects[=] -h --help --index-version[=] "
                    "--keep[=] --max-input-size[=] --object-format[=] --progress-title= --promisor[=] --rev-index "
                    "--stdin --strict[=] --threads[=] -v --verify --verify-stat --verify-stat-only"
                ),
                writes="-o=",
                operands="read",
                effects="read write",
            ),
            Program(
                "init",
                aliases="init-db",
                options="--bare -h --help -b,--initial-branch= --object-format= -q,--quiet --ref-format= --shared[=]",
                writes="--separate-git-dir=",
                runs="--template=",
                operands="write",
                traits="writes",
                effects="write",
            ),
            Program(
                "interpret-trailers",
                options=(
                    "-h --help --if-exists= --if-missing= --no-divider --only-input --only-trailers --parse --trailer= "
                    "--trim-empty --unfold --where="
                ),
                writes="--in-place>write",
                operands="read*",
                effects="read",
            ),
            _shows("last-modified", options=_LOG + " -r,--recursive -t,--show-trees", traits="looks"),
            Program("lfs", syntax="exact", subcommands=_LFS),
            _shows(
                "log",
                options=_LOG
                + (
                    " --clear-decorations --decorate[=] --decorate-refs= --decorate-refs-exclude= --follow --full-diff "
                    "-L= --log-size --mailmap -q,--quiet --source --stdin --use-mailmap"
                ),
                aliases="whatchanged show",
                traits="looks",
            ),
            Program(
                "ls-files",
                options=(
                    "--abbrev[=] -c,--cached --debug --deduplicate -d,--deleted --directory --empty-directory --eol "
                    "--error-unmatch -x,--exclude= -X,--exclude-from=read --exclude-per-directory= --exclude-standard "
                    "-f --format= --full-name -i,--ignored -k,--killed -m,--modified -o,--others --recurse-submodules "
                    "--resolve-undo --sparse -s,--stage -t -u,--unmerged -v --with-tree= -z"
                ),
                operands="look*",
                traits="looks",
                effects="read",
            ),
            Program(
                "ls-remote",
                options=(
                    "-b,--branches --exit-code --get-url!read -h,--heads --help -q,--quiet --refs -o,--server-option= "
                    "--sort= --symref -t,--tags"
                ),
                runs="--exec= --upload-pack=",
                operands="REMOTE data*",
                traits="looks",
                effects="network",
            ),
            Program(
                "ls-tree",
                options=(
                    "--abbrev[=] -d --format= --full-name --full-tree -l,--long --name-only --name-status "
                    "--object-only -r -t -z"
                ),
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "mailinfo",
                options="-b --encoding= -k -m,--message-id -n --quoted-cr= --scissors -u",
                operands="write write",
                effects="write",
            ),
            Program(
                "mailsplit",
                options="-b -d[=] -f[=] --keep-cr --mboxrd",
                writes="-o[=]",
                operands="read*",
                effects="read write",
            ),
            Program(
                "maintenance",
                subcommands=(
                    Program("run", options="--auto --detach -q,--quiet --schedule= --task=", effects="write delete"),
                    Program("start", aliases="stop register unregister", traits="opaque", effects="system"),
                ),
            ),
            Program(
                "merge",
                options=(
                    "--abort+delete --allow-unrelated-histories --autostash --cleanup= --commit --compact-summary "
                    "--continue -e,--edit --ff --ff-only -F,--file=read -S,--gpg-sign[=] -h --help --into-name= "
                    "--log[=] -m,--message= -n --no-verify --overwrite-ignore --progress -q,--quiet --quit "
                    "--rerere-autoupdate --signoff --squash --stat -X,--strategy-option= --summary -v,--verbose "
                    "--verify --verify-signatures"
                ),
                runs="-s,--strategy=STRATEGY",
                operands="data*",
                effects="write",
            ),
            Program(
                "merge-base",
                options="-a,--all --fork-point --independent --is-ancestor --octopus",
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "merge-file",
                options=(
                    "--diff-algorithm= --diff3 -L= --marker-size= --object-id --ours -q,--quiet -p,--stdout --theirs "
                    "--union --zdiff3"
                ),
                operands="write|-p|--stdout read read",
                traits="writes",
                effects="read",
            ),
            Program(
                "merge-tree",
                options=(
                    "--allow-unrelated-histories --merge-base= --messages --name-only --quiet --stdin "
                    "-X,--strategy-option= --trivial-merge --write-tree -z"
                ),
                operands="data*",
                traits="looks",
                effects="write",
            ),
            Program("mktag", options="--strict", effects="write"),
            Program("mktree", options="--batch --missing -z", effects="write"),
            Program(
                "multi-pack-index", options="--object-dir=enter --progress", operands="data*", effects="write delete"
            ),
            Program(
                "mv",
                options="-n,--dry-run!read>look -f,--force -k --sparse -v,--verbose",
                operands="move* write",
                traits="writes",
                effects="write",
            ),
            Program(
                "name-rev",
                options="--all --always --annotate-stdin --exclude= --name-only --refs= --stdin --tags --undefined",
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "notes",
                options="--ref=",
                subcommands=(
                    Program(
                        "add",
                        aliases="append edit",
                        options=(
                            "--allow-empty -C,--reuse-message= -c,--reedit-message= -f,--force+delete -F,--file=read "
                            "-m,--message= --separator[=] --stripspace -e,--edit"
                        ),
                        operands="data*",
                        effects="write",
                    ),
                    Program(
                        "copy",
                        options="-f,--force+delete --for-rewrite= --stdin",
                        operands="data*",
                        effects="write",
                    ),
                    Program("remove", options="--ignore-missing --stdin", operands="data*", effects="delete"),
                    Program("list", aliases="show get-ref", operands="data*", traits="looks", effects="read"),
                    Program(
                        "merge",
                        options="--abort+delete --commit -q,--quiet -s,--strategy= -v,--verbose",
                        operands="data",
                        effects="write",
                    ),
                    Program("prune", options="-n,--dry-run!read -v,--verbose", effects="delete"),
                ),
                effects="read",
            ),
            Program(
                "pack-objects",
                options=(
                    "--all --all-progress --all-progress-implied --compression= --cruft --cruft-expiration[=] "
                    "--delta-base-offset --delta-islands --depth= --exclude-promisor-objects --filter= "
                    "--honor-pack-keep --include-tag --incremental --index-version= --indexed-objects --keep-pack= "
                    "--keep-true-parents --keep-unreachable --local --max-input-size= --max-pack-size= --missing= "
                    "--name-hash-version= --non-empty --pack-loose-unreachable --path-walk --progress -q,--quiet "
                    "--reflog --reuse-delta --reuse-object --revs --shallow --sparse --stdin-packs[=] --stdout --thin "
                    "--threads= --unpack-unreachable[=] --unpacked --uri-protocol= --use-bitmap-index --window= "
                    "--window-memory= --write-bitmap-index"
                ),
                operands="write",
                effects="write",
            ),
            Program("pack-refs", options="--all --auto --exclude= --include= --prune", effects="write"),
            Program("patch-id", options="--stable --unstable --verbatim", traits="looks", effects="none"),
            Program(
                "prune",
                options="-n,--dry-run!read --exclude-promisor-objects --expire= --progress -v,--verbose",
                operands="data*",
                effects="delete",
            ),
            Program("prune-packed", options="-n,--dry-run!read -q,--quiet", effects="delete"),
            Program(
                "pull",
                options=(
                    "--all --allow-unrelated-histories -a,--append --autostash --cleanup= --commit --compact-summary "
                    "--deepen= --depth= --dry-run --edit --ff --ff-only -f,--force+delete -S,--gpg-sign[=] -h --help "
                    "-4,--ipv4 -6,--ipv6 -j,--jobs[=] -k,--keep --log[=] -n --negotiation-tip= --progress "
                    "-p,--prune+delete -q,--quiet -r,--rebase[=]+delete --recurse-submodules[=] --refmap= "
                    "-o,--server-option= --set-upstream --shallow-exclude= --shallow-since= --show-forced-updates "
                    "--signoff[=] --squash --stat -X,--strategy-option= -t,--tags --unshallow --update-shallow "
                    "-v,--verbose --verify --verify-signatures"
                ),
                runs="-s,--strategy=STRATEGY --upload-pack=",
                operands="REMOTE data*",
                effects="network write",
            ),
            Program(
                "push",
                options=(
                    "--all --atomic --branches -d,--delete+delete -n,--dry-run!read+network --follow-tags "
                    "-f,--force+delete --force-if-includes --force-with-lease[=]+delete -h --help -4,--ipv4 -6,--ipv6 "
                    "--mirror+delete --no-verify --porcelain --progress --prune+delete -o,--push-option= -q,--quiet "
                    "--recurse-submodules= --repo=REMOTE -u,--set-upstream --signed[=] --tags --thin -v,--verbose "
                    "--verify"
                ),
                runs="--exec= --receive-pack=",
                operands="REMOTE data*",
                traits="looks",
                effects="publish network",
            ),
            Program(
                "quiltimport",
                options="--author= --keep-non-patch -n,--dry-run --patches=read --series=read",
                effects="read write",
            ),
            _shows(
                "range-diff",
                options=_DIFF
                + (
                    " --creation-factor= --diff-merges= --dual-color --left-only --max-memory= --no-dual-color "
                    "--right-only"
                ),
                traits="looks",
            ),
            Program(
                "read-tree",
                options=(
                    "--aggressive --debug-unpack -n,--dry-run!read --empty --exclude-per-directory= -h --help -i -m "
                    "--no-sparse-checkout --prefix= -q,--quiet --recurse-submodules[=] --reset+delete --trivial "
                    "-u+delete -v,--verbose"
                ),
                writes="--index-output=",
                operands="data*",
                effects="write",
            ),
            Program(
                "rebase",
                options=(
                    "--abort --apply --autosquash --autostash -C= --committer-date-is-author-date --continue "
                    "--edit-todo --empty= -f,--force-rebase --fork-point -S,--gpg-sign[=] -h --help "
                    "--ignore-whitespace -i,--interactive -k --keep-base --keep-empty -m,--merge --no-ff "
                    "--no-keep-empty -n,--no-stat --no-verify --onto= --preserve-merges -q,--quiet --quit "
                    "--reapply-cherry-picks -r,--rebase-merges[=] --rerere-autoupdate --reschedule-failed-exec "
                    "--reset-author-date --root --show-current-patch!read --signoff --skip --stat "
                    "-X,--strategy-option= --trailer= --update-refs -v,--verbose --verify --whitespace="
                ),
                runs="-s,--strategy=STRATEGY -x,--exec=",
                operands="data*",
                effects="write delete",
            ),
            _shows(
                "reflog",
                options=_LOG + " --single-worktree",
                subcommands=(
                    _shows("show", options=_LOG + " --single-worktree"),
                    Program("exists", operands="data", effects="read"),
                    Program("list", effects="read"),
                    Program(
                        "expire",
                        aliases="delete",
                        options=(
                            "--all -n,--dry-run!read --expire= --expire-unreachable= --rewrite --single-worktree "
                            "--stale-fix --updateref --verbose"
                        ),
                        operands="data*",
                        effects="delete",
                    ),
                    Program("drop", aliases="write", operands="data*", effects="write delete"),
                ),
                syntax="mixed",
            ),
            Program("refs"),
            Program(
                "remote",
                options="-v,--verbose",
                subcommands=(
                    Program(
                        "add",
                        options="-f,--fetch+network -m,--master= --mirror[=] -t,--track= --tags",
                        operands="data REMOTE",
                        traits="looks",
                        effects="system",
                    ),
                    Program(
                        "get-url",
                        options="--all --push",
                        operands="data",
                        traits="looks",
                        effects="read",
                    ),
                    Program(
                        "rename",
                        aliases="set-branches set-head",
                        options="--add -a,--auto+network -d,--delete --progress",
                        operands="data*",
                        traits="looks",
                        effects="system",
                    ),
                    Program("remove", aliases="rm", operands="data", traits="looks", effects="delete system"),
                    Program(
                        "prune",
                        options="-n,--dry-run!read+network",
                        operands="REMOTE*",
                        traits="looks",
                        effects="network delete",
                    ),
                    Program("show", options="-n!read", operands="REMOTE*", traits="looks", effects="read network"),
                    Program(
                        "set-url",
                        options="--add --delete --push",
                        operands="data REMOTE*",
                        traits="looks",
                        effects="system",
                    ),
                    Program(
                        "update", options="-p,--prune+delete", operands="data*", traits="looks", effects="network write"
                    ),
                ),
                traits="looks",
                effects="read",
            ),
            Program(
                "repack",
                options=(
                    "-A -a --combine-cruft-below-size= --cruft --cruft-expiration= -d -i,--delta-islands --depth= -F "
                    "-f --filter= -g,--geometric= -h --help --keep-pack= -k,--keep-unreachable -l,--local "
                    "--max-cruft-size= --max-pack-size= -n --name-hash-version= --pack-kept-objects --path-walk "
                    "-q,--quiet --threads= --unpack-unreachable= --window= --window-memory= -b,--write-bitmap-index "
                    "-m,--write-midx"
                ),
                writes="--expire-to= --filter-to=",
                effects="write delete",
            ),
            Program(
                "replace",
                options=(
                    "--convert-graft-file -d,--delete+delete -e,--edit -f,--force --format= -g,--graft -l,--list!read "
                    "--raw"
                ),
                operands="data*",
                effects="write",
            ),
            _shows(
                "replay",
                options=_LOG + " --advance= --contained --onto= --ref-action[=] --update-refs",
                effects="write",
            ),
            Program("repo", options="--all --format= --keys -z", operands="data*", traits="looks", effects="read"),
            Program("request-pull", options="-p", operands="data REMOTE data", effects="read network"),
            Program("rerere", options="--rerere-autoupdate", operands="data*", effects="write delete"),
            Program(
                "reset",
                options=(
                    "--hard -N,--intent-to-add --inter-hunk-context= --keep --merge --mixed --no-refresh -p,--patch "
                    "--pathspec-file-nul --pathspec-from-file=read -q,--quiet --recurse-submodules[=] --refresh --soft "
                    "-U,--unified= -z"
                ),
                operands="data*",
                effects="write delete",
            ),
            Program(
                "restore",
                options=(
                    "--conflict=+delete --ignore-skip-worktree-bits --ignore-unmerged --inter-hunk-context= "
                    "-m,--merge+delete -2,--ours --overlay -p,--patch --pathspec-file-nul --pathspec-from-file=read "
                    "--progress -q,--quiet --recurse-submodules[=] -s,--source= -S,--staged!write -3,--theirs "
                    "-U,--unified= -W,--worktree+delete"
                ),
                operands="data*",
                effects="write delete",
            ),
            _shows(
                "rev-list",
                options=_LOG
                + (
                    " --bisect-all --bisect-vars --commit-header --count --disk-usage[=] --exclude-promisor-objects "
                    "--filter[=] --filter-print-omitted --filter-provided-objects --header --in-commit-order "
                    "--indexed-objects --maximal-only --missing[=] --object-names --objects --objects-edge "
                    "--objects-edge-aggressive --progress[=] --quiet --test-bitmap --timestamp --use-bitmap-index"
                ),
                traits="looks",
            ),
            Program(
                "rev-parse",
                options=(
                    "--parseopt --sq-quote --keep-dashdash --stop-at-non-option --stuck-long --revs-only --no-revs "
                    "--flags --no-flags --default= --prefix= --verify -q,--quiet --sq --short[=] --not "
                    "--abbrev-ref[=] --symbolic --symbolic-full-name --all --branches[=] --tags[=] --remotes[=] "
                    "--glob= --exclude= --exclude-hidden= --disambiguate= --local-env-vars --path-format= --git-dir "
                    "--git-common-dir --resolve-git-dir= --git-path= --show-toplevel --show-ref-format "
                    "--show-superproject-working-tree --shared-index-path --absolute-git-dir --is-inside-git-dir "
                    "--is-inside-work-tree --is-bare-repository --is-shallow-repository --show-cdup --show-prefix "
                    "--show-object-format[=] --since,--after= --until,--before="
                ),
                operands="data*",
                syntax="exact",
                traits="looks",
                effects="read",
            ),
            Program(
                "revert",
                options=_LOG
                + (
                    " --abort+delete --cleanup= --continue -e,--edit -S,--gpg-sign[=] -m,--mainline= -n,--no-commit "
                    "--quit --reference --rerere-autoupdate -s,--signoff --skip+delete -X,--strategy-option="
                ),
                writes=_OUTPUT,
                runs=_DIFF_PROGRAMS + " --strategy=STRATEGY",
                operands="data*",
                effects="write",
            ),
            Program(
                "rm",
                options=(
                    "--cached!write -n,--dry-run!read>look -f,--force --ignore-unmatch --pathspec-file-nul "
                    "--pathspec-from-file=read -q,--quiet -r --sparse"
                ),
                operands="delete*",
                traits="writes",
                effects="delete",
            ),
            _shows(
                "shortlog",
                options=_LOG + " -c,--committer -e,--email --group= -n,--numbered -s,--summary -w[=]",
                traits="looks",
            ),
            Program(
                "show-branch",
                options=(
                    "-a,--all --color[=] --current --date-order --independent --list --merge-base --more[=] --no-name "
                    "-g,--reflog[=] -r,--remotes --sha1-name --sparse --topics --topo-order"
                ),
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program("show-index", options="--object-format=", traits="looks", effects="none"),
            Program(
                "show-ref",
                options=(
                    "--abbrev[=] -d,--dereference --exclude-existing[=] -s,--hash[=] --head --heads -q,--quiet --tags "
                    "--verify"
                ),
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "sparse-checkout",
                options=(
                    "--cone --end-of-options --no-cone --rules-file=read --sparse-index --skip-checks --stdin -z "
                    "-f,--force -n,--dry-run -v,--verbose"
                ),
                operands="data*",
                effects="write delete",
            ),
            Program(
                "stash",
                options=_STASH,
                operands="data*",
                syntax="no",
                subcommands=(
                    Program("apply", options="--index -q,--quiet", operands="data", effects="write"),
                    Program("pop", options="--index -q,--quiet", operands="data", effects="write delete"),
                    Program(
                        "branch", aliases="clear drop", options="-q,--quiet", operands="data*", effects="write delete"
                    ),
                    Program(
                        "create",
                        aliases="export import store",  # for scripts; what they change is not the list alone
                        options="-m,--message= -q,--quiet --print --to-ref=",
                        operands="data*",
                    ),
                    _shows("list", options=_LOG, traits="looks"),
                    Program("push", aliases="save", options=_STASH, operands="data*", effects="write"),
                    _shows("show", options=_DIFF + " -u,--include-untracked --only-untracked", traits="looks"),
                ),
                effects="write",
            ),
            Program(
                "status",
                options=(
                    "--ahead-behind -b,--branch --column[=] -M,--find-renames[=] --ignore-submodules[=] --ignored[=] "
                    "--long --no-renames -z,--null --porcelain[=] -s,--short --show-stash -u,--untracked-files[=] "
                    "-v,--verbose"
                ),
                operands="look*",
                traits="looks",
                effects="read",
            ),
            Program("stripspace", options="-c,--comment-lines -s,--strip-comments", traits="looks", effects="none"),
            Program(
                "submodule",
                options="--cached -q,--quiet",
                subcommands=(
                    Program(
                        "add",
                        options=(
                            "-b,--branch= --depth= -f,--force --name= --progress -q,--quiet --ref-format= "
                            "--reference=read"
                        ),
                        operands="REMOTE write",
                        traits="writes",
                        effects="network write",
                    ),
                    Program("foreach", options="-q,--quiet --recursive", starts=Starts(joined=True), effects="none"),
                    Program(
                        "init",
                        aliases="absorbgitdirs set-branch sync",
                        options=(
                            "--all -b,--branch= --cached -d,--default -f,--force --files --for-status "
                            "-n,--summary-limit= -q,--quiet --recursive"
                        ),
                        operands="data*",
                        effects="write",
                    ),
                    Program("status", options="--cached -q,--quiet --recursive", operands="data*", effects="read"),
                    Program(
                        "summary",
                        options="--cached --files --for-status -n,--summary-limit= -q,--quiet",
                        operands="data*",
                        effects="read",
                    ),
                    Program("deinit", options="--all -f,--force -q,--quiet", operands="data*", effects="write delete"),
                    Program("set-url", options="-q,--quiet", operands="data REMOTE", effects="system"),
                    Program(
                        "update",
                        options=(
                            "--checkout+delete --depth= --dissociate --filter= -f,--force+delete --init -j,--jobs= "
                            "--merge -N,--no-fetch --progress -q,--quiet --rebase --recommend-shallow --recursive "
                            "--reference=read --ref-format= --remote --require-init --single-branch"
                        ),
                        operands="data*",
                        effects="network write",
                    ),
                ),
                effects="read",
            ),
            Program(
                "subtree",
                options=_SUBTREE,
                starts=Starts(optional=True, loose=True, own=True),
                subcommands=(
                    Program("add", aliases="pull", options=_SUBTREE, operands="REMOTE*", effects="network write"),
                    Program("push", options=_SUBTREE, operands="REMOTE*", effects="publish network write"),
                    Program("merge", aliases="split", options=_SUBTREE, operands="REMOTE*", effects="write"),
                ),
            ),
            Program(
                "switch",
                options=(
                    "--conflict=+delete -c,--create= -d,--detach+delete --discard-changes+delete -f,--force+delete "
                    "-C,--force-create=+delete --guess --ignore-other-worktrees -m,--merge+delete --orphan=+delete "
                    "--overwrite-ignore --progress -q,--quiet --recurse-submodules[=] -t,--track[=]"
                ),
                operands="data*",
                effects="write",
            ),
            Program(
                "symbolic-ref",
                options="-d,--delete+delete -m= -q,--quiet --recurse --short",
                operands="data new",
                effects="read",
            ),
            Program(
                "tag",
                options=(
                    "-a,--annotate --cleanup= --color[=] --column[=] --contains=!read --create-reflog "
                    "-d,--delete+delete -e,--edit -F,--file=read -f,--force+delete --format= -i,--ignore-case "
                    "-l,--list!read -u,--local-user= --merged=!read -m,--message= -n[=]!read --no-contains=!read "
                    "--no-merged=!read --omit-empty --points-at=!read -s,--sign --sort= --trailer= -v,--verify!read"
                ),
                operands="new data",
                traits="looks",
                effects="read",
            ),
            Program("unpack-file", operands="data", effects="write"),
            Program("unpack-objects", options="-n -q -r --max-input-size[=] --strict[=]", effects="write"),
            Program(
                "update-index",
                options=(
                    "--add -g,--again --assume-unchanged --cacheinfo= --chmod= --clear-resolve-undo --force-remove "
                    "--force-untracked-cache --force-write-index --fsmonitor --fsmonitor-valid --ignore-missing "
                    "--ignore-skip-worktree-entries --ignore-submodules --index-info --index-version= --info-only "
                    "--no-assume-unchanged --no-fsmonitor-valid --no-skip-worktree -q --really-refresh --refresh "
                    "--remove --replace --show-index-version --skip-worktree --split-index --stdin "
                    "--test-untracked-cache --unmerged --unresolve --untracked-cache --verbose -z"
                ),
                operands="data*",
                effects="write",
            ),
            Program(
                "update-ref",
                options="--batch-updates --create-reflog -d -m= --no-deref --stdin -z",
                operands="data*",
                effects="write delete",
            ),
            Program("update-server-info", options="-f,--force", effects="write"),
            Program("var", options="-l", operands="data*", traits="looks", effects="read"),
            Program("verify-commit", options="--raw -v,--verbose", operands="data*", traits="looks", effects="read"),
            Program(
                "verify-pack",
                options="--object-format= -s,--stat-only -v,--verbose",
                operands="read*",
                traits="looks",
                effects="read",
            ),
            Program(
                "verify-tag", options="--format= --raw -v,--verbose", operands="data*", traits="looks", effects="read"
            ),
            Program("version", options="--build-options", traits="looks", effects="none"),
            Program(
                "worktree",
                subcommands=(
                    Program(
                        "add",
                        options=(
                            "-B=+delete -b= --checkout -d,--detach -f,--force+delete --guess-remote --lock --orphan "
                            "-q,--quiet --reason= --relative-paths --track"
                        ),
                        operands="write data",
                        traits="writes",
                        effects="write",
                    ),
                    Program("list", options="--expire= --porcelain -v,--verbose -z", traits="looks", effects="read"),
                    Program(
                        "lock",
                        aliases="unlock repair",
                        options="--reason= --relative-paths",
                        operands="data*",
                        effects="write",
                    ),
                    Program("prune", options="-n,--dry-run!read --expire= -v,--verbose", effects="delete"),
                    Program(
                        "move",
                        options="-f,--force --relative-paths",
                        operands="move write",
                        traits="writes",
                        effects="write",
                    ),
                    Program("remove", options="-f,--force", operands="delete", traits="writes", effects="delete"),
                ),
            ),
            Program("write-tree", options="--missing-ok --prefix=", effects="write"),
            *(Program(name, traits="opaque") for name in _OPAQUE.split()),
        ),
        others=Program("", writes="--output=", runs="--ext-diff --receive-pack= --upload-pack=", syntax="open"),
        names_by=1,
        traits="moves",
        can=(
            "deletes: clean, rm, gc, branch -D, branch --delete, tag -d, worktree remove; discards: reset --hard, "
            "checkout --, checkout ., checkout -f, checkout --force, restore, stash drop, stash clear, switch "
            "--discard-changes, switch -f; history: push --force, push -f, push --force-with-lease, push --mirror, "
            "push --delete, filter-branch, filter-repo; publishes: push; later: config core.hooksPath; code: bisect "
            "run, rebase --exec; network: fetch, pull, push, clone, ls-remote, remote update, submodule; writes: "
            "clone, apply, am, archive; repository: add, commit, merge, rebase, checkout, switch, cherry-pick, revert, "
            "pull, stash, tag, branch, init, mv, remote add, remote set-url, config, worktree, submodule, reset, "
            "notes, update-ref; reads: status, log, diff, show, blame, rev-parse, ls-files, describe, shortlog, grep, "
            "remote, fetch, reflog, cat-file, ls-tree"
        ),
    ),
    Program(
        "git-filter-repo",
        options=_FILTER_REPO.options,
        writes=_FILTER_REPO.writes,
        runs=_FILTER_REPO.runs,
        effects="write delete",
        can="history",
    ),
    Program("git-lfs", syntax="exact", subcommands=_LFS, names_by=1, can="network: fetch, pull, push; repository"),
    Program(
        "git-receive-pack", aliases="git-http-backend git-shell git-upload-archive git-upload-pack", traits="opaque"
    ),
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
        syntax="shared",
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
