"""No list allows what changes asimi's own files or calls asimi to change what is allowed."""

from __future__ import annotations

import os

import pytest

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.guard import Guard
from asimi.core.judging.machine import Machine
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.protection import Protection
from asimi.core.judging.rules import rule_of

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
asimi policy suggest
asimi policy remove "run_shell_command(rm)"
asimi policy import
asimi policy import codex --dry-run
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
asimi init --yes
asimi config init
asimi hook install codex
asimi session forget
asimi box keep sub/.envrc
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
rm -r $d/./asimi
rm -r $d//asimi
rm -r $d/x/../asimi
rm -r ${d}asimi/config.toml
tee -a "$d"/.local/state/asimi/log.jsonl
echo x > $d/asimi/config.toml
echo x > $d/.asimi/config.toml
cp x --target-directory=$d/asimi
f=~/.config; tee $f/as{i,a}mi/config.toml
rm -rf .??*
cd ~/.config; rm -rf *
cd ~/.config; rm -rf a*
cd ~/.config; rm -rf [a-b]*
cd ..; cd .config; rm -rf asimi
cd; cd .config; rm -rf asimi
pushd ~ ; cd .config; tee asimi/config.toml
cd ..; cd .config; cd asimi; echo x > config.toml
(cd ~ ; cd .config; cd asimi; tee config.toml)
cd ~ && cd .local/state && tee asimi/log.jsonl
env --chdir=$HOME/.config tee asimi/config.toml
env -C$HOME/.config tee asimi/config.toml
cpio -idm -D ~/.config < x
setfacl -m u:x:rwx ~/.config
chattr +i ~/.local/state
grep -rl x ~/.config | xargs sed -i s/ask/allow/
grep -rlZ deny ~ | xargs -0 sed -i s/deny/allow/
fd asimi ~ -x rm
fd -H config.toml ~ -x rm
tee ~/.config/as$'i'mi/config.toml
tee ~/.config/as$'\\x69'mi/config.toml
tee ~/.config/$'asimi'/config.toml
tee $HOME/$'.config/asi\\155i'/config.toml
tee $HOME/$'.con\\146ig/asi\\155i'/config.toml
tee $HOME/.config/asi$"mi"/config.toml
tee "$HOME"/.config/asi${x}mi/config.toml
tee "$HOME"/.config/as$xi/config.toml
tee "$HOME"/.config/${a}${b}/config.toml
tee "$HOME"/.config/$a/config.toml
tee "$HOME"/$a/config.toml
rm -rf "$HOME"/$a
rm -rf "$HOME"/.$a
rm -rf "$HOME"/.con$a
rm -rf ~/.config/as$a
rm -rf ~/$a
rm -rf ~/.local/$a
a=config; rm -rf ~/.$a
a=.config; rm -rf ~/$a
a=~; rm -rf $a/.config
a=~; rm -rf $a/.config/*
a=$HOME/.config; rm -rf $a
a=$HOME/.config; rm -rf $a/*
a=~/.config; cd $a; rm -rf *
x=/asimi; tee ~/.config$x/config.toml
x=asi; y=mi; tee ~/.config/$x$y/config.toml
x=asi; y=mi; tee ~/.config/"$x$y"/config.toml
x=asi; tee ~/.config/${x}mi/config.toml
x=mi; tee ~/.config/asi$x/config.toml
x=i; rm -r ~/.config/as${x}m${x}
x=xasimi; tee ~/.config/${x#x}/config.toml
x=ASIMI; tee ~/.config/${x,,}/config.toml
x=config; tee ~/.$x/$y/$x.toml
for d in ~/.config/*; do rm -r $d; done
for d in ~/.config/*/; do rm -r "$d"; done
for d in ~/.*; do rm -r $d; done
for f in ~/.config/*/config.toml; do sed -i s/a/b/ $f; done
for x in .config .local; do rm -r ~/$x; done
curl --output-dir ~/.config --create-dirs -o asimi/config.toml u
wget -P ~/.config/ -O asimi/config.toml
patch -d ~/.config < x
patch -p0 -d ~ < x
docker run -v ~/.config:/c alpine sh -c 'echo > /c/x'
docker run -v $HOME:/h alpine rm -rf /h/.config
docker run --rm -v ~:/h alpine x
docker run --mount type=bind,src=$HOME,dst=/h alpine x
docker run -v $PWD/..:/h alpine x
sshfs x: ~/.config
tee .as*/config.toml
tee .a?imi/config.toml
tee .$x/config.toml
tee .as$x/config.toml
tee .asimi*/config.toml
x=.asimi; tee $x/config.toml
x=.asimi; mkdir $x
x=.asi; tee ${x}mi/config.toml
rm -rf .a*
rm -rf ./.a*
rm -rf .[a-z]*
a{simi,} policy add x
{asimi,policy,add,x}
{asimi,policy} add x
/usr/bin/as* policy add x
/usr/bin/asim? policy add x
~/.local/bin/as*i policy add x
x=asimi; $x policy add x
x=asi; ${x}mi policy add x
pypy3 -m asimi trust
pypy -m asimi trust
python3-dbg -m asimi trust
ipython -m asimi
coverage run -m asimi trust
python3 -m as{imi,x} trust
python3 -m as$x trust
sh -c '$0 trust' asimi
sh -c '"$@"' _ asimi trust
bash -c '$1 trust' _ asimi
ln -s ~/.local/bin/as* a
awk 'BEGIN{system("asimi trust")}'
sed '1e asimi trust' x
make -f- <<< 'x:;asimi trust'
at now <<< 'asimi trust'
asimi log report --html r.html
asimi log report --since 7d --html=r.html
asimi log report "--ht"ml r.html
asimi log report $options
asimi log report {--html,r.html}
echo 'asimi trust' | at now
crontab - <<< '* * * * * asimi trust'
"""

FREE = """
asimi check "rm x"
asimi policy lint
asimi policy list
asimi policy export codex
asimi policy test cases.jsonl
asimi policy replay --since 7d
asimi log --denied
asimi log --why --command "npm publish" -n 5
asimi log report --since 7d --json
asimi --help
asimi doctor
asimi policy --help
asimi help files
asimi completion bash
asimi completion zsh > _asimi
asimi completion jobs
asimi box list
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
git -C .. status
find / -name "*.so" 2>/dev/null | head
find / -name python3 -type f
find ~ -name '*.pem'
find / -type f -name x -exec ls -l {} \\;
find / -name foo 2>/dev/null | xargs ls -l
ls -d ~/.*
ls ~/*
ls -la ~/.config/*
ls /*
du -sh ~/* | sort -h
du -sh /*
python3 -m pip show asimi
git diff HEAD~1 -- src/
git ls-files '*.py' | xargs sed -i 's/a/b/g'
docker run --rm -v $PWD:/app -w /app node:20 npm test
docker exec web rm -rf /var/cache/*
find . -name '*.py'
find /etc -name '*.conf' -exec grep -l foo {} +
find . -name '*.js' -print0 | xargs -0 sed -i 's/foo/bar/g'
sed -i 's/foo/bar/g' src/*.py
sed -i "s|$HOME|~|" f
for f in src/**/*.py; do sed -i 's/a/b/' "$f"; done
for d in packages/*; do cd $d && npm test; cd ../..; done
for p in 3000 3001; do lsof -ti:$p | xargs kill; done
cat list | while read f; do mv $f out/$f; done
grep -rn "TODO" --include='*.py' .
grep ".*" x
ls ~/.config
du -sh .[!.]* *
cat .*rc
cp "${files[@]}" out/
mv ${x}_old ${x}_new
rm -rf build/*
rm -rf "$tmp"
rm -rf ~/.cache/yarn
rm -rf /var/lib/apt/lists/*
rm -rf .[!.]*cache
rsync -av ~/src/proj/ /mnt/backup/
curl -H "Authorization: Bearer $TOKEN" https://api.x/$path
export PATH="$HOME/.local/bin:$PATH"
mkdir -p ~/.config/nvim
touch src/{a,b}/__init__.py
echo "$x" > out/$name.json
echo x >> "$GITHUB_ENV"
echo $x | tee -a "$LOGDIR/out.log"
ln -sf "$PWD/x" ~/.local/bin/x
chmod 600 ~/.ssh/id_rsa
awk -F, '{print $2}' x.csv
perl -i -pe 's/a/b/g' src/*.c
cd "$dir" && make
kill -9 $pid
kubectl get pods -n $ns
aws s3 cp s3://$bucket/$key .
src=~/src/a; cp $src/x.py .
out=/tmp/x; mkdir -p $out; echo a > $out/b
ls $x/asimi-old
cp config.{example,}.toml
echo $((1+2))
zip -r out.zip dist -x '*.map'
ls -t ~/backups/*.tgz | tail -n +5 | xargs rm -f
bash scripts/build.sh $x
cp ~/.ssh/id_rsa.pub .
cat ~/.config/gh/hosts.yml
rm -rf ~/.local/share/nvim
ls $HOME/.local/state
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
    machine = Machine(str(home), os.path.realpath, {})
    protection = Protection(own, machine)
    policy = Policy([rule_of("run_shell_command", Verdict.ALLOW)], Terms(protected=Guard(machine, protection)))
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


MANY = [
    "rm -r ~/.config/{" + ",".join(f"a{number}" for number in range(2000)) + ",asimi}",
    "for d in a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 as; do rm -r ~/.config/$d{"
    + ",".join(f"a{number}" for number in range(40))
    + ",imi}; done",
]


@pytest.mark.parametrize("command", MANY, ids=["long", "many"])
def test_of_more_names_than_can_be_looked_at_none_is_forgotten(decide, command):
    assert decide(command).verdict is Verdict.ASK


@pytest.mark.parametrize("command", lines(FREE, "@HOME@"))
def test_a_command_that_only_looks_or_is_about_something_else_is_free(decide, command):
    assert decide(command).verdict is Verdict.ALLOW
