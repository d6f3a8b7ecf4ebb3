"""Where the machine's browser is."""

from __future__ import annotations

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NO_BROWSER = "no Chromium on this machine: install the package chromium, or name one in LUDORUM_CHROMIUM"


def chromium() -> str | None:
    """The path of a Chromium, if there is one."""
    named = os.environ.get("LUDORUM_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def has_browser() -> bool:
    """Whether tests in a browser must run: there is one, or a run without it must not be green."""
    return chromium() is not None or bool(os.environ.get("LUDORUM_REQUIRE_BROWSER"))
