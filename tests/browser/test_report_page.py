"""The report of a tournament in a real browser: its tables say what the JSON says, names stay text."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ludorum.arena.match.match import START, ErrorCode
from ludorum.arena.tournament import Here, MatchResult, Played, TournamentPlan, planned_game, run_tournament
from ludorum.arena.tournament.report import ShownMatch, command_line, report_page
from ludorum.arena.tournament.result import SeatFault
from ludorum.arena.tournament.summary import NotedFault, Summary, summarise
from ludorum.cli.arena_matches import shown_matches
from ludorum.cli.replay_data import MatchData
from tests.arena.tournament.plans import DUEL, pretend
from tests.browser.accessible import faults_of

Visit = Callable[..., Page]

HOSTILE = "</script></style><script>alert(1)</script><img src=x onerror=alert(1)>\"'&amp;"


@pytest.fixture(scope="module")
def cup() -> Summary:
    """A real tournament of three, and two faults besides."""
    plan = TournamentPlan(
        (planned_game("tictactoe"),), ("greedy", "random", "legal"), 8, engine="lifted", seed=3
    )
    played = run_tournament(plan, Here())
    first = played.fixtures[0].match_id
    result = played.results[first]
    faults = (
        SeatFault(2, 0, ErrorCode.LATE, "did not answer within 1 s"),
        SeatFault(START, 1, ErrorCode.LOST, "<b>gone</b>"),
    )
    noted = MatchResult(first, result.goals, result.ending, result.moves, faults)
    results = dict(played.results) | {first: noted}
    return summarise(Played(plan, played.fixtures, results, None, None))


def write(folder: Path, summary: Summary) -> Path:
    path = folder / "report.html"
    path.write_text(report_page(summary), encoding="utf-8")
    return path


def write_with_matches(folder: Path, summary: Summary) -> Path:
    path = folder / "report.html"
    path.write_text(report_page(summary, shown_matches(summary.played)), encoding="utf-8")
    return path


def rows_of(page: Page, heading: str) -> list[list[str]]:
    """The first table of a section, cell by cell."""
    section = page.locator("section", has=page.locator("h2", has_text=heading)).first
    rows = section.locator("table").first.locator("tr").all()
    return [row.locator("th, td").all_inner_texts() for row in rows]


def number(text: str) -> float:
    return float(text.replace("−", "-").rstrip("%"))


def test_tables_say_what_the_json_says(tmp_path: Path, visit: Visit, cup: Summary) -> None:
    page = visit(write(tmp_path, cup))
    told: dict[str, Any] = json.loads(json.dumps(cup.as_json()))
    head, *rows = rows_of(page, "Standings")
    assert head == ["player", "elo", "points", "share", "95 % (Wilson)", "95 % (bootstrap)", "won–drawn–lost"]
    for row, player in zip(rows, told["players"], strict=True):
        name, elo, points, share, wilson, bootstrap, record = row
        assert name == player["player"]
        rating = player["rating"]
        assert [number(part) for part in elo.split(" ± ")] == pytest.approx(
            [rating["elo"], rating["interval"][1] - rating["elo"]], abs=0.6
        )
        assert points == f"{player['points']:g} / {player['games']}"
        assert number(share) == pytest.approx(100 * player["share"], abs=0.06)
        for shown, bounds in ((wilson, player["wilson"]), (bootstrap, player["bootstrap"])):
            assert [number(bound) for bound in shown.split(" to ")] == pytest.approx(
                [100 * bound for bound in bounds], abs=0.06
            )
        assert record == f"{player['wins']}–{player['draws']}–{player['losses']}"
    corner, *crossed = rows_of(page, "Cross table")
    assert corner == ["", *(row[0] for row in crossed)]
    for one, *cells in crossed:
        for other, cell in zip(corner[1:], cells, strict=True):
            points_of = told["cross"][one].get(other)
            assert cell == ("–" if points_of is None else f"{points_of[0]:g} / {points_of[1]}")


def test_faults_settings_and_the_command_are_there(tmp_path: Path, visit: Visit, cup: Summary) -> None:
    page = visit(write(tmp_path, cup))
    match = cup.played.fixtures[0]
    assert rows_of(page, "Faults")[1:] == [
        [match.players[0], "TO", "2", match.match_id, "did not answer within 1 s"],
        [match.players[1], "CE", "start", match.match_id, "<b>gone</b>"],
    ]
    assert page.locator("pre").first.text_content() == command_line(cup)
    assert page.locator(".lead").inner_text().startswith(f"First is {cup.scores[0].player} with ")


def test_plots_show_every_player_with_an_error_bar(tmp_path: Path, visit: Visit, cup: Summary) -> None:
    page = visit(write(tmp_path, cup))
    plot = page.locator("svg[aria-label^='Ratings']")
    dots, lines = plot.locator("circle.dot"), plot.locator("line.whisker")
    assert dots.count() == lines.count() == 3
    order = sorted(cup.ratings.rows, key=lambda row: -row.elo)
    centres = [float(dot.get_attribute("cx") or "") for dot in dots.all()]
    assert centres == sorted(centres, reverse=True)
    for row, dot, line in zip(order, centres, lines.all(), strict=True):
        low, high = float(line.get_attribute("x1") or ""), float(line.get_attribute("x2") or "")
        assert low < dot < high, row.player
    assert page.locator("svg[aria-label^='Share'] polyline").count() == 3


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_a_phone_and_a_desk(tmp_path: Path, visit: Visit, width: int, cup: Summary) -> None:
    page = visit(write(tmp_path, cup), viewport={"width": width, "height": 800}, color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "wide things scroll by themselves"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 31)"
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.pdf()[:5] == b"%PDF-"


@pytest.mark.long
def test_what_others_wrote_stays_text(built_pages: None, tmp_path: Path, visit: Visit) -> None:
    game = replace(
        DUEL, name=HOSTILE, roles=("<script>alert(1)</script>", HOSTILE), path=HOSTILE, text=HOSTILE
    )
    plan = TournamentPlan((game,), (HOSTILE, "b"), 2)
    (fixtures,), results = pretend(plan, lambda fixture: [50, 50])
    summary = summarise(Played(plan, tuple(fixtures), dict(results), None, None))
    fault = NotedFault(HOSTILE, HOSTILE, 1, ErrorCode.LOST, HOSTILE)
    summary = replace(summary, faults=(fault,))
    data: MatchData = {
        "id": HOSTILE, "title": HOSTILE, "caption": HOSTILE, "result": HOSTILE,
        "roles": [{"role": HOSTILE, "label": HOSTILE, "name": HOSTILE, "goal": 1}], "views": [],
    }  # fmt: skip
    path = tmp_path / "report.html"
    path.write_text(report_page(summary, [ShownMatch(HOSTILE, HOSTILE, HOSTILE, data)]), encoding="utf-8")
    page = visit(path, viewport={"width": 390, "height": 800})
    assert page.get_by_label("Match", exact=True).locator("option").text_content() == HOSTILE
    assert rows_of(page, "Standings")[1][0] == HOSTILE
    assert rows_of(page, "Faults")[1] == [HOSTILE, "CE", "1", HOSTILE, HOSTILE]
    assert page.title() == f"{HOSTILE}: 2 players"
    assert "<script>alert(1)</script> 50.0%" in " ".join(page.locator("section p").all_inner_texts())
    assert page.locator("details pre").text_content() == HOSTILE
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_matches_are_drawn_by_the_components_of_the_web_page(
    built_pages: None, tmp_path: Path, visit: Visit, cup: Summary
) -> None:
    page = visit(write_with_matches(tmp_path, cup))
    shown = shown_matches(cup.played)
    choice = page.get_by_label("Match", exact=True)
    assert choice.locator("option").all_inner_texts() == [match.caption for match in shown]
    assert len(shown) == 3
    for match in shown:
        choice.select_option(label=match.caption)
        expect(page.locator(".status")).to_have_text(match.result)
        view = match.data["views"][0]  # type: ignore[index]
        for at in (len(view["steps"]) - 1, 2, 0):
            page.get_by_label("step", exact=True).fill(str(at))
            board = view["steps"][at]["scene"]["board"]
            marked = page.locator(".board [data-place]:not([aria-label*=empty])")
            labels = [cell.get_attribute("aria-label").split(", ")[:2] for cell in marked.all()]  # type: ignore[union-attr]
            told = [
                [board["names"][int(cell)], board["contents"][one]["words"]]
                for cell, (one,) in board["cells"].items()
            ]
            assert sorted(labels) == sorted(told)
            assert page.locator(".board .token").count() == len(told) == at


def test_keys_belong_to_the_page_until_a_match_is_looked_at(
    built_pages: None, tmp_path: Path, visit: Visit, cup: Summary
) -> None:
    page = visit(write_with_matches(tmp_path, cup), viewport={"width": 990, "height": 600})
    step = page.locator(".slider output")
    last = step.inner_text()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("End")
    page.wait_for_function("scrollY > 0")
    assert step.inner_text() == last
    page.get_by_role("button", name="Step back").focus()
    page.keyboard.press("ArrowLeft")
    expect(step).not_to_have_text(last)


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_a_report_with_matches_is_accessible(
    built_pages: None, tmp_path: Path, visit: Visit, cup: Summary, scheme: str
) -> None:
    path = write_with_matches(tmp_path, cup)
    page = visit(path, color_scheme=scheme, reduced_motion="reduce")
    assert faults_of(page) == []


def test_without_scripts_the_last_positions_can_be_read(tmp_path: Path, visit: Visit, cup: Summary) -> None:
    page = visit(write_with_matches(tmp_path, cup), java_script_enabled=False)
    shown = shown_matches(cup.played)
    assert page.locator("#matches summary").all_inner_texts() == [match.caption for match in shown]
    assert page.locator("#matches pre").all_text_contents() == [match.last for match in shown]
