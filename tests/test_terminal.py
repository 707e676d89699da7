"""How messages are made to fit a terminal."""

import pytest

from asimi.world.host.terminal import fit_text

FACTS = [
    ("short", 10, "short"),
    ("deny   a b  (/home/me/x.toml:3)", 80, "deny   a b  (~/x.toml:3)"),
    ("deny   a b  (/home/me/x.toml:3)", 20, "deny   a b\n  (~/x.toml:3)"),
    ("a word that wraps", 8, "a word\n  that\n  wraps"),
    ("/home/me/a/very/long/path.toml:12 is wrong", 20, "~/a/very/long/path.toml:12\n  is wrong"),
    ("/home/meyer/x and /root/x", 80, "/home/meyer/x and /root/x"),
    ("unclosed:\n   | echo 'it is long\n   |      ^", 12, "unclosed:\n   | echo 'it is long\n   |      ^"),
    ("日本語 日本語", 8, "日本語\n  日本語"),
]


@pytest.mark.parametrize(("text", "width", "shown"), FACTS)
def test_a_message_breaks_between_words_and_never_in_a_path(monkeypatch, text, width, shown):
    monkeypatch.setenv("HOME", "/home/me")
    assert fit_text(text, width) == shown
