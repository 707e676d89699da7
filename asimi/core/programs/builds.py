"""Programs that compile and build.

From the programs' own help and manuals: GNU make 4.3, CMake 3.25, Ninja 1.11, GCC 12.2 (and clang 14), binutils 2.40,
Go 1.19, Cargo and rustc 1.95, rake 13, tsc 5.9 and 7. Not checked against the programs: just 1, Maven 3.9 and Gradle 8.

All of cargo and rustc is `code`: rust-toolchain.toml may name a directory of the project as the toolchain.
"""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts, alike

_CARGO = (
    "-v,--verbose -q,--quiet -h,--help -V,--version --color= -Z= -C=enter --list --explain= --locked --offline"
    " --frozen --manifest-path=read --lockfile-path=read +*"
)
_CARGO_BUILD = (
    "-p,--package= --workspace --all --exclude= --lib --bins --bin= --examples --example= --tests --test= --benches"
    " --bench= --all-targets --doc -F,--features= --all-features --no-default-features -r,--release --profile="
    " -j,--jobs= --keep-going --target=read --target-dir=write --artifact-dir,--out-dir=write --unit-graph --build-plan"
    " --timings[=] --message-format= --ignore-rust-version --future-incompat-report --no-run --no-fail-fast --debug"
    " --no-deps --open --document-private-items --fix+write --allow-dirty --allow-staged --allow-no-vcs --broken-code"
    " --edition --edition-idioms -n,--dry-run --compile-time-deps"
)
_GO_BUILD = (
    "-C=enter -a -n -p= -race -msan -asan -cover -covermode= -coverpkg= -v -work -x -buildmode= -buildvcs[=]"
    " -compiler= -gccgoflags=GOFLAGS -installsuffix= -ldflags=GOFLAGS -gcflags=GOFLAGS -asmflags=GOFLAGS"
    " -linkshared -mod= -modcacherw -modfile=read -pgo=read -pkgdir=read -tags= -trimpath -json[=]"
)
_GO_GET = f"{_GO_BUILD} -o=write -t -u[=] -d -tool"
_GO_RUNS = "-exec= -toolexec= -overlay= -vettool="
_MAVEN = (
    "-am -amd -B -b= -C -c -cpu -e -ep= -emp= -F -fae -ff -fn -h -llr -N -nsu -ntp -o -npr -npu -P= -pl= -q -rf="
    " -T= -U -up -V -v -X -it --also-make --also-make-dependents --batch-mode --builder= --strict-checksums"
    " --lax-checksums --errors --fail-at-end --fail-fast --fail-never --help --non-recursive --no-snapshot-updates"
    " --no-transfer-progress --offline --activate-profiles= --projects= --quiet --resume-from= --threads="
    " --update-snapshots --show-version --version --debug --color= -s=read -gs=read --settings=read"
    " --global-settings=read -D* -f=PROJECTFILE --file=PROJECTFILE"
)

PROGRAMS = (
    Program(
        "make",
        aliases="gmake",
        options=(
            "-b -m -B,--always-make -C,--directory=enter -d --debug[=] -e,--environment-overrides -h,--help"
            " -f,--file,--makefile=PROJECTFILE -i,--ignore-errors -I,--include-dir=PROJECTFILE -j,--jobs[=]"
            " -k,--keep-going -l,--load-average,--max-load[=] -L,--check-symlink-times"
            " -n,--just-print,--dry-run,--recon -o,--old-file,--assume-old= -O,--output-sync[=]"
            " -p,--print-data-base -q,--question -r,--no-builtin-rules -R,--no-builtin-variables"
            " -s,--silent,--quiet --no-silent -S,--no-keep-going,--stop -t,--touch --trace -v,--version"
            " -w,--print-directory --no-print-directory -W,--what-if,--new-file,--assume-new="
            " --warn-undefined-variables --shuffle[=]"
        ),
        runs="-E,--eval=",
        operands="MAKE*",
        names_by=1,
        traits="embeds wide",
        effects="code",
        can="deletes: clean, distclean; code",
    ),
    Program(
        "cmake",
        options=(
            "-S=read -S*=read -B=write -B*=write -C=PROJECTFILE -D=CMAKE -D*=CMAKE -U= -U* -G= -G* -T= -T* -A= -A*"
            " -W* -L* -N --fresh --preset= --list-presets[=] --workflow --install-prefix= --build=enter --install=enter"
            " --prefix=write --component= --default-directory-permissions= --strip --parallel -j -j* -t= --target="
            " --config= --clean-first -v --verbose --use-stderr --resolve-package-references= -P=PROJECTFILE"
            " --system-information --log-level= --log-context --debug-trycompile --debug-output --debug-find"
            " --debug-find-pkg= --debug-find-var= --trace --trace-expand --trace-format= --trace-source="
            " --warn-uninitialized --no-warn-unused-cli --check-system-vars --compile-no-warning-as-error"
            " --profiling-format= -h -H -help --help -version --version --help-*"
        ),
        writes="--graphviz=write --trace-redirect=write --profiling-output=write",
        runs="-E --toolchain=read --open= --find-package --debugger --debugger-*",
        operands="MAKE*",
        syntax="words",
        effects="read write code",
        can="code: --build; writes",
    ),
    Program(
        "ctest",
        options=(
            "--preset= --list-presets -C= --build-config= --progress -V --verbose -VV --extra-verbose --debug"
            " --output-on-failure --stop-on-failure --test-output-size-passed= --test-output-size-failed="
            " --test-output-truncation= -F -j -j* --parallel -Q --quiet -N --show-only[=] -L= --label-regex= -R="
            " -R* --tests-regex= -E= -E* --exclude-regex= -LE= --label-exclude= -FA= -FS= -FC= -I="
            " --tests-information= -U --union --rerun-failed --repeat= --max-width= --interactive-debug-mode="
            " --no-label-summary --no-subproject-summary --test-dir=enter --test-timeout= --test-load="
            " --schedule-random --timeout= --stop-time= --no-tests= --print-labels --no-compress-output --help"
            " --version -h"
        ),
        writes="-O=write --output-log=write --output-junit=REPORT",
        runs=(
            "-S= -SP= --script= --script-new-process= -D= -D* -M= -T= --build-and-test --build-makeprogram="
            " --test-command= --resource-spec-file= --overwrite= --extra-submit= -A= --add-notes="
        ),
        operands="data*",
        syntax="words",
        effects="code",
        can="code",
    ),
    Program(
        "ninja",
        aliases="ninja-build samu",
        options="--version -v,--verbose --quiet -C=enter -f=PROJECTFILE -j= -k= -l= -n!read -d= -w= -h,--help",
        runs="-t=NINJATOOL",
        operands="data*",
        names_by=1,
        effects="code",
        can="code",
    ),
    Program(
        "meson",
        subcommands=(Program("devenv", starts=Starts(optional=True, loose=True), effects="code"),),
        names_by=1,
        effects="code",
        can="code; writes",
    ),
    Program(
        "bazel",
        aliases="bazelisk",
        operands="data*",
        names_by=2,
        traits="obeys",
        effects="code",
        can="code; deletes: clean",
    ),
    Program(
        "just",
        options=(
            "-d,--working-directory=enter -f,--justfile=PROJECTFILE --set= -l,--list!read -s,--show=!read "
            "-n,--dry-run -q,--quiet -v,--verbose -V,--version -h,--help -u,--unsorted --yes --summary!read "
            "--evaluate --dump --dump-format= --groups!read --variables!read --color= --no-deps --no-dotenv --fmt "
            "--init --one --list-heading= --list-prefix= --list-submodules --timestamp --highlight --no-highlight "
            "--no-aliases --check --unstable --usage= --explain --time --clear-shell-args --command-color= "
            "--alias-style= --man --completions= --changelog -g,--global-justfile --json --ceiling="
        ),
        writes="  --tempdir=write",
        runs=(
            "-c,--command= --choose --chooser= -e,--edit --shell= --shell-arg= --shell-command"
            " -E,--dotenv-path=read --dotenv-filename= --cygpath="
        ),
        operands="MAKE*",
        syntax="exact ends",
        names_by=1,
        effects="code",
        can="code",
    ),
    Program(
        "task",
        aliases="go-task",
        options="-d,--dir=enter -t,--taskfile=PROJECTFILE -a -l -f -n -p -s -v -w -x -y -g -c -C= -I= -o= --output=",
        operands="data*",
        names_by=1,
        effects="code",
        can="code",
    ),
    Program(
        "rake",
        options=(
            "-A,--all -B,--build-all --backtrace[=] --comments -D,--describe[=] -j,--jobs[=] -m,--multitask"
            " -n,--dry-run -N,--no-search,--nosearch -P,--prereqs -q,--quiet --rules --silent -s"
            " --no-system,--nosystem -G,--system,-g --suppress-backtrace= -t,--trace[=] -T,--tasks[=] -v,--verbose"
            " -V,--version -W,--where[=] -X,--no-deprecation-warnings -C,--directory=enter --job-stats[=]"
            " -h,-H,--help -f,--rakefile=PROJECTFILE"
        ),
        runs=(
            "-e,--execute= -E,--execute-continue= -p,--execute-print= -I,--libdir= -r,--require="
            " -R,--rakelibdir,--rakelib="
        ),
        operands="VARIABLE*",
        names_by=1,
        effects="code",
        can="code",
    ),
    Program("ant", operands="data*", names_by=1, effects="code network", can="code"),
    Program(
        "mvn",
        aliases="mvnw mvnd",
        options=_MAVEN,
        writes="-l=REPORT --log-file=REPORT",
        runs=(
            "-t=PROJECTFILE -gt= --toolchains=PROJECTFILE --global-toolchains= -Dmaven.ext.class.path*"
            " -Dexec.executable*"
        ),
        operands="data*",
        syntax="words",
        names_by=1,
        traits="obeys",
        effects="code network",
        can="code; deletes: clean; publishes: deploy",
    ),
    Program(
        "gradle",
        aliases="gradlew",
        options=(
            "-a,--no-rebuild -b,--build-file=PROJECTFILE --build-cache --no-build-cache"
            " -c,--settings-file=PROJECTFILE --configuration-cache --no-configuration-cache --configure-on-demand"
            " --console= --continue --no-continue -D= -d,--debug --daemon --no-daemon --foreground --dry-run -m"
            " -i,--info -p,--project-dir=enter -P,--project-prop= --parallel --no-parallel --priority= --profile"
            " --offline -q,--quiet --refresh-dependencies --refresh-keys --rerun-tasks -S,--full-stacktrace"
            " -s,--stacktrace --scan --no-scan --status --stop -t,--continuous -U -V,--show-version -v,--version"
            " -w,--warn --warning-mode= --watch-fs --no-watch-fs -x,--exclude-task= --max-workers= --tests="
            " --include-build=enter -h,--help,-? --write-locks --rerun --task= --all --group= --dependency="
            " --configuration= --types"
        ),
        writes="-g,--gradle-user-home=write --project-cache-dir=write",
        runs="-I,--init-script=read -F,--dependency-verification= -M,--write-verification-metadata=",
        operands="data*",
        syntax="open",
        names_by=1,
        traits="obeys",
        effects="code network",
        can="code; deletes: clean; publishes: publish",
    ),
    Program("sbt", operands="data*", traits="obeys", effects="code network", can="code"),
    Program(
        "gcc",
        aliases="c++ cc clang clang++ cpp g++ gfortran c99 c89",
        options=(
            "-c -S -E -v -### -o=write -o*=write -x= -x* -I= -I* -L= -L* -l= -l* -D= -D* -U= -U* -O* -g* -W*"
            " -f*=FLAG -m* -std= --std= -ansi -pedantic* -pipe -pthread -pthreads -static* -shared* -rdynamic -r"
            " -s -u= -nostd* -nodefaultlibs -nolib* -no-* -pie -p -pg -Q -P -C -CC -H -M -MM -MD -MMD -MG -MP"
            " -MF=write -MF*=write -MJ=write -MT= -MQ= -include=read -imacros=read -isystem= -isystem* -iquote="
            " -iquote* -idirafter= -idirafter* -iprefix= -iwithprefix= -iwithprefixbefore= -isysroot= --sysroot="
            " -imultilib= -nostdinc* -undef -trigraphs -traditional* -d* -print-* --print-* -save-temps* -time"
            " -working-directory=enter --param= -T=read -T*=read -z= -e= --entry= -arch= -target= --target="
            " -framework= -Wno-* -Wa*=PASSED -Wp*=PASSED -Qunused-arguments -stdlib= -rpath= -install_name="
            " -dynamiclib -bundle -headerpad_max_install_names -Wl*=LINKER --help* -help --version -version -V -w"
            " -J=write -J*=write -ffree-form -ffixed-form -cpp -nocpp -R= -N -n -t -ObjC* -F= -F* -remap"
            " -ftabstop= -fdebug-prefix-map* -ffile-prefix-map* -fmacro-prefix-map* -fprofile-use* -fauto-profile*"
            " -fprofile-sample-use* -fmodule-file* -fmodule-map-file* -fprebuilt-module-path* -Xarch_*"
        ),
        writes="-dumpdir= -dumpbase= -aux-info= --serialize-diagnostics= -serialize-diagnostics= -index-store-path=",
        runs=(
            "-wrapper= -fplugin* -fpass-plugin* -specs* --specs* -Xlinker= -Xassembler= -Xpreprocessor= -Xclang="
            " -Xcuda* -Wa,--plugin* -B= -B* -gcc-toolchain* --gcc-toolchain* -ccc-* --config* -fuse-ld=LD"
            " -fno-integrated-as* -load= -fprofile-generate* -fcrash-diagnostics* --ld-path* -fmodule-mapper*"
            " -fopenmp-targets* -foffload* -flto-partition* -mllvm="
        ),
        operands="LISTED*",
        syntax="words",
        effects="read write",
        can="code: -o; writes",
    ),
    Program(
        "rustc",
        options=(
            "-h,--help --cfg= --check-cfg= -L= -l= --crate-type= --crate-name= --edition= --emit= --print= -g -O"
            " -o=write --out-dir=write --explain= --test --target= -A,--allow= -W,--warn= --force-warn= -D,--deny="
            " -F,--forbid= --cap-lints= -V,--version -v,--verbose --extern= --error-format= --json= --color="
            " --diagnostic-width= --remap-path-prefix= --remap-path-scope= +*"
        ),
        runs="-C,--codegen=CODEGEN -Z= --sysroot=",
        operands="LISTED*",
        syntax="exact",
        traits="obeys",
        effects="read write code",
        can="writes",
    ),
    Program("javac", operands="data*", effects="write code", can="writes"),
    Program("kotlinc", operands="data*", effects="write code", can="writes"),
    Program("swiftc", operands="data*", traits="obeys", effects="write code", can="writes"),
    Program("zig", operands="data*", names_by=1, effects="write code", can="code"),
    Program(
        "tsc",
        options=(
            "-all -b -build -checkers= -h -help -? -ignoreConfig -init -listFilesOnly!read -locale= -p=read"
            " -project=read -q -quiet -showConfig!read -singleThreaded -v -version -w -watch -allowArbitraryExtensions"
            " -allowImportingTsExtensions -allowUmdGlobalAccess -baseUrl= -customConditions= -m= -module="
            " -moduleResolution= -moduleSuffixes= -noResolve -noUncheckedSideEffectImports -paths="
            " -resolveJsonModule -resolvePackageJsonExports -resolvePackageJsonImports"
            " -rewriteRelativeImportExtensions -rootDir= -rootDirs= -typeRoots= -types= -allowJs -checkJs"
            " -maxNodeModuleJsDepth= -allowSyntheticDefaultImports -erasableSyntaxOnly -esModuleInterop"
            " -forceConsistentCasingInFileNames -isolatedDeclarations -isolatedModules -preserveSymlinks"
            " -verbatimModuleSyntax -allowUnreachableCode -allowUnusedLabels -alwaysStrict -deduplicatePackages"
            " -exactOptionalPropertyTypes -noFallthroughCasesInSwitch -noImplicitAny -noImplicitOverride"
            " -noImplicitReturns -noImplicitThis -noPropertyAccessFromIndexSignature -noUncheckedIndexedAccess"
            " -noUnusedLocals -noUnusedParameters -stableTypeOrdering -strict* -useUnknownInCatchVariables"
            " -assumeChangesOnlyAffectDirectDependencies -composite -disableReferencedProjectLoad"
            " -disableSolutionSearching -disableSourceOfProjectReferenceRedirect -i -incremental"
            " -tsBuildInfoFile=write -d -declaration -declarationDir=write -declarationMap -downlevelIteration"
            " -emitBOM -emitDeclarationOnly -importHelpers -inlineSourceMap -inlineSources -mapRoot= -newLine="
            " -noEmit!read+write -noEmitHelpers -noEmitOnError -outDir=write -outFile=write -preserveConstEnums"
            " -removeComments -sourceMap -sourceRoot= -stripInternal -diagnostics -explainFiles"
            " -extendedDiagnostics -listEmittedFiles -listFiles -noCheck -traceResolution -disableSizeLimit"
            " -emitDecoratorMetadata -experimentalDecorators -jsx= -jsxFactory= -jsxFragmentFactory="
            " -jsxImportSource= -lib= -libReplacement -moduleDetection= -noLib -reactNamespace= -t= -target="
            " -useDefineForClassFields -noErrorTruncation -preserveWatchOutput -pretty -skipDefaultLibCheck"
            " -skipLibCheck -watchInterval= -watchFile= -watchDirectory= -fallbackPolling="
            " -synchronousWatchDirectory -excludeDirectories= -excludeFiles= -verbose -dry -f -force -clean"
            " -builders= -stopBuildOnErrors"
        ),
        writes="-generateCpuProfile=write -generateTrace=write -pprofDir=write",
        operands="LISTED*",
        syntax="words",
        effects="read write code",  # its configuration names what it writes, such as a hook, and with what
        can="writes",
    ),
    Program(
        "go",
        syntax="words",
        subcommands=(
            Program(
                "build",
                options=_GO_GET,
                runs=_GO_RUNS,
                operands="data*",
                syntax="words",
                effects="read write network code",
            ),
            Program(
                "run", options=_GO_BUILD, runs=_GO_RUNS, operands="data*", syntax="words ends", effects="code network"
            ),
            # an option that go does not know is the test program's own, so `open`
            Program(
                "test",
                options=(
                    f"{_GO_BUILD} -o=write -c -args -bench= -benchmem -benchtime= -blockprofilerate= -count= -cpu="
                    " -failfast -fullpath -fuzz= -fuzztime= -fuzzminimizetime= -list= -memprofilerate="
                    " -mutexprofilefraction= -parallel= -run= -short -shuffle= -skip= -timeout= -vet= -i -artifacts"
                    " -test.*"
                ),
                writes=(
                    "-coverprofile=REPORT -cpuprofile=REPORT -memprofile=REPORT -blockprofile=REPORT"
                    " -mutexprofile=REPORT -trace=REPORT -outputdir=write -test.coverprofile=REPORT"
                    " -test.cpuprofile=REPORT -test.memprofile=REPORT -test.blockprofile=REPORT"
                    " -test.mutexprofile=REPORT -test.trace=REPORT -test.outputdir=write -test.gocoverdir=write"
                    " -test.testlogfile=write"
                ),
                runs=_GO_RUNS,
                operands="data*",
                syntax="words open",
                effects="code network",
            ),
            Program(
                "vet",
                options=f"{_GO_BUILD} -c= -fix+write -diff",
                runs=_GO_RUNS,
                operands="data*",
                syntax="words open",
                effects="read network code",
            ),
            Program(
                "list",
                options=f"{_GO_BUILD} -f= -m -u -deps -e -export -find -test -versions -retracted -reuse= -compiled",
                runs=_GO_RUNS,
                operands="data*",
                syntax="words",
                effects="read write network code",
            ),
            Program(
                "generate",
                options=f"{_GO_BUILD} -run= -skip=",
                runs=_GO_RUNS,
                operands="data*",
                syntax="words",
                effects="code",
            ),
            Program("fmt", options="-n -x -mod=", operands="data*", syntax="words", effects="read write network"),
            Program(
                "clean",
                options=f"{_GO_BUILD} -i -r -cache -testcache -modcache -fuzzcache",
                runs=_GO_RUNS,
                operands="data*",
                syntax="words",
                effects="delete",
            ),
            Program(
                "env",
                options="-json -changed -C=enter",
                runs="-w+system -u+system",
                operands="data*",
                syntax="words",
                effects="read",
            ),
            Program(
                "doc",
                options="-all -c -cmd -short -src -u -C=enter",
                runs="-http",
                operands="data*",
                syntax="words",
                effects="read network",
            ),
            Program(
                "tool",
                options="-n -C=enter -modfile=read",
                operands="data*",
                syntax="words ends",
                subcommands=(
                    *alike(
                        "cover",
                        "read",
                        options="-V -func=read -html=read+write -o=write -mode= -var=",
                        operands="read*",
                        syntax="words",
                    ),
                ),
                effects="code",
            ),
            Program("bug", traits="opaque", effects="network code"),
            *alike("install get", "write network code system", options=_GO_GET, runs=_GO_RUNS, syntax="words"),
            *alike("version", "read", options="-m -v -json", operands="read*", syntax="words"),
            *alike("help", "none", syntax="words"),
            Program(
                "mod",
                syntax="words",
                subcommands=(
                    *alike(
                        "graph why verify", "read write network", options="-go= -x -m -vendor -C=enter", syntax="words"
                    ),
                    *alike(
                        "download tidy vendor",
                        "write delete network",
                        options="-e -v -x -json -go= -compat= -reuse=read -o=write -diff -C=enter",
                        syntax="words",
                    ),
                    *alike(
                        "init edit",
                        "write",
                        options=(
                            "-fmt -print -json -module= -require= -droprequire= -exclude= -dropexclude= -replace= "
                            "-dropreplace= -retract= -dropretract= -go= -toolchain= -C=enter"
                        ),
                        syntax="words",
                    ),
                ),
            ),
            Program(
                "work",
                syntax="words",
                subcommands=(
                    *alike(
                        "init use edit",
                        "write",
                        options="-r -fmt -print -json -use= -dropuse= -replace= -dropreplace= -go= -C=enter",
                        syntax="words",
                    ),
                    *alike("sync", "write network", options="-C=enter", syntax="words"),
                ),
            ),
        ),
        names_by=1,
        traits="obeys",
        effects="none",
        can=(
            "installs: install, get; code: run, test, generate, build; fetched: run *@*; network: mod; writes:"
            " build; reads: vet, list, doc, version, env; deletes: clean"
        ),
    ),
    Program(
        "gofmt",
        aliases="gofumpt goimports",
        options="-d -e -l -w>write -s -r= -local= -v -format-only -srcdir= -extra -lang= -modpath= -version",
        writes="-cpuprofile=REPORT -memprofile=REPORT -memrate= -trace=REPORT",
        operands="read*",
        syntax="words",
        effects="read",
        can="writes: -w; reads",
    ),
    Program(
        "cargo",
        options=_CARGO,
        runs="--config=",
        syntax="exact shared",
        subcommands=(
            Program(
                "build",
                aliases="b check c test t bench doc d fix package",
                options=_CARGO_BUILD,
                operands="data*",
                syntax="exact",
                effects="read write network code",
            ),
            Program(
                "clippy",
                options=_CARGO_BUILD,
                operands="CODEGEN*",
                syntax="exact",
                effects="read write network code",
            ),
            Program(
                "run", aliases="r", options=_CARGO_BUILD, operands="data*", syntax="exact ends", effects="network code"
            ),
            Program(
                "rustc",
                aliases="rustdoc",
                options=f"{_CARGO_BUILD} --crate-type= --print=",
                operands="CODEGEN*",
                syntax="exact",
                effects="write network code",
            ),
            Program(
                "publish",
                options=f"{_CARGO_BUILD} --index= --registry= --token= --no-verify",
                operands="data*",
                syntax="exact",
                effects="read network publish code",
            ),
            Program(
                "fmt",
                options="-p,--package= --all --check --message-format=",
                operands="data*",
                syntax="exact",
                effects="write code",
            ),
            Program(
                "clean",
                options=(
                    "-p,--package= -r,--release --profile= --target= --target-dir=write --doc --workspace -n,--dry-run"
                ),
                operands="data*",
                syntax="exact",
                effects="delete code",
            ),
            Program(
                "install",
                options=(
                    f"{_CARGO_BUILD} --version,--vers= --index= --registry= --git= --branch= --tag= --rev="
                    " --path=read -f,--force --no-track"
                ),
                writes="--root=write",
                operands="data*",
                syntax="exact",
                effects="write network code system",
            ),
            Program(
                "uninstall",
                options="-p,--package= --bin=",
                writes="--root=write",
                operands="data*",
                syntax="exact",
                effects="delete code system",
            ),
            Program(
                "tree",
                options=(
                    f"{_CARGO_BUILD} -e,--edges= -i,--invert= --prune= --depth= --prefix= --no-dedupe"
                    " -d,--duplicates --charset= -f,--format="
                ),
                operands="data*",
                syntax="exact",
                effects="read write network code",
            ),
            Program(
                "add",
                options=(
                    "--default-features --no-default-features -F,--features= --optional --no-optional --public"
                    " --no-public --rename= -n,--dry-run --ignore-rust-version -p,--package= --path=read --base="
                    " --git= --branch= --tag= --rev= --registry= --dev --build --target="
                ),
                operands="data*",
                syntax="exact",
                effects="write network code",
            ),
            Program(
                "remove",
                aliases="rm",
                options="-p,--package= -n,--dry-run --dev --build --target=",
                operands="data*",
                syntax="exact",
                effects="write network code",
            ),
            Program(
                "update",
                options=(
                    "-n,--dry-run --recursive --aggressive --precise= -b,--breaking -w,--workspace"
                    " --ignore-rust-version -p,--package="
                ),
                operands="data*",
                syntax="exact",
                effects="write network code",
            ),
            Program(
                "metadata",
                aliases="fetch generate-lockfile locate-project pkgid verify-project vendor",
                options=(
                    "--filter-platform= --no-deps --format-version= -F,--features= --all-features"
                    " --no-default-features --target= --message-format= --workspace -p,--package= --no-delete"
                    " -s,--sync= --respect-source-config --versioned-dirs"
                ),
                operands="data*",
                syntax="exact",
                effects="read write network code",
            ),
            Program(
                "new",
                aliases="init",
                options="--vcs= --bin --lib --edition= --name= --registry=",
                operands="data*",
                syntax="exact",
                effects="write code",
            ),
            Program(
                "watch",
                options="-c -q -w= -i= -d= -s=TEXT -x=TEXT --exec=TEXT --shell=TEXT",
                starts=Starts(optional=True, loose=True),
                effects="code",
            ),
            *alike("search info", "network code", options="--limit= --index= --registry=", syntax="exact"),
            *alike("version help", "code", syntax="exact"),
            *alike("yank owner login logout", "network publish code", syntax="exact"),
        ),
        names_by=1,
        traits="obeys",
        effects="code",
        can=(
            "deletes: clean; publishes: publish; installs: install; code: run, test, build; network: fetch; writes:"
            " fmt, build; reads: check, tree, metadata"
        ),
    ),
    Program(
        "rustfmt",
        options=(
            "--check!read+code>read --emit= --config= --config-path=read --edition= --style-edition= --color= --backup "
            "-l,--files-with-diff --error-on-unformatted --skip-children -q,--quiet -v,--verbose -h,--help -V,--version"
        ),
        operands="write*",
        syntax="exact",
        traits="obeys writes",
        effects="read write code",
        can="writes",
    ),
    Program(
        "dotnet",
        subcommands=(Program("exec", starts=Starts(optional=True, loose=True), effects="code"),),
        names_by=1,
        traits="obeys",
        effects="write code",
        can="code",
    ),
    Program(
        "mix", operands="data*", names_by=1, traits="obeys", effects="code network", can="code; installs: deps.get"
    ),
    Program(
        "rails",
        syntax="brief",
        subcommands=(Program("runner", aliases="r", operands="data*", traits="opaque", effects="code"),),
        names_by=1,
        traits="obeys",
        effects="code",
        can="code",
    ),
    Program(
        "vite",
        aliases="webpack rollup esbuild parcel",
        operands="data*",
        traits="obeys",
        effects="write code",
        can="code; writes",
    ),
    Program("turbo", aliases="nx", operands="data*", names_by=2, traits="obeys", effects="code network", can="code"),
    Program(
        "protoc",
        options=(
            "-I= -I* --proto_path=read --version -h --help --encode= --deterministic_output --decode= --decode_raw"
            " --descriptor_set_in=read -o=write -o*=write --descriptor_set_out=write --include_imports"
            " --include_source_info --retain_options --dependency_out=write --error_format= --fatal_warnings"
            " --print_free_field_numbers --cpp_* --csharp_* --java_* --kotlin_* --objc_* --php_* --pyi_* --python_*"
            " --ruby_* --rust_* --go_* --go-grpc_* --grpc_* --grpc-gateway_* --js_* --ts_* --dart_* --swift_*"
            " --doc_* --es_* --connect-* --mypy_*"
        ),
        runs="--plugin=",
        operands="LISTED*",
        syntax="words",
        effects="read write code",
        can="writes",
    ),
    Program(
        "ctags",
        options=(
            "-R -L=read -a -e -x -u -G -n -N -B -F -D= -h= -I= -V -? --exclude= --exclude-exception= --filter[=]"
            " --filter-terminator= --links[=] --maxdepth= --recurse[=] --append[=] --format= --output-format="
            " --sort= --etags-include= --input-encoding* --output-encoding= --language-force= --languages="
            " --alias-* --langmap= --map-* --guess-language-eagerly --excmd= --extras* --fields* --kinds-*"
            " --pattern-length-limit= --pseudo-tags= --put-field-prefix --roles-* --tag-relative= --if0[=]"
            " --line-directives[=] --param-* --list-* --machinable[=] --with-list-header[=] --help --help-full"
            " --license --print-language --quiet[=] --totals[=] --verbose[=] --version --langdef= --kinddef-*"
            " --regex-* --mline-regex-*"
        ),
        writes="-f=NOWHERE -o=NOWHERE",
        runs="--options= --options-maybe= --optlib-dir=",
        operands="read*",
        syntax="exact",
        effects="read write",
        can="writes",
    ),
    Program(
        "ccache",
        aliases="sccache",
        options="-o= -F= -M= -k= -p -s -z -C -c -h -V",
        starts=Starts(optional=True, loose=True),
        effects="write",
    ),
    Program(
        "bear",
        options="-v --verbose --append --output= --config=",
        syntax="exact",
        starts=Starts(optional=True, loose=True),
        effects="write",
    ),
    Program(
        "nm",
        options=(
            "-a,--debug-syms -A,-o,--print-file-name -B -C[=] --demangle[=] --no-demangle --recurse-limit"
            " --no-recurse-limit -D,--dynamic -e -f,--format= -g,--extern-only --ifunc-chars= -j,--just-symbols"
            " -l,--line-numbers -n,-v,--numeric-sort -p,--no-sort -P,--portability -r,--reverse-sort"
            " -S,--print-size -s,--print-armap --quiet --size-sort --special-syms --synthetic -t,--radix= --target="
            " -u,--undefined-only -U,--defined-only --unicode= -W,--no-weak --with-symbol-versions -X= -h,--help"
            " -V,--version"
        ),
        runs="--plugin=",
        operands="LISTED*",
        effects="read",
        can="reads",
    ),
    Program(
        "ar",
        options="-abcDdfilmMNoOpPqrsStTuUvVx --target= --output=write --record-libdeps= --thin -h,--help",
        runs="--plugin=",
        operands="LISTED*",
        syntax="bundle exact",
        effects="read write",
        can="writes",
    ),
    Program(
        "ld",
        runs="-plugin,--plugin= -plugin-opt,--plugin-opt= --error-handling-script=",
        operands="LISTED*",
        syntax="open",
        effects="read write",
        can="writes",
    ),
    Program(
        "objdump",
        options=(
            "-a,--archive-headers -f,--file-headers -p,--private-headers -P,--private= -h,--section-headers,--headers "
            "-x,--all-headers -d --disassemble[=] -D,--disassemble-all -S,--source --source-comment[=] "
            "-s,--full-contents -g,--debugging -e,--debugging-tags -G,--stabs -W* --dwarf[=] -L,--process-links "
            "--ctf[=] --sframe[=] -t,--syms -T,--dynamic-syms -r,--reloc -R,--dynamic-reloc -v,--version -i,--info "
            "-H,--help -b,--target= -m,--architecture= -j,--section= -M,--disassembler-options= -E= --endian= "
            "--file-start-context -I,--include= -l,--line-numbers -F,--file-offsets -C,--demangle[=] --recurse-limit "
            "--no-recurse-limit -w,--wide --unicode= -z,--disassemble-zeroes --start-address= --stop-address= "
            "--no-addresses --prefix-addresses --show-raw-insn --no-show-raw-insn --insn-width= --adjust-vma= "
            "--show-all-symbols --special-syms --inlines --prefix= --prefix-strip= --dwarf-depth= --dwarf-start= "
            "--dwarf-check --ctf-parent= --visualize-jumps[=] --disassembler-color="
        ),
        runs="--plugin=",
        operands="LISTED*",
        syntax="open",
        effects="read",
        can="reads",
    ),
    Program(
        "readelf",
        options=(
            "-a,--all -h,--file-header -l,--program-headers,--segments -S,--section-headers,--sections "
            "-g,--section-groups -t,--section-details -e,--headers -s,--syms,--symbols --dyn-syms --lto-syms "
            "--sym-base= -C,--demangle[=] --no-demangle --recurse-limit --no-recurse-limit -U= --unicode= -n,--notes "
            "-r,--relocs -u,--unwind -d,--dynamic -V,--version-info -A,--arch-specific -c,--archive-index "
            "-D,--use-dynamic -L,--lint,--enable-checks -x,--hex-dump= -p,--string-dump= -R,--relocated-dump= "
            "-z,--decompress -w* --debug-dump[=] -P,--process-links --dwarf-depth= --dwarf-start= --ctf= "
            "--ctf-parent= --ctf-symbols= --ctf-strings= --sframe[=] -I,--histogram -W,--wide -T,--silent-truncation "
            "-H,--help -v,--version"
        ),
        operands="LISTED*",
        effects="read",
        can="reads",
    ),
    Program(
        "size",
        options=(
            "-A -B -G --format= -o -d -x --radix= -t,--totals -f --common --target= -h,-H,-?,--help -v,-V,--version"
        ),
        operands="LISTED*",
        effects="read",
        can="reads",
    ),
    Program(
        "strip",
        aliases="objcopy ranlib",
        runs="--plugin=",
        operands="LISTED*",
        syntax="open",
        effects="read write",
        can="writes",
    ),
)
