"""Draws the pictures of the web application: ``python -m docs.pictures.draw_web``.

A server is started on an empty database, matches with fixed seeds are played at its pages in the machine's
Chromium against players whose choices do not depend on the clock, and what it shows is kept.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import NO_BROWSER, chromium
from tests.corpus_location import ROOT
from tests.web.browser.site import NOT_BUILT, await_turn, has_page, make_match, place, served
from tests.web.browser.test_tournaments import sign_up

FOLDER = ROOT / "docs" / "images"
DESK = {"width": 1080, "height": 670}
PATIENCE = 120_000
PHONE = {"width": 375, "height": 740}


def lobby(page: Page) -> None:
    page.goto("/")
    width = page.viewport_size["width"] if page.viewport_size else 0
    page.locator(".game .board").nth(5 if width > 1000 else 1).wait_for()


def connect_four(page: Page) -> None:
    make_match(page, "connect_four", {"red": "me", "yellow": "player:mcts:playouts=200"})
    for made, column in enumerate((4, 4, 6, 3)):
        await_turn(page)
        place(page, f"{column} 6").click()
        expect(page.locator(".moves li")).to_have_count(2 * made + 2)
    await_turn(page)
    page.get_by_role("button", name="Analysis").click()
    page.locator(".analysis tbody tr").first.wait_for()


def chess(page: Page) -> None:
    make_match(page, "chess", {"white": "me", "black": "player:mcts:playouts=60"})
    for made, move in enumerate(("e2e4", "g1f3", "f1c4", "d2d3")):
        await_turn(page)
        box = page.get_by_role("combobox", name="Type or search a move")
        box.fill(move)
        box.press("Enter")
        expect(page.locator(".moves li")).to_have_count(2 * made + 2)
    await_turn(page)
    page.evaluate("document.activeElement.blur()")
    place(page, "c4").click()


def hearts(page: Page) -> None:
    seats = {f"player{at}": "me" if at == 0 else "player:card_greedy" for at in range(4)}
    make_match(page, "hearts", seats)
    for _ in range(5):
        await_turn(page)
        page.locator('.hand .card-button[aria-disabled="false"]').first.click(position={"x": 8, "y": 30})
        page.wait_for_timeout(400)
    await_turn(page)
    page.mouse.move(5, 5)


MAKE_TOURNAMENT = """async body => {
  const {csrf} = await (await fetch("/api/v1/me")).json();
  const headers = {"Content-Type": "application/json", "X-CSRF-Token": csrf};
  const made = await fetch("/api/v1/tournaments", {method: "POST", headers, body: JSON.stringify(body)});
  return (await made.json()).id;
}"""


def tournament(page: Page) -> None:
    sign_up(page, "organiser")
    body = {
        "games": ["tictactoe", "connect_four"],
        "players": ["mcts:playouts=200", "greedy", "random"],
        "matches": 4,
        "seconds": 10,
        "seed": 1,
    }
    page.goto(f"/tournament/{page.evaluate(MAKE_TOURNAMENT, body)}")
    expect(page.locator(".progress")).to_contain_text("over: 24 of 24")


Scene = Callable[[Page], None]
PICTURES: tuple[tuple[str, Scene, dict[str, int], str], ...] = (
    ("lobby", lobby, DESK, "light"),
    ("lobby-phone", lobby, PHONE, "dark"),
    ("connect-four", connect_four, DESK, "light"),
    ("chess", chess, DESK, "dark"),
    ("chess-phone", chess, PHONE, "light"),
    ("tournament", tournament, DESK, "light"),
    ("hearts", hearts, DESK, "light"),
    ("hearts-phone", hearts, PHONE, "dark"),
)


def draw(browser: Browser, address: str, name: str, scene: Scene, size: dict[str, int], scheme: str) -> None:
    """One picture, of a visitor who has not been here before."""
    context = browser.new_context(
        base_url=address,
        viewport=size,  # type: ignore[arg-type]
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto("/")
    scene(page)
    page.wait_for_timeout(300)
    # The name of a guest is drawn by lot.
    page.evaluate(
        "() => document.querySelectorAll('.visitor .user, .seat .name').forEach(one => {"
        " for (const part of one.childNodes)"
        " if (part.nodeType === 3) part.textContent = part.textContent.replace(/guest-\\w+/, 'guest'); })"
    )
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=FOLDER / f"web-{name}.png")
    context.close()


def main() -> None:
    """Write all pictures."""
    path = chromium()
    if path is None:
        raise SystemExit(NO_BROWSER)
    if not has_page():
        raise SystemExit(NOT_BUILT)
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path)
        for name, scene, size, scheme in PICTURES:
            draw(browser, site.address, name, scene, size, scheme)
        browser.close()


if __name__ == "__main__":
    main()
