"""Package managers of systems and of languages."""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts

PROGRAMS = (
    Program(
        "npm",
        options="-C= -w= --cache= --loglevel= --prefix= --registry= --workspace=",
        runs="--script-shell= --node-options= --globalconfig= --userconfig= --shell --git=",
        syntax="exact open shared",
        subcommands=(
            Program(
                "c",
                subcommands=(
                    Program("set", traits="opaque"),
                    Program("edit", traits="opaque"),
                    Program("delete", traits="opaque"),
                ),
            ),
            Program(
                "config",
                subcommands=(
                    Program("set", traits="opaque"),
                    Program("edit", traits="opaque"),
                    Program("delete", traits="opaque"),
                ),
            ),
            Program(
                "exec",
                options="-y -p= --yes --no --package=",
                runs="-c --call=",
                syntax="exact",
                starts=Starts(optional=True, loose=True),
            ),
            Program("explore", starts=Starts(operands=1, joined=True, optional=True, loose=True), traits="opaque"),
            Program("set", traits="opaque"),
            Program(
                "x",
                options="-y -q -p= -w= --yes --quiet --silent --package= --from= --with= --spec=",
                runs="-c --call=",
                syntax="exact",
                starts=Starts(optional=True, loose=True),
            ),
        ),
        names_by=2,
        can=(
            "deletes: uninstall; publishes: publish; installs: install, i, ci, update, add; code: run, test, "
            "start, exec, t; fetched: exec, create, init; reads: ls, view"
        ),
    ),
    Program(
        "pnpm",
        options="-C= -F= -w= --dir= --filter= --workspace-root=",
        runs="--script-shell= --shell-mode= --config=",
        syntax="exact open shared",
        subcommands=(
            Program(
                "dlx",
                options=("-y -q -p= -w= --yes --quiet --silent --package= --from= --with= --spec= -c=TEXT --call=TEXT"),
                starts=Starts(optional=True, loose=True),
            ),
            Program("exec", options="-r -c --recursive --parallel --filter=", starts=Starts(loose=True)),
        ),
        names_by=2,
        can="publishes: publish; installs: install, add, i; code: run, test, exec; fetched: dlx",
    ),
    Program(
        "yarn",
        options="--cwd=",
        subcommands=(
            Program("config", subcommands=(Program("set", traits="opaque"),)),
            Program(
                "dlx",
                options=("-y -q -p= -w= --yes --quiet --silent --package= --from= --with= --spec= -c=TEXT --call=TEXT"),
                starts=Starts(optional=True, loose=True),
            ),
            Program("exec", starts=Starts(joined=True, loose=True)),
        ),
        names_by=2,
        traits="wide",
        can="publishes: publish; installs; code: run; fetched: dlx",
    ),
    Program(
        "pip",
        aliases="pip3",
        options="--cache-dir= --cert= --proxy= --retries= --timeout=",
        writes="--log=",
        runs=(
            "--python= --target= --prefix= --root= --global-option= --build-option= --config-settings= --use-pep517="
        ),
        syntax="exact open shared",
        subcommands=(
            Program(
                "config",
                subcommands=(
                    Program("set", traits="opaque"),
                    Program("edit", traits="opaque"),
                    Program("unset", traits="opaque"),
                ),
            ),
        ),
        names_by=1,
        traits="wide",
        can="deletes: uninstall; installs: install; reads: list, show, freeze",
    ),
    Program("pipenv", subcommands=(Program("run", starts=Starts(loose=True)),), can="code: run"),
    Program(
        "poetry",
        options="-C= -P= --directory= --project=",
        subcommands=(Program("run", starts=Starts(loose=True)),),
        names_by=2,
        can="publishes: publish; installs: install, add; code: run",
    ),
    Program("pdm", subcommands=(Program("run", starts=Starts(optional=True, loose=True)),)),
    Program(
        "uv",
        options="-p= --cache-dir= --color= --config-file= --directory= --project= --python=",
        subcommands=(
            Program(
                "run",
                options=(
                    "-q -v -n -m -p= -w= -C= --quiet --verbose --no-sync --frozen --locked --isolated "
                    "--no-project --all-extras --no-dev --active --offline --exact --python= --with= --extra= "
                    "--group= --package= --project= --directory= --env-file= --index-url= --index= "
                    "--with-requirements= --with-editable= --cache-dir="
                ),
                starts=Starts(optional=True, loose=True),
            ),
            Program(
                "tool",
                subcommands=(
                    Program(
                        "run",
                        options=(
                            "-y -q -p= -w= --yes --quiet --silent --package= --from= --with= --spec= -c=TEXT "
                            "--call=TEXT"
                        ),
                        starts=Starts(optional=True, loose=True),
                    ),
                ),
            ),
        ),
        names_by=2,
        can="publishes: publish; installs: pip, add, sync, tool; code: run",
    ),
    Program("rye", subcommands=(Program("run", starts=Starts(optional=True, loose=True)),)),
    Program("hatch", subcommands=(Program("run", starts=Starts(optional=True, loose=True)),)),
    Program("pixi", subcommands=(Program("run", starts=Starts(optional=True, loose=True)),)),
    Program(
        "conda",
        aliases="mamba",
        subcommands=(
            Program(
                "run",
                options="-v -n= -p= --no-capture-output --live-stream --name= --prefix= --cwd=",
                starts=Starts(loose=True),
            ),
        ),
        names_by=1,
        can="installs",
    ),
    Program("gem", can="publishes: push; installs: install"),
    Program(
        "bundle",
        subcommands=(Program("exec", options="--keep-file-descriptors", starts=Starts(loose=True)),),
        names_by=2,
        can="installs: install",
    ),
    Program("composer", options="-d= --working-dir=", names_by=1, can="installs"),
    Program("luarocks", can="installs"),
    Program("cpan", can="installs"),
    Program("cpanm", can="installs"),
    Program(
        "apt",
        options="-t= --target-release=",
        runs="-o= -c --option= --config-file=",
        syntax="open",
        names_by=1,
        can="deletes: remove, purge; installs; network: update",
    ),
    Program(
        "apt-get",
        options="-t= --target-release=",
        runs="-o= -c --option= --config-file=",
        syntax="open",
        names_by=1,
        can="deletes: remove, purge, autoremove; installs; network: update",
    ),
    Program(
        "dpkg", runs="--pre-invoke= --post-invoke= --admindir= --root= --instdir=", syntax="exact open", can="installs"
    ),
    Program(
        "dnf",
        aliases="yum",
        options="-c= -x= --config= --disablerepo= --enablerepo= --exclude= --setopt=",
        names_by=1,
        can="deletes: remove; installs",
    ),
    Program("rpm", runs="-E= --eval= --pipe= --define= --load= --root=", syntax="open", can="installs"),
    Program("zypper", can="installs"),
    Program("pacman", options="-b= -r= --arch= --config= --dbpath= --root=", names_by=1, can="installs"),
    Program("apk", can="installs"),
    Program("brew", names_by=1, can="deletes: uninstall; installs"),
    Program("port", can="installs"),
    Program("snap", can="installs"),
    Program(
        "nix",
        subcommands=(
            Program("develop", starts=Starts(optional=True, loose=True)),
            Program("shell", options="-c=TEXT --command=TEXT", starts=Starts(operands=9, optional=True, loose=True)),
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
    ),
    Program("asdf", subcommands=(Program("exec", starts=Starts(loose=True)),), can="installs"),
    Program(
        "mise",
        subcommands=(
            Program("exec", options="-c=TEXT --command=TEXT", starts=Starts(optional=True, loose=True)),
            Program("x", options="-c=TEXT --command=TEXT", starts=Starts(optional=True, loose=True)),
        ),
        can="installs",
    ),
    Program(
        "rustup",
        subcommands=(Program("run", options="--install", starts=Starts(operands=1, loose=True)),),
        names_by=1,
        can="installs",
    ),
    Program("nvm", can="installs"),
    Program("rbenv", subcommands=(Program("exec", starts=Starts(loose=True)),)),
    Program("pyenv", subcommands=(Program("exec", starts=Starts(loose=True)),)),
    Program("devbox", subcommands=(Program("run", starts=Starts(joined=True, optional=True, loose=True)),)),
    Program("twine", can="publishes: upload"),
)
