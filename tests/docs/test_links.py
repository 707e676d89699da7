"""Every link of the documentation leads somewhere; of a link to elsewhere only the form is looked at."""

from __future__ import annotations

import os
import re
from urllib.parse import urlsplit

import pytest
from helpers import ROOT
from helpers.pages import PAGES, anchors, links, named, prose

PLACEHOLDERS = {"example.org", "example.com", "git.example.org"}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_leads_somewhere(page):
    for link in links(page):
        address = urlsplit(link)
        if address.scheme:
            assert address.scheme == "https", link
            assert "." in address.netloc, link
            assert address.netloc not in PLACEHOLDERS, link
            continue
        target = (page.parent / address.path).resolve() if address.path else page
        assert target.is_relative_to(ROOT), f"{link} leads out of the project"
        assert target.exists(), link
        if address.fragment:
            assert address.fragment in anchors(target), link


def test_every_page_can_be_found_from_the_readme():
    seen, coming = set(), [ROOT / "README.md"]
    while coming:
        page = coming.pop()
        if page in seen:
            continue
        seen.add(page)
        paths = [urlsplit(link).path for link in links(page) if not urlsplit(link).scheme]
        coming += [target for path in paths if path.endswith(".md") and (target := (page.parent / path).resolve())]
    assert sorted(map(named, {*PAGES} - seen)) == []


def test_a_file_of_the_project_that_a_page_names_is_there():
    for page in PAGES:
        for path in re.findall(r"`((?:docs|tests|bench|examples)/[\w./-]+)`", page.read_text(encoding="utf-8")):
            assert (ROOT / path.split("::")[0]).exists(), f"{named(page)}: {path}"


def test_every_page_has_its_place_in_the_site():
    """`make docs` would say so as well; a page beside docs/ has its own name there, and each README another one."""
    placed = set(re.findall(r"(?m)^ +- (?:.*: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8")))
    there = {"README.md": "index.md", "docs/README.md": "pages.md"}
    assert placed == {there.get(named(page), named(page).removeprefix("docs/")) for page in PAGES}


def test_the_list_of_pages_says_of_each_what_its_first_line_says():
    listed = prose(ROOT / "docs" / "README.md")
    for page in PAGES:
        assert f"]({os.path.relpath(page, ROOT / 'docs')})" in listed or page.parent == ROOT / "docs"
        if page.parent.parent == ROOT / "docs":
            shelf = listed.partition(f"\n## {page.parent.name.capitalize()}")[2].partition("\n## ")[0]
            says, _, reader = prose(page).split("\n\n")[1].strip().partition(". For ")
            assert f"({page.parent.name}/{page.name}): {says}.\n" in f"{shelf}\n"
            assert reader.endswith("."), f"{named(page)} does not say for whom it is"
