"""Texts that mean to deceive the eye: each is shown so that a person sees it."""

from __future__ import annotations

import re

import pytest

DECEIVING = [
    # what it is, the command, what a person must see of it
    ("erases its line", "ls\x1b[2K\rrm -rf x", "<ESC>[2K<CR>rm -rf x"),
    ("moves the cursor up", "ls\x1b[5A", "<ESC>[5A"),
    ("clears the screen", "ls\x1b[2J\x1b[H", "<ESC>[2J<ESC>[H"),
    ("hides text", "\x1b[8mrm -rf x\x1b[0m; ls", "<ESC>[8mrm -rf x<ESC>[0m; ls"),
    ("changes colours", "\x1b[31mls", "<ESC>[31mls"),
    ("sets the title", "ls\x1b]0;safe\x07", "<ESC>]0;safe<BEL>"),
    ("writes to the clipboard", "ls\x1b]52;c;cm0=\x1b\\", "<ESC>]52;c;cm0=<ESC>\\"),
    ("is a hidden link", "\x1b]8;;http://evil\x1b\\ls", "<ESC>]8;;http://evil<ESC>\\ls"),
    ("asks the terminal to answer", "ls\x1b[6n", "<ESC>[6n"),
    ("switches the screen", "ls\x1b[?1049h", "<ESC>[?1049h"),
    ("is eight-bit escape", "ls\x9b2K", "<U+009B CSI>2K"),
    ("is an eight-bit string", "ls\x9d0;x\x9c", "<U+009D OSC>0;x<U+009C ST>"),
    ("goes back", "rm -rf x\b\b\b\b\b\b\b\bls", "rm -rf x<8 times BS>ls"),
    ("returns the carriage", "rm -rf x\rls      ", "rm -rf x<CR>ls"),
    ("rings", "ls\x07", "ls<BEL>"),
    ("has a form feed", "ls\x0crm x", "ls<FF>rm x"),
    ("has a vertical tab", "ls\x0brm x", "ls<VT>rm x"),
    ("deletes", "rm\x7f\x7fls", "rm<DEL><DEL>ls"),
    ("is reversed", "ls \u202ex fr- mr", "ls <U+202E RLO>x fr- mr"),
    ("is isolated", "ls \u2067x\u2069", "ls <U+2067 RLI>x<U+2069 PDI>"),
    ("has a direction mark", "ls \u200fx", "<U+200F RLM>x"),
    ("has an Arabic mark", "ls \u061cx", "<U+061C ALM>"),
    ("has a zero-width space", "r\u200bm -rf x", "r<U+200B ZWSP>m -rf x"),
    ("has a joiner", "r\u200dm x", "r<U+200D ZWJ>m x"),
    ("has a byte order mark", "\ufeffls", "<U+FEFF BOM>ls"),
    ("has a soft hyphen", "r\u00adm x", "r<U+00AD SHY>m x"),
    ("has a grapheme joiner", "ls\u034f x", "ls<U+034F CGJ> x"),
    ("hides words in tags", "ls \U000e0072\U000e006d", "<U+E0072 TAG r><U+E006D TAG m>"),
    ("hides a variation", "ls\ufe0f", "ls<U+FE0F VARIATION SELECTOR-16>"),
    ("has a filler", "ls \u3164x", "<U+3164 HANGUL FILLER>x"),
    ("has an empty braille cell", "ls \u2800x", "<U+2800 BRAILLE PATTERN BLANK>x"),
    ("has a no-break space", "rm\u00a0-rf x", "rm<U+00A0 NBSP>-rf x"),
    ("has a wide space", "rm\u3000x", "rm<U+3000 IDEOGRAPHIC SPACE>x"),
    ("has a line separator", "ls\u2028rm x", "ls<U+2028 LINE SEPARATOR>rm x"),
    ("pads with spaces", "ls" + " " * 300 + "; rm x", "ls<300 SPACES>; rm x"),
    ("pads with lines", "ls" + "\n" * 90 + "rm x", "<89 EMPTY LINES>"),
    ("pads with tabs", "ls" + "\t" * 90 + "; rm x", "ls<90 times TAB>; rm x"),
    ("pads with marks", "ls" + "\u200b" * 500 + "; rm x", "ls<500 times U+200B ZWSP>; rm x"),
    ("ends a line with a blank", "echo x \\ \nrm x", "\\<1 SPACE>"),
    ("imitates a command", "\u0441\u0430t x", "<U+0441 like c><U+0430 like a>t x"),
    ("imitates a host", "curl https://g\u0456thub.com", "g<U+0456 like i>thub.com"),
    ("imitates in full", "\u0441\u043e\u0440\u0443", "<U+0441 like c><U+043E like o><U+0440 like p><U+0443 like y>"),
    ("imitates a slash", "rm -rf .\u2215x", ".<U+2215 like />x"),
    ("imitates a dash", "rm \u2013rf x", "rm <U+2013 like ->rf x"),
    ("imitates quotes", "echo \u201cx; rm y\u201d", 'echo <U+201C like ">x; rm y<U+201D like ">'),
    ("is wide", "\uff52\uff4d x", "<U+FF52 like r><U+FF4D like m> x"),
    ("is mathematical", "\U0001d42bm x", "<U+1D42B like r>m x"),
    ("imitates a semicolon", "ls\u037e rm x", "ls<U+037E like ;> rm x"),
    ("is overstruck", "rm\u0338\u0335 x", "rm<U+0338 COMBINING LONG SOLIDUS OVERLAY>"),
    ("is private", "ls \ue0b0", "<U+E0B0>"),
    ("is unassigned", "ls \U000e0fff", "<U+E0FFF>"),
    ("is half a character", "ls \udc9b2K", "<BYTE 9B>2K"),
    ("draws a frame", "ls\n│ allowed\n╰────", "<U+2502 like |> allowed"),
]


def test_a_deceiving_command_is_seen_and_reaches_the_terminal_never_raw(sit):
    others = [{"command": row[1], "id": row[0]} for row in DECEIVING]
    person = sit(others=others, offers=[], parts=[], seat={"columns": 200, "rows": 40})
    left, unseen = {name: shown for name, _, shown in DECEIVING}, []
    while left:  # they take turns in no certain order
        display, name = person.asked(), person.found(r"call (\D+?) ─")
        if name in left:
            if left.pop(name) not in display:
                unseen.append((name, display))
            person.presses("n")
    person.answer()
    assert unseen == []
    assert raw(person) == []


DESCRIPTIONS = [
    # what it is, the description, what a person must see of it
    ("draws more lines", "Clean up\n\nRisk   LOW: reads", "Clean up<LF><LF>Risk   LOW: reads"),
    ("moves the cursor", "Clean up\x1b[3BRisk", "Clean up<ESC>[3BRisk"),
    ("is reversed", "\u202eelbissop", "<U+202E RLO>elbissop"),
    ("returns", "Deletes all\rReads all  ", "Deletes all<CR>Reads all"),
    ("pads", "x" + " " * 400 + "y", "x<400 SPACES>y"),
    ("imitates", "p\u0430ypal", "p<U+0430 like a>ypal"),
    ("hides tags", "ok\U000e0061", "ok<U+E0061 TAG a>"),
]


@pytest.mark.parametrize(("text", "shown"), [row[1:] for row in DESCRIPTIONS], ids=[row[0] for row in DESCRIPTIONS])
def test_a_deceiving_description_is_seen(sit, text, shown):
    person = sit(description=text, seat={"columns": 120})
    person.asked()
    assert shown in person.display
    assert not raw(person)


ELSEWHERE = [
    {"agent": "claude\x1b[2J"},
    {"id": "12\u202e"},
    {"directory": "/home/somebody/app/\x1b[2Jx"},
    {"reasons": [["unlisted", "\x1b[2Jx is not listed", "/tmp/\x1b]0;x\x07:3"]]},
    {"offers": [["any \x1b[2J", ["run_shell_command(ls '\x1b[2J')"]]]},
]


@pytest.mark.parametrize("asked", ELSEWHERE, ids=[next(iter(asked)) for asked in ELSEWHERE])
def test_nothing_from_outside_reaches_the_terminal_raw(sit, asked):
    person = sit(**asked, seat={"columns": 120, "rows": 40})
    person.asked()
    assert not raw(person)
    person.presses("s")
    person.sees("[1] exactly")
    assert not raw(person)
    person.presses("n")
    person.answer()
    assert not raw(person)


@pytest.mark.parametrize("key", ["e", "s"])
def test_nothing_hidden_reaches_the_terminal_raw_while_it_is_edited(sit, key):
    person = sit("rm \u202ex\x1b[2J\u200b\udc9b", offers=[["x", ["run_shell_command(rm \u202ex\x1b[2J)"]]])
    person.asked()
    person.presses(key, *("e2" if key == "s" else ""))
    person.sees("<U+202E RLO>x<ESC>[2J", "Enter done")
    assert not re.search("[\u202e\u200b]|\x1b\\[2J", person.written.decode(errors="surrogateescape"))
    person.presses("\x03", "n")
    if key == "s":
        person.presses("n")
    person.answer()


def test_the_hidden_characters_are_counted(sit):
    person = sit("ls \x1b[2K\u202e\u202e", seat={"columns": 100})
    person.sees("3 hidden characters are shown as <ESC>, <U+202E RLO>")


def test_letters_that_run_from_right_to_left_are_pointed_out(sit):
    person = sit("rm א/ב", seat={"columns": 100})
    person.sees("has right-to-left letters")


OWN = re.compile(r"\x1b\[(\d*[AJK]|[0-9;]*m)|\r|\n")
"""All that the dialog itself tells the terminal: up, clear, colours, line ends."""


def raw(person) -> list[str]:
    """What reached the terminal and is neither printable nor the dialog's own."""
    text = OWN.sub("", person.written.decode(errors="surrogateescape"))
    return [character for character in text if not character.isprintable()] + re.findall(r"\x1b\[2[JK]|\x1b\[5A", text)
