"""An archive whose names are told may be unpacked in the project, by the preset `developer`; an odd one asks."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import shutil
import stat
import subprocess
import tarfile
import zipfile

import pytest
from helpers.home import Home
from helpers.hooks import judged

from asimi.world.host.archives import MOST, members

PLAIN = {"pkg/a.txt": b"a", "pkg/src/b.c": b"b"}


def tar(names=PLAIN, *, kind=tarfile.REGTYPE, form=tarfile.GNU_FORMAT, link="", mode=0o644, pax=None):
    """The bytes of a tar file."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form, pax_headers=pax) as file:
        for name, text in names.items():
            member = tarfile.TarInfo(name)
            member.type, member.linkname, member.mode = kind, link, mode
            member.size = len(text) if kind == tarfile.REGTYPE else 0
            file.addfile(member, io.BytesIO(text))
    return out.getvalue()


def patched(data, at, new, *, sum_=True):
    """A tar file whose first header has other bytes at a place, and the sum of these."""
    data = bytearray(data)
    data[at : at + len(new)] = new
    if sum_:
        data[148:156] = b" " * 8
        data[148:156] = b"%06o\0 " % sum(data[:512])
    return bytes(data)


def zipped(names=PLAIN, *, mode=0o644 | stat.S_IFREG, extra=b"", comment=b""):
    """The bytes of a zip file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, text in names.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr, entry.extra = mode << 16, extra
            file.writestr(entry, text)
        file.comment = comment
    return out.getvalue()


LONG = {"pkg/" + "x" * 120 + "/a": b"a"}
TOLD = {
    "plain": tar(),
    "ustar": tar(form=tarfile.USTAR_FORMAT),
    "pax": tar({**PLAIN, "pkg/ä": b""}, form=tarfile.PAX_FORMAT),
    "long": tar(LONG),
    "long-pax": tar(LONG, form=tarfile.PAX_FORMAT),
    "long-ustar": tar({"p" * 60 + "/" + "x" * 90: b""}, form=tarfile.USTAR_FORMAT),
    "gzip": gzip.compress(tar()),
    "bzip2": bz2.compress(tar()),
    "xz": lzma.compress(tar()),
    "two-gzips": gzip.compress(tar()[:700]) + gzip.compress(tar()[700:]),
}
UNTOLD = {
    "link": tar(kind=tarfile.SYMTYPE, link="../x"),
    "hard-link": tar(kind=tarfile.LNKTYPE, link="pkg/a.txt"),
    "device": tar(kind=tarfile.CHRTYPE),
    "pipe": tar(kind=tarfile.FIFOTYPE),
    "sparse": tar(kind=tarfile.GNUTYPE_SPARSE),
    "contiguous": tar(kind=tarfile.CONTTYPE),
    "long-link": tar(kind=tarfile.SYMTYPE, link="x" * 200),
    "up": tar({"pkg/../../a": b""}),
    "up-alone": tar({"..": b""}),
    "up-pax": tar({"x" * 120 + "/../../../a": b""}, form=tarfile.PAX_FORMAT),
    "absolute": tar({"/etc/a": b""}),
    "backslash": tar({"pkg\\a": b""}),
    "newline": tar({"pkg/a\n.envrc": b""}),
    "nul": tar({"x" * 100 + "/a\0b": b""}),
    "set-id": tar(mode=0o4755),
    "pax-size": tar(form=tarfile.PAX_FORMAT, pax={"size": "0"}),
    "pax-name-for-all": tar(form=tarfile.PAX_FORMAT, pax={"path": ".envrc"}),
    "pax-sparse": tar(form=tarfile.PAX_FORMAT, pax={"GNU.sparse.name": ".envrc"}),
    "pax-link": tar(form=tarfile.PAX_FORMAT, pax={"linkpath": "/etc"}),
    "old": patched(tar(), 257, b"\0" * 8),
    "other-sum": patched(tar(), 0, b"q", sum_=False),
    "size-in-other-digits": patched(tar(), 124, b"0o17" + b"\0" * 8),
    "size-with-a-line": patched(tar(), 124, b"00000000_01\0"),
    "size-base-256": patched(tar(), 124, b"\x80" + b"\0" * 10 + b"\1"),
    "behind-the-end": tar() + tar({".envrc": b"x"}),
    "behind-zeros": tar().rstrip(b"\0") + b"\0" * 5000 + tar({".envrc": b"x"}),
    "behind-a-broken-header": tar()[:1024] + b"?" * 512 + tar({".envrc": b"x"}),
    "xz-two-streams": lzma.compress(tar()[:1024]) + lzma.compress(tar({".envrc": b"x"})),
    "xz-padded": lzma.compress(tar()) + bytes(4),
    "directory-with-content": patched(tar({"pkg": bytes(512)}), 156, b"5"),
    "file-that-is-a-directory": tar({"pkg/": bytes(512)}),
    "gnu-with-a-prefix": patched(tar({"hooks": b""}), 345, b".git"),
    "cut": tar({"a": b"x" * 2000})[:1024],
    "too-many": tar({f"pkg/{at}": b"" for at in range(MOST + 1)}),
    "too-large": gzip.compress(tar({"a": bytes(65 << 20)}), 1),
    "gzip-with-more": gzip.compress(tar()) + b"more",
    "empty": b"",
    "nothing-in-it": tar({}),
    "text": b"hello\n" * 200,
    "zip-link": zipped(mode=0o777 | stat.S_IFLNK),
    "zip-up": zipped({"../a": b""}),
    "zip-absolute": zipped({"/a": b""}),
    "zip-backslash": zipped({"..\\a": b""}),
    "zip-version": zipped({".envrc;1": b""}),
    "zip-second-name": zipped(extra=b"up\5\0\1\0\0\0\0"),
    "zip-comment": zipped(comment=b"x"),
    "zip-behind": zipped() + zipped({".envrc": b""}),
    "zip-before": b"PK\3\4" + zipped(),
    "zip-no-ascii": zipped({"pkg/ä": b""}),
    "zip-other-name-inside": zipped().replace(b"pkg/a.txt", b"pkg/b.txt", 1),
    "zip-cut": zipped()[:-1],
}


@pytest.mark.parametrize("name", TOLD)
def test_the_names_are_those_that_the_program_unpacks(tmp_path, name):
    (tmp_path / "a").write_bytes(TOLD[name])
    listed = subprocess.run(
        ["tar", "-tf", "a", "--quoting-style=literal"], cwd=tmp_path, capture_output=True, check=True
    )
    assert list(members(str(tmp_path / "a"))) == listed.stdout.decode().splitlines()


@pytest.mark.skipif(shutil.which("unzip") is None, reason="needs unzip")
def test_so_are_those_of_a_zip_file(tmp_path):
    (tmp_path / "a").write_bytes(zipped())
    listed = subprocess.run(["unzip", "-Z1", "a"], cwd=tmp_path, capture_output=True, check=True)
    assert list(members(str(tmp_path / "a"))) == listed.stdout.decode().splitlines() == list(PLAIN)


@pytest.mark.parametrize("name", UNTOLD)
def test_nothing_is_told_of_what_is_odd(tmp_path, name):
    (tmp_path / "a").write_bytes(UNTOLD[name])
    assert members(str(tmp_path / "a")) is None


ROWS = """
run tar -xzf pkg.tgz
run tar xf pkg.tgz --strip-components=1 -C build
run tar xvf pkg.tgz pkg/a.txt
run mkdir -p vendor && tar xzf pkg.tgz -C vendor
run tar xf pkg.tgz; ls pkg
run cd build && tar xf ../pkg.tgz
run unzip -o -q pkg.zip -d build
run unzip -q pkg.zip && cat pkg/a.txt
run tar xf many.tgz
ask tar xf hook.tgz
ask tar xf env.tgz
ask tar xf agent.tgz
ask tar xf flow.tgz
ask tar xf deep.tgz --strip-components=1
ask unzip env.zip
ask tar xf link.tgz
ask tar xf none.tgz
ask tar xf over.tgz
ask tar xf pkg.tgz -C ..
ask tar xf pkg.tgz -C ~
ask tar xf pkg.tgz -C .git/hooks
ask tar xf home.tgz
ask tar xf env.tgz .envrc -C build pkg
ask tar xf pkg.tgz --transform s/pkg/.git/
ask tar xf pkg.tgz --one-top-level=.git
ask tar xf pkg.tgz --keep-directory-symlink
ask tar xPf pkg.tgz
ask tar xf pkg.tgz -I 'sh -c id'
ask tar xf pkg.tgz --to-command=sh
ask tar xf pkg.tgz --checkpoint=1 --checkpoint-action=exec=id
ask tar xif pkg.tgz
ask tar xf pkg.tgz --strip-components=$n -C build
ask tar xf $A
ask for f in *.tgz; do tar xf "$f"; done
ask ls *.tgz | xargs -n1 tar xf
ask find . -name '*.tgz' -exec tar xf {} ';'
ask tar xf *.tgz
ask tar xz < pkg.tgz
ask cat pkg.tgz | tar xz
ask sudo tar xf pkg.tgz
ask bsdtar xf pkg.tgz
ask cp env.tgz pkg.tgz && tar xf pkg.tgz
ask mv env.tgz pkg.tgz; tar xf pkg.tgz
ask ln -sf env.tgz pkg.tgz && tar xf pkg.tgz
ask ln -sfn /tmp build; tar xf build/pkg.tgz
ask cat env.tgz > pkg.tgz; tar xf pkg.tgz
ask cat env.tgz > "$x"; tar xf pkg.tgz
ask tar xf pkg.tgz & cp env.tgz pkg.tgz
ask curl -so pkg.tgz https://example.org/a && tar xf pkg.tgz
ask ./fetch.sh && tar xf pkg.tgz
ask git checkout main -- pkg.tgz && tar xf pkg.tgz
ask tar xf pkg.tgz && cp -r pkg .github
ask unzip -j pkg.zip
ask unzip -: pkg.zip
ask unzip '*.zip'
ask unzip pkg
ask tar xf host:pkg.tgz
ask tar xf user@host:pkg.tgz
ask TAR_OPTIONS=--to-command=sh tar xf pkg.tgz
ask export TAR_OPTIONS=--to-command=sh; tar xf pkg.tgz
ask UNZIPOPT=-j unzip pkg.zip -d build
ask tar xf pkg.tgz -C build -C ../..
ask tar xf pkg.tgz -C build/../.git
ask (sleep 1; cp env.tgz pkg.tgz) & tar xf pkg.tgz
ask tar xf make.tgz && make
ask tar xf pkg.tgz --exclude-from=x
ask tar xf pkg.tgz -f env.tgz
ask tar xf env.tgz -f pkg.tgz
ask dd if=env.tgz of=pkg.tgz; tar xf pkg.tgz
ask tee pkg.tgz < env.tgz; tar xf pkg.tgz
ask ln env.tgz p2.tgz; cat env.tgz > p2.tgz; tar xf pkg.tgz
ask alias tar=gtar; tar xf pkg.tgz
ask tar() { sh -c id; }; tar xf pkg.tgz
ask ./tar xf pkg.tgz
ask PATH=.:$PATH tar xf pkg.tgz
"""
ROWS = [line.split(" ", 1) for line in ROWS.strip().splitlines()]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The verdicts on all rows, in one project with archives."""
    home = Home(tmp_path_factory.mktemp("archives"), None)
    for name, names in {
        "pkg": PLAIN,
        "many": {f"pkg/some/where/deep/down/there/{at:04}.txt": b"" for at in range(500)},
        "hook": {".git/hooks/pre-commit": b""},
        "env": {".envrc": b""},
        "agent": {".claude/settings.json": b""},
        "flow": {".github/workflows/a.yml": b""},
        "deep": {"pkg/.envrc": b""},
        "over": {"build/app.log": b""},
        "make": {"Makefile": b"all:\n\tid\n"},
        "host:pkg": PLAIN,
        "user@host:pkg": PLAIN,
        "home": {"home/.bashrc": b""},
    }.items():
        (home.root / f"{name}.tgz").write_bytes(gzip.compress(tar(names)))
    (home.root / "link.tgz").write_bytes(tar(kind=tarfile.SYMTYPE, link="/etc"))
    (home.root / "pkg.zip").write_bytes(zipped())
    (home.root / "env.zip").write_bytes(zipped({".envrc": b""}))
    (home.root / "build").mkdir()
    (home.root / "home").symlink_to(home.home)
    (home.root / "build/app.log").write_text("kept by nobody")
    (home.root / ".gitignore").write_text("*.log\n")
    subprocess.run(["git", "init", "-q"], cwd=home.root, env=home.environ, check=True)
    texts = [text for _, text in ROWS]
    return dict(zip(texts, judged(home, texts), strict=True))


@pytest.mark.parametrize(("expected", "text"), ROWS)
def test_what_unpacks_without_a_question(found, expected, text):
    assert found[text]["verdict"] == {"run": "allow", "ask": "ask"}[expected], found[text]["reasons"]


def test_no_file_is_unpacked_by_a_look(tmp_path):
    (tmp_path / "a").write_bytes(tar())
    members(str(tmp_path / "a"))
    assert os.listdir(tmp_path) == ["a"]
