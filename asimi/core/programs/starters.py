"""Programs that are there to start the command in their arguments."""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts

PROGRAMS = (
    Program(
        "sudo",
        options=(
            "-A -b -B -E -e -H -K -k -l -N -n -P -S -V -v -a= -C= -c= -D= -g= -h= -p= -R= -r= -T= -t= -U= -u= "
            "--askpass --background --bell --preserve-env[=] --edit --set-home --remove-timestamp "
            "--reset-timestamp --list --no-update --non-interactive --preserve-groups --stdin --validate --help "
            "--version --auth-type= --close-from= --login-class= --chdir= --group= --host= --prompt= --chroot= "
            "--role= --command-timeout= --type= --other-user= --user="
        ),
        shells="-i -s --login --shell",
        starts=Starts(assignments=True, optional=True),
        can="root",
    ),
    Program("doas", options="-n -L -u= -C= -a=", shells="-s", starts=Starts(optional=True), can="root"),
    Program(
        "su",
        options=(
            "-l -f -m -p -P -h -V -g= -G= -s= -w= -T= --login --fast --preserve-environment --pty --group= "
            "--supp-group= --shell= --whitelist-environment= -c=TEXT --command=TEXT --session-command=TEXT"
        ),
        starts=Starts(operands=9, optional=True),
        can="root",
    ),
    Program(
        "runuser",
        options=(
            "-l -f -m -p -P -h -g= -G= -s= -w= -T= -u= --login --fast --preserve-environment --pty --group= "
            "--supp-group= --shell= --user= -c=TEXT --command=TEXT --session-command=TEXT"
        ),
        starts=Starts(optional=True),
        can="root",
    ),
    Program(
        "pkexec", options="--disable-internal-agent --help --version --user=", starts=Starts(optional=True), can="root"
    ),
    Program(
        "env",
        options=(
            "-i -0 -v -u= -C= -a= --ignore-environment --null --debug --list-signal-handling --block-signal "
            "--default-signal --ignore-signal --unset= --chdir= --argv0= -S=SPLIT --split-string=SPLIT -"
        ),
        inert="--help --version",
        starts=Starts(assignments=True, optional=True),
        can="reads",
    ),
    Program("nice", options="-n= --help --version --adjustment= -#", starts=Starts(optional=True), can="reads"),
    Program("nohup", options="--help --version", starts=Starts(), can="reads"),
    Program(
        "ionice",
        options="-t -h -V -c= -n= -p= -P= -u= --ignore --help --version --class= --classdata= --pid=",
        starts=Starts(optional=True),
        can="reads",
    ),
    Program(
        "chrt",
        options=(
            "-a -b -f -i -o -r -R -v -d -h -V -T= -P= -D= -p= --all-tasks --batch --deadline --fifo --idle "
            "--other --rr --reset-on-fork --verbose --sched-runtime= --sched-period= --sched-deadline="
        ),
        starts=Starts(operands=1),
    ),
    Program(
        "taskset",
        options="-a -c -h -V -p= --all-tasks --cpu-list --help --version",
        starts=Starts(operands=1, optional=True),
    ),
    Program(
        "timeout",
        options=("-f -p -v -k= -s= --foreground --preserve-status --verbose --help --version --kill-after= --signal="),
        starts=Starts(operands=1),
        can="reads",
    ),
    Program(
        "time",
        options="-p -a -v -q -V -f= --portability --append --verbose --quiet --help --version --format=",
        writes="-o= --output=",
        starts=Starts(optional=True),
        can="reads",
    ),
    Program("stdbuf", options="-i= -o= -e= --help --version --input= --output= --error=", starts=Starts(), can="reads"),
    Program("setsid", options="-c -f -w -h -V --ctty --fork --wait --help --version", starts=Starts()),
    Program(
        "flock",
        options=(
            "-s -x -e -u -n -o -F -v -h -V -w= -E= --shared --exclusive --unlock --nonblock --nb --close "
            "--no-fork --verbose --help --version --timeout= --wait= --conflict-exit-code= -c=TEXT --command=TEXT"
        ),
        starts=Starts(operands=1, optional=True),
    ),
    Program(
        "xargs",
        options=(
            "-0 -o -p -r -t -x -a= -d= -E= -I= -i[=] -L= -l[=] -n= -P= -s= --null --open-tty --interactive "
            "--no-run-if-empty --verbose --exit --show-limits --eof[=] --replace[=] --max-lines[=] --help "
            "--version --arg-file= --delimiter= --max-args= --max-procs= --max-chars= --process-slot-var="
        ),
        starts=Starts(placeholder=True, optional=True),
        traits="takes",
        can="reads",
    ),
    Program(
        "parallel",
        options=(
            "-0 -k -m -q -r -t -u -v -X -z -a= -C= -d= -E= -I= -j= -L= -l= -N= -n= -P= -S= -s= -U= --bar --eta "
            "--progress --dry-run --keep-order --line-buffer --null --no-notice --quote --tag --ungroup --verbose "
            "--will-cite --xargs --silent --citation --jobs= --arg-file= --colsep= --delay= --halt= --joblog= "
            "--max-args= --max-procs= --max-lines= --retries= --results= --timeout= --workdir= --tmpdir= "
            "--arg-sep= --memfree= --load="
        ),
        starts=Starts(joined=True, optional=True),
        traits="takes",
        can="code",
    ),
    Program(
        "watch",
        options=(
            "-b -c -d -e -g -p -r -t -w -x -h -v -n= -q= -s= --beep --color --no-color --errexit --chgexit "
            "--precise --no-rerun --no-title --no-wrap --exec --differences --help --version --interval= "
            "--equexit= --shotsdir="
        ),
        starts=Starts(joined=True),
    ),
    Program(
        "chroot",
        options="--skip-chdir --groups= --userspec=",
        inert="--help --version",
        starts=Starts(operands=1, optional=True),
        can="root",
    ),
    Program(
        "unshare",
        options=(
            "-m -u -i -n -p -U -C -T -r -c -f -R -S= -G= -w= -l= --mount --uts --ipc --net --pid --user --cgroup "
            "--time --fork --map-root-user --map-current-user --mount-proc --kill-child --keep-caps --root= --wd= "
            "--setuid= --setgid= --propagation= --setgroups= --map-user= --map-group="
        ),
        starts=Starts(optional=True),
    ),
    Program(
        "nsenter",
        options=(
            "-a -m -u -i -n -p -U -C -T -r -w -F -Z -t= -S= -G= --all --mount --uts --ipc --net --pid --user "
            "--cgroup --preserve-credentials --no-fork --target= --setuid= --setgid="
        ),
        starts=Starts(optional=True),
        can="root",
    ),
    Program(
        "setpriv",
        options=(
            "-d -h -V --dump --nnp --no-new-privs --clear-groups --keep-groups --init-groups --reset-env "
            "--ambient-caps= --inh-caps= --bounding-set= --ruid= --euid= --rgid= --egid= --reuid= --regid= "
            "--groups= --securebits= --pdeathsig= --selinux-label= --apparmor-profile="
        ),
        starts=Starts(optional=True),
        can="root",
    ),
    Program(
        "prlimit",
        options=(
            "-h -V -p= -o= --noheadings --raw --verbose --core --cpu --data --fsize --nofile --nproc --rss "
            "--stack --as --memlock --locks --pid= --output="
        ),
        starts=Starts(optional=True),
    ),
    Program(
        "systemd-run",
        options=(
            "-r -G -d -t -q -P -M -H= -M= -p= -u= -E= --user --system --scope --wait --pty --pipe --quiet "
            "--collect --no-block --remain-after-exit --same-dir --unit= --property= --description= --slice= "
            "--uid= --gid= --nice= --working-directory= --setenv= --on-active= --on-calendar="
        ),
        shells="-S --shell",
        starts=Starts(optional=True),
        can="later",
    ),
    Program("systemd-inhibit", options="--list --no-pager --what= --who= --why= --mode=", starts=Starts(optional=True)),
    Program(
        "dbus-launch",
        options="--sh-syntax --csh-syntax --auto-syntax --exit-with-session --exit-with-x11",
        starts=Starts(optional=True),
    ),
    Program("dbus-run-session", options="--config-file= --dbus-daemon=", starts=Starts()),
    Program(
        "script",
        options=(
            "-a -e -f -q -h -V -B= -E= -I= -O= -T= -m= -o= -t= --append --return --flush --force --quiet "
            "--log-io= --log-in= --log-out= --log-timing= --output-limit= -c=TEXT --command=TEXT"
        ),
        starts=Starts(operands=1, optional=True),
        traits="interprets",
    ),
    Program("expect", traits="interprets wide", can="code"),
    Program("unbuffer", options="-p", starts=Starts()),
    Program(
        "strace",
        options=(
            "-c -d -f -h -i -k -n -q -r -t -v -w -x -y -z -a= -b= -e= -p= -s= -u= --follow-forks --summary-only "
            "--summary --debug --quiet --no-abbrev --trace= --attach= --user= --columns= --string-limit="
        ),
        writes="-o= --output=",
        runs="-E --env=",
        starts=Starts(optional=True),
        can="code",
    ),
    Program(
        "ltrace",
        options=(
            "-c -C -f -h -i -L -r -S -t -T -V -a= -A= -b= -D= -e= -F= -l= -n= -o= -p= -P= -s= -u= -w= -x= -X= "
            "--demangle --follow --output="
        ),
        starts=Starts(),
        can="code",
    ),
    Program("perf", options="-a -g -v -e= -o= -F= -r= -p=", starts=Starts(operands=1, optional=True)),
    Program(
        "valgrind",
        options=(
            "-q -v -h -d --quiet --verbose --tool --leak-check --log-file --track-origins --error-exitcode "
            "--show-leak-kinds"
        ),
        starts=Starts(optional=True),
    ),
    Program(
        "gdb",
        aliases="rust-gdb",
        options="-q -n --batch --quiet --nx",
        runs=(
            "-x -c --command= --eval-command= --init-command= --init-eval-command= --args= --exec= -ex -ix -iex "
            "-command -eval-command"
        ),
        starts=Starts(optional=True),
        traits="embeds wide",
        can="code",
    ),
    Program(
        "numactl",
        options=(
            "-s -H -a -N= -m= -C= -p= -P= -i= --show --hardware --cpunodebind= --membind= --physcpubind= "
            "--preferred= --interleave= --localalloc="
        ),
        starts=Starts(optional=True),
    ),
    Program("softlimit", options="-a= -c= -d= -f= -m= -o= -r= -s= -t= -l=", starts=Starts(optional=True)),
    Program("logsave", options="-a -s -v", starts=Starts(operands=1)),
    Program("catchsegv", starts=Starts()),
    Program("nocache", options="-n=", starts=Starts()),
    Program(
        "fakeroot",
        options="-u -h -v -l= -i= -s= -b= --unknown-is-real --help --version --lib= --faked=",
        starts=Starts(optional=True),
    ),
    Program(
        "fakechroot",
        options="-s -d -l= -e= -c= -b= -v= --lib= --elfloader= --environment= --config-dir= --bindir=",
        starts=Starts(optional=True),
    ),
    Program("proot", options="-0 -l -h -v -V -r= -b= -w= -q= -i= -k=", starts=Starts(optional=True)),
    Program(
        "schroot",
        options=(
            "-b -r -e -p -q -c= -u= -d= -n= -s= --begin-session --run-session --end-session "
            "--preserve-environment --chroot= --user= --directory="
        ),
        starts=Starts(optional=True),
    ),
    Program(
        "firejail", options="--noprofile --private --net --quiet --seccomp --caps.drop", starts=Starts(optional=True)
    ),
    Program(
        "flatpak-spawn", options="-v --host --clear-env --watch-bus --verbose --env= --directory=", starts=Starts()
    ),
    Program("flatpak", can="installs"),
    Program("proxychains", aliases="proxychains4", options="-q -f=", starts=Starts()),
    Program("torsocks", aliases="torify", options="-i -q -a -d -u= -P= -p=", starts=Starts(optional=True)),
    Program("tsocks", starts=Starts(optional=True)),
    Program("trickle", options="-s -v -d= -u= -w= -t= -l= -L= -n= -N=", starts=Starts()),
    Program("sshpass", options="-e -v -d= -f= -p= -P=", starts=Starts()),
    Program(
        "start-stop-daemon",
        options=(
            "-S -K -T -b -o -m -t -v -q -C -x= -a= -p= -u= -n= -c= -g= -I= -k= -N= -s= -R= -d= -r= --start --stop "
            "--background --make-pidfile --exec= --startas= --pidfile= --chuid= --name= --chdir="
        ),
        starts=Starts(optional=True),
    ),
    Program("wine", starts=Starts(optional=True)),
    Program("winpty", starts=Starts(optional=True)),
    Program(
        "xvfb-run",
        options=(
            "-a -l -e= -n= -f= -p= -s= -w= --auto-servernum --listen-tcp --server-args= --server-num= "
            "--error-file= --auth-file= --wait="
        ),
        starts=Starts(optional=True),
    ),
    Program("busybox", aliases="toybox", options="--help --list --list-full", starts=Starts(optional=True)),
    Program("ld.so", aliases="ld64.so ld-linux* ld-musl*", starts=Starts(anywhere=True, optional=True)),
    Program("setarch", aliases="linux32 linux64", starts=Starts(anywhere=True, optional=True)),
    Program("cross-env", starts=Starts(assignments=True, optional=True, loose=True)),
    Program("dotenv", options="-o -e= -p=", starts=Starts(optional=True, loose=True)),
    Program("direnv", subcommands=(Program("exec", starts=Starts(operands=1, loose=True)),)),
    Program(
        "op",
        subcommands=(Program("run", options="--no-masking --env-file= --environment=", starts=Starts(loose=True)),),
    ),
    Program(
        "doppler", subcommands=(Program("run", options="--command=TEXT", starts=Starts(optional=True, loose=True)),)
    ),
    Program(
        "aws-vault",
        subcommands=(
            Program(
                "exec",
                options="-n -s -j -d= --no-session --server --json --duration= --region=",
                starts=Starts(operands=1, optional=True, loose=True),
            ),
        ),
    ),
)
