"""Clouds and infrastructure.

From the manuals of AWS CLI 1.45, Google Cloud SDK 528, Terraform 1.11 and ansible-core 2.14. Not checked against the
programs: AWS CLI 2, Azure CLI 2.45, OpenTofu 1.10, Pulumi 3.255, Vault 1.20. A cloud has subcommands by the thousand:
the rows say what its global options do, and which subcommands start, load or set something on this machine. What they
do elsewhere is their purpose.
"""

from __future__ import annotations

from asimi.core.programs.program import Program, Starts, alike

_SAID = Starts(anywhere=True)
_OTHER = Starts(operands=1, optional=True, loose=True)

_VARIABLES = (
    "-compact-warnings -deprecation= -exclude= -exclude-file=read -ignore-remote-version -input= -json -lock= "
    "-lock-timeout= -no-color -concise -consolidate-errors= -consolidate-warnings= -parallelism= -refresh= "
    "-show-sensitive -state=read -target= -target-file=read -var= -var-file=read -help -h"
)
_STATE = "-backup=NOWHERE -state-out="

_CONNECTION = (
    "--ask-vault-pass,--ask-vault-password -b,--become --become-method= --become-pass-file,--become-password-file=read "
    "--become-user= -C,--check -c,--connection= --conn-pass-file,--connection-password-file=read -D,--diff -f,--forks= "
    "-h,--help -i,--inventory,--inventory-file=read -K,--ask-become-pass -k,--ask-pass --key-file,--private-key=read "
    "-l,--limit= --list-hosts -T,--timeout= -u,--user= -v,--verbose --version"
)
_CONNECTION_RUNS = (
    "-e,--extra-vars=ANSIBLEVARIABLES -M,--module-path= --scp-extra-args= --sftp-extra-args= --ssh-common-args= "
    "--ssh-extra-args= --vault-id= --vault-pass-file,--vault-password-file="
)

_COMPUTE = Program(
    "compute",
    subcommands=(
        Program(
            "ssh",
            options=(
                "--command=TEXT --container= --dry-run --force-key-file-overwrite --internal-ip --network= --plain "
                "--region= --ssh-key-expiration= --ssh-key-expire-after= --ssh-key-file=read "
                "--strict-host-key-checking= --troubleshoot --tunnel-through-iap --zone="
            ),
            runs="--ssh-flag=",
            operands="data SSHARGUMENT",
            syntax="mixed",
            starts=_OTHER,
        ),
        Program(
            "scp",
            options=(
                "--compress --dry-run --force-key-file-overwrite --internal-ip --plain --port= --recurse "
                "--ssh-key-expiration= --ssh-key-expire-after= --ssh-key-file=read --strict-host-key-checking= "
                "--tunnel-through-iap --zone="
            ),
            runs="--scp-flag=",
            traits="writes",
        ),
        Program("config-ssh", traits="opaque"),
    ),
)

PROGRAMS = (
    Program(
        "aws",
        options=(
            "--ca-bundle=read --cli-auto-prompt --cli-binary-format= --cli-connect-timeout= --cli-error-format= "
            "--cli-read-timeout= --color= --debug --endpoint-url= --no-cli-auto-prompt --no-cli-pager --no-paginate "
            "--no-sign-request --no-verify-ssl --output= --profile= --query= --region= --v2-debug --version"
        ),
        syntax="shared",
        subcommands=(
            Program(
                "cloudformation",
                subcommands=(
                    Program(
                        "package",
                        options=(
                            "--force-upload --kms-key-id= --metadata= --s3-bucket= --s3-prefix= --template-file=read "
                            "--use-json"
                        ),
                        writes="--output-template-file=NOWHERE",
                    ),
                ),
            ),
            Program("codeartifact", subcommands=(Program("login", traits="opaque"),)),
            Program("sts", subcommands=(Program("get-caller-identity", effects="network"),)),
            Program(
                "s3",
                subcommands=(
                    Program(
                        "ls", options="--recursive --human-readable --summarize", operands="data", effects="network"
                    ),
                    Program(
                        "cp",
                        aliases="sync",
                        options="--recursive --dryrun --quiet --exclude= --include= --delete+delete",
                        operands="data*",
                        effects="read write network publish",
                    ),
                    Program(
                        "mv",
                        options="--recursive --quiet",
                        operands="data*",
                        effects="read write delete network publish",
                    ),
                    Program(
                        "rm",
                        aliases="rb",
                        options="--recursive --force --quiet",
                        operands="data*",
                        effects="delete network publish",
                    ),
                    Program("mb", operands="data", effects="network publish"),
                ),
            ),
            Program(
                "configure",
                subcommands=(
                    Program("list", aliases="get list-profiles", operands="data*", effects="read"),
                    Program("add-model", traits="opaque"),
                    Program("import", traits="opaque"),
                    Program("set", traits="opaque"),
                ),
            ),
            Program("ecs", subcommands=(Program("execute-command", starts=_SAID),)),
            Program("ssm", subcommands=(Program("send-command", aliases="start-session", starts=_SAID),)),
            Program(
                "eks",
                subcommands=(
                    Program(
                        "update-kubeconfig",
                        options=(
                            "--alias= --assume-role-arn= --dry-run --name= --proxy-url= --role-arn= --user-alias= "
                            "--verbose"
                        ),
                        writes="--kubeconfig=",
                    ),
                ),
            ),
        ),
        names_by=2,
        effects="none",
        can="deletes: delete, rm; data; network",
    ),
    Program(
        "az",
        options="--debug -h,--help --only-show-errors -o,--output= --query= --subscription= --verbose",
        syntax="shared",
        subcommands=(
            Program("extension", subcommands=(Program("add", aliases="update", traits="opaque"),)),
            Program("ssh", traits="opaque"),
            Program("vm", subcommands=(Program("run-command", starts=_SAID),)),
            Program("vmss", subcommands=(Program("run-command", starts=_SAID),)),
            Program("container", subcommands=(Program("exec", starts=_SAID),)),
        ),
        names_by=2,
        can="deletes: delete; data; network",
    ),
    Program(
        "gcloud",
        options=(
            "--access-token-file=read --account= --billing-project= --configuration= --filter= --flatten= --format= "
            "-h,--help --impersonate-service-account= --limit= --log-http --no-log-http --no-user-output-enabled "
            "--page-size= --project= -q,--quiet --sort-by= --trace-token= --uri --user-output-enabled[=] --verbosity= "
            "-v,--version"
        ),
        runs="--flags-file=",
        syntax="shared",
        subcommands=(
            _COMPUTE,
            Program(
                "config",
                subcommands=(Program("list", aliases="get-value", operands="data*", syntax="open", effects="read"),),
            ),
            Program("auth", subcommands=(Program("list", operands="data*", syntax="open", effects="read"),)),
            Program(
                "projects",
                subcommands=(Program("list", aliases="describe", operands="data*", syntax="open", effects="network"),),
            ),
            Program("alpha", aliases="beta", subcommands=(_COMPUTE,)),
        ),
        names_by=2,
        effects="none",
        can="deletes: delete; data; remote: compute ssh; network",
    ),
    Program(
        "gsutil",
        options="-D -h= -i= -m -q -u=",
        runs="-o=",
        syntax="ends",
        names_by=1,
        can="deletes: rm; data; network",
    ),
    Program(
        "bq", runs="--apilog= --bigqueryrc= --flagfile=", syntax="open", names_by=1, can="deletes: rm; data; network"
    ),
    Program(
        "terraform",
        aliases="tofu",
        options="-chdir=enter -help -version -json -h -v",
        syntax="words",
        subcommands=(
            Program(
                "apply",
                aliases="destroy refresh",
                options=_VARIABLES + " -auto-approve -destroy -refresh-only -replace= -suppress-forget-errors",
                writes=_STATE,
                operands="read",
                effects="write delete network publish code",
            ),
            Program(
                "import",
                options=_VARIABLES + " -config=enter",
                writes=_STATE,
                operands="data*",
                effects="write network publish code",
            ),
            Program(
                "init",
                options=(
                    "-backend= -backend-config= -force-copy -get= -help -ignore-remote-version -input= -json -lock= "
                    "-lock-timeout= -lockfile= -migrate-state -no-color -reconfigure -test-directory= -upgrade -var= "
                    "-var-file=read"
                ),
                writes="-from-module=",
                runs="-plugin-dir=",
                operands="read",
                effects="write network code",
            ),
            Program(
                "plan",
                options=_VARIABLES + " -destroy -detailed-exitcode -refresh-only -replace=",
                writes="-generate-config-out= -out=PLAN",
                operands="read",
                effects="read network code",
            ),
            Program("version", options="-json", effects="read"),
            Program(
                "validate", options="-json -no-color -no-tests -test-directory=", operands="read", effects="read code"
            ),
            Program(
                "fmt",
                options="-list= -write= -diff -check -no-color -recursive",
                operands="write*",
                traits="writes",
                effects="read write",
            ),
            Program("output", options="-state=read -no-color -json -raw", operands="data", effects="read network"),
            Program("show", options="-no-color -json", operands="read", effects="read network code"),
            Program(
                "providers",
                subcommands=(Program("mirror", options="-platform= -lock-file=", operands="write"),),
            ),
            Program(
                "state",
                subcommands=(
                    Program(
                        "mv",
                        aliases="rm replace-provider",
                        options="-auto-approve -dry-run -help -ignore-remote-version -lock= -lock-timeout= -state=read",
                        writes=_STATE + " -backup-out=NOWHERE",
                        operands="data*",
                        effects="network publish",
                    ),
                    Program(
                        "list",
                        aliases="show",
                        options="-state=read -id=",
                        operands="data*",
                        effects="read network code",
                    ),
                ),
            ),
            Program(
                "taint",
                aliases="untaint",
                options="-allow-missing -help -ignore-remote-version -lock= -lock-timeout= -state=read",
                writes=_STATE,
                operands="data",
                effects="network publish",
            ),
            Program(
                "test",
                options=_VARIABLES + " -cloud-run= -filter= -test-directory= -verbose",
                writes="-junit-xml=",
                effects="network publish code",
            ),
        ),
        names_by=1,
        effects="none",
        can="deletes: destroy; data: apply; remote",
    ),
    Program(
        "pulumi",
        options=(
            "--color= -C,--cwd=enter --disable-integrity-checking -e,--emoji -Q,--fully-qualify-stack-names -h,--help "
            "--logflow --logtostderr --memprofilerate= --non-interactive -v,--verbose="
        ),
        writes="--otel-traces= --profiling= --tracing=",
        syntax="exact shared open",
        subcommands=(
            Program(
                "env",
                subcommands=(
                    Program(
                        "run", options="-i,--interactive -d,--duration= -s,--stack=", syntax="mixed", starts=_OTHER
                    ),
                ),
            ),
            Program("plugin", subcommands=(Program("install", aliases="run", traits="opaque"),)),
            Program(
                "preview",
                aliases="pre",
                options=(
                    "-c,--config= --config-file=read --config-path --diff --expect-no-changes -j,--json --message= -m= "
                    "--neo -p,--parallel= --plan= -r,--refresh[=] --replace= --show-config --show-reads "
                    "--show-replacement-steps --show-sames --show-secrets -s,--stack= --suppress-outputs "
                    "--suppress-permalink[=] --suppress-progress -t,--target= --target-dependents --target-replace= "
                    "--exclude= --exclude-dependents --policy-pack-config=read --run-program"
                ),
                writes="--save-plan= --import-file=",
                runs="--attach-debugger[=] --client= --policy-pack= --remote* --exec-*",
                effects="read network code",
            ),
            Program(
                "up",
                aliases="update destroy refresh dn down",
                options=(
                    "-c,--config= --config-file=read --config-path --continue-on-error --diff --exclude= "
                    "--exclude-dependents --exclude-protected --expect-no-changes -j,--json -m,--message= --neo "
                    "-p,--parallel= --plan=read --preview-only --remove -r,--refresh[=] --replace= --run-program "
                    "--secrets-provider= --show-config --show-full-output --show-reads --show-replacement-steps "
                    "--show-sames --show-secrets -f,--skip-preview --skip-pending-creates --strict -s,--stack= "
                    "--suppress-outputs --suppress-permalink[=] --suppress-progress -t,--target= --target-dependents "
                    "--target-replace= -y,--yes --policy-pack-config=read --clear-pending-creates "
                    "--import-pending-creates="
                ),
                runs="--attach-debugger[=] --client= --policy-pack= --remote* --exec-*",
                effects="delete network publish code",
            ),
        ),
        names_by=1,
        effects="none",
        can="deletes: destroy; data: up; remote",
    ),
    Program(
        "ansible",
        options=_CONNECTION + " -B,--background= -o,--one-line -P,--poll= --task-timeout=",
        writes="-t,--tree=",
        runs=_CONNECTION_RUNS + " -a,--args= -m,--module-name=ANSIBLEMODULE --playbook-dir=",
        operands="data",
        traits="obeys wide",
        effects="network publish code",
        can="remote",
    ),
    Program(
        "ansible-playbook",
        options=(
            _CONNECTION
            + " --flush-cache --force-handlers --list-tags --list-tasks --skip-tags= --start-at-task= --step "
            "--syntax-check -t,--tags="
        ),
        runs=_CONNECTION_RUNS,
        operands="read*",
        traits="obeys",
        effects="read network publish code",
        can="code; remote",
    ),
    Program("ansible-console", traits="opaque", can="remote"),
    Program(
        "ansible-doc",
        options=(
            "-e,--entry-point= -F,--list_files -h,--help -j,--json -l,--list --metadata-dump --no-fail-on-errors "
            "-r,--roles-path= -s,--snippet -t,--type= -v,--verbose --version"
        ),
        runs="-M,--module-path= --playbook-dir=",
        operands="data*",
        traits="obeys",
        effects="read code",
        can="reads",
    ),
    Program("ansible-galaxy", names_by=2, can="installs: install; network"),
    Program(
        "ansible-inventory",
        options=_CONNECTION + " --export --graph --host= --list --playbook-dir=read --toml --vars -y,--yaml",
        writes="--output=NOWHERE",
        runs="-e,--extra-vars=ANSIBLEVARIABLES --vault-id= --vault-pass-file,--vault-password-file=",
        traits="obeys",
        effects="read code",
        can="reads",
    ),
    Program("ansible-pull", traits="opaque", can="fetched; remote"),
    Program(
        "ansible-vault",
        options=(
            "--ask-vault-pass,--ask-vault-password --encrypt-vault-id= -h,--help -n,--name= --new-vault-id= "
            "-p,--prompt --show-input --stdin-name= -v,--verbose --version"
        ),
        writes="--output=NOWHERE",
        runs="--new-vault-password-file= --vault-id= --vault-pass-file,--vault-password-file=",
        operands="data read*",
        names_by=1,
        traits="obeys",
        effects="read write",
        can="secrets",
    ),
    Program("salt", aliases="salt-call salt-ssh knife", starts=_SAID, can="remote"),
    Program("fab", starts=_SAID, can="remote"),
    Program(
        "heroku",
        subcommands=(
            Program(
                "run",
                options=(
                    "-a,--app= -e,--env= -x,--exit-code -r,--remote= -s,--size= --no-launcher --no-notify --no-tty "
                    "--type= --listen"
                ),
                starts=Starts(optional=True, loose=True),
            ),
        ),
        names_by=1,
        can="remote",
    ),
    Program(
        "fly",
        aliases="flyctl",
        subcommands=(Program("ssh", starts=_SAID),),
        names_by=1,
        can="publishes: deploy; remote",
    ),
    Program("doctl", names_by=2, can="deletes: delete; data; network"),
    Program("ibmcloud", names_by=2, can="deletes: delete; data; network"),
    Program("openstack", names_by=2, can="deletes: delete; data; network"),
    Program("vercel", names_by=1, can="publishes: deploy; remote"),
    Program("netlify", names_by=1, can="publishes: deploy; remote"),
    Program("wrangler", names_by=1, can="publishes: deploy, publish; remote"),
    Program(
        "vault",
        syntax="words shared",
        options="-address= -namespace,-ns= -format= -field= -h,-help",
        subcommands=(
            Program("agent", aliases="proxy server ssh", traits="opaque"),
            *alike("read list status", "network"),
            *alike("write delete", "network publish"),
            Program(
                "kv",
                syntax="shared",
                subcommands=(
                    *alike("get list", "network", options="-mount= -version="),
                    *alike("put patch delete destroy undelete rollback", "network publish", options="-mount= -cas="),
                ),
            ),
        ),
        names_by=1,
        can="secrets; data",
    ),
    Program(
        "consul",
        syntax="words",
        subcommands=(Program("agent", aliases="exec lock watch", traits="opaque"),),
        names_by=1,
        can="data",
    ),
    Program(
        "nomad",
        subcommands=(Program("alloc", subcommands=(Program("exec", starts=_SAID),)), Program("exec", starts=_SAID)),
        names_by=1,
        can="data; remote",
    ),
    Program("packer", names_by=1, can="code: build; remote"),
)
