"""What people do at a table beside moving, with two browsers at one match."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Response, expect

from tests.web.browser.site import Visit, make_match, place, two_people

TICTACTOE = ("xplayer", "oplayer")


def expect_piece(page: Page, name: str, piece: str) -> None:
    expect(place(page, name)).to_have_attribute("aria-label", re.compile(f"^{name}, {piece}"))


def expect_status(page: Page, words: str) -> None:
    expect(page.locator(".status")).to_have_text(words)


def mark(page: Page, name: str) -> None:
    """Marks a cell when it is the turn of the page's visitor."""
    expect(page.locator(".status.choice")).to_be_visible()
    place(page, name).click()
    expect(place(page, name)).not_to_have_attribute("aria-label", re.compile("empty"))


def test_a_prepared_move_is_shown_cancelled_and_played_when_its_turn_comes(visit: Visit) -> None:
    ann, bob = two_people(visit, "tictactoe", TICTACTOE)
    prepared = bob.locator(".premove")
    place(bob, "2 2").and_(bob.locator(".next")).click()
    expect(prepared).to_contain_text("Prepared: mark 2 2")
    expect(bob.locator(".board .prepared")).to_have_count(1)
    bob.get_by_role("button", name="Cancel").click()
    expect(prepared).to_have_count(0)
    place(bob, "1 1").click()
    expect(prepared).to_contain_text("Prepared: mark 1 1")
    place(bob, "3 3").click()
    expect(prepared).to_contain_text("Prepared: mark 3 3")
    expect(ann.locator(".premove, .prepared")).to_have_count(0)
    mark(ann, "2 2")
    for page in (ann, bob):
        expect_piece(page, "3 3", "o")
    expect(prepared).to_have_count(0)
    expect(ann.locator(".status.choice")).to_be_visible()


@pytest.mark.long
def test_a_prepared_move_that_is_not_legal_is_dropped_with_a_word(visit: Visit) -> None:
    ann, bob = two_people(visit, "tictactoe", TICTACTOE)
    place(bob, "2 2").and_(bob.locator(".next")).click()
    expect(bob.locator(".premove")).to_contain_text("Prepared")
    mark(ann, "2 2")
    expect(bob.locator(".premove")).to_have_text("The move you prepared, mark 2 2, is not legal now.")
    expect(bob.locator(".status.choice")).to_be_visible()
    mark(bob, "1 1")
    expect(bob.locator(".premove")).to_have_count(0)


@pytest.mark.long
def test_spectators_are_counted(visit: Visit) -> None:
    page = visit("/")
    match = make_match(page, "tictactoe", {"xplayer": "me", "oplayer": "player:legal"})
    expect(page.get_by_text("spectator")).to_have_count(0)
    other = visit(f"/match/{match}")
    expect(page.get_by_text("1 spectator", exact=True)).to_be_visible()
    other.goto("/")
    expect(page.get_by_text("spectator")).to_have_count(0)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def expect_offer(page: Page, words: str) -> None:
    expect(page.locator(".offer")).to_contain_text(words)


def test_the_clock_of_the_server_runs_out_although_the_page_is_gone(visit: Visit) -> None:
    ann, bob = two_people(visit, "tictactoe", TICTACTOE, clock={"base": 2.0, "increment": 0})
    ann.goto("about:blank")
    expect_status(bob, "xplayer is out of time: you win!")
    assert bob.locator(".clock").all_inner_texts() == ["0:00.0", "0:02.0"]
    assert bob.locator(".goal").all_inner_texts() == ["0", "100"]


@pytest.mark.long
def test_a_pause_is_agreed_and_stops_the_clocks_until_both_go_on(visit: Visit) -> None:
    ann, bob = two_people(visit, "tictactoe", TICTACTOE, clock={"base": 600.0, "increment": 0})
    expect(ann.locator(".clock.running")).to_have_count(1)
    press(bob, "Pause")
    expect_offer(ann, "oplayer offers a pause.")
    press(ann, "Accept")
    for page in (ann, bob):
        expect_status(page, "The match is paused.")
        expect(page.locator(".clock.running, .place.next")).to_have_count(0)
    stopped = ann.locator(".clock").all_inner_texts()
    press(ann, "Resume")
    expect_offer(bob, "xplayer offers to go on.")
    assert ann.locator(".clock").all_inner_texts() == stopped
    press(bob, "Accept")
    expect(bob.locator(".clock.running")).to_have_count(1)
    mark(ann, "1 1")


@pytest.mark.long
def test_a_draw_is_declined_then_accepted(visit: Visit) -> None:
    ann, bob = two_people(visit, "tictactoe", TICTACTOE)
    press(bob, "Offer draw")
    expect(bob.get_by_role("button", name="Draw offered")).to_be_disabled()
    expect_offer(ann, "oplayer offers a draw.")
    press(ann, "Decline")
    expect(ann.locator(".offer")).to_have_count(0)
    press(bob, "Offer draw")
    press(ann, "Accept")
    for page in (ann, bob):
        expect_status(page, "A draw was agreed.")
        assert page.locator(".goal").all_inner_texts() == ["50", "50"]


@pytest.mark.long
def test_people_take_a_move_back_in_agreement(visit: Visit) -> None:
    ann, bob = two_people(visit, "tictactoe", TICTACTOE)
    mark(ann, "2 2")
    press(ann, "Take back")
    expect_offer(bob, "xplayer offers to take the last move back.")
    press(bob, "Decline")
    expect(ann.get_by_role("button", name="Take back")).to_be_enabled()
    expect_piece(ann, "2 2", "x")
    press(ann, "Take back")
    press(bob, "Accept")
    for page in (ann, bob):
        expect_piece(page, "2 2", "empty")
    mark(ann, "1 1")
    mark(bob, "2 2")


@pytest.mark.long
def test_who_resigns_is_asked_again_and_the_rematch_swaps_seats(visit: Visit) -> None:
    ann, bob = two_people(visit, "tictactoe", TICTACTOE)
    press(ann, "Resign")
    press(ann, "No")
    mark(ann, "2 2")
    press(ann, "Resign")
    press(ann, "Resign now")
    expect_status(ann, "xplayer has resigned: oplayer wins.")
    expect_status(bob, "xplayer has resigned: you win!")
    old = ann.url
    press(bob, "Rematch")
    expect_offer(ann, "oplayer offers a rematch.")
    press(ann, "Accept")
    for page in (ann, bob):
        page.wait_for_url(lambda url: url != old)
    mark(bob, "1 1")
    mark(ann, "2 2")
    for page in (ann, bob):
        expect_piece(page, "1 1", "x")
        expect_piece(page, "2 2", "o")


@pytest.mark.long
def test_a_chat_is_hidden_and_shown_again(visit: Visit) -> None:
    ann, bob = two_people(visit, "tictactoe", TICTACTOE)
    chat = ann.get_by_role("region", name="chat")
    chat.get_by_role("button", name="Hide").click()
    expect(ann.get_by_role("log")).to_have_count(0)
    bob.get_by_role("textbox", name="message").fill("are you there?")
    press(bob, "Send")
    expect(bob.get_by_role("log")).to_contain_text("are you there?")
    mark(ann, "1 1")
    expect(ann.get_by_text("are you there?")).to_have_count(0)
    chat.get_by_role("button", name="Show").click()
    expect(ann.get_by_role("log")).to_contain_text("are you there?")


@pytest.mark.long
def test_the_board_is_seen_from_ones_own_side_and_turned_around(visit: Visit) -> None:
    ann, bob = two_people(visit, "chess", ("white", "black"))

    def expect_below(page: Page, below: str, above: str, seats: list[str]) -> None:
        assert page.locator(".seat .role").all_inner_texts() == seats
        heights = [place(page, name).bounding_box() for name in (below, above)]
        assert heights[0] is not None
        assert heights[1] is not None
        assert heights[0]["y"] > heights[1]["y"]

    for page, (below, above), seats in (
        (ann, ("e1", "e8"), ["black", "white"]),
        (bob, ("e8", "e1"), ["white", "black"]),
    ):
        expect_below(page, below, above, seats)
        press(page, "Turn the board around")
        expect_below(page, above, below, seats[::-1])
    # Turned around it is played on as before.
    place(ann, "e2").click()
    place(ann, "e4").click()
    expect_piece(bob, "e4", "white pawn")


@pytest.mark.long
def test_a_match_is_replayed_and_a_position_of_it_shared(visit: Visit) -> None:
    page = visit("/", permissions=["clipboard-read", "clipboard-write"])
    make_match(page, "tictactoe", {"xplayer": "me", "oplayer": "player:legal"})
    for name in ("2 2", "3 3"):
        mark(page, name)
    expect(page.locator(".moves li")).to_have_count(4)
    page.get_by_label("speed of the replay").select_option("5")
    press(page, "First position")
    expect_piece(page, "2 2", "empty")
    press(page, "Replay from here")
    expect(page.locator(".banner")).to_have_count(0)
    expect_piece(page, "3 3", "x")
    page.locator(".moves li button").nth(1).click()
    press(page, "Share this position")
    shared: str = page.evaluate("navigator.clipboard.readText()")
    other = visit(shared)
    expect(other.locator(".banner")).to_contain_text("Step 2 of 4")
    expect_piece(other, "2 2", "x")
    expect_piece(other, "3 3", "empty")


@pytest.mark.long
def test_a_spectator_has_nothing_to_do_but_to_look(visit: Visit) -> None:
    ann, bob = two_people(visit, "tictactoe", TICTACTOE)
    other = visit(ann.url)
    mark(ann, "2 2")
    expect_piece(other, "2 2", "x")
    names = other.get_by_role("group", name="actions").get_by_role("button").all_inner_texts()
    assert [name.strip() for name in names] == ["", "Share"]
    expect(other.get_by_role("textbox")).to_have_count(0)
    expect(other.locator(".place.next")).to_have_count(0)
    press(bob, "Offer draw")
    expect_offer(ann, "oplayer offers a draw.")
    expect(other.locator(".offer")).to_have_count(0)


@pytest.mark.long
def test_a_spectator_of_poker_gets_what_is_public_and_at_the_end_the_cards(visit: Visit) -> None:
    ann, bob = two_people(visit, "leduc_poker", ("alice", "bob"))
    cards = [str(page.locator(".own .card").get_attribute("aria-label")) for page in (ann, bob)]
    other = visit("/")
    frames: list[str | bytes] = []
    answers: list[Response] = []
    other.on("response", lambda answer: answers.append(answer))
    other.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))

    def got() -> str:
        """All that the server has sent to the spectator about the match."""
        texts = [answer.text() for answer in answers if "/api/v1/matches/" in answer.url]
        return " ".join([*texts, *map(str, frames)]).replace(" of ", " ")

    other.goto(ann.url.partition("?")[0])
    for page, player, other_player in ((ann, "alice", "bob"), (bob, "bob", "alice")):
        press(page, "check")
        expect(other.locator(".moves")).to_contain_text(f"{player} says check")
        expect_status(other, f"Waiting for {other_player}.")
    expect(other.get_by_text("Spectators see what all players know.")).to_be_visible()
    expect(other.locator(".table .back")).to_have_count(2)
    assert "alice says check" in got()
    assert all(card.replace(" of ", " ") not in got() for card in cards)
    press(ann, "Resign")
    press(ann, "Resign now")
    for card in cards:
        expect(other.get_by_label(card)).to_be_visible()
    assert all(card.replace(" of ", " ") in got() for card in cards)
