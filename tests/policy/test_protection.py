"""No list allows what changes asimi's own files or calls asimi to change what is allowed."""

from __future__ import annotations

import os

import pytest

from asimi.call import Place, Request, Verdict
from asimi.policy import Policy
from asimi.protection import Protection
from asimi.rules import rule_of

PROTECTED = """
echo x > ~/.config/asimi/config.toml
echo x >> $HOME/.config/asimi/config.toml
echo x >| "$HOME/.config/asimi/config.toml"
echo x > ${HOME}/.config/asimi/config.toml
echo x | tee ~/.config/asimi/config.toml
echo x | tee -a "${HOME}"/.config/asimi/config.approved.toml
cp evil.toml ~/.config/asimi/config.toml
cp evil.toml ~/.config/asimi/
cp -t ~/.config/asimi evil.toml
cp --target-directory=$HOME/.config/asimi evil.toml
mv evil.toml @HOME@/.config/asimi/config.toml
sed -i s/ask/allow/ ~/.config/asimi/config.toml
sed -i s/x/y/ @HOME@/.config/../.config/asimi/config.toml
sed -i s/x/y/ ~/./.config//asimi/config.toml
rm -rf ~/.local/state/asimi
rm -rf ~/.local/state
rm -rf ~/.local
rm ~/.local/state/asimi/log.jsonl
truncate -s 0 ~/.local/state/asimi/log.jsonl
dd if=/dev/null of=@HOME@/.local/state/asimi/log.jsonl
ln -sf evil.toml ~/.config/asimi/config.toml
ln -s ~/.config/asimi here
cat ~/.config/asimi/config.toml
touch ~/.local/state/asimi/trust/x
chmod 666 ~/.config/asimi/config.toml
python3 -c 1 > ~/.config/asimi/config.toml
bash -c 'echo x > ~/.config/asimi/config.toml'
bash -c "tee ~/.config/asimi/config.toml < x"
env A=1 tee @HOME@/.config/asimi/config.toml
xargs rm -f @HOME@/.local/state/asimi/log.jsonl
find ~/.local/state/asimi -delete
find ~/.config -name config.toml -exec rm {} +
cd ~/.config/asimi && echo x > config.toml
cd ~/.config && tee asimi/config.toml
git -C ~/.config/asimi init
tee linked/config.toml
echo x > linked/config.toml
echo x > .asimi/config.toml
mkdir .asimi
tee sub/../.asimi/config.toml
cp x ./.asimi
asimi policy add "rm -rf"
asimi policy remove "run_shell_command(rm)"
asimi trust
asimi untrust
asimi approve 1a2b
asimi watch
/usr/bin/asimi policy add x
'asimi' policy add x
env asimi policy add x
bash -c 'asimi policy add x'
python3 -m asimi policy add x
python -m asimi trust
asimi --yes run ls
asimi run ls
asimi config init
asimi hook install codex
asimi session forget
$HOME/.local/bin/asimi policy add x
asimi --config check policy add --project rm
asimi --session log approve
asimi policy add rm -- --help
asimi run "policy" --help
python3 -I -m asimi trust
python3 -masimi trust
python3 -Bm asimi trust
python3 /usr/bin/asimi trust
python3 -c 'import asimi; asimi.x()'
tmux new-session -d 'asimi approve x'
ln -s /usr/bin/asimi a
tee ~root/../@HOME@/.config/asimi/config.toml
tee $HOME'/.config/asimi/config.toml'
tee ${HOME:-x}/.config/asimi/config.toml
cd; tee .config/asimi/config.toml
for f in ~/.config/asimi/config.toml; do rm $f; done
f=~/.config/asimi; tee $f/config.toml
curl -so$HOME/.config/asimi/config.toml u
python3 -c 'open("@HOME@/.config/asimi/config.toml","w")'
perl -e 'unlink "$ENV{HOME}/.config/asimi/config.toml"'
rm -r ~/.config/{asimi,x}
cat ~/.config/as{i,}mi/config.toml
rm -r ~/.{config,local/{state,share}}/asimi
rm -r ~/.{a,}{a,}{a,}{a,}{a,}{a,}{a,}{config,c}/asimi
cd ~/.config && rm -r as{i,a}mi
echo x > ~/.config/{asimi,}/config.toml
x=.config; tee ~/$x/asimi/config.toml
x=fig; tee ~/.con$x/asimi/config.toml
d=asimi; rm -r ~/.config/$d
d=asimi; rm -r ~/.config/"${d}"/config.toml
rm -r "$d/asimi"
rm -r ${d}asimi/config.toml
tee -a "$d"/.local/state/asimi/log.jsonl
echo x > $d/asimi/config.toml
echo x > $d/.asimi/config.toml
cp x --target-directory=$d/asimi
f=~/.config; tee $f/as{i,a}mi/config.toml
"""

FREE = """
asimi check "rm x"
asimi policy list
asimi policy test cases.jsonl
asimi log --denied
asimi --help
asimi doctor
asimi policy --help
grep -rn asimi src
echo asimi policy add
ls ~
cat ~/.bashrc
python3 setup.py --name my-asimi-fork
pip install asimi-tools
rm -rf build
cp a b
git commit -m "asimi: mend the gate"
cd sub && ls
echo x > out.txt
mkdir -p src/{asimi,tests} ~/.config/{nvim,fish}
cat ~/.config/$app/settings.json
rm -rf "$TMPDIR/asimi-build" ${out}/x
cp $a $b
echo {1..9} $((1 + 2)) ${x:-asimi}
git clone https://example.org/$who/asimi
grep -rn "${pattern}" src/asimi
echo x > $out
echo x > build/$name.log
"""


def lines(text, home):
    return [line.replace("@HOME@", home) for line in text.strip().splitlines()]


@pytest.fixture
def decide(tmp_path):
    """Judges a command with the widest lists, in a project below a home with asimi's files."""
    home = tmp_path / "home"
    for name in (".config/asimi", ".local/state/asimi", "project/sub"):
        (home / name).mkdir(parents=True)
    (home / "project/linked").symlink_to(home / ".config/asimi")
    own = [f"{home}/.config/asimi", f"{home}/.local/state/asimi"]
    protection = Protection(own, str(home), os.path.realpath)
    policy = Policy([rule_of("run_shell_command", Verdict.ALLOW)], protected=protection)
    place = Place(f"{home}/project", f"{home}/project", inside=True)

    def decide(command):
        return policy.decide(Request("run_shell_command", command.replace("@HOME@", str(home)), None, place))

    return decide


@pytest.mark.parametrize("command", lines(PROTECTED, "@HOME@"))
def test_a_command_that_names_what_is_asimis_own_is_asked_about(decide, command):
    decision = decide(command)
    assert decision.verdict is Verdict.ASK
    assert "protected" in {reason.code for reason in decision.reasons}
    assert not decision.offers


@pytest.mark.parametrize("command", lines(FREE, "@HOME@"))
def test_a_command_that_only_looks_or_is_about_something_else_is_free(decide, command):
    assert decide(command).verdict is Verdict.ALLOW
