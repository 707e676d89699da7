"""Containers, clusters and virtual machines."""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts

_CONTAINER = (
    Program(
        "create",
        options=(
            "-a= -c= -e= -h= -l= -m= -p= -u= -w= --add-host= --cpus= --entrypoint= --env= --env-file= "
            "--hostname= --label= --memory= --name= --network= --platform= --publish= --restart= --user= "
            "--workdir="
        ),
        runs=(
            "-v= --volume= --mount= --privileged --device= --cap-add= --pid= --security-opt= --userns= "
            "--cgroupns= --ipc= --volumes-from="
        ),
        syntax="exact ends open",
    ),
    Program(
        "exec",
        options=(
            "-d -i -t -e= -u= -w= --detach --interactive --tty --privileged --env= --env-file= --user= "
            "--workdir= --detach-keys="
        ),
        starts=Starts(operands=1, loose=True),
    ),
    Program(
        "run",
        options=(
            "-d -i -t -q -P -a= -c= -e= -u= -h= -l= -m= -p= -w= --rm --detach --interactive --tty --init "
            "--read-only --no-healthcheck --quiet --publish-all --no-deps --service-ports --env= "
            "--env-file= --name= --network= --net= --publish= --workdir= --user= --entrypoint= --label= "
            "--memory= --cpus= --platform= --restart= --hostname= --add-host= --gpus= --shm-size= "
            "--tmpfs= --ulimit= --pull= --cap-drop="
        ),
        runs=(
            "-v= --volume= --mount= --privileged --device= --cap-add= --pid= --security-opt= --userns= "
            "--cgroupns= --ipc= --volumes-from="
        ),
        syntax="exact ends",
        starts=Starts(operands=1, optional=True, loose=True),
    ),
)

PROGRAMS = (
    Program(
        "docker",
        aliases="nerdctl podman",
        options=(
            "-D= -H= -c= -l= --config= --context= --host= --log-level= --tlscacert= --tlscert= --tlskey= "
            "--connection= --identity= --root= --runroot= --storage-driver= --url="
        ),
        subcommands=(
            Program(
                "compose",
                options=(
                    "-f= -p= --ansi= --env-file= --file= --parallel= --profile= --project-directory= --project-name="
                ),
                subcommands=(
                    Program(
                        "exec",
                        options=("-d -T -e= -u= -w= --detach --privileged --no-tty --env= --user= --workdir= --index="),
                        starts=Starts(operands=1, loose=True),
                    ),
                    Program(
                        "run",
                        options=(
                            "-d -i -t -q -P -a= -c= -e= -u= -h= -l= -m= -p= -w= -v= --rm --detach --interactive "
                            "--tty --privileged --init --read-only --no-healthcheck --quiet --publish-all "
                            "--no-deps --service-ports --volume= --mount= --env= --env-file= --name= --network= "
                            "--net= --publish= --workdir= --user= --entrypoint= --label= --memory= --cpus= "
                            "--platform= --restart= --hostname= --add-host= --gpus= --shm-size= --tmpfs= "
                            "--ulimit= --pull= --cap-add= --cap-drop= --security-opt= --device= --pid= --ipc="
                        ),
                        starts=Starts(operands=1, optional=True, loose=True),
                    ),
                ),
            ),
            *_CONTAINER,
            Program("container", subcommands=_CONTAINER),
        ),
        names_by=1,
        traits="mounts wide",
        can=(
            "deletes: rm, rmi, prune, volume rm; publishes: push; ends: stop, kill; services: compose; "
            "containers; code: run, exec, build; network: pull, push; reads: ps, images, logs"
        ),
    ),
    Program("docker-compose", can="services"),
    Program("buildah", can="containers"),
    Program(
        "kubectl",
        options=(
            "-c= -f= -l= -n= -o= -s= --container= --context= --filename= --namespace= --output= --selector= -v= "
            "--as= --as-group= --cache-dir= --certificate-authority= --client-certificate= --client-key= "
            "--cluster= --request-timeout= --server= --tls-server-name= --token= --user="
        ),
        runs="--kubeconfig=",
        syntax="exact open shared",
        subcommands=(
            Program(
                "config",
                subcommands=(
                    Program("set-credentials", traits="opaque"),
                    Program("set-context", traits="opaque"),
                    Program("set-cluster", traits="opaque"),
                    Program("set", traits="opaque"),
                ),
            ),
            Program(
                "exec",
                options="-i -q -t -c= -f= -n= --stdin --tty --quiet --container= --namespace= --filename=",
                starts=Starts(operands=1, optional=True, loose=True),
            ),
            Program(
                "run",
                options="-i -t -n= --rm --stdin --tty --command --image= --restart= --namespace= --env=",
                starts=Starts(operands=1, optional=True, loose=True),
            ),
        ),
        names_by=1,
        can="deletes: delete; remote; code: exec; reads: get",
    ),
    Program(
        "helm",
        options="-f= -n= --namespace= --set= --values= --version= --kube-context= --registry-config=",
        runs="--post-renderer= --kubeconfig=",
        syntax="exact open",
        names_by=1,
        can="deletes: uninstall; remote",
    ),
    Program("lxc", can="containers"),
    Program("runc", can="containers"),
    Program("crun", can="containers"),
    Program("vagrant", can="containers"),
    Program("virsh", can="containers"),
)
