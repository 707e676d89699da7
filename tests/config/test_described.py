"""Programs that people describe: which files count, and what a broken one says."""

import os

import pytest

from asimi.core.call import Place, Request, Verdict
from asimi.core.errors import AsimiError, ConfigError
from asimi.world.config.projects import confirm_programs, untrust

READS = "[[rules]]\ndecision = 'allow'\neffects = ['read']\n"
ACME = "acme\n  look : read <data*>\n"


@pytest.fixture
def own(user):
    """The user, with a rule that allows what only reads."""
    user.write(READS)
    return user


def describe(user, text=ACME, name="acme.txt"):
    return user.write(text, user.file.parent / "programs" / name)


def of_project(user, text=ACME):
    return user.write(text, user.root / ".asimi" / "programs" / "acme.txt")


def confirmed(user, text=ACME, **options):
    """The configuration once the person has said yes to all files."""
    configuration = user.configuration(**options)
    for file in configuration.programs().files:
        confirm_programs(configuration, file)
    return configuration


def runs(user, command="acme look x", **options):
    """Whether a command runs without a question."""
    place = Place.at(str(user.root), str(user.root))
    policy = user.settings(**options).policy
    return policy.decide(Request("run_shell_command", command, None, place)).verdict is Verdict.ALLOW


def states(user):
    return [file.state for file in user.configuration().programs().files]


def test_a_file_counts_once_a_person_has_confirmed_it(own):
    describe(own)
    assert not runs(own)
    assert states(own) == ["new"]
    confirmed(own)
    assert runs(own)
    assert not runs(own, "acme drop x")
    assert states(own) == ["counts"]


def test_any_change_ends_that_until_it_is_confirmed_again(own):
    path = describe(own)
    confirmed(own)
    path.write_text(ACME + "  drop : read <data*>\n")
    assert not runs(own)
    assert states(own) == ["changed"]
    (file,) = own.configuration().programs().files
    assert file.before.text == ACME
    path.write_text(ACME)
    assert runs(own)


def test_a_process_that_lives_on_sees_each_change(own):
    path = describe(own)
    configuration = confirmed(own)
    request = Request("run_shell_command", "acme look", None, Place.at(str(own.root), str(own.root)))
    assert configuration.settings().policy.decide(request).verdict is Verdict.ALLOW
    other = describe(own, "other : read\n", "other.txt")
    assert [file.state for file in configuration.programs().files] == ["counts", "new"]
    os.unlink(other)
    path.write_text(ACME + "# more\n")
    assert configuration.settings().policy.decide(request).verdict is Verdict.ASK
    os.unlink(path)
    assert configuration.programs().files == ()


def test_a_confirmed_file_counts_only_where_it_is(own):
    path = describe(own)
    confirmed(own)
    os.rename(path, path.with_name("moved.txt"))
    assert not runs(own)


def test_a_file_in_a_repository_of_dotfiles_counts_by_its_real_path(own, tmp_path):
    real = own.write(ACME, tmp_path / "dotfiles" / "acme.txt")
    link = own.file.parent / "programs" / "acme.txt"
    link.parent.mkdir()
    link.symlink_to(real)
    confirmed(own)
    assert runs(own)
    other = own.write(ACME, tmp_path / "other" / "acme.txt")
    link.unlink()
    link.symlink_to(other)
    assert not runs(own)


def test_what_a_project_describes_counts_once_it_is_trusted(own):
    path = of_project(own)
    assert not runs(own)
    configuration = confirmed(own)
    assert runs(own)
    path.write_text(ACME + "  drop : read\n")
    assert not runs(own)
    path.write_text(ACME)
    untrust(configuration)
    assert not runs(own)


def test_a_project_s_file_behind_a_link_never_counts(own, tmp_path):
    real = own.write(ACME, tmp_path / "elsewhere.txt")
    link = own.root / ".asimi" / "programs" / "acme.txt"
    link.parent.mkdir(parents=True)
    link.symlink_to(real)
    with pytest.raises(AsimiError, match="symbolic link"):
        confirmed(own)
    assert not runs(own)


def test_a_project_above_describes_nothing_below(own):
    of_project(own)
    confirmed(own)
    below = own.root / "below"
    below.mkdir()
    assert own.configuration(root=below).programs().files == ()


@pytest.mark.parametrize("text", ["acme : reed\n", "\t\n" + ACME, ACME.replace("\n", "\r\n\r\n"), " \n" + ACME])
def test_a_broken_file_of_a_project_stops_nobody_before_it_is_trusted(own, text):
    of_project(own, text)
    assert not runs(own)


@pytest.mark.parametrize("line", ["  \n", "    # no -c\n"])
@pytest.mark.parametrize("text", ["{}" + ACME, "$more = -a\n{}    -b\n" + ACME + "      $more\n", ACME + "{}"])
def test_a_line_of_blanks_or_a_comment_says_nothing(own, text, line):
    describe(own, text.format(line))
    confirmed(own)
    assert runs(own)
    assert not runs(own, "acme look -c x")


def test_the_administrator_s_file_counts_by_itself(own, only_root):
    path = own.managed("").parent / "programs" / "acme.txt"
    own.write(ACME, path)
    path.parent.chmod(0o755)
    path.chmod(0o644)
    assert runs(own)
    path.chmod(0o664)
    with pytest.raises(ConfigError, match="must belong to root"):
        own.settings()


def test_the_strongest_file_says_what_a_program_does(own):
    describe(own, "acme\n  look : network <data*>\n")
    of_project(own)
    configuration = confirmed(own)
    assert not runs(own)
    assert [each.partition(": ")[2] for each in configuration.programs().notices] == [
        "`acme` is described in a file that counts before this one"
    ]


def test_a_file_that_does_not_count_keeps_its_names_from_weaker_ones(own):
    path = describe(own, "acme\n  look : network <data*>\n")
    of_project(own)
    assert not runs(own)  # it is new
    confirmed(own)
    for text in ("# x\nacme\n  look : network <data*>\n", "beta : network\n"):  # it changed, also by leaving it out
        path.write_text(text)
        assert not runs(own)
    assert ["which does not count now" in each for each in confirmed(own).programs().notices] == []
    assert runs(own)  # a person took the name out of it


def test_files_beside_the_file_that_config_names_count_there(own, tmp_path):
    file = own.write(READS, tmp_path / "other" / "config.toml")
    own.write(ACME, file.parent / "programs" / "acme.txt")
    confirmed(own, file=file)
    assert runs(own, file=file)
    assert not runs(own)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("acme : reed\n", 1, "`reed` is not an effect, nor a kind of one; did you mean read?"),
        ("# mine\n\nacme\n  look : read\n    -x\n", 5, "an option is four blanks deeper than its row, at 6"),
        ("acme\n   look : read\n", 2, "3 blanks deep"),
        ("acme\n\tlook : read\n", 2, "tab"),
        ("\t\nacme : read\n", 1, "tab"),
        ("acme look : read\n", 1, "cannot stand here"),
        ("acme : read <reads>\n", 1, "`reads` is no role"),
        ("acme : read {quick}\n", 1, "`{quick}` is no trait"),
        ("acme : read [fast]\n", 1, "`[fast]` is no word of the syntax"),
        ("acme : read {builtin}\n", 1, "what a builtin of bash or a shell is"),
        ("acme : code shell=bash\n", 1, "what a builtin of bash or a shell is"),
        ("acme : read\n    -a=+\n", 1, "`-a=+` is not the notation of an option"),
        ("acme : read\n    -a\n    runs: -a\n", 1, "`-a` is described twice, in `options` and in `runs`"),
        ("acme : read\n    -a= --b -a\n", 1, "`-a` is described twice"),
        ("acme\n  look : network\n  look : read\n", 3, "`look` is described twice, first in line 2"),
        ("acme\n  rm : delete\n  ls,rm : read\n", 3, "`rm` is described twice, first in line 2"),
        ("acme\n  a\n    b : read\n  c\n    b : read\n    b : read\n", 6, "`b` is described twice, first in line 5"),
        ("acme : read\n    -a\n    -b\n", 3, "`options` is said twice"),
        ("acme : read\n    $more\n", 2, "no list $more"),
        ("$a = $a\nacme : read\n    $a\n", 1, "no list $a above"),
        ("  acme : read\n", 1, "first program"),
        ("acme : read\nbeta : read\nacme : read\n", 3, "`acme` is described twice"),
        ("acme,beta : read\nbeta : read\n", 2, "`beta` is described twice"),
        ("a/b : read\n", 1, "is not a name of a program"),
        ("acme : read <data*> <read*>\n".replace("> <", " "), 1, "only one operand"),
        ("acme : read\n    starts: somewhere\n", 1, "says nothing of where a command is"),
        ("git : read\n", 1, "asimi knows `git` already"),
        ("mygit,git : read\n", 1, "asimi knows `git` already"),
        ("rm : read\n", 1, "asimi knows `rm` already"),
        ("RM : read\n", 1, "asimi knows `RM` already"),
        ("bash : read\n", 1, "asimi knows `bash` already"),
        ("python3.99 : read\n", 1, "asimi knows `python3.99` already"),
        ("grm : read\n", 1, "asimi knows `grm` already"),
        ("env : read\n", 1, "asimi knows `env` already"),
        ("cd : read\n", 1, "asimi knows `cd` already"),
    ],
)
def test_a_broken_file_is_an_error_with_its_line(own, text, line, said):
    path = describe(own, text)
    with pytest.raises(ConfigError) as error:
        own.settings()
    assert (error.value.path, error.value.line) == (str(path), line)
    assert said in error.value.message


def test_bytes_that_are_no_text_are_an_error_with_their_line(own):
    describe(own).write_bytes(b"acme : read\n# \xff\n")
    with pytest.raises(ConfigError, match="UTF-8") as error:
        own.settings()
    assert error.value.line == 2


def test_a_name_that_the_catalogue_has_learnt_since_is_a_note_and_no_error(own):
    """A file that was confirmed with an older asimi must not stop the newer one."""
    path = describe(own, ACME + "git : read\n")
    own.configuration().own.trust(str(path), path.read_text())
    assert runs(own)
    (notice,) = own.configuration().programs().notices
    assert notice.startswith(f"{path}:3: asimi knows `git` already")
    assert not runs(own, "git push")
