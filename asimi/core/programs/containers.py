"""Containers, clusters and virtual machines.

From the manuals of Docker CLI 28.2, Compose 2.40, Buildx 0.30, Podman 4.3, Buildah 1.28, Skopeo 1.9, kubectl 1.32, Helm
3.18, Vagrant 2.3. One row has the options of Docker, Podman and nerdctl, another those of kubectl and oc.
Not checked against the programs: Podman 5, nerdctl 2, oc 4, Helm, crane, kind, k3d, minikube.
"""

from __future__ import annotations

from asimi.core.programs.program import ALL, Program, Starts

_INSIDE = Starts(operands=1, loose=True)
_MAY_START = Starts(operands=1, optional=True, loose=True)

_OTHER = Starts(optional=True, loose=True)

_LIMITS = (
    "--blkio-weight= --blkio-weight-device= --cgroup-parent= --cpu-count= --cpu-percent= --cpu-period= --cpu-quota= "
    "--cpu-rt-period= --cpu-rt-runtime= -c,--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --device-read-bps= "
    "--device-read-iops= --device-write-bps= --device-write-iops= --io-maxbandwidth= --io-maxiops= --kernel-memory= "
    "-m,--memory= --memory-reservation= --memory-swap= --memory-swappiness= --oom-kill-disable --oom-score-adj= "
    "--pids-limit= --shm-size= --ulimit= "
)
_NETWORK = (
    "--add-host= --dns= --dns-opt,--dns-option= --dns-search= -h,--hostname= --ip= --ip6= --mac-address= "
    "--net,--network= --net-alias,--network-alias= --no-hostname --no-hosts -p,--publish= "
)
_CREATED = (
    "--annotation= --arch= -a,--attach= --authfile=read --cap-drop= --cgroup-conf= --cgroups= --creds= "
    "--decryption-key= -d,--detach --detach-keys= --disable-content-trust --domainname= --entrypoint=PROGRAM -e,--env= "
    "--env-file=read --env-host --env-merge= --expose= --gpus= --group-add= --group-entry= --health-cmd= "
    "--health-interval= --health-log-destination= --health-max-log-count= --health-max-log-size= "
    "--health-on-failure= --health-retries= --health-start-interval= --health-start-period= --health-startup-cmd= "
    "--health-startup-interval= --health-startup-retries= --health-startup-success= --health-startup-timeout= "
    "--health-timeout= --help --http-proxy --image-volume= --init --init-ctr= -i,--interactive --isolation= "
    "-l,--label= --label-file=read --link= --link-local-ip= --log-driver= --log-opt= --name= --no-healthcheck "
    "--os= --passwd --passwd-entry= --personality= --platform= --pod= -P,--publish-all --pull= -q,--quiet "
    "--rdt-class= --read-only --read-only-tmpfs --replace --requires= --restart= --retry= --retry-delay= --rm "
    "--rmi --sdnotify= --secret= --sig-proxy --snapshotter= --stop-signal= --stop-timeout= --storage-opt= "
    "--subgidname= --subuidname= --sysctl= --systemd= --timeout= --tls-verify --tmpfs= -t,--tty --tz= --umask= "
    "--unsetenv= --unsetenv-all -u,--user= --variant= -w,--workdir= " + _LIMITS + _NETWORK
)
_CREATED_WRITES = "--cidfile=NOWHERE --conmon-pidfile=NOWHERE --pidfile=NOWHERE --pod-id-file=NOWHERE"
_CREATED_RUNS = (
    "--cap-add= --cgroupns= --chrootdirs= --device= --device-cgroup-rule= --gidmap= --hostuser= --init-path= --ipc= "
    "--mount=MOUNT --pid= --preserve-fd= --preserve-fds= --privileged --rootfs --runtime= --seccomp-policy= "
    "--security-opt= --uidmap= --use-api-socket --userns= --uts= -v,--volume=MOUNT --volume-driver= --volumes-from="
)

_BUILD = Program(
    "build",
    aliases="b bud",
    options=(
        "--add-host= --all-platforms --annotation= --arch= --attest= --authfile=read --build-arg= "
        "--build-arg-file=read --build-context= --builder= --cache-from= --cache-ttl= --call= --cap-drop= "
        "--cert-dir= --cgroup-parent= --check --compat-volumes --compress --cpp-flag= --cpu-period= "
        "--cpu-quota= -c,--cpu-shares= --cpuset-cpus= --cpuset-mems= --created-annotation --creds= --debug "
        "-D,--disable-compression --decryption-key= --disable-content-trust --dns= --dns-option= "
        "--dns-search= --env= -f,--file=read --force-rm --format= --from= --group-add= --help --http-proxy "
        "--identity-label --ignorefile=read --inherit-annotations --inherit-labels --isolation= --jobs= "
        "--label= --layer-label= --layers --load --logsplit --manifest= -m,--memory= --memory-swap= "
        "--network= --no-cache --no-cache-filter= --no-hostname --no-hosts --omit-history --os= "
        "--os-feature= --os-version= --platform= --policy= --progress= --provenance= --pull[=] "
        "--push+publish -q,--quiet --resource= --retry= --retry-delay= --rewrite-timestamp --rm --sbom= "
        "--secret= --shm-size= --sign-by= --skip-unused-stages --source-date-epoch= --squash --squash-all "
        "--ssh= --stdin -t,--tag= --target= --timestamp= --tls-verify --ulimit= --unsetannotation= "
        "--unsetenv= --unsetlabel= --variant="
    ),
    writes=(
        "--cache-to=BUILT --iidfile=NOWHERE --logfile=NOWHERE --metadata-file=NOWHERE -o,--output=BUILT "
        "--sbom-output=NOWHERE --sbom-purl-output=NOWHERE"
    ),
    runs=(
        "--allow= --cap-add= --cgroupns= --device= --hooks-dir= --ipc= --pid= --runtime= --runtime-flag= "
        "--security-opt= --userns= --userns-gid-map= --userns-gid-map-group= --userns-uid-map= --userns-uid-map-user= "
        "--uts= -v,--volume=MOUNT"
    ),
    operands="read",
    effects="read network code system",
)

_EXEC = Program(
    "exec",
    options=(
        "--cidfile=read -d,--detach --detach-keys= -e,--env= --env-file=read -i,--interactive -l,--latest -t,--tty "
        "-u,--user= --wait= -w,--workdir="
    ),
    runs="--preserve-fd= --preserve-fds= --privileged",
    starts=_INSIDE,
    effects="code",
)
_EXPORT = Program("export", writes="-o,--output=NOWHERE", operands="data", effects="read")
_SAVE = Program(
    "save",
    options="--all-platforms --compress --format= -m,--multi-image-archive --platform= -q,--quiet --uncompressed",
    writes="-o,--output=NOWHERE",
    operands="data*",
    effects="read",
)
_COMMIT = Program(
    "commit",
    options=(
        "-a,--author= -c,--change= --config=read -f,--format= --include-volumes -m,--message= -p,--pause -q,--quiet "
        "-s,--squash"
    ),
    writes="--iidfile=NOWHERE",
    operands="data*",
    effects="system",
)

_CONTAINER = (
    Program(
        "create",
        options=_CREATED,
        writes=_CREATED_WRITES,
        runs=_CREATED_RUNS,
        starts=_MAY_START,
        effects="network system",
    ),
    Program(
        "run",
        options=_CREATED,
        writes=_CREATED_WRITES,
        runs=_CREATED_RUNS,
        starts=_MAY_START,
        effects="network code system",
    ),
    _EXEC,
    _EXPORT,
    _COMMIT,
    Program(
        "update",
        options=(
            _LIMITS + "--env= --latest --restart= --unsetenv= --health-cmd= --health-interval= --health-retries= "
            "--health-timeout= --no-healthcheck"
        ),
        syntax="open",
    ),
    Program(
        "checkpoint",
        options=(
            "-a,--all -c,--compress= --create-image= --file-locks --ignore-rootfs --ignore-volumes -k,--keep "
            "-l,--latest -R,--leave-running -P,--pre-checkpoint --print-stats --tcp-established --with-previous"
        ),
        writes="-e,--export=",
    ),
    Program("runlabel", traits="opaque"),
)


def _listed(name: str, aliases: str = "") -> Program:
    """The row of `docker ps` and `docker container ls`."""
    return Program(
        name,
        aliases=aliases,
        options=(
            "-a,--all --external -f,--filter= --format= -n,--last= -l,--latest --no-trunc --noheading --ns -p,--pod "
            "-q,--quiet -s,--size --sort= -w,--watch="
        ),
        effects="read",
    )


def _images(name: str, aliases: str = "") -> Program:
    """The row of `docker images` and `docker image ls`."""
    return Program(
        name,
        aliases=aliases,
        options=(
            "-a,--all --digests -f,--filter= --format= --history --no-trunc -n,--noheading -q,--quiet --sort= --tree"
        ),
        operands="data",
        effects="read",
    )


def _removes(name: str, aliases: str = "") -> Program:
    """The row of a subcommand that removes containers, images, volumes or networks."""
    return Program(
        name,
        aliases=aliases,
        options="-a,--all --filter= -f,--force --no-prune --platform= -l,--link -v,--volumes --keep-storage=",
        operands="data*",
        effects="delete system",
    )


_INSPECT = Program(
    "inspect",
    options="-f,--format= -l,--latest -s,--size -t,--type= --platform= -v,--verbose",
    operands="data*",
    effects="read",
)
_HISTORY = Program(
    "history", options="--format= -H,--human --no-trunc --platform= -q,--quiet", operands="data", effects="read"
)
_PULL = Program(
    "pull",
    options="-a,--all-tags --disable-content-trust --platform= -q,--quiet",
    operands="data*",
    effects="network system",
)
_IMAGE_CHANGES = (
    _HISTORY,
    _PULL,
    Program("tag", operands="data*", effects="system"),
    Program("load", options="-i,--input=read --platform= -q,--quiet", effects="read system"),
    Program(
        "import", options="-c,--change= -m,--message= --platform=", operands="data*", effects="read network system"
    ),
)
_OF_CONTAINERS = (
    Program(
        "logs",
        options="--color --details -f,--follow -l,--latest --names -n,--tail= --since= -t,--timestamps --until=",
        operands="data*",
        effects="read",
    ),
    Program("stats", options="-a,--all --format= --no-stream --no-trunc", operands="data*", effects="read"),
    Program("top", operands="data*", syntax="ends", effects="read"),
    Program("port", aliases="diff", operands="data*", effects="read"),
    Program("start", options="-a,--attach --detach-keys= -i,--interactive", operands="data*", effects="code system"),
    Program("restart", options="-s,--signal= -t,--time,--timeout=", operands="data*", effects="code system"),
    Program("stop", options="-s,--signal= -t,--time,--timeout=", operands="data*", effects="system"),
    Program("kill", options="-s,--signal=", operands="data*", effects="system"),
    Program("pause", aliases="unpause rename", operands="data*", effects="system"),
    Program("wait", operands="data*", effects="read"),
    Program("attach", options="--detach-keys= --no-stdin --sig-proxy[=]", operands="data", effects="code system"),
    Program(
        "cp", options="-a,--archive -L,--follow-link -q,--quiet", operands="read write", effects="read write system"
    ),
)

_COMPOSE_RUN = Program(
    "run",
    options=(
        "--build --cap-drop= -d,--detach --dry-run --entrypoint=PROGRAM -e,--env= --env-from-file=read "
        "-i,--interactive -l,--label= --name= --no-deps -T,--no-TTY,--no-tty -p,--publish= --pull= -q,--quiet "
        "--quiet-build --quiet-pull --remove-orphans --rm -P,--service-ports -t,--tty "
        "--use-aliases -u,--user= -w,--workdir="
    ),
    runs="--cap-add= -v,--volume=MOUNT",
    starts=_MAY_START,
    effects="network code system",
)
# A project's file may include another one by its address, which each of these fetches
_COMPOSE = (
    Program(
        "ps",
        options=("-a,--all --dry-run --filter= --format= --no-trunc --orphans[=] -q,--quiet --services --status="),
        operands="data*",
        effects="read network",
    ),
    Program(
        "logs",
        options=(
            "--dry-run -f,--follow --index= --no-color --no-log-prefix --since= -n,--tail= -t,--timestamps --until="
        ),
        operands="data*",
        effects="read network",
    ),
    Program("images", options="--dry-run --format= -q,--quiet", operands="data*", effects="read network"),
    Program("top", options="--dry-run", operands="data*", effects="read network"),
    Program("port", options="--dry-run --index= --protocol=", operands="data*", effects="read network"),
    Program(
        "stats", options="-a,--all --dry-run --format= --no-stream --no-trunc", operands="data*", effects="read network"
    ),
    Program("ls", options="-a,--all --dry-run --filter= --format= -q,--quiet", effects="read"),
    Program("version", options="--dry-run -f,--format= --short", effects="read"),
    Program(
        "up",
        options=(
            "--abort-on-container-exit --abort-on-container-failure --always-recreate-deps --attach= "
            "--attach-dependencies --build -d,--detach --dry-run --exit-code-from= --force-recreate --menu[=] "
            "--no-attach= --no-build --no-color --no-deps --no-log-prefix --no-recreate --no-start --pull= "
            "--quiet-build --quiet-pull --remove-orphans -V,--renew-anon-volumes+delete --scale= -t,--timeout= "
            "--timestamps --wait --wait-timeout= -w,--watch -y,--yes"
        ),
        operands="data*",
        effects="network code system",
    ),
    Program(
        "down",
        options="--dry-run --remove-orphans --rmi= -t,--timeout= -v,--volumes",
        operands="data*",
        effects="delete network system",
    ),
    Program(
        "build",
        options=(
            "--build-arg= --builder= --check --dry-run -m,--memory= --no-cache --print --provenance= --pull "
            "--push+publish -q,--quiet --sbom= --ssh= --with-dependencies"
        ),
        operands="data*",
        effects="read network code system",
    ),
    Program(
        "pull",
        options="--dry-run --ignore-buildable --ignore-pull-failures --include-deps --policy= -q,--quiet",
        operands="data*",
        effects="network system",
    ),
    Program(
        "push",
        options="--dry-run --ignore-push-failures --include-deps -q,--quiet",
        operands="data*",
        effects="network publish",
    ),
    Program("start", options="--dry-run --wait --wait-timeout=", operands="data*", effects="network code system"),
    Program("restart", options="--dry-run --no-deps -t,--timeout=", operands="data*", effects="network code system"),
    Program("stop", options="--dry-run -t,--timeout=", operands="data*", effects="network system"),
    Program("kill", options="--dry-run --remove-orphans -s,--signal=", operands="data*", effects="network system"),
    Program("pause", aliases="unpause", options="--dry-run", operands="data*", effects="network system"),
    Program(
        "rm",
        options="--dry-run -f,--force -s,--stop -v,--volumes",
        operands="data*",
        effects="delete network system",
    ),
    Program(
        "exec",
        options=(
            "-d,--detach --dry-run -e,--env= --index= -i,--interactive -T,--no-TTY,--no-tty -t,--tty -u,--user= "
            "-w,--workdir="
        ),
        runs="--privileged",
        starts=_INSIDE,
        effects="network code",
    ),
    _COMPOSE_RUN,
    Program(
        "config",
        aliases="convert",
        options=(
            "--dry-run --environment --format= --hash= --images --lock-image-digests --models --networks "
            "--no-consistency --no-env-resolution --no-interpolate --no-normalize --no-path-resolution --profiles "
            "-q,--quiet --resolve-image-digests --services --variables --volumes"
        ),
        writes="-o,--output=NOWHERE",
        operands="data*",
        effects="read network",
    ),
    Program("export", options="--dry-run --index=", writes="-o,--output=NOWHERE"),
    Program(
        "bridge",
        subcommands=(
            Program(
                "convert", options="--dry-run --templates=read", writes="-o,--output=", runs="-t,--transformation="
            ),
        ),
    ),
)
_COMPOSE_OPTIONS = (
    "--all-resources --ansi= -c,--context=+network --compatibility -D,--debug --dry-run --env-file=read -f,--file=read "
    "-H,--host=+network --in-pod= --insecure-registry= -l,--log-level= --no-ansi --parallel= --podman-args= "
    "--podman-run-args= "
    "--profile= --progress= --project-directory=enter --workdir=enter -p,--project-name= --tls --tlscacert= --tlscert= "
    "--tlskey= --tlsverify --verbose -v,--version"
)

_SERVICE = Program(
    "create",
    aliases="update",
    options=(
        "--args= --cap-drop= --config= --config-add= --config-rm= --constraint= --constraint-add= --constraint-rm= "
        "--container-label= --container-label-add= --container-label-rm= -d,--detach --dns= --dns-add= --dns-option= "
        "--dns-option-add= --dns-option-rm= --dns-rm= --dns-search= --dns-search-add= --dns-search-rm= "
        "--endpoint-mode= --entrypoint= -e,--env= --env-add= --env-file=read --env-rm= --force --generic-resource= "
        "--generic-resource-add= --generic-resource-rm= --group= --group-add= --group-rm= --health-cmd= "
        "--health-interval= --health-retries= --health-start-interval= --health-start-period= --health-timeout= "
        "--host= --host-add= --host-rm= --hostname= --image= --init -l,--label= --label-add= --label-rm= --limit-cpu= "
        "--limit-memory= --limit-pids= --log-driver= --log-opt= --max-concurrent= --mode= --mount-rm= --name= "
        "--network= --network-add= --network-rm= --no-healthcheck --no-resolve-image --oom-score-adj= "
        "--placement-pref= --placement-pref-add= --placement-pref-rm= -p,--publish= --publish-add= --publish-rm= "
        "-q,--quiet --read-only --replicas= --replicas-max-per-node= --reserve-cpu= --reserve-memory= "
        "--restart-condition= --restart-delay= --restart-max-attempts= --restart-window= --rollback --rollback-delay= "
        "--rollback-failure-action= --rollback-max-failure-ratio= --rollback-monitor= --rollback-order= "
        "--rollback-parallelism= --secret= --secret-add= --secret-rm= --stop-grace-period= --stop-signal= --sysctl= "
        "--sysctl-add= --sysctl-rm= -t,--tty --ulimit= --ulimit-add= --ulimit-rm= --update-delay= "
        "--update-failure-action= --update-max-failure-ratio= --update-monitor= --update-order= --update-parallelism= "
        "-u,--user= --with-registry-auth -w,--workdir="
    ),
    runs="--cap-add= --credential-spec= --isolation= --mount=MOUNT --mount-add=MOUNT",
    starts=_MAY_START,
)

_PUSH = Program(
    "push",
    options=(
        "-a,--all --all-platforms --all-tags --authfile=read --cert-dir= --compression-format= --compression-level= "
        "--creds= -D,--disable-compression --disable-content-trust --encrypt-layer= --encryption-key= -f,--format= "
        "--force-compression --platform= -q,--quiet --remove-signatures --retry= --retry-delay= --rm --sign-by= "
        "--sign-by-sigstore= --sign-by-sigstore-private-key= --sign-passphrase-file= --tls-verify"
    ),
    writes="--digestfile=NOWHERE",
    operands="data*",
    effects="network publish",
)
_KUBE_PLAY = (
    "--annotation= --authfile=read --build --cert-dir= --configmap=read --context-dir=read --creds= --down --force "
    "--ip= --log-driver= --log-opt= --mac-address= --network= --no-hostname --no-hosts --no-pod-prefix --publish= "
    "--publish-all -q,--quiet --replace --start --tls-verify -w,--wait"
)
_KUBE_GENERATE = "--podman-only --no-trunc -r,--replicas= -s,--service -t,--type="

# Buildkit's entitlements, an own daemon with its configuration, and outputs that are files
_BUILDX = (
    _BUILD,
    Program(
        "bake",
        aliases="f",
        options=(
            "--call= --check -f,--file=read --list= --load --no-cache --policy= --print --progress= --provenance= "
            "--pull --push --sbom= --var="
        ),
        writes="--metadata-file=NOWHERE",
        runs="--allow= --set=",
        operands="data*",
        effects="read network code system",
    ),
    Program(
        "create",
        options="--append --bootstrap --driver= --leave --name= --node= --platform= --timeout= --use",
        runs="--buildkitd-config= --buildkitd-flags= --config= --driver-opt= --flags=",
    ),
    Program("ls", aliases="version", options="--format= --no-trunc", effects="read"),
    Program("du", options="--filter= --format= --verbose", effects="read"),
    Program("history", subcommands=(Program("export", options="--all --finalize", writes="-o,--output=NOWHERE"),)),
    Program(
        "imagetools",
        subcommands=(
            Program(
                "create",
                options=(
                    "--annotation= --append --dry-run -f,--file=read -p,--platform= --prefer-index --progress= "
                    "-t,--tag="
                ),
                writes="--metadata-file=NOWHERE",
            ),
        ),
    ),
    Program("debug", traits="opaque"),
)

_KUBECTL = (
    "--as= --as-group= --as-uid= --as-user-extra= --certificate-authority= --client-certificate= --client-key= "
    "--cluster= --context= --disable-compression --help --insecure-skip-tls-verify --kuberc= --log-flush-frequency= "
    "--loglevel= --match-server-version -n,--namespace= --password= --request-timeout= -s,--server= --tls-server-name= "
    "--token= --user= --username= -v,--v= --vmodule= --warnings-as-errors"
)
_KUBECTL_RUN = (
    "--allow-missing-template-keys --annotations= --attach --cascade[=] --command --dry-run[=] --env= --expose "
    "--field-manager= -f,--filename=read --force --grace-period= --image= --image-pull-policy= -k,--kustomize=read "
    "-l,--labels= --leave-stdin-open -o,--output= --override-type= --overrides= --pod-running-timeout= --port= "
    "--privileged -q,--quiet -R,--recursive --restart= --rm --save-config --show-managed-fields -i,--stdin --template= "
    "--timeout= -t,--tty --wait"
)

_HELM = (
    "--api-versions= --app-version= --atomic --ca-file= --cascade= --cert-file= --cleanup-on-fail --create-namespace "
    "--dependency-update --description= --destination= --devel --disable-openapi-validation --dry-run[=] --enable-dns "
    "--force --force-conflicts --force-replace --generate-name --help --hide-notes --hide-secret --history-max= "
    "--include-crds --insecure-skip-tls-verify --install --is-upgrade --key-file= --keyring= --kube-version= --labels= "
    "--name= --name-template= --no-hooks --output= --pass-credentials --password= --plain-http --release-name "
    "--render-subchart-notes --replace --repo= --reset-then-reuse-values --reset-values --reuse-values "
    "--rollback-on-failure --server-side= --set= --set-file= --set-json= --set-literal= --set-string= --show-only= "
    "--skip-crds --skip-schema-validation --skip-tests --take-ownership --timeout= --username= --validate "
    "--values=read --verify --version= --wait[=] --wait-for-jobs -a= -d= -f=read -g -i -l= -o= -s="
)

PROGRAMS = (
    Program(
        "docker",
        aliases="nerdctl podman",
        options=(
            "-a,--address= -c,--connection,--context=+network --cgroup-manager= -D,--debug --debug-full "
            "--events-backend= -H,--host=+network --help --identity= --insecure-registry -l,--log-level= "
            "-n,--namespace= --noout -r,--remote+network --snapshotter= --ssh=+code --storage-driver= --syslog --tls "
            "--tlscacert= --tlscert= --tlskey= --tlsverify --transient-store --url=+network -v,--version"
        ),
        writes="--cpu-profile= --data-root= --imagestore= --memory-profile= --root= --runroot= --tmpdir= --volumepath=",
        runs=(
            "--cdi-spec-dir= --cdi-spec-dirs= --cni-netconfpath= --cni-path= --config= --conmon= --hooks-dir= "
            "--hosts-dir= --module= --network-cmd-path= --network-config-dir= --runtime= --runtime-flag= "
            "--storage-opt="
        ),
        syntax="exact",
        subcommands=(
            Program("compose", options=_COMPOSE_OPTIONS, subcommands=_COMPOSE, effects="none"),
            *_CONTAINER,
            *_OF_CONTAINERS,
            *_IMAGE_CHANGES,
            _listed("ps"),
            _images("images"),
            _INSPECT,
            _removes("rm", "rmi"),
            Program("version", aliases="info", options="-f,--format=", effects="read"),
            Program("events", options="-f,--filter= --format= --since= --until=", effects="read"),
            Program("search", options="-f,--filter= --format= --limit= --no-trunc", operands="data", effects="network"),
            Program(
                "login",
                aliases="logout",
                options="-p,--password= --password-stdin -u,--username=",
                operands="data",
                effects="network system",
            ),
            Program(
                "system",
                subcommands=(
                    Program("df", aliases="info", options="-f,--format= -v,--verbose", effects="read"),
                    Program("events", options="-f,--filter= --format= --since= --until=", effects="read"),
                    _removes("prune"),
                ),
            ),
            Program(
                "network",
                subcommands=(
                    Program(
                        "ls", aliases="list", options="-f,--filter= --format= --no-trunc -q,--quiet", effects="read"
                    ),
                    _INSPECT,
                    _removes("rm", "prune"),
                    Program("connect", aliases="disconnect", operands="data*", effects="system"),
                ),
            ),
            Program(
                "node",
                aliases="secret config",
                subcommands=(
                    Program("ls", aliases="list", options="-f,--filter= --format= -q,--quiet", effects="read"),
                ),
            ),
            _BUILD,
            _SAVE,
            _PUSH,
            Program("buildx", options="--builder= -D,--debug", syntax="shared", subcommands=_BUILDX, effects="none"),
            Program("builder", subcommands=(_BUILD, _removes("prune"))),
            Program(
                "container",
                subcommands=(*_CONTAINER, *_OF_CONTAINERS, _listed("ls", "ps list"), _INSPECT, _removes("rm", "prune")),
            ),
            Program(
                "image",
                subcommands=(
                    _BUILD,
                    _SAVE,
                    _PUSH,
                    *_IMAGE_CHANGES,
                    _images("ls", "list"),
                    _INSPECT,
                    _removes("rm", "prune"),
                    Program("sign", traits="opaque"),
                    Program("trust", subcommands=(Program("set", traits="opaque"),)),
                ),
            ),
            Program(
                "context",
                subcommands=(
                    Program("export", operands="data write", effects="read write"),
                    Program("ls", aliases="list show", options="--format= -q,--quiet", effects="read"),
                    Program("inspect", options="-f,--format=", operands="data*", effects="read"),
                    Program("use", operands="data", effects="system"),
                ),
            ),
            Program("manifest", subcommands=(_PUSH,)),
            Program(
                "plugin",
                subcommands=(
                    Program(
                        "install",
                        aliases="upgrade",
                        options="--alias= --disable --disable-content-trust --skip-remote-check",
                        runs="--grant-all-permissions",
                    ),
                ),
            ),
            Program(
                "service",
                subcommands=(
                    _SERVICE,
                    Program(
                        "ls",
                        aliases="list ps",
                        options="-f,--filter= --format= --no-resolve --no-trunc -q,--quiet",
                        operands="data*",
                        effects="read",
                    ),
                ),
            ),
            Program(
                "volume",
                subcommands=(
                    Program(
                        "create",
                        options=(
                            "--availability= -d,--driver= --gid= --group= --ignore --label= --limit-bytes= "
                            "--required-bytes= --scope= --secret= --sharing= --topology-preferred= "
                            "--topology-required= --type= --uid= -l="
                        ),
                        runs="-o,--opt=",
                        operands="data",
                        effects="system",
                    ),
                    _EXPORT,
                    Program(
                        "ls", aliases="list", options="--cluster -f,--filter= --format= -q,--quiet", effects="read"
                    ),
                    _INSPECT,
                    _removes("rm", "prune"),
                ),
            ),
            Program(
                "generate",
                subcommands=(
                    Program(
                        "systemd",
                        options=(
                            "--after= --container-prefix= -e,--env= --format= -n,--name --new --no-header "
                            "--pod-prefix= --requires= --restart-policy= --restart-sec= --separator= --start-timeout= "
                            "--stop-timeout= --template --wants="
                        ),
                        writes="-f,--files",
                    ),
                    Program("kube", options=_KUBE_GENERATE, writes="-f,--filename=NOWHERE"),
                ),
            ),
            Program(
                "kube",
                subcommands=(
                    Program("generate", options=_KUBE_GENERATE, writes="-f,--filename=NOWHERE"),
                    Program("play", options=_KUBE_PLAY, runs="--seccomp-profile-root= --userns=", operands="read*"),
                ),
            ),
            Program(
                "play",
                subcommands=(
                    Program("kube", options=_KUBE_PLAY, runs="--seccomp-profile-root= --userns=", operands="read*"),
                ),
            ),
            Program(
                "machine",
                subcommands=(
                    Program(
                        "init",
                        options=(
                            "--cpus= --disk-size= --image= --image-path= -m,--memory= --now --rootful --swap= "
                            "--timezone= --tls-verify --update-connection --user-mode-networking --username="
                        ),
                        runs="--ignition-path= --playbook= --usb= -v,--volume= --volume-driver=",
                    ),
                    Program("ssh", options="--username=", starts=_MAY_START),
                ),
            ),
            Program(
                "pod",
                subcommands=(
                    Program(
                        "create",
                        options=(
                            _LIMITS
                            + _NETWORK
                            + "--exit-policy= --infra --infra-command= --infra-image= --infra-name= -l,--label= "
                            "--label-file=read -n,--name= --replace --restart= --share= --share-parent --subgidname= "
                            "--subuidname= --sysctl="
                        ),
                        writes="--infra-conmon-pidfile= --pod-id-file=",
                        runs=(
                            "--device= --gidmap= --pid= --security-opt= --uidmap= --userns= --uts= -v,--volume=MOUNT "
                            "--volumes-from="
                        ),
                    ),
                ),
            ),
            Program("unshare", options="--rootless-netns", starts=Starts(optional=True)),
        ),
        names_by=1,
        traits="mounts wide",
        effects="none",
        can=(
            "deletes: rm, rmi, prune, volume rm; publishes: push; ends: stop, kill; services: compose; "
            "containers; code: run, exec, build; network: pull, push; reads: ps, images, logs"
        ),
    ),
    Program(
        "docker-compose",
        aliases="podman-compose",
        options=_COMPOSE_OPTIONS,
        syntax="exact",
        subcommands=_COMPOSE,
        names_by=1,
        traits="wide",
        effects="none",
        can="deletes: rm, down; publishes: push; services; code: run, exec, build, up; reads: ps, logs",
    ),
    Program(
        "docker-buildx",
        aliases="buildx",
        options="--builder= -D,--debug",
        syntax="exact shared",
        subcommands=_BUILDX,
        names_by=1,
        effects="none",
        can="containers; code: build, bake",
    ),
    Program(
        "buildah",
        options=(
            "--cgroup-manager= --help --log-level= --registries-conf= --registries-conf-dir= --short-name-alias-conf= "
            "--storage-driver= --userns-gid-map= --userns-uid-map= -v,--version"
        ),
        writes="--root= --runroot=",
        runs="--storage-opt=",
        syntax="exact",
        subcommands=(
            _BUILD,
            _PUSH,
            Program(
                "commit",
                options=(
                    "--authfile=read --cert-dir= --creds= -D,--disable-compression --encrypt-layer= --encryption-key= "
                    "-f,--format= --identity-label --manifest= --omit-history -q,--quiet --rm --sign-by= --squash "
                    "--timestamp= --tls-verify --unsetenv="
                ),
                writes="--iidfile=NOWHERE",
            ),
            Program("from", options=_CREATED + " -f,--format=", writes=_CREATED_WRITES, runs=_CREATED_RUNS),
            Program(
                "run",
                options=(
                    "--add-history --cap-drop= --contextdir=read -e,--env= --hostname= --isolation= --network= "
                    "--no-hostname --no-hosts --no-pivot -t,--terminal,--tty -u,--user= --workingdir="
                ),
                runs=(
                    "--cap-add= --cgroupns= --device= --ipc= --mount=MOUNT --pid= --runtime= --runtime-flag= --uts= "
                    "-v,--volume=MOUNT"
                ),
                starts=_INSIDE,
            ),
            Program("unshare", options="-m,--mount=", starts=Starts(optional=True)),
        ),
        names_by=1,
        traits="mounts wide",
        can="containers; code: run, build",
    ),
    Program(
        "skopeo",
        subcommands=(
            Program(
                "inspect",
                aliases="list-tags",
                options=(
                    "--authfile=read --cert-dir=read --config --creds= --daemon-host= -f,--format= --no-creds "
                    "-n,--no-tags --password= --raw --registry-token= --retry-times= --shared-blob-dir=read "
                    "--tls-verify[=] --username="
                ),
                operands="data",
                effects="read network",
            ),
            Program("copy", aliases="sync", operands="data*", effects="read write network publish"),
            Program("delete", operands="data", effects="delete network publish"),
        ),
        names_by=1,
        effects="none",
        can="publishes: copy, sync; deletes: delete; network",
    ),
    Program(
        "crane",
        aliases="gcrane",
        subcommands=(
            Program("ls", aliases="digest manifest config catalog", operands="data*", effects="network"),
            Program("pull", operands="data*", effects="write network"),
            Program("push", aliases="copy cp tag append mutate", operands="data*", effects="read network publish"),
            Program("delete", operands="data*", effects="delete network publish"),
        ),
        names_by=1,
        effects="none",
        can="publishes: push, copy; deletes: delete; network",
    ),
    Program(
        "kubectl",
        aliases="oc",
        options=_KUBECTL,
        writes="--cache-dir= --profile-output=",
        runs="--kubeconfig=",
        syntax="exact shared open",
        subcommands=(
            Program(
                "attach",
                options="-c,--container= --pod-running-timeout= -q,--quiet -i,--stdin -t,--tty",
                operands="data",
                effects="network",
            ),
            Program(
                "get",
                options=(
                    "-A,--all-namespaces[=] --chunk-size= --field-selector= --ignore-not-found[=] -L,--label-columns= "
                    "--no-headers[=] --output-watch-events[=] --raw=read -l,--selector= --server-print[=] "
                    "--show-kind[=] --show-labels[=] --sort-by= --subresource= -w,--watch[=] --watch-only[=] "
                    "--allow-missing-template-keys[=] -f,--filename=read -k,--kustomize=read -o,--output= "
                    "-R,--recursive[=] --show-managed-fields[=] --template= "
                ),
                operands="data*",
                syntax="open",
                effects="network",
            ),
            Program(
                "describe",
                options=(
                    "-A,--all-namespaces[=] --chunk-size= -f,--filename=read -k,--kustomize=read -R,--recursive[=] "
                    "-l,--selector= --show-events[=]"
                ),
                operands="data*",
                syntax="open",
                effects="network",
            ),
            Program(
                "logs",
                options=(
                    "--all-containers[=] --all-pods[=] -c,--container= -f,--follow[=] --ignore-errors[=] "
                    "--insecure-skip-tls-verify-backend[=] --limit-bytes= --max-log-requests= --pod-running-timeout= "
                    "--prefix[=] -p,--previous[=] -l,--selector= --since= --since-time= --tail= --timestamps[=]"
                ),
                operands="data*",
                syntax="open",
                effects="network",
            ),
            Program(
                "top",
                options=(
                    "-A,--all-namespaces[=] --containers[=] --field-selector= --no-headers[=] -l,--selector= "
                    "--sort-by= --sum[=] --use-protocol-buffers[=] --show-capacity[=]"
                ),
                operands="data*",
                syntax="open",
                effects="network",
            ),
            Program("version", options="--client[=]!none -o,--output=", syntax="open", effects="network"),
            Program(
                "api-resources",
                aliases="api-versions",
                options=(
                    "--api-group= --cached[=] --categories= --namespaced[=] --no-headers[=] -o,--output= --sort-by= "
                    "--verbs="
                ),
                syntax="open",
                effects="network",
            ),
            Program(
                "explain",
                options="--api-version= -o,--output= --recursive[=]",
                operands="data*",
                syntax="open",
                effects="network",
            ),
            Program(
                "events",
                options=(
                    "-A,--all-namespaces[=] --chunk-size= --for= --no-headers[=] --types= -w,--watch[=] "
                    "--allow-missing-template-keys[=] -f,--filename=read -k,--kustomize=read -o,--output= "
                    "-R,--recursive[=] --show-managed-fields[=] --template= "
                ),
                operands="data*",
                syntax="open",
                effects="network",
            ),
            Program(
                "wait",
                options=(
                    "--all[=] -A,--all-namespaces[=] --field-selector= --for= --local[=] -l,--selector= --timeout= "
                    "--allow-missing-template-keys[=] -f,--filename=read -k,--kustomize=read -o,--output= "
                    "-R,--recursive[=] --show-managed-fields[=] --template= "
                ),
                operands="data*",
                syntax="open",
                effects="network",
            ),
            Program(
                "auth",
                syntax="open",
                subcommands=(
                    Program(
                        "can-i",
                        aliases="whoami",
                        options=(
                            "-A,--all-namespaces[=] --list[=] --no-headers[=] -q,--quiet[=] --subresource= -o,--output="
                        ),
                        operands="data*",
                        syntax="open",
                        effects="network",
                    ),
                ),
            ),
            Program(
                "diff",
                options=(
                    "--concurrency= --field-manager= --force-conflicts[=] --prune[=] --prune-allowlist= "
                    "-l,--selector= --server-side[=] --allow-missing-template-keys[=] -f,--filename=read "
                    "-k,--kustomize=read -o,--output= -R,--recursive[=] --show-managed-fields[=] --template= "
                ),
                operands="data*",
                syntax="open",
                effects="read network",
            ),
            Program(
                "apply",
                options=(
                    "--cascade[=] --force-conflicts[=] --openapi-patch[=] --prune[=]+delete --prune-allowlist= "
                    "--server-side[=] --subresource= --all[=] -A,--all-namespaces[=] --dry-run[=] --field-manager= "
                    "--field-selector= --force[=] --grace-period= -l,--selector= --overwrite[=] --resource-version= "
                    "--save-config[=] --timeout= --validate[=] --wait[=] --allow-missing-template-keys[=] "
                    "-f,--filename=read -k,--kustomize=read -o,--output= -R,--recursive[=] --show-managed-fields[=] "
                    "--template= "
                ),
                operands="data*",
                syntax="open",
                effects="network publish",
            ),
            Program(
                "patch",
                aliases="scale label annotate taint",
                options=(
                    "--local[=] -p,--patch= --patch-file=read --subresource= --type= --replicas= --current-replicas= "
                    "--list[=] --all[=] -A,--all-namespaces[=] --dry-run[=] --field-manager= --field-selector= "
                    "--force[=] --grace-period= -l,--selector= --overwrite[=] --resource-version= --save-config[=] "
                    "--timeout= --validate[=] --wait[=] --allow-missing-template-keys[=] -f,--filename=read "
                    "-k,--kustomize=read -o,--output= -R,--recursive[=] --show-managed-fields[=] --template= "
                ),
                operands="data*",
                syntax="open",
                effects="network publish",
            ),
            Program(
                "replace",
                options=(
                    "--cascade[=] --raw=read --subresource= --all[=] -A,--all-namespaces[=] --dry-run[=] "
                    "--field-manager= --field-selector= --force[=] --grace-period= -l,--selector= --overwrite[=] "
                    "--resource-version= --save-config[=] --timeout= --validate[=] --wait[=] "
                    "--allow-missing-template-keys[=] -f,--filename=read -k,--kustomize=read -o,--output= "
                    "-R,--recursive[=] --show-managed-fields[=] --template= "
                ),
                operands="data*",
                syntax="open",
                effects="network publish",
            ),
            Program(
                "delete",
                options=(
                    "--cascade[=] --ignore-not-found[=] -i,--interactive[=] --now[=] --raw=read --all[=] "
                    "-A,--all-namespaces[=] --dry-run[=] --field-manager= --field-selector= --force[=] "
                    "--grace-period= -l,--selector= --overwrite[=] --resource-version= --save-config[=] --timeout= "
                    "--validate[=] --wait[=] --allow-missing-template-keys[=] -f,--filename=read -k,--kustomize=read "
                    "-o,--output= -R,--recursive[=] --show-managed-fields[=] --template= "
                ),
                operands="data*",
                syntax="open",
                effects="delete network publish",
            ),
            Program(
                "rollout",
                syntax="open",
                subcommands=(
                    Program(
                        "status",
                        aliases="history",
                        options=(
                            "--revision= -l,--selector= --timeout= -w,--watch[=] --allow-missing-template-keys[=] "
                            "-f,--filename=read -k,--kustomize=read -o,--output= -R,--recursive[=] "
                            "--show-managed-fields[=] --template="
                        ),
                        operands="data*",
                        syntax="open",
                        effects="network",
                    ),
                    Program(
                        "restart",
                        aliases="undo pause resume",
                        options=(
                            "--dry-run[=] --field-manager= -l,--selector= --to-revision= "
                            "--allow-missing-template-keys[=] -f,--filename=read -k,--kustomize=read -o,--output= "
                            "-R,--recursive[=] --show-managed-fields[=] --template="
                        ),
                        operands="data*",
                        syntax="open",
                        effects="network publish",
                    ),
                ),
            ),
            Program(
                "set",
                syntax="open",
                subcommands=(
                    Program(
                        "image",
                        options=(
                            "--local[=] --all[=] -A,--all-namespaces[=] --dry-run[=] --field-manager= "
                            "--field-selector= --force[=] --grace-period= -l,--selector= --overwrite[=] "
                            "--resource-version= --save-config[=] --timeout= --validate[=] --wait[=] "
                            "--allow-missing-template-keys[=] -f,--filename=read -k,--kustomize=read -o,--output= "
                            "-R,--recursive[=] --show-managed-fields[=] --template="
                        ),
                        operands="data*",
                        syntax="open",
                        effects="network publish",
                    ),
                ),
            ),
            Program(
                "cordon",
                aliases="uncordon",
                options="--dry-run[=] -l,--selector=",
                operands="data*",
                syntax="open",
                effects="network publish",
            ),
            Program(
                "drain",
                options=(
                    "--chunk-size= --delete-emptydir-data[=] --disable-eviction[=] --dry-run[=] --force[=] "
                    "--grace-period= --ignore-daemonsets[=] --pod-selector= -l,--selector= "
                    "--skip-wait-for-delete-timeout= --timeout="
                ),
                operands="data*",
                syntax="open",
                effects="delete network publish",
            ),
            Program(
                "cp",
                options="-c,--container= --no-preserve[=] --retries=",
                operands="read write",
                syntax="open",
                effects="read write network publish",
            ),
            Program(
                "port-forward",
                aliases="proxy",
                options="--address= --pod-running-timeout=",
                operands="data*",
                syntax="open",
                effects="network",
            ),
            Program(
                "edit",
                options=(
                    "--output-patch[=] --subresource= --windows-line-endings[=] --all[=] -A,--all-namespaces[=] "
                    "--dry-run[=] --field-manager= --field-selector= --force[=] --grace-period= -l,--selector= "
                    "--overwrite[=] --resource-version= --save-config[=] --timeout= --validate[=] --wait[=] "
                    "--allow-missing-template-keys[=] -f,--filename=read -k,--kustomize=read -o,--output= "
                    "-R,--recursive[=] --show-managed-fields[=] --template= "
                ),
                operands="data*",
                syntax="open",
                effects="network publish code",
            ),
            Program(
                "cluster-info",
                subcommands=(
                    Program(
                        "dump",
                        options=(
                            "-A,--all-namespaces --allow-missing-template-keys --namespaces= -o,--output= "
                            "--pod-running-timeout= --show-managed-fields --template="
                        ),
                        writes="--output-directory=NOWHERE",
                        effects="network",
                    ),
                ),
                effects="network",
            ),
            Program(
                "config",
                subcommands=(
                    Program("set-credentials", traits="opaque"),
                    Program("set-context", traits="opaque"),
                    Program("set-cluster", traits="opaque"),
                    Program(
                        "view",
                        aliases="get-contexts current-context get-clusters get-users",
                        options=(
                            "--allow-missing-template-keys[=] --flatten[=] --merge[=] --minify[=] --no-headers[=] "
                            "-o,--output= --raw[=] --show-managed-fields[=] --template="
                        ),
                        operands="data*",
                        syntax="open",
                        effects="read",
                    ),
                    Program(
                        "use-context",
                        aliases="delete-context delete-cluster delete-user rename-context unset",
                        operands="data*",
                        syntax="open",
                        effects="system",
                    ),
                    Program("set", traits="opaque"),
                ),
            ),
            Program(
                "create",
                options=(
                    "--allow-missing-template-keys --dry-run[=] --edit --field-manager= -f,--filename=read "
                    "-k,--kustomize=read -o,--output= --raw=read -R,--recursive --save-config -l,--selector= "
                    "--show-managed-fields --template= --validate[=] --windows-line-endings"
                ),
                operands="data*",
                syntax="open",
                subcommands=(
                    Program(
                        "job",
                        aliases="cronjob cj deployment deploy",
                        options=(
                            "--allow-missing-template-keys --dry-run[=] --field-manager= --from= --image= -o,--output= "
                            "--port= -r,--replicas= --restart= --save-config --schedule= --show-managed-fields "
                            "--template= --validate[=]"
                        ),
                        syntax="mixed",
                        starts=Starts(operands=ALL, optional=True, loose=True),
                        effects="network publish",
                    ),
                ),
                effects="network publish",
            ),
            Program(
                "debug",
                options=(
                    "--arguments-only --as-root --as-user= --attach -c,--container= --copy-to= --custom=read --env= "
                    "-f,--filename=read --image= --image-pull-policy= --image-stream= --keep-annotations "
                    "--keep-init-containers --keep-labels --keep-liveness --keep-readiness --keep-startup --node-name= "
                    "--one-container --preserve-pod --profile= -q,--quiet --replace --same-node --set-image= "
                    "--share-processes -i,-I,--no-stdin,--stdin --target= --to-namespace= -t,--tty -T,--no-tty"
                ),
                syntax="mixed",
                starts=_MAY_START,
                effects="network publish",
            ),
            Program(
                "exec",
                options="-c,--container= -f,--filename=read --pod-running-timeout= -q,--quiet -i,--stdin -t,--tty",
                syntax="mixed",
                starts=_MAY_START,
                effects="network",
            ),
            Program("extract", options="-f,--filename=read --confirm --keys=", writes="--to=NOWHERE"),
            Program(
                "kustomize",
                options=(
                    "--as-current-user -e,--env= --helm-api-versions= --helm-debug --helm-kube-version= --network-name="
                ),
                writes="-o,--output=NOWHERE",
                runs="--enable-alpha-plugins --enable-helm --helm-command= --load-restrictor= --mount= --network",
                operands="read",
                effects="read network",
            ),
            Program("krew", subcommands=(Program("install", traits="opaque"), Program("upgrade", traits="opaque"))),
            Program(
                "rsh",
                options="-c,--container= --shell= -T,--no-tty --timeout= -t,--tty",
                starts=_MAY_START,
                effects="network",
            ),
            Program("run", options=_KUBECTL_RUN, syntax="mixed", starts=_MAY_START, effects="network publish"),
        ),
        names_by=1,
        effects="none",
        can="deletes: delete; remote; code: exec; reads: get",
    ),
    Program(
        "kustomize",
        options=(
            "--as-current-user -e,--env= --helm-api-versions= --helm-debug --helm-kube-version= --help --network-name= "
            "--stack-trace"
        ),
        writes="-o,--output=NOWHERE",
        runs=(
            "--enable-alpha-plugins --enable-exec --enable-helm --enable-star --helm-command= --load-restrictor= "
            "--mount= --network"
        ),
        syntax="exact open",  # `kustomize edit` has options by the dozen, none of which leaves the project
        names_by=1,
        can="writes: edit, create; reads",
    ),
    Program(
        "helm",
        options=(
            "--burst-limit= --color= --colour= --content-cache= --debug --help --kube-apiserver= --kube-as-group= "
            "--kube-as-user= --kube-ca-file= --kube-context= --kube-insecure-skip-tls-verify --kube-tls-server-name= "
            "--kube-token= -n,--namespace= --qps= --registry-config= --repository-cache= --repository-config="
        ),
        runs="--kubeconfig=",
        syntax="exact shared",
        subcommands=(
            Program(
                "install",
                aliases="template upgrade",
                options=_HELM,
                writes="--output-dir=NOWHERE",
                runs="--post-renderer= --post-renderer-args=",
                operands="data*",
                effects="read network publish",
            ),
            Program("plugin", subcommands=(Program("install", aliases="update", traits="opaque"),)),
            Program("list", aliases="ls status history", operands="data*", syntax="open", effects="network"),
            Program("get", aliases="show", operands="data*", syntax="open", effects="network"),
            Program("version", aliases="env", syntax="open", effects="read"),
            Program("lint", operands="read*", syntax="open", effects="read"),
            Program("uninstall", aliases="delete", operands="data*", syntax="open", effects="delete network publish"),
            Program("rollback", operands="data*", syntax="open", effects="network publish"),
        ),
        names_by=1,
        effects="none",
        can="deletes: uninstall; remote",
    ),
    Program(
        "kind",
        subcommands=(
            Program("version", effects="none"),
            Program("get", operands="data*", effects="read"),
            Program("create", operands="data*", effects="network code system"),
            Program("delete", operands="data*", effects="delete system"),
        ),
        names_by=1,
        effects="none",
        can="deletes: delete; containers",
    ),
    Program(
        "k3d",
        subcommands=(
            Program("version", effects="none"),
            Program("create", operands="data*", effects="network code system"),
            Program("delete", operands="data*", effects="delete system"),
        ),
        names_by=1,
        effects="none",
        can="deletes: delete; containers",
    ),
    Program(
        "minikube",
        options=(
            "--add_dir_header --alsologtostderr -b,--bootstrapper= -h,--help --log_backtrace_at= --log_dir= "
            "--log_file= --log_file_max_size= --logtostderr --one_output -p,--profile= --rootless --skip-audit "
            "--skip_headers --skip_log_headers --stderrthreshold= --user= -v,--v= --vmodule="
        ),
        syntax="exact shared",
        subcommands=(
            Program("status", aliases="ip profile", options="-o,--output= -f,--format=", effects="read"),
            Program("start", operands="data*", effects="network code system"),
            Program("stop", aliases="pause unpause", operands="data*", effects="system"),
            Program("delete", operands="data*", effects="delete system"),
            Program("kubectl", options="--ssh", starts=_OTHER, effects="network"),
            Program("ssh", options="--native-ssh -n,--node=", starts=_OTHER, effects="network"),
        ),
        names_by=1,
        effects="none",
        can="deletes: delete; containers",
    ),
    Program("eksctl", names_by=1, can="deletes: delete; data; network"),
    Program("kubeseal", can="network"),
    Program(
        "lxc",
        aliases="incus",
        options="--debug --force-local -h,--help --project= -q,--quiet --sub-commands -v,--verbose --version",
        syntax="exact shared",
        subcommands=(
            Program(
                "config",
                subcommands=(
                    Program("device", subcommands=(Program("add", aliases="override set", traits="opaque"),)),
                    Program("edit", traits="opaque"),
                    Program("set", traits="opaque"),
                ),
            ),
            Program(
                "exec",
                options=(
                    "--cwd= -n,--disable-stdin --env= -t,--force-interactive -T,--force-noninteractive --group= "
                    "--mode= --user="
                ),
                syntax="mixed",
                starts=_INSIDE,
            ),
            Program(
                "launch",
                aliases="create init",
                options=(
                    "--console[=] -e,--ephemeral --description= --empty --network= --no-profiles -p,--profile= "
                    "-s,--storage= -t,--type= --target= --vm"
                ),
                runs="-c,--config= -d,--device=",
            ),
            Program(
                "profile",
                subcommands=(
                    Program("device", traits="opaque"),
                    Program("edit", traits="opaque"),
                    Program("set", traits="opaque"),
                ),
            ),
        ),
        names_by=1,
        can="deletes: delete; containers",
    ),
    Program("lima", starts=_OTHER, can="containers"),
    Program(
        "limactl",
        options="--debug -h,--help --log-format= --log-level= --tty -v,--version -y,--yes",
        syntax="exact shared",
        subcommands=(
            Program(
                "shell", options="--instance= --preserve-env --reconnect --shell= --sync= --workdir=", starts=_MAY_START
            ),
        ),
        names_by=1,
        can="deletes: delete; containers",
    ),
    Program("runc", can="containers"),
    Program("crun", can="containers"),
    Program(
        "vagrant",
        options=(
            "--color --debug --debug-timestamp -h,--help --machine-readable --no-color --no-tty --timestamp "
            "-v,--version"
        ),
        syntax="exact shared",
        subcommands=(
            Program(
                "ssh",
                options="-c,--command=TEXT -p,--plain -t,--tty --no-tty",
                operands="SSHARGUMENT SSHARGUMENT",
                starts=Starts(operands=ALL, optional=True, loose=True),
            ),
            Program("winrm", aliases="powershell", traits="opaque"),
            Program("status", aliases="port validate", operands="data*", effects="read code"),
            Program("up", aliases="provision reload resume", operands="data*", effects="network code system"),
            Program("halt", aliases="suspend", operands="data*", effects="code system"),
            Program("destroy", options="-f,--force", operands="data*", effects="delete code system"),
        ),
        names_by=1,
        traits="obeys",
        effects="none",
        can="deletes: destroy; code: provision, up; containers",
    ),
    Program("virsh", names_by=1, can="deletes: undefine, destroy; containers"),
)
