"""People play at the page: by clicks, by keys, by typing, with each other."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.site import (
    Visit,
    await_turn,
    make_match,
    place,
    play_by_clicks,
    seats_against,
    start_match,
    two_people,
)


def status_of(page: Page) -> str:
    return page.locator(".status").inner_text()


def test_a_visitor_plays_after_one_click(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Play Connect Four now").click()
    expect(page.locator(".status.choice")).to_have_text("Choose a column.")
    place(page, "4 1").click()
    expect(place(page, "4 1")).to_have_attribute("aria-label", re.compile("^4 1, red"))
    expect(page.locator(".moves li")).not_to_have_count(0)


def test_a_guest_wins_connect_four_by_clicking(visit: Visit) -> None:
    page = start_match(visit("/"), "connect_four", {"red": "me", "yellow": "legal"})
    for height in range(1, 5):
        expect(page.locator(".status")).to_have_class("status choice")
        # Anywhere in the column: the disc falls.
        place(page, "4 6").click()
        expect(place(page, f"4 {height}")).to_have_attribute("aria-label", re.compile("red"))
    expect(page.locator(".status")).to_have_text("The game is over: you win!")
    assert page.locator(".seat.won .role").inner_text() == "red"
    assert page.locator(".goal").all_inner_texts() == ["0", "100"]


def test_a_search_is_played_to_the_end_by_clicking(visit: Visit) -> None:
    page = visit("/")
    make_match(page, "connect_four", {"red": "me", "yellow": "player:mcts:playouts=30"})
    play_by_clicks(page)
    assert re.match(r"The game is over: (you win!|yellow wins\.|a draw\.)", status_of(page))


def test_two_people_play_by_a_link(visit: Visit) -> None:
    ann = start_match(visit("/"), "tictactoe", {"xplayer": "me", "oplayer": "another person, by link"})
    link = ann.get_by_label("link for oplayer").input_value()
    bob = visit(link)
    bob.get_by_role("button", name="Sit down as oplayer").click()
    expect(ann.locator(".status")).to_have_class("status choice")
    for mover, name in [(ann, "1 1"), (bob, "1 2"), (ann, "2 1"), (bob, "2 2")]:
        expect(mover.locator(".status")).to_have_class("status choice")
        place(mover, name).click()
        for page in (ann, bob):
            expect(place(page, name)).not_to_have_attribute("aria-label", re.compile("empty"))
    bob.get_by_role("textbox", name="message").fill("<b>well played</b>")
    bob.get_by_role("button", name="Send").click()
    expect(ann.get_by_role("log")).to_contain_text("<b>well played</b>")
    expect(ann.locator(".status")).to_have_class("status choice")
    place(ann, "3 1").click()
    expect(ann.locator(".status")).to_have_text("The game is over: you win!")
    expect(bob.locator(".status")).to_have_text("The game is over: xplayer wins.")
    # Both want another match: it opens by itself.
    before = ann.url
    ann.get_by_role("button", name="Rematch").click()
    bob.get_by_role("button", name="Accept").click()
    ann.wait_for_url(lambda url: url != before)
    bob.wait_for_url(ann.url)


@pytest.mark.long
def test_a_spectator_sees_moves_and_cannot_move(visit: Visit) -> None:
    page = visit("/")
    match = make_match(page, "tictactoe", {"xplayer": "me", "oplayer": "player:legal"})
    other = visit(f"/match/{match}")
    expect(other.get_by_text("watching")).to_be_visible()
    assert other.locator(".place.next").count() == 0
    await_turn(page)
    place(page, "2 2").click()
    expect(place(other, "2 2")).to_have_attribute("aria-label", re.compile("x"))


def test_chess_by_typing(visit: Visit) -> None:
    page = visit("/")
    make_match(page, "chess", {"white": "me", "black": "player:legal"})
    box = page.get_by_role("combobox", name="Type or search a move")
    box.fill("e2e5")
    box.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("No legal move")
    box.fill("e2e4")
    box.press("Enter")
    expect(place(page, "e4")).to_have_attribute("aria-label", re.compile("white pawn"))
    expect(place(page, "e2")).to_have_attribute("aria-label", re.compile("empty"))
    expect(page.locator(".status")).to_have_class("status choice")
    box.fill("Nf3")
    box.press("Enter")
    expect(place(page, "f3")).to_have_attribute("aria-label", re.compile("white knight"))


def test_chess_by_dragging(visit: Visit) -> None:
    page = visit("/")
    make_match(page, "chess", {"white": "me", "black": "player:legal"})
    await_turn(page)
    place(page, "g1").drag_to(place(page, "f3"))
    expect(place(page, "f3")).to_have_attribute("aria-label", re.compile("white knight"))
    await_turn(page)
    expect(page.locator(".status")).to_have_class("status choice")
    place(page, "e2").click()
    assert page.locator('[aria-selected="true"]').get_attribute("data-place") == "e2"
    assert {cell.get_attribute("data-place") for cell in page.locator(".place.next").all()} == {"e3", "e4"}
    place(page, "d2").click()
    place(page, "d4").click()
    expect(place(page, "d4")).to_have_attribute("aria-label", re.compile("white pawn"))


def test_tictactoe_with_keys_alone(visit: Visit) -> None:
    page = visit("/")
    make_match(page, "tictactoe", {"xplayer": "me", "oplayer": "player:legal"})
    await_turn(page)
    for _ in range(40):
        if page.evaluate("document.activeElement.getAttribute('role')") == "gridcell":
            break
        page.keyboard.press("Tab")
    for name in ("2 2", "2 1", "2 3"):
        expect(page.locator(".status")).to_have_class("status choice")
        go_by_keys(page, name)
        page.keyboard.press("Enter")
        expect(place(page, name)).to_have_attribute("aria-label", re.compile("x"))
    expect(page.locator("[role=status][aria-live]")).to_contain_text("The game is over: you win!")
    assert page.evaluate("document.activeElement.dataset.place") == "2 3", "focus stays on the board"


@pytest.mark.long
def test_a_card_is_played_with_keys_alone(visit: Visit) -> None:
    page = visit("/")
    make_match(page, "hearts", seats_against(page, "hearts", "random"), seed=3)
    await_turn(page)
    hand = page.locator(".hand .card-button")
    hand.first.wait_for()
    cards = hand.count()
    for _ in range(60):
        if page.evaluate("document.activeElement.classList.contains('card-button')"):
            break
        page.keyboard.press("Tab")
    for _ in range(cards):
        if page.evaluate("document.activeElement.getAttribute('aria-disabled')") == "false":
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(hand).to_have_count(cards - 1)


def test_a_match_is_begun_and_a_disc_dropped_with_keys_alone(visit: Visit) -> None:
    page = visit("/")
    button = page.get_by_role("button", name="Play Connect Four now")
    button.wait_for()
    for _ in range(20):
        if button.evaluate("one => one === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".status.choice")).to_be_visible()
    for _ in range(40):
        if page.evaluate("document.activeElement.getAttribute('role')") == "gridcell":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator('[data-place][aria-label*="red"]')).to_have_count(1)


def test_chess_by_taps_on_a_phone(visit: Visit) -> None:
    page = visit("/", viewport={"width": 375, "height": 740}, has_touch=True, is_mobile=True)
    make_match(page, "chess", {"white": "me", "black": "player:legal"})
    await_turn(page)
    for name in ("g1", "f3"):
        place(page, name).tap()
    expect(place(page, "f3")).to_have_attribute("aria-label", re.compile("white knight"))
    expect(place(page, "g1")).to_have_attribute("aria-label", re.compile("empty"))


NOTE_SLIDES = """() => {
  window.slid = [];
  document.addEventListener("transitionrun", event => {
    if (event.target.classList.contains("token")) window.slid.push(event.propertyName);
  });
}"""


def test_a_piece_slides_to_its_place(visit: Visit) -> None:
    page = visit("/")
    make_match(page, "chess", {"white": "me", "black": "player:legal"})
    await_turn(page)
    page.evaluate(NOTE_SLIDES)
    for name in ("e2", "e4"):
        place(page, name).click()
    expect(place(page, "e4")).to_have_attribute("aria-label", re.compile("white pawn"))
    page.wait_for_function("() => window.slid.includes('transform')")


def go_by_keys(page: Page, name: str) -> None:
    """Goes from the place in focus to another by arrow keys, on a board of three columns."""
    here = int(page.evaluate("document.activeElement.dataset.at"))
    there = int(place(page, name).get_attribute("data-at"))
    right, down = there % 3 - here % 3, there // 3 - here // 3
    keys = ["ArrowRight" if right > 0 else "ArrowLeft"] * abs(right)
    for key in keys + ["ArrowDown" if down > 0 else "ArrowUp"] * abs(down):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.place") == name


@pytest.mark.long
def test_replay_steps_share_and_take_back(visit: Visit) -> None:
    page = visit("/")
    match = make_match(page, "tictactoe", {"xplayer": "me", "oplayer": "player:legal"})
    await_turn(page)
    place(page, "2 2").click()
    expect(page.locator(".moves li")).to_have_count(2)
    page.get_by_role("button", name="First position").click()
    expect(place(page, "2 2")).to_have_attribute("aria-label", re.compile("empty"))
    assert page.locator(".place.next").count() == 0, "the past cannot be changed"
    page.get_by_role("button", name="Step on").click()
    expect(place(page, "2 2")).to_have_attribute("aria-label", re.compile("x"))
    expect(page.locator(".banner")).to_contain_text("Step 1 of 2")
    other = visit(f"/match/{match}?step=1")
    expect(other.locator(".banner")).to_contain_text("Step 1 of 2")
    page.get_by_role("button", name="Last position").click()
    expect(page.locator(".banner")).to_have_count(0)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".moves li")).to_have_count(0)
    expect(place(page, "2 2")).to_have_attribute("aria-label", re.compile("empty"))


def test_resigning_asks_twice(visit: Visit) -> None:
    page = visit("/")
    make_match(page, "tictactoe", {"xplayer": "me", "oplayer": "player:legal"})
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.locator(".status")).to_have_class("status choice")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign now").click()
    expect(page.locator(".status.resigned")).to_be_visible()
    expect(page.get_by_role("link", name="Record")).to_be_visible()


def test_the_analysis_weighs_moves(visit: Visit) -> None:
    page = visit("/")
    make_match(page, "tictactoe", {"xplayer": "me", "oplayer": "player:legal"})
    page.get_by_role("button", name="Analysis").click()
    expect(page.locator(".analysis tbody tr")).not_to_have_count(0)
    expect(page.locator(".evaluation")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize(
    "game", ["kuhn_poker", "krieg_tictactoe", "hex", "othello", "crazy_eights", "hearts", "chess"]
)
def test_games_are_played_to_the_end_by_clicking(visit: Visit, game: str) -> None:
    page = visit("/")
    make_match(page, game, seats_against(page, game, "random"), seed=3)  # short at crazy eights
    play_by_clicks(page)
    assert status_of(page).startswith("The game is over: ")


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("kuhn_poker", ("alice", "bob")),
        ("krieg_tictactoe", ("xplayer", "oplayer")),
        ("connect_four", ("red", "yellow")),
        ("hex", ("red", "blue")),
    ],
)
def test_two_browsers_play_to_the_end_by_clicking(visit: Visit, game: str, seats: tuple[str, str]) -> None:
    pages = two_people(visit, game, seats)
    play_by_clicks(*pages)
    ends = [(status_of(page), page.locator(".goal").all_inner_texts()) for page in pages]
    assert sum(words == "The game is over: you win!" for words, _ in ends) == (ends[0][1] != ["50", "50"])
    assert sorted(ends[0][1]) == sorted(ends[1][1])
