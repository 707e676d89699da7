"""What is proven of Perl that `perl -ne` and `-pe` run: what passes is tried with the real one."""

import shutil
import subprocess

import pytest

from asimi.core.budget import Budget
from asimi.core.reading.inline import read_perl

PROVEN = r"""
s/a/b/
s/foo(\w+)/bar$1/g; s|a/b|c|
print if /a/
print unless /a(?:b|c)$/i
print if $. == 3
print if 2..3
print "$.: $_" if /x/ && !/y/
tr/a-z/A-Z/; s/\s+$//
y/a/b/;
/a/ and print
/a/ && print
next if /^#/; print
chomp; print "$_\n"
s/\$x/\@y/
s/a/$&$&/; last if eof
print if /a/ .. /b/
m|x| and print
s/(a)-(b)/$2 $1/
"""

NOT_PROVEN = r"""
s/a/`touch x`/e
s/a/touch x/ee
s/a/@{[`touch x`]}/
s/a/@x/
s/(?{`touch x`})//
s/(??{`touch x`})//
s/(*{`touch x`})//
s/a/$1[`touch x`]/
s/a/$1{`touch x`}/
s/a/$_->x/
s/$x//
s/a/${\ `touch x`}/
s/@{[`touch x`]}//
print `touch x`
print $ENV{TOKEN}
print "$ENV{TOKEN}"
print "@{[`touch x`]}"
print "$_[`touch x`]"
print F $_
print {F} $_
print if system("touch x")
print if `touch x`
system("touch x") if /a/
open(F, ">x")
BEGIN { `touch x` }
s/a/b/; `touch x`
s/a/b/ if `touch x`
s'a'b'
s{a}{b}e
unlink
do "x"
require x
-e
'a
s/a
"""


@pytest.mark.parametrize("text", PROVEN.strip().splitlines())
def test_what_changes_and_prints_lines_is_proven(tmp_path, text):
    assert read_perl(text, ["f"], Budget()).reads
    if shutil.which("perl") is None:
        pytest.skip("perl is not here")
    (tmp_path / "f").write_text("a\nfooa\nx\n#b\n")
    done = subprocess.run(["perl", "-ne", text, "f"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert [each.name for each in tmp_path.iterdir()] == ["f"]


@pytest.mark.parametrize("text", [*NOT_PROVEN.strip().splitlines(), "s/a/b/;" * 1000])
def test_what_may_do_more_is_not(text):
    assert not read_perl(text, ["f"], Budget()).reads


@pytest.mark.parametrize(
    "name", ["touch x|", "|touch x", ">x", ">>x", "<x", "+<x", " x", "x ", "-x", "&x", None, "a\nb|"]
)
def test_what_perl_opens_as_something_else_than_a_file_is_not(name):
    assert not read_perl("print", ["f", name], Budget()).reads


def test_the_files_are_named():
    assert [(each.path, each.how) for each in read_perl("print", ["f", "-"], Budget()).files] == [("f", "read")]
