"""The pages of the web application in a real browser, served by a real ``ludorum serve``."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import browser
from tests.web.browser.site import NOT_BUILT, Site, Visit, Visits, has_page, served

__all__ = ["browser"]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server for all tests that do not kill it."""
    if not has_page():
        if os.environ.get("LUDORUM_REQUIRE_BROWSER"):
            pytest.fail(NOT_BUILT)
        pytest.skip(NOT_BUILT)
    with served(tmp_path_factory.mktemp("site")) as found:
        yield found


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Visit]:
    """Opens a page for a new visitor; at the end no page must have complained of anything."""
    visits = Visits(browser, site.address)
    yield visits.open
    visits.close()
    assert visits.complaints == []
