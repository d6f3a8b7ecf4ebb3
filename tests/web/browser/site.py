"""A `ludorum serve` of its own process, and what people do at its pages."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

from ludorum.web.config import PAGE_FOLDER
from tests.browser.accessible import AXE
from tests.browser.conftest import PATIENCE

NOT_BUILT = "the page is not built: make page"


def has_page() -> bool:
    """Whether the page is built, with its scripts for tests."""
    return (PAGE_FOLDER / "index.html").is_file() and AXE.is_file()


class Site:
    """A server that can be killed and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = "0"
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self) -> None:
        """Returns when requests are answered."""
        program = Path(sys.executable).with_name("ludorum")
        database = str(self._folder / "web.db")
        command = [str(program), "serve", "--port", self._port, "--database", database, "--no-limits"]
        command += ["--allow-remote", "127.0.0.1"]
        # A group of its own: what it starts ends with it, also when it is killed.
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            found = re.search(r"http://[\d.]+:(\d+)", line)
            if found:
                self.address, self._port = found[0], found[1]
                return
        raise AssertionError("ludorum serve has ended before it told its address")

    def kill(self) -> None:
        """Ends the server and all that it has started, at once."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None


@contextmanager
def served(folder: Path) -> Iterator[Site]:
    """A server that runs as long as the block."""
    site = Site(folder)
    site.start()
    try:
        yield site
    finally:
        site.kill()


class Visits:
    """Browsers of different people; notes whatever their pages complain of."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def open(self, path: str = "/", **settings: Any) -> Page:
        """The page of a path, for somebody who has not been here before."""
        context = self._browser.new_context(base_url=self._address, **settings)
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self._note(said.type, said.text))
        page.goto(path)
        return page

    def _note(self, kind: str, text: str) -> None:
        # The browser itself writes a line for each answer that is an error: rules with faults are one.
        if kind == "error" and "422 (Unprocessable" not in text:
            self.complaints.append(text)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


Visit = Callable[..., Page]


def start_match(page: Page, game: str, seats: dict[str, str]) -> Page:
    """The match page after the form of a game was filled and sent; ``seats`` are words of its choices."""
    page.goto(f"/game/{game}")
    form = page.get_by_role("form", name="new match")
    for role, seat in seats.items():
        form.get_by_label(role, exact=True).select_option(label=seat)
    form.locator("button[type=submit]").click()
    page.wait_for_url("**/match/*")
    expect(page.locator(".status")).to_be_visible()
    return page


MAKE_MATCH = """async body => {
  const {csrf} = await (await fetch("/api/v1/me")).json();
  const headers = {"Content-Type": "application/json", "X-CSRF-Token": csrf};
  const made = await fetch("/api/v1/matches", {method: "POST", headers, body: JSON.stringify(body)});
  return await made.json();
}"""


def make_match(page: Page, game: str, seats: dict[str, str], think: float = 0.1, **more: Any) -> str:
    """The number of a match that the visitor of a page has made, without the form."""
    return _made(page, game, seats, think=think, **more)[0]


def _made(page: Page, game: str, seats: dict[str, str], **more: Any) -> tuple[str, dict[str, str]]:
    """The number of a match and the links to its open seats; the page shows the match."""
    made = page.evaluate(MAKE_MATCH, {"game": game, "seats": seats, "seed": 1, **more})
    page.goto(f"/match/{made['id']}")
    expect(page.locator(".status")).to_be_visible()
    return made["id"], made["links"]


def two_people(visit: Visit, game: str, seats: tuple[str, str], **more: Any) -> tuple[Page, Page]:
    """The pages of two people at one match, the second of whom came by a link."""
    first, second = seats
    ann = visit("/")
    _, links = _made(ann, game, {first: "me", second: "open"}, seed=None, **more)
    bob = visit(links[second])
    bob.get_by_role("button", name=f"Sit down as {second}").click()
    expect(ann.locator(".status")).not_to_have_class("status open")
    expect(bob.get_by_text("watching", exact=True)).to_have_count(0)
    return ann, bob


def seats_against(page: Page, game: str, player: str) -> dict[str, str]:
    """The visitor in the first seat of a game, a player in all others."""
    read = "async id => (await (await fetch('/api/v1/games/' + id)).json()).roles"
    roles: list[str] = page.evaluate(read, game)
    return {role: "me" if at == 0 else f"player:{player}" for at, role in enumerate(roles)}


def is_over(page: Page) -> bool:
    kind = page.locator(".status").get_attribute("class") or ""
    return any(word in kind for word in ("over", "resigned", "stuck"))


def place(page: Page, name: str) -> Any:
    """The cell of the board with this name."""
    return page.locator(f'[data-place="{name}"]')


def await_turn(page: Page) -> None:
    """Returns when the visitor can move, or when the match is over."""
    expect(page.locator(".status")).to_have_class(re.compile("choice|over|resigned|stuck"))


CLICK_ON = """() => {
  const status = document.querySelector(".status").className;
  if (!status.includes("choice")) return "";
  const all = query => [...document.querySelectorAll(query)];
  const buttons = all(".move-buttons button").filter(one => one.textContent !== "Put back");
  const cards = all('.hand .card-button[aria-disabled="false"], .open-pile .card-button:not(:disabled)');
  const isMenu = document.querySelector('[aria-label="which move?"]') !== null;
  const choices = isMenu ? buttons : [...all(".place.next"), ...cards, ...buttons];
  const wanted = choices[Math.floor(choices.length / 2)];
  if (!wanted) return "";
  wanted.setAttribute("data-wanted", "");
  return "found";
}"""
"""Marks something that a person could click to move: a place, a card, or a button."""


def click_on(page: Page) -> bool:
    """Clicks something that leads to a move; false where nothing of the kind is there just now."""
    page.evaluate(
        "() => document.querySelectorAll('[data-wanted]').forEach(one => one.removeAttribute('data-wanted'))"
    )
    if page.evaluate(CLICK_ON) != "found":
        return False
    try:
        page.locator("[data-wanted]").first.click(timeout=2000, force=True)
    except Exception:  # the view has changed between the look and the click
        return False
    return True


def play_by_clicks(*pages: Page, most: int = 4000) -> None:
    """Plays a match to its end by clicks alone, on the pages of all people at it."""
    for _ in range(most):
        if all(map(is_over, pages)):
            return
        clicked = [click_on(page) for page in pages]
        if not any(clicked):
            pages[0].wait_for_timeout(30)
    raise AssertionError(f"not over after {most} clicks: {pages[0].locator('.status').inner_text()}")
