"""Names of files and directories that matter: what runs by itself, the system's own, what is temporary, and secrets."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from asimi.core.call import is_below
from asimi.core.reading.account import NO_FILE

if TYPE_CHECKING:
    from asimi.core.judging.machine import Machine

SELF_RUNNING = (
    "/**/.git/**", "/**/.hg/**", "/**/.jj/**", "/**/.svn/**", "/**/.bzr/**", "/**/_darcs/**", "/**/.pijul/**",
    "/**/.sl/**", "/**/.fslckout", "/**/_FOSSIL_", "~/.bashrc", "~/.bash_profile", "~/.bash_login",
    "~/.bash_logout", "~/.profile", "~/.zshrc", "~/.zshenv", "~/.zprofile", "~/.zlogin", "~/.config/fish/**",
    "~/.config/autostart/**", "~/.config/systemd/**", "~/.inputrc", "~/.bash_aliases", "~/.cshrc", "~/.tcshrc",
    "~/.lessfilter",
    "~/.login", "~/.xprofile", "~/.xinitrc", "~/.xsessionrc", "~/.tmux.conf", "~/.config/tmux/**", "~/.screenrc",
    "~/.vim/**", "~/.hgrc", "~/.config/hg/**", "~/.config/jj/**", "~/.config/mise/**", "~/.config/direnv/**",
    "~/.config/environment.d/**", "~/.jq", "~/.jq/**", "~/bin/**", "~/.local/bin/**", "~/.cargo/bin/**",
    "~/.cargo/config.toml", "~/.cargo/env", "~/.psqlrc", "~/.sqliterc", "~/Library/LaunchAgents/**", "~/.vimrc",
    "~/.config/nvim/**", "~/.emacs", "~/.emacs.d/**", "~/.gitconfig", "~/.config/git/**", "~/.ssh/**", "~/.kube/**",
    "~/.aws/**", "~/.docker/**", "~/.config/containers/**", "~/.config/nerdctl/**", "~/.config/gh/**",
    "/**/.envrc", "/**/.husky/**", "/**/.githooks/**", "/**/.vscode/**", "/**/.idea/**", "/**/.devcontainer/**",
    "/**/.devcontainer.json", "/**/.zed/**",
    "/**/.helix/**", "/**/.mise.toml", "/**/mise.toml", "/**/.mise.local.toml", "/**/mise.local.toml", "/**/.mise/**",
    "/**/.exrc", "/**/.vimrc", "/**/.nvimrc", "/**/.nvim.lua", "/**/.pdbrc", "/**/.perldb", "/**/.gdbinit",
    "/**/.lldbinit", "/**/.jdbrc", "/**/.rdbgrc", "/**/.byebugrc",
    "/**/.lvimrc", "/**/.nexrc", "/**/.vim/**",
    "/**/.Rprofile", "/**/.Renviron", "/**/.RData", "/**/.irbrc",
    "/**/.pryrc", "/**/.iex.exs", "/**/.erlang", "/**/.ghci", "/**/.ghcid", "/**/hie.yaml",
    "/**/.ocamlinit", "/**/.merlin", "/**/.octaverc", "/**/.scilab", "/**/.gnuplot",
    "/**/.csirc", "/**/.gambini", "/**/.scheme.init",
    "/**/jupyter_config.json", "/**/jupyter_lab_config.json",
    "/**/jupyter_notebook_config.json", "/**/jupyter_server_config.json", "/**/.latexmkrc",
    "/**/latexmkrc", "/**/.venv/bin/**", "/**/venv/bin/**", "/**/.poetry/plugins/**", "/**/.pdm-plugins/**",
    "/**/.pdm-python", "/**/pdm.toml", "/**/.pdm.toml", "/**/.pnp.cjs", "/**/.pnp.loader.mjs",
    "/**/pyvenv.cfg", "/**/site-packages/**", "/**/.gitmodules", "/**/.pre-commit-config.yaml", "/**/lefthook.yml",
    "/**/.lefthook.yml", "/**/lefthook-local.yml", "/**/.lefthook-local.yml", "/**/lefthook.yaml", "/**/lefthook.toml",
    "/**/lefthook.json", "/**/.lefthook.yaml", "/**/.lefthook.toml", "/**/.lefthook.json", "/**/.lefthook/**",
    "/**/.lefthook-local/**", "/**/prek.toml", "/**/.overcommit.yml", "/**/.git-hooks/**", "/**/.direnv/**",
    "/**/.autoenv", "/**/.autoenv.zsh", "/**/.autoenv_leave.zsh",
    "/**/*.code-workspace", "/**/*.sublime-project", "/**/.fleet/**", "/**/.run/**", "/**/.vs/**", "/**/.theia/**",
    "/**/.bsp/**", "/**/.nova/**", "/**/.lapce/**", "/**/.externalToolBuilders/**", "/**/.lite_project.lua",
    "/**/.kateproject", "/**/.vimspector.json", "/**/.luarc.json", "/**/.luarc.jsonc", "/**/rust-analyzer.toml",
    "/**/.rust-analyzer.toml", "/**/omnisharp.json", "/**/.gitpod.yml", "/**/.gitpod/**", "/**/.codesandbox/**",
    "/**/.replit", "/**/.idx/**", "/**/.stackblitzrc", "/**/devfile.yaml", "/**/.devfile.yaml",
    "/**/.openhands/**", "/**/.tabnine/mcp_servers.json", "/**/.iflow/settings.json", "/**/.codebuddy/settings.json",
    "/**/.roo/mcp.json", "/**/.kilocode/mcp.json", "/**/.windsurf/hooks.json",
    "/**/.kiro/settings/**", "/**/.kiro/hooks/**", "/**/.amazonq/mcp.json", "/**/.amazonq/cli-agents/**",
    "/**/.continue/config.yaml", "/**/.continue/mcpServers/**", "/**/.junie/mcp/**", "/**/.trae/mcp.json",
    "/**/.factory/mcp.json", "/**/.factory/hooks/**", "/**/.factory/settings.json", "/**/.crush.json", "/**/crush.json",
    "/**/.aider.conf.yml", "/**/.amp/settings.json", "/**/.augment/settings.json",
    "/**/.mvn/**", "/**/mvnw", "/**/mvnw.cmd", "/**/gradle.properties", "/**/gradle/wrapper/**", "/**/gradlew",
    "/**/gradlew.bat", "/**/.sbtopts", "/**/.sbtrc", "/**/.jvmopts", "/**/.chef/**", "/**/.cargo/config",
    "/**/.cargo/config.toml",
    "/**/rust-toolchain", "/**/rust-toolchain.toml", "/**/.yarnrc", "/**/.yarnrc.yml", "/**/.yarn/releases/**",
    "/**/.yarn/plugins/**", "/**/.pnpmfile.cjs", "/**/.pnpmfile.mjs", "/**/.bundle/**",
    "/**/.npmrc", "/**/bunfig.toml", "/**/ansible.cfg", "/**/tools/bazel", "/**/.bazelrc",
    "/**/.github/workflows/**", "/**/.github/actions/**",
    "/**/.forgejo/workflows/**", "/**/.gitea/workflows/**", "/**/.gitlab-ci.yml", "/**/.circleci/**",
    "/**/.buildkite/**", "/**/.semaphore/**", "/**/.teamcity/**", "/**/.woodpecker/**", "/**/.woodpecker.yml",
    "/**/.builds/**", "/**/.build.yml", "/**/.drone.yml", "/**/.travis.yml", "/**/.cirrus.yml", "/**/appveyor.yml",
    "/**/.appveyor.yml", "/**/.cirrus.star", "/**/.woodpecker.yaml", "/**/.tekton/**", "/**/.harness/**",
    "/**/buildspec.yml", "/**/cloudbuild.yaml", "/**/codemagic.yaml", "/**/bitrise.yml", "/**/azure-pipelines.yml",
    "/**/bitbucket-pipelines.yml", "/**/Jenkinsfile", "/etc/**",
    "/var/spool/cron/**",
)  # fmt: skip
"""Files that are run, or say what is run, without anybody naming them: only a pattern that names them covers them."""

_HOOKS = "pre-commit pre-push commit-msg prepare-commit-msg post-checkout post-merge post-commit pre-rebase"

INSIDE = {
    ".git": (
        "HEAD config config.worktree commondir description hooks index info info/attributes info/exclude logs modules "
        "objects packed-refs refs worktrees " + " ".join(f"hooks/{each}" for each in _HOOKS.split())
    ),
    ".hg": "hgrc", ".jj": "repo", ".svn": "entries", ".bzr": "branch", "_darcs": "prefs/defaults", ".pijul": "config",
    ".sl": "config",
    ".husky": _HOOKS, ".githooks": _HOOKS, ".vs": "launch.vs.json tasks.vs.json",
    ".theia": "launch.json settings.json tasks.json", ".bsp": "name.json", ".vim": "coc-settings.json vimrc",
    ".run": "name.run.xml", ".lefthook": "pre-commit/name",
    ".vscode": "extensions.json launch.json mcp.json settings.json tasks.json",
    ".idea": "workspace.xml", ".zed": "settings.json tasks.json", ".helix": "config.toml languages.toml",
    ".mise": "config.toml",
    ".kiro/settings": "mcp.json", ".kiro/hooks": "name.kiro.hook", ".amazonq/cli-agents": "name.json",
    ".continue/mcpServers": "name.yaml", ".junie/mcp": "mcp.json", ".factory/hooks": "hook", ".fleet": "run.json",
    ".devcontainer": "Dockerfile devcontainer.json",
    ".venv/bin": "activate pip pytest python python3", "venv/bin": "activate pip pytest python python3",
    ".mvn": "extensions.xml jvm.config maven.config wrapper/maven-wrapper.properties",
    "gradle/wrapper": "gradle-wrapper.jar gradle-wrapper.properties", ".bundle": "config plugin/index",
    ".yarn/releases": "yarn.cjs", ".yarn/plugins": "plugin.cjs",
    **dict.fromkeys((".github/workflows", ".forgejo/workflows", ".gitea/workflows"), "ci.yaml ci.yml"),
    ".github/actions": "name/action.yml", ".circleci": "config.yml", ".buildkite": "pipeline.yml",
    ".semaphore": "semaphore.yml", ".woodpecker": "ci.yml", ".builds": "ci.yml",
    "site-packages": "name.pth name/__init__.py sitecustomize.py", ".direnv": "python/bin/activate",
}  # fmt: skip
"""For directories of `SELF_RUNNING`, what is in them as a rule (gitrepository-layout(5), githooks(5), manuals)."""


@cache
def self_running_paths() -> tuple[str, ...]:
    """The paths of `SELF_RUNNING` below whatever directory, as far as their names are known."""
    named = (each.removeprefix("/**/").removesuffix("/**") for each in SELF_RUNNING if each.startswith("/**/"))
    inside = ((base, ("", *(f"/{name}" for name in INSIDE.get(base, "").split()))) for base in named if "*" not in base)
    return tuple(base + name for base, names in inside for name in names)


SYSTEM_DIRECTORIES = frozenset(
    "/bin /boot /dev /etc /lib /lib32 /lib64 /opt /proc /run /sbin /srv /sys /usr /var /usr/bin /usr/lib /usr/lib64 "
    "/usr/libexec /usr/local /usr/local/bin /usr/local/lib /usr/sbin /usr/share /var/cache /var/lib /var/log "
    "/var/spool /Applications /Library /System /Users /private /private/etc /private/var".split()
)
"""Directories of the system (Filesystem Hierarchy Standard 3.0, macOS)."""

HOMES = frozenset({"/home", "/Users"})
"""Directories that hold homes."""

ROOT = "/root"
"""The home of root."""

BOXED = ("/tmp", "/var/tmp", "/run", "/dev/shm")  # noqa: S108 - the box's own
"""Directories of which a box around an agent has its own, in memory."""

TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp")  # noqa: S108 - names, nothing is put there
"""Directories for what is not kept (`Temporary`)."""

FREE = NO_FILE | {"/dev/stdin"}
"""Files that are none, or the program's own input and output."""


SECRET = (
    # Settings of an application that are not kept with its code (dotenv, Wrangler), and what shows only their form.
    "/**/.env*", "/**/*.env", "!/**/.env*.example", "!/**/.env*.sample", "!/**/.env*.template", "!/**/.env*.dist",
    "!/**/example.env", "!/**/sample.env", "!/**/template.env", "!/**/*.example.env", "!/**/*.sample.env",
    "/**/.dev.vars", "/**/.dev.vars.*", "!/**/.dev.vars.example",
    # Files of secrets by name: charts, sops, Streamlit, Spring, Rails, Azure Functions, WordPress, Google, Ansible.
    "/**/secrets.yaml", "/**/secrets.yml", "/**/secrets.json", "/**/secrets.toml", "/**/secrets.ini", "/**/secrets.xml",
    "/**/secrets.properties", "/**/secrets.conf", "/**/secrets.txt", "/**/secrets.*.yaml", "/**/secrets.*.yml",
    "/**/secrets.*.json", "/**/secrets.*.toml", "/**/*.secrets.yaml", "/**/*.secrets.yml", "/**/*-secrets.yaml",
    "/**/*-secrets.yml", "/**/secrets-*.yaml", "/**/secrets-*.yml", "/**/secret.yaml", "/**/secret.yml",
    "/**/secret.json", "/**/secret.toml", "!/**/templates/secret.yaml", "!/**/templates/secrets.yaml",
    "!/**/*sealed-secrets.yaml", "!/**/*external-secrets.yaml", "!/**/secrets.example.*", "!/**/secrets.sample.*",
    "!/**/secrets.template.*", "!/**/secrets.dist.*", "/**/local.settings.json", "/**/wp-config.php",
    "/**/credentials.json", "/**/credentials.toml", "/**/credentials.yml", "/**/credentials.yaml",
    "/**/service-account*.json", "/**/service_account*.json", "/**/client_secret*.json",
    "/**/application_default_credentials.json", "/**/.vault_pass*", "/**/.vault-pass*", "/**/vault_pass.txt",
    "/**/vault-password.txt", "/**/.htpasswd",
    # Private keys, key stores and certificates that hold keys (OpenSSL, OpenSSH, PuTTY, Java, Apple, Android, .NET).
    "/**/id_rsa", "/**/id_dsa", "/**/id_ecdsa", "/**/id_ed25519", "/**/id_ecdsa_sk", "/**/id_ed25519_sk", "/**/*.pem",
    "/**/*.key", "/**/*.p8", "/**/*.p12", "/**/*.pfx", "/**/*.ppk", "/**/*.snk", "/**/*.keystore", "/**/*.jks",
    "/**/*.bks", "/**/*.jceks", "/**/*.agekey", "/**/private_key", "~/.ssh/**", "!~/.ssh/known_hosts", "!~/.ssh/*.pub",
    "~/.gnupg/**", "/**/secring.gpg", "/etc/ssh/ssh_host_*_key", "/etc/ssl/private/**",
    # Passwords of signing and of registries in the settings of build tools (Gradle, Maven, sbt, Ivy, NuGet, Android).
    "~/.gradle/gradle.properties", "~/.m2/settings.xml", "~/.m2/settings-security.xml", "~/.sbt/.credentials",
    "~/.ivy2/.credentials", "~/.nuget/NuGet/NuGet.Config", "~/.config/NuGet/NuGet.Config", "~/.android/debug.keystore",
    "/**/key.properties", "/**/keystore.properties", "/**/signing.properties", "/**/local.properties",
    "~/.microsoft/usersecrets/**",
    # Tokens of package registries (npm, yarn, PyPI, RubyGems, Bundler, Cargo, Composer, Hex, CPAN, Anaconda, Poetry).
    "~/.npmrc", "~/.yarnrc.yml", "/**/.pypirc", "~/.gem/credentials", "~/.local/share/gem/credentials",
    "~/.bundle/config", "~/.cargo/credentials*", "~/.config/composer/auth.json", "~/.hex/hex.config", "~/.pause",
    "~/.continuum/anaconda-client/tokens/**", "~/.config/pypoetry/auth.toml",
    # Coding agents: what they sign in with, and what was typed to them.
    "~/.claude.json", "~/.claude/.credentials.json", "/**/.credentials.json", "~/.claude/history.jsonl",
    "~/.codex/auth.json", "~/.codex/history.jsonl", "/**/oauth_creds.json", "~/.gemini/mcp-oauth-tokens*.json",
    "~/.gemini/gemini-credentials.json", "~/.gemini/antigravity*/auth.json", "~/.gemini/antigravity*/*token*",
    "/**/antigravity-oauth-token", "/**/antigravity-oauth-token.json", "~/.config/antigravity/**",
    "~/.copilot/config.json", "~/.copilot/mcp-oauth-config/**", "~/.config/github-copilot/**",
    "~/.local/share/opencode/auth.json", "~/.local/share/opencode/mcp-auth.json", "~/.config/cursor/auth.json",
    "~/.cursor/auth.json", "~/.cursor/cli-config.json", "~/.local/share/amp/secrets.json",
    "~/.config/goose/secrets.yaml", "~/.aider.conf.yml", "~/.factory/auth*", "~/.cline/data/secrets.json",
    "~/.augment/session.json", "~/.kimi/credentials/**", "~/.config/io.datasette.llm/keys.json", "/**/auth.json",
    "/**/state.vscdb", "/**/state.vscdb.backup",
    # Version control and forges (git, GitHub, GitLab, Gitea, Bitbucket, CI services, Sentry).
    "/**/.git-credentials", "~/.config/git/credentials", "~/.config/gh/hosts.yml", "~/.config/glab-cli/config.yml",
    "~/.config/hub", "~/.config/tea/config.yml", "~/.circleci/cli.yml", "~/.travis/config.yml", "/**/.sentryclirc",
    # State and variables of infrastructure (Terraform, OpenTofu, Pulumi, Vagrant, Chef, OpenStack, Vault).
    "/**/*.tfstate", "/**/*.tfstate.backup", "/**/*.tfvars", "/**/*.tfvars.json", "!/**/example.tfvars",
    "!/**/sample.tfvars", "!/**/*.example.tfvars", "/**/.terraformrc", "~/.tofurc", "~/.terraform.d/credentials*",
    "/**/credentials.tfrc.json", "~/.pulumi/credentials.json", "~/.vault-token", "~/.chef/**", "/**/clouds.yaml",
    # Clouds (AWS, Azure, Google, Oracle, Alibaba, IBM, DigitalOcean, Hetzner, Linode, Scaleway, object stores).
    "~/.aws/**", "/**/.aws/credentials", "~/.saml2aws", "~/.azure/**", "~/.config/gcloud/**", "~/.oci/**",
    "~/.aliyun/config.json", "~/.bluemix/**", "~/.config/doctl/config.yaml", "~/.config/hcloud/cli.toml",
    "~/.config/linode-cli", "~/.config/scw/config.yaml", "~/.civo.json", "/**/.s3cfg", "/**/.boto", "/etc/boto.cfg",
    "~/.mc/config.json", "/**/rclone.conf", "/**/.rclone.conf", "~/.passwd-s3fs", "/etc/passwd-s3fs",
    # Deployment (Heroku, Fly, Vercel, Netlify, Railway, Render, Cloudflare, Supabase, Firebase, Stripe, ngrok).
    "~/.config/heroku/**", "~/.fly/config.yml", "~/.vercel/auth.json", "~/.local/share/com.vercel.cli/auth.json",
    "~/.netlify/config.json", "~/.config/netlify/config.json", "~/.railway/config.json", "~/.render/cli.yaml",
    "~/.wrangler/config/default.toml", "~/.config/.wrangler/config/default.toml", "~/.cloudflared/**",
    "~/.supabase/access-token", "~/.config/configstore/firebase-tools.json", "~/.config/stripe/config.toml",
    "~/.config/ngrok/ngrok.yml", "~/.ngrok2/ngrok.yml", "~/.slack/credentials.json",
    # Data and models (dbt, Snowflake, Databricks, Kaggle, Hugging Face, DBeaver) and databases' own clients.
    "~/.dbt/profiles.yml", "~/.snowflake/**", "~/.config/snowflake/**", "~/.snowsql/config", "/**/.databrickscfg",
    "~/.databricks/token-cache.json", "/**/kaggle.json", "~/.huggingface/token", "~/.cache/huggingface/token",
    "~/.cache/huggingface/stored_tokens", "/**/credentials-config.json", "/**/.pgpass", "/**/.my.cnf",
    "/**/.mylogin.cnf", "/etc/mysql/debian.cnf", "~/.clickhouse-client/**", "~/.cassandra/credentials",
    # Clusters and containers (Kubernetes, k3s, Docker, Podman, Helm).
    "~/.kube/**", "/**/.kube/config", "/**/kubeconfig", "/**/kubeconfig.yaml", "/**/kubeconfig.yml", "/**/*.kubeconfig",
    "/**/admin.conf", "/etc/kubernetes/*.conf", "/etc/rancher/**", "/**/.docker/config.json", "/**/.dockercfg",
    "/**/.dockerconfigjson", "~/.config/containers/auth.json", "~/.config/helm/registry/config.json",
    "/var/run/secrets/**", "/run/secrets/**", "/run/containers/**/auth.json",
    # Logins of network programs and of mail (netrc, curl, msmtp, fetchmail, Samba, Emacs).
    "/**/.netrc", "/**/_netrc", "~/.authinfo*", "~/.msmtprc", "~/.config/msmtp/config", "~/.fetchmailrc", "~/.mbsyncrc",
    "/**/.smbcredentials", "~/.thunderbird/**", "/etc/postfix/sasl_passwd*", "/etc/apt/auth.conf",
    "/etc/apt/auth.conf.d/**",
    # Private networks, and keys of machines and services (OpenVPN, WireGuard, IPsec, NetworkManager, Kerberos).
    "/**/*.ovpn", "/etc/openvpn/**", "/etc/wireguard/**", "/etc/ipsec.secrets", "/etc/ppp/*-secrets",
    "/etc/wpa_supplicant/**", "/etc/NetworkManager/system-connections/**", "/**/*.keytab",
    "/tmp/krb5cc_*",  # noqa: S108 - a name
    # Password stores (pass, KeePass, 1Password, Bitwarden, LastPass, GNOME, KDE, macOS) and keys of sops and age.
    "~/.password-store/**", "/**/*.kdbx", "/**/*.kdb", "~/.config/op/**", "~/.config/Bitwarden/**",
    "~/.config/Bitwarden CLI/**", "~/.cache/rbw/**", "~/.local/share/rbw/**", "~/.local/share/lpass/**", "~/.lpass/**",
    "~/.local/share/keyrings/**", "~/.local/share/kwalletd/**", "~/.config/sops/age/**", "~/Library/Keychains/**",
    "/Library/Keychains/**", "/**/*.keychain", "/**/*.keychain-db",
    # Wallets (Bitcoin Core, Ethereum, Electrum, Solana, Foundry, NEAR).
    "/**/wallet.dat", "/**/*.wallet", "~/.bitcoin/wallets/**", "~/.ethereum/keystore/**",
    "~/Library/Ethereum/keystore/**", "~/.electrum/wallets/**", "~/.config/solana/**", "~/.foundry/keystores/**",
    "~/.near-credentials/**", "~/.aptos/config.yaml",
    # Profiles of browsers, and the files in these that hold logins.
    "~/.mozilla/**", "~/.config/google-chrome/**", "~/.config/chromium/**", "~/.config/BraveSoftware/**",
    "~/.config/microsoft-edge/**", "~/.config/vivaldi/**", "~/.config/opera/**", "~/snap/firefox/**",
    "~/snap/chromium/**", "~/.var/app/org.mozilla.firefox/**", "~/.var/app/com.google.Chrome/**",
    "~/Library/Application Support/Google/Chrome/**", "~/Library/Application Support/Firefox/**",
    "~/Library/Application Support/BraveSoftware/**", "~/Library/Application Support/Microsoft Edge/**",
    "~/Library/Application Support/Arc/**", "~/Library/Cookies/**", "~/Library/Safari/**", "/**/Login Data",
    "/**/Login Data For Account", "/**/cookies.sqlite", "/**/key4.db", "/**/logins.json",
    # What was typed (bash, zsh, fish, readline programs).
    "~/.*_history", "~/.*_history/**", "~/.zsh_sessions/**", "~/.local/share/fish/fish_history",
    # The system's own: passwords, memory, disks.
    "/etc/shadow*", "/etc/gshadow*", "/etc/security/opasswd", "/etc/sudoers", "/etc/sudoers.d/**", "/proc/**/environ",
    "/proc/**/mem", "/proc/kcore", "/dev/mem", "/dev/kmem", "/dev/port", "/dev/sd*", "/dev/hd*", "/dev/vd*",
    "/dev/xvd*", "/dev/nvme*", "/dev/mmcblk*", "/dev/dm-*", "/dev/md*", "/dev/mapper/**", "/dev/disk/**", "/dev/disk*",
    "/dev/rdisk*",
)  # fmt: skip
"""The default of `[files] secret`."""


class Temporary:
    """The temporary places of this machine.

    Args:
        root: the project root, a real path.
        machine: this machine.

    Attributes:
        directories: the temporary directories.
    """

    def __init__(self, root: str, machine: Machine) -> None:
        self.directories = frozenset({*TEMPORARY, machine.variables.get("TMPDIR", TEMPORARY[0])})
        self._kept = (root, machine.home)

    def kept(self, directory: str) -> tuple[str, ...]:
        """What is directly in a temporary directory and holds the project or the home, so it is not temporary."""
        return tuple(
            f"{directory}/{path[len(directory) + 1 :].partition('/')[0]}"
            for path in self._kept
            if is_below(path, directory)
        )

    def holds(self, path: str) -> bool:
        """Whether a path is temporary."""
        own = [each for each in self.directories if is_below(path, each)]
        return bool(own) and not any(is_below(path, kept) for each in own for kept in self.kept(each))
