"""Programs that show or change this machine: processes, services, users, disks, the network's settings.

From the manuals of procps 4.0, psmisc 23.6, util-linux 2.38, systemd 252 (and 257), iproute2 6.1, net-tools 2.10,
iptables 1.8.9, nftables 1.0.6, cron 3.0, kmod 30, lsof 4.95, sysstat 12.6, tcpdump 4.99, shadow 4.13, lvm2 2.03.
"""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts

_EVERYWHERE = "--no-pager --no-ask-password --no-legend -q,--quiet -h,--help --version --user --system --json="
"""Options that the programs of systemd have in common."""

_ELSEWHERE = "-H,--host= -M,--machine="
"""Options by which they act through `ssh`, or in a container."""

PROCESSES = (
    *(Program(name, traits="looks", can="reads") for name in ("ps", "pstree", "pwdx", "pidof", "vmstat")),
    *(Program(name, traits="looks", can="reads") for name in ("free", "uptime", "iotop", "tload", "slabtop")),
    Program("top", aliases="htop btop atop", can="reads"),
    Program(
        "lsof",
        options=(
            "-aBbCEhHKlMNnOPQRtUVvXx -? -A= -c= -d= -e= -k= -p= -u= -F[=] -f[=] -g[=] -i[=] -L[=] -o[=] -r[=] "
            "-S[=] -s[=] -T[=] -Z[=] -z[=] +c= +d= +D= +E +f* +L* +M +r* +w -w"
        ),
        runs="-D= +m* -m*",
        syntax="exact",
        can="reads",
    ),
    Program("pgrep", traits="looks", can="reads"),
    Program("kill", options="-s= -n= -l -L -q=", traits="builtin wide", can="ends"),
    Program("killall", traits="wide", can="ends"),
    Program("pkill", traits="wide", can="ends"),
    Program("skill", aliases="snice", can="ends"),
    Program(
        "pmap",
        options=(
            "-A,--range= -c,--read-rc -d,--device -h,--help -k,--use-kernel-name -p,--show-path -q,--quiet "
            "-V,--version -X -x,--extended -C,--read-rc-from="
        ),
        writes="-N,--create-rc-to= -n,--create-rc",
        can="reads",
    ),
    Program("xkill", can="ends"),
    Program(
        "fuser",
        options=(
            "-a,--all -c -f -I,--inode -l,--list-signals -m,--mount -M,--ismountpoint -n,--namespace= "
            "-s,--silent -u,--user -v,--verbose -V,--version -4,--ipv4 -6,--ipv6 -w -i,--interactive"
        ),
        writes="-k,--kill -#",
        can="ends: -k",
    ),
    Program("renice", can="services"),
    Program("sleep", can="waits"),
    Program("pidwait", can="waits"),
)

MACHINE = (
    *(Program(name, traits="looks", can="reads") for name in ("uname", "whoami", "id", "groups", "nproc")),
    *(
        Program(name, traits="looks", can="reads")
        for name in ("lscpu", "lsmem", "lsblk", "lsns", "lsipc", "lsmod", "lspci")
    ),
    *(Program(name, traits="looks", can="reads") for name in ("lsusb", "lslocks", "lslogins", "modinfo")),
    *(Program(name, traits="looks", can="reads") for name in ("last", "lastb", "w", "who", "users", "ipcs")),
    *(
        Program(name, traits="looks", can="reads")
        for name in ("mpstat", "iostat", "tput", "getconf", "locale", "sw_vers")
    ),
    *(Program(name, traits="looks", can="reads") for name in ("printenv", "getent", "tty", "lsb_release", "hostid")),
    Program(
        "hostname",
        options=(
            "-a,--alias -A,--all-fqdns -d,--domain -f,--fqdn,--long -h,--help -I,--all-ip-addresses "
            "-i,--ip-address -s,--short -V,--version -y,--yp,--nis"
        ),
        writes="-b,--boot -F,--file=",
        operands="write*",
        can="reads",
    ),
    Program("pidstat", options="-dHhIlRrstUuVvw -C= -G= -p= -T= --dec= --human", runs="-e", can="reads"),
    Program(
        "sar",
        options=(
            "-A -B -b -C -D -d -F[=] -H -h -I= -j= -m= -n= -P= -p -q[=] -r[=] -S -s= -e= -f= -i= -t -u[=] -V "
            "-v -W -w -y -x -z --dec= --dev= --fs= --help --human --iface= --int= --pretty --sadc"
        ),
        writes="-o=",
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
        can="reads",
    ),
    Program(
        "lshw",
        writes="-dump=",
        options=(
            "-C,-class= -c= -sanitize -numeric -notime -quiet -short -json -xml -html -businfo -enable= "
            "-disable= -version -X"
        ),
        syntax="words",
        can="reads",
    ),
    Program(
        "lastlog",
        options="-b,--before= -h,--help -R,--root= -t,--time= -u,--user=",
        writes="-C,--clear -S,--set",
        can="reads",
    ),
    Program("losetup", can="disk"),
    Program(
        "dmesg",
        options=(
            "-d,--show-delta -e,--reltime -F,--file=read -f,--facility= -H,--human -J,--json -k,--kernel "
            "-L,--color[=] -l,--level= --noescape -P,--nopager -p,--force-prefix -r,--raw -S,--syslog "
            "-s,--buffer-size= -T,--ctime --since= --until= -t,--notime --time-format= -u,--userspace "
            "-w,--follow -W,--follow-new -x,--decode -h,--help -V,--version -K,--kmsg-file=read"
        ),
        writes="-C,--clear -c,--read-clear -D,--console-off -E,--console-on -n,--console-level=",
        can="reads",
    ),
    Program(
        "sysctl",
        options=(
            "-a,-A,-X,--all -b,--binary -d -e,--ignore -h,--help -N,--names -n,--values -o -q,--quiet "
            "-r,--pattern= -V,--version -x --deprecated --dry-run"
        ),
        writes="-w,--write -p,-f,--load[=] --system",
        operands="NOVALUE*",
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
    Program("ldconfig", writes="-C= -f= -r=", options="-c= -n -N -p -v -V -X -i -l -? --help", can="services"),
    Program(
        "udevadm",
        options="-d,--debug -h,--help --version",
        subcommands=(
            Program(
                "info",
                runs="-c,--cleanup-db",
                options=(
                    "-q,--query= -p,--path= -n,--name= -r,--root -a,--attribute-walk -t,--tree -x,--export "
                    "-P,--export-prefix= -d,--device-id-of-file= -e,--export-db -w,--wait-for-initialization[=] "
                    "--property= --value --no-pager --json="
                ),
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
            Program("set-property", operands="data RESOURCE*"),
            Program("enable", aliases="reenable preset", operands="UNIT*"),
        ),
        others=Program(""),
        names_by=1,
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
            "--cursor-file= --flush --relinquish-var --rotate --setup-keys --smart-relinquish-var --sync "
            "--synchronize-on-exit= --update-catalog --vacuum-files= --vacuum-size= --vacuum-time="
        ),
        runs="-M,--machine= --image= --image-policy= --root=",
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
        others=Program(""),
        names_by=1,
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
            others=Program(""),
            names_by=1,
            can="services",
        )
        for name in ("hostnamectl", "timedatectl", "localectl", "networkctl", "resolvectl")
    ),
    Program(
        "systemd-analyze",
        options=(
            f"{_EVERYWHERE} --global --order --require --from-pattern= --to-pattern= --fuzz= --man[=] "
            "--generators[=] --recursive-errors= --offline= --threshold= --iterations= --base-time= --unit= "
            "--table --no-legend- --tldr --scale-svg= --detailed -m,--mask"
        ),
        runs=f"{_ELSEWHERE} --image= --root= --profile= --security-policy= --image-policy=",
        names_by=1,
        syntax="shared",
        others=Program(""),
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
        ),
        others=Program(""),
        names_by=1,
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
        ),
        others=Program(""),
        names_by=1,
        can="containers; services",
    ),
    *(Program(name, can="services") for name in ("service", "initctl", "rc-service", "rc-update", "update-rc.d")),
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
        inert="-l -T= -V",
        runs="-,-e,-r -x=",
        operands="write*",
        starts=Starts(input="table", script=True, optional=True),
        traits="embeds",
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
    Program("atq", traits="looks", can="reads"),
    Program("atrm", can="later"),
    Program("anacron", runs="-t= -S=", options="-dfnqsuTVh", can="later"),
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
    Program("logger", can="writes"),
    Program("wall", aliases="write mesg", can="services"),
    Program("shutdown", aliases="halt poweroff reboot", traits="wide", can="machine"),
    Program("init", aliases="telinit", can="machine"),
    Program("kexec", can="machine"),
    Program("update-alternatives", can="services"),
)

NETWORK = (
    Program(
        "ss",
        options=(
            "-h,--help -V,--version -H,--no-header -Q,--no-queues -O,--oneline -n,--numeric -r,--resolve "
            "-a,--all -l,--listening -B,--bound-inactive -o,--options -e,--extended -m,--memory "
            "-p,--processes -T,--threads -i,--info --tos --cgroup --tipcinfo -s,--summary -E,--events "
            "-Z,--context -z,--contexts -N,--net= -b,--bpf -4,--ipv4 -6,--ipv6 -0,--packet -t,--tcp "
            "-M,--mptcp -S,--sctp -u,--udp -d,--dccp -w,--raw -x,--unix --tipc --vsock --xdp --inet-sockopt "
            "-f,--family= -A,--query,--socket= -F,--filter=read --bpf-maps --bpf-map-id="
        ),
        writes="-D,--diag= -K,--kill",
        can="reads",
    ),
    Program("netstat", traits="looks", can="reads"),
    Program(
        "ip",
        options=(
            "-V,-Version -h,-human,-human-readable -force -s,-stats,-statistics,-st -d,-details,-det "
            "-l,-loops= -f,-family= -4 -6 -B -M -0 -o,-oneline,-one -r,-resolve -N,-Numeric -a,-all "
            "-c,-color[=] -t,-timestamp -ts,-tshort -rc,-rcvbuf= -iec -br,-brief -j,-js,-json -p,-pretty "
            "-echo -ss -D"
        ),
        runs="-b,-batch= -n,-netns=",
        syntax="words shared",
        subcommands=(
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
        can="firewall: link, route, addr",
    ),
    Program(
        "bridge",
        aliases="tc devlink rdma",
        runs="-b,-batch=",
        options=(
            "-force -s,-statistics -d,-details -j,-json -p,-pretty -o,-oneline -c,-color[=] -t,-timestamp "
            "-V,-Version -n,-netns= -N,-Numeric -iec -r,-raw -g,-graph -i -nm -cf= -h"
        ),
        syntax="words",
        can="firewall",
    ),
    Program("ifconfig", can="firewall"),
    Program("route", can="firewall"),
    Program("arp", can="firewall"),
    Program("ethtool", aliases="iw iwconfig rfkill", can="firewall"),
    Program(
        "nmcli",
        options=(
            "-a,--ask -c,--colors= -e,--escape= -f,--fields= -g,--get-values= -h,--help -m,--mode= "
            "-o,--overview -p,--pretty -s,--show-secrets -t,--terse -v,--version -w,--wait= --complete-args "
            "--offline"
        ),
        names_by=2,
        syntax="exact",
        subcommands=(
            Program(
                "connection",
                aliases="c co con conn",
                subcommands=(Program("edit", traits="opaque"),),
                others=Program(""),
            ),
        ),
        others=Program(""),
        can="firewall",
    ),
    *(
        Program(
            name,
            aliases=aliases,
            options=(
                "-A,--append= -C,--check= -D,--delete= -I,--insert= -R,--replace= -L,--list[=] -S,--list-rules[=] "
                "-F,--flush[=] -Z,--zero[=] -N,--new-chain= -X,--delete-chain[=] -P,--policy= -E,--rename-chain= "
                "-t,--table= -j,--jump= -g,--goto= -m,--match= -p,--protocol,--proto= -s,--source,--src= "
                "-d,--destination,--dst= -i,--in-interface= -o,--out-interface= -f,--fragment -c,--set-counters= "
                "-v,--verbose -V,--version -w,--wait[=] -W,--wait-interval= -n,--numeric -x,--exact "
                "--line-numbers -h,--help -4,--ipv4 -6,--ipv6"
            ),
            runs="--modprobe=",
            syntax="open",
            can="firewall",
        )
        for name, aliases in (
            ("iptables", "ip6tables iptables-legacy ip6tables-legacy iptables-nft ip6tables-nft"),
            ("iptables-restore", "ip6tables-restore iptables-save ip6tables-save arptables ebtables"),
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
        can="firewall",
    ),
    Program("ufw", can="firewall"),
    Program("firewall-cmd", can="firewall"),
    Program("ipset", can="firewall"),
)

ACCOUNTS = (
    *(Program(name, can="accounts") for name in ("useradd", "usermod", "groupadd", "groupmod", "adduser", "deluser")),
    *(
        Program(name, can="accounts")
        for name in ("passwd", "chpasswd", "gpasswd", "chage", "chfn", "chgpasswd", "newusers")
    ),
    *(
        Program(name, can="accounts")
        for name in ("chsh", "pwconv", "faillock", "newuidmap", "newgidmap", "addgroup", "delgroup")
    ),
    Program("userdel", can="deletes; accounts"),
    Program("groupdel", can="deletes"),
    Program("vipw", aliases="vigr", traits="opaque", can="accounts"),
    Program(
        "visudo",
        options=("-c,--check -h,--help -O,--owner -P,--perms -q,--quiet -s,--strict -V,--version -x,--export=NOWHERE"),
        runs="-f,--file= -I,--no-includes",
        can="accounts",
    ),
    *(Program(name, can="accounts") for name in ("dscl", "security", "spctl", "csrutil", "tccutil")),
)

DISKS = (
    Program("mkfs", aliases="mkfs.* mke2fs", traits="wide", can="disk"),
    *(
        Program(name, can="disk")
        for name in ("fdisk", "sfdisk", "cfdisk", "gdisk", "sgdisk", "parted", "partprobe", "diskutil")
    ),
    *(
        Program(name, can="disk")
        for name in ("wipefs", "mkswap", "swapon", "swapoff", "blkdiscard", "fsck", "e2fsck", "resize2fs")
    ),
    *(
        Program(name, can="disk")
        for name in ("tune2fs", "xfs_repair", "btrfs", "hdparm", "nvme", "smartctl", "badblocks")
    ),
    *(
        Program(name, can="disk")
        for name in ("lvremove", "vgremove", "pvremove", "lvcreate", "vgcreate", "pvcreate", "lvextend")
    ),
    *(Program(name, can="disk") for name in ("cryptsetup", "mdadm", "dmsetup", "zpool", "zfs", "fstrim", "debugfs")),
    *(
        Program(name, traits="looks", can="reads")
        for name in ("lvs", "vgs", "pvs", "lvdisplay", "vgdisplay", "pvdisplay")
    ),
)

PROGRAMS = (*PROCESSES, *MACHINE, *SERVICES, *NETWORK, *ACCOUNTS, *DISKS)
