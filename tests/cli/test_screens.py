"""The screens of docs/play.md: drawn by the script that is kept, and as the program draws them today."""

import asyncio
import re

import pytest

from docs.pictures.draw_screens import SCREENS, picture
from tests.corpus_location import ROOT

GAMES = ("chess", "connect_four", "hearts", "kuhn_poker")


def words_of(svg: str) -> list[str]:
    """The texts of a picture in their order."""
    return re.findall(r"<text [^>]*>([^<]*)</text>", svg)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_a_screen_of_the_guide_is_what_the_program_draws(name: str) -> None:
    screen = next(screen for screen in SCREENS if screen.game == name)
    stored = (ROOT / f"docs/images/{name}.svg").read_text(encoding="utf-8")
    assert words_of(asyncio.run(picture(screen))) == words_of(stored), "make screens draws it anew"


def test_the_guide_shows_all_of_them() -> None:
    guide = (ROOT / "docs/play.md").read_text(encoding="utf-8")
    assert re.findall(r"\(images/(\w+)\.svg\)", guide) == list(GAMES)
