"""People play WDL games at the page: dice, men on points, cards that only they see."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from ludorum.arena.match.record import MatchRecord
from ludorum.arena.records.formats import parse_record
from ludorum.arena.world import read_record, replay
from ludorum.engine.load import load_game
from ludorum.engine.wdl_master import WdlMaster
from ludorum.rules.library import find_sheet
from ludorum.rules.source import Source
from ludorum.rules.terms import Term
from ludorum.rules.wdl.sheet import read_wdl
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


def start_own_game(visit: Visit, rules: str, title: str, seats: dict[str, str]) -> Page:
    """The page of a match of a realtime game of two, which a visitor has written down."""
    page = visit("/new")
    page.get_by_label("rules").fill(rules)
    page.get_by_role("button", name="Check and keep").click()
    page.wait_for_url("**/game/*")
    expect(page.locator("h1")).to_have_text(title)
    expect(page.locator(".game-about .quiet").first).to_contain_text("2 players · realtime · wdl")
    for role, seat in seats.items():
        page.get_by_label(role).select_option(label=seat)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/match/*")
    return page


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
    black, white, *_nature = record.goals or ()
    # The visitor sits below.
    assert [{Term(goal)} for goal in page.locator(".goal").all_inner_texts()] == [white, black]
    states = recorded_states(record, load_game("backgammon"))
    assert follows_rules(states)
    assert states[-1].is_terminal
    off = [place(page, name).get_attribute("aria-label") or "" for name in ("off", "off of white")]
    assert any(re.match(r"off( of white)?, 15 ", words) for words in off), off


@pytest.mark.long
@pytest.mark.spec("wdl", 27)
def test_a_pursuit_by_the_clock_is_played_to_the_end_by_clicking(visit: Visit) -> None:
    """With three times the time, so that a busy machine can click as well."""
    text = find_sheet("pursuit").source.text.replace("199", "599").replace(" 200)", " 600)")
    page = start_own_game(visit, text, "Fox and hare", {"blue": "random"})
    for words in ("Pause", "Take back", "Offer draw", "Analysis"):
        assert page.get_by_role("button", name=words).count() == 0, words
    clock = page.get_by_role("timer")
    expect(page.locator(".game-clock.runs")).to_be_visible()
    play_by_clicks(page)
    assert page.locator(".status").inner_text().startswith("The game is over: ")
    assert clock.inner_text() != "0:00.0"
    kept = json.loads(page.evaluate(RECORD))
    assert kept["end"]["how"] == "rules"
    acted = {one["role"] for line in kept["world"] for one in line.get("moves", {"moves": []})["moves"]}
    assert acted == {"red", "blue"}
    sheet, _ = read_wdl(Source("pursuit", text))
    lines = [json.dumps(line) + "\n" for line in kept["world"]]
    master = WdlMaster(sheet)
    states = list(replay(read_record(lines), master))
    assert master.is_terminal(states[-1])
    blue, red = page.locator(".goal").all_inner_texts()  # the visitor sits below
    assert kept["world"][-1]["goals"] == {"red": [red], "blue": [blue]}
    page.get_by_role("button", name="First position").click()
    # A click that came as the match ended may have a banner of its own.
    expect(page.locator(".banner[role=status]")).to_contain_text("Step 0 of")


LIGHTS = """; title: Lights out
; rules: Ann switches the first of nine lamps on. Whoever has switched three on first wins.
(set realtime) (role ann) (role bob) (other ann bob) (other bob ann)
(number 1) (number 2) (number 3)
(<= (init (cell ?x ?y dark)) (number ?x) (number ?y))
(<= (init (score ?p 0)) (role ?p))
(<= (legal ann (switch ?x ?y)) (true (cell ?x ?y dark)))
(<= (legal bob (switch ?x ?y)) (true (cell ?x ?y dark)) (not (true (score ann 0))))
(<= (switched ?x ?y) (does ?_p (switch ?x ?y)))
(<= (scored ?p) (does ?p (switch ?_x ?_y)))
(<= (next (cell ?x ?y ?p)) (does ?p (switch ?x ?y)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (switched ?x ?y)))
(<= (next (score ?p ?m)) (scored ?p) (true (score ?p ?n)) (succ ?n ?m))
(<= (next (score ?p ?n)) (true (score ?p ?n)) (not (scored ?p)))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= terminal (true (score ?_p 3)))
(<= (goal ?p 100) (true (score ?p 3)))
(<= (goal ?p 0) (true (score ?q 3)) (other ?p ?q))
(<= (goal ?p 50) (role ?p) (not (true (score ann 3))) (not (true (score bob 3))))
"""


@pytest.mark.long
def test_a_realtime_sheet_of_ones_own_is_kept_found_and_played(visit: Visit) -> None:
    page = start_own_game(visit, LIGHTS, "Lights out", {"bob": "legal"})
    expect(page.locator(".game-clock.runs")).to_be_visible()
    play_by_clicks(page)
    assert page.locator(".status").inner_text().startswith("The game is over: ")
    kept = json.loads(page.evaluate(RECORD))
    assert kept["end"]["how"] == "rules"
    first = next(line["moves"]["moves"][0] for line in kept["world"] if "moves" in line)
    assert first["role"] == "ann"
    assert sorted(value for (value,) in kept["world"][-1]["goals"].values()) == ["0", "100"]
    page.goto("/")
    page.get_by_role("searchbox").fill("realtime lights")
    expect(page.locator(".games .game")).to_have_count(1)
    expect(page.locator(".games .game-foot .quiet")).to_have_text("2 players · realtime")
