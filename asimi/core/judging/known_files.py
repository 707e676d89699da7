"""Names of files and directories that matter: what runs by itself, and the system's own."""

from __future__ import annotations

from asimi.core.reading.account import NO_FILE

SELF_RUNNING = (
    "/**/.git/**", "/**/.hg/**", "/**/.jj/**", "/**/.svn/**", "~/.bashrc", "~/.bash_profile", "~/.bash_login",
    "~/.bash_logout", "~/.profile", "~/.zshrc", "~/.zshenv", "~/.zprofile", "~/.zlogin", "~/.config/fish/**",
    "~/.config/autostart/**", "~/.config/systemd/**", "~/.inputrc", "~/.bash_aliases", "~/.cshrc", "~/.tcshrc",
    "~/.login", "~/.xprofile", "~/.xinitrc", "~/.xsessionrc", "~/.tmux.conf", "~/.config/tmux/**", "~/.screenrc",
    "~/.vim/**", "~/.hgrc", "~/.config/hg/**", "~/.config/jj/**", "~/.config/mise/**", "~/.config/direnv/**",
    "~/.config/environment.d/**", "~/.jq", "~/.jq/**", "~/bin/**", "~/.local/bin/**", "~/.cargo/bin/**",
    "~/.cargo/config.toml", "~/.cargo/env", "~/.psqlrc", "~/.sqliterc", "~/Library/LaunchAgents/**", "~/.vimrc",
    "~/.config/nvim/**", "~/.emacs", "~/.emacs.d/**", "~/.gitconfig", "~/.config/git/**", "/**/.envrc", "/**/.husky/**",
    "/**/.githooks/**", "/**/.vscode/**", "/**/.idea/**", "/**/.devcontainer/**", "/**/.zed/**", "/**/.mise.toml",
    "/**/mise.toml", "/**/.mise/**", "/**/.exrc", "/**/.nvimrc", "/**/.nvim.lua", "/**/.pdbrc", "/**/.gdbinit",
    "/**/.Rprofile", "/**/.irbrc", "/**/.pryrc", "/**/.venv/bin/**", "/**/venv/bin/**", "/**/pyvenv.cfg",
    "/**/site-packages/**", "/**/.gitmodules", "/**/.pre-commit-config.yaml", "/**/lefthook.yml", "/**/.direnv/**",
    "/**/*.code-workspace", "/**/.fleet/**", "/**/.roo/mcp.json", "/**/.kilocode/mcp.json", "/**/.windsurf/hooks.json",
    "/**/.kiro/settings/**", "/**/.kiro/hooks/**", "/**/.amazonq/mcp.json", "/**/.amazonq/cli-agents/**",
    "/**/.continue/config.yaml", "/**/.continue/mcpServers/**", "/**/.junie/mcp/**", "/**/.trae/mcp.json",
    "/**/.factory/mcp.json", "/**/.factory/hooks/**", "/**/.factory/settings.json", "/**/.crush.json", "/**/crush.json",
    "/**/.aider.conf.yml", "/**/.amp/settings.json", "/**/.augment/settings.json",
    "/**/.mvn/**", "/**/mvnw", "/**/mvnw.cmd", "/**/gradle.properties", "/**/gradle/wrapper/**", "/**/gradlew",
    "/**/gradlew.bat", "/**/.sbtopts", "/**/.jvmopts", "/**/.cargo/config", "/**/.cargo/config.toml",
    "/**/rust-toolchain", "/**/rust-toolchain.toml", "/**/.yarnrc", "/**/.yarnrc.yml", "/**/.yarn/releases/**",
    "/**/.yarn/plugins/**", "/**/.pnpmfile.cjs", "/**/.pnpmfile.mjs", "/**/.bundle/**",
    "/**/.npmrc", "/**/bunfig.toml", "/**/ansible.cfg", "/**/tools/bazel", "/**/.bazelrc",
    "/**/.github/workflows/**", "/**/.github/actions/**",
    "/**/.forgejo/workflows/**", "/**/.gitea/workflows/**", "/**/.gitlab-ci.yml", "/**/.circleci/**",
    "/**/.buildkite/**", "/**/.semaphore/**", "/**/.teamcity/**", "/**/.woodpecker/**", "/**/.woodpecker.yml",
    "/**/.builds/**", "/**/.build.yml", "/**/.drone.yml", "/**/.travis.yml", "/**/.cirrus.yml", "/**/appveyor.yml",
    "/**/.appveyor.yml", "/**/azure-pipelines.yml", "/**/bitbucket-pipelines.yml", "/**/Jenkinsfile", "/etc/**",
    "/var/spool/cron/**",
)  # fmt: skip
"""Files that are run, or say what is run, without anybody naming them: only a pattern that names them covers them."""

_HOOKS = "pre-commit pre-push commit-msg prepare-commit-msg post-checkout post-merge post-commit pre-rebase"

INSIDE = {
    ".git": (
        "HEAD config config.worktree commondir description hooks index info info/attributes info/exclude logs modules "
        "objects packed-refs refs worktrees " + " ".join(f"hooks/{each}" for each in _HOOKS.split())
    ),
    ".hg": "hgrc", ".jj": "repo", ".svn": "entries",
    ".husky": _HOOKS, ".githooks": _HOOKS,
    ".vscode": "extensions.json launch.json mcp.json settings.json tasks.json",
    ".idea": "workspace.xml", ".zed": "settings.json tasks.json", ".mise": "config.toml",
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

KNOWN = tuple(
    each
    for pattern in SELF_RUNNING
    if pattern.startswith("/**/") and "*" not in pattern.removeprefix("/**/").removesuffix("/**")
    for base in [pattern.removeprefix("/**/").removesuffix("/**")]
    for each in [base, *(f"{base}/{name}" for name in INSIDE.get(base, "").split())]
)
"""Paths below whatever directory that run by themselves, or say what does, as far as their names are known."""

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

TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp")  # noqa: S108 - names, nothing is put there
"""Directories for what is not kept (`asimi.core.judging.temporary`)."""

FREE = NO_FILE | {"/dev/stdin"}
"""Files that are none, or the program's own input and output."""
