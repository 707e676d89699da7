"""Cuts what a program in a box prints down to drawing.

Rules of this file:

- What passes is on a list: text, and control sequences that draw or that switch a mode named here (ECMA-48; xterm's
  ctlseqs). All else is dropped whole, known or not.
- A sequence passes only when it is complete, so the terminal is never left inside one: what is dropped in between
  cannot join two halves.
- Questions to the terminal pass only if the program that asks can choose nothing in the answer, because the answer is
  typed to whoever reads the terminal by then.
- The same bytes give the same result however they are cut into pieces.

The filter keeps what was switched on, so that a question can be drawn on a plain screen and everything put back after
it, and so that nothing stays switched on when the program has ended.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from asimi.core.facts import facts_of, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

MODES: Final = {
    int(mode): begins == "on" for begins, modes in facts_of(__package__, "drawing").items() for mode in table_of(modes)
}
"""The private modes that pass (DECSET), and how a terminal begins."""

ALTERNATE: Final = frozenset({47, 1047, 1049})
SYNCHRONIZED: Final = 2026
MOMENTARY: Final = ALTERNATE | {1048, SYNCHRONIZED}
"""Modes that are not simply put back: the screens, the saved cursor, a drawing that is under way."""

SEEN: Final = frozenset({5, 6, 7, 25})
"""Modes that change only what is seen, not what the keyboard and the mouse send."""

LONGEST: Final = 4096
"""Characters of a string (title, link) that are kept until it ends; a longer one is dropped."""

TITLE: Final = 256
"""Characters of a title."""

DEEPEST: Final = 16
"""Settings of the keyboard that are kept of each screen; a terminal keeps no more."""

_NUMBER = "[0-9]{0,5}"
_HARMLESS: Final = rf"\[(?:{_NUMBER}(?:;{_NUMBER})?[@A-HJ-MPSTXZ`abdefgI]|[0-9;:]{{0,96}}m)"

UNSAFE: Final = re.compile(rf"[\x00-\x06\x0e-\x1f\x7f-\x9f](?!(?<=\x1b){_HARMLESS})")
"""The next character that is not text, a control that draws (BEL, BS, HT, LF, VT, FF, CR), or a harmless sequence:
moves, erasing, inserting, deleting, scrolling, tabulators, REP, SGR."""

SEQUENCE: Final = re.compile(r"\x1b(?:\[([<-?]?[0-9;:]{0,96}[ -/]{0,2}[@-~])|([ -/]{1,2}[0-~])|([0-OQ-WYZ\\`-jl-~]))")
"""A whole sequence that is no string: what is behind CSI; or behind ESC, with intermediates or one character."""

UNFINISHED: Final = re.compile(r"\x1b(?:\[[<-?]?[0-9;:]{0,96}[ -/]{0,2}|[ -/]{1,2})?")
"""The beginning of such a sequence."""

STRINGS: Final = "]PX^_k"
"""What, after ESC, begins a string: OSC, DCS, SOS, PM, APC, screen's title."""

STRING_ENDS: Final = re.compile("[\x07\x18\x1a\x1b\x9c]")

QUESTIONS: Final = re.compile(r"[?]?6n|[?]996n|[>=]?0?c|>0?q|[?]u|[?][0-9]{1,4}\$p|1[468]t")
"""Where the cursor is, the colour scheme, which terminal this is, the keyboard's setting, a mode, sizes: each answer
has numbers and names of the terminal's own."""

PLAIN: Final = re.compile(rf"{_NUMBER}(?:;{_NUMBER})?r|[su]|2[23](?:;[012]){{0,2}}t|[0-6]? q|!p|4[hl]")
"""Margins, the saved cursor, the stack of titles, the cursor's shape, soft reset, inserting."""

KEYBOARD: Final = re.compile(r"[>=<]([0-9]{0,5})(?:;([0-9]{0,5}))?u|>(4)(?:;([0-3]?))?m")
"""Kitty's protocol (push, set, pop), and xterm's modifyOtherKeys."""

LINK: Final = re.compile(r"(id=[\w.:-]{1,64})?;(https?://[!-~]{1,2048})?")
COLOUR: Final = re.compile(r"1[0-2];\?|4;[0-9]{1,3};\?")
PROGRESS: Final = re.compile(r"9;4;[0-4](?:;[0-9]{0,3})?")
CLIPBOARD: Final = re.compile(r"52;[cps0-7]{0,8};[A-Za-z0-9+/=]*")

SGR: Final = re.compile(r"\x1b\[[0-9;:]{0,96}m")

ATTRIBUTES: Final = {
    **dict.fromkeys((22, 1, 2), "weight"), **dict.fromkeys((23, 3, 20), "slant"), **dict.fromkeys((24, 4, 21), "under"),
    **dict.fromkeys((25, 5, 6), "blink"), **dict.fromkeys((27, 7), "inverse"), **dict.fromkeys((28, 8), "hidden"),
    **dict.fromkeys((29, 9), "struck"), **dict.fromkeys((55, 53), "over"), **dict.fromkeys((59, 58), "line"),
    **dict.fromkeys((39, 38, *range(30, 38), *range(90, 98)), "front"),
    **dict.fromkeys((49, 48, *range(40, 48), *range(100, 108)), "back"),
}  # fmt: skip
"""Which attribute a number of SGR is about; the first of each row switches it off."""

OFF: Final = frozenset({22, 23, 24, 25, 27, 28, 29, 39, 49, 55, 59})

CURSOR: Final = "\x1b7", "\x1b8"
"""Saves the cursor; puts it back (DECSC, DECRC)."""

TOP: Final = "\x1b[0m\x0f\x1b(B\x1b[H"
PLAIN_SCREEN: Final = f"{TOP}\x1b[2J"
"""No attributes, no other character set, at the top of the screen; and that empty."""

LEAST: Final = 512
"""Characters of SGR that are kept before they are summed up."""


class DrawingFilter:
    """The filter between a program and a terminal; it has the state of the terminal that the program drew on.

    Args:
        answer: is given the answer to a question that only asimi may ask the terminal (DSR 5, its fence).
        unicode: whether the terminal takes UTF-8; else each byte is a character, as in Latin-1.
        clipboard: whether the clipboard may be written.
        asks: whether the program may ask the terminal anything.
    """

    def __init__(
        self,
        answer: Callable[[bytes], object] = lambda _: None,
        *,
        unicode: bool = True,
        clipboard: bool = False,
        asks: bool = True,
    ) -> None:
        self._coding = "utf-8" if unicode else "latin-1"
        self._decoder = codecs.getincrementaldecoder(self._coding)("replace")
        self._answer, self._clipboard, self._asks = answer, clipboard, asks
        self._rest = ""
        """A sequence that is not finished."""
        self._string: str | None = None
        """What began the string that we are in."""
        self._body = ""
        self.asked = False
        """Whether the terminal was asked something, so that answers may come."""
        self._begin()

    def _begin(self) -> None:
        """The state of a terminal after a reset."""
        self._modes: dict[int, bool] = {}
        self._sgr, self._margins, self._shape, self._keypad, self._keys = "", "", "", "", ""
        self._sets, self._shifted, self._inserts = {"(": "B", ")": "B"}, False, False
        self._stacks: tuple[list[int], list[int]] = ([], [])
        """What was pushed of the keyboard's settings, on the main screen and the alternate."""
        self._flags = [0, 0]
        """The setting below the stack."""
        self._saved = False

    @property
    def alternate(self) -> bool:
        """Whether the program draws on the alternate screen."""
        return any(self._modes.get(mode) for mode in ALTERNATE)

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing is under way: no sequence, no synchronized drawing, no cursor that is saved for a moment."""
        drawing = self._modes.get(SYNCHRONIZED) or (self._saved and not self.alternate)
        return not (self._rest or self._string or drawing)

    # ---- what passes -------------------------------------------------------------------------------------------------

    def feed(self, data: bytes) -> bytes:
        """As much of the program's output as is drawing; what is not finished is kept for the next call."""
        text = self._rest + self._decoder.decode(data)
        self._rest = ""
        passed: list[str] = []
        at, end = 0, len(text)
        while at < end:
            if self._string:
                at = self._in_string(text, at, passed)
                continue
            found = UNSAFE.search(text, at)
            stop = found.start() if found else end
            if stop > at:
                drawn = text[at:stop]
                passed.append(drawn)
                if "\x1b" in drawn:
                    self._keep_colours(drawn)
                at = stop
            if found:
                at = self._sequence(text, at, passed)
        return "".join(passed).encode(self._coding)

    def _sequence(self, text: str, at: int, passed: list[str]) -> int:
        """Pass or drop what begins at a control character; where it ends."""
        sign = text[at]
        if sign in "\x0e\x0f":
            self._shifted = sign == "\x0e"
            passed.append(sign)
        if sign != "\x1b":
            return at + 1
        if whole := SEQUENCE.match(text, at):
            inner, charset, single = whole.groups()
            if inner or charset:
                passed.append(self._csi(inner, whole[0]) if inner else self._charset(charset))
            else:
                passed.append(self._escape(single))
            return whole.end()
        if text[at + 1 : at + 2] in STRINGS and at + 1 < len(text):
            self._string, self._body = text[at + 1], ""
            return at + 2
        begun = UNFINISHED.match(text, at)
        assert begun
        if begun.end() == len(text):
            self._rest = begun[0]
        return begun.end()  # broken off by what cannot be in it: it is dropped up to there

    def _in_string(self, text: str, at: int, passed: list[str]) -> int:
        """Go on in a string; where it ends, or the text does."""
        assert self._string
        found = STRING_ENDS.search(text, at)
        stop = found.start() if found else len(text)
        if self._string == "]" and len(self._body) <= LONGEST:
            self._body += text[at : min(stop, at + LONGEST + 1)]
        if not found:
            return stop
        end = found[0]
        if end == "\x1b":
            if stop + 1 == len(text):
                self._rest = end
                return len(text)
            if text[stop + 1] != "\\":  # another sequence begins
                self._string = None
                return stop
            end = "\x1b\\"
        elif end == "\x07" and self._string != "]":
            return stop + 1
        kind, self._string = self._string, None
        if kind == "]" and end not in "\x18\x1a" and len(self._body) <= LONGEST:
            passed.append(self._osc(self._body, "\x1b\\" if end == "\x9c" else end))
        return stop + len(end)

    def _osc(self, body: str, end: str) -> str:
        """A title, a link that says where it leads, a question about colours, a progress; empty for all else."""
        kind, _, rest = body.partition(";")
        if kind in {"0", "1", "2"}:
            return f"\x1b]{kind};{''.join(filter(str.isprintable, rest))[:TITLE]}{end}"
        if kind == "8":
            link = LINK.fullmatch(rest)
            return f"\x1b]8;{rest if link and link[2] else ';'}{end}"  # a link that is dropped ends the one before
        if COLOUR.fullmatch(body):
            return self._pass_question(f"\x1b]{body}{end}")
        if PROGRESS.fullmatch(body) or (self._clipboard and CLIPBOARD.fullmatch(body)):
            return f"\x1b]{body}{end}"
        return ""

    def _pass_question(self, question: str) -> str:
        """A question to the terminal."""
        self.asked |= self._asks
        return question * self._asks

    def _escape(self, single: str) -> str:
        """ESC and one character: index, next line, tabulator, reverse index, cursor, keypad, reset."""
        if single in "78":
            self._saved = single == "7"
        elif single in "=>":
            self._keypad = "\x1b=" if single == "=" else ""
        elif single == "c":
            self._begin()
        elif single not in "DEHM":
            return ""
        return f"\x1b{single}"

    def _charset(self, chosen: str) -> str:
        """A character set of the first two: ASCII, the British one, or line drawing."""
        if chosen[0] not in "()" or chosen[1] not in "0AB":
            return ""
        self._sets[chosen[0]] = chosen[1]
        return f"\x1b{chosen}"

    def _csi(self, inner: str, whole: str) -> str:
        """A control sequence of which more is to know than that it draws; empty where it is not on the list.

        Args:
            inner: what is behind CSI.
            whole: with CSI.
        """
        if inner[0] == "?" and inner[-1] in "hl" and inner[1:-1].replace(";", "").isdigit():
            return self._switch(inner[1:-1].split(";"), on=inner[-1] == "h")
        if QUESTIONS.fullmatch(inner):
            return self._pass_question(whole)
        if inner == "5n":
            self._answer(b"\x1b[0n")
            return ""
        if found := KEYBOARD.fullmatch(inner):
            return self._keyboard_sequence(inner, found, whole)
        if not PLAIN.fullmatch(inner):
            return ""
        final = inner[-1]
        if final == "r":
            self._margins = whole if inner != "r" else ""
        elif final in "su":
            self._saved = final == "s"
        elif final == "q":
            self._shape = whole if inner[0] not in " 0" else ""
        elif final in "hl":
            self._inserts = final == "h"
        elif final == "p":  # DECSTR
            for mode in (1, 6, 7, 25, 66):
                self._modes.pop(mode, None)
            self._sgr = self._margins = self._keypad = ""
            self._sets, self._shifted, self._inserts, self._saved = {"(": "B", ")": "B"}, False, False, False
        return whole

    def _switch(self, numbers: list[str], *, on: bool) -> str:
        """Private modes, those that are on the list."""
        kept = [int(number) for number in numbers if number and len(number) <= 5 and int(number) in MODES]
        for mode in kept:
            for each in ALTERNATE if mode in ALTERNATE else (mode,):
                self._modes.pop(each, None)  # the last one that was set is the last to be put back
            if on is not MODES[mode]:
                self._modes[mode] = on
            if mode in ALTERNATE or mode == 1048:
                self._saved = mode == 1048 and on
        return f"\x1b[?{';'.join(map(str, kept))}{'h' if on else 'l'}" if kept else ""

    def _keyboard_sequence(self, inner: str, found: re.Match[str], whole: str) -> str:
        """The keyboard's protocol."""
        number, how, other, level = found.groups()
        if other:
            self._keys = whole if level and level != "0" else ""
            return whole
        screen = int(self.alternate)
        stack, value = self._stacks[screen], int(number or 0)
        if inner[0] == ">":
            stack.append(value)
            del stack[:-DEEPEST]
        elif inner[0] == "<":
            del stack[max(0, len(stack) - int(number or 1)) :]
        else:
            before = self._keyboard_setting()
            value = {"2": before | value, "3": before & ~value}.get(how or "1", value)
            if stack:
                stack[-1] = value
            else:
                self._flags[screen] = value
        return whole

    def _keep_colours(self, drawn: str) -> None:
        """Keep what was said of colours since they were last reset."""
        reset = max(drawn.rfind("\x1b[m"), drawn.rfind("\x1b[0m"))
        if reset >= 0:
            self._sgr = ""
        self._sgr += "".join(SGR.findall(drawn, max(reset, 0)))
        if len(self._sgr) > LEAST:
            self._sgr = attributes(self._sgr)

    # ---- what is put off and back ------------------------------------------------------------------------------------

    def cover(self, notice: Sequence[str] = ()) -> bytes:
        """What makes place for a question: the alternate screen, plain and empty, with no mode of the program's.

        Args:
            notice: rows that are shown instead, above what is on the alternate screen already; the keyboard and the
                mouse stay the program's.
        """
        begin = CURSOR[0] * (not self._saved) if self.alternate else "\x1b[?1049h"
        screen = TOP if notice and self.alternate else PLAIN_SCREEN
        rows = "\r\n".join(f"\x1b[7m{row}\x1b[0m" for row in notice)
        shown = self._end_synchronized() + begin + self._off(typing=not notice) + screen + rows
        return (shown + "\x1b[?25l" * bool(notice)).encode(self._coding, "backslashreplace")

    def uncover(self, *, notice: bool = False) -> bytes:
        """What brings back the program's screen and modes; what was on the alternate screen it must draw itself."""
        end = CURSOR[1] * (not self._saved) if self.alternate else "\x1b[?1049l"
        again = "\x1b[?2026h" * self._modes.get(SYNCHRONIZED, False)
        cursor = "\x1b[?25h" * notice
        return (PLAIN_SCREEN + cursor + self._on(typing=not notice) + end + self._drawn_with() + again).encode()

    def leave(self) -> bytes:
        """What leaves a terminal to somebody else: the main screen, no mode of the program's."""
        out = self._end_synchronized() + self._off(("\x1b7", "\x1b8"))
        if self.alternate:
            out += f"{self._pop_keyboard(1)}\x1b[?1049l{self._pop_keyboard(0)}"
        else:
            out += self._pop_keyboard(0)
        changed = self._sgr or self._shifted or self._sets != {"(": "B", ")": "B"}
        return (out + "\x1b[0m\x0f\x1b(B\x1b)B" * bool(changed)).encode()

    def back(self) -> bytes:
        """What gives it back to the program after `leave`."""
        out = self._push_keyboard(0)
        if self.alternate:
            out += f"\x1b[?1049h{self._push_keyboard(1)}"
        return (out + self._on(("\x1b7", "\x1b8")) + self._drawn_with()).encode()

    def _end_synchronized(self) -> str:
        return "\x1b[?2026l" * self._modes.get(SYNCHRONIZED, False)

    def _off(self, around: tuple[str, str] = ("", ""), *, typing: bool = True) -> str:
        """What switches off the modes; margins move the cursor, which is kept by what is put around them.

        Args:
            around: what is put there.
            typing: whether modes of the keyboard and the mouse, too.
        """
        modes = [mode for mode in self._modes if mode not in MOMENTARY and (typing or mode in SEEN)]
        off = ";".join(str(mode) for mode in modes if not MODES[mode])
        on = ";".join(str(mode) for mode in modes if MODES[mode])
        return "".join([
            f"\x1b[?{off}l" * bool(off), f"\x1b[?{on}h" * bool(on), "\x1b[4l" * self._inserts,
            f"{around[0]}\x1b[r{around[1]}" * bool(self._margins), "\x1b[0 q" * bool(self._shape),
            "\x1b>" * bool(self._keypad and typing), "\x1b[>4;0m" * bool(self._keys and typing),
            "" if around[0] or not self._protocol() else f"\x1b[>{0 if typing else self._keyboard_setting()}u",
        ])  # fmt: skip

    def _on(self, around: tuple[str, str] = ("", ""), *, typing: bool = True) -> str:
        """What switches them on again."""
        modes = [mode for mode in self._modes if mode not in MOMENTARY and (typing or mode in SEEN)]
        on = ";".join(str(mode) for mode in modes if not MODES[mode])
        off = ";".join(str(mode) for mode in modes if MODES[mode])
        return "".join([
            "" if around[0] or not self._protocol() else "\x1b[<u", self._keys * typing, self._keypad * typing,
            self._shape,
            around[0] * bool(self._margins), self._margins, around[1] * bool(self._margins),
            "\x1b[4h" * self._inserts, f"\x1b[?{on}h" * bool(on), f"\x1b[?{off}l" * bool(off),
        ])  # fmt: skip

    def _drawn_with(self) -> str:
        """Character sets and attributes."""
        sets = "".join(f"\x1b{which}{charset}" for which, charset in self._sets.items() if charset != "B")
        return sets + "\x0e" * self._shifted + attributes(self._sgr)

    def _protocol(self) -> bool:
        """Whether the keyboard's protocol was ever set."""
        return any(self._flags) or any(self._stacks)

    def _keyboard_setting(self) -> int:
        """The setting of the keyboard that holds now."""
        screen = int(self.alternate)
        return self._stacks[screen][-1] if self._stacks[screen] else self._flags[screen]

    def _pop_keyboard(self, screen: int) -> str:
        stack = self._stacks[screen]
        return f"\x1b[<{len(stack)}u" * bool(stack) + "\x1b[=0u" * bool(self._flags[screen])

    def _push_keyboard(self, screen: int) -> str:
        base = self._flags[screen]
        return f"\x1b[={base}u" * bool(base) + "".join(f"\x1b[>{each}u" for each in self._stacks[screen])


def attributes(text: str) -> str:
    """The attributes that hold after some SGR, as one that sets them; empty where all are as they were at first."""
    held: dict[str, str] = {}
    for each in SGR.findall(text):
        parts = iter((each[2:-1] or "0").split(";"))
        for part in parts:
            number = int(part.partition(":")[0] or 0)
            if number == 0:
                held.clear()
            elif number in {38, 48, 58} and ":" not in part:
                kind = next(parts, "")
                some = [next(parts, "") for _ in range({"5": 1, "2": 3}.get(kind, 0))]
                held[ATTRIBUTES[number]] = ";".join([part, kind, *some])
            elif number in OFF or part == "4:0":
                held.pop(ATTRIBUTES[number], None)
            elif number in {1, 2}:  # both may hold
                weights = {*held.get("weight", "").split(";"), part} - {""}
                held["weight"] = ";".join(sorted(weights))
            elif number in ATTRIBUTES:
                held[ATTRIBUTES[number]] = part
    return f"\x1b[{';'.join(held.values())}m" if held else ""
