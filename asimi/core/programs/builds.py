"""Programs that compile, build, test and check."""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts

PROGRAMS = (
    Program(
        "make",
        aliases="gmake",
        options="-f= -j= -l= -o= --directory= --file= --jobs= --makefile= --include-dir=",
        runs="-E= --eval=",
        operands="MAKE*",
        syntax="open",
        names_by=1,
        traits="embeds wide",
        can="deletes: clean, distclean; code",
    ),
    Program("cmake", can="code: --build; writes"),
    Program("ninja", can="code"),
    Program("just", options="-d= -f= --justfile= --set= --shell= --working-directory=", names_by=1, can="code"),
    Program("task", names_by=1, can="code"),
    Program("rake", can="code"),
    Program("ant", can="code"),
    Program("mvn", options="-P= -T= -f= -g= -l= -s= -t= --file= --log-file=", names_by=1, can="code"),
    Program(
        "gradle",
        aliases="gradlew",
        options="-I= -b= -c= -g= -p= --build-file= --init-script= --project-dir=",
        names_by=1,
        can="code",
    ),
    Program("sbt", can="code"),
    Program(
        "gcc",
        aliases="c++ cc clang clang++ cpp g++ gfortran",
        runs="-wrapper= -fplugin= -specs= -Xlinker= -B*",
        operands="LISTED*",
        syntax="words open",
        can="code: -o; writes",
    ),
    Program(
        "rustc",
        options="-l= --crate-name= --crate-type= --edition= --target=",
        runs="-C= -o= --codegen= --out-dir= --emit=",
        syntax="open",
        can="writes",
    ),
    Program("javac", can="writes"),
    Program("tsc", can="writes"),
    Program(
        "go",
        options="-run= -tags= -timeout= -count= -bench= -coverprofile= -mod= -C=",
        runs="-exec= -toolexec= -vettool= -overlay= -ldflags= -gcflags= -o=",
        syntax="words open shared",
        subcommands=(Program("env", runs="-w -u", syntax="words open"),),
        names_by=1,
        can=(
            "installs: install, get; code: run, test, generate, build; fetched: run *@*; network: mod; writes: "
            "build; reads: vet"
        ),
    ),
    Program("gofmt", can="writes: -w"),
    Program(
        "cargo",
        options="-C= -Z= --color= --manifest-path=",
        runs="--config=",
        syntax="exact open shared",
        subcommands=(
            Program("install", runs="--config= --root=", syntax="exact open"),
            Program(
                "watch",
                options="-c -q -w= -i= -d= -s=TEXT -x=TEXT --exec=TEXT --shell=TEXT",
                starts=Starts(optional=True, loose=True),
            ),
        ),
        names_by=1,
        can=(
            "deletes: clean; publishes: publish; installs: install; code: run, test, build; network: fetch; "
            "writes: fmt, build; reads: check"
        ),
    ),
    Program("rustfmt", can="writes"),
    Program("dotnet", subcommands=(Program("exec", starts=Starts(optional=True, loose=True)),), names_by=1, can="code"),
    Program("protoc", options="-I= --proto_path=", runs="--plugin=", operands="LISTED*", can="writes"),
    Program("ctags", runs="-f=NOWHERE -o=NOWHERE", syntax="open"),
    Program("nm", runs="--plugin=", operands="LISTED*", syntax="open"),
    Program("objdump", operands="LISTED*"),
    Program("pytest", can="code"),
    Program("tox", names_by=1, can="code"),
    Program("nox", can="code"),
    Program("jest", can="code"),
    Program("vitest", can="code"),
    Program("mocha", can="code"),
    Program("ruff", can="writes: format, --fix; reads"),
    Program("black", can="writes"),
    Program("isort", can="writes"),
    Program("mypy", can="reads"),
    Program("eslint", can="writes: --fix"),
    Program("prettier", can="writes: --write"),
    Program("shellcheck", can="reads"),
)
