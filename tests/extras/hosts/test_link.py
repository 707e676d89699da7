"""What a far end says of itself, and what it answers."""

import os

import pytest
from helpers.hosts import Hosted, host_at

from asimi.core.call import Sandbox
from asimi.core.errors import AsimiError, HostError
from asimi.extras.hosts.link import Link
from asimi.extras.hosts.questions import walk
from asimi.world.host import trees


def test_facts_are_those_of_the_other_end(there, tmp_path):
    facts = there.link.facts
    assert facts.home == str(tmp_path / "home")
    assert facts.root == str(tmp_path / "root")
    assert facts.environ["HOME"] == str(tmp_path / "home")
    assert facts.places.state == str(tmp_path / "home/.local/state/asimi")
    assert facts.shell.kind == "bash"
    assert os.path.isabs(facts.shell.path)
    assert facts.managed == ()


def test_the_root_is_its_real_path_there(tmp_path):
    (tmp_path / "link").symlink_to("root")
    host = host_at(tmp_path / "home", tmp_path / "root")._replace(root=str(tmp_path / "link"))
    link = Link(host)
    assert link.facts.root == str(tmp_path / "root")
    link.close()


def test_a_root_of_the_home_is_found_by_its_tilde(tmp_path):
    (tmp_path / "home/project").mkdir(parents=True)
    link = Link(host_at(tmp_path / "home", tmp_path)._replace(root="~/project"))
    assert link.facts.root == str(tmp_path / "home/project")
    link.close()


def test_a_root_that_is_none_is_an_error_that_names_it(tmp_path):
    host = host_at(tmp_path / "home", tmp_path)._replace(root=str(tmp_path / "gone"))
    with pytest.raises(HostError, match=r"host there: does not serve: the project root .*gone' is not a directory"):
        Link(host)


def test_questions_are_answered_as_there(there, tmp_path):
    (tmp_path / "root/sub").mkdir()
    (tmp_path / "root/sub/a").touch()
    (tmp_path / "root/to").symlink_to("sub")
    root = str(tmp_path / "root")
    asked = {
        ("resolve", f"{root}/to/a"): f"{root}/sub/a",
        ("names", root): {"sub", "to"},
        ("names", f"{root}/sub/a"): (),
        ("kind", f"{root}/sub"): "directory",
        ("kind", f"{root}/gone"): "",
        ("below", f"{root}/sub", 2): (f"{root}/sub/a",),
        ("links", f"{root}/to"): True,
        ("leads", ((root, 1),)): ((root, (root, f"{root}/sub")),),
        ("leads", ((f"{root}/to", 1),)): ((f"{root}/sub", (f"{root}/to", f"{root}/sub")),),
        ("repository", "/"): None,
        ("branch", root, "main"): False,
        ("directory", f"{root}/to"): "directory",
        ("directory", f"{root}/sub/a"): "other",
        ("directory", f"{root}/gone"): "",
        ("unkept", Sandbox()): "",
        ("jobs",): (),
        ("looked", (), root, root): (),
    }
    answers = there.link.ask_all(list(asked))
    assert [set(each) if isinstance(each, tuple) and len(each) == 2 else each for each in answers] == [*asked.values()]


def test_names_that_are_no_text_come_as_python_has_them(there, tmp_path):
    os.mkdir(os.fsencode(tmp_path / "root") + b"/\xff\n\x1b")
    assert there.link.ask("names", str(tmp_path / "root")) == ("\udcff\n\x1b",)


def test_a_walk_passes_what_one_here_passes(there, tmp_path):
    for each in ("a/b/c", "a/left/out", "d"):
        (tmp_path / "root" / each).mkdir(parents=True)
        (tmp_path / "root" / each / "file").touch()
    (tmp_path / "root/to").symlink_to("a")

    def passed(walk, depth, whole):
        seen = set()

        def take(path, name):
            seen.add((path, name))
            return name == "left"

        return walk(str(tmp_path / "root"), depth, take, whole), seen

    def there_(*arguments):
        return walk(there.link.ask_all, *arguments)

    for depth in (1, 2, 3, 4, 5):
        for whole in (False, True):
            assert passed(there_, depth, whole) == passed(trees.walk, depth, whole)


def test_a_question_that_is_none_is_refused_and_the_link_goes_on(there):
    with pytest.raises(AsimiError, match="is no question"):
        there.link.ask("system", "true")
    with pytest.raises(AsimiError, match="kind"):
        there.link.ask("kind", 3)
    assert there.link.ask("kind", "/") in {"directory", "mount"}


def test_files_that_commands_wrote_can_be_read_and_no_others(there, tmp_path):
    (tmp_path / "root/secret").write_text("x")
    result = there("yes | head -c 3000000", output_bytes=1000)
    assert there.link.ask("kept", result.stdout.file, 2_999_998) == "eQo="
    with pytest.raises(AsimiError, match="none of the files"):
        there.link.ask("kept", str(tmp_path / "root/secret"), 0)


def test_only_roots_below_the_one_that_it_was_given_are_served(tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "a/b").mkdir(parents=True)
    program = (*host_at(tmp_path / "home", tmp_path).program, "--root", str(tmp_path / "a"))
    host = host_at(tmp_path / "home", tmp_path / "a/b", program=program)
    it = Hosted(tmp_path / "home", tmp_path / "a/b", host)
    assert it("pwd").stdout.text == f"{tmp_path}/a/b\n"
    it.end()
    with pytest.raises(HostError, match="is not below"):
        Link(host._replace(root=str(tmp_path)))
