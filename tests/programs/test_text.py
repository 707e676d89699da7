"""Programs for files and text: with the program listed, what is free and what is a question."""

import os
import re
import shutil
import subprocess

import pytest

from asimi.core.call import Place, Request, Verdict
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import rule_of
from asimi.core.programs import find
from asimi.core.reading.values import reader_of

HERE = Place("/project", "/project", inside=True)

TABLE = [
    ("allow", "cp", "cp -a --no-preserve=mode -t out src/*.py"),
    ("allow", "mkdir", "mkdir -p -m 755 a/b"),
    ("allow", "touch", "touch -d yesterday a b"),
    ("allow", "gzip", "gzip -9k --rsyncable f"),
    ("allow", "install", "install -Dm755 -o root a b"),
    ("ask", "install", "install --strip-program=./evil -s a b"),
    ("ask", "install", "install --strip-p ./evil -s a b"),
    ("allow", "csplit", "csplit -f part f /x/"),
    ("allow", "rename", "rename 's/(.*)\\.txt$/$1.md/' *.txt"),
    ("allow", "rename", "rename -n 'y/A-Z/a-z/' *"),
    ("allow", "rename", "rename -vn foo bar *"),
    ("ask", "rename", "rename 's/a/system(\"id\")/e' f"),
    ("ask", "rename", "rename 's/a/@{[`id`]}/' f"),
    ("ask", "rename", "rename 's/a/$1[system(id)]/' f"),
    ("ask", "rename", "rename 's/(?{system(id)})//' f"),
    ("ask", "rename", "rename -e 'system(id)' f"),
    ("allow", "dd", "dd if=f bs=1M count=1 status=none"),
    ("ask", "dd", "dd if=f of=g"),
    ("allow", "file", "file -b --mime-type -m magic f"),
    ("ask", "file", "file -C -m magic"),
    ("allow", "tree", "tree -aL 2 -I 'a|b' --dirsfirst --noreport"),
    ("ask", "tree", "tree -ao f"),
    ("ask", "tree", "tree -R -L 1 -H ."),
    (
        "allow",
        "find",
        "find -L . -maxdepth 2 \\( -name '*.py' -o -newermt 2024-01-01 \\) ! -path './x/*' -printf '%p\\n'",
    ),
    ("allow", "find", "find . -type f -size +1M -fprintf /dev/stderr %p"),
    ("ask", "find", "find . -name x -delete"),
    ("ask", "find", "find . -fls f"),
    ("ask", "find", "find . -new-action x"),
    ("allow", "fd", "fd -tf -e py -E build --changed-within 1d x src"),
    ("ask", "fd", "fd -Hx ./evil"),
    ("allow", "find", "find -- src -name x"),
    ("ask", "find", "find -- . -delete"),
    ("ask", "find", "find . -- -fprint x"),
    ("allow", "tree", "tree -aIL node_modules 2 src"),
    ("allow", "tree", "tree -L2 src"),
    ("ask", "tree", "tree -Po pat out"),
    ("ask", "tree", "tree -L2 -o out"),
    ("ask", "dc", "dc evil"),
    ("ask", "less", "less '-Px$kevil' f"),
    ("allow", "less", "less -R +G f"),
    ("allow", "tar", "tar -xzf a.tgz -C out --strip-components=1 --exclude='*.o'"),
    ("allow", "tar", "tar czvf out.tgz --exclude-vcs --owner=0 src"),
    ("allow", "tar", "tar --create --gzip --file ./a:b.tgz src"),
    ("allow", "tar", "tar -I 'zstd -19 -T0' -cf a.tar.zst src"),
    ("allow", "tar", "tar -cf a.tar --checkpoint=100 --checkpoint-action=dot src"),
    ("ask", "tar", "tar cf a.tar src --checkpoint=1 --checkpoint-action=exec=id"),
    ("ask", "tar", "tar -xIf ./evil a.tar"),
    ("ask", "tar", "tar --use-comp=./evil -cf a.tar src"),
    ("ask", "tar", "tar xf a.tar --to-command=./evil"),
    ("ask", "tar", "tar cf a.tar --remove-files src"),
    ("ask", "tar", "tar -cf -oProxyCommand=evil:x src"),
    ("ask", "tar", "tar cf host:x src"),
    ("ask", "tar", "tar cFf ./evil a.tar src"),
    ("ask", "tar", "tar cf a.tar --new-option src"),
    ("allow", "gtar", "gtar tf a.tar"),
    ("ask", "gtar", "gtar tf a.tar --to-command=x"),
    ("allow", "bsdtar", "bsdtar -xf a.zip -C out -s /a/b/"),
    ("ask", "bsdtar", "bsdtar -cf a --use-compress-program ./evil f"),
    ("allow", "cpio", "cpio -idmv -D out -F a.cpio"),
    ("ask", "cpio", "cpio -o -O host:x --rsh-command=./evil"),
    ("allow", "zip", "zip -qr9 a.zip src -x '*.pyc'"),
    ("allow", "zip", "zip -d a.zip f --out b.zip"),
    ("ask", "zip", "zip -qTT ./evil a.zip f"),
    ("ask", "zip", "zip a.zip f --unzip-command ./evil"),
    ("ask", "zip", "zip a.zip f -x a -T"),
    ("ask", "zip", "zip -rm a.zip f"),
    ("ask", "zip", "zip -r -lf log a.zip f"),
    ("allow", "7z", "7z a -t7z -mx=9 -mmt4 a.7z src -xr!*.o"),
    ("ask", "7z", "7z a -sdel a.7z src"),
    ("ask", "7z", "7z a -seml a.7z src"),
    ("allow", "rsync", "rsync -avzP --exclude=.git -e 'ssh -p 2222 -i ~/.ssh/k' a/ me@host:b/"),
    ("allow", "rsync", "rsync -aHAXn --no-o --no-perms --info=progress2 a b"),
    ("allow", "rsync", "rsync -a --rsync-path='sudo rsync' a host:b"),
    ("ask", "rsync", "rsync -a --delete a/ b"),
    ("ask", "rsync", "rsync -e ./evil a host:b"),
    ("ask", "rsync", "rsync -ave 'ssh -o ProxyCommand=evil' a host:b"),
    ("ask", "rsync", "rsync -a -M--log-file=x a host:b"),
    ("ask", "rsync", "rsync --rsync-path='id; rsync' a host:b"),
    ("ask", "rsync", "rsync --server . x"),
    ("allow", "patch", "patch -p1 --dry-run -d sub -i ../a.diff"),
    ("ask", "patch", "patch -o out f a.diff"),
    ("ask", "patch", "patch -e f a.diff"),
    ("allow", "split", "split -d -b 10M --additional-suffix=.bin f part"),
    ("allow", "split", "split -100 f"),
    ("ask", "split", "split --filter='id' f"),
    ("allow", "pv", "pv -L 1m -s 10g f"),
    ("ask", "pv", "pv -P /tmp/x f"),
    ("allow", "sshfs", "sshfs -p 22 -o reconnect,uid=1000,IdentityFile=~/.ssh/k me@host:/d mnt"),
    ("ask", "sshfs", "sshfs -o reconnect,ssh_command=./evil me@host:/d mnt"),
    ("ask", "sshfs", "sshfs -F config me@host:/d mnt"),
    ("allow", "sort", "sort -t, -k2,2nr -k1 --parallel=4 -u -S 1G f"),
    ("allow", "sort", "sort --compress-program=zstd -T /tmp f"),
    ("ask", "sort", "sort -uof f"),
    ("ask", "sort", "sort --ou=f f"),
    ("ask", "sort", "sort --compress-prog=./evil f"),
    ("ask", "gsort", "gsort -o f f"),
    ("allow", "uniq", "uniq -c -f 1 in"),
    ("ask", "uniq", "uniq in out"),
    ("allow", "shuf", "shuf -n 1 -e a b"),
    ("ask", "shuf", "shuf f -of"),
    ("allow", "grep", "grep -rnE --include='*.py' -A3 --color=always -e x -5 ."),
    ("allow", "rg", "rg -uu -g '!*.lock' --no-heading -tpy -C2 --sort path --hyperlink-format=none x src"),
    ("allow", "rg", "rg -z --type-add 'web:*.vue' --no-ignore-vcs --no-pre x"),
    ("ask", "rg", "rg --pre ./evil x"),
    ("ask", "rg", "rg --hostname-bin=./evil x"),
    ("ask", "rg", "rg --new-option x"),
    ("allow", "ag", "ag -il --ignore-dir build --nogroup x src"),
    ("ask", "ag", "ag --pager=./evil x"),
    ("ask", "ag", "ag -A --pag ./evil x"),
    ("allow", "ack", "ack --python -i -A 2 x lib"),
    ("ask", "ack", "ack --page=./evil x"),
    ("ask", "ack", "ack --ackrc=./evil x"),
    ("allow", "sed", "sed -nE -e 's/a/b/p' --zero-terminated f"),
    ("ask", "sed", "sed -ni 's/a/b/' f"),
    ("ask", "sed", "sed --in-pl=.bak s/a/b/ f"),
    ("ask", "sed", "sed -f x.sed f"),
    ("ask", "sed", "sed -e 's/a/b/w out' f"),
    ("ask", "sed", "sed '/[/a]/w out' f"),  # a delimiter in brackets ends nothing (GNU sed 4.9)
    ("ask", "sed", "sed '/[]/a]/w out' f"),
    ("ask", "sed", r"sed '\%[%a]%w out' f"),
    ("ask", "sed", "sed 's/[[:alpha:]/]/;a/w out' f"),
    ("allow", "sed", r"sed 's/[^\/]*\///; /[]]/d; s/[[:space:]]*$//' f"),
    ("ask", "awk", "awk '/=/ { print > \"out\" } #/' f"),
    ("ask", "awk", "awk '{ print /a/ / 2 > \"out\" #/\n}' f"),  # behind a regular expression a slash divides
    ("ask", "awk", "awk '{ print /[[:alpha:]/]/ / 2 > \"out\" #/\n}' f"),
    ("ask", "awk", 'awk \'{ print length /"/ > "out" #"/\n}\' f'),  # mawk begins a regular expression, gawk divides
    ("ask", "awk", 'awk \'{ x++ /"/; print > "out" #"/\n}\' f'),
    ("allow", "awk", r"awk -F= '/=/ { gsub(/[\/ ]/, 1); x /= 2; print $1 / 2 }' f"),
    ("allow", "awk", "awk -F: -v n=3 -v OFS='\\t' 'NR > n { print $1 }' f"),
    ("allow", "gawk", "gawk --csv -e '{ print $1 }' f"),
    ("allow", "mawk", "mawk -W interactive '{ print }'"),
    ("ask", "mawk", "mawk -W exec f"),
    ("ask", "awk", "awk -f x.awk f"),
    ("ask", "gawk", "gawk -d '{ print }' f"),
    ("ask", "gawk", "gawk --prof=x '{ print }' f"),
    ("ask", "gawk", "gawk -i inplace '{ print }' f"),
    ("ask", "gawk", "gawk -e 'BEGIN { system(\"id\") }'"),
    ("allow", "jq", "jq -r --arg a b --argjson c 1 '.x[$a]' f.json"),
    ("allow", "yq", "yq -P -oj -I2 '.a.b' f.yaml"),
    ("allow", "yq", "yq -y --arg a b .x f.yaml"),
    ("ask", "yq", "yq -i '.a = 1' f.yaml"),
    ("ask", "yq", "yq -Pi '.a = 1' f.yaml"),
    ("ask", "yq", "yq -s .name f.yaml"),
    ("ask", "yq", "yq --security-enable-system-operator 'system(\"id\")'"),
    ("allow", "xmllint", "xmllint --noout --xpath '//a' --encode utf8 f.xml"),
    ("ask", "xmllint", "xmllint --format f.xml --output f.xml"),
    ("ask", "xmllint", "xmllint --shell f.xml"),
    ("ask", "xmllint", "xmllint --format http://example.org/f.xml"),
    ("allow", "xsltproc", "xsltproc --nonet --stringparam a -o s.xsl f.xml"),
    ("ask", "xsltproc", "xsltproc -o out s.xsl f.xml"),
    ("allow", "diff", "diff -ru3 -x '*.o' --to-file=b -I '^#' --color a"),
    ("ask", "sdiff", "sdiff -so out a b"),
    ("ask", "diff3", "diff3 --diff-program=./evil a b c"),
    ("allow", "delta", "delta --side-by-side --paging=never a b"),
    ("ask", "delta", "delta --diff-args=--ext-diff a b"),
    ("allow", "less", "less -RSN -x4 --use-color f"),
    ("ask", "less", "less +'!id' f"),
    ("ask", "less", "less -o out f"),
    ("ask", "less", "less --lesskey-src=x f"),
    ("allow", "bat", "bat -pp -l py -r 1:20 --color=always f"),
    ("ask", "bat", "bat --paging=always --pager ./evil f"),
    ("ask", "bat", "bat cache --build"),
    ("allow", "xxd", "xxd -r -p -c 16 -l 64 f"),
    ("ask", "xxd", "xxd -r f out"),
    ("allow", "iconv", "iconv -f latin1 -t utf-8//TRANSLIT f"),
    ("ask", "iconv", "iconv -t utf-8 --output=f f"),
    ("allow", "fzf", "fzf -m --height 40% --no-sort --filter x"),
    ("ask", "fzf", "fzf --color --preview 'id'"),
    ("ask", "fzf", "fzf --bind='start:execute(id)'"),
    ("allow", "pandoc", "pandoc -s -f gfm+smart -t html5 --toc --pdf-engine=xelatex -V a=b x.md -o x.html"),
    ("ask", "pandoc", "pandoc -t ./evil.lua x.md"),
    ("ask", "pandoc", "pandoc -L evil.lua x.md"),
    ("ask", "pandoc", "pandoc --pdf-engine=./evil x.md -o x.pdf"),
    ("ask", "pandoc", "pandoc --filt ./evil x.md"),
    ("ask", "pandoc", "pandoc lua evil.lua"),
    ("allow", "date", "date -u -d '1 day ago' +%F"),
    ("allow", "gdate", "gdate --iso-8601=seconds"),
    ("ask", "date", "date -s 12:00"),
    ("ask", "date", "date 010112002024"),
    ("allow", "man", "man -k -s 3 printf"),
    ("ask", "man", "man -P ./evil ls"),
    ("ask", "man", "man -H./evil ls"),
    ("ask", "m4", "m4 f"),
    ("ask", "mlr", "mlr --icsv put 'system(\"id\")' f"),
]


@pytest.mark.parametrize(("verdict", "listed", "command"), TABLE)
def test_verdict(verdict, listed, command):
    policy = Policy(
        [rule_of(f"run_shell_command({each})", Verdict.ALLOW) for each in listed.split(",")],
        Terms(exported=("PATH", "HOME", "LANG")),
    )
    decision = policy.decide(Request("run_shell_command", command, None, HERE))
    assert decision.verdict.word == verdict, [reason.message for reason in decision.reasons]


HELPFUL = (
    "chmod chown comm cp cut date df diff diff3 du file find gawk grep head install join ln ls mkdir mv nl patch rm"
    " rsync sdiff sed sha256sum shuf sort split tail tar touch tr tree uniq wc xsltproc"
)


@pytest.mark.parametrize("name", HELPFUL.split())
def test_each_option_of_the_help_is_known(name):
    """An option that a row does not name is a question, or its value is taken for an operand."""
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    environment = {**os.environ, "LC_ALL": "C", "COLUMNS": "200"}
    said = subprocess.run([name, "--help"], capture_output=True, text=True, check=False, env=environment)
    if not said.stdout.startswith("Usage") and "GNU" not in said.stdout:
        pytest.skip(f"this {name} is another than the one whose manual the row follows")
    known = find(name).syntax
    unknown = []
    for option in re.findall(r"(?:^|,) +(--?[a-zA-Z0-9][\w-]*)(?=[ ,=[\n])", said.stdout, re.MULTILINE):
        spelled = option[1:] if known.words else option
        names = {option, spelled, f"--{option[5:]}" if option.startswith("--no-") and "no" in known.how else option}
        if not names & known.options.keys() and not spelled.startswith(tuple(begin for begin, _ in known.beginnings)):
            unknown.append(option)
    assert set(unknown) <= {"--help", "--version", "-M", "-NUM", "-04"}  # the last ones are ranges and numbers


@pytest.mark.parametrize(
    ("reader", "harmless", "value"),
    [
        ("ARCHIVE", True, "./host:x"),
        ("ARCHIVE", False, "me@host:/dev/tape"),
        ("CHECKPOINT", True, "echo=%T"),
        ("CHECKPOINT", False, "dot;exec=id"),
        ("COMPRESSOR", True, "zstd --long=31 -T0"),
        ("COMPRESSOR", False, "xz -9 --files=x"),
        ("FORMAT", True, "markdown-raw_html+smart"),
        ("FORMAT", False, "x.lua"),
        ("RENAME", True, "s/^(\\d+)-(?:a|b)[.]txt$/\\U$1_$2/gi"),
        ("RENAME", True, "foo bar"),
        ("LESS", True, "+G"),
        ("LESS", True, "++/a b"),
        ("LESS", False, "+!evil"),
        ("LESS", False, "+/a\n!evil"),
        ("NUMBERS", True, "-4,8"),
        ("NUMBERS", False, "5kevil"),
        ("DOLLAR", True, "foo$"),
        ("DOLLAR", False, "x$kevil"),
        ("MAKE", True, "PYTHON=python3.12"),
        ("MAKE", True, "CFLAGS=-O2 -g -Wall"),
        ("MAKE", False, "LD_PRELOAD=./evil.so"),
        ("MAKE", False, "NODE_OPTIONS=--require=./evil.js"),
        ("MAKE", False, "CFLAGS=-O2 -fplugin=./evil.so"),
        ("CMAKE", True, "WITH_TESTS:BOOL=ON"),
        ("CMAKE", False, "Python3_EXECUTABLE:FILEPATH=evil"),
        ("SQLITE", False, "vacuum\nmain into 'x'"),
        ("RENAME", False, "s/$x{a}/b/"),
        ("RENAME", False, "s/a/b/; unlink"),
        ("RENAME", False, "s/a/$1->[0]/"),
        ("RENAME", False, "s/(*{system(1)})//"),
        ("SSH", True, "ssh -o BatchMode=yes -o StrictHostKeyChecking=no -p 22"),
        ("SSH", False, "ssh -F x"),
        ("SSH", False, "ssh -i -oProxyCommand=x"),
        ("SSHFS", False, "reconnect,,ssh_command=x"),
    ],
)
def test_reader(reader, harmless, value):
    assert (reader_of(reader)(value) == "") is harmless
