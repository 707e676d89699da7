"""Package managers of systems and of languages, and what runs a package's program.

From the programs' own help and npm's lib/utils/cmd-list.js: npm 11.19, pnpm 12.21, yarn 1.22 and 2.4, bun 1.4, pip 26,
uv 0.11, poetry 2, pipx 1.8, RubyGems 3.3, apt 2.6, dpkg 1.21, rustup 1.29. Not checked against the programs: rpm 4.18,
pacman 6, dnf 4, apk 2 and Homebrew 4.

pnpm, yarn, poetry, gem, bundle and composer load plug-ins or a file of the project whatever they do, so all is `code`.
"""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts, alike

_NPM = (
    "-h,-H,-?,--help,--usage -v,--version,--versions -d -s,--silent -q,--quiet --verbose -n,--no -y,--yes -a,--all"
    " -f,--force -g,--global --local -l,--long -m,--message= -L,--location= -C,--prefix=enter -w,--workspace="
    " -ws,--workspaces -iwr,--include-workspace-root -S,--save -B,--save-bundle -D,--save-dev -E,--save-exact"
    " -O,--save-optional -P,--save-prod --save-peer --save-prefix= --_auth= --access= --allow-same-version --also="
    " --audit --audit-level= --auth-type= --before= --enjoy-by= --bin-links --ca= --cache=write --cache-max="
    " --cache-min= --cafile=read --cert= --cidr= --color --commit-hooks --cpu= --depth= --description --dev --diff="
    " --diff-dst-prefix= --diff-ignore-all-space --diff-name-only --diff-no-prefix --diff-src-prefix= --diff-text"
    " --diff-unified= --dry-run --engine-strict --expect-result-count= --expect-results --expires= --fetch-retries="
    " --fetch-retry-factor= --fetch-retry-maxtimeout= --fetch-retry-mintimeout= --fetch-timeout="
    " --foreground-scripts --format-package-lock --fund --git-tag-version --global-style --heading= --https-proxy="
    " --if-present --ignore-scripts --include= --include-attestations --include-staged --init-author-email="
    " --init-author-name= --init-author-url= --init-license= --init-private --init-type= --init-version="
    " --install-links --install-strategy= --json --key= --legacy-bundling --legacy-peer-deps --libc= --link"
    " --local-address= --lockfile-version= --loglevel= --logs-max= --maxsockets= --min-release-age= --name="
    " --noproxy= --offline --omit= --omit-lockfile-registry-resolved --only= --optional --orgs= --os= --otp="
    " --pack-destination=write --package-lock --package-lock-only --packages= --password= --prefer-dedupe"
    " --prefer-offline --prefer-online --preid= --production --progress --provenance --provenance-file=read"
    " --proxy= --read-only --rebuild-bundle --reg,--registry= --replace-registry-host= --sbom-format= --sbom-type="
    " --scope= --scopes= --searchexclude= --searchlimit= --searchopts= --searchstaleness= --shrinkwrap"
    " --sign-git-commit --sign-git-tag --strict-peer-deps --strict-ssl --tag= --tag-version-prefix= --timing"
    " --umask= --unicode --update-notifier --user-agent= --which= --workspaces-update"
)
_NPM_RUNS = (
    "-c,--call= --git= --globalconfig= --userconfig= --init-module= --init.module= --node-gyp= --node-options="
    " --script-shell= --shell="
)
_NPM_SHOWS = "--browser= --editor= --viewer="
"""Programs that npm starts to show or edit something; scripts have options of these names, too."""

_PNPM = (
    "-h,--help -v,--version -y,--yes -s,--silent -C,--dir=enter -F,--filter= --filter-prod= -r,--recursive"
    " -w,--workspace-root -g,--global -D,--dev,--save-dev -P,--prod,--save-prod -O,--save-optional -E,--save-exact"
    " --save-peer --parallel --stream --aggregate-output --sort --reverse --sequential --if-present --json --long"
    " --depth= --dry-run --force --offline --prefer-offline --frozen-lockfile --lockfile-only --fix-lockfile"
    " --ignore-scripts --ignore-pnpmfile --ignore-workspace --ignore-workspace-root-check --include-workspace-root"
    " --workspace-concurrency= --resume-from= --test-pattern= --changed-files-ignore-pattern= --fail-if-no-match"
    " --lockfile-dir=enter --store-dir=write --state-dir=write --virtual-store-dir=write --modules-dir=write"
    " --registry= --loglevel= --reporter= --color[=] --use-stderr --network-concurrency= --fetch-timeout="
    " --https-proxy= --http-proxy= --no-proxy= --npmrc-auth-file=read --cpu= --os= --libc= --package="
    " --allow-build= --node-linker= --no-bail --bail --report-summary --shamefully-hoist --strict-peer-dependencies"
    " --workspace"
)
_PIP = (
    "-h,--help --debug --isolated --require-virtualenv -v,--verbose -V,--version -q,--quiet --no-input"
    " --keyring-provider= --proxy= --retries= --timeout= --exists-action= --trusted-host= --cert=read"
    " --client-cert=read --cache-dir=write --no-cache-dir --disable-pip-version-check --no-color"
    " --no-python-version-warning --use-feature= --use-deprecated= --resume-retries="
)
_PIP_INDEX = (
    "-i,--index-url,--pypi-url= --extra-index-url= --no-index -f,--find-links= --pre --platform= --python-version="
    " --implementation= --abi= --ignore-requires-python --no-binary= --only-binary= --json --uploaded-prior-to="
    " --all-releases= --only-final= --process-dependency-links"
)
_PIP_BUILD = (
    "-r,--requirement=read -c,--constraint=read -e,--editable=read --no-deps --dry-run --ignore-installed --user"
    " -U,--upgrade --upgrade-strategy= --force-reinstall -I --no-build-isolation --use-pep517 --no-use-pep517"
    " --check-build-dependencies --break-system-packages --compile --no-compile --no-warn-script-location"
    " --no-warn-conflicts --prefer-binary --require-hashes --progress-bar= --root-user-action= --no-clean"
    " --no-verify --group= --build-constraint=read --requirements-from-script=read"
)
_PIP_BUILD_RUNS = "-C,--config-settings,--config-setting= --global-option= --build-option= --install-option="
_PIP_BUILD_WRITES = "-t,--target=write --root=write --prefix=write --src,--source-directory=write --report=NOWHERE"

_UV = (
    "-h,--help -V,--version -q,--quiet -v,--verbose -n,--no-cache,--no-cache-dir --cache-dir=write --color="
    " --no-color --config-file=read --no-config --directory=enter --project=enter --offline --no-offline"
    " --no-progress --allow-insecure-host= --trusted-host= --system-certs --native-tls --preview"
    " --preview-features= --no-preview --managed-python --no-managed-python --no-python-downloads"
    " --python-preference= --python-fetch="
)
_UV_RESOLVE = (
    "--index= --default-index= -i,--index-url= --extra-index-url= -f,--find-links= --no-index --index-strategy="
    " --keyring-provider= -U,--upgrade -P,--upgrade-package= --upgrade-group= --resolution= --prerelease= --pre"
    " --prerelease-package= --fork-strategy= --exclude-newer= --exclude-newer-package= --no-sources"
    " --no-sources-package= --reinstall,--force-reinstall --reinstall-package= --link-mode="
    " --compile-bytecode,--compile --no-build-isolation --no-build-isolation-package= --no-build"
    " --no-build-package= --no-binary --no-binary-package= --only-binary= --require-build-hashes"
    " --no-require-build-hashes --refresh --refresh-package= --python-platform= --torch-backend= --extra="
    " --all-extras --no-extra= --dev --no-dev --only-dev --group= --no-group= --no-default-groups --only-group="
    " --all-groups --no-editable --no-editable-package= --inexact --exact --active --no-active --no-install-project"
    " --no-install-workspace --no-install-local --no-install-package= --locked --frozen --dry-run --check"
    " --check-exists --all-packages --package= --script= --output-format= --no-sync --isolated"
    " -b,--build-constraints,--build-constraint=read --overrides,--override=read --excludes=read --lfs"
)
_UV_RUNS = "-C,--config-setting,--config-settings= --config-settings-package= -p,--python=INTERPRETER"
_UV_WRITES = "--install-dir=write --mirror= --pypy-mirror="
_UV_REST = (
    f"{_UV_RESOLVE} -r,--requirements,--requirement=read -c,--constraints,--constraint=read -m,--marker="
    " --optional= --editable --raw --bounds= --rev= --tag= --branch= --workspace --no-workspace"
    " -o,--output-file,--out-dir=write --format= --prune= --no-annotate --no-header --emit-index-url"
    " --emit-find-links --no-hashes --no-emit-project --no-emit-workspace --no-emit-local"
    " --no-emit-package= --sdist --wheel --list --no-build-logs --force-pep517 --clear"
    " --no-create-gitignore --require-hashes --no-verify-hashes --all-versions --all-platforms"
    " --all-arches --only-downloads --only-installed --show-urls --show-version --resolve-links"
    " --system --no-project --default --force --bump= --short --rm --unset --name= --bare --virtual"
    " --no-package --app --lib --description= --no-description --vcs= --build-backend= --no-readme"
    " --author-from= --no-pin-python --pin-python --depth= --universal --outdated --invert --no-dedupe"
    " --show-sizes --show-version-specifiers --python-version= --publish-url= --check-url="
    " -u,--username= --password= -t,--token= --trusted-publishing= --no-attestations --direct --no-bin"
    " --bin --ci --diff --preview-fmt --size --human -H --scripts --paths"
)
_UV_WITH = (
    "-w,--with= --with-editable= --with-requirements=read --with-executables-from= --from= --env-file=read"
    " --no-env-file -c,--constraints,--constraint=read --no-project"
)

_APT = (
    "-h,--help -v,--version -d,--download-only -f,--fix-broken -m,--ignore-missing,--fix-missing --no-download"
    " -q --quiet[=] -s,--simulate,--just-print,--dry-run,--recon,--no-act -y,--yes,--assume-yes --assume-no"
    " --no-show-upgraded -u,--show-upgraded -V,--verbose-versions -a,--host-architecture= -P,--build-profiles="
    " -b,--compile,--build --ignore-hold --with-new-pkgs --without-new-pkgs --no-upgrade --only-upgrade"
    " --allow-downgrades --allow-remove-essential --allow-change-held-packages --force-yes --print-uris --purge"
    " --reinstall --list-cleanup --no-list-cleanup -t,--target-release,--default-release= --trivial-only"
    " --mark-auto --no-remove --auto-remove,--autoremove --no-auto-remove --only-source --diff-only --dsc-only"
    " --tar-only --arch-only --indep-only --allow-unauthenticated --no-allow-insecure-repositories"
    " --allow-insecure-repositories --allow-releaseinfo-change --show-progress --with-source=read --error-on= -e*"
    " --install-recommends --no-install-recommends --install-suggests --no-install-suggests --fix-policy"
    " --installed --upgradable --upgradeable --all-versions --names-only -n --full -i,--important --recurse"
    " --generate --no-all-versions --manual-installed -g --no-generate --show-auto --auto --manual -p= --pkg-cache="
    " --src-cache= --no-pre-depends --no-depends --no-suggests --no-conflicts --no-breaks --no-replaces"
    " --no-enhances --implicit --no-recommends --virtual-only"
)

_INSTALLS = "write delete network code system"
"""What changes the packages of a project or of this machine does; their scripts are started."""

PROGRAMS = (
    # npm knows every one of its options; another one is only handed on to scripts, so `open`
    Program(
        "npm",
        options=f"{_NPM} -p,--parseable,--porcelain --package=",
        writes="--logs-dir=write",
        runs=f"{_NPM_RUNS} {_NPM_SHOWS}",
        syntax="brief dashes no open shared",
        subcommands=(
            Program(
                "run",
                aliases="run-script rum urn test tst t start stop restart rb rebuild",
                options=_NPM_SHOWS,
                operands="data*",
                syntax="dashes no open",
                effects="code",
            ),
            Program(
                "config",
                aliases="c con conf confi",
                syntax="dashes no open shared",
                subcommands=(
                    Program("set", operands="data*", traits="opaque", effects="system"),
                    Program("edit", traits="opaque", effects="code system"),
                    Program("delete", aliases="rm del", operands="data*", traits="opaque", effects="system"),
                    *alike("get list/ls", "read", syntax="open"),
                ),
            ),
            Program("edit", aliases="ed edi", traits="opaque", effects="write code"),
            Program(
                "exec",
                aliases="x exe",
                options="-p,--package=",
                syntax="dashes no",
                starts=Starts(optional=True, loose=True),
                effects="network code",
            ),
            Program(
                "explore",
                aliases="explo explor",
                starts=Starts(operands=1, joined=True, optional=True, loose=True),
                traits="opaque",
                effects="code",
            ),
            Program("set", operands="data*", traits="opaque", effects="system"),
            *alike("ls/list/ll/la explain/why root prefix query sbom get", "read", syntax="open"),
            *alike("fund", "read", operands="", syntax="open"),
            *alike("outdated find-dupes", "read network", syntax="open"),
            *alike("view/info/show/v search/find/s/se ping whoami", "network", syntax="open"),
            Program(
                "audit",
                syntax="dashes no open shared",
                subcommands=(
                    *alike("fix", _INSTALLS, syntax="open"),
                    *alike("signatures", "read network", syntax="open"),
                ),
                effects="read network",
            ),
            *alike("doctor", "read network", syntax="open"),
            *alike("diff", "read network code", syntax="open"),
            *alike("pack", "read write network code", syntax="open"),
            *alike("publish", "read network publish code", syntax="open"),
            *alike(
                "unpublish deprecate undeprecate dist-tag/dist-tags owner/author access team org/ogr star unstar token "
                "profile",
                "network publish",
                syntax="open",
            ),
            *alike(
                "install/add/i/in/ins/inst/insta/instal/isnt/isnta/isntal/isntall update/up/upgrade/udpate/u "
                "ci/clean-install/ic/install-clean/isntall-clean uninstall/unlink/remove/rm/r/un dedupe/ddp prune "
                "link/ln install-test/it install-ci-test/cit/clean-install-test/sit",
                _INSTALLS,
                syntax="open",
            ),
            *alike("init/create/innit", "write network code", syntax="open"),
            *alike("version/verison", "write code", syntax="open"),
            *alike("shrinkwrap", "write", syntax="open"),
            *alike("login/adduser/add-user logout", "network system", operands="", syntax="open"),
            Program(
                "pkg",
                syntax="dashes no open shared",
                subcommands=(
                    *alike("get", "read", syntax="open"),
                    *alike("set delete fix", "write", syntax="open"),
                ),
            ),
            Program(
                "cache",
                syntax="dashes no open shared",
                subcommands=(
                    *alike("add", "write network", syntax="open"),
                    *alike("ls", "read", syntax="open"),
                    *alike("clean/clear/rm verify", "delete", syntax="open"),
                ),
            ),
            *alike("docs/home repo bugs/issues", "network code", syntax="open"),
        ),
        names_by=2,
        effects="none",
        can=(
            "deletes: uninstall; publishes: publish; installs: install, i, ci, update, add; code: run, test, start,"
            " exec, t; fetched: exec, create, init; reads: ls, view"
        ),
    ),
    Program(
        "npx",
        aliases="pnpx pnx",
        options=f"{_NPM} -p,--package= --parseable,--porcelain --no-install --ignore-existing --always-spawn --npm=",
        writes="--logs-dir=write",
        runs=f"{_NPM_RUNS} {_NPM_SHOWS} --shell-auto-fallback= --node-arg=",
        syntax="dashes ends no",
        starts=Starts(optional=True, loose=True),
        traits="wide",
        effects="network code",
        can="code; fetched",
    ),
    Program(
        "corepack",
        syntax="open",
        subcommands=(
            *alike("enable disable", "system"),
            *alike("prepare install", "network system"),
            *alike("use up", "write network code"),
        ),
        names_by=2,
        traits="obeys",
        can="fetched; installs: prepare, install, use, up",
    ),
    Program(
        "pnpm",
        aliases="pn",
        options=_PNPM,
        runs=(
            "--script-shell= --shell-mode --config --config.* --globalconfig= --userconfig= --pnpmfile=read"
            " --global-pnpmfile=read --node-options= --use-node-version= --git= --env-file=read"
        ),
        syntax="dashes no open shared",
        subcommands=(
            Program(
                "config",
                aliases="c",
                syntax="dashes no open shared",
                subcommands=(
                    Program("set", operands="data*", traits="opaque", effects="code system"),
                    Program("edit", traits="opaque", effects="code system"),
                    Program("delete", aliases="rm", operands="data*", traits="opaque", effects="code system"),
                ),
            ),
            Program("set", operands="data*", traits="opaque", effects="code system"),
            Program(
                "dlx",
                runs="-c,--shell-mode",
                syntax="dashes no",
                starts=Starts(optional=True, loose=True),
                effects="network code",
            ),
            Program("create", operands="data*", syntax="dashes no open", effects="write network code"),
            Program("exec", runs="-c,--shell-mode", syntax="dashes no", starts=Starts(loose=True), effects="code"),
            *alike("ls/list/la/ll why root bin outdated audit licenses", "read network code", syntax="open"),
            *alike(
                "install/i add update/up/upgrade remove/rm/uninstall/un dedupe prune link/ln unlink rebuild/rb import "
                "fetch",
                _INSTALLS,
                syntax="open",
            ),
            *alike("publish", "read network publish code", syntax="open"),
            *alike("run/run-script test/t/tst start", "code", syntax="open"),
        ),
        names_by=2,
        traits="obeys",
        effects="code",
        can="publishes: publish; installs: install, add, i; code: run, test, exec; fetched: dlx",
    ),
    Program(
        "yarn",
        aliases="yarnpkg",
        options="--cwd=enter --registry= --modules-folder=write --cache-folder=write --mutex= --network-timeout=",
        runs="--use-yarnrc=read --script-shell=",
        syntax="exact open shared",
        subcommands=(
            Program(
                "config",
                syntax="exact open shared",
                subcommands=(
                    Program("set", traits="opaque"),
                    Program("delete", traits="opaque"),
                    Program("unset", traits="opaque"),
                ),
            ),
            Program(
                "set", subcommands=(Program("version", traits="opaque"), Program("resolution", syntax="exact open"))
            ),
            Program("plugin", subcommands=(Program("import", traits="opaque"),)),
            Program(
                "dlx",
                options="-p,--package= -q,--quiet",
                syntax="exact",
                starts=Starts(optional=True, loose=True),
                effects="network code",
            ),
            Program("exec", starts=Starts(joined=True, loose=True), effects="code"),
            Program(
                "workspaces",
                subcommands=(
                    Program(
                        "foreach",
                        options=(
                            "-A,--all -R,--recursive -W,--worktree -p,--parallel -v,--verbose -i,--interlaced"
                            " -t,--topological --topological-dev -n,--dry-run -j,--jobs= --from= --include="
                            " --exclude= --since[=] --no-private"
                        ),
                        syntax="exact",
                        starts=Starts(own=True, loose=True),
                        effects="code",
                    ),
                ),
            ),
            *alike("add remove up upgrade link unlink", _INSTALLS, syntax="exact open"),
            *alike("install", _INSTALLS, operands="", syntax="exact open"),
            *alike("run test start", "code", syntax="exact open"),
            *alike("list info why", "read network code", syntax="exact open"),
            *alike("publish", "read network publish code", syntax="exact open"),
        ),
        names_by=2,
        traits="obeys wide",
        effects=_INSTALLS,
        can="publishes: publish; installs; code: run; fetched: dlx",
    ),
    Program(
        "bun",
        options="-r= -c= -e= -p= -d= -l= -u= -F= --cwd=enter --config=read --preload= --require= --env-file= --filter=",
        syntax="exact open shared",
        subcommands=(
            Program(
                "x",
                options="-p,--package= --bun --silent --verbose --no-install",
                syntax="exact",
                starts=Starts(optional=True, loose=True),
                effects="network code",
            ),
            Program("exec", starts=Starts(joined=True, loose=True), effects="code"),
            *alike("install/i add/a update remove/rm link unlink", _INSTALLS, syntax="exact open"),
            *alike("run test", "code", syntax="exact open"),
            *alike("publish", "read network publish code", syntax="exact open"),
        ),
        names_by=2,
        traits="wide",
        can="installs: install, add; code",
    ),
    Program(
        "bunx",
        options="-y -p,--package= --bun --silent --verbose --no-install --yes",
        syntax="exact ends",
        starts=Starts(optional=True, loose=True),
        effects="network code",
        can="code; fetched",
    ),
    Program(
        "lerna",
        subcommands=(
            Program(
                "exec",
                options=(
                    "--scope= --ignore= --since[=] --parallel --stream --no-bail --concurrency= --no-prefix "
                    "--no-private --no-sort --include-dependencies --include-dependents --profile --loglevel= "
                    "--reject-cycles"
                ),
                syntax="exact",
                starts=Starts(joined=True, loose=True),
                effects="code",
            ),
        ),
        names_by=2,
        traits="obeys",
        can="code: run, exec; publishes: publish; fetched: create",
    ),
    Program(
        "nvm",
        subcommands=(Program("exec", starts=Starts(operands=1, loose=True), effects="code"),),
        names_by=1,
        can="installs",
    ),
    Program(
        "fnm",
        subcommands=(Program("exec", options="--using=", syntax="exact", starts=Starts(loose=True), effects="none"),),
        names_by=1,
        can="installs: install",
    ),
    Program(
        "volta",
        subcommands=(
            Program(
                "run",
                options="--node= --npm= --pnpm= --yarn= --bundled-npm --no-npm --no-yarn --no-pnpm --env=",
                syntax="exact",
                starts=Starts(loose=True),
                effects="network",
            ),
        ),
        names_by=1,
        can="installs: install, fetch",
    ),
    Program(
        "pip",
        options=_PIP,
        writes="--log,--log-file,--local-log=write",
        runs="--python=INTERPRETER",
        syntax="shared",
        subcommands=(
            Program(
                "cache",
                options="--format=",
                syntax="shared",
                subcommands=(
                    *alike("dir info list", "read", options="--format="),
                    *alike("remove purge", "delete"),
                ),
            ),
            Program("check", effects="read"),
            Program("completion", options="-b,--bash -z,--zsh -f,--fish -p,--powershell", effects="none"),
            Program(
                "config",
                options="--global --user --site",
                runs="--editor=",
                syntax="shared",
                subcommands=(
                    Program("set", operands="data*", traits="opaque", effects="system"),
                    Program("edit", traits="opaque", effects="code system"),
                    Program("unset", operands="data*", traits="opaque", effects="system"),
                    *alike("list get debug", "read"),
                ),
            ),
            Program("debug", options=_PIP_INDEX, effects="read"),
            Program(
                "download",
                options=f"{_PIP_INDEX} {_PIP_BUILD} -d,--dest,--destination-dir,--destination-directory=write",
                writes=_PIP_BUILD_WRITES,
                runs=_PIP_BUILD_RUNS,
                operands="data*",
                effects="write network code",
            ),
            Program(
                "freeze",
                options="-r,--requirement=read -l,--local --user --path= --all --exclude-editable --exclude=",
                effects="read",
            ),
            Program("hash", options="-a,--algorithm=", operands="read*", effects="read"),
            Program("help", operands="data*", effects="none"),
            Program("index", options=_PIP_INDEX, operands="data*", effects="network"),
            Program("inspect", options="--local --user --path=", effects="read"),
            Program(
                "install",
                options=f"{_PIP_INDEX} {_PIP_BUILD}",
                writes=_PIP_BUILD_WRITES,
                runs=_PIP_BUILD_RUNS,
                operands="data*",
                effects=_INSTALLS,
            ),
            Program(
                "list",
                options=(
                    f"{_PIP_INDEX} -o,--outdated+network -u,--uptodate+network -e,--editable -l,--local --user --path="
                    " --format= --not-required --exclude-editable --include-editable --exclude="
                ),
                effects="read",
            ),
            Program(
                "lock",
                options=f"{_PIP_INDEX} {_PIP_BUILD} -o,--output=write",
                writes=_PIP_BUILD_WRITES,
                runs=_PIP_BUILD_RUNS,
                operands="data*",
                effects="write network code",
            ),
            Program("search", options="-i,--index=", operands="data*", effects="network"),
            Program("show", options="-f,--files", operands="data*", effects="read"),
            Program(
                "uninstall",
                options="-r,--requirement=read -y,--yes --root-user-action= --break-system-packages",
                operands="data*",
                effects="write delete system",
            ),
            Program(
                "wheel",
                options=f"{_PIP_INDEX} {_PIP_BUILD} -w,--wheel-dir=write",
                writes=_PIP_BUILD_WRITES,
                runs=_PIP_BUILD_RUNS,
                operands="data*",
                effects="write network code",
            ),
        ),
        names_by=1,
        traits="wide",
        effects="none",
        can="deletes: uninstall; installs: install; reads: list, show, freeze",
    ),
    Program(
        "pipenv",
        subcommands=(Program("run", starts=Starts(loose=True), effects="code"),),
        names_by=1,
        can="installs: install, sync, update, upgrade; deletes: uninstall, clean; code: run",
    ),
    Program(
        "pipx",
        subcommands=(
            Program(
                "run",
                options=(
                    "-h -q -v -i= --help --quiet --verbose --global --no-cache --path --pypackages --spec= --with="
                    " --python= --fetch-missing-python --fetch-python= --system-site-packages --index-url="
                    " --editable --pip-args= --backend="
                ),
                starts=Starts(optional=True, loose=True),
                effects="network code",
            ),
        ),
        names_by=1,
        traits="wide",
        can="deletes: uninstall, uninstall-all; installs; fetched: run",
    ),
    Program(
        "poetry",
        options="-C,--directory=enter -P,--project=enter",
        subcommands=(
            Program("run", starts=Starts(loose=True), effects="code"),
            Program("config", options="--list --migrate --local --unset", syntax="exact"),
            *alike("show env", "read code"),
            *alike("install add remove update sync", _INSTALLS),
            *alike("lock", "write network code"),
            *alike("publish", "network publish code"),
            *alike("build", "write network code"),
        ),
        names_by=2,
        traits="obeys",
        effects="code",
        can="publishes: publish; installs: install, add, update, sync, self; deletes: remove; code: run, build",
    ),
    Program(
        "pdm",
        subcommands=(
            Program(
                "run",
                options=(
                    "-h -v -q -s -l -p= -g --help --verbose --quiet --site-packages --list --json --recreate"
                    " --global --project= --venv= --no-isolation"
                ),
                starts=Starts(optional=True, loose=True),
                effects="code",
            ),
        ),
        names_by=2,
        traits="obeys",
        can="publishes: publish; installs: install, add, sync, update; deletes: remove; code: run, build",
    ),
    Program(
        "uv",
        options=_UV,
        runs="-p,--python=INTERPRETER",
        syntax="exact shared",
        subcommands=(
            Program(
                "run",
                options=(
                    f"{_UV_RESOLVE} {_UV_WITH} -m,--module -s --gui-script -p,--python= -C,--config-setting="
                    " --config-settings-package="
                ),
                syntax="exact",
                starts=Starts(optional=True, loose=True),
                effects="write network code system",
            ),
            Program(
                "tool",
                aliases="tools",
                syntax="exact shared",
                subcommands=(
                    Program(
                        "run",
                        options=(
                            f"{_UV_RESOLVE} {_UV_WITH} -p,--python= -C,--config-setting= --config-settings-package="
                        ),
                        syntax="exact",
                        starts=Starts(optional=True, loose=True),
                        effects="network code",
                    ),
                ),
                others=Program(
                    "",
                    options=(
                        f"{_UV_RESOLVE} {_UV_WITH} -e,--editable --force --all --bin --show-paths"
                        " --show-version-specifiers"
                    ),
                    runs=_UV_RUNS,
                    syntax="exact",
                ),
            ),
            Program(
                "pip",
                syntax="exact shared",
                others=Program(
                    "",
                    options=(
                        f"{_UV_RESOLVE} -r,--requirements,--requirement=read -e,--editable="
                        " -c,--constraints,--constraint=read --cert=read --no-deps --require-hashes"
                        " --no-verify-hashes --system --break-system-packages --no-break-system-packages"
                        " --python-version= --strict --user -o,--output-file=write --format= --no-strip-extras"
                        " --no-strip-markers --no-annotate --no-header --annotation-style="
                        " --custom-compile-command= --generate-hashes --universal --no-emit-package="
                        " --emit-index-url --emit-find-links --emit-build-options --emit-index-annotation"
                        " --outdated --exclude= --exclude-editable --path= --files --depth= --prune= --invert"
                        " --show-version-specifiers --no-dedupe -y,--yes --no-pip-args"
                    ),
                    writes="-t,--target=write --prefix=write --root=write",
                    runs=_UV_RUNS,
                    syntax="exact",
                ),
            ),
            Program(
                "venv",
                aliases="virtualenv v",
                options=(
                    f"{_UV_RESOLVE} -c,--clear --force --allow-existing --seed --prompt= --system-site-packages"
                    " --relocatable --no-project"
                ),
                runs=_UV_RUNS,
                operands="write",
                syntax="exact",
                traits="writes",
                effects="write delete network code",
            ),
            *alike("sync add remove/rm", _INSTALLS, options=_UV_REST, writes=_UV_WRITES, runs=_UV_RUNS, syntax="exact"),
            *alike(
                "lock tree export version build format",
                "read write network code",
                options=_UV_REST,
                writes=_UV_WRITES,
                runs=_UV_RUNS,
                syntax="exact",
            ),
            *alike("init", "write network code", options=_UV_REST, writes=_UV_WRITES, runs=_UV_RUNS, syntax="exact"),
            *alike(
                "publish",
                "read network publish code",
                options=_UV_REST,
                writes=_UV_WRITES,
                runs=_UV_RUNS,
                syntax="exact",
            ),
            Program(
                "cache",
                syntax="exact shared",
                subcommands=(
                    *alike("dir size", "read", options=_UV_REST, writes=_UV_WRITES, runs=_UV_RUNS, syntax="exact"),
                    *alike("clean prune", "delete", options=_UV_REST, writes=_UV_WRITES, runs=_UV_RUNS, syntax="exact"),
                ),
            ),
            Program(
                "self",
                syntax="exact shared",
                subcommands=(
                    *alike("version", "none", options=_UV_REST, writes=_UV_WRITES, runs=_UV_RUNS, syntax="exact"),
                    *alike(
                        "update", "network system", options=_UV_REST, writes=_UV_WRITES, runs=_UV_RUNS, syntax="exact"
                    ),
                ),
            ),
            Program(
                "python",
                syntax="exact shared",
                subcommands=(
                    *alike(
                        "list find",
                        "read network code",
                        options=_UV_REST,
                        writes=_UV_WRITES,
                        runs=_UV_RUNS,
                        syntax="exact",
                    ),
                    *alike("dir", "read", options=_UV_REST, writes=_UV_WRITES, runs=_UV_RUNS, syntax="exact"),
                    *alike(
                        "install upgrade uninstall",
                        "delete network system",
                        options=_UV_REST,
                        writes=_UV_WRITES,
                        runs=_UV_RUNS,
                        syntax="exact",
                    ),
                    *alike(
                        "pin", "write network code", options=_UV_REST, writes=_UV_WRITES, runs=_UV_RUNS, syntax="exact"
                    ),
                ),
            ),
        ),
        others=Program(
            "",
            options=_UV_REST,
            writes=_UV_WRITES,
            runs=_UV_RUNS,
            syntax="exact",
        ),
        names_by=2,
        effects="none",
        can="publishes: publish; installs: pip, add, sync, tool; code: run",
    ),
    Program(
        "uvx",
        options=f"{_UV} {_UV_RESOLVE} {_UV_WITH} -p,--python= -C,--config-setting= --config-settings-package=",
        syntax="exact ends",
        starts=Starts(optional=True, loose=True),
        traits="wide",
        effects="network code",
        can="code; fetched",
    ),
    Program(
        "rye",
        subcommands=(Program("run", starts=Starts(optional=True, loose=True), effects="network code"),),
        names_by=2,
    ),
    Program(
        "hatch",
        subcommands=(Program("run", starts=Starts(optional=True, loose=True), effects="network code"),),
        names_by=2,
    ),
    Program(
        "pixi",
        subcommands=(Program("run", starts=Starts(optional=True, loose=True), effects="network code"),),
        names_by=2,
    ),
    Program(
        "twine",
        subcommands=(
            *alike("upload", "read network publish"),
            *alike("check", "read", operands="read*", options="--strict"),
        ),
        names_by=1,
        can="publishes: upload; reads: check",
    ),
    Program(
        "conda",
        aliases="mamba micromamba",
        subcommands=(
            Program(
                "run",
                options=(
                    "-v -n= -p= -s --no-capture-output --live-stream --dev --debug-wrapper-scripts --name="
                    " --prefix= --cwd="
                ),
                starts=Starts(loose=True),
                effects="code",
            ),
        ),
        names_by=1,
        can="installs",
    ),
    Program(
        "gem",
        options="-h,--help -v,--version -V,--verbose --no-verbose -q,--quiet --silent --debug --backtrace --norc",
        runs="--config-file=read",
        syntax="brief open shared",
        subcommands=(
            Program("open", traits="opaque", effects="code"),
            Program("exec", starts=Starts(optional=True, loose=True), effects="network code"),
            Program(
                "install",
                aliases="i inst",
                writes="-i,--install-dir=write -n,--bindir=write --build-root=write",
                operands="data*",
                syntax="open",
                effects="write network code system",
            ),
            *alike(
                "list environment/env contents which dependency info specification stale",
                "read network code",
                syntax="open",
            ),
            *alike("search outdated", "network code", syntax="open"),
            *alike("push", "read network publish code", syntax="open"),
            *alike("yank", "network publish code", syntax="open"),
            *alike("update", _INSTALLS, syntax="open"),
            *alike("uninstall cleanup", "delete code system", syntax="open"),
        ),
        names_by=1,
        can="publishes: push; installs: install; deletes: uninstall, cleanup; fetched: exec",
    ),
    Program(
        "bundle",
        syntax="brief",
        aliases="bundler",
        subcommands=(
            Program("exec", options="--keep-file-descriptors --gemfile=", starts=Starts(loose=True), effects="code"),
            Program("config", syntax="open"),
            Program("open", traits="opaque", effects="code"),
            *alike("install update add remove lock", _INSTALLS),
            *alike("list show outdated info check", "read network code"),
        ),
        names_by=2,
        traits="obeys",
        effects=_INSTALLS,
        can="installs: install, update, add",
    ),
    Program(
        "composer",
        options="-d,--working-dir=enter",
        syntax="brief open shared",
        subcommands=(
            Program("exec", starts=Starts(optional=True, loose=True), effects="code"),
            Program("config", operands="data*", traits="opaque", effects="code system"),
            *alike("install update require remove", _INSTALLS, syntax="open"),
            *alike("show outdated validate", "read network code", syntax="open"),
        ),
        names_by=1,
        traits="obeys",
        can="installs",
    ),
    Program("luarocks", names_by=1, can="installs"),
    Program("cpan", can="installs"),
    Program("cpanm", can="installs"),
    Program(
        "opam", subcommands=(Program("exec", starts=Starts(loose=True), effects="code"),), names_by=1, can="installs"
    ),
    Program(
        "apt-get",
        options=_APT,
        runs="-o,--option=APT -c,--config-file=read",
        syntax="exact no shared",
        subcommands=(
            *alike(
                "install reinstall remove purge autoremove autopurge upgrade full-upgrade dist-upgrade dselect-upgrade "
                "satisfy build-dep",
                _INSTALLS,
            ),
            *alike("update", "network code system"),
            *alike("clean autoclean/auto-clean", "delete system"),
            *alike("download", "write network"),
            *alike("source", "write network code"),
            *alike("changelog", "network"),
            *alike("check", "read"),
            *alike("indextargets", "read"),
        ),
        names_by=1,
        effects="none",
        can="deletes: remove, purge, autoremove; installs; network: update",
    ),
    Program(
        "apt",
        options=_APT,
        runs="-o,--option=APT -c,--config-file=read",
        syntax="exact no shared",
        subcommands=(
            Program("edit-sources", traits="opaque"),
            *alike(
                "install reinstall remove purge autoremove autopurge upgrade full-upgrade dist-upgrade dselect-upgrade "
                "satisfy build-dep",
                _INSTALLS,
            ),
            *alike("update", "network code system"),
            *alike("clean autoclean/auto-clean", "delete system"),
            *alike("download", "write network"),
            *alike("source", "write network code"),
            *alike("changelog", "network"),
            *alike("list search show policy depends rdepends showsrc", "read"),
        ),
        names_by=1,
        effects="none",
        can="deletes: remove, purge, autoremove; installs; network: update; reads: list, show, search, policy",
    ),
    Program(
        "apt-cache",
        options=_APT,
        runs="-o,--option=APT -c,--config-file=read",
        operands="data*",
        syntax="exact no",
        effects="read",
        can="reads",
    ),
    Program(
        "aptitude",
        options="-q -y -d -s -f -V -D -t= -w= -F= -O=",
        runs="-o=APT",
        syntax="open",
        subcommands=(
            *alike("search show versions why why-not", "read network"),
            *alike("install remove purge upgrade safe-upgrade full-upgrade", _INSTALLS),
            *alike("update", "network system"),
        ),
        names_by=1,
        can="deletes: remove, purge; installs; network: update",
    ),
    Program(
        "apt-mark",
        options="-f,--file=write -h,--help -v,--version",
        runs="-o,--option=APT -c,--config-file=read",
        syntax="shared",
        subcommands=(
            *alike("showauto showmanual showinstall showremove showpurge showhold/showheld", "read"),
            *alike("auto manual minimize-manual hold unhold install remove/deinstall purge", "system"),
        ),
        effects="none",
        can="installs",
    ),
    Program(
        "add-apt-repository", aliases="apt-add-repository", operands="data*", effects="network system", can="installs"
    ),
    Program(
        "dpkg",
        options=(
            "-i,--install --unpack --configure -r,--remove -P,--purge -V,--verify!read --triggers-only "
            "-C,--audit!read -l,--list!read -s,--status!read -S,--search!read -L,--listfiles!read "
            "-p,--print-avail!read -a,--pending -R,--recursive -b,--build -c,--contents!read -I,--info!read "
            "-f,--field!read -x,--extract -X,--vextract -e,--control -W,--show!read -E,--skip-same-version "
            "-G,--refuse-downgrade -O,--selected-only -B,--auto-deconfigure --get-selections!read --set-selections "
            "--clear-selections --print-architecture!read --print-foreign-architectures!read --add-architecture "
            "--remove-architecture --compare-versions!read --yet-to-unpack!read --predep-package!read --clear-avail "
            "--update-avail --merge-avail -A,--record-avail --validate-pkgname!read --validate-version!read "
            "--validate-archname!read --assert-help!read --assert-support-predepends!read --force-help --force-* "
            "--no-force-* --refuse-* --abort-after= --ignore-depends= --no-act --dry-run --simulate --no-debsig "
            "--debug= -D* --no-pager --no-triggers --triggers --verify-format= --status-fd= --help -?,--version "
            "--licence --license --fsys-tarfile --showformat= --path-exclude= --path-include="
        ),
        writes="--admindir=write --root=write --instdir=write --log=write",
        runs="--pre-invoke= --post-invoke= --status-logger=",
        operands="data*",
        syntax="exact",
        effects="write delete code system",
        can="installs: -i, --install, -a, --configure, --unpack; deletes: -r, --remove, -P, --purge; reads",
    ),
    Program(
        "dpkg-query",
        options=(
            "-W,--show -l,--list -s,--status -L,--listfiles -S,--search -p,--print-avail -c,--control-path "
            "--control-list --control-show -f,--showformat= --admindir= --root= --load-avail --no-pager -?,--help "
            "--version"
        ),
        operands="data*",
        effects="read",
        can="reads",
    ),
    Program(
        "dpkg-deb",
        options=(
            "-b,--build -I,--info!read -W,--show!read -f,--field!read -c,--contents!read -x,--extract -X,--vextract "
            "-R,--raw-extract --ctrl-tarfile!read --fsys-tarfile!read -e,--control -?,--help --version --showformat= "
            "-z= -S= -Z= --uniform-compression --no-uniform-compression --threads-max= --root-owner-group "
            "--deb-format= --nocheck -v,--verbose -D,--debug"
        ),
        operands="data*",
        effects="read write",
        can="writes",
    ),
    Program(
        "dnf",
        aliases="yum microdnf",
        options=(
            "-4 -6 -b -C -d= -e= -h -q -R= -v -y -x= -c= --assumeno --assumeyes --best --nobest --cacheonly"
            " --config=read --debuglevel= --disableexcludes= --disable= --enable= --disablerepo= --enablerepo="
            " --repo,--repoid= --downloadonly --errorlevel= --exclude= --help --allowerasing --noautoremove"
            " --nodocs --nogpgcheck --obsoletes --quiet --randomwait= --refresh --releasever= --rpmverbosity="
            " --sec-severity= --security --bugfix --enhancement --newpackage --advisory= --cve= --bz="
            " --showduplicates --skip-broken --verbose --version --forcearch= --color= --comment= --installed"
            " --available --extras --updates --all --recent --autoremove --whatprovides= --whatrequires= --requires"
            " --provides --list --info --location --qf,--queryformat="
        ),
        writes="--installroot=write --downloaddir,--destdir=write",
        runs="--disableplugin= --enableplugin= --noplugins --repofrompath= --setopt=DNF",
        syntax="exact open shared",
        subcommands=(
            *alike("list info search repoquery provides repolist check-update deplist", "read network", syntax="exact"),
            *alike("makecache", "network system", syntax="exact"),
            *alike("download", "write network", syntax="exact"),
            *alike("clean", "delete system", syntax="exact"),
            *alike(
                "install/localinstall remove/erase update/upgrade downgrade reinstall autoremove distro-sync swap "
                "groupinstall group",
                _INSTALLS,
                syntax="exact",
            ),
        ),
        names_by=1,
        can="deletes: remove; installs",
    ),
    Program(
        "rpm",
        options=(
            "-q,--query!read -V,--verify!read -i,--install -U,--upgrade -F,--freshen -e,--erase -K,--checksig!read "
            "-a,--all -f,--file -p,--package+network -l,--list -c,--configfiles -d,--docfiles -L,--licensefiles "
            "-A,--artifactfiles -s,--state -R,--requires --info --changelog --changes --conflicts --dump --enhances "
            "--filesbypkg --filecaps --fileclass --filecolor --fileprovide --filerequire --filetriggers --last "
            "--obsoletes --provides --recommends --scripts --suggests --supplements -T,--triggers --triggeredby= "
            "--whatconflicts= --whatenhances= --whatobsoletes= --whatprovides= --whatrecommends= --whatrequires= "
            "--whatsuggests= --whatsupplements= -g,--group= --hdrid= --pkgid= --tid= --qf,--queryformat= --querytags "
            "--xml --import+system --initdb+system --rebuilddb+system --showrc --verifydb --nodeps --nofiles "
            "--nodigest --nosignature --noscripts --nopre --nopost --nopreun --nopostun --notriggers --force "
            "--oldpackage --replacefiles --replacepkgs --allfiles --allmatches --badreloc --excludedocs --includedocs "
            "--excludepath= --justdb --ignorearch --ignoreos --ignoresize --noorder --noplugins --percent --relocate= "
            "--reinstall --test -h,--hash -v,--verbose --quiet --version -?,--help --nomanifest --noglob --eval=RPM "
            "-E=RPM"
        ),
        writes="--root,-r=write --dbpath=write --prefix=write --restore --setugids --setperms",
        runs="--pipe= -D,--define= --undefine= --load=read --macros=read --rcfile=read",
        operands="data*",
        syntax="exact",
        effects=_INSTALLS,
        can="installs",
    ),
    Program(
        "zypper",
        options="-n,--non-interactive -q,--quiet -v,--verbose --no-color --no-refresh -x,--xmlout",
        syntax="exact",
        subcommands=(
            *alike("search/se info/if list-updates/lu packages/pa patterns/pt what-provides/wp", "read network"),
            *alike("repos/lr services/ls locks/ll", "read"),
            *alike("refresh/ref", "network system"),
            *alike("install/in remove/rm update/up dist-upgrade/dup patch source-install/si", _INSTALLS),
        ),
        names_by=1,
        can="installs; deletes: remove, rm",
    ),
    Program(
        "pacman",
        options=(
            "-b,--dbpath= -r,--root= --arch= --ignore= --ignoregroup= --overwrite= --assume-installed= --color= "
            "--print-format= -Q,--query!read -F,--files!read -T,--deptest!read -D,--database!system -cdegiklmnoqstuvw "
            "-S,--sync!write+delete+network+code+system -R,--remove!write+delete+network+code+system "
            "-U,--upgrade!write+delete+network+code+system -y,--refresh+network+system -p,--file+network "
            "-V,--version!none -h,--help!none --noconfirm --needed --changelog --deps --explicit --groups --info "
            "--check --list --foreign --native --owns --quiet --search --unrequired --upgrades"
        ),
        runs="--config=read --hookdir=read --sysroot= --gpgdir= --cachedir= --logfile=write",
        syntax="open",
        names_by=1,
        can="deletes: -R; installs",
    ),
    Program(
        "apk",
        options=(
            "-p,--root= -X,--repository= --keys-dir= --repositories-file= --arch= -t,--virtual= -q,--quiet "
            "-v,--verbose -f,--force --no-cache --no-progress --no-network -U,--update-cache+network+system "
            "-h,--help!none"
        ),
        syntax="shared",
        subcommands=(
            Program(
                "info",
                options=(
                    "-a,--all -d,--description -e,--installed -L,--contents -P,--provides -r,--rdepends -R,--depends "
                    "-s,--size -w,--webpage -W,--who-owns --license"
                ),
                operands="data*",
                effects="read",
            ),
            *alike("list search policy version stats", "read network"),
            *alike("update", "network system"),
            *alike("fetch", "write network"),
            *alike("add del upgrade fix", _INSTALLS),
        ),
        names_by=1,
        can="installs; deletes: del",
    ),
    Program(
        "brew",
        subcommands=(
            Program("edit", traits="opaque", effects="code"),
            Program("sh", traits="opaque", effects="code"),
            Program("ruby", traits="opaque", effects="code"),
            Program("irb", traits="opaque", effects="code"),
            *alike(
                "install upgrade reinstall uninstall/remove/rm tap untap cleanup autoremove bundle link unlink pin "
                "unpin",
                _INSTALLS,
            ),
            *alike("update", "network code system"),
        ),
        names_by=1,
        can=(
            "deletes: uninstall, remove, rm, cleanup; installs: install, upgrade, reinstall, bundle, tap; reads:"
            " list, info, search"
        ),
    ),
    Program("port", names_by=1, can="installs"),
    Program(
        "snap",
        subcommands=(Program("run", options="--shell", starts=Starts(optional=True, loose=True), effects="code"),),
        names_by=1,
        can="installs; deletes: remove",
    ),
    Program(
        "nix",
        subcommands=(
            Program(
                "develop",
                options="-c=TEXT --command=TEXT",
                starts=Starts(operands=9, optional=True, loose=True),
                effects="write network code",
            ),
            Program(
                "shell",
                options="-c=TEXT --command=TEXT",
                starts=Starts(operands=9, optional=True, loose=True),
                effects="write network code",
            ),
        ),
        names_by=1,
        traits="wide",
        can="installs",
    ),
    Program("nix-env", can="installs"),
    Program(
        "nix-shell",
        options="-Q -p= -I= -A= --pure --packages= --run=TEXT --command=TEXT",
        starts=Starts(operands=9, optional=True, loose=True),
        effects="write network code",
    ),
    Program(
        "asdf", subcommands=(Program("exec", starts=Starts(loose=True), effects="code"),), names_by=1, can="installs"
    ),
    Program(
        "mise",
        aliases="rtx",
        subcommands=(
            Program(
                "exec",
                aliases="x",
                options="-c=TEXT --command=TEXT -C=enter --cd=enter -E= --env= -j= --jobs= --raw -q -v -y",
                syntax="exact",
                starts=Starts(optional=True, loose=True),
                effects="network code",
            ),
        ),
        names_by=1,
        can="installs",
    ),
    Program(
        "rustup",
        subcommands=(
            Program(
                "run",
                options="--install",
                syntax="exact",
                starts=Starts(operands=1, loose=True),
                effects="network code",
            ),
            Program(
                "toolchain",
                subcommands=(
                    *alike("list", "read", options="-v,--verbose -q,--quiet"),
                    *alike("install/add uninstall/remove link", "network system"),
                ),
            ),
            *(
                Program(
                    name,
                    subcommands=(
                        *alike("list", "read network system", options="--toolchain= --installed -q,--quiet"),
                        *alike("add remove", "network system"),
                    ),
                )
                for name in ("target", "component")
            ),
            *alike("update/upgrade default", "network system"),
            *alike("which", "read network system", options="--toolchain="),
            # it starts the toolchain's rustc
            *alike("show", "read network code system", operands="", options="-v,--verbose"),
        ),
        names_by=1,
        traits="obeys",
        effects="none",
        can="installs",
    ),
    Program(
        "rbenv",
        subcommands=(Program("exec", starts=Starts(loose=True), effects="code"),),
        names_by=1,
        can="installs: install",
    ),
    Program(
        "pyenv",
        subcommands=(Program("exec", starts=Starts(loose=True), effects="code"),),
        names_by=1,
        can="installs: install",
    ),
    Program(
        "devbox",
        subcommands=(Program("run", starts=Starts(joined=True, optional=True, loose=True), effects="network code"),),
        names_by=1,
    ),
)
