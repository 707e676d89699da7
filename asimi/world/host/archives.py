"""Which names an archive holds, told without unpacking it.

What it tells is only of archives of which no two readers think differently: a POSIX or GNU tar file of plain headers
(pax(1), *ustar Interchange Format*; GNU tar, *Basic Tar Format*), and a zip file whose directory ends the file
(APPNOTE.TXT 4.3.16). Of a link, a device, a sparse file or anything after the end of an archive it tells nothing.
"""

from __future__ import annotations

import stat

from asimi.core.pattern import pattern

LARGEST = 64 << 20
"""Bytes of the largest archive that is looked through, unpacked."""

MOST = 1000
"""The most names of one."""

BLOCK = 512
"""Bytes of a header of tar, and of what all in it is rounded to."""

_NUMBER = pattern(rb" *([0-7]+)[ \0]*")
_RECORD = pattern(rb"\d+ ([\w.]+)=([^\n]*)\n")
_HARMLESS = frozenset(b"path mtime atime ctime uid gid uname gname comment".split())
"""Keywords of pax that change no more than a name, a time or an owner."""

_PART = r"[\w.@%+=~ ()\[\]{}!#$&',^-]+"
_PLAIN = pattern(rf"{_PART}(?:/+{_PART})*/*")
"""A name that each program takes as it is written: no backslash, no version of VMS, nothing that does not print."""


def members(path: str) -> tuple[str, ...] | None:
    """The names that an archive holds, as they are written in it; None where not all of them are sure.

    Args:
        path: a real path.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            return None
        names = _of_zip(data) if data[:4] == b"PK\3\4" else _of_tar(_unpack(data))
    except Exception:  # noqa: BLE001 - whatever is wrong with it, nothing is told of it
        return None
    if not 0 < len(names) <= MOST or not all(_PLAIN.fullmatch(each) and ".." not in each.split("/") for each in names):
        return None
    return tuple(dict.fromkeys(names))


def _unpack(data: bytes) -> bytes:
    """What a compressed file holds.

    Raises:
        Exception: it is broken, or too much.
    """
    import io

    opened: io.BufferedIOBase
    if data[:2] == b"\x1f\x8b":
        import gzip

        opened = gzip.GzipFile(fileobj=io.BytesIO(data))
    elif data[:3] == b"BZh":
        import bz2

        opened = bz2.BZ2File(io.BytesIO(data))
    elif data[:6] == b"\xfd7zXZ\0":
        import lzma

        stream = lzma.LZMADecompressor(memlimit=LARGEST)
        opened = io.BytesIO(stream.decompress(data, LARGEST + 1))
        if not stream.eof or stream.unused_data:
            raise ValueError("another stream, which xz unpacks too")
    else:
        return data
    data = opened.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError("too much")
    return data


def _of_tar(data: bytes) -> list[str]:
    """The names in a tar file.

    Raises:
        ValueError: it has something else than plain headers, or no plain end.
    """
    names: list[str] = []
    at, longer = 0, b""
    while (block := data[at : at + BLOCK]).strip(b"\0"):
        kind, size = block[156:157], _number(block[124:136])
        total = sum(block) - sum(block[148:156]) + 8 * ord(" ")
        if block[257:263] not in {b"ustar\0", b"ustar "} or _number(block[148:156]) != total or len(names) > MOST:
            raise ValueError(at)
        at += BLOCK
        body = data[at : at + size]
        at += -(-size // BLOCK) * BLOCK
        if at > len(data):
            raise ValueError("cut short")
        if kind == b"L" and not longer:
            longer = body.rstrip(b"\0")
        elif kind in {b"x", b"g"} and not longer:
            longer = _path_of(body)
            if kind == b"g" and longer:
                raise ValueError("a name for all")
        elif kind in {b"0", b"\0", b"5"} and not _number(block[100:108]) & (stat.S_ISUID | stat.S_ISGID):
            before, own = (field.split(b"\0")[0] for field in (block[345:500], block[:100]))
            if (before and block[262]) or (size and (kind == b"5" or (longer or own).endswith(b"/"))):
                raise ValueError("what programs differ about")
            name = longer or (before + b"/" if before else b"") + own
            names.append(name.decode())
            longer = b""
        else:
            raise ValueError(kind)
    if longer or data[at:].strip(b"\0"):
        raise ValueError("more behind the end")
    return names


def _number(field: bytes) -> int:
    """A number of a header.

    Raises:
        ValueError: it is not in octal digits alone.
    """
    match = _NUMBER.fullmatch(field)
    if match is None:
        raise ValueError(field)
    return int(match[1], 8)


def _path_of(body: bytes) -> bytes:
    """The name that records of pax give to what comes next; empty for none.

    Raises:
        ValueError: they say something else that matters.
    """
    path, at = b"", 0
    for match in _RECORD.finditer(body):
        if match.start() != at or match[1] not in _HARMLESS or (match[1] == b"path" and path):
            raise ValueError(match[1])
        if int(match[0].split(b" ")[0]) != len(match[0]):
            raise ValueError(match[0])
        at, path = match.end(), match[2] if match[1] == b"path" else path
    if at != len(body):
        raise ValueError("records")
    return path


def _of_zip(data: bytes) -> list[str]:
    """The names in a zip file.

    Raises:
        ValueError: it holds something else than files and directories, or a name of which there are two.
    """
    import io
    import zipfile

    end = data[-22:]
    size, start = int.from_bytes(end[12:16], "little"), int.from_bytes(end[16:20], "little")
    if end[:4] != b"PK\5\6" or start + size + len(end) != len(data) or start == 0xFFFFFFFF:
        raise ValueError("not at the end")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        found = archive.infolist()
    for each in found:
        kind, at, name = stat.S_IFMT(each.external_attr >> 16), each.header_offset, each.orig_filename.encode()
        behind = at + 30 + len(name)  # a second name there, `up`, is what unzip takes (APPNOTE.TXT 4.6.9)
        extra = data[behind : behind + int.from_bytes(data[at + 28 : at + 30], "little")]
        told = each.filename.encode() == name == data[at + 30 : behind] and name.isascii() and b";" not in name
        if kind not in {0, stat.S_IFREG, stat.S_IFDIR} or not told or b"up" in each.extra + extra:
            raise ValueError(name)
    if len(found) != int.from_bytes(end[10:12], "little"):
        raise ValueError("another number")
    return [each.filename for each in found]
