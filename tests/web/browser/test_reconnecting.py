"""A server that dies in the middle of a match: the page says so, comes back, and nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.site import Site, Visits, await_turn, make_match, place, served


@pytest.fixture
def mortal(tmp_path: Path, site: Site) -> Iterator[Site]:
    """A server of this test alone."""
    with served(tmp_path) as found:
        yield found


def test_a_match_goes_on_after_the_server_was_killed(browser: Browser, mortal: Site) -> None:
    visits = Visits(browser, mortal.address)
    page = visits.open("/")
    make_match(page, "tictactoe", {"xplayer": "me", "oplayer": "player:legal"})
    await_turn(page)
    place(page, "2 2").click()
    expect(page.locator(".moves li")).to_have_count(2)
    mortal.kill()
    expect(page.locator(".banner")).to_contain_text("The connection is lost")
    mortal.start()
    expect(page.locator(".banner")).to_have_count(0)
    expect(place(page, "2 2")).to_have_attribute("aria-label", re.compile("x"))
    await_turn(page)
    place(page, "3 3").click()
    expect(page.locator(".moves li")).to_have_count(4)
    visits.close()
