"""What people look at while and after they play: knowledge, values, records, ratings."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.accessible import faults_of
from tests.web.browser.site import Visit, await_turn, make_match, place, seats_against
from tests.web.browser.test_tournaments import sign_up


@pytest.mark.long
def test_a_player_reads_what_its_role_knows(visit: Visit) -> None:
    page = visit("/", reduced_motion="reduce")
    make_match(page, "kuhn_poker", seats_against(page, "kuhn_poker", "random"))
    await_turn(page)
    page.get_by_role("button", name="What I know").click()
    knowledge = page.locator(".knowledge")
    expect(knowledge.get_by_role("heading", name="Certain")).to_be_visible()
    expect(knowledge.get_by_role("heading", name=re.compile("^Likely"))).to_be_visible()
    # One card is the own one; the other player has one of the other two.
    expect(knowledge.locator(".opinion small")).to_have_text(["50 %", "50 %"])
    assert faults_of(page) == []


@pytest.mark.long
def test_a_card_player_reads_who_may_have_which_card(visit: Visit) -> None:
    page = visit("/", reduced_motion="reduce")
    make_match(page, "hearts", seats_against(page, "hearts", "random"), seed=3)
    await_turn(page)
    page.get_by_role("button", name="What I know").click()
    knowledge = page.locator(".knowledge")
    expect(knowledge.locator(".words span")).to_have_text([re.compile(r"^you: (.+, ){12}")])
    expect(knowledge.get_by_role("heading", name="Likely, in 200 worlds")).to_be_visible()
    expect(knowledge.locator(".opinion li").first).to_have_text(re.compile(r"^player[123]: .+\d\d %"))
    assert faults_of(page) == []


@pytest.mark.long
def test_a_match_that_is_over_has_a_curve_a_record_and_a_rating(visit: Visit, tmp_path: Path) -> None:
    page = visit("/", reduced_motion="reduce")
    sign_up(page, "rated")  # matches of guests are not
    match = make_match(page, "connect_four", {"red": "me", "yellow": "player:legal"})
    for height in range(1, 5):
        expect(page.locator(".status")).to_have_class("status choice")
        place(page, "4 6").click()
        expect(place(page, f"4 {height}")).to_have_attribute("aria-label", re.compile("red"))
    expect(page.locator(".status")).to_have_text("The game is over: you win!")

    page.get_by_role("button", name="Analysis").click()
    page.get_by_role("button", name="Draw the value curve").click()
    curve = page.locator(".curve svg")
    expect(curve.locator(".touch")).to_have_count(8)
    expect(curve).to_have_attribute("aria-label", re.compile(r"red from \d+ to 100"))
    assert faults_of(page) == []
    curve.locator(".touch").nth(2).click()
    expect(page.locator(".banner")).to_contain_text("Step 2 of 7")

    with page.expect_download() as download:
        page.get_by_role("link", name="Record").click()
    record = tmp_path / "record.json"
    download.value.save_as(record)
    assert len(json.loads(record.read_text())["moves"]) == 7

    page.goto("/leaderboard?game=connect_four")
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="legal", exact=True))
    expect(row).to_contain_text("program")
    row.get_by_role("link", name="legal").click()
    expect(page.locator("h1")).to_contain_text("legal")
    expect(page.get_by_role("region", name="Ratings").locator("tbody tr")).not_to_have_count(0)
    expect(page.locator(f'a[href*="{match}"]')).to_be_visible()
    assert faults_of(page) == []
