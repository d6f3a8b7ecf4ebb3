"""People play WDL games at the page: dice, men on points, cards that only they see."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from ludorum.arena.match.record import MatchRecord
from ludorum.arena.records.formats import parse_record
from ludorum.engine.load import load_game
from ludorum.rules.terms import Term
from ludorum.scene.recorded import follows_rules, recorded_states
from tests.web.browser.site import Visit, await_turn, make_match, place, play_by_clicks

RECORD = (
    "async () => (await fetch(location.pathname.replace('/match', '/api/v1/matches') + '/record')).text()"
)


def recorded_match(page: Page) -> MatchRecord:
    """The record of the match that a page shows."""
    record = parse_record(page.evaluate(RECORD))
    assert isinstance(record, MatchRecord)
    return record


@pytest.mark.long
def test_a_man_is_moved_by_clicking_it_and_where_it_goes(visit: Visit) -> None:
    page = visit("/")
    make_match(page, "backgammon", {"black": "me", "white": "player:random"}, seed=4)
    for _ in range(9):  # equal dice are rolled again, and the other may begin
        await_turn(page)
        if page.get_by_role("button", name="roll a die").count() == 0:
            break
        step = page.locator(".moves li").count()
        page.get_by_role("button", name="roll a die").click()
        expect(page.locator(".moves li")).not_to_have_count(step)
    assert page.locator(".table-dice .die").count() in (2, 4)
    before = page.locator(".place.next")
    start = before.first
    name, men = start.get_attribute("data-place"), start.get_attribute("aria-label")
    assert men is not None
    found = re.match(rf"{name}, (\d+) black", men)
    assert found
    start.click()
    target = page.locator(".place.next").first
    goal = target.get_attribute("data-place")
    target.click()
    expect(page.locator(".moves li").last).to_contain_text(re.compile(f"black {name} (to )?{goal}"))
    left = int(found[1]) - 1
    expect(place(page, str(name))).to_have_attribute(
        "aria-label", re.compile(f"{name}, {f'{left} black' if left else 'empty'}")
    )


@pytest.mark.long
def test_backgammon_is_played_to_the_end_by_clicking(visit: Visit) -> None:
    page = visit("/")
    make_match(page, "backgammon", {"black": "me", "white": "player:random"}, seed=3)
    play_by_clicks(page)
    assert page.locator(".status").inner_text().startswith("The game is over: ")
    record = recorded_match(page)
    assert record.terminal is True
    black, white, _ = record.goals or ()
    # The visitor sits below.
    assert [{Term(goal)} for goal in page.locator(".goal").all_inner_texts()] == [white, black]
    states = recorded_states(record, load_game("backgammon"))
    assert follows_rules(states)
    assert states[-1].is_terminal
    off = [place(page, name).get_attribute("aria-label") or "" for name in ("off", "off of white")]
    assert any(re.match(r"off( of white)?, 15 ", words) for words in off), off
