"""Programs that run code in a language of their own, and those that run packages of that language."""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts

PROGRAMS = (
    Program("python", aliases="python2 python3", traits="wide", can="code"),
    Program("node", aliases="nodejs", options="-C= -I= -e= -p= -r=", traits="interprets wide", can="code"),
    Program("deno", names_by=1, traits="wide", can="code; fetched: run http*"),
    Program(
        "bun",
        subcommands=(Program("x", options="--bun", starts=Starts(loose=True)),),
        names_by=2,
        traits="wide",
        can="installs: install, add; code",
    ),
    Program("perl", traits="interprets wide", can="code; writes: -i"),
    Program("ruby", traits="interprets wide", can="code"),
    Program("php", traits="interprets wide", can="code"),
    Program("lua", traits="interprets wide", can="code"),
    Program("tclsh", traits="interprets wide"),
    Program("Rscript", can="code"),
    Program("julia", can="code"),
    Program("java", can="code"),
    Program("scala", can="code"),
    Program("groovy", can="code"),
    Program("osascript", traits="interprets wide", can="code"),
    Program("swift", can="code"),
    Program(
        "npx",
        aliases="pnpx",
        options=(
            "-y -q -p= -w= --yes --no --no-install --quiet --prefer-offline --ignore-existing --package= --workspace="
        ),
        runs="-c --call= --shell",
        syntax="ends",
        starts=Starts(optional=True, loose=True),
        traits="wide",
        can="code; fetched",
    ),
    Program("bunx", options="-y --bun --package=", starts=Starts(optional=True, loose=True), can="code; fetched"),
    Program(
        "uvx",
        options="-q -v -p= --isolated --offline --from= --with= --python=",
        starts=Starts(optional=True, loose=True),
        traits="wide",
        can="code; fetched",
    ),
    Program(
        "pipx",
        subcommands=(
            Program(
                "run",
                options=("-y -q -p= -w= --yes --quiet --silent --package= --from= --with= --spec= -c=TEXT --call=TEXT"),
                starts=Starts(optional=True, loose=True),
            ),
        ),
        traits="wide",
        can="installs; fetched: run",
    ),
    Program("tsx", aliases="ts-node", can="code"),
)
