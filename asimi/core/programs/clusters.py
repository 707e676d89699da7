"""Programs that start a command on many machines, or in a queue of jobs.

From the programs' own help and manuals: pdsh 2.34, ClusterShell 1.9, Slurm 22.05, Open MPI 4.1, rclone 1.60. Not
checked against the programs: MPICH, PSSH 2.3, dsh 0.25, Teleport 16, Tailscale 1.70, adb 35, cri-tools 1.30,
Apptainer 1.3, Toolbx, Distrobox, Multipass, WSL 2.
"""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts

_JOINED = Starts(joined=True, optional=True, loose=True)
_OTHER = Starts(optional=True, loose=True)
_INSIDE = Starts(operands=1, optional=True, loose=True)

_SLURM = (
    "-A,--account= --acctg-freq= --bb= --bbf=read -b,--begin= -D,--chdir=enter --cluster-constraint= -M,--clusters= "
    "--comment= -C,--constraint= --container= --contiguous -S,--core-spec= --cores-per-socket= --cpu-freq= "
    "--cpus-per-gpu= -c,--cpus-per-task= --deadline= --delay-boot= -d,--dependency= -m,--distribution= -e,--error= "
    "-x,--exclude= --exclusive[=] -B,--extra-node-info= --gid= --gpu-bind= --gpu-freq= -G,--gpus= --gpus-per-node= "
    "--gpus-per-socket= --gpus-per-task= --gres= --gres-flags= --hint= -H,--hold -i,--input= -J,--job-name= "
    "-L,--licenses= --mail-type= --mail-user= --mcs-label= --mem= --mem-bind= --mem-per-cpu= --mem-per-gpu= --mincpus= "
    "--network= --nice[=] -k,--no-kill[=] -F,--nodefile=read -w,--nodelist= -N,--nodes= -n,--ntasks= "
    "--ntasks-per-core= --ntasks-per-gpu= --ntasks-per-node= --ntasks-per-socket= --open-mode= -O,--overcommit "
    "-s,--oversubscribe -p,--partition= --power= --prefer= --priority= --profile= --propagate[=] -q,--qos= -Q,--quiet "
    "--reboot --reservation= --signal= --sockets-per-node= --spread-job --switches= --test-only --thread-spec= "
    "--threads-per-core= -t,--time= --time-min= --tmp= --uid= --usage --use-min-nodes -v,--verbose --wait-all-nodes= "
    "--wckey= --x11[=] "
)
_SLURM_INERT = "-h,--help -V,--version"

QUEUES = (
    Program(
        "srun",
        options=(
            _SLURM + "--accel-bind= --bcast[=] --bcast-exclude= --compress[=] --cpu-bind= -X,--disable-status --exact "
            "--export= --het-group= -I,--immediate[=] --jobid= -K,--kill-on-bad-exit[=] -l,--label --mpi= "
            "--msg-timeout= -Z,--no-allocate -o,--output= --overlap -E,--preserve-env --pty --quit-on-interrupt "
            "-r,--relative= --resv-ports[=] --send-libs[=] --slurmd-debug= -T,--threads= -u,--unbuffered -W,--wait="
        ),
        runs="--epilog= --multi-prog --prolog= --task-epilog= --task-prolog=",
        inert=_SLURM_INERT,
        starts=_OTHER,
        effects="network code",
        can="remote",
    ),
    Program(
        "sbatch",
        options=(
            _SLURM + "-a,--array= --batch= --export= --export-file=read --get-user-env[=] --ignore-pbs "
            "--kill-on-invalid-dep= --no-requeue -o,--output= --parsable --requeue -W,--wait --wrap=TEXT"
        ),
        inert=_SLURM_INERT,
        starts=Starts(input="text", script=True, optional=True, loose=True),
        effects="network code",
        can="remote",
    ),
    Program(
        "salloc",
        options=(_SLURM + "--bell --get-user-env[=] -I,--immediate[=] -K,--kill-command[=] --no-bell --no-shell"),
        inert=_SLURM_INERT,
        starts=_OTHER,
        effects="network code",
        can="remote",
    ),
    Program(
        "mpirun",
        aliases="mpiexec orterun prun",
        options=(
            "-allow-run-as-root -bind-to= -bind-to-core -bind-to-socket -bycore -bynode -byslot -c,-n,-np= -N= "
            "-continuous -cpu-list= -cpu-set= -cpus-per-proc= -cpus-per-rank= -d,-debug-devel -debug-daemons "
            "-default-hostfile=read -disable-recovery -display-allocation -display-devel-allocation "
            "-display-devel-map -display-diffable-map -display-map -display-topo -do-not-launch -do-not-resolve "
            "-enable-recovery -gmca,-mca== -get-stack-traces -H,-host= -hostfile,-machinefile,-f=read "
            "-index-argv-by-rank -leave-session-attached -map-by= -max-restarts= -max-vm-size= -merge-stderr-to-stdout "
            "-nolocal -nooversubscribe -noprefix -novm -npernode= -npersocket= -output-proctable -oversubscribe "
            "-pernode -ppr= -q,-quiet -rank-by= -report-bindings -report-child-jobs-separately -rf,-rankfile=read "
            "-s,-preload-binary -show-progress -stdin= -tag-output -timeout= -timestamp-output -use-hwthread-cpus "
            "-v,-verbose -wd,-wdir=enter -xml -genv== -env== -ppn,-perhost= -l -prepend-rank"
        ),
        writes="-output-filename= -report-pid= -report-uri= -xml-file=",
        runs=(
            "-am= -app= -cf,-cartofile= -debug -debugger= -dvm -hnp= -launch-agent= -ompi-server= -path= "
            "-personality= -prefix= -preload-files= -report-events= -tune= -tv -x=ASSIGNMENT -xterm="
        ),
        inert="-h,-help[=] -V,-version",
        syntax="words",
        starts=Starts(again=":"),
        effects="network",
        can="code",
    ),
)
"""Of clusters: `srun` and its kind start it on their nodes, `mpirun` here if it is told nothing else."""

MACHINES = (
    Program(
        "pdsh",
        options="-aAbdiNSf= -F=read -g= -l= -M= -R=SSH -t= -u= -w= -X= -x=",
        inert="-hLqV",
        starts=_JOINED,
        effects="network",
        can="remote",
    ),
    Program(
        "clush",
        options=(
            "-a,--all -b,--dshbak -B -c,--copy --color= --conf=read -d,--debug --dest= --diff -f,--fanout= "
            "-G,--groupbase -g,--group= --groupsconf=read -s,--groupsource= --hostfile,--machinefile=read -L "
            "-l,--user= "
            "-m,--mode= -N -n,--nostdin -P,--progress -p --pick= -q,--quiet -r,--regroup --rcopy --remote= -S,--maxrc "
            "-t,--connect_timeout= --topology=read -u,--command_timeout= -v,--verbose -w= -X= -x= -R,--worker=SSH"
        ),
        writes="--errdir= --outdir=",
        runs="-O,--option= -o,--options=",
        inert="-h,--help --version",
        starts=_JOINED,
        effects="network",
        can="remote",
    ),
    Program(
        "pssh",
        aliases="parallel-ssh",
        options=(
            "-A,--askpass -H,--host= -h,--hosts=read -I,--send-input -i,--inline --inline-stdout -l,--user= "
            "-O,--option=SSHOPTION -P,--print -p,--par= -t,--timeout= -v,--verbose"
        ),
        writes="-e,--errdir= -o,--outdir=",
        runs="-x,--extra-args= -X,--extra-arg=",
        inert="--help --version",
        starts=_JOINED,
        effects="network",
        can="remote",
    ),
    Program(
        "dsh",
        options=(
            "-a,--all -c,--concurrent-shell -F,--forklimit= -f,--file=read -g,--group= -H,--hide-machine-names "
            "-i,--duplicate-input -M,--show-machine-names -m,--machine= -n,--num-topology= -q,--quiet -v,--verbose "
            "-w,--wait-shell"
        ),
        runs="-o,--remoteshellopt= -r,--remoteshell=SSH",
        inert="-h,--help -V,--version",
        starts=_JOINED,
        effects="network",
        can="remote",
    ),
    Program(
        "tsh",
        options="-d,--debug -i,--identity=read --proxy= --user= --ttl= --cluster= -l,--login= -A -t,--tty -p,--port=",
        syntax="shared open",
        subcommands=(
            Program(
                "ssh",
                syntax="open",
                starts=Starts(operands=1, joined=True, optional=True, loose=True),
                effects="network",
            ),
        ),
        names_by=1,
        can="remote",
    ),
    Program(
        "tailscale",
        options="--socket=",
        syntax="shared open",
        subcommands=(
            Program("ssh", starts=Starts(operands=1, joined=True, optional=True, loose=True), effects="network"),
        ),
        names_by=1,
        can="network; remote: ssh",
    ),
    Program(
        "adb",
        options="-a -d -e -H= -L= -P= -s= -t=",
        syntax="ends",
        subcommands=(Program("shell", aliases="exec-in exec-out", options="-e= -nTtx", starts=_JOINED),),
        names_by=1,
        can="deletes: uninstall; remote",
    ),
    Program(
        "rclone",
        options=(
            "-c,--checksum --bwlimit= --checkers= --create-empty-src-dirs --dry-run -n --exclude= --exclude-from=read "
            "--fast-list -f,--filter= --filter-from=read --human-readable -h,--help -i,--interactive "
            "--ignore-existing --include= --include-from=read --log-level= --max-age= --max-depth= --max-size= "
            "--min-age= --min-size= --no-traverse -P,--progress -q,--quiet --retries= --size-only --stats= "
            "--stats-one-line --transfers= -u,--update -v,--verbose -V,--version --s3-no-check-bucket --delete-after "
            "--delete-before --delete-during --delete-excluded --immutable --inplace --tpslimit= --user-agent="
        ),
        writes="--backup-dir= --cache-dir= --log-file=NOWHERE --temp-dir=",
        runs="--config= --metadata-mapper= --password-command= --sftp-*",
        operands="REMOTEFILES*",
        syntax="exact open shared",
        subcommands=(
            Program("bisync", writes="--workdir= --filters-file=", operands="REMOTEFILES*"),
            Program("cat", aliases="ls lsd lsf lsjson lsl size", operands="REMOTEFILES*", effects="read network"),
            Program("deletefile", operands="REMOTEFILES*", effects="delete network publish"),
            Program("cryptcheck", aliases="link", operands="REMOTEFILES*"),
            Program("config", subcommands=(Program("create", aliases="password update", traits="opaque"),)),
            Program("mount", aliases="nfsmount", traits="opaque moves"),
            Program("rc", aliases="rcd selfupdate serve", traits="opaque"),
        ),
        others=Program(
            "", operands="REMOTEFILES*", traits="writes", effects="read write delete network publish system"
        ),
        names_by=1,
        can="deletes: delete, purge, sync, deletefile, rmdir, rmdirs, cleanup; network; writes",
    ),
)
"""Of many machines, or of other kinds."""

CONTAINERS = (
    Program(
        "crictl",
        options=(
            "-c,--config= -D,--debug -h,--help -i,--image-endpoint= -r,--runtime-endpoint= -t,--timeout= -v,--version"
        ),
        syntax="exact",
        subcommands=(
            Program(
                "exec",
                options=(
                    "-e,--env= -i,--interactive --ignore-errors -q,--quiet -r,--transport= -s,--sync --timeout= "
                    "-t,--tty"
                ),
                starts=_INSIDE,
                effects="code",
            ),
        ),
        names_by=1,
        can="deletes: rm, rmi, rmp; ends: stop, stopp; containers; code: exec, run",
    ),
    Program(
        "apptainer",
        aliases="singularity",
        options=(
            "-c,--config= -d,--debug -q,--quiet -s,--silent -v,--verbose --nocolor -h,--help --version --build-config"
        ),
        syntax="exact",
        subcommands=(
            Program(
                "exec",
                aliases="run shell",
                options=(
                    "-C,--containall --cleanenv -e --compat -c,--contain --env= --env-file=read --no-home "
                    "--nv --rocm --pwd,--cwd= -p,--pid --writable-tmpfs --home,-H= -i,--ipc -n,--net --fakeroot,-f "
                    "--no-mount= --app= --hostname= -u,--userns --unsquash --disable-cache"
                ),
                runs="-B,--bind=MOUNT -M,--mount= -w,--writable -o,--overlay= -S,--scratch= -s,--shell= -W,--workdir=",
                starts=_INSIDE,
                effects="code",
            ),
        ),
        names_by=1,
        traits="mounts",
        can="containers; code: exec, run",
    ),
    Program(
        "toolbox",
        options="--assumeyes -y --log-level= --log-podman -v,--verbose",
        syntax="exact",
        subcommands=(
            Program(
                "run",
                options="-c,--container= -d,--distro= -r,--release= --preserve-fds=",
                starts=_OTHER,
                effects="code",
            ),
        ),
        names_by=1,
        can="containers",
    ),
    Program(
        "distrobox",
        syntax="exact",
        subcommands=(
            Program(
                "enter",
                options=(
                    "-n,--name= -a,--additional-flags= -nw,--no-workdir -r,--root -T,-H,--no-tty -d,--dry-run "
                    "-v,--verbose -e,--exec"
                ),
                starts=_INSIDE,
                effects="code",
            ),
        ),
        names_by=1,
        can="containers",
    ),
    Program(
        "multipass",
        syntax="exact",
        subcommands=(
            Program(
                "exec",
                options="-d,--working-directory= -n,--no-map-working-directory -v,--verbose",
                starts=_INSIDE,
                effects="code",
            ),
        ),
        names_by=1,
        can="containers; deletes: delete",
    ),
    Program(
        "wsl",
        aliases="wsl.exe",
        options="-d,--distribution= -u,--user= --cd= --system --shell-type=",
        inert="--help -l,--list -v --status --version --shutdown",
        syntax="open",
        starts=Starts(optional=True, loose=True),
        effects="code",
        can="containers",
    ),
)
"""Of containers of other kinds; wsl(1) says the same of Windows."""

PROGRAMS = (*QUEUES, *MACHINES, *CONTAINERS)
