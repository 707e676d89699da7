"""No list allows what changes the files that say what a coding agent may do; reading and recording them is free."""

from __future__ import annotations

import os

import pytest

from asimi.core.budget import Budget
from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.agents import MOVED, AgentFiles
from asimi.core.judging.guard import Guard
from asimi.core.judging.machine import Machine
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.protection import Protection
from asimi.core.judging.rules import rule_of
from asimi.doors.hooks import AGENTS
from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.settings import settings_file
from asimi.world.host.trees import below, kind

PROTECTED = """
touch .claude/settings.local.json
touch ~/.claude/settings.json
touch @HOME@/.claude/settings.json
echo x > .claude/settings.json
echo x >> sub/.claude/settings.json
echo x > $HOME/.claude/settings.json
echo x | tee .gemini/settings.json
cp x .codex/hooks.json
cp x ~/.codex/config.toml
mv x .qwen/settings.json
rm .claude/settings.local.json
rm -rf .claude
rm -rf ~/.codex
rm -r .github/hooks
sed -i s/a/b/ .claude/settings.json
perl -pi -e s/a/b/ .claude/settings.json
cp x .github/hooks/a.json
cp x .github/copilot/settings.json
cp x .opencode/plugin/a.js
cp x ~/.config/opencode/plugins/a.js
echo x > opencode.json
echo x > sub/opencode.jsonc
echo x > .mcp.json
echo x > ~/.claude.json
cp x .cursor/hooks.json
cp x .cursor/mcp.json
cp x ~/.gemini/config/hooks.json
cp x .agents/hooks.json
cp x ~/.copilot/hooks/asimi.json
cp x ~/.gemini/antigravity-cli/settings.json
mkdir -p .claude/skills/x
cat > .claude/skills/x/SKILL.md
tee .claude/commands/x.md
touch .claude/hooks/x.sh
chmod +x .claude/hooks/x.sh
touch .CLAUDE/Settings.JSON
gofmt -w .claude/settings.json
shfmt -w .claude/settings.json
clang-format -i .claude/settings.json
yapf -i .claude/settings.json
ar r .claude/settings.json a.o
ar rcs .claude/settings.json a.o
strip .claude/settings.json
objcopy a.o .claude/settings.json
ranlib .claude/settings.json
tar -cf.claude/settings.json src
tar -czf.claude/settings.json src
sort README.md -uo.claude/settings.json
gcc -c -o.claude/settings.json a.c
touch .claude//settings.json
touch sub/../.claude/settings.json
touch linked/settings.json
echo x > linked/settings.json
touch file
touch .claude/$x
touch .claude/"$x"
touch .cl$x/settings.json
touch $d/.claude/settings.json
touch ${d}.claude/settings.json
touch .claude/s*
rm .cl*/settings.json
rm -rf .cl*
rm .claude/*
rm .claude/settings.{json,local.json}
rm .c{laude,odex}/config.toml
x=.claude; touch $x/settings.json
x=settings; touch .claude/$x.json
cd .claude && touch settings.json
cd .claude && echo x > settings.json
cd ~ && cp x .codex/config.toml
cp -t .claude x/settings.json
cp x/settings.json .claude/
cp -r x/.claude .
cp -r x/.claude/ sub
cp opencode.json sub/
cp --parents .claude/settings.json sub
ln -s .claude here
ln -sf x .claude/settings.json
rsync -a x/ .claude/
git checkout -- .claude/settings.json
git checkout .claude/settings.json
git checkout x .claude/settings.json
git checkout ':(top).claude/settings.json'
git restore .claude/settings.json
git rm .claude/settings.json
git mv x .claude/settings.json
git clone https://example.org/x .claude/skills/x
git diff --output=.claude/settings.json
uniq x .claude/settings.json
sort -o .claude/settings.json x
unknown .claude/settings.json
unknown --out=.claude/settings.json
unknown -o.mcp.json
curl -o .claude/settings.json https://example.org
wget -P .claude/skills https://example.org/x
dd if=x of=.claude/settings.json
python3 -c 'open(".claude/settings.json", "w")'
python3 - <<< 'open(".claude/settings.json", "w")'
python3 edit.py .claude/settings.json
cat .claude/settings.json | python3
cat x.json | python3 -c 'import json, sys; json.dump(json.load(sys.stdin), open(".claude/settings.json", "w"))'
python3 -m tool .claude/settings.json
python3 -c "for n in ['settings.json']: open('.claude/' + n, 'w')"
python3 -c "d = '.claude'; open(d + '/settings.json', 'w')"
python3 -c "import os; open(os.path.join(list(['.claude'])[0], 'settings.json'), 'w')"
python3 -c "import shutil; shutil.copy('x/settings.json', '.claude')"
python3 -c "from pathlib import Path; d = Path('.codex'); (d / 'hooks.json').write_text('{}')"
node -e 'fs.rmSync(".codex/hooks.json")'
awk '{print > ".claude/settings.json"}' x
bash -c 'echo x > .claude/settings.json'
env A=1 tee .claude/settings.json
echo .claude/settings.json | xargs rm
ls .claude/* | xargs rm
find .claude -name '*.json' -delete
find .claude -exec rm {} +
docker run -v ~/.claude:/c alpine x
docker run -v $PWD/.claude/hooks:/c alpine x
f() { touch "$1"; }; f .claude/settings.json
for f in .claude/*.json; do rm $f; done
history -w .claude/settings.json
env --chdir=.claude tee settings.json
git --work-tree=.claude checkout x -- settings.json
git checkout x -- ':(top).claude/settings.json'
git checkout x -- ':(glob).claude/**'
unzip -o x.zip '.claude/*'
find . -name settings.json -path '*/.claude/*' -delete
find . -path '*.claude/settings.json' -exec sed -i s/a/b/ {} +
echo settings.json | xargs -I{} cp x .claude/{}
git worktree add .claude/hooks/x
git submodule add url .claude/skills/x
git subtree add --prefix=.claude/skills url main
gh repo clone x .claude/skills/x
npm --prefix .claude/skills install x
make DESTDIR=.claude/hooks install
make -C .claude/hooks
ruff check --fix .claude/hooks
eslint --fix .claude/hooks
gunzip .claude/settings.json.gz
vi .claude/settings.json
emacs --batch .claude/settings.json
script -c ls .claude/settings.json
strace -o .claude/settings.json ls
/usr/bin/time -o .claude/settings.json ls
cp -l .claude/settings.json x
cp -rs .claude/. x
set -- .claude/settings.json; tee "$1"
bash -c 'tee "$1"' _ .claude/settings.json
sh -c 'echo x > "$0"' .mcp.json
sed -e 'w.claude/settings.json' x
sed 's/a/b/gw.claude/settings.json' x
python3 -c "open('.claude' + '/settings.json', 'w')"
python3 -c "open('.cl' + 'aude' + '/settings.json', 'w')"
python3 -c "import os; open(os.path.join('.config', 'opencode', 'x.json'), 'w')"
node -e 'fs.writeFileSync(path.join(".gith" + "ub", "hooks", "a.json"), "x")'
python3 -c "open('.claude/set' 'tings.json', 'w')"
python3 -c "import os; open(os.path.join('.claude', 'settings.json'), 'w')"
python3 -c "import pathlib; (pathlib.Path('.claude') / 'settings.json').write_text('x')"
node -e 'fs.writeFileSync(path.join(".claude", "settings.json"), "x")'
deno eval 'Deno.writeTextFile(".mcp.json", "")'
touch $CLAUDE_CONFIG_DIR/settings.json
touch @HOME@/moved/settings.json
touch /etc/claude-code/managed-settings.json
echo x > /etc/codex/requirements.toml
"""

FOUND = """
bandit -r src -f custom -o .claude/settings.json
bandit --output=.claude/settings.json -r src
dmypy run --log-file .claude/settings.json x.py
pyright --unknown-option .claude/settings.json
staticcheck --unknown-option=.claude/settings.json
find . -name settings.json -exec cp x {} ';'
find . -name 'settings*.json' -exec sed -i s/a/b/ {} +
find . -iname SETTINGS.JSON -exec cp x {} ';'
find . -type d -name .claude -exec cp x {}/settings.json ';'
find . -type d -name hooks -exec cp x {} ';'
find . -name config.toml | xargs sed -i s/a/b/
find sub -name '*.json' -exec sed -i s/a/b/ {} +
cp -r @HOME@/staged/. .
cp -rT @HOME@/staged sub
rsync -a @HOME@/staged/ .
cp -r @HOME@/staged/s* .
cp -r @HOME@/staged web
"""

NOT_FOUND = """
find src -name '*.json' -exec sed -i s/a/b/ {} +
find . -name settings.json -exec cat {} +
find . -name settings.json -not -path '*/.*/*' -exec sed -i s/a/b/ {} +
find . -name '.?*' -prune -o -name settings.json -exec sed -i s/a/b/ {} +
find src -name settings.json -exec cp x {} ';'
cp -r src web
find . -name CLAUDE.md -exec sed -i s/a/b/ {} +
"""

FREE = """
cat .claude/settings.json
cat ~/.claude/settings.json
cat < .claude/settings.json
echo x > .claude
head -20 .codex/config.toml
ls .claude
ls -la .claude/skills
grep -rn hooks .claude
rg -n x .claude/settings.json
jq . .claude/settings.json
diff .claude/settings.json x
wc -l .claude/*
test -f .claude/settings.json
[ -f .claude/settings.json ] && echo yes
[[ -f .claude/settings.json ]] && echo yes
stat .mcp.json
find .claude -type f
find .claude -name '*.md' -exec cat {} +
find .claude -name '*.json' | xargs cat
for f in .claude/*.json; do cat $f; done
sed -n 1,20p .claude/settings.json
less .claude/settings.json
awk '{print $1}' .claude/settings.json
git add .claude
git add .claude/settings.json .mcp.json
git add -A
git diff .claude/settings.json
git commit -m "Change .claude/settings.json" .claude/settings.json
git log --oneline -- .claude
git status .claude
git show HEAD:.claude/settings.json
git check-ignore .claude/settings.local.json
git commit -m "Protect .claude/settings.json"
gh pr create --title x --body "Change .claude/settings.json and .mcp.json"
echo ".claude/settings.local.json" >> .gitignore
echo .claude/settings.json
mkdir -p .github
mkdir -p .github/workflows
mkdir .claude
touch .github/workflows/ci.yml
cp ci.yml .github/workflows/
cp -r src dst
cp .claude/settings.json x.json
cp ~/.claude/settings.json backup.json
cp -r a/b .
cp $a $b
rm -rf build dist
rm *.json
rm *
rm -rf "$tmp"
sed -i s/a/b/ *.json
touch $d/settings.json
cp x "$d/config.toml"
echo x > $out
echo x > build/$name.json
mv settings.json old/
touch settings.json hooks.json config.toml
touch CLAUDE.md AGENTS.md GEMINI.md
echo x >> CLAUDE.md
echo x > .claude/CLAUDE.md
cat > notes.md <<< 'see .claude/settings.json'
touch .claude/worktrees/a/src/x.py
rm -rf .claude/worktrees/a
touch ~/.codex/log/x
python3 .claude/skills/pdf/scripts/fill.py in.pdf
bash .claude/hooks/lint.sh
sh .claude/hooks/lint.sh src
node .claude/skills/x/run.js
.claude/hooks/lint.sh
shellcheck .claude/hooks/lint.sh
cd .claude/skills && ls
timeout 5 cat .claude/settings.json
bash -c 'cat .claude/settings.json'
env A=1 cat .claude/settings.json
python3 -c 'print(1)'
npm run build
rm -f .*.swp
rm .eslintrc.json
cp .env.example .env
touch .env.$x
rm -rf .cache .next
rm opencode.log
find . -name '*.orig' -not -path './.claude/*' -delete
git -C .claude/worktrees/x status
python3 .claude/hooks/x.py < input.json
cat input.json | python3 .claude/hooks/x.py
ruff check . --exclude .claude
ruff check .claude/hooks
eslint .claude/hooks
strace -o trace cat .claude/settings.json
npm --prefix web test
x=.claude
cd /etc/ssl && ls
"""


def lines(text):
    return text.strip().splitlines()


@pytest.fixture
def decide(tmp_path):
    """Judges a command with the widest lists, in a project with agents' files."""
    home = tmp_path / "home"
    for name in (".config/asimi", ".claude", ".codex", "project/sub", "project/.claude/hooks", "project/.github"):
        (home / name).mkdir(parents=True)
    (home / "project/linked").symlink_to(home / ".claude")
    (home / "project/file").symlink_to(".claude/settings.json")
    moved = {"CLAUDE_CONFIG_DIR": f"{home}/moved"}
    agents = AgentFiles({moved["CLAUDE_CONFIG_DIR"]: ".claude"})
    for name in (
        "project/src/settings.json",
        "project/data.json",
        "project/sub/.claude/settings.json",
        "staged/sub/.claude/settings.json",
    ):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).touch()
    machine = Machine(str(home), os.path.realpath, moved, kind=kind, below=below)
    protection = Protection([f"{home}/.config/asimi"], machine, (), agents)
    policy = Policy([rule_of("run_shell_command", Verdict.ALLOW)], Terms(protected=Guard(machine, protection)))
    place = Place(f"{home}/project", f"{home}/project", inside=True)

    def decide(command):
        return policy.decide(Request("run_shell_command", command.replace("@HOME@", str(home)), None, place))

    return decide


@pytest.mark.parametrize("command", lines(PROTECTED))
def test_a_command_that_could_change_what_an_agent_may_do_is_asked_about(decide, command):
    decision = decide(command)
    assert decision.verdict is Verdict.ASK
    assert "protected" in {reason.code for reason in decision.reasons}
    assert not decision.offers


@pytest.mark.parametrize("command", lines(FOUND))
def test_what_may_change_one_by_a_search_or_an_option_is_asked_about(decide, command):
    assert "protected" in {reason.code for reason in decide(command).reasons}


@pytest.mark.parametrize("command", lines(NOT_FOUND))
def test_a_search_that_finds_none_is_free(decide, command):
    assert "protected" not in {reason.code for reason in decide(command).reasons}


@pytest.mark.parametrize("command", lines(FREE))
def test_a_command_that_only_reads_them_or_is_about_something_else_is_free(decide, command):
    decision = decide(command)
    assert not [reason.message for reason in decision.reasons if reason.code == "protected"]
    assert decision.verdict is Verdict.ALLOW or command == "x=.claude"


@pytest.mark.parametrize("name", AGENTS)
def test_the_settings_of_an_agent_are_protected_wherever_a_variable_moves_them(name, tmp_path):
    agent, elsewhere = agent_of(name), f"{tmp_path}/elsewhere"
    variable = agent.settings.moved[0] if agent.settings.moved else "HOME"
    files = AgentFiles({elsewhere: MOVED[variable]} if variable in MOVED else {})
    assert files.has(settings_file(agent, {"HOME": str(tmp_path), variable: elsewhere}), Budget(), above=False)
