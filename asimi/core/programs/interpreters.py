"""Programs that run code in a language of their own.

Sources: the manuals of CPython 3.11, Node.js 20, Perl 5.36, Ruby 3.1, PHP 8, OpenJDK 17, Deno 2 and Bun 1. What they
are given to run is what they are for, so no option of theirs is a question.
"""

from __future__ import annotations

from asimi.core.programs.program import Program

PROGRAMS = (
    Program(
        "python",
        aliases="python2 python3 pypy pypy3",
        options=(
            "-c=PYTHON -m= -Q= -W= -X= --check-hash-based-pycs= -bBdEiIOPqsSuvx -V,--version -h,-?,--help "
            "--help-env --help-xoptions --help-all"
        ),
        operands="read|-c|-m data*",
        syntax="ends",
        traits="code wide",
        effects="code",
        can="code",
    ),
    Program(
        "ipython",
        options="-c= -m= --profile=",
        operands="read|-c|-m data*",
        syntax="ends",
        traits="wide",
        effects="code",
        can="code",
    ),
    Program(
        "node",
        aliases="nodejs",
        options=(
            "-C,--conditions= -e,--eval=JAVASCRIPT -p,--print=JAVASCRIPT -pe,--print-eval=JAVASCRIPT "
            "-r,--require=+code --import=+code "
            "--loader,--experimental-loader=+code --env-file=+code --input-type= --title= --icu-data-dir= "
            "--openssl-config=+code --test-name-pattern= --test-reporter=+code --test-reporter-destination= "
            "--watch-path= --trace-event-categories= -c,--check!read -h,--help!none -i,--interactive "
            "-v,--version!none --enable-source-maps --expose-gc --inspect[=] --inspect-brk[=] --no-warnings "
            "--test+code --test-only --trace-deprecation --trace-uncaught --trace-warnings --watch"
        ),
        operands="read|-e|-p|-pe data*",
        syntax="exact ends",
        traits="code interprets wide",
        effects="code",
        can="code",
    ),
    Program(
        "deno",
        names_by=1,
        traits="wide",
        can="code; fetched: run http*; installs: install, add; reads: lint, check",
    ),
    Program(
        "tsx", aliases="ts-node ts-node-esm", operands="read data*", traits="obeys wide", effects="code", can="code"
    ),
    Program(
        "perl",
        options=(
            "-e=PERL -E=PERL -I= -x[=] -i[=]>write -m* -M* -C[=] -D[=] -F[=] -l[=] -0[=] -acdfhnpsStTuUwWX -v!none -V"
        ),
        operands="read|-e|-E data*",
        syntax="exact ends",
        traits="code interprets wide",
        effects="code",
        can="code; writes: -i",
    ),
    Program(
        "ruby",
        options=(
            "-e=RUBY -r=+code -I=+code -C=enter -E= -F[=] -K[=] -T[=] -W[=] -x[=] -i[=]>write -0[=] --encoding= "
            "--external-encoding= --internal-encoding= -adhlnpsSvw -c!read --copyright!none --debug --jit --verbose "
            "--version!none --yjit"
        ),
        operands="read|-e data*",
        syntax="exact ends",
        traits="code interprets wide",
        effects="code",
        can="code; writes: -i",
    ),
    Program("irb", operands="read data*", traits="interprets wide", effects="code", can="code"),
    Program(
        "php",
        options="-d=+code -f=read -l!read -n -r=PHP -v!none",
        operands="read|-f|-r data*",
        syntax="ends",
        traits="code interprets wide",
        effects="code",
        can="code",
    ),
    Program("lua", aliases="luajit", operands="read data*", traits="interprets wide", effects="code", can="code"),
    Program("tclsh", operands="read data*", traits="interprets wide", effects="code", can="code"),
    Program("Rscript", operands="read data*", effects="code", can="code"),
    Program("julia", operands="read data*", traits="wide", effects="code", can="code"),
    Program(
        "java",
        options="-jar -version!none -cp,-classpath= -D*+code -X*+code",
        operands="data*",
        syntax="ends words",
        effects="code",
        can="code",
    ),
    Program("scala", operands="read data*", effects="code", can="code"),
    Program("groovy", operands="read data*", effects="code", can="code"),
    Program("elixir", aliases="iex", operands="read data*", traits="wide", effects="code", can="code"),
    Program("osascript", operands="read data*", traits="interprets wide", effects="code", can="code"),
    Program("swift", names_by=1, traits="obeys", can="code"),
)
