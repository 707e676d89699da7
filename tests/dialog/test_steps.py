"""The dialog as a pure function: which keys lead to which answer, and how it is laid out."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth

from asimi.core.call import Approval, Decision, Offer, Part, Place, Question, Reason, Request, Verdict
from asimi.core.judging.rules import Rule, rule_of
from asimi.core.wording.dialog import Dialog, TextRequest, choices, press, with_text
from asimi.core.wording.visible import Display, visible
from asimi.world import console
from asimi.world.console.rows import Marks, command_lines

PLACE = Place("/home/somebody/app", "/home/somebody/app", inside=True)


def question(command: str = "rm -rf build", **other) -> Question:
    request = Request("run_shell_command", command, None, PLACE, "bash", "Clean up", agent="claude-code", id=12)
    exact = Rule(Verdict.ALLOW, "run_shell_command", None, "exact", line=command, directory=PLACE.path, below=False)
    offers = (
        Offer("exactly this command line", (exact,)),
        Offer("any rm -rf build", (rule_of("run_shell_command(rm -rf build)", Verdict.ALLOW),)),
    )
    part = Part(tuple(command.split()) or ("x",), (0, len(command)), None, Verdict.ASK)
    reasons = (Reason("unlisted", "rm is not on coreTools", None, None, "/etc/asimi/config.toml:3"),)
    decision = Decision(Verdict.ASK, reasons, (part,), offers=offers)
    return Question(request, decision, other.get("session", True), 60)


def walk(keys: str, dialog: Dialog, look: Display) -> Dialog | Approval | TextRequest:
    """What some keys come to, each drawing seen before the next key."""
    for key in keys:
        outcome = press(dialog, {"<": "escape", "_": "pagedown", "^": "pageup"}.get(key, key), 10, 1000.0)
        if not isinstance(outcome, Dialog):
            return outcome
        dialog = outcome.with_drawing(console.render(outcome, look))
    return dialog


def opened(asked: Question, look: Display) -> Dialog:
    dialog = Dialog(asked, ready=True, left=60)
    return dialog.with_drawing(console.render(dialog, look))


KEYS = st.text(st.sampled_from("ysadenfv?123<_^tp\r x"), max_size=12)
LOOKS = st.builds(Display, st.integers(30, 120), st.integers(12, 50), st.just(False), st.booleans(), st.booleans())


@given(KEYS, LOOKS)
@settings(deadline=None)
def test_only_y_or_a_digit_allows_and_only_what_was_offered(keys, look):
    asked = question()
    outcome = walk(keys, opened(asked, look), look)
    if isinstance(outcome, Approval) and not outcome.yes and outcome.rules:
        assert re.search("d.*[123]", keys)
        assert {rule.verdict for rule in outcome.rules} == {Verdict.DENY}
    if isinstance(outcome, Approval) and outcome.scope == "always":
        assert "p" in keys
    if isinstance(outcome, Approval) and outcome.yes:
        assert "y" in keys or re.search("[sa].*[12]", keys)
        kept = tuple(rule._replace(expires=None) for rule in outcome.rules)
        assert kept in ({()} if outcome.scope == "once" else {offer.rules for offer in asked.decision.offers})


@given(KEYS)
@settings(deadline=None)
def test_nothing_is_allowed_unseen(keys):
    """Whatever is pressed, a yes comes only after the last line of the command was drawn."""
    look, asked = Display(80, 14), question("\n".join(f"echo {number}" for number in range(40)))
    dialog, drawn = opened(asked, look), set()
    for key in keys:
        drawn |= set(re.findall(r"echo (\d+)", "\n".join(console.render(dialog, look).lines)))
        outcome = press(dialog, {"_": "pagedown", "<": "escape", "^": "pageup"}.get(key, key), 8, 0)
        if not isinstance(outcome, Dialog):
            if isinstance(outcome, Approval) and outcome.yes:
                assert len(drawn) == 40
            break
        dialog = outcome.with_drawing(console.render(outcome, look))


ANSWERS = [
    # words of the plain mode, or the keys that they stand for, with texts where one is asked for; the answer
    (["run"], {"yes": True, "scope": "once", "by": "terminal"}),
    (["deny"], {"yes": False, "scope": "once", "by": "terminal", "note": ""}),
    (["session", "1"], {"yes": True, "scope": "session"}),
    (["always", "1"], {"yes": True, "scope": "project"}),
    (["always", "2"], {"yes": True, "scope": "project"}),
    (["always", "place", "2"], {"yes": True, "scope": "always"}),
    (["always", "place", "time", "1"], {"yes": True, "scope": "always"}),
    (["always", "place", "place", "1"], {"yes": True, "scope": "project"}),
    (["always", "place", "back", "always", "1"], {"yes": True, "scope": "project"}),
    (["never", "1"], {"yes": False, "scope": "project"}),
    (["never", "place", "1"], {"yes": False, "scope": "always"}),
    (["never", "deny"], {"yes": False, "scope": "once", "rules": ()}),
    (["never", "back", "run"], {"yes": True, "scope": "once", "rules": ()}),
    (["session", "back", "run"], {"yes": True, "scope": "once", "rules": ()}),
    (["session", "deny"], {"yes": False, "rules": ()}),
    (["always", "back", "deny"], {"yes": False, "rules": ()}),
    (["help", "back", "deny"], {"yes": False}),
    (["help", "back", "run"], {"yes": True}),
    (["note", "not now"], {"yes": False, "note": "not now"}),
    (["note", ""], {"yes": False, "note": ""}),
    (["note", None, "run"], {"yes": True}),
    (["why", "back", "run"], {"yes": True}),
    (["edit", "rm build"], {"yes": False, "edited": "rm build"}),
    (["edit", None, "run"], {"yes": True, "edited": None}),
    (["edit", "rm -rf build", "run"], {"yes": True, "edited": None}),
]


@pytest.mark.parametrize("plain", [False, True], ids=["keys", "words"])
@pytest.mark.parametrize(("words", "expected"), ANSWERS, ids=[" ".join(map(str, words)) for words, _ in ANSWERS])
def test_what_is_chosen_gives_its_answer(words, expected, plain):
    look = Display(80, 24, plain=plain)
    outcome = dialog = opened(question(), look)
    for word in words:
        if isinstance(outcome, TextRequest):
            outcome = with_text(dialog, outcome, outcome if word is None else word, lambda *_: "")
        else:
            outcome = press(dialog, {choice.word: choice.key for choice in choices(dialog)}[word], 10, 1000.0)
        if isinstance(outcome, Dialog):
            outcome = dialog = outcome.with_drawing(console.render(outcome, look))
    assert {name: getattr(outcome, name) for name in expected} == expected


def test_what_is_not_shown_cannot_be_pressed():
    dialog = Dialog(question(session=False), ready=True)
    for key in "ysa12\r ":
        assert press(dialog, key, 10, 0)._replace(message="") == dialog
    shown = {choice.key for choice in choices(dialog)}
    assert not shown & set("ysa")


NO_ALWAYS = question()._replace(decision=question().decision._replace(offers=()))


@pytest.mark.parametrize("plain", [False, True])
def test_never_is_there_before_all_was_shown_and_where_there_is_no_always(plain):
    for asked in (question(), NO_ALWAYS, question()._replace(changeable=False)):
        assert "d" in {choice.key for choice in choices(Dialog(asked, ready=True))}
        never = walk("d", opened(asked, Display(80, 40, plain=plain)), Display(80, 40, plain=plain))
        assert {choice.key for choice in choices(never)} >= {"1", "e", "t", "p", "n", "escape"}


def test_what_is_stored_says_where_it_holds():
    look = Display(80, 40)
    keys = ("a", "ap", "d", "dp", "dtp", "s")
    shown = {each: console.render(walk(each, opened(question(), look), look), look).lines[1] for each in keys}
    assert {each: line.strip("| ") for each, line in shown.items()} == {
        "a": "Allow from now on, in this project (/home/somebody/app):",
        "ap": "Allow from now on, everywhere (written to your configuration):",
        "d": "Deny from now on, in this project (/home/somebody/app):",
        "dp": "Deny from now on, everywhere (written to your configuration):",
        "dtp": "Deny for 1 hour, everywhere (written to your configuration):",
        "s": "Allow until this session ends:",
    }


def test_what_was_written_to_allow_is_never_offered_to_deny_nor_the_reverse():
    def check(entry: str, _question: Question, verdict: Verdict) -> Offer:
        return Offer("x", (rule_of(entry, verdict),))

    dialog = opened(question(), Display(80, 24))
    for step, entry in (("always", "run_shell_command(a)"), ("never", "run_shell_command(b)")):
        dialog = with_text(dialog.at(step), TextRequest("entries"), entry, check)
    offered = {step: dialog.at(step).offers[-1].rules[0].entry for step in ("always", "session", "never")}
    assert offered == {
        "always": "run_shell_command(a)",
        "session": "run_shell_command(a)",
        "never": "run_shell_command(b)",
    }
    assert len(dialog.at("never").offers) == len(opened(question(), Display(80, 24)).at("never").offers) + 1


def test_a_never_is_edited_as_it_would_be_typed():
    never = opened(question(), Display(80, 40)).at("never")
    assert [press(never._replace(editing=True, complete=True), key, 10, 0).text for key in "12"] == [
        "run_shell_command(rm -rf)",
        "run_shell_command(rm)",
    ]


@pytest.mark.parametrize("step", ["s", "a"])
def test_everything_a_rule_says_is_shown_before_it_is_kept(step):
    look = Display(100, 40, unicode=True)
    rule = Rule(
        Verdict.ALLOW, "run_shell_command", (("git",), ("push",)), "run_shell_command(git push)",
        options_any=("--dry-run",), directory="/srv/app", below=False,
    )  # fmt: skip
    asked = question()
    asked = asked._replace(decision=asked.decision._replace(offers=(Offer("git push", (rule,)),)))
    text = "\n".join(console.render(walk(step, opened(asked, look), look), look).lines)
    for said in ("run_shell_command(git push)", "and any arguments", "--dry-run", "only in /srv/app"):
        assert said in text
    assert "and below" not in text


def test_edited_entries_are_checked_one_by_one():
    asked = question()
    dialog = opened(asked, Display(80, 24)).at("session")

    def check(entry: str, _question: Question, _verdict: Verdict) -> Offer | str:
        return "too wide" if entry == "rm" else Offer("x", (rule_of("run_shell_command(ls)", Verdict.ALLOW),))

    refused = with_text(dialog, TextRequest("entries"), "ls\nrm", check)
    assert (refused.message, refused.added) == ("rm: too wide. Press e to go on with it.", ())
    named = with_text(dialog, TextRequest("entries"), "rm", lambda entry, *_: f"'{entry}' is too wide")
    assert named.message == "'rm' is too wide. Press e to go on with it."
    assert with_text(dialog, TextRequest("entries"), " \n", check).added == ()
    assert len(with_text(dialog, TextRequest("entries"), "ls\nls", check).added[0].rules) == 2


@pytest.mark.parametrize("width", [100, 40])
def test_a_number_that_chooses_what_to_edit_does_not_say_that_it_allows(width):
    look = Display(width, 40)
    legend = [" ".join(console.render(walk(keys, opened(question(), look), look), look).lines) for keys in ("a", "ae")]
    assert ["[1-2] allow" in text for text in legend] == [True, False]
    assert ["[1-2] edit" in text for text in legend] == [False, True]


def test_the_word_why_is_for_the_plain_mode_alone():
    for plain in (True, False):
        look = Display(80, 60, plain=plain)
        text = "\n".join(
            line
            for keys in ("", "?")
            for line in console.render(walk(keys, opened(question(), look), look), look).lines
        )
        assert ("why, help" in text, "Shows all the reasons" in text) == (plain, plain)


def test_a_call_that_was_refused_already_is_allowed_and_not_run():
    for plain in (True, False):
        look = Display(80, 60, plain=plain)
        shown = [
            "\n".join(console.render(walk(keys, opened(question()._replace(changeable=False), look), look), look).lines)
            for keys in ("", "?")
        ]
        assert "allow it the next time?" in shown[0]
        assert ("allow (y)" if plain else "[y] allow it once") in shown[0]
        assert "Runs nothing; allows exactly this call" in shown[1]
        assert "run this" not in "".join(shown).lower()
        assert "Runs exactly" not in shown[1]


def test_plain_mode_names_no_key_that_only_the_frame_has():
    look = Display(80, 60, plain=True)
    text = "\n".join(console.render(walk("?v", opened(question(), look), look), look).lines)
    assert "v does nothing here." in text
    for key in ("Esc", "Home", "arrow"):
        assert key not in text
    assert "Home" in "\n".join(
        console.render(walk("?", opened(question(), Display(80, 60)), look), Display(80, 60)).lines
    )


IN_AN_HOUR = time.strftime("%Y-%m-%d %H:%M", time.localtime(1000 + 3600))


@pytest.mark.parametrize(
    ("keys", "kept"),
    [
        ("n", "denied: rm -rf build"),
        ("y", "allowed once: rm -rf build"),
        ("s1", "allowed for this session: exact"),
        ("sttt1", "allowed for 5 calls: exact"),
        ("a1", "allowed from now on in this project: exact"),
        ("ap1", "allowed from now on everywhere: exact"),
        ("at1", f"allowed until {IN_AN_HOUR} in this project: exact"),
        ("d1", "denied from now on in this project: run_shell_command(rm) with -rf"),
        ("dpt1", f"denied until {IN_AN_HOUR} everywhere: run_shell_command(rm) with -rf"),
    ],
)
def test_the_line_that_stays_says_how_long_the_yes_holds(keys, kept):
    look, asked = Display(80, 40), question()
    answer = walk(keys, opened(asked, look), look)
    assert console.closing_line(asked, answer, look) == f"asimi: {kept}"


def test_what_was_left_comes_back_where_it_was_left():
    dialog = opened(question(), Display(80, 24)).at("session")
    asked = [press(dialog._replace(editing=True), number, 10, 0) for number in "12"]
    dialog = with_text(dialog, asked[1], asked[1]._replace(draft="run_shell_command(ls)"), lambda *_: "")
    again = [press(dialog._replace(editing=True), number, 10, 0) for number in "12"]
    assert [wanted.draft for wanted in again] == ["", "run_shell_command(ls)"]
    offer = Offer("x", (rule_of("run_shell_command(ls)", Verdict.ALLOW),))
    kept = with_text(dialog, again[1], "run_shell_command(ls)", lambda *_: offer)
    assert press(kept._replace(editing=True), "2", 10, 0).draft == ""


def test_a_note_is_one_line():
    outcome = with_text(opened(question(), Display(80, 24)), TextRequest("note"), " not\nnow ", lambda *_: "")
    assert outcome.note == "not now"


@given(st.text(st.characters() | st.sampled_from("漢é \n\t\x1b"), max_size=200), LOOKS)
@settings(deadline=None)
def test_no_line_is_wider_and_no_frame_higher_than_the_terminal(command, look):
    drawing = console.render(opened(question(command), look), look)
    assert len(drawing.lines) <= look.height
    assert max(map(wcswidth, drawing.lines)) <= look.width
    assert min(map(wcswidth, drawing.lines)) >= 0


@given(st.text(st.sampled_from("ab -x'\"$\\;&|\n漢"), max_size=300), st.integers(30, 120))
@settings(deadline=None)
def test_the_rows_hold_the_whole_command(command, width):
    """What stands in the rows, gutters and indentation taken out, is the text."""
    look = Display(width, 500, unicode=True)
    marks = Marks(command, question(command).decision)
    lines = command_lines(command, look, marks, max(10, width - 20))
    atoms = [atom for line in lines for atom in line.atoms if not atom.indent]
    assert "".join(atom.text for atom in atoms) == visible(command, prose=False).replace("\n", "")


def test_the_largest_command_is_drawn():
    look = Display(80, 24)
    assert console.render(opened(question("echo " + "x y " * 32000), look), look).rows > 2000
