"""Git, and what belongs to it.

From git 2.39 (`git X -h` and its manual, with the options that later documentation adds, to 2.52), git-lfs 3.3,
git-filter-repo 2.47.

Where git's own options of a subcommand share a letter with its diff or revision options, its own are behind those, so
they count.
"""

from __future__ import annotations

from functools import partial

from asimi.core.programs.program import Program, Starts

_OUTPUT = "--output="
_DIFF_PROGRAMS = "--ext-diff --textconv"

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
                operands="data read*",
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
                    "-t --track[=] --unset-upstream+system -v,--verbose"
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
                    "-t!write --track[=]!write -U,--unified="
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
                options="-n,--dry-run!read>look -f,--force+delete -k --sparse -v,--verbose",
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
                    "--cached!write>look -n,--dry-run!read>look -f,--force+delete --ignore-unmatch --pathspec-file-nul "
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
                    "--overwrite-ignore --progress -q,--quiet --recurse-submodules[=] -t --track[=]"
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
)
