"""A real browser for the pages that Ludorum writes: the machine's own Chromium, driven by Playwright.

A machine without one skips these tests; with `LUDORUM_REQUIRE_BROWSER` set, as in `.ci/run`, they fail there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.chromium import NO_BROWSER, chromium, has_browser

PATIENCE = 120_000
"""Milliseconds until something is taken not to happen: a busy machine is slow."""
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for a module; no longer, since Playwright's loop would be in the way of asyncio tests."""
    if not has_browser():
        pytest.skip(NO_BROWSER)
    path = chromium()
    if path is None:
        pytest.fail(NO_BROWSER)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, timeout=PATIENCE)
        yield found
        found.close()


class Visitor:
    """Opens pages, and notes whatever they complain of or ask the world for."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.requests: list[str] = []

    def open(self, path: Path, fragment: str = "", **settings: object) -> Page:
        """The page of a file; ``settings`` are those of a browser context (viewport, color_scheme ...)."""
        context = self._browser.new_context(**settings)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(path.as_uri() + fragment)
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page; at the end it must have complained of nothing and asked for nothing but itself."""
    visitor = Visitor(browser)
    yield visitor.open
    visitor.close()
    assert visitor.complaints == []
    assert [url for url in visitor.requests if not url.startswith(("file:", "data:"))] == []
    assert len([url for url in visitor.requests if url.startswith("file:")]) == len(visitor._contexts)
