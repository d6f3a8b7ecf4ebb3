"""Programs elsewhere: a person registers one, plays against it, and reads what went wrong with it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from ludorum.arena.testing import Act, Heard, Raw
from tests.browser.accessible import faults_of
from tests.web.browser.site import Visit, play_by_clicks, start_match
from tests.web.scripted import scripted


@pytest.mark.long
def test_a_program_is_registered_by_url_and_played_against(visit: Visit) -> None:
    """Its answers to PLAY are broken: legal moves are made for it, and the page says why."""

    def answer(heard: Heard) -> Act:
        return Raw(b"") if heard.keyword == "play" else "((name Broken) (status available))"

    with scripted(answer) as far:
        page = visit("/sign-up", reduced_motion="reduce")
        page.get_by_label("Name").fill("Remote owner")
        page.get_by_label("Password").fill("long enough")
        page.get_by_role("button", name="Sign up").click()
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()

        page.goto("/remotes")
        form = page.get_by_role("form", name="register a player")
        form.get_by_label("Address").fill("http://localhost:9147")
        form.get_by_label("Name").fill("Broken")
        form.get_by_role("button", name="Register").click()
        expect(form.get_by_role("alert")).to_contain_text("localhost is not a host of the public internet")
        form.get_by_label("Address").fill(far.url)
        form.get_by_role("button", name="Register").click()
        row = page.get_by_role("row").filter(has_text="Broken")
        expect(row).to_contain_text("answered just now")
        expect(row).to_contain_text(far.url)
        assert faults_of(page) == []

        start_match(page, "tictactoe", {"xplayer": "me", "oplayer": "remote:Broken"})
        play_by_clicks(page)
        faults = page.locator(".match-faults")
        expect(faults.locator("summary")).to_have_text(re.compile(r"Faults of programs: oplayer \d"))
        faults.locator("summary").click()
        expect(faults.locator("li").first).to_contain_text("remote:Broken: closed without a reply")

        page.goto("/remotes")
        expect(row).to_contain_text("not reachable, answered")
        row.get_by_role("button", name="Ask again").click()
        expect(row).to_contain_text("answered just now")
        row.get_by_role("button", name="Remove").click()
        row.get_by_role("button", name="Remove Broken").click()
        expect(page.get_by_text("No program is registered yet.")).to_be_visible()
