"""Makes build/asimi.pyz, asimi and all that it needs as one file, of what `tree.sh` made: `packaging/pyz.py TREE`.

An agent's hook, the resident gate and a box start files of asimi's by their paths, and they read tables beside their
modules. So the file unpacks itself when it is first started, and runs from there. The same wheel and the same
versions give the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import sys
import zipfile
from pathlib import Path

WHEN = (2020, 2, 2, 0, 0, 0)  # as hatchling dates the wheel
OF_AN_INSTALLER = {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"}

START = '''\
import os, sys

def unpacked():
    """Return the directory with asimi's modules, made anew where it is not of this file."""
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    at = os.path.join(data, "asimi", "program")
    try:
        with open(os.path.join(at, "DIGEST")) as file:
            if file.read() == DIGEST:
                return at
    except OSError:
        pass
    import compileall, io, shutil, tempfile, zipfile

    sys.stderr.write(f"asimi: unpacking itself into {at}, once\\n")
    os.makedirs(os.path.dirname(at), 0o700, exist_ok=True)
    new = tempfile.mkdtemp(prefix="program-", dir=os.path.dirname(at))
    try:
        whole = zipfile.ZipFile(io.BytesIO(__loader__.get_data(os.path.join(sys.path[0], "program.zip"))))
        for each in whole.infolist():
            os.chmod(whole.extract(each, new), each.external_attr >> 16 & 0o777)
        compileall.compile_dir(os.path.join(new, "asimi"), quiet=2, stripdir=new, prependdir=at)
        with open(os.path.join(new, "DIGEST"), "w") as file:
            file.write(DIGEST)
        if os.path.lexists(at):
            os.rename(at, new + "-before")
        os.rename(new, at)
    finally:
        for left in (new, new + "-before"):
            shutil.rmtree(left, ignore_errors=True)
    return at

try:
    at = unpacked()
except OSError as error:
    sys.exit(f"asimi: it cannot unpack itself: {error}; XDG_DATA_HOME names another directory")
sys.path[0] = at
from asimi.__main__ import main

main()
'''
"""What the file starts. It is also read by older Pythons, which asimi itself refuses in words."""


def written(archive: zipfile.ZipFile, name: str, content: bytes, mode: int, how: int) -> None:
    """Put a file into an archive."""
    info = zipfile.ZipInfo(name, WHEN)
    info.external_attr, info.compress_type = mode << 16, how
    archive.writestr(info, content)


def packed(tree: Path) -> bytes:
    """Return what is in a directory as an archive, without what an installer noted."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for path in sorted(tree.rglob("*")):
            if path.is_dir() or "__pycache__" in path.parts or path.name in OF_AN_INSTALLER:
                continue
            mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
            written(archive, path.relative_to(tree).as_posix(), path.read_bytes(), mode, zipfile.ZIP_DEFLATED)
    return whole.getvalue()


def make(tree: Path, to: Path) -> None:
    """Write the file."""
    program = packed(tree)
    start = f"DIGEST = {hashlib.sha256(program).hexdigest()!r}\n{START}"
    to.unlink(missing_ok=True)
    with to.open("wb") as file:
        file.write(b"#!/usr/bin/env python3\n")
        with zipfile.ZipFile(file, "w") as archive:
            written(archive, "__main__.py", start.encode(), 0o644, zipfile.ZIP_DEFLATED)
            written(archive, "program.zip", program, 0o644, zipfile.ZIP_STORED)
    to.chmod(0o755)


if __name__ == "__main__":
    make(Path(sys.argv[1]), Path("build/asimi.pyz"))
