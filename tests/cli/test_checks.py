"""A project's checks run once a person has confirmed them, and a change is a question that shows it."""

import json
import subprocess

from helpers.home import Home

from asimi.core.wording.visible import changed_lines

MAKEFILE = "test:\n\ttrue\n"


def test_checks_are_confirmed_by_the_first_configuration_and_by_trust(tmp_path):
    home = Home(tmp_path)
    (home.root / "Makefile").write_text(MAKEFILE)
    home.config.unlink(missing_ok=True)
    done = home.asimi("config", "init", "--preset", "developer")
    assert f"confirmed  the checks of {home.root} as they are now: make test" in done.stdout
    assert home.asimi("check", "make test 2>&1 | tail -3").returncode == 0
    assert home.asimi("check", "make deploy").returncode == 1
    assert home.asimi("check", "echo >> Makefile && make test").returncode == 1
    logged = [json.loads(line) for line in home.asimi("log", "--json").stdout.splitlines()]
    assert [each["by"] for each in logged if each.get("what") == "checks"] == ["config init, nobody was asked"]

    (home.root / "Makefile").write_text(MAKEFILE.replace("true", "touch made"))
    done = home.asimi("check", "make test")
    assert done.returncode == 1
    assert "    -   true\n    +   touch made\n" in done.stdout
    assert home.asimi("run", "make test").returncode == 126
    assert not (home.root / "made").exists()

    for key, code, check in (("n", 126, 1), ("y", 0, 0)):
        with home.at_terminal("trust") as person:
            person.sees("touch made", "may have written", "[y/n] ")
            person.enters(key)
            assert person.ended() == code
        assert home.asimi("check", "make test").returncode == check
    assert home.asimi("trust").stdout.startswith("already confirmed")

    lines = home.asimi("untrust").stdout.splitlines()
    assert [line.partition("confirmed 20")[0] for line in lines] == ["forgotten  the checks "] * 2
    assert all(line.endswith(": make") for line in lines)
    assert home.asimi("check", "make test").returncode == 1


def test_a_configuration_that_is_replaced_unattended_confirms_nothing(tmp_path):
    home = Home(tmp_path)
    (home.root / "Makefile").write_text(MAKEFILE)
    file = tmp_path / "ci.toml"
    file.write_text("")
    done = home.asimi("config", "init", "--preset", "ci", "--force", "--config", str(file))
    assert done.returncode == 0
    assert home.asimi("check", "--config", str(file), "make test").returncode == 3


def test_only_the_first_file_of_a_person_confirms_without_a_terminal(tmp_path):
    home = Home(tmp_path)
    (home.root / "Makefile").write_text(MAKEFILE)
    home.config.unlink(missing_ok=True)
    other = str(tmp_path / "other.toml")
    done = home.asimi("config", "init", "--preset", "developer", "--config", other)
    assert done.stdout.startswith("written")
    assert "confirmed" not in done.stdout
    assert home.asimi("--config", other, "check", "make test").returncode == 1

    assert "confirmed  the checks" in home.asimi("config", "init", "--preset", "developer").stdout
    assert home.asimi("--config", other, "check", "make test").returncode == 0
    home.asimi("untrust")
    with home.at_terminal("config", "init", "--config", other, "--force") as person:
        person.sees("[q] leave")
        person.types("d")
        person.sees("[y] write it")
        person.types("y")
        assert person.ended() == 0
    assert home.asimi("--config", other, "check", "make test").returncode == 0


def test_a_question_shows_what_was_changed(tmp_path):
    home = Home(tmp_path)
    (home.root / "Makefile").write_text(MAKEFILE)
    home.config.unlink(missing_ok=True)
    home.asimi("config", "init", "--preset", "developer")
    (home.root / "Makefile").write_text(MAKEFILE.replace("true", "echo changed"))
    with home.at_terminal("run", "make test") as person:
        person.asked()
        person.sees("but what it runs was changed", "-   true ", "+   echo changed ")
        person.types("y")
        assert person.ended() == 0
    assert home.asimi("check", "make test").returncode == 1


def test_a_switch_between_branches_and_a_worktree_ask_nothing_anew(tmp_path):
    home = Home(tmp_path)
    home.config.unlink(missing_ok=True)

    def git(*words):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@y", *words], cwd=home.root, check=True)

    (home.root / "Makefile").write_text(MAKEFILE)
    git("init", "-q", "-b", "main")
    git("add", "Makefile")
    git("commit", "-q", "-m", "one")
    home.asimi("config", "init", "--preset", "developer")
    git("switch", "-q", "-c", "other")
    (home.root / "Makefile").write_text(MAKEFILE.replace("true", "echo other"))
    git("commit", "-q", "-a", "-m", "two")
    assert home.asimi("check", "make test").returncode == 1
    with home.at_terminal("trust") as person:
        person.sees("[y/n] ")
        person.enters("y")
        assert person.ended() == 0
    for branch in ("main", "other"):
        git("switch", "-q", branch)
        assert home.asimi("check", "make test").returncode == 0
        assert home.asimi("trust").stdout.startswith("already confirmed")
    git("worktree", "add", "-q", str(tmp_path / "tree"), "main")
    assert home.asimi("check", "make test", cwd=tmp_path / "tree").returncode == 0
    (tmp_path / "tree/Makefile").write_text(MAKEFILE.replace("true", "echo third"))
    assert home.asimi("check", "make test", cwd=tmp_path / "tree").returncode == 1


def test_always_confirms_a_changed_check_as_it_is_now(tmp_path):
    home = Home(tmp_path)
    (home.root / "Makefile").write_text(MAKEFILE)
    home.config.unlink(missing_ok=True)
    home.asimi("config", "init", "--preset", "developer")
    (home.root / "Makefile").write_text(MAKEFILE.replace("true", "echo changed"))
    with home.at_terminal("run", "make test") as person:
        person.asked()
        person.sees("+   echo changed ", "[a] always")
        person.types("a")
        shown = person.sees("Allow for 90 days", "[1] confirm the checks as they are now", "make")
        assert "any arguments" not in shown
        assert "how long" not in shown
        person.types("1")
        assert person.ended() == 0
    assert home.asimi("check", "make test").returncode == 0
    assert not any("make test" in line for line in home.asimi("policy", "list").stdout.splitlines())
    (home.root / "Makefile").write_text(MAKEFILE.replace("true", "echo evil"))
    assert home.asimi("check", "make test").returncode == 1
    (home.root / "Makefile").write_text(MAKEFILE)
    assert home.asimi("check", "make test").returncode == 0


def test_the_diff_of_a_new_file_removes_no_line():
    assert changed_lines("", "a\nb\n", 1) == ["@@ -0,0 +1,2 @@", "+a", "+b"]
    assert changed_lines("a\n", "", 1) == ["@@ -1 +0,0 @@", "-a"]
