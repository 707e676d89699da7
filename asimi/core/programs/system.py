"""Programs that show or change this machine: processes, services, users, disks, the network's settings.

From the manuals of procps 4.0, psmisc 23.6, util-linux 2.38, systemd 252 (and 257), iproute2 6.1, net-tools 2.10,
iptables 1.8.9, nftables 1.0.6, cron 3.0, kmod 30, lsof 4.95, sysstat 12.6, tcpdump 4.99, shadow 4.13, lvm2 2.03,
coreutils 9.1, pciutils 3.9, usbutils 014, iotop 0.6, ufw 0.36.
"""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts

_EVERYWHERE = "--no-pager --no-ask-password --no-legend -q,--quiet -h,--help --version --user --system --json="
"""Options that the programs of systemd have in common."""

_ELSEWHERE = "-H,--host= -M,--machine="
"""Options by which they act through `ssh`, or in a container."""

_SELECTION = (
    "-A,--ignore-ancestors -c,--count -d,--delimiter= -e,--echo -f,--full -F,--pidfile=read -g,--pgroup= -G,--group= "
    "-i,--ignore-case -L,--logpidfile -n,--newest -o,--oldest -O,--older= -P,--parent= -r,--runstates= -s,--session= "
    "-t,--terminal= -u,--euid= -U,--uid= -v,--inverse -x,--exact --cgroup= --ns= --nslist= --signal= -q,--queue= "
    "-h,--help -V,--version"
)
_SIGNALS = "-HUP* -INT* -KILL* -QUIT* -SIG* -STOP* -TERM* -CONT* -USR* -#"

PROCESSES = (
    Program(
        "ps",
        options=(
            "-AadeNcFfjlMyTLmwxVvHr -C= -G,--Group= -g,--group= -O= -o,--format= -p,--pid= --ppid= -q,--quick-pid= "
            "-s,--sid= -t,--tty= -U,--User= -u,--user= -k,--sort= -# -P -Z,--context --cols,--columns,--width= "
            "--cumulative --deselect --forest --headers,--heading --info --lines,--rows= --no-headers,--no-heading "
            "--help[=] --version"
        ),
        operands="data*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "pstree",
        options=(
            "-a,--arguments -A,--ascii -c,--compact-not -C,--color= -g,--show-pgids -G,--vt100 -h,--highlight-all "
            "-H,--highlight-pid= -l,--long -n,--numeric-sort -N,--ns-sort= -p,--show-pids -s,--show-parents "
            "-S,--ns-changes -t,--thread-names -T,--hide-threads -u,--uid-changes -U,--unicode -V,--version "
            "-Z,--security-context"
        ),
        operands="data*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program("pwdx", options="-V,--version -h,--help", operands="data*", traits="looks", effects="read", can="reads"),
    Program("pidof", options="-scnqxz -d= -o=", operands="data*", traits="looks", effects="read", can="reads"),
    Program(
        "vmstat",
        options=(
            "-a,--active -f,--forks -m,--slabs -n,--one-header -s,--stats -d,--disk -D,--disk-sum -p,--partition= "
            "-S,--unit= -t,--timestamp -w,--wide -y,--no-first -V,--version -h,--help"
        ),
        operands="data*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "free",
        options=(
            "-b,--bytes -k,--kibi -m,--mebi -g,--gibi --tebi --pebi --kilo --mega --giga --tera --peta -h,--human "
            "-w,--wide -c,--count= -l,--lohi -s,--seconds= --si -t,--total -v,--committed --help -V,--version"
        ),
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "uptime", options="-p,--pretty -h,--help -s,--since -V,--version", traits="looks", effects="read", can="reads"
    ),
    Program(
        "iotop",
        options=(
            "-o,--only -b,--batch -n,--iter= -d,--delay= -p,--pid= -u,--user= -P,--processes -a,--accumulated "
            "-k,--kilobytes -t,--time -q,--quiet -h,--help --version"
        ),
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "tload",
        options="-s,--scale= -d,--delay= -h,--help -V,--version",
        operands="look",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "slabtop",
        options="-d,--delay= -s,--sort= -o,--once -V,--version -h,--help",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "top",
        options=(
            "-b,--batch -c,--cmdline-toggle -d,--delay= -E,--scale-summary-mem= -e,--scale-task-mem= -H,--threads-show "
            "-h,--help -i,--idle-toggle -n,--iterations= -O,--list-fields -o,--sort-override= -p,--pid= "
            "-S,--accum-time-toggle -s,--secure-mode -U,--filter-any-user= -u,--filter-only-euser= -V,--version "
            "-w,--width[=] -1,--single-cpu-toggle"
        ),
        effects="read",
        can="reads",
    ),
    Program("htop", aliases="btop atop", can="reads"),
    Program(
        "lsof",
        options=(
            "-aBbCEhHKlMNnOPQRtUVvXx -? -A= -c= -d= -e= -k= -p= -u= -F[=] -f[=] -g[=] -i[=] -L[=] -o[=] -r[=] "
            "-S[=] -s[=] -T[=] -Z[=] -z[=] +c= +d= +D= +E +f* +L* +M +r* +w -w"
        ),
        runs="-D= +m* -m*",
        operands="look*",
        syntax="exact",
        effects="read",
        can="reads",
    ),
    Program(
        "pgrep",
        options=_SELECTION + " -a,--list-full -l,--list-name -w,--lightweight",
        operands="data",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "kill",
        options=(
            "-s=+system -n=+system -l!none -L!none -q=+system -0!read -#+system -A*+system -B*+system -C*+system "
            "-F*+system -H*+system -I*+system -K*+system -P*+system -Q*+system -R*+system -S*+system -T*+system "
            "-U*+system -V*+system -W*+system -X*+system"
        ),
        operands="end*",
        traits="builtin wide",
        effects="none",
        can="ends",
    ),
    Program(
        "killall",
        options=(
            "-e,--exact -I,--ignore-case -g,--process-group -i,--interactive -l,--list!none -n,--ns= -o,--older-than= "
            "-q,--quiet -r,--regexp -s,--signal= -u,--user= -v,--verbose -V,--version -w,--wait -y,--younger-than= "
            f"-Z,--context= {_SIGNALS}"
        ),
        operands="data*",
        traits="wide",
        effects="system",
        can="ends",
    ),
    Program("pkill", options=f"{_SELECTION} {_SIGNALS}", operands="data", traits="wide", effects="system", can="ends"),
    Program("skill", aliases="snice", can="ends"),
    Program(
        "pmap",
        options=(
            "-A,--range= -c,--read-rc -d,--device -h,--help -k,--use-kernel-name -p,--show-path -q,--quiet "
            "-V,--version -X -x,--extended -C,--read-rc-from="
        ),
        writes="-N,--create-rc-to= -n,--create-rc",
        operands="data*",
        effects="read",
        can="reads",
    ),
    Program(
        "xkill", options="-display= -id= -button= -all -frame -version", syntax="words", effects="system", can="ends"
    ),
    Program(
        "fuser",
        options=(
            "-a,--all -c -f -I,--inode -l,--list-signals -m,--mount -M,--ismountpoint -n,--namespace= "
            "-s,--silent -u,--user -v,--verbose -V,--version -4,--ipv4 -6,--ipv6 -w -i,--interactive"
        ),
        writes="-k,--kill+system -#+system",
        operands="look*",
        effects="read",
        can="ends: -k",
    ),
    Program(
        "renice",
        options="-n,--priority= -g,--pgrp -p,--pid -u,--user -h,--help -V,--version -#",
        operands="data*",
        effects="system",
        can="services",
    ),
    Program("sleep", operands="data*", effects="none", can="waits"),
    Program("pidwait", options=_SELECTION, operands="data", effects="read", can="waits"),
)

_LISTED = "-b,--bytes -J,--json -n,--noheadings -o,--output= --output-all -r,--raw -h,--help -V,--version"
"""What the programs of util-linux that print tables have in common."""

MACHINE = (
    Program(
        "uname",
        options=(
            "-a,--all -s,--kernel-name -n,--nodename -r,--kernel-release -v,--kernel-version -m,--machine "
            "-p,--processor -i,--hardware-platform -o,--operating-system --help --version"
        ),
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program("whoami", options="--help --version", traits="looks", effects="read", can="reads"),
    Program(
        "id",
        options="-a -Z,--context -g,--group -G,--groups -n,--name -r,--real -u,--user -z,--zero --help --version",
        operands="data*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program("groups", options="--help --version", operands="data*", traits="looks", effects="read", can="reads"),
    Program("nproc", options="--all --ignore= --help --version", traits="looks", effects="read", can="reads"),
    Program(
        "lscpu",
        options=(
            "-a,--all -B,--bytes -b,--online -C,--caches[=] -c,--offline -e,--extended[=] -J,--json -p,--parse[=] "
            "-s,--sysroot=look -x,--hex -y,--physical --output-all -h,--help -V,--version"
        ),
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "lsmem",
        options=f"{_LISTED} -a,--all -P,--pairs -S,--split= -s,--sysroot=look --summary[=]",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "lsblk",
        options=(
            "-A,--noempty -a,--all -b,--bytes -D,--discard -d,--nodeps -E,--dedup= -e,--exclude= -f,--fs -I,--include= "
            "-i,--ascii -J,--json -l,--list -M,--merge -m,--perms -N,--nvme -n,--noheadings -o,--output= "
            "-O,--output-all -P,--pairs -p,--paths -r,--raw -S,--scsi -s,--inverse -T,--tree[=] -t,--topology "
            "-w,--width= -x,--sort= -y,--shell -z,--zoned --sysroot=look -h,--help -V,--version"
        ),
        operands="look*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "lsns",
        options=(
            "-J,--json -l,--list -n,--noheadings -o,--output= --output-all -p,--task= -r,--raw -t,--type= "
            "-u,--notruncate -W,--nowrap -T,--tree[=] -h,--help -V,--version"
        ),
        operands="data*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "lsipc",
        options=(
            "-i,--id= -g,--global -h,--help -V,--version -m,--shmems -q,--queues -s,--semaphores -c,--creator "
            "-e,--export -J,--json -l,--list -n,--newline --noheadings --notruncate -o,--output= -b,--bytes -r,--raw "
            "-t,--time --time-format= -P,--numeric-perms -y,--shell"
        ),
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "lsmod", options="-s,--syslog -v,--verbose -V,--version -h,--help", traits="looks", effects="read", can="reads"
    ),
    Program(
        "lspci",
        options="-mtvkxnbDPG -q+network+write -Q+network+write -s= -d= -i=read -p=read -F=read --version",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "lsusb",
        options="-v,--verbose -s= -d= -D=read -t,--tree -V,--version -h,--help",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "lslocks",
        options=f"{_LISTED} -i,--noinaccessible -p,--pid= -u,--notruncate",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "lslogins",
        options=(
            "-a,--acc-expiration --btmp-file=read -c,--colon-separate -e,--export -f,--failed -G,--supp-groups "
            "-g,--groups= -L,--last -l,--logins= -n,--newline --noheadings --notruncate -o,--output= --output-all "
            "-p,--pwd -r,--raw -s,--system-accs --time-format= -u,--user-accs -h,--help -V,--version "
            "--wtmp-file=read --lastlog=read -Z,--context -z,--print0"
        ),
        operands="data",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "modinfo",
        options=(
            "-0,--null -a,--author -b,--basedir=look -d,--description -F,--field= -k,--set-version= -l,--license "
            "-n,--filename -p,--parameters -V,--version -h,--help"
        ),
        operands="look*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "last",
        aliases="lastb",
        options=(
            "-a,--hostlast -d,--dns+network -f,--file=read -F,--fulltimes -i,--ip -n,--limit= -p,--present= "
            "-R,--nohostname -s,--since= -t,--until= --time-format= -w,--fullnames -x,--system -h,--help -V,--version "
            "-#"
        ),
        operands="data*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "w",
        options=("-h,--no-header -u,--no-current -s,--short -f,--from --help -i,--ip-addr -V,--version -o,--old-style"),
        operands="data",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "who",
        options=(
            "-a,--all -b,--boot -d,--dead -H,--heading --ips -l,--login --lookup+network -m -p,--process -q,--count "
            "-r,--runlevel -s,--short -t,--time -T,-w,--mesg,--message,--writable -u,--users --help --version"
        ),
        operands="read data",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program("users", options="--help --version", operands="read", traits="looks", effects="read", can="reads"),
    Program(
        "ipcs",
        options=(
            "-i,--id= -h,--help -V,--version -m,--shmems -q,--queues -s,--semaphores -a,--all -c,--creator -l,--limits "
            "-p,--pid -t,--time -u,--summary -b,--bytes --human"
        ),
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "mpstat", options="-AuVnT -I= -N= -P= -o= --dec=", operands="data*", traits="looks", effects="read", can="reads"
    ),
    Program(
        "iostat",
        options="-cdhkmNstVxyz -H -f=look +f=look -g= -j= -o= -p[=] --compact --dec= --human --pretty",
        operands="data*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program("tput", options="-SVx -T=", operands="data*", traits="looks", effects="read", can="reads"),
    Program("getconf", options="-a -v=", operands="data look", traits="looks", effects="read", can="reads"),
    Program(
        "locale",
        options=(
            "-a,--all-locales -m,--charmaps -c,--category-name -k,--keyword-name -v,--verbose -?,--help --usage "
            "-V,--version"
        ),
        operands="data*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program("sw_vers", traits="looks", effects="read", can="reads"),
    Program(
        "printenv", options="-0,--null --help --version", operands="data*", traits="looks", effects="read", can="reads"
    ),
    Program(
        "getent",
        options="-s,--service= -i,--no-idn -?,--help --usage -V,--version",
        subcommands=(
            Program(
                "passwd",
                aliases="group services protocols rpc shells initgroups",
                operands="data*",
                traits="looks",
                effects="read",
            ),
            Program(
                "hosts",
                aliases="ahosts ahostsv4 ahostsv6 networks netgroup",
                operands="data*",
                traits="looks",
                effects="read network",
            ),
        ),
        traits="looks",
        can="reads",
    ),
    Program("tty", options="-s,--silent,--quiet --help --version", traits="looks", effects="read", can="reads"),
    Program(
        "lsb_release",
        options="-h,--help -v,--version -i,--id -d,--description -r,--release -c,--codename -a,--all -s,--short",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program("hostid", options="--help --version", traits="looks", effects="read", can="reads"),
    Program(
        "hostname",
        options=(
            "-a,--alias+network -A,--all-fqdns+network -d,--domain+network -f,--fqdn,--long+network -h,--help "
            "-I,--all-ip-addresses -i,--ip-address+network -s,--short -V,--version -y,--yp,--nis"
        ),
        writes="-b,--boot+system -F,--file=+system",
        operands="HOSTNAME*",
        effects="read",
        can="reads",
    ),
    Program(
        "pidstat",
        options="-dHhIlRrstUuVvw -C= -G= -p= -T= --dec= --human",
        runs="-e",
        operands="data*",
        effects="read",
        can="reads",
    ),
    Program(
        "sar",
        options=(
            "-A -B -b -C -D -d -F[=] -H -h -I= -j= -m= -n= -P= -p -q[=] -r[=] -S -s= -e= -f= -i= -t -u[=] -V "
            "-v -W -w -y -x -z --dec= --dev= --fs= --help --human --iface= --int= --pretty --sadc"
        ),
        writes="-o=",
        operands="data*",
        effects="read",
        can="reads",
    ),
    Program(
        "blkid",
        options=(
            "-d,--no-encoding -i,--info -k,--list-filesystems -l,--list-one -p,--probe -u,--usages= -h,--help "
            "-V,--version -L,--label= -n,--match-types= -O,--offset= -S,--size= -s,--match-tag= "
            "-t,--match-token= -U,--uuid= -o,--output= -D,--no-part-details -H,--hint="
        ),
        writes="-c,--cache-file=NOWHERE -g,--garbage-collect -w=",
        operands="look*",
        effects="read",
        can="reads",
    ),
    Program(
        "lshw",
        options=(
            "-C,-class= -c= -sanitize -numeric -notime -quiet -short -json -xml -html -businfo -enable= "
            "-disable= -version -X"
        ),
        writes="-dump=",
        syntax="words",
        effects="read",
        can="reads",
    ),
    Program(
        "lastlog",
        options="-b,--before= -h,--help -R,--root= -t,--time= -u,--user=",
        writes="-C,--clear+system -S,--set+system",
        effects="read",
        can="reads",
    ),
    Program(
        "losetup",
        options=(
            "-a,--all -l,--list -j,--associated= -d,--detach= -D,--detach-all -f,--find[=] --show -L,--nooverlap "
            "-o,--offset= --sizelimit= -b,--sector-size= -c,--set-capacity= -P,--partscan -r,--read-only "
            "--direct-io[=] -v,--verbose -O,--output= --output-all -n,--noheadings --raw -J,--json"
        ),
        operands="data read",
        effects="system",
        can="disk",
    ),
    Program(
        "dmesg",
        options=(
            "-d,--show-delta -e,--reltime -F,--file=read -f,--facility= -H,--human -J,--json -k,--kernel "
            "-L,--color[=] -l,--level= --noescape -P,--nopager -p,--force-prefix -r,--raw -S,--syslog "
            "-s,--buffer-size= -T,--ctime --since= --until= -t,--notime --time-format= -u,--userspace "
            "-w,--follow -W,--follow-new -x,--decode -h,--help -V,--version -K,--kmsg-file=read"
        ),
        writes=(
            "-C,--clear+delete+system -c,--read-clear+delete+system -D,--console-off+system -E,--console-on+system "
            "-n,--console-level=+system"
        ),
        effects="read",
        can="reads",
    ),
    Program(
        "sysctl",
        options=(
            "-a,-A,-X,--all -b,--binary -d -e,--ignore -h,--help -N,--names -n,--values -o -q,--quiet "
            "-r,--pattern= -V,--version -x --deprecated --dry-run"
        ),
        writes="-w,--write+system -p,-f,--load[=]+system --system+system",
        operands="NOVALUE*",
        effects="read",
        can="firewall: -w",
    ),
    Program(
        "modprobe",
        options=(
            "-a,--all -b,--use-blacklist -c,--showconfig -D,--show-depends --dump-modversions --first-time "
            "-f,--force --force-modversion --force-vermagic -h,--help -i,--ignore-install,--ignore-remove "
            "-n,--dry-run,--show -q,--quiet -R,--resolve-alias -r,--remove --remove-holders -S,--set-version= "
            "-s,--syslog -V,--version -v,--verbose -w,--wait="
        ),
        runs="-C,--config= -d,--dirname= --show-exports",
        can="services",
    ),
    Program("insmod", aliases="rmmod depmod", can="services"),
    Program(
        "ldconfig",
        options="-c= -n -N -p,--print-cache!read -v -V -X -i -l -? --help",
        writes="-C= -f= -r=",
        effects="system",
        can="services",
    ),
    Program(
        "udevadm",
        options="-d,--debug -h,--help --version",
        subcommands=(
            Program(
                "info",
                options=(
                    "-q,--query= -p,--path= -n,--name= -r,--root -a,--attribute-walk -t,--tree -x,--export "
                    "-P,--export-prefix= -d,--device-id-of-file= -e,--export-db -w,--wait-for-initialization[=] "
                    "--property= --value --no-pager --json="
                ),
                runs="-c,--cleanup-db",
                operands="data*",
                effects="read",
            ),
            Program("test", traits="opaque"),
            Program("test-builtin", traits="opaque"),
        ),
        names_by=1,
        can="services",
    ),
    Program(
        "tcpdump",
        options=(
            "-AbdDefhHIJKlLnNOpqStuUvxX -# -B= -c= -E= -F=read -i= -j= -M= -Q= -r=read -s= -T= -V=read -y= "
            "--absolute-tcp-sequence-numbers --buffer-size= --count --direction= --dont-verify-checksums "
            "--help --immediate-mode --interface= --lengths --linktype= --list-data-link-types "
            "--list-interfaces --list-time-stamp-types --micro --monitor-mode --nano --no-optimize "
            "--no-promiscuous-mode --number --packet-buffered --print --skip= --snapshot-length= "
            "--time-stamp-precision= --time-stamp-type= --version"
        ),
        writes="-C= -G= -W= -w=NOWHERE",
        runs="-m= -Z,--relinquish-privileges= -z=",
        operands="data*",
        effects="read network",
        can="network",
    ),
)

SERVICES = (
    Program(
        "systemctl",
        options=(
            f"{_EVERYWHERE} -t,--type= --state= -p,--property= -P= -a,--all -r,--recursive --reverse --after "
            "--before --with-dependencies -l,--full --value --show-types --job-mode= -T,--show-transaction "
            "--fail --check-inhibitors= -i --dry-run --no-block --wait --failed --no-wall --global "
            "--no-reload --kill-whom,--kill-who= --kill-value= -s,--signal= --what= -f,--force --message= "
            "--now --runtime --preset-mode= -n,--lines= -o,--output= --firmware-setup --boot-loader-menu= "
            "--boot-loader-entry= --reboot-argument= --plain --timestamp= --mkdir --marked --read-only "
            "--legend= --when= --drop-in= --no-warn -v,--verbose -6 --stdin --image-policy="
        ),
        runs=f"{_ELSEWHERE} -C,--capsule= --image= --root=",
        syntax="shared",
        subcommands=(
            Program("edit", traits="opaque"),
            Program("set-environment", traits="opaque"),
            Program("import-environment", traits="opaque"),
            Program("link", traits="opaque"),
            Program("bind", traits="opaque"),
            Program("mount-image", traits="opaque"),
            Program("switch-root", traits="opaque"),
            Program("set-property", operands="data RESOURCE*", effects="system"),
            Program("enable", aliases="reenable preset", operands="UNIT*", effects="system"),
            Program(
                "status",
                aliases=(
                    "show cat list-units list-unit-files list-timers list-sockets list-paths list-automounts "
                    "list-jobs list-machines list-dependencies is-active is-enabled is-failed is-system-running "
                    "get-default show-environment"
                ),
                operands="data*",
                effects="read",
            ),
            Program(
                "start",
                aliases=(
                    "stop restart reload try-restart reload-or-restart try-reload-or-restart disable mask unmask "
                    "daemon-reload daemon-reexec reset-failed kill isolate freeze thaw clean set-default reboot "
                    "poweroff halt kexec suspend hibernate hybrid-sleep rescue emergency default cancel "
                    "unset-environment"
                ),
                operands="data*",
                effects="system",
            ),
        ),
        others=Program(""),
        names_by=1,
        effects="read",
        can="machine: reboot, poweroff; services",
    ),
    Program(
        "journalctl",
        options=(
            f"{_EVERYWHERE} -m,--merge -D,--directory=read -i,--file=read --namespace= -S,--since= -U,--until= "
            "-c,--cursor= --after-cursor= -b,--boot[=] -u,--unit= --user-unit= --invocation= -I "
            "-t,--identifier= -T,--exclude-identifier= -p,--priority= --facility= -g,--grep= "
            "--case-sensitive[=] -k,--dmesg -o,--output= --output-fields= -n,--lines[=] -r,--reverse "
            "--show-cursor --utc -x,--catalog --no-hostname --no-full -l,--full -a,--all -f,--follow "
            "--no-tail --truncate-newline -e,--pager-end --interval= --verify-key= --force -N,--fields "
            "-F,--field= --list-boots --list-invocations --list-namespaces --disk-usage --verify --header "
            "--list-catalog --dump-catalog"
        ),
        writes=(
            "--cursor-file= --flush+system --relinquish-var+system --rotate+system --setup-keys "
            "--smart-relinquish-var+system --sync+system --synchronize-on-exit= --update-catalog+system "
            "--vacuum-files=+delete+system --vacuum-size=+delete+system --vacuum-time=+delete+system"
        ),
        runs="-M,--machine= --image= --image-policy= --root=",
        operands="data*",
        effects="read",
        can="reads",
    ),
    Program(
        "loginctl",
        options=(
            f"{_EVERYWHERE} -p,--property= -P= --value -a,--all -l,--full --kill-whom= -s,--signal= "
            "-n,--lines= -o,--output= -j"
        ),
        runs=_ELSEWHERE,
        syntax="shared",
        subcommands=(
            Program(
                "list-sessions",
                aliases="list-users list-seats session-status show-session user-status show-user seat-status show-seat",
                operands="data*",
                effects="read",
            ),
            Program(
                "activate",
                aliases=(
                    "lock-session unlock-session lock-sessions unlock-sessions terminate-session kill-session "
                    "terminate-user kill-user enable-linger disable-linger attach flush-devices terminate-seat"
                ),
                operands="data*",
                effects="system",
            ),
        ),
        others=Program(""),
        names_by=1,
        effects="read",
        can="services",
    ),
    *(
        Program(
            name,
            options=(
                f"{_EVERYWHERE} --static --transient --pretty --adjust-system-clock --monitor -a,--all "
                "-p,--property= -P= --value --no-convert -s,--stats -l,--full -n,--lines="
            ),
            runs=_ELSEWHERE,
            syntax="shared",
            subcommands=(
                Program(looks[0], aliases=" ".join(looks[1:]), operands="data*", effects="read"),
                Program(sets[0], aliases=" ".join(sets[1:]), operands="data*", effects="system"),
                *more,
            ),
            others=Program(""),
            names_by=1,
            effects="read",
            can="services",
        )
        for name, looks, sets, *more in (
            (
                "hostnamectl",
                ["status"],
                ["set-hostname", "set-icon-name", "set-chassis", "set-deployment", "set-location"],
            ),
            (
                "timedatectl",
                ["status", "show", "list-timezones", "timesync-status", "show-timesync"],
                ["set-time", "set-timezone", "set-local-rtc", "set-ntp", "ntp-servers", "revert"],
            ),
            (
                "localectl",
                ["status", "list-locales", "list-keymaps", "list-x11-keymap-models", "list-x11-keymap-layouts"],
                ["set-locale", "set-keymap", "set-x11-keymap"],
            ),
            (
                "networkctl",
                ["list", "status", "lldp", "label"],
                ["delete", "up", "down", "renew", "forcerenew", "reconfigure", "reload"],
            ),
            (
                "resolvectl",
                ["status", "statistics"],
                ["reset-statistics", "flush-caches", "reset-server-features", "revert"],
                Program(
                    "query",
                    aliases="service openpgp tlsa",
                    options="-4 -6 -i= -p= -t,--type= -c,--class=",
                    operands="data*",
                    effects="network",
                ),
            ),
        )
    ),
    Program(
        "systemd-analyze",
        options=(
            f"{_EVERYWHERE} --global --order --require --from-pattern= --to-pattern= --fuzz= --man[=] "
            "--generators[=] --recursive-errors= --offline= --threshold= --iterations= --base-time= --unit= "
            "--table --no-legend- --tldr --scale-svg= --detailed -m,--mask"
        ),
        runs=f"{_ELSEWHERE} --image= --root= --profile= --security-policy= --image-policy=",
        syntax="shared",
        subcommands=(
            Program(
                "time",
                aliases="blame critical-chain dump plot dot unit-paths calendar timestamp timespan",
                operands="data*",
                effects="read",
            ),
        ),
        others=Program(""),
        names_by=1,
        effects="read",
        can="reads",
    ),
    Program(
        "busctl",
        options=(
            f"{_EVERYWHERE} --show-machine --unique --acquired --activatable --match= --size= --list --verbose "
            "--xml-interface -j --expect-reply= --auto-start= --allow-interactive-authorization= --timeout= "
            "--augment-creds= --watch-bind= --destination= -l,--full -N,--limit-messages="
        ),
        runs=f"{_ELSEWHERE} --address= -C,--capsule=",
        syntax="shared",
        subcommands=(
            Program("call", traits="opaque"),
            Program("set-property", traits="opaque"),
            Program("emit", traits="opaque"),
            Program(
                "list", aliases="status tree introspect get-property monitor capture", operands="data*", effects="read"
            ),
        ),
        others=Program(""),
        names_by=1,
        effects="read",
        can="services: call",
    ),
    Program(
        "machinectl",
        options=(
            f"{_EVERYWHERE} -p,--property= -P= -a,--all --value -l,--full --kill-whom= -s,--signal= --uid= "
            "--mkdir --read-only -n,--lines= -o,--output= --verify= --force --format= --max-addresses= --now"
        ),
        runs=(f"{_ELSEWHERE} -E,--setenv=ASSIGNMENT --runner= -V"),
        syntax="shared",
        subcommands=(
            Program("shell", starts=Starts(operands=1, shell=True)),
            Program("login", traits="opaque"),
            Program(
                "list", aliases="status show list-images image-status show-image", operands="data*", effects="read"
            ),
        ),
        others=Program(""),
        names_by=1,
        effects="read",
        can="containers; services",
    ),
    Program(
        "service",
        options="--status-all!read+code -h,--help!none --version!none",
        operands="data*",
        effects="system code",
        can="services",
    ),
    *(Program(name, can="services") for name in ("initctl", "rc-service", "rc-update", "update-rc.d")),
    *(Program(name, can="services") for name in ("invoke-rc.d", "launchctl", "sv", "svc", "s6-svc", "s6-rc")),
    Program(
        "supervisorctl",
        options="-h,--help -s,--serverurl= -u,--username= -p,--password=",
        writes="-r,--history-file=",
        runs="-c,--configuration= -i,--interactive",
        syntax="shared",
        others=Program(""),
        names_by=1,
        can="services",
    ),
    Program(
        "crontab",
        options="-u= -i -n -s",
        runs="-,-e -r+delete+system -x=",
        inert="-l!read -T= -V!none",
        operands="write*",
        starts=Starts(input="table", script=True, optional=True),
        traits="embeds",
        effects="system",
        can="later",
    ),
    Program(
        "at",
        options="-bkMmv -q= -t= -u=",
        inert="-V -c -d -f= -l -r -o=",
        starts=Starts(operands=9, shell=True),
        traits="embeds interprets opaque",
        can="later",
    ),
    Program(
        "batch",
        options="-q= -m",
        inert="-f=",
        starts=Starts(operands=9, shell=True),
        traits="embeds interprets opaque",
        can="later",
    ),
    Program("atq", options="-V -q=", traits="looks", effects="read", can="reads"),
    Program("atrm", options="-V", operands="data*", effects="system", can="later"),
    Program("anacron", options="-dfnqsuTVh", runs="-t= -S=", can="later"),
    Program(
        "logrotate",
        options=(
            "-d,--debug -f,--force -v,--verbose -?,--help --usage --version --skip-state-lock --wait-for-state-lock"
        ),
        writes="-s,--state=NOWHERE -l,--log=NOWHERE",
        runs="-m,--mail=",
        traits="opaque",
        can="code",
    ),
    Program(
        "logger",
        options=(
            "-e,--skip-empty -f,--file=read -i --id[=] --journald[=read] --msgid= -n,--server=+network --no-act!none "
            "--octet-count -P,--port= -p,--priority= --prio-prefix --rfc3164 --rfc5424[=] -s,--stderr --sd-id= "
            "--sd-param= -S,--size= --socket-errors[=] -T,--tcp -d,--udp -t,--tag= -u,--socket= -h,--help "
            "-V,--version"
        ),
        operands="data*",
        effects="system",
        can="writes",
    ),
    Program(
        "wall",
        aliases="write mesg",
        options="-n,--nobanner -t,--timeout= -g,--group= -h,--help -V,--version -v,--verbose",
        operands="data*",
        effects="system",
        can="services",
    ),
    Program(
        "shutdown",
        aliases="halt poweroff reboot",
        options=(
            "-H,--halt -h -P,-p,--poweroff -r,--reboot -k -c --no-wall --show -f,--force -n,--no-sync -d,--no-wtmp "
            "-w,--wtmp-only --help"
        ),
        operands="data*",
        traits="wide",
        effects="system",
        can="machine",
    ),
    Program("init", aliases="telinit", operands="data*", effects="system", can="machine"),
    Program("kexec", effects="system", can="machine"),
    Program("update-alternatives", can="services"),
)

NETWORK = (
    Program(
        "ss",
        options=(
            "-h,--help -V,--version -H,--no-header -Q,--no-queues -O,--oneline -n,--numeric -r,--resolve+network "
            "-a,--all -l,--listening -B,--bound-inactive -o,--options -e,--extended -m,--memory "
            "-p,--processes -T,--threads -i,--info --tos --cgroup --tipcinfo -s,--summary -E,--events "
            "-Z,--context -z,--contexts -N,--net= -b,--bpf -4,--ipv4 -6,--ipv6 -0,--packet -t,--tcp "
            "-M,--mptcp -S,--sctp -u,--udp -d,--dccp -w,--raw -x,--unix --tipc --vsock --xdp --inet-sockopt "
            "-f,--family= -A,--query,--socket= -F,--filter=read --bpf-maps --bpf-map-id="
        ),
        writes="-D,--diag= -K,--kill+system",
        operands="data*",
        effects="read",
        can="reads",
    ),
    Program(
        "netstat",
        options=(
            "-r,--route -g,--groups -i,--interfaces -M,--masquerade -s,--statistics -v,--verbose -W,--wide "
            "-n,--numeric --numeric-hosts --numeric-ports --numeric-users -N,--symbolic -A,--protocol= "
            "-c,--continuous -e,--extend -o,--timers -p,--program -l,--listening -a,--all -F -C -t,--tcp -u,--udp "
            "-U,--udplite -S,--sctp -w,--raw -2,--l2cap -f,--rfcomm -V,--version -h,--help -4,--inet,--ip,--tcpip "
            "-6,--inet6 -x,--unix -Z,--context"
        ),
        operands="data*",
        traits="looks",
        effects="read",
        can="reads",
    ),
    Program(
        "ip",
        options=(
            "-V,-Version -h,-human,-human-readable -force -s,-stats,-statistics,-st -d,-details,-det "
            "-l,-loops= -f,-family= -4 -6 -B -M -0 -o,-oneline,-one -r,-resolve -N,-Numeric -a,-all "
            "-c,-color[=] -t,-timestamp -ts,-tshort -rc,-rcvbuf= -iec -br,-brief -j,-js,-json -p,-pretty "
            "-echo -ss -D"
        ),
        runs="-b,-batch= -n,-netns=",
        syntax="brief words shared",
        subcommands=(
            *(
                Program(
                    name,
                    aliases=aliases,
                    subcommands=(
                        Program("show", aliases="list lst ls get", operands="data*", effects="read"),
                        Program(
                            "add",
                            aliases="del delete change replace append set flush",
                            operands="data*",
                            effects="system",
                        ),
                    ),
                    others=Program(""),
                    effects="read",
                )
                for name, aliases in (
                    ("address", "a ad add addr"),
                    ("link", "l li lin"),
                    ("route", "r ro rou"),
                    ("rule", "ru"),
                    ("neighbour", "n ne nei neigh neighbor"),
                    ("maddress", "m maddr"),
                    ("tunnel", "tun"),
                )
            ),
            Program(
                "netns",
                aliases="net netn",
                subcommands=(Program("exec", aliases="e ex exe", starts=Starts(operands=1)),),
                others=Program(""),
            ),
            Program(
                "vrf",
                aliases="v vr",
                subcommands=(Program("exec", aliases="e ex exe", starts=Starts(operands=1)),),
                others=Program(""),
            ),
        ),
        others=Program(""),
        names_by=1,
        effects="none",
        can="firewall: link, route, addr",
    ),
    Program(
        "bridge",
        aliases="tc devlink rdma",
        options=(
            "-force -s,-statistics -d,-details -j,-json -p,-pretty -o,-oneline -c,-color[=] -t,-timestamp "
            "-V,-Version -n,-netns= -N,-Numeric -iec -r,-raw -g,-graph -i -nm -cf= -h"
        ),
        runs="-b,-batch=",
        syntax="words",
        can="firewall",
    ),
    Program("ifconfig", options="-a -s -v", operands="data set*", effects="read", can="firewall"),
    Program(
        "route",
        options="-4 -6 -A= -F -C -v -n,--numeric -e -V,--version",
        operands="set*",
        effects="read",
        can="firewall",
    ),
    Program(
        "arp",
        options=(
            "-v,--verbose -n,--numeric -H,--hw-type,-t= -a -e -D,--use-device -i,--device= -f,--file[=read]+system "
            "-s,--set+system -d,--delete+system"
        ),
        operands="data*",
        effects="read",
        can="firewall",
    ),
    Program("ethtool", aliases="iw iwconfig rfkill", can="firewall"),
    Program(
        "nmcli",
        options=(
            "-a,--ask -c,--colors= -e,--escape= -f,--fields= -g,--get-values= -h,--help -m,--mode= "
            "-o,--overview -p,--pretty -s,--show-secrets -t,--terse -v,--version -w,--wait= --complete-args "
            "--offline"
        ),
        syntax="brief exact",
        subcommands=(
            Program(
                "connection",
                aliases="c co con conn",
                subcommands=(Program("edit", traits="opaque"),),
                others=Program(""),
            ),
        ),
        others=Program(""),
        names_by=2,
        can="firewall",
    ),
    *(
        Program(
            name,
            aliases=aliases,
            options=(
                "-A,--append= -C,--check= -D,--delete= -I,--insert= -R,--replace= -L,--list[=]!read "
                "-S,--list-rules[=]!read -F,--flush[=] -Z,--zero[=]+system -N,--new-chain= -X,--delete-chain[=] "
                "-P,--policy= -E,--rename-chain= -t,--table= -j,--jump= -g,--goto= -m,--match= -p,--protocol,--proto= "
                "-s,--source,--src= -d,--destination,--dst= -i,--in-interface= -o,--out-interface= -f,--fragment "
                "-c,--set-counters= -v,--verbose -V,--version -w,--wait[=] -W,--wait-interval= -n,--numeric "
                "-x,--exact --line-numbers -h,--help -4,--ipv4 -6,--ipv6"
            ),
            runs="--modprobe=",
            operands="data*",
            syntax="open",
            effects=effects,
            can="firewall",
        )
        for name, aliases, effects in (
            ("iptables", "ip6tables iptables-legacy ip6tables-legacy iptables-nft ip6tables-nft", "system"),
            ("iptables-restore", "ip6tables-restore iptables-save ip6tables-save arptables ebtables", ""),
        )
    ),
    Program(
        "nft",
        options=(
            "-h,--help -v,--version -V -f,--file=read -D,--define= -c,--check -o,--optimize -a,--handle "
            "-s,--stateless -t,--terse -S,--service -N,--reversedns -u,--guid -n,--numeric "
            "-y,--numeric-priority -p,--numeric-protocol -T,--numeric-time -e,--echo -j,--json -d,--debug= "
            "-I,--includepath="
        ),
        operands="data*",
        effects="system",
        can="firewall",
    ),
    Program(
        "ufw",
        options="-h,--help!none --version!none --dry-run!read --force",
        subcommands=(
            Program("status", aliases="version", operands="data*", effects="read"),
            Program(
                "enable",
                aliases="disable reload reset default allow deny reject limit delete insert prepend logging",
                operands="data*",
                effects="system",
            ),
        ),
        can="firewall",
    ),
    Program("firewall-cmd", can="firewall"),
    Program("ipset", can="firewall"),
)

ACCOUNTS = (
    *(
        Program(name, options=options, operands="data*", effects="system", can="accounts")
        for name, options in (
            (
                "useradd",
                (
                    "--badname -b,--base-dir= -c,--comment= -d,--home-dir= -D,--defaults -e,--expiredate= "
                    "-f,--inactive= "
                    "-F,--add-subids-for-system -g,--gid= -G,--groups= -h,--help -k,--skel=read -K,--key= "
                    "-l,--no-log-init "
                    "-m,--create-home -M,--no-create-home -N,--no-user-group -o,--non-unique -p,--password= "
                    "-r,--system "
                    "-R,--root= -P,--prefix= -s,--shell= -u,--uid= -U,--user-group -Z,--selinux-user="
                ),
            ),
            (
                "usermod",
                (
                    "-a,--append -b,--badname -c,--comment= -d,--home= -e,--expiredate= -f,--inactive= -g,--gid= "
                    "-G,--groups= -l,--login= -L,--lock -m,--move-home -o,--non-unique -p,--password= -r,--remove "
                    "-R,--root= -P,--prefix= -s,--shell= -u,--uid= -U,--unlock -v,--add-subuids= -V,--del-subuids= "
                    "-w,--add-subgids= -W,--del-subgids= -Z,--selinux-user="
                ),
            ),
            (
                "groupadd",
                "-f,--force -g,--gid= -h,--help -K,--key= -o,--non-unique -p,--password= -r,--system -R,--root=",
            ),
            ("groupmod", "-a,--append -g,--gid= -h,--help -n,--new-name= -o,--non-unique -p,--password= -R,--root="),
            (
                "passwd",
                (
                    "-a,--all -d,--delete -e,--expire -h,--help -i,--inactive= -k,--keep-tokens -l,--lock "
                    "-n,--mindays= "
                    "-q,--quiet -r,--repository= -R,--root= -S,--status -u,--unlock -w,--warndays= -x,--maxdays="
                ),
            ),
            (
                "chage",
                (
                    "-d,--lastday= -E,--expiredate= -h,--help -i,--iso8601 -I,--inactive= -l,--list -m,--mindays= "
                    "-M,--maxdays= -R,--root= -W,--warndays="
                ),
            ),
            (
                "gpasswd",
                "-a,--add= -d,--delete= -h,--help -Q,--root= -r,--remove-password -A,--administrators= -M,--members=",
            ),
            ("chsh", "-h,--help -R,--root= -s,--shell="),
            ("chpasswd", ""),
        )
    ),
    *(
        Program(name, operands="data*", effects="system", can="accounts")
        for name in ("adduser", "deluser", "addgroup", "delgroup")
    ),
    *(
        Program(name, can="accounts")
        for name in ("chfn", "chgpasswd", "newusers", "pwconv", "faillock", "newuidmap", "newgidmap")
    ),
    Program(
        "userdel",
        options="-f,--force -h,--help -r,--remove+delete -R,--root= -P,--prefix= -Z,--selinux-user",
        operands="data",
        effects="system",
        can="deletes; accounts",
    ),
    Program(
        "groupdel",
        options="-f,--force -h,--help -R,--root= -P,--prefix=",
        operands="data",
        effects="system",
        can="deletes",
    ),
    Program("vipw", aliases="vigr", traits="opaque", can="accounts"),
    Program(
        "visudo",
        options=("-c,--check -h,--help -O,--owner -P,--perms -q,--quiet -s,--strict -V,--version -x,--export=NOWHERE"),
        runs="-f,--file= -I,--no-includes",
        can="accounts",
    ),
    *(Program(name, can="accounts") for name in ("dscl", "security", "spctl", "csrutil", "tccutil")),
)

_REPORTS = (
    "-a,--all --binary --configreport= -c,--colon -C,--columns --aligned -H,--history --headings= -m,--maps "
    "--ignorelockingfailure --ignoreskippedcluster -o,--options= -O,--sort= -S,--select= -s,--short --nameprefixes "
    "--noheadings --nosuffix --readonly --reportformat= --rows --segments --separator= --unbuffered --units= "
    "--unquoted -v,--verbose -q,--quiet -h,--help --version"
)

DISKS = (
    Program("mkfs", aliases="mkfs.* mke2fs", operands="data*", traits="wide", effects="delete system", can="disk"),
    Program(
        "fdisk",
        options="-l,--list!read -b,--sector-size= -u,--units[=] -h,--help -V,--version",
        operands="data*",
        effects="delete system",
        can="disk",
    ),
    *(Program(name, can="disk") for name in ("sfdisk", "cfdisk", "gdisk", "sgdisk", "parted", "diskutil")),
    *(
        Program(name, operands="data*", effects="system", can="disk")
        for name in ("partprobe", "swapon", "swapoff", "fstrim")
    ),
    *(
        Program(name, operands="data*", effects="delete system", can="disk")
        for name in ("wipefs", "mkswap", "blkdiscard")
    ),
    *(
        Program(name, can="disk")
        for name in ("fsck", "e2fsck", "resize2fs", "tune2fs", "xfs_repair", "btrfs", "hdparm", "nvme", "smartctl")
    ),
    Program("badblocks", can="disk"),
    *(
        Program(name, operands="data*", effects="delete system", can="disk")
        for name in ("lvremove", "vgremove", "pvremove")
    ),
    *(Program(name, can="disk") for name in ("lvcreate", "vgcreate", "pvcreate", "lvextend")),
    *(Program(name, can="disk") for name in ("cryptsetup", "mdadm", "dmsetup", "zpool", "zfs", "debugfs")),
    *(
        Program(name, options=_REPORTS, operands="data*", traits="looks", effects="read", can="reads")
        for name in ("lvs", "vgs", "pvs", "lvdisplay", "vgdisplay", "pvdisplay")
    ),
)

PROGRAMS = (*PROCESSES, *MACHINE, *SERVICES, *NETWORK, *ACCOUNTS, *DISKS)
