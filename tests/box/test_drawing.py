"""What a program prints reaches the terminal only as drawing."""

from __future__ import annotations

import itertools
import re

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asimi.world.box.drawing import ALTERNATE, LONGEST, MODES, MOMENTARY, DrawingFilter, attributes

PASSES = {
    "text": "hello, жизнь ─ 漢字 🙂",
    "controls": "a\bb\tc\r\n\v\f\a",
    "attributes": "\x1b[1;38;5;200mx\x1b[4:3m\x1b[38:2::1:2:3m\x1b[m",
    "moves": "\x1b[H\x1b[3;4H\x1b[A\x1b[20C\x1b[5d\x1b[2G\x1b[I\x1b[Z\x1b[f",
    "erasing": "\x1b[2J\x1b[3J\x1b[K\x1b[1K\x1b[3X",
    "inserting and deleting": "\x1b[2L\x1b[M\x1b[4P\x1b[@\x1b[4h\x1b[4l",
    "scrolling": "\x1b[3;20r\x1b[2S\x1b[T\x1b[r\x1bM\x1bD\x1bE",
    "repeating": "-\x1b[79b",
    "tabulators": "\x1bH\x1b[g\x1b[3g",
    "saved cursor": "\x1b7\x1b8\x1b[s\x1b[u",
    "character sets": "\x1b(0\x0elqk\x0f\x1b(B\x1b)A",
    "alternate screen": "\x1b[?1049h\x1b[?1049l",
    "mouse": "\x1b[?1000;1002;1006h\x1b[?1003l",
    "paste, focus, synchronized": "\x1b[?2004h\x1b[?1004h\x1b[?2026h\x1b[?2026l",
    "cursor": "\x1b[?25l\x1b[?12h\x1b[3 q\x1b[ q",
    "kitty's keyboard": "\x1b[>1u\x1b[=5;2u\x1b[<u\x1b[<2u\x1b[?u",
    "xterm's keyboard": "\x1b[>4;2m\x1b[>4m",
    "keypad": "\x1b=\x1b>\x1b[?1h\x1b[?1l",
    "reset": "\x1bc\x1b[!p",
    "where the cursor is": "\x1b[6n\x1b[?6n",
    "which terminal": "\x1b[c\x1b[0c\x1b[>c\x1b[=c\x1b[>q\x1b[>0q",
    "modes": "\x1b[?2026$p",
    "sizes": "\x1b[14t\x1b[16t\x1b[18t",
    "stack of titles": "\x1b[22;0t\x1b[23;0t",
    "title": "\x1b]0;my title\x07\x1b]2;жизнь\x1b\\",
    "link": "\x1b]8;;https://example.org/a?b\x1b\\text\x1b]8;;\x1b\\",
    "colour questions": "\x1b]10;?\x07\x1b]11;?\x1b\\\x1b]12;?\x07\x1b]4;15;?\x07",
    "progress": "\x1b]9;4;1;50\x07",
}

DROPPED = {
    "clipboard": "\x1b]52;c;aGVsbG8=\x07",
    "clipboard, read": "\x1b]52;c;?\x07",
    "kitty's clipboard": "\x1b]5522;type=read\x1b\\",
    "title report": "\x1b[21t",
    "icon report": "\x1b[20t",
    "window": "\x1b[8;5;5t\x1b[2t\x1b[9;1t",
    "answerback": "\x05",
    "printer": "\x1b[5i\x1b[?4i",
    "settings asked": "\x1bP$qm\x1b\\",
    "terminfo asked": "\x1bP+q544e\x1b\\",
    "terminfo set": "\x1bP+p544e=41\x1b\\",
    "user-defined keys": "\x1bP1;1|17/6c73\x1b\\",
    "macro": "\x1bP1;0;0!zls\x1b\\\x1b[1*z",
    "screen's sum": "\x1b[1;1;1;1;1;1*y",
    "tmux passes on": "\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\",
    "screen passes on": "\x1bP\x1b]52;c;aGk=\x07\x1b\\",
    "tmux control": "\x1bP1000p\x1b\\",
    "screen's title": "\x1bkls -l\x1b\\",
    "kitty's pictures": "\x1b_Gf=24,t=f;L2V0Yy9wYXNzd2Q=\x1b\\",
    "kitty's files": "\x1b]5113;ac=send\x1b\\",
    "kitty's commands": '\x1bP@kitty-cmd{"cmd":"ls"}\x1b\\',
    "iTerm's files": "\x1b]1337;File=name=YQ==;inline=0:aGk=\x07",
    "iTerm's clipboard": "\x1b]1337;CopyToClipboard=\x07",
    "notices": "\x1b]9;hello\x07\x1b]777;notify;a;b\x07\x1b]99;;hi\x1b\\",
    "directory": "\x1b]7;file:///etc\x07",
    "shell's marks": "\x1b]133;C;cmdline=ls\x07",
    "VS Code's marks": "\x1b]633;E;ls\x07",
    "colours set": "\x1b]4;1;rgb:ff/ff/ff\x07\x1b]10;#000000\x07\x1b]11;#000000\x07",
    "font": "\x1b]50;x\x07",
    "log file": "\x1b]46;/tmp/x\x07",
    "sixel": "\x1bPq#0;2;0;0;0~-\x1b\\",
    "privacy message, start of string": "\x1b^secret\x1b\\\x1bXsecret\x1b\\",
    "locator": "\x1b[1'z\x1b['|",
    "VT52": "\x1b[?2l",
    "132 columns": "\x1b[?3h",
    "Windows' keys": "\x1b[?9001h",
    "modes saved by number": "\x1b[?1000s\x1b[?1000r",
    "mouse highlight": "\x1b[?1001h\x1b[1;2;3;4;5T",
    "new line mode": "\x1b[20h",
    "8-bit controls": "\x1b G\x1b F",
    "character coding": "\x1b%@\x1b%G",
    "double height": "\x1b#3",
    "identify": "\x1bZ",
    "shifts": "\x1bn\x1bo\x1b|\x1b}\x1b~\x1bN\x1bO",
    "C1": "\x9b\x9d\x90\x85",
    "NUL, XON, XOFF, DEL": "\0\x11\x13\x7f",
    "a title that is too long": f"\x1b]52;c;{'A' * 3 * LONGEST}\x07",
    "a fence": "\x1b[5n",
}

KEPT = {
    "text around": ("a\x1b]52;c;aGk=\x07b", "ab"),
    "a link to a file": ("\x1b]8;;file:///etc/passwd\x07text\x1b]8;;\x07", "\x1b]8;;\x07text\x1b]8;;\x07"),
    "a link that hides": ("\x1b]8;;https://a\u202eb\x07text", "\x1b]8;;\x07text"),
    "a title with controls": ("\x1b]0;a\nb\u202ec\x07", "\x1b]0;abc\x07"),
    "a mode of two": ("\x1b[?2;25l", "\x1b[?25l"),
    "a sequence that is broken off": ("\x1b[31\nx", "\nx"),
    "a sequence within one": ("\x1b[3\x1b[2Jx", "\x1b[2Jx"),
    "a string that is broken off": ("\x1b]0;a\x18b", "b"),
    "another sequence in a string": ("\x1b]0;a\x1b[2Jb", "\x1b[2Jb"),
    "a ZMODEM start": ("**\x18B00000000000000\r\x8a\x11", "**B00000000000000\r"),
    "bytes that are no UTF-8": (b"a\x9b31mb\xff", "a\ufffd31mb\ufffd"),
    "C1 in UTF-8": ("a\x9b31mb", "a31mb"),
    "a long number": ("-\x1b[9999999b", "-"),
    "soft hyphens of a sequence": ("\x1b\0[2J", "[2J"),
}


@pytest.mark.parametrize("name", PASSES)
def test_drawing_passes_as_it_is(name):
    assert filtered(PASSES[name]) == PASSES[name]


@pytest.mark.parametrize("name", DROPPED)
def test_all_else_is_dropped(name):
    assert filtered(f"before{DROPPED[name]}after") == "beforeafter"


@pytest.mark.parametrize("name", KEPT)
def test_what_is_around_stays(name):
    given_, kept = KEPT[name]
    assert filtered(given_) == kept


def test_the_clipboard_is_written_only_where_that_is_wanted_and_never_read():
    drawing = DrawingFilter(clipboard=True)
    assert drawing.feed(b"\x1b]52;c;aGk=\x07") == b"\x1b]52;c;aGk=\x07"
    assert drawing.feed(b"\x1b]52;c;?\x07") == b""


def test_a_terminal_without_utf_8_gets_no_byte_that_it_could_obey():
    drawing = DrawingFilter(unicode=False)
    assert (
        drawing.feed("웛a".encode() + b"\x9bb\xe9") == "웛".encode().translate(None, bytes(range(128, 160))) + b"ab\xe9"
    )


def test_the_fence_is_asked_by_asimi_only():
    answers = []
    assert DrawingFilter(answers.append).feed(b"a\x1b[5nb") == b"ab"
    assert answers == [b"\x1b[0n"]


def test_a_terminal_that_nobody_reads_is_asked_nothing():
    drawing = DrawingFilter(asks=False)
    assert drawing.feed(b"a\x1b[6n\x1b]11;?\x07\x1b[cb") == b"ab"
    assert not drawing.asked


def test_what_is_not_finished_is_bounded():
    drawing = DrawingFilter()
    drawing.feed(b"\x1b]52;")
    for _ in range(1000):
        assert drawing.feed(b"A" * 1000) == b""
    assert len(drawing._body) <= 2 * LONGEST
    assert drawing.feed(b"\x07x") == b"x"


# ---- anything at all -------------------------------------------------------------------------------------------------

PIECES = st.one_of(
    st.sampled_from([*PASSES.values(), *DROPPED.values(), *(given_ for given_, _ in KEPT.values())]),
    st.sampled_from(
        "\x1b \x1b[ \x1b] \x1bP \x1b\\ \x07 \x18 ? ; 0 1 5 2 h l m u y n p q $ * ! > < : \x9b \x9c 漢".split(" ")
    ),
    st.sampled_from([f"\x1b[?{mode}{how}" for mode in MODES for how in "hl"]),
    st.text(max_size=5),
    st.binary(max_size=5),
)
OUTPUT = st.lists(PIECES, max_size=30).map(
    lambda pieces: b"".join(each if isinstance(each, bytes) else each.encode("utf-8", "replace") for each in pieces)
)

ALLOWED = re.compile(
    "|".join([
        r"[^\x00-\x1f\x7f-\x9f]", "[\a\b\t\n\v\f\r\x0e\x0f]",
        r"\x1b\[\d{0,5}(;\d{0,5})?[@A-HIJKLMPSTXZ`abdefgr]", r"\x1b\[[\d;:]*m", r"\x1b\[[su]", r"\x1b\[4[hl]",
        rf"\x1b\[\?({'|'.join(map(str, MODES))})(;({'|'.join(map(str, MODES))}))*[hl]",
        r"\x1b\[\??6n", r"\x1b\[\?996n", r"\x1b\[[>=]?0?c", r"\x1b\[>0?q", r"\x1b\[\?u", r"\x1b\[\?\d{1,4}\$p",
        r"\x1b\[1[468]t", r"\x1b\[2[23](;[012])*t", r"\x1b\[[0-6]? q", r"\x1b\[!p", r"\x1b\[[><=][\d;]*u",
        r"\x1b\[>4(;[0-3]?)?m", r"\x1b[()][0AB]", r"\x1b[78=>cDEHM]",
        r"\x1b\][012];[^\x00-\x1f\x7f-\x9f]*(\x07|\x1b\\)",
        r"\x1b\]8;(id=[\w.:-]+)?;(https?://[!-~]+)?(\x07|\x1b\\)", r"\x1b\](1[0-2]|4;\d+);\?(\x07|\x1b\\)",
        r"\x1b\]9;4;\d(;\d*)?(\x07|\x1b\\)",
    ])
)  # fmt: skip
"""What may leave, written down a second time."""


@given(OUTPUT)
def test_nothing_leaves_that_is_not_on_the_list(data):
    left = DrawingFilter().feed(data).decode()
    at = 0
    while at < len(left):
        found = ALLOWED.match(left, at)
        assert found, left[at:]
        at = found.end()


@given(OUTPUT, st.lists(st.integers(0, 400)))
def test_where_it_is_cut_makes_no_difference(data, cuts):
    whole, cut = DrawingFilter(), DrawingFilter()
    places = sorted({min(place, len(data)) for place in cuts} | {0, len(data)})
    pieces = [cut.feed(data[start:end]) for start, end in itertools.pairwise(places)]
    assert b"".join(pieces) == whole.feed(data)
    assert (cut.cover(), cut.uncover(), cut.leave(), cut.back()) == (
        whole.cover(),
        whole.uncover(),
        whole.leave(),
        whole.back(),
    )
    assert cut.is_at_rest == whole.is_at_rest


@given(OUTPUT)
def test_what_is_filtered_stays_as_it_is(data):
    once = DrawingFilter().feed(data)
    assert DrawingFilter().feed(once) == once


# ---- the state of the terminal ---------------------------------------------------------------------------------------


class Model:
    """A terminal, as far as modes go."""

    def __init__(self):
        self.modes, self.margins, self.inserts, self.keypad, self.shape, self.keys = {}, "", False, False, "", ""
        self.sets, self.shifted, self.stacks, self.flags = {}, False, ([], []), [0, 0]
        self.colours = pyte.Screen(10, 3)
        self.stream = pyte.Stream(self.colours)

    @property
    def alternate(self):
        return any(self.modes.get(mode) for mode in ALTERNATE)

    @property
    def switched(self):
        return {mode: on for mode, on in self.modes.items() if on is not MODES[mode] and mode not in MOMENTARY}

    @property
    def state(self):
        attributes_ = self.colours.cursor.attrs._replace(data=" ")
        sets = {which: chosen for which, chosen in self.sets.items() if chosen != "B"}
        own = self.margins, self.inserts, self.keypad, self.shape, self.keys, self.stacks, self.flags, self.shifted
        return self.switched, self.alternate, attributes_, sets, own

    def feed(self, data):
        for found in re.finditer(
            r"\x1b\[([<-?]?)([\d;:]*)([ -/]*)([@-~])|\x1b([()])(.)|\x1b([=>c])|[\x0e\x0f]", data.decode()
        ):
            prefix, numbers, between, final, which, chosen, single = found.groups()
            kind = (prefix or "") + (between or "") + (final or "")
            given_ = [int(number or 0) for number in (numbers or "0").split(";")] if kind != "m" else []
            stack, screen = self.stacks[self.alternate], int(self.alternate)
            if found[0] in "\x0e\x0f":
                self.shifted = found[0] == "\x0e"
            elif single == "c":
                self.__init__()
            elif single:
                self.keypad = single == "="
            elif which:
                self.sets[which] = chosen
            elif kind in {"?h", "?l"}:
                for mode in given_:
                    for each in ALTERNATE if mode in ALTERNATE else (mode,):
                        self.modes[each] = kind == "?h" and each == mode
            elif kind in {"h", "l"}:
                self.inserts = kind == "h"
            elif kind == "r":
                self.margins = numbers
            elif kind == "m":
                self.stream.feed(re.sub(r"\d+:[\d:]*", "4", found[0]))
            elif kind == " q":
                self.shape = numbers if numbers != "0" else ""
            elif kind == ">m":
                self.keys = given_[1] if len(given_) > 1 else 0
                self.keys = self.keys or ""
            elif kind == ">u":
                stack.append(given_[0])
                del stack[:-16]
            elif kind == "<u":
                del stack[max(0, len(stack) - (given_[0] or 1)) :]
            elif kind == "=u":
                before = stack[-1] if stack else self.flags[screen]
                how = given_[1] if len(given_) > 1 else 1
                value = {2: before | given_[0], 3: before & ~given_[0]}.get(how, given_[0])
                if stack:
                    stack[-1] = value
                else:
                    self.flags[screen] = value
            elif kind == "!p":
                for mode in (1, 6, 7, 25, 66):
                    self.modes.pop(mode, None)
                self.margins, self.inserts, self.keypad, self.sets, self.shifted = "", False, False, {}, False
                self.stream.feed("\x1b[m")


SWITCHES = st.lists(
    st.one_of(
        st.sampled_from([f"\x1b[?{mode}{how}" for mode in MODES for how in "hl"]),
        st.sampled_from(
            "\x1b[2;3r|\x1b[r|\x1b[4h|\x1b[4l|\x1b=|\x1b>|\x1b[3 q|\x1b[0 q|\x1b[>4;2m|\x1b[>4m|\x1b[>1u|"
            "\x1b[>5u|\x1b[<u|"
            "\x1b[=3u|\x1b[=4;2u|\x1b[=1;3u|\x1b(0|\x1b(B|\x1b)0|\x0e|\x0f|\x1b[m|\x1b[1m|\x1b[2;3m|\x1b[22m|\x1b[38;5;9m|\x1b[39m|"
            "\x1b[48;2;1;2;3m|\x1b[0;31m|\x1b[7;91;104m|\x1b[27;49m|\x1b[4;9m|\x1b[24;29m|\x1b[!p|\x1bc|text".split("|")
        ),
    ),
    max_size=20,
).map(lambda pieces: "".join(pieces).encode())


@given(SWITCHES)
def test_a_question_finds_a_plain_terminal_and_the_program_finds_its_own_again(data):
    drawing, terminal = DrawingFilter(), Model()
    terminal.feed(drawing.feed(data))
    before = repr(terminal.state)
    terminal.feed(drawing.cover())
    assert terminal.alternate
    assert (terminal.switched, terminal.margins, terminal.inserts, terminal.keypad) == ({}, "", False, False)
    assert (terminal.shifted, terminal.sets.get("(", "B"), terminal.shape, terminal.keys) == (False, "B", "", "")
    assert not (terminal.stacks[1] or [0])[-1] if any(terminal.stacks) or any(terminal.flags) else True
    assert terminal.colours.cursor.attrs == pyte.Screen(1, 1).cursor.attrs
    terminal.feed(drawing.uncover())
    assert repr(terminal.state) == before


@given(SWITCHES)
def test_who_comes_after_the_program_finds_a_plain_terminal(data):
    drawing, terminal = DrawingFilter(), Model()
    terminal.feed(drawing.feed(data))
    before = repr(terminal.state)
    terminal.feed(drawing.leave())
    kept = (terminal.margins, terminal.inserts, terminal.keypad, terminal.shape, terminal.keys, terminal.shifted)
    assert kept == ("", False, False, "", "", False)
    assert (terminal.switched, terminal.alternate, terminal.stacks[0], terminal.flags[0]) == ({}, False, [], 0)
    assert set(terminal.sets.values()) <= {"B"}
    assert terminal.colours.cursor.attrs == pyte.Screen(1, 1).cursor.attrs
    terminal.feed(drawing.back())
    assert repr(terminal.state) == before


COLOURS = st.integers(0, 110).filter(lambda number: number not in {6, 38, 48, 58}) | st.sampled_from(
    ["38;5;7", "48;2;1;2;3", "38:5:7", "4:3"]
)


@given(st.lists(COLOURS, max_size=12))
def test_attributes_that_are_summed_up_are_the_same(numbers):
    said = f"\x1b[{';'.join(map(str, numbers))}m"
    assert looks(said) == looks(attributes(said))
    assert attributes(attributes(said)) == attributes(said)


def looks(text):
    screen = pyte.Screen(10, 3)
    pyte.Stream(screen).feed(text.replace("38:5:7", "38;5;7").replace("4:3", "4"))
    return screen.cursor.attrs


def filtered(text):
    """What is left of an output."""
    return DrawingFilter().feed(text if isinstance(text, bytes) else text.encode()).decode()
