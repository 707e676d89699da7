"""A variable that holds a secret by its form is a question to print, whatever its name is."""

from __future__ import annotations

import json

import pytest
from helpers.home import Home

KEY = "-----BEGIN RSA " + "PRIVATE KEY-----"
MADE_UP = ("postgres://me:" + "made-up@db.example.org/x", f"{KEY}\nAAAA\n", "ghp_" + "a1B2" * 9)


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        *((each, {"secret"}) for each in MADE_UP),
        ("https://example.org/a", set()),
        ("/home/me/long-directory-name", set()),
    ],
)
def test_a_value_is_known_by_its_form(tmp_path, value, codes):
    home = Home(tmp_path, 'coreTools = ["run_shell_command(echo)"]\n')
    said = home.asimi("check", "--json", "echo $LEDGER", environ={"LEDGER": value}).stdout
    assert {reason["code"] for reason in json.loads(said)["reasons"]} - {"allowed_by_rule"} == codes
