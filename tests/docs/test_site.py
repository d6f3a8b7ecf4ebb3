"""The site of the documentation: all pages are in it, all links lead somewhere, nothing is fetched."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from pydoc import locate

import pytest
from typer.main import get_command

from docs.pictures import draw_exploitability, draw_network
from docs.pictures.draw_packages import FILE, SOURCE, WORDS, draw
from ludorum.cli.app import app
from tests.corpus_location import ROOT

CONFIG = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
OUTSIDE = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
MADE_BY_THE_HOOK = {"index.md", "contributing/index.md", "changelog.md"}
LINK = re.compile(r"\]\((?![a-z]+:)([^)\s]*)\)")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def prose(page: Path) -> str:
    """The text of a page without its examples."""
    return FENCED.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """What headings of a page are called in links, on the site as well as in a clone."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


def test_every_page_is_in_the_navigation_and_no_other() -> None:
    listed = re.findall(r"([\w/.-]+\.md)$", CONFIG.partition("\nnav:\n")[2], re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) - MADE_BY_THE_HOOK == {str(page.relative_to(DOCS)) for page in PAGES}


@pytest.mark.parametrize("page", [*OUTSIDE, *PAGES], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_and_headings_that_exist(page: Path) -> None:
    for link in LINK.findall(prose(page)):
        path, _, heading = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link} leads nowhere"
        assert target.is_relative_to(ROOT.resolve())
        if heading:
            assert heading in anchors(target), f"{link}: no such heading"


def test_the_reference_describes_things_that_exist() -> None:
    described = [name for page in PAGES for name in re.findall(r"^::: ([\w.]+)$", prose(page), re.MULTILINE)]
    assert "ludorum.engine" in described
    assert [name for name in described if locate(name) is None] == []


def test_the_page_of_verbs_names_them_all() -> None:
    page = (DOCS / "verbs.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `ludorum ")]
    verbs = get_command(app).commands  # type: ignore[attr-defined]
    assert len(verbs) > 20
    for name, verb in verbs.items():
        row = next(row for row in rows if re.match(rf"\| `ludorum {name}\b", row))
        assert [part for part in getattr(verb, "commands", ()) if not re.search(rf"\b{part}\b", row)] == []


@pytest.mark.parametrize("picture", sorted((DOCS / "images").iterdir()), ids=lambda picture: picture.name)
def test_pictures_fetch_nothing(picture: Path) -> None:
    text = picture.read_text(encoding="utf-8") if picture.suffix == ".svg" else ""
    assert not re.search(r"url\((?!#)|href=|@import|@font-face|<script", text)


def test_the_recording_shows_a_game_to_its_end() -> None:
    text = (DOCS / "images" / "playing.svg").read_text(encoding="utf-8").replace("&#160;", " ")
    assert text.count("@keyframes") > 5
    assert "Game over" in text


@pytest.mark.long
def test_the_picture_of_the_packages_shows_the_imports_as_they_are() -> None:
    """`python -m docs.pictures.draw_packages` draws it again."""
    assert FILE.read_text(encoding="utf-8") == draw()


def test_the_picture_of_a_network_is_what_the_rules_give() -> None:
    """`python -m docs.pictures.draw_network` draws it again."""
    assert draw_network.FILE.read_text(encoding="utf-8") == draw_network.draw()


def test_the_plot_of_exploitability_shows_the_results() -> None:
    """`python -m docs.pictures.draw_exploitability` draws it again."""
    assert draw_exploitability.FILE.read_text(encoding="utf-8") == draw_exploitability.draw()


def test_exploitability_falls_with_the_work_given() -> None:
    for game in draw_exploitability.results()["games"]:
        found = [point["exploitability"] for point in game["points"]]
        assert found == sorted(found, reverse=True)
        assert found[-1] < found[0] / 1000


def test_every_package_stands_in_the_picture_and_on_the_page() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages <= set(WORDS)
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    assert [name for name in packages if f"| `{name}/` |" not in page] == []


def test_files_and_folders_that_the_page_of_the_architecture_names_exist() -> None:
    named = re.findall(
        r"`([\w./-]+(?:/|\.(?:py|cpp|hpp)))`", (DOCS / "architecture.md").read_text(encoding="utf-8")
    )
    there = [
        f"/{path.relative_to(ROOT)}/"
        for top in ("src", "tests", "games", "bench", "docs", "frontend/src")
        for path in _below(top)
    ]
    there.append("/frontend/")  # not walked: Node puts thousands of files there
    assert len(named) > 60
    unknown = [name for name in named if name not in WHEEL and not _ends(there, f"/{name.rstrip('/')}/")]
    assert unknown == []


WHEEL = ("ludorum/games/",)
"""Where the library lies in a wheel."""


def _below(top: str) -> list[Path]:
    return [ROOT / top, *(ROOT / top).rglob("*")]


def _ends(paths: list[str], end: str) -> bool:
    return any(path.endswith(end) for path in paths)


def test_the_site_fetches_no_fonts() -> None:
    assert re.search(r"^  font: false\b", CONFIG, re.MULTILINE)


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("mkdocstrings")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > len(PAGES)
    loads = re.compile(r"<(?:script|img|iframe)[^>]* src=\"?https?:|<link[^>]* href=\"?https?:")
    assert [page for page in pages if loads.search(page.read_text(encoding="utf-8"))] == []
