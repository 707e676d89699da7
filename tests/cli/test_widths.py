"""What a rule would allow, where and until when, is said before a person agrees to it."""

from helpers.home import Home


def test_policy_add_says_time_and_project_before_and_after(tmp_path):
    home = Home(tmp_path)
    with home.at_terminal("policy", "add", "git fetch", "--expires", "30m", "--project") as person:
        shown = person.sees("Until 20", "asimi would allow in this project", "[y/n] ")
        assert "From now on" not in shown
        person.enters("y")
        person.sees("allow  run_shell_command(git fetch), in this project  until 20")
        assert person.ended() == 0


def test_policy_add_without_them_says_from_now_on(tmp_path):
    home = Home(tmp_path)
    with home.at_terminal("policy", "add", "git fetch") as person:
        person.sees("From now on asimi would allow:", "[y/n] ")
        person.enters("n")
        assert person.ended() == 126


def test_the_dialog_says_what_any_arguments_cover(tmp_path):
    home = Home(tmp_path)
    with home.at_terminal("run", "git push", rows=40) as person:
        person.asked()
        person.types("a")
        person.sees(
            "run_shell_command(git push)  and any arguments", "git push --force", "(rewrites published history)"
        )
        person.types("n")
        assert person.ended() == 126


def test_policy_add_takes_the_width_without_force(tmp_path):
    home = Home(tmp_path)
    with home.at_terminal("policy", "add", "git push", "--without-force") as person:
        person.sees("run_shell_command(git push) without force", "no +X, no A:B", "[y/n] ")
        person.enters("y")
        assert person.ended() == 0
    assert home.asimi("check", "git push origin main").returncode == 0
    assert home.asimi("check", "git push --force origin main").returncode == 1
    assert home.asimi("policy", "lint").returncode in (0, 1), "what was written can be read"
    assert home.asimi("policy", "remove", "1").returncode == 0


def test_what_has_no_such_width_is_wrong_usage(tmp_path):
    home = Home(tmp_path)
    for words in (["git fetch"], ["git push", "--deny"], ["git push", "--exact"], ["git"]):
        done = home.asimi("policy", "add", *words, "--without-force")
        assert (done.returncode, "is for entries that allow git push" in done.stderr) == (2, True)


def test_the_dialog_offers_a_push_without_force(tmp_path):
    home = Home(tmp_path)
    with home.at_terminal("run", "git push", rows=40) as person:
        person.asked()
        person.types("a")
        person.sees("[2] these commands without force", "neither forces nor deletes", "[3] these commands with these")
        person.types("2")
        person.ended()
    assert home.asimi("check", "git push origin x").returncode == 0
    assert home.asimi("check", "git push -f").returncode == 1


def test_policy_add_writes_a_rule_that_lets_out_of_a_box(tmp_path):
    home = Home(tmp_path)
    with home.at_terminal("policy", "add", "kubectl get", "docker ps", "--outside") as person:
        person.sees("run_shell_command(kubectl get) (also outside a box)", "[y/n] ")
        person.enters("y")
        assert person.ended() == 0
    done = home.asimi("check", "--in-box", "--json", "kubectl get pods | head")
    assert (done.returncode, '"apart": [{"span": [0, 16]' in done.stdout) == (0, True), done.stdout
    said = home.doctor("--verbose").stdout
    assert "out of a box: allowed for run_shell_command(kubectl get), run_shell_command(docker ps)" in said


def test_what_nothing_lets_out_of_a_box_is_wrong_usage(tmp_path):
    home = Home(tmp_path)
    for entry, why in (
        ("make", "runs code"),
        ("git commit", "only to push"),
        ("npm", "may obey files"),
        ("x", "know"),
    ):
        done = home.asimi("policy", "add", entry, "--outside")
        assert (done.returncode, why in done.stderr.replace("\n", " ")) == (2, True), done.stderr
    assert home.asimi("policy", "add", "git push", "--outside", "--deny").returncode == 125


def test_the_dialog_offers_code_of_the_project_for_the_session_by_a_typed_word(tmp_path):
    home = Home(tmp_path, '[undo]\nkeep = "1d"\n')
    (home.root / "tool.py").write_text("")
    with home.at_terminal("run", "python3 tool.py", rows=40) as person:
        person.asked()
        person.types("s")
        person.sees("[2] code of this project", "as you")
        person.types("2")
        person.sees("type code to allow it")
        person.enters("yes")
        person.sees("Nothing was allowed: the word is code.")
        person.types("2")
        person.sees("type code to allow it")
        person.types("\x15code\r")
        assert person.ended() == 0
