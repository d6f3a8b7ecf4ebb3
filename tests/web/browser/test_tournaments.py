"""A tournament from its form to its standings, watched in the browser."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import faults_of
from tests.web.browser.site import Visit

ENDED_MS = 120_000


def sign_up(page: Page, name: str) -> None:
    page.goto("/sign-up")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill("a long password")
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(page.locator(".visitor")).to_contain_text(name)


def fill_form(page: Page, game: str, players: list[str], seconds: str) -> None:
    page.get_by_role("link", name="Tournaments").click()
    page.get_by_role("link", name="New tournament").click()
    form = page.get_by_role("form", name="new tournament")
    form.get_by_label("Games", exact=True).select_option(label=game)
    for player in players:
        form.get_by_label("Players", exact=True).select_option(label=player)
    form.get_by_label("Form").select_option(label="Gauntlet")
    form.get_by_label("Seconds a move").fill(seconds)


@pytest.mark.long
@pytest.mark.parametrize("width", [1280, 375])
def test_a_small_tournament_is_made_and_watched_to_its_standings(
    visit: Visit, tmp_path: Path, width: int
) -> None:
    page = visit("/", viewport={"width": width, "height": 800}, reduced_motion="reduce")
    sign_up(page, f"organiser {width}")
    fill_form(page, "Tic-Tac-Toe", ["random", "legal", "greedy"], "0.05")
    expect(page.get_by_label("chosen players").locator("li").first).to_contain_text("meets all others")
    page.get_by_role("button", name="remove greedy").click()
    page.get_by_label("Players", exact=True).select_option(label="greedy")
    assert faults_of(page) == []
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/tournament/*")
    expect(page.locator("h1")).to_have_text("Gauntlet: Tic-Tac-Toe")
    expect(page.locator(".progress")).to_contain_text("over: 4 of 4 matches", timeout=ENDED_MS)
    rows = page.get_by_role("region", name="standings").locator("tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text(re.compile(r"1.*\d{4}"))
    cells = page.get_by_role("region", name="cross table").locator("td")
    assert sorted(cells.all_inner_texts()).count("–") == 3
    assert faults_of(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    with page.expect_download() as download:
        page.get_by_role("link", name="Records of all matches").click()
    records = tmp_path / "records.zip"
    download.value.save_as(records)
    with zipfile.ZipFile(records) as archive:
        assert len([name for name in archive.namelist() if name.endswith("tictactoe.json")]) == 4

    expect(page.locator(".matches li")).to_have_count(4)
    page.locator(".matches a").first.click()
    page.wait_for_url("**/match/*")
    page.get_by_role("link", name="To the tournament").click()
    expect(page.locator("h1")).to_have_text("Gauntlet: Tic-Tac-Toe")
    page.get_by_role("link", name="Tournaments").click()
    expect(page.locator(".matches a").first).to_contain_text("over, 4 of 4")
    assert faults_of(page) == []


@pytest.mark.long
def test_its_owner_stops_a_tournament_and_others_only_watch(visit: Visit) -> None:
    page = visit("/")
    sign_up(page, "stopper")
    fill_form(page, "Chess", ["random", "mcts"], "10")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/tournament/*")
    other = visit(page.url)
    expect(other.get_by_role("heading", name="Played now")).to_be_visible()
    expect(other.get_by_role("button", name="Stop")).to_have_count(0)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Stop the tournament").click()
    for one in (page, other):
        expect(one.locator(".progress")).to_contain_text("stopped: 0 of 2")
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    other.goto("/tournaments/new")
    expect(other.get_by_role("main")).to_contain_text("to make a tournament")
