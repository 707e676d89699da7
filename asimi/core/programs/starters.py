"""Programs that are there to start the command in their arguments.

From the manuals and sources of sudo 1.9.13, util-linux 2.38 (and 2.41), GNU coreutils 9.1 (and 9.7), findutils 4.9,
GNU parallel 20221122, moreutils 0.67, procps 4.0, systemd 252 (and 257), strace 6.1 (and 6.13), ltrace 0.7, valgrind
3.19, gdb 13, daemontools 0.76, runit 2.1, s6 2.11, dpkg 1.21, bubblewrap 0.8, firejail 0.9.72, hyperfine 1.15, tini
0.19, dumb-init 1.2, OpenSSH 9.2, and of the small ones as Debian 12 has them. An arity that is wrong hides a command.
"""

from __future__ import annotations

from asimi.core.programs.program import ALL, Program, Starts

_ANY = Starts(optional=True)
_ONE = Starts()
_SHELL = Starts(shell=True)
_HELP = "-h,--help -V,--version"
_PERSONALITY = (
    "-v,--verbose -3,--3gb -B,--32bit -F,--fdpic-funcptrs -I,--short-inode -L,--addr-compat-layout "
    "-R,--addr-no-randomize -S,--whole-seconds -T,--sticky-timeouts -X,--read-implies-exec -Z,--mmap-page-zero --4gb "
    "--uname-2.6"
)

ROOT = (
    Program(
        "sudo",
        options=(
            "-ABbEHknNPS -a,--auth-type= --askpass --background --bell -C,--close-from= -c,--login-class= "
            "-D,--chdir=enter -g,--group= -h,--host= --no-update --non-interactive -p,--prompt= "
            "--preserve-env[=] --preserve-groups -R,--chroot=enter -r,--role= --reset-timestamp --set-home "
            "--stdin -T,--command-timeout= -t,--type= -U,--other-user= -u,--user="
        ),
        runs="-e,--edit+write+code",
        inert="-K,--remove-timestamp -l,--list!read -V,--version!none -v,--validate --help",
        shells="-i,--login -s,--shell",
        starts=Starts(assignments=True, optional=True),
        effects="system",
        can="root",
    ),
    Program("sudoedit", operands="write*", traits="writes", effects="read write code system", can="root"),
    Program("doas", options="-n -u= -a=", inert="-C=read -L", shells="-s", starts=_ANY, effects="system", can="root"),
    Program(
        "su",
        options=(
            "-l,--login -f,--fast -m,-p,--preserve-environment -P,--pty -T,--no-pty -g,--group= "
            "-G,--supp-group= -w,--whitelist-environment= -c,--command=TEXT --session-command=TEXT"
        ),
        runs="-s,--shell=SHELL",
        inert=_HELP,
        starts=Starts(operands=9, shell=True),
        effects="system",
        can="root",
    ),
    Program(
        "runuser",
        options=(
            "-u,--user= -l,--login -f,--fast -m,-p,--preserve-environment -P,--pty -T,--no-pty -g,--group= "
            "-G,--supp-group= -w,--whitelist-environment= -c,--command=TEXT --session-command=TEXT"
        ),
        runs="-s,--shell=SHELL",
        inert=_HELP,
        starts=Starts(operands=9, direct="-u", shell=True),
        effects="system",
        can="root",
    ),
    Program("sg", options="-c=TEXT -", starts=Starts(operands=1, lone=True, shell=True), effects="system", can="root"),
    Program("newgrp", options="-", starts=Starts(operands=1, shell=True), effects="system", can="root"),
    Program(
        "pkexec",
        options="--disable-internal-agent --keep-cwd --user=",
        inert="--help --version",
        starts=_SHELL,
        effects="system",
        can="root",
    ),
    Program(
        "run0",
        options=(
            "-u,--user= -g,--group= --no-ask-password --machine= --unit= --property=RESOURCE --description= "
            "--slice= --slice-inherit --nice= -D,--chdir=enter --background= --pty --pipe "
            "--shell-prompt-prefix= --lightweight= -i --via-shell"
        ),
        runs="--setenv=ASSIGNMENT",
        inert=_HELP,
        starts=_SHELL,
        effects="system",
        can="root",
    ),
    Program("gosu", inert="--help --version", starts=Starts(operands=1), effects="system", can="root"),
    Program("su-exec", starts=Starts(operands=1), effects="system", can="root"),
    Program("setuidgid", aliases="envuidgid s6-setuidgid", starts=Starts(operands=1), effects="system", can="root"),
    Program("s6-envuidgid", options="-u -g -G -B -n -D= -i=", starts=Starts(operands=1), effects="system", can="root"),
    Program("s6-applyuidgid", options="-zU -u= -g= -G=", starts=_ONE, effects="system", can="root"),
    Program(
        "chroot",
        options="--groups= --userspec= --skip-chdir",
        inert="--help --version",
        starts=Starts(operands=1, shell=True),
        effects="system",
        can="root",
    ),
    Program(
        "nsenter",
        options=(
            "-a,--all -m,--mount[=] -u,--uts[=] -i,--ipc[=] -n,--net[=] -N,--net-socket= -p,--pid[=] "
            "-C,--cgroup[=] -U,--user[=] -T,--time[=] -t,--target= -S,--setuid= -G,--setgid= -r,--root[=] "
            "-w,--wd[=] -W,--wdns[=] -e,--env -F,--no-fork -Z,--follow-context -c,--join-cgroup "
            "--preserve-credentials --keep-caps --user-parent"
        ),
        inert=_HELP,
        starts=_SHELL,
        effects="system",
        can="root",
    ),
    Program(
        "setpriv",
        options=(
            "--ambient-caps= --apparmor-profile= --bounding-set= --clear-groups --egid= --euid= --groups= "
            "--inh-caps= --init-groups --keep-groups --landlock-access= --landlock-rule= --no-new-privs,--nnp "
            "--pdeathsig= --ptracer= --regid= --reset-env --reuid= --rgid= --ruid= --seccomp-filter= "
            "--securebits= --selinux-label="
        ),
        inert="-d,--dump --list-caps -h,--help -V,--version",
        starts=_ANY,
        effects="system",
        can="root",
    ),
    Program("capsh", starts=Starts(anywhere=True), traits="opaque interprets", effects="system", can="root"),
    Program("authbind", options="--deep --depth=", starts=_ONE, effects="system", can="root"),
)
"""They act as another user, or elsewhere."""

PLAIN = (
    Program(
        "env",
        options=(
            "-,-i,--ignore-environment -0,--null -u,--unset= -C,--chdir=enter -a,--argv0= -v,--debug "
            "-S,--split-string=SPLIT --block-signal[=] --default-signal[=] --ignore-signal[=] "
            "--list-signal-handling"
        ),
        inert="--help --version",
        starts=Starts(assignments=True, optional=True),
        effects="none",
        can="reads",
    ),
    Program("nice", options="-n,--adjustment= -#", inert="--help --version", starts=_ANY, effects="none", can="reads"),
    Program("nohup", inert="--help --version", starts=_ONE, effects="none", can="reads"),
    Program(
        "ionice",
        options="-c,--class= -n,--classdata= -t,--ignore",
        inert="-p,--pid=+system -P,--pgid=+system -u,--uid=+system -h,--help -V,--version",
        starts=_ANY,
        effects="none",
        can="reads",
    ),
    Program(
        "chrt",
        options=(
            "-a,--all-tasks -b,--batch -d,--deadline -e,--ext -f,--fifo -i,--idle -o,--other "
            "-R,--reset-on-fork -r,--rr -v,--verbose -D,--sched-deadline= -P,--sched-period= "
            "-T,--sched-runtime="
        ),
        inert="-m,--max -p,--pid+system -h,--help -V,--version",
        starts=Starts(operands=1),
        effects="none",
    ),
    Program(
        "taskset",
        options="-a,--all-tasks -c,--cpu-list",
        inert="-p,--pid+system -h,--help -V,--version",
        starts=Starts(operands=1),
        effects="none",
    ),
    Program(
        "uclampset",
        options="-m= -M= -a,--all-tasks -R,--reset-on-fork -v,--verbose",
        inert="-p,--pid=+system -s,--system+system -h,--help -V,--version",
        starts=_ONE,
        effects="none",
    ),
    Program(
        "choom", options="-n,--adjust=", inert="-p,--pid=+system -h,--help -V,--version", starts=_ONE, effects="none"
    ),
    Program(
        "timeout",
        options="-f,--foreground -k,--kill-after= -p,--preserve-status -s,--signal= -v,--verbose",
        inert="--help --version",
        starts=Starts(operands=1),
        effects="none",
        can="reads",
    ),
    Program(
        "time",
        options="-a,--append -f,--format= -l -p,--portability -q,--quiet -v,--verbose",
        writes="-o,--output=NOWHERE",
        inert="-h,--help -V,--version",
        starts=_ANY,
        effects="none",
        can="reads",
    ),
    Program(
        "stdbuf",
        options="-i,--input= -o,--output= -e,--error=",
        inert="--help --version",
        starts=_ONE,
        effects="none",
        can="reads",
    ),
    Program("setsid", options="-c,--ctty -f,--fork -w,--wait", inert=_HELP, starts=_ONE, effects="none"),
    Program(
        "flock",
        options=(
            "-s,--shared -x,-e,--exclusive -u,--unlock -n,--nb,--nonblock -o,--close -F,--no-fork --fcntl "
            "--verbose -w,--wait,--timeout= -E,--conflict-exit-code= -c,--command=TEXT"
        ),
        inert=_HELP,
        operands="write data*",
        starts=Starts(operands=1, optional=True),
        traits="writes",
        effects="write",
    ),
    Program(
        "xargs",
        options=(
            "-0,--null -a,--arg-file=read -d,--delimiter= -E= -e,--eof[=] -I= -i,--replace[=] -J= -L= "
            "-l,--max-lines[=] -n,--max-args= -o,--open-tty -P,--max-procs= -p,--interactive -R= "
            "-r,--no-run-if-empty -S= -s,--max-chars= -t,--verbose -x,--exit --process-slot-var=ASSIGNMENT "
            "--show-limits"
        ),
        inert="--help --version",
        starts=Starts(placeholder=True, optional=True),
        traits="takes",
        effects="none",
        can="reads",
    ),
    Program(
        "parallel",
        aliases="env_parallel",
        options=(
            "-0,--null -a,--arg-file,--argfile=read --arg-file-sep,--argfilesep= --arg-sep,--argsep= --bar "
            "--bg --block,--block-size,--blocksize=COUNT --block-timeout,--blocktimeout,--bt=COUNT "
            "-C,--colsep,--col-sep= --cat --color,--colour --color-failed,--colour-failed,--cf --compress "
            "--csv --ctag --ctagstring,--ctag-string= --ctrlc,--ctrl-c -D,--debug= -d,--delimiter= --delay=COUNT "
            "--dr,--dry-run,--dryrun -E= --env= --eta -g --fg --fifo "
            "--files,--output-as-files,--outputasfiles --gnu --group --halt,--halt-on-error,--haltonerror= "
            "--header= --hgrp,--hostgroup,--hostgroups -H= -j,--jobs= -k,--keep-order,--keeporder -L=COUNT "
            "--lb,--line-buffer,--linebuffer,--line-buffered --link,--xapply --ll,--latest-line --load= -m "
            "--max-line-length-allowed --memfree=COUNT --memsuspend=COUNT --minversion,--min-version= "
            "-N,--max-replace-args=COUNT -n,--max-args,--maxargs=COUNT --nice= --nn,--no-notice,--will-cite,--willcite "
            "--no-ctrlc --nok,--no-keep-order --noswap --number-of-cores --number-of-cpus --number-of-sockets "
            "--number-of-threads -o,--open-tty -P,--max-procs,--maxprocs= -p,--interactive "
            "--pipe,--spreadstdin --pipe-part,--pipepart --plain --plus --process-slot-var=ASSIGNMENT --progress "
            "-q,--quote -r,--no-run-if-empty,--norunifempty --recend= --recstart= --regexp "
            "--remove-rec-sep,--rrs --resume --resume-failed --retries= --retry-failed "
            "--round,--round-robin,--roundrobin -s,--max-chars=COUNT --semaphore "
            "--semaphore-name,--semaphorename,--id= --semaphore-timeout,--semaphoretimeout,--st=COUNT "
            "--shell-quote --show-limits --shuf --silent --skip-first-line --ssh-delay=COUNT -T -t,--verbose --tag "
            "--tagstring,--tag-string= --tee --term-seq,--termseq= --timeout=COUNT --total,--total-jobs= --trim= "
            "--tty -u,--ungroup --use-cores-instead-of-threads --use-cpus-instead-of-cores "
            "--use-sockets-instead-of-threads -v -W= --wait --wd,--workdir,--work-dir=enter -X --xargs "
            "-x,--exit"
        ),
        writes=(
            "--jl,--joblog=NOWHERE --res,--result,--results=NOWHERE --record-env --tmpdir,--tempdir= --template,--tmpl="
        ),
        runs=(
            "--basenameextensionreplace,--bner=BRACES --basenamereplace,--bnr=BRACES "
            "--dirnamereplace,--dnr=BRACES --extensionreplace,--er=BRACES -I=BRACES --seqreplace=BRACES "
            "--slotreplace=BRACES -U=BRACES -B= --basefile,--bf= --bin= --cleanup "
            "--compress-program,--use-compress-program= --decompress-program,--use-decompress-program= "
            "--embed --filter= --filter-hosts --group-by,--groupby= -J,--profile= --limit= -M,--controlmaster "
            "--nonall --onall --parens= --return= --rpl= --rsync-opts= -S,--sshlogin= --session --shard= "
            "--shebang,--hashbang --shebang-wrap --sql,--sql-master,--sqlmaster= "
            "--sql-and-worker,--sqlandworker= --sql-worker,--sqlworker= --ssh= --sshloginfile,--slf= --tmux "
            "--tmuxpane,--tmux-pane --transfer --transferfile,--tf= --trc= -Y"
        ),
        inert="-h,--help -V,--version --citation --shell-completion=",
        starts=Starts(joined=True, optional=True),
        traits="takes",
        effects="code",
        can="code",
    ),
    Program("sem", starts=Starts(anywhere=True), traits="opaque", effects="code", can="code"),
    Program(
        "watch",
        options=(
            "-b,--beep -C,--no-color -c,--color -d,--differences[=] -e,--errexit -f,--follow -g,--chgexit "
            "-n,--interval= -p,--precise -q,--equexit= -r,--no-rerun -t,--no-title -w,--no-wrap,--no-linewrap "
            "-x,--exec"
        ),
        writes="-s,--shotsdir=",
        inert="-h,--help -v,--version",
        starts=Starts(joined=True, unless="-x"),
        effects="none",
    ),
    Program("entr", options="-acdnprsxz", starts=Starts(unless="-s"), traits="takes", effects="read"),
    Program(
        "watchexec",
        options=(
            "-1 -c,--clear[=] -d,--debounce= -e,--exts= -f,--filter= -i,--ignore= -n -o,--on-busy-update= "
            "-p,--postpone -q,--quiet -r,--restart -s,--signal= -v,--verbose -w,--watch=read "
            "-W,--watch-non-recursive=read -N,--notify --bell --color= --delay-run= --emit-events-to= "
            "--fs-events= --ignore-nothing --map-signal= --no-default-ignore --no-discover-ignore "
            "--no-environment --no-global-ignore --no-meta --no-project-ignore --no-vcs-ignore "
            "--only-emit-events --poll[=] --print-events --process-group= --project-origin=enter "
            "--shell=NOSHELL --stdin-quit --stop-signal= --stop-timeout= --timings --wrap-process= "
            "--workdir=enter --filter-file=read --ignore-file=read"
        ),
        runs="-j,--filter-prog= -E,--env=ASSIGNMENT --socket= --log-file[=]",
        inert="-h,--help -V,--version --completions= --manual",
        syntax="exact",
        starts=Starts(joined=True, unless="-n"),
        effects="read",
    ),
    Program(
        "hyperfine",
        options=(
            "-w,--warmup= -m,--min-runs= -M,--max-runs= -r,--runs= -s,--setup=TEXT --reference=TEXT "
            "-p,--prepare=TEXT -C,--conclude=TEXT -c,--cleanup=TEXT -P,--parameter-scan=== "
            "-D,--parameter-step-size= -L,--parameter-list== -N -S,--shell=NOSHELL -i --ignore-failure[=] "
            "--style= --sort= -u,--time-unit= --show-output --output=NOWHERE --input=read -n,--command-name= "
            "--reference-name= --min-benchmarking-time="
        ),
        writes=(
            "--export-asciidoc=NOWHERE --export-csv=NOWHERE --export-json=NOWHERE --export-markdown=NOWHERE "
            "--export-orgmode=NOWHERE"
        ),
        inert=_HELP,
        syntax="exact",
        starts=Starts(each=True),
        effects="none",
    ),
    Program("unbuffer", options="-p", starts=_ONE, effects="none"),
    Program(
        "script",
        options=(
            "-a,--append -B,--log-io=write -c,--command=TEXT -d -E,--echo= -e,--return -F -f,--flush --force "
            "-I,--log-in=write -k -m,--logging-format= -O,--log-out=write -o,--output-limit= -p -q,--quiet -r "
            "-T,--log-timing=write -t,--timing[=write]"
        ),
        inert=_HELP,
        operands="write data*",
        starts=Starts(operands=1, shell=True),
        traits="interprets writes",
        effects="write",
    ),
    Program("scriptlive", starts=Starts(anywhere=True), traits="opaque interprets", effects="code", can="code"),
    Program(
        "expect",
        options="-bdinNvD= -f=read",
        runs="-c=",
        operands="read",
        syntax="ends",
        traits="interprets wide",
        effects="code",
        can="code",
    ),
    Program(
        "rlwrap",
        options=(
            "-A[=] -a,--always-readline[=] -b,--break-chars= -C,--command-name= -c,--complete-filenames "
            "-D,--history-no-dupes= -E,--always-echo -e,--extra-char-after-completion= -f,--file= "
            "-g,--forget-matching= -I,--pass-sigint-as-sigterm -i,--case-insensitive -M,--multi-line-ext= "
            "-m,--multi-line[=] -N,--no-children -n,--no-warnings -O,--only-cook= -o,--one-shot "
            "-P,--pre-given= -p,--prompt-colour[=] -q,--quote-characters= -R,--renice -r,--remember "
            "-S,--substitute-prompt= -s,--histsize= -t,--set-term-name= -U,--mirror-arguments -W,--polling "
            "-w,--wait-before-prompt= --ansi-colour-aware[=]"
        ),
        writes="-H,--history-filename=NOWHERE -l,--logfile=NOWHERE",
        runs="-z,--filter=",
        inert="-h,--help -v,--version",
        starts=_ONE,
        effects="write",
    ),
    Program("chronic", options="-ev", starts=_ONE, effects="none"),
    Program("ifne", options="-n", starts=_ONE, effects="none"),
    Program(
        "pee",
        options="--ignore-sigpipe --no-ignore-sigpipe --ignore-write-errors --no-ignore-write-errors",
        starts=Starts(each=True),
        effects="none",
    ),
    Program("mispipe", starts=Starts(each=True), effects="none"),
    Program(
        "logsave",
        options="-a -s -v",
        operands="write data*",
        starts=Starts(operands=1),
        traits="writes",
        effects="write",
    ),
    Program("catchsegv", aliases="eatmydata", starts=_ONE, effects="none"),
    Program("nocache", options="-n=", starts=_ONE, effects="none"),
    Program(
        "cpulimit",
        options=(
            "-b,--background -c,--cpu= -f,--foreground -k,--kill -l,--limit= -m,--monitor-forks -q,--quiet "
            "-r,--restore -s,--signal= -v,--verbose -z,--lazy -i,--include-children"
        ),
        inert="-p,--pid=+system -e,--exe=+system -P,--path=+system -h,--help",
        starts=_ONE,
        effects="none",
    ),
    Program(
        "faketime",
        options="-m -f --exclude-monotonic --disable-monotonic",
        runs="--date-prog=",
        inert="-p= -h,--help -v,--version",
        starts=Starts(operands=1),
        effects="none",
    ),
    Program("caffeinate", options="-dimsu -t= -w=", starts=_ANY, effects="none"),
    Program(
        "env-cmd",
        options=(
            "-e= --environments= -f= --file= -r= --rc-file= --fallback -x --expand-envs --no-override --silent "
            "--use-shell --verbose --recursive"
        ),
        starts=Starts(optional=True, loose=True),
        effects="code",
    ),
    Program(
        "concurrently",
        options=(
            "-c,--prefix-colors= -C,--conditions= --default-input-target= -g,--group -h,--help --handle-input -i "
            "--hide= -k,--kill-others --kill-others-on-fail --kill-timeout= -l,--prefix-length= -m,--max-processes= "
            "-n,--names= --name-separator= --no-color -p,--prefix= --pad-prefix -P,--passthrough-arguments "
            "-r,--raw --restart-after= --restart-tries= -s,--success= -t,--timestamp-format= --teardown=TEXT "
            "--timings -v,--version"
        ),
        syntax="exact",
        starts=Starts(each=True, optional=True, loose=True),
        effects="read",
        can="code",
    ),
    Program(
        "start-server-and-test",
        aliases="server-test start-test",
        starts=Starts(each=True, loose=True),
        effects="code network",
        can="code",
    ),
    Program("npm-run-all", aliases="npm-run-all2 run-p run-s", operands="data*", effects="code", can="code"),
    Program(
        "onchange",
        options=(
            "-a,--add -f= --filter= -i,--initial -j= --jobs= -k,--kill -d= --delay= -o= --outpipe=TEXT -p= --poll= "
            "-v,--verbose -e= --exclude="
        ),
        starts=Starts(operands=ALL, optional=True, loose=True),
        effects="read",
        can="code",
    ),
    Program(
        "chokidar",
        options=(
            "-c,--command=TEXT -d,--debounce= -t,--throttle= -i,--ignore= --initial -p,--polling --silent --verbose"
        ),
        starts=Starts(operands=ALL, optional=True, loose=True),
        effects="read",
        can="code",
    ),
    Program("cross-env", starts=Starts(assignments=True, optional=True, loose=True), effects="none"),
    Program("cross-env-shell", starts=Starts(assignments=True, joined=True, optional=True, loose=True), effects="none"),
    Program(
        "dotenv",
        options="-e= -f,--file= -o,--override -p= -q,--quote= --no-expand --no-override --export",
        runs="-v=ASSIGNMENT",
        starts=Starts(optional=True, loose=True),
        subcommands=(
            *(Program(name) for name in ("get", "set", "unset", "list")),
            Program("run", options="--override --no-override", starts=Starts(loose=True)),
        ),
        effects="read",
    ),
    Program(
        "direnv",
        subcommands=(
            Program("edit", traits="opaque", effects="write code"),
            Program("exec", starts=Starts(operands=1, loose=True), effects="code"),
        ),
    ),
    Program(
        "op",
        options=(
            "--account= --cache[=] --config= --debug --encoding= --format= --iso-timestamps --no-color "
            "--session= -h,--help -v,--version"
        ),
        syntax="exact shared",
        subcommands=(
            Program(
                "run",
                options="--no-masking --env-file= --environment=",
                starts=Starts(loose=True),
                effects="read network",
            ),
        ),
    ),
    Program(
        "doppler",
        options=(
            "--api-host= --attempts= --config-dir= --configuration= --dashboard-host= --debug "
            "--dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --enable-dns-resolver "
            "--json --no-check-version --no-read-env --no-timeout --no-verify-tls --print-config --scope= "
            "--silent --timeout= -t,--token="
        ),
        syntax="exact shared",
        subcommands=(
            Program(
                "run",
                options=(
                    "-c,--config= -p,--project= --command=TEXT --fallback= --fallback-only --fallback-readonly "
                    "--forward-signals[=] --mount= --mount-format= --mount-max-reads= --mount-template= "
                    "--name-transformer= --no-cache --no-exit-on-write-failure --no-fallback --only-secrets= "
                    "--passphrase= --preserve-env[=] --secret-config= --static --watch -h,--help"
                ),
                syntax="exact",
                starts=Starts(optional=True, loose=True),
                effects="network",
            ),
        ),
    ),
    Program(
        "aws-vault",
        options=("--backend= --debug --keychain= --pass-dir= --pass-cmd= --pass-prefix= --prompt= --file-dir="),
        syntax="exact shared",
        subcommands=(
            Program(
                "exec",
                options=(
                    "-d,--duration= --ec2-server -e --ecs-server -j,--json --lazy -n,--no-session --region= "
                    "-s,--server --stdout --format= -t,--mfa-token="
                ),
                syntax="exact",
                starts=Starts(operands=1, optional=True, loose=True),
                effects="network",
            ),
        ),
    ),
)
"""They start the command here and now, with other limits, another environment, again and again."""

ISOLATED = (
    Program(
        "unshare",
        options=(
            "-m --mount[=] -u --uts[=] -i --ipc[=] -n --net[=] -p --pid[=] -U --user[=] -C --cgroup[=] -T "
            "--time[=] -r,--map-root-user -c,--map-current-user -f,--fork -R,--root=enter -w,--wd=enter "
            "-S,--setuid= -G,--setgid= -l,--load-interp= --boottime= --forward-signals --keep-caps "
            "--kill-child[=] --map-auto --map-group= --map-groups= --map-subids --map-user= --map-users= "
            "--monotonic= --mount-binfmt[=] --mount-proc[=] --propagation= --setgroups= --owner="
        ),
        inert=_HELP,
        starts=_SHELL,
        effects="none",
    ),
    Program(
        "prlimit",
        options=(
            "-c,--core[=] -d,--data[=] -e,--nice[=] -f,--fsize[=] -i,--sigpending[=] -l,--memlock[=] "
            "-m,--rss[=] -n,--nofile[=] -q,--msgqueue[=] -r,--rtprio[=] -s,--stack[=] -t,--cpu[=] "
            "-u,--nproc[=] -v,--as[=] -x,--locks[=] -y,--rttime[=] -o,--output= -p,--pid=+system --noheadings --raw "
            "--verbose"
        ),
        inert=_HELP,
        starts=_ANY,
        effects="none",
    ),
    Program("sandbox-exec", options="-f=read -n= -p= -D=", starts=_ONE, effects="none"),
    Program(
        "daemonize", options="-a -v -c=enter -e= -E= -o= -p= -u= -l=", starts=_ONE, effects="write system", can="later"
    ),
    Program("multitime", options="-I= -f= -l -n= -s= -r= -q -v -i= -o=", starts=_ONE),
    Program("timelimit", options="-p -q -S= -s= -T= -t=", starts=_ONE, effects="none"),
    Program("nq", options="-c -q", starts=_ONE, effects="write", can="later"),
    Program(
        "abduco",
        options="-f -p -q -r -e= -v -l",
        inert="-a=",
        starts=Starts(operands=1, optional=True),
        effects="system",
        can="later",
    ),
    Program(
        "summon",
        options="-e= -f=read --up --ignore= --ignore-all -D= --provider=",
        starts=Starts(loose=True),
        effects="read network",
        can="secrets",
    ),
    Program(
        "chamber",
        options="--backend= --retries= -v,--verbose",
        syntax="exact shared",
        subcommands=(
            Program(
                "exec",
                options="--pristine --strict --strict-value=",
                starts=Starts(operands=ALL, optional=True, loose=True),
                effects="network",
            ),
        ),
        can="secrets",
    ),
    Program(
        "sops",
        options="--aws-profile= -v,--verbose --pristine --background --user= --same-process --no-fifo --filename=",
        syntax="open shared",
        subcommands=(
            Program(
                "exec-env",
                aliases="exec-file",
                starts=Starts(operands=1, lone=True, joined=True, loose=True),
                effects="read network",
            ),
        ),
        can="secrets",
    ),
    Program(
        "softlimit",
        aliases="s6-softlimit",
        options="-H -h -a= -c= -d= -f= -l= -m= -o= -p= -r= -s= -t=",
        starts=_ONE,
        effects="none",
    ),
    Program(
        "chpst",
        options=(
            "-u=+system -U=+system -b= -e=read -/= -n= -l=+write -L=+write -m= -d= -o= -p= -f= -c= -r= -s= -t= -v -V "
            "-P -0 -1 -2 -C= -a="
        ),
        starts=_ONE,
        effects="none",
    ),
    Program("envdir", operands="read data*", starts=Starts(operands=1), effects="read"),
    Program(
        "s6-envdir", options="-I -i -n -f -L -c=", operands="read data*", starts=Starts(operands=1), effects="read"
    ),
    Program(
        "pgrphack",
        aliases="s6-setsid s6-fghack s6-background with-contenv",
        options="-b -d= -f -g -i -I",
        starts=_ONE,
        effects="none",
    ),
    Program(
        "setlock", options="-nNxX", operands="write data*", starts=Starts(operands=1), traits="writes", effects="write"
    ),
    Program(
        "s6-setlock",
        options="-nNrw -t= -d=",
        operands="write data*",
        starts=Starts(operands=1),
        traits="writes",
        effects="write",
    ),
    Program("tini", options="-gsvw -e= -p=", inert="-h -l --version", starts=_ONE, effects="none"),
    Program(
        "catatonit",
        aliases="tini-static",
        options="-Pgsvw -e= -p=",
        inert="-h -l -L -V --version",
        starts=_ONE,
        effects="none",
    ),
    Program(
        "dumb-init", options="-c,--single-child -r,--rewrite= -v,--verbose", inert=_HELP, starts=_ONE, effects="none"
    ),
    Program(
        "systemd-run",
        options=(
            "--user --system --scope -u,--unit= --description= --slice= --slice-inherit --expand-environment= "
            "-r,--remain-after-exit --send-sighup --service-type= --uid= --gid= --nice= "
            "--working-directory=enter -d,--same-dir --background= -t,--pty -P,--pipe -q,--quiet --job-mode= "
            "-v,--verbose --on-active= --on-boot= --on-startup= --on-unit-active= --on-unit-inactive= "
            "--on-calendar= --on-timezone-change --on-clock-change --path-property= --timer-property= "
            "--no-ask-password --no-block --wait -G,--collect --ignore-failure --json="
        ),
        runs=(
            "-p,--property=RESOURCE --socket-property= -E,--setenv=ASSIGNMENT -H,--host= -M,--machine= "
            "--root-directory="
        ),
        inert="-h,--help --version",
        shells="-S,--shell",
        starts=_ANY,
        effects="system",
        can="later",
    ),
    Program(
        "systemd-inhibit",
        options="--what= --who= --why= --mode= --no-ask-password --no-legend --no-pager",
        inert="--list!read -h,--help --version",
        starts=_ONE,
        effects="system",
    ),
    Program(
        "systemd-cat",
        options="-t,--identifier= -p,--priority= --stderr-priority= --level-prefix= --namespace=",
        inert="-h,--help --version",
        starts=_ANY,
        effects="write",
    ),
    Program(
        "systemd-socket-activate",
        options="-l,--listen= -a,--accept -d,--datagram --seqpacket --inetd --fdname= --now",
        runs="-E,--setenv=ASSIGNMENT",
        inert="-h,--help --version",
        starts=_ONE,
        effects="network",
        can="network",
    ),
    Program(
        "systemd-nspawn",
        starts=Starts(anywhere=True),
        traits="opaque interprets mounts",
        effects="system",
        can="containers; root",
    ),
    Program("cgexec", options="-g= --sticky -b", inert="-h,--help", starts=_ONE, effects="system"),
    Program(
        "dbus-launch",
        options=(
            "--autolaunch[=] --auto-syntax --binary-syntax --close-stderr --csh-syntax --exit-with-session "
            "--exit-with-x11 --sh-syntax"
        ),
        runs="--config-file=",
        inert="--help --version",
        syntax="exact",
        starts=_ANY,
        effects="system",
    ),
    Program(
        "dbus-run-session",
        runs="--config-file= --dbus-daemon=",
        inert="--help --version",
        starts=_ONE,
        effects="system",
    ),
    Program(
        "ssh-agent",
        options="-c -D -d -E= -O= -s -t= -T",
        writes="-a=",
        runs="-P=",
        inert="-k",
        starts=_ANY,
        effects="system",
        can="secrets",
    ),
    Program(
        "numactl",
        options=(
            "-a,--all -b,--balancing -C,--physcpubind= -c,--cpubind= -i,--interleave= -l,--localalloc "
            "-m,--membind= -N,--cpunodebind= -P,--preferred-many= -p,--preferred= -w,--weighted-interleave= "
            "--verify"
        ),
        writes=(
            "-f,--file= -S,--shm= -I,--shmid= -L,--length= -M,--shmmode= -o,--offset= -t,--strict -T,--touch -u,--huge"
        ),
        inert="-s,--show -H,--hardware -d,--dump -D,--dump-nodes",
        starts=_ANY,
        effects="none",
    ),
    Program(
        "fakeroot",
        options="-u,--unknown-is-real -i=read -b,--fd-base=",
        writes="-s=",
        runs="-l,--lib= -f,--faked=",
        inert="-h,--help -v,--version",
        starts=_SHELL,
        effects="none",
    ),
    Program(
        "fakechroot",
        options="-s,--use-system-libs",
        runs="-l,--lib= -d,--elfloader= -e,--environment= -c,--config-dir= -b,--bindir=",
        inert="-h,--help -v,--version",
        starts=_SHELL,
        effects="none",
    ),
    Program(
        "proot",
        options=(
            "-0,--root-id -b,--bind,-m,--mount= -i,--change-id= -k,--kernel-release= -R= -r,--rootfs= -S= "
            "-v,--verbose= -w,--pwd,--cwd=enter -l,--link2symlink -p,--port= -n,--netcoop --kill-on-exit"
        ),
        runs="-q,--qemu=",
        inert="-h,--help,--usage -V,--version,--about",
        starts=_SHELL,
        effects="none",
    ),
    Program(
        "schroot",
        options=(
            "-a,--all --all-chroots --all-sessions --all-source-chroots -c,--chroot= -d,--directory=enter "
            "--exclude-aliases -f,--force -n,--session-name= -o,--option= -p,--preserve-environment "
            "-q,--quiet -r,--run-session --automatic-session -u,--user= -v,--verbose"
        ),
        runs="-s,--shell=SHELL",
        inert=(
            "-b,--begin-session --recover-session -e,--end-session -i,--info -l,--list --config --location "
            "-h,--help -V,--version"
        ),
        starts=_SHELL,
        effects="system",
    ),
    Program(
        "bwrap",
        options=(
            "--add-seccomp-fd= --argv0= --as-pid-1 --assert-userns-disabled --bind== --bind-data== "
            "--bind-fd== --bind-try== --block-fd= --cap-add= --cap-drop= --chdir= --chmod== --clearenv --dev= "
            "--dev-bind== --dev-bind-try== --die-with-parent --dir= --disable-userns --exec-label= --file== "
            "--file-label= --gid= --hostname= --info-fd= --json-status-fd= --level-prefix --lock-file= "
            "--mqueue= --new-session --not-a-security-boundary --overlay=== --overlay-src= --perms= --pidns= "
            "--proc= --remount-ro= --ro-bind== --ro-bind-data== --ro-bind-fd== --ro-bind-try== --ro-overlay= "
            "--seccomp= --share-net --size= --symlink== --sync-fd= --tmp-overlay= --tmpfs= --uid= "
            "--unsetenv= --unshare-all --unshare-cgroup --unshare-cgroup-try --unshare-ipc --unshare-net "
            "--unshare-pid --unshare-user --unshare-user-try --unshare-uts --userns= --userns-block-fd= "
            "--userns2="
        ),
        runs="--args= --setenv==",
        inert="--help --version",
        syntax="exact",
        starts=_ANY,
        effects="none",
    ),
    Program(
        "firejail",
        options="--* -c -?",
        writes=("--build[=] --dbus-log[=] --mkdir[=] --mkfile[=] --output[=] --output-stderr[=] --trace[=]"),
        runs="--env[=ASSIGNMENT] --get[=] --include[=] --put[=] --shell[=]",
        syntax="exact",
        starts=_SHELL,
    ),
    Program(
        "flatpak-spawn",
        options=(
            "-v,--verbose --clear-env --directory=enter --env-fd= --forward-fd= --latest-version --no-network "
            "--sandbox --sandbox-expose= --sandbox-expose-path= --sandbox-expose-path-ro= "
            "--sandbox-expose-ro= --sandbox-flag= --share-pids --unset-env= --watch-bus"
        ),
        runs="--env=ASSIGNMENT --host",
        inert="-h,--help",
        starts=_ONE,
    ),
    Program(
        "flatpak",
        subcommands=(
            Program(
                "run",
                options=(
                    "--branch= --arch= --command=PROGRAM --cwd=enter --nosocket= --unshare= -d,--devel "
                    "-p,--die-with-parent"
                ),
                runs="--device= --env= --filesystem= --share= --socket= --talk-name= --own-name= --system-talk-name=",
                syntax="exact",
                starts=Starts(operands=1, optional=True, loose=True),
                effects="code",
            ),
        ),
        names_by=1,
        can="installs",
    ),
    Program("proxychains", aliases="proxychains4", options="-q -f=read", starts=_ONE, effects="network"),
    Program(
        "torsocks",
        aliases="torify",
        options="-a,--address= -d,--debug -i,--isolate -P,--port= -p,--pass= -q,--quiet -u,--user=",
        inert="-h,--help --version on off show",
        shells="--shell",
        starts=_ANY,
        effects="network",
    ),
    Program("tsocks", starts=_ANY, effects="network"),
    Program("trickle", options="-s -v -d= -L= -l= -n= -P= -t= -u= -w=", inert="-h -V", starts=_ONE, effects="none"),
    Program("sshpass", options="-e -v -d= -f=read -P= -p=", inert="-h -V", starts=_ONE, effects="none", can="secrets"),
    Program(
        "start-stop-daemon",
        options=(
            "-S,--start -b,--background -C,--no-close -c,--chuid= -d,--chdir=enter -g,--group= -I,--iosched= "
            "-k,--umask= -m,--make-pidfile -N,--nicelevel= -n,--name= --notify-await --notify-timeout= "
            "-o,--oknodo -P,--procsched= -p,--pidfile= --pid= --ppid= -q,--quiet -R,--retry= --remove-pidfile "
            "-r,--chroot= -s,--signal= -u,--user= -v,--verbose -x,--exec=PROGRAM -a,--startas=PROGRAM "
            "-1,--stdout= -2,--stderr= -e,--env= -i,--interpreted -w,--wait= --progress"
        ),
        writes="-O,--output=NOWHERE",
        inert="-K,--stop -T,--status -t,--test -H,--help -V,--version",
        starts=_ANY,
        effects="system",
        can="services",
    ),
    Program(
        "daemon",
        options=(
            "-A,--attempts= -a,--acceptable= -B,--bind -c,--core -D,--chdir=enter -d,--debug[=] -E,--stderr= "
            "-f,--foreground -i,--inherit --idiot --ignore-eof -L,--delay= -M,--limit= -m,--umask= "
            "-N,--noconfig --nocore -n,--name= -O,--stdout= -o,--output= -P,--pidfiles= -p,--pty[=] "
            "-R,--chroot= --read-eof -r,--respawn -S,--safe --signal= -U,--unsafe -u,--user= -v,--verbose[=] "
            "-X,--command=TEXT"
        ),
        writes="-b,--dbglog= -F,--pidfile= -l,--errlog=",
        runs="-C,--config= -e,--env=ASSIGNMENT",
        inert="--list --restart --running --stop -h,--help -V,--version",
        starts=_ANY,
        effects="write system",
        can="later",
    ),
    Program(
        "dtach",
        options="-E -z -e= -r=",
        writes="-A= -c= -n= -N=",
        inert="-a= -p=",
        starts=_ANY,
        effects="system",
        can="later",
    ),
    Program(
        "tsp",
        aliases="ts",
        options="-BdEfgmn -D= -L= -N=",
        inert="-C -c -h -i -K -k -l -o -p -r -S -s -t -U -u -V -w",
        starts=_ANY,
        effects="system",
        can="later",
    ),
    Program(
        "pueue",
        options="-v,--verbose -c,--config= -p,--profile= --color=",
        syntax="exact shared",
        subcommands=(
            Program(
                "add",
                options=(
                    "-a,--after= -d,--delay= -e,--escape -g,--group= -i,--immediate -l,--label= -o,--priority= "
                    "-p,--print-task-id -s,--stashed -u,--follow -w,--working-directory=enter"
                ),
                syntax="exact",
                starts=Starts(joined=True, unless="-e"),
                effects="system",
            ),
            Program("edit", traits="opaque", effects="code"),
        ),
        names_by=1,
        can="later: add; ends: kill",
    ),
    Program("wine", aliases="wine64", inert="--help --version", starts=_ANY, effects="code"),
    Program(
        "winpty",
        options="-X* --mouse --showkey --debug-bridge",
        inert="-h,--help --version",
        starts=_ANY,
        effects="none",
    ),
    Program(
        "xvfb-run",
        options=(
            "-a,--auto-servernum -l,--listen-tcp -n,--server-num= -p,--xauth-protocol= -s,--server-args= -w,--wait="
        ),
        writes="-e,--error-file=NOWHERE -f,--auth-file=",
        inert="-h,--help",
        starts=_ANY,
        effects="write",
    ),
    Program(
        "busybox",
        aliases="coreutils toybox uutils",
        writes="--install",
        runs="--coreutils-prog=PROGRAM --coreutils-prog-shebang=",
        inert="--help --list --list-full --show=",
        starts=_ANY,
        effects="none",
    ),
    Program("ld.so", aliases="ld64.so ld-linux* ld-musl*", starts=Starts(anywhere=True, optional=True), effects="code"),
    Program(
        "arch",
        options="-32 -64 -arm64 -arm64e -x86_64 -i386 -c -h -arch= -d= -help -version",
        runs="-e=ASSIGNMENT",
        syntax="words",
        starts=_ANY,
        effects="none",
    ),
    Program("setarch", starts=Starts(anywhere=True, optional=True), effects="none"),
    Program(
        "linux32",
        aliases="linux64 i386 i486 i586 i686 x86_64 uname26",
        options=_PERSONALITY,
        inert="--list -h,--help -V,--version",
        starts=_SHELL,
        effects="none",
    ),
)
"""They start it elsewhere: apart from other processes, as a service, on another terminal."""

WATCHED = (
    Program(
        "strace",
        options=(
            "-a,--columns= -b,--detach-on= -C,--summary -c,--summary-only -D --daemonize[=] -d,--debug -e= -F "
            "-f,--follow-forks -I,--interruptible= -i,--instruction-pointer -k --stack-traces[=] -N "
            "-n,--syscall-number -O,--summary-syscall-overhead= -P,--trace-path= -p,--attach=+system -q "
            "--quiet,--silent,--silence[=] -r --relative-timestamps[=] -S,--summary-sort-by= "
            "-s,--string-limit= -T --syscall-times[=] -t --absolute-timestamps,--timestamps[=] "
            "-U,--summary-columns= -u,--user= -v,--no-abbrev -w,--summary-wall-clock -X,--const-print-style= "
            "-x --strings-in-hex[=] -Y -y --decode-fds[=] -Z,--failed-only -z,--successful-only --abbrev= "
            "--always-show-pid --arg-names --argv0= --decode-pids= --fault= --inject= --kvm= "
            "--output-separately --pidns-translation --raw= --read= --seccomp-bpf --signal= "
            "--stack-trace-frame-limit= --status= --syscall-limit= --tips[=] --trace= --trace-fds= --verbose= "
            "--write="
        ),
        writes="-A,--output-append-mode -o,--output=TRACE+write+code",
        runs="-E,--env=ASSIGNMENT",
        inert="-h,--help -V,--version",
        starts=_ANY,
        effects="read",
        can="code",
    ),
    Program(
        "ltrace",
        options=(
            "-A= -a,--align= -b,--no-signals -C,--demangle -c -D,--debug= -e= -f -g -i -L -l,--library= "
            "-n,--indent= -p=+system -r -S -s= -T -t -u= -w,--where= -x="
        ),
        writes="-o,--output=NOWHERE",
        runs="-F,--config=",
        inert="-h,--help -V,--version",
        starts=_ANY,
        effects="read",
        can="code",
    ),
    Program(
        "perf",
        options="-p,--paginate -v,--version -h,--help --no-pager --list-cmds --list-opts --debug=",
        runs="--exec-path[=] --buildid-dir= --debugfs-dir= --html-path",
        syntax="exact",
        subcommands=(
            Program(
                "stat",
                options=(
                    "-A,--no-aggr -a,--all-cpus -B,--big-num -C,--cpu= -D,--delay= -d,--detailed -e,--event= "
                    "-G,--cgroup= -I,--interval-print= -i,--no-inherit -M,--metrics= -n,--null -p,--pid= -r,--repeat= "
                    "-S,--sync -T,--transaction -t,--tid= -v,--verbose -x,--field-separator= --all-kernel --all-user "
                    "--append --filter= --for-each-cgroup= --interval-clear --interval-count= --log-fd= --metric-only "
                    "--metric-no-group --metric-no-merge --no-csv-summary --no-merge --no-scale --per-core --per-die "
                    "--per-node --per-socket --per-thread --quiet --summary --table --td-level= --timeout= --topdown "
                    "--no-big-num"
                ),
                writes="-o,--output=NOWHERE",
                runs="-b,--bpf-prog= --post= --pre= --control= --bpf-counters --bpf-attr-map=",
                syntax="exact",
                starts=_ANY,
                effects="read",
            ),
            Program(
                "record",
                options=(
                    "-a,--all-cpus -B,--no-buildid -b,--branch-any -C,--cpu= -c,--count= -D,--delay= -d,--data "
                    "-e,--event= -F,--freq= -G,--cgroup= -g -I,--intr-regs[=] -i,--no-inherit -j,--branch-filter= "
                    "-k,--clockid= -m,--mmap-pages= -N,--no-buildid-cache -n,--no-samples -P,--period -p,--pid= "
                    "-q,--quiet -R,--raw-samples -r,--realtime= -S,--snapshot[=] -s,--stat -T,--timestamp -t,--tid= "
                    "-u,--uid= -v,--verbose -W,--weight -z,--compression-level[=] --all-cgroups --all-kernel "
                    "--all-user --buildid-all --call-graph= --exclude-perf --filter= --group --kernel-callchains "
                    "--max-size= --namespaces --no-buffering --off-cpu --per-thread --phys-data --sample-cpu "
                    "--strict-freq --switch-events --transaction --user-callchains --user-regs[=]"
                ),
                writes="-o,--output=NOWHERE",
                runs="--clang-path= --clang-opt= --vmlinux= --control=",
                syntax="exact",
                starts=_ANY,
                effects="read write",
            ),
            Program(
                "trace",
                options=(
                    "-a,--all-cpus -C,--cpu= -D,--delay= -e,--expr,--event= -F,--pf= -f,--force -G,--cgroup= "
                    "-i,--input= -m,--mmap-pages= -p,--pid= -S,--with-summary -s,--summary -T,--time -t,--tid= "
                    "-u,--uid= -v,--verbose --call-graph= --comm --duration= --errno-summary --failure --filter= "
                    "--kernel-syscall-graph --max-events= --max-stack= --min-stack= --no-inherit --print-sample "
                    "--sched --syscalls --tool_stats"
                ),
                writes="-o,--output=NOWHERE",
                syntax="exact",
                starts=_ANY,
                effects="read",
            ),
            *(
                Program(name, traits="opaque")
                for name in ("c2c", "ftrace", "kmem", "kvm", "kwork", "lock", "mem", "sched")
            ),
            *(Program(name, traits="opaque") for name in ("script", "timechart", "bench", "test", "daemon", "config")),
            Program("report", runs="--objdump= --addr2line= --disassembler-style= -k,--vmlinux=", syntax="open"),
            Program("annotate", runs="--objdump= --addr2line= -k,--vmlinux=", syntax="open"),
        ),
        names_by=1,
        can="code",
    ),
    Program(
        "valgrind",
        options="--* -d -q -s -v",
        writes=(
            "--bb-out-file[=] --cachegrind-out-file[=] --callgrind-out-file[=] --dhat-out-file[=] "
            "--log-file[=NOWHERE] --massif-out-file[=] --pc-out-file[=] --vgdb-prefix[=] --xml-file[=NOWHERE] "
            "--xtree-leak-file[=] --xtree-memory-file[=]"
        ),
        runs="--db-command[=] --dsymutil[=] --log-socket[=] --tool[=VALGRIND] --xml-socket[=]",
        inert="-h --help --help-debug --help-dyn-options --version",
        syntax="exact",
        starts=_ANY,
        effects="read write code",
        can="code",
    ),
    Program(
        "gdb",
        aliases="gdbtui gdb-multiarch rust-gdb",
        options=(
            "-q,-quiet,-silent -n,-nx -nh -batch -batch-silent -return-child-result -nw,-nowindows "
            "-w,-windows -b= -l= -tty= -c,-core= -p,-pid= -s,-symbols= -d,-directory= -write -fullname "
            "-annotate= -help,-h -version,-v -configuration -readnow -readnever -tui -interpreter= -i= -args"
        ),
        runs=(
            "-x,-command= -ex,-eval-command= -ix,-init-command= -iex,-init-eval-command= "
            "-eix,-early-init-command= -eiex,-early-init-eval-command= -e,-exec= -se= -cd= -data-directory= "
            "-D="
        ),
        syntax="words",
        starts=_ANY,
        traits="embeds wide",
        effects="code",
        can="code",
    ),
    Program("lldb", aliases="rust-lldb", operands="read*", traits="embeds wide opaque", effects="code", can="code"),
    Program("gdbserver", starts=Starts(anywhere=True), traits="opaque", effects="code network", can="code; network"),
    Program("rr", starts=Starts(anywhere=True), traits="opaque", effects="code", can="code"),
    Program(
        "heaptrack",
        options="-d,--debug -r,--raw --record-only",
        writes="-o,--output=",
        runs="-p,--pid= -a,--analyze= -i,--interpret= --use-inject",
        inert="-h,--help -v,--version",
        starts=_ONE,
        effects="write",
        can="code",
    ),
    Program("bpftrace", operands="read*", traits="opaque", effects="code system", can="root; code"),
)
"""They look at what they start."""

PROGRAMS = (*ROOT, *PLAIN, *ISOLATED, *WATCHED)
