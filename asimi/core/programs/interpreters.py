"""Programs that run code in a language of their own: CPython 3.11, Node.js 20, Perl 5.36, Ruby 3.1, Deno 2, Bun 1.

What they are given to run is what they are for, so no option of theirs is a question.
"""

from __future__ import annotations

from asimi.core.programs.program import Program

PROGRAMS = (
    Program(
        "python",
        aliases="python2 python3 pypy pypy3",
        options="-c= -m= -Q= -W= -X= --check-hash-based-pycs=",
        operands="read|-c|-m",
        syntax="ends",
        traits="code wide",
        can="code",
    ),
    Program("ipython", options="-c= -m= --profile=", operands="read|-c|-m", syntax="ends", traits="wide", can="code"),
    Program(
        "node",
        aliases="nodejs",
        options=(
            "-C,--conditions= -e,--eval= -p,--print= -pe,--print-eval= -r,--require= --import="
            " --loader,--experimental-loader= --env-file= --input-type= --title= --icu-data-dir= --openssl-config="
            " --test-name-pattern= --test-reporter= --test-reporter-destination= --watch-path="
            " --trace-event-categories="
        ),
        operands="read|-e|-p|-pe",
        syntax="exact ends",
        traits="code interprets wide",
        can="code",
    ),
    Program(
        "deno", names_by=1, traits="wide", can="code; fetched: run http*; installs: install, add; reads: lint, check"
    ),
    Program("tsx", aliases="ts-node ts-node-esm", traits="wide", can="code"),
    Program(
        "perl",
        options="-e= -E= -I= -x[=] -i[=] -m* -M* -C[=] -D[=] -F[=] -l[=] -0[=]",
        operands="read|-e|-E",
        syntax="exact ends",
        traits="code interprets wide",
        can="code; writes: -i",
    ),
    Program(
        "ruby",
        options=(
            "-e= -r= -I= -C=enter -E= -F[=] -K[=] -T[=] -W[=] -x[=] -i[=] -0[=] --encoding= --external-encoding="
            " --internal-encoding="
        ),
        operands="read|-e",
        syntax="exact ends",
        traits="code interprets wide",
        can="code; writes: -i",
    ),
    Program("irb", traits="interprets wide", can="code"),
    Program("php", traits="code interprets wide", can="code"),
    Program("lua", aliases="luajit", traits="interprets wide", can="code"),
    Program("tclsh", traits="interprets wide", can="code"),
    Program("Rscript", can="code"),
    Program("julia", traits="wide", can="code"),
    Program("java", can="code"),
    Program("scala", can="code"),
    Program("groovy", can="code"),
    Program("elixir", aliases="iex", traits="wide", can="code"),
    Program("osascript", traits="interprets wide", can="code"),
    Program("swift", names_by=1, can="code"),
)
