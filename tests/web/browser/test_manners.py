"""What people do at a table beside moving, with two browsers at one match."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

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


def test_a_prepared_move_that_is_not_legal_is_dropped_with_a_word(visit: Visit) -> None:
    ann, bob = two_people(visit, "tictactoe", TICTACTOE)
    place(bob, "2 2").and_(bob.locator(".next")).click()
    expect(bob.locator(".premove")).to_contain_text("Prepared")
    mark(ann, "2 2")
    expect(bob.locator(".premove")).to_have_text("The move you prepared, mark 2 2, is not legal now.")
    expect(bob.locator(".status.choice")).to_be_visible()
    mark(bob, "1 1")
    expect(bob.locator(".premove")).to_have_count(0)


def test_spectators_are_counted(visit: Visit) -> None:
    page = visit("/")
    match = make_match(page, "tictactoe", {"xplayer": "me", "oplayer": "player:legal"})
    expect(page.get_by_text("spectator")).to_have_count(0)
    other = visit(f"/match/{match}")
    expect(page.get_by_text("1 spectator", exact=True)).to_be_visible()
    other.goto("/")
    expect(page.get_by_text("spectator")).to_have_count(0)
