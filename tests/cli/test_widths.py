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
    with home.at_terminal("run", "git push") as person:
        person.asked()
        person.types("a")
        person.sees(
            "run_shell_command(git push)  and any arguments", "git push --force", "(rewrites published history)"
        )
        person.types("n")
        assert person.ended() == 126
