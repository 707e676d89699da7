"""Where tools are commonly installed, and what nobody has to know a program for: its version and its help."""

import json

import pytest
from helpers.home import Home

TABLE = r"""
allow | export PATH="$HOME/.cargo/bin:$PATH"
allow | export PATH=~/.local/bin:$PATH && ls
allow | export PATH=$PATH:/usr/local/go/bin:${HOME}/go/bin; go version
allow | PATH="/opt/homebrew/bin:$PATH" node --version
allow | PATH="$HOME/.nvm/versions/node/v22.19.0/bin:$PATH" git status
allow | export JAVA_HOME=$(/usr/libexec/java_home -v 17) && ls
allow | export JAVA_HOME="/Applications/Android Studio.app/Contents/jbr/Contents/Home"; ls
allow | JAVA_HOME=/usr/lib/jvm/java-17-openjdk-amd64 ls
allow | export ANDROID_HOME=$HOME/Library/Android/sdk PATH="$HOME/Library/Android/sdk/platform-tools:$PATH"; ls
allow | JAVA_HOME=~/Library/Java/JavaVirtualMachines/openjdk-24.0.1/Contents/Home ls
allow | export JAVA_HOME="$HOME/.sdkman/candidates/java/current"; ls
allow | export NODE_OPTIONS=--max-old-space-size=4096; ls
allow | /usr/local/bin/rg -n x src
allow | /home/me/.local/bin/uv --version
allow | /opt/homebrew/bin/git status
allow | nobodyknows --version
allow | nobodyknows --help
allow | /usr/bin/nobodyknows --version
allow | vercel deploy --help
allow | gh codespace create --help
allow | echo $NEXT_PUBLIC_API_KEY
allow | export JAVA_HOME=/usr/lib/jvm/x; export PATH=${JAVA_HOME}/bin:$PATH; ls
allow | bash -c 'export PATH=/usr/local/bin:$PATH; ls'
allow | gh pr create --help
allow | helm upgrade --help
allow | rtk git log --oneline -3 && rtk read bin/ours
allow | rtk err git status
allow | rtk grep -i x src
ask | export PATH="$PNPM_HOME:$PATH"; ls
ask | PATH=$PATH:${PNPM_HOME} ls
ask | export PATH=$CARGO_HOME}/bin:$PATH; ls
ask | export PATH=${BUN_INSTALL}/bin:$CARGO_HOME}/bin; ls
ask | export PATH=${PNPM_HOME:$PNPM_HOME}; ls
ask | BUN_INSTALL=.; export PATH=$BUN_INSTALL/bin:$PATH; ls
ask | read VOLTA_HOME < x; PATH=$VOLTA_HOME/bin:$PATH ls
ask | for JAVA_HOME in .; do PATH=$JAVA_HOME/bin:$PATH ls; done
ask | : ${PYENV_ROOT:=.}; PATH=$PYENV_ROOT/bin:$PATH ls
ask | IFS=/; command export PATH=$PATH:/usr/bin; ls
ask | IFS=/; 'export' PATH=$PATH:/usr/bin; ls
ask | IFS=/; declare -x "PA"TH=$PATH:/usr/bin; ls
ask | cp x bin/unheard && unheard --version
ask | unheard --version; echo x > bin/unheard
ask | gulp --version
ask | scons --help
ask | rust-analyzer --version
ask | vercel evil --help
ask | gh evil --help
ask | gh extension exec evil --help
ask | helm evil --help
ask | rtk err ls '; ./evil'
ask | rtk summary ls '$(./evil)'
ask | rtk npm view x
ask | rtk grep -- --pre=./evil .
ask | rtk grep x . --pre ./evil
ask | rtk git push
ask | rtk test ./deploy
ask | rtk rm -rf ~/x
allow | for i in $(seq 1 5); do echo $((i + 1)); done
ask | for i in $(seq 1 5) "$X"; do echo $((i + 1)); done
ask | for i in $(cat f); do echo $((i + 1)); done
ask | export PATH="~/.cargo/bin:$PATH"
ask | export PATH="./bin:$PATH"; ls
ask | export PATH=bin:$PATH; ls
ask | export PATH=; ls
ask | export PATH="$PATH:"; ls
ask | export PATH=":$PATH"; ls
ask | export PATH="$PATH::/usr/bin"; ls
ask | export PATH="$HOME/.cargo/bin/../../x:$PATH"; ls
ask | export PATH="$HOME/.cargo/bin:/tmp:$PATH"; ls
ask | export PATH="$HOME:$PATH"; ls
ask | export PATH="$X/bin:$PATH"; ls
ask | export PATH+=":/usr/local/bin"; ls
ask | PATH='$PATH' ls
ask | HOME=. ; export PATH="$HOME/.cargo/bin:$PATH"; ls
ask | cp x ~/.cargo/bin/ls && export PATH="$HOME/.cargo/bin:$PATH" && ls
ask | cp x ~/.nvm/versions/node/v1/bin/ls
ask | export JAVA_HOME=jdk; ls
ask | export JAVA_HOME="~/.jdks/x"; ls
ask | cp -r x ~/.jdks/x
ask | export ANDROID_HOME="~/Library/Android/sdk"; ls
ask | ANDROID_HOME="~/Library/Android/sdk" ls
ask | export JAVA_HOME=$(pwd)/jdk; ls
ask | export JAVA_HOME=/usr/lib/jvm/../../tmp; ls
ask | export NODE_OPTIONS="--require ./x.js"; ls
ask | export NODE_OPTIONS=--no-warnings; export NODE_OPTIONS+=" --require ./x.js"; ls
ask | '$PATH/rg' x src
ask | ~/.local/rg x src
ask | /tmp/rg x src
ask | ./nobodyknows --version
ask | src/nobodyknows --help
ask | nobodyknows --version x
ask | nobodyknows deploy --help
ask | nobodyknows -v
ask | ours --version
ask | vercel deploy --help x
ask | vercel deploy -- --help
ask | vercel "$X" --help
ask | docker run alpine reboot --help
ask | echo $API_KEY
"""
ROWS = [tuple(line.split(" | ", 1)) for line in TABLE.strip().splitlines()]


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """The verdict on each command, in a project of which a directory is on `PATH`."""
    home = Home(tmp_path_factory.mktemp("customs"), None)
    (home.root / "bin").mkdir(parents=True)
    (home.root / "bin/ours").write_text("#!/bin/sh\n")
    (home.root / "bin/ours").chmod(0o755)
    home.environ["PATH"] += f":{home.root}/bin"
    assert home.asimi("config", "init", "--preset", "developer").returncode == 0
    table = home.home / "table.jsonl"
    table.write_text("".join(json.dumps({"command": command}) + "\n" for _, command in ROWS))
    found = home.asimi("policy", "test", "--hook", "--json", str(table), cwd=home.root).stdout.splitlines()
    return {command: json.loads(line)["verdict"] for (_, command), line in zip(ROWS, found, strict=True)}


@pytest.mark.parametrize(("verdict", "command"), ROWS)
def test_what_is_customary(said, verdict, command):
    assert said[command] == verdict
