"""Draws the pictures of a replay page and of a report: ``python -m docs.pictures.draw_pages``.

A match of hearts and a small tournament are played by players whose choices do not depend on the clock, their
pages are opened in the machine's Chromium, and what it shows is kept.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import Match
from ludorum.arena.records.spectator import publish
from ludorum.arena.tournament import Here, TournamentPlan, planned_game, run_tournament
from ludorum.arena.tournament.report import report_page
from ludorum.arena.tournament.summary import summarise
from ludorum.cli.arena_matches import shown_matches
from ludorum.cli.replay_frames import open_reel
from ludorum.cli.replay_html import replay_page
from ludorum.engine.load import load_game
from ludorum.pages import NOT_BUILT, is_built
from ludorum.players import make_player
from tests.browser.chromium import NO_BROWSER, chromium
from tests.corpus_location import ROOT

FOLDER = ROOT / "docs" / "images"
BEGAN = 1_798_761_600
"""1 January 2027: a picture must not change with the day on which it is made."""


def replay() -> str:
    """The page of a match of hearts."""
    game = load_game("hearts")
    match = Match(game, seed=7, match_id="hearts", now=lambda: BEGAN)
    names = ("card_greedy", "random", "card_greedy", "random")
    players = dict(zip(game.info.players, map(make_player, names), strict=True))
    play_match(match, players, 60)
    return replay_page(open_reel(publish(match.record(), Clocks(10, 5), (*names, ""), rules=game)))


def report() -> str:
    """The page of a tournament of three players at two games."""
    games = (planned_game("tictactoe"), planned_game("connect_four"))
    plan = TournamentPlan(games, ("mcts:playouts=60", "greedy", "random"), 8, engine="lifted", seed=3)
    played = run_tournament(plan, Here())
    return report_page(summarise(played), shown_matches(played))


def main() -> None:
    """Write the pictures."""
    path = chromium()
    if path is None:
        raise SystemExit(NO_BROWSER)
    if not is_built():
        raise SystemExit(NOT_BUILT)
    pages = [("replay", replay(), "#92", 1060, 790), ("report", report(), "", 990, 930)]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        for name, text, fragment, width, height in pages:
            file = Path(folder) / f"{name}.html"
            file.write_text(text, encoding="utf-8")
            page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
            page.goto(file.as_uri() + fragment)
            page.screenshot(path=FOLDER / f"{name}.png")
            if name == "report":
                page.get_by_label("Match", exact=True).select_option(index=1)
                page.locator("section", has=page.locator("#matches")).screenshot(
                    path=FOLDER / "report-matches.png"
                )
        browser.close()


if __name__ == "__main__":
    main()
