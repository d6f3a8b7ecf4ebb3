"""What a tournament came to: exact tables, and a page that stands alone."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from ludorum.arena.match.match import START, ErrorCode
from ludorum.arena.tournament import Ending, MatchResult, Played, ScheduleKind, Sequential, TournamentPlan
from ludorum.arena.tournament.make_schedule import schedule_of
from ludorum.arena.tournament.plots import line_plot, nice_ticks, thinned
from ludorum.arena.tournament.report import command_line, report_page
from ludorum.arena.tournament.result import SeatFault
from ludorum.arena.tournament.run import _Test
from ludorum.arena.tournament.statistics import PairedSprt, wilson_interval
from ludorum.arena.tournament.summary import Summary, summarise
from ludorum.cli.arena_text import result_text
from tests.arena.tournament.plans import DUEL, SOLO, TRIO, names, pretend

NO_RULES = SeatFault(START, None, ErrorCode.LOST, "no rules")
LATE = SeatFault(3, 0, ErrorCode.LATE, "p2 did not answer")


def summary_of(plan: TournamentPlan, strengths: dict[str, int], *changed: MatchResult) -> Summary:
    """A tournament in which the stronger wins, except where results are given."""
    rounds, results = pretend(plan, lambda fixture: [strengths[name] for name in fixture.players])
    fixtures = tuple(fixture for row in rounds for fixture in row)
    found = dict(results) | {result.match_id: result for result in changed}
    placing = schedule_of(plan).placing(found)
    return summarise(Played(plan, fixtures, found, None, None if placing is None else tuple(placing)))


def test_tables_hold_exactly_what_was_played() -> None:
    plan = TournamentPlan((DUEL,), names(3), 4)
    summary = summary_of(
        plan,
        {"p0": 10, "p1": 90, "p2": 10},
        MatchResult("duel/r0/p0-p1/0", (100, 0), moves=("(a b)",) * 4),
        MatchResult("duel/r0/p1-p2/1", (0, 0), Ending.VOID, faults=(NO_RULES,)),
        MatchResult("duel/r0/p2-p1/1", (0, 100), Ending.FORFEIT, faults=(LATE,)),
    )
    assert [(s.player, s.wins, s.draws, s.losses) for s in summary.scores] == [
        ("p1", 6, 0, 1),
        ("p0", 1, 4, 3),
        ("p2", 0, 4, 3),
    ]
    assert summary.cross("p0", "p1") == (1.0, 4)
    assert summary.cross("p1", "p0") == (3.0, 4)
    assert summary.cross("p2", "p0") == (2.0, 4)
    assert summary.cross("p2", "p1") == (0.0, 3)
    assert summary.scores[0].wilson == wilson_interval(6, 7)
    assert summary.endings == {"finished": 10, "forfeit": 1, "void": 1}
    assert {(fault.player, fault.step, fault.code, fault.text) for fault in summary.faults} == {
        ("p2", 3, "TO", "p2 did not answer"),
        ("", -1, "CE", "no rules"),
    }
    (table,) = summary.games
    assert table.matches == 12
    assert table.drawn == pytest.approx(4 / 11)
    assert dict(table.roles)["one"] + dict(table.roles)["two"] == pytest.approx(1)


def test_the_json_has_the_keys_programs_rely_on() -> None:
    found = json.loads(
        json.dumps(summary_of(TournamentPlan((DUEL,), names(2), 2), {"p0": 1, "p1": 2}).as_json())
    )
    assert set(found) == {
        "matches", "endings", "players", "ratings_bounded", "cross", "games", "placing", "sprt", "faults",
        "notes", "settings",
    }  # fmt: skip
    assert [row["player"] for row in found["players"]] == ["p1", "p0"]
    assert set(found["players"][0]["rating"]) == {"elo", "error", "interval", "bootstrap"}
    assert found["cross"] == {"p1": {"p0": [2.0, 2]}, "p0": {"p1": [0.0, 2]}}
    assert found["settings"]["games"] == [{"name": "duel", "roles": ["one", "two"], "rules": DUEL.digest}]


class Page(HTMLParser):
    """Checks that tags close in order, and notes what the page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [value or "" for name, value in attrs if name in ("src", "href", "action")]
        if tag not in ("meta", "link", "line", "circle", "rect", "polyline"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize(
    "plan",
    [
        TournamentPlan((DUEL,), ("<b>bold</b>", "a&b", "mcts:playouts=3,batch=1"), 4),
        TournamentPlan((DUEL,), names(5), 2, ScheduleKind.SWISS),
        TournamentPlan((DUEL,), names(3), 2, ScheduleKind.ELIMINATION),
        TournamentPlan((TRIO, SOLO), names(4), 1),
    ],
    ids=lambda plan: plan.schedule,
)
def test_the_page_stands_alone_and_escapes_what_others_wrote(plan: TournamentPlan) -> None:
    summary = summary_of(plan, {name: place for place, name in enumerate(plan.players)})
    page = report_page(summary)
    reader = Page()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    assert reader.loads == ["data:,"]
    assert "http:" not in page
    assert "https:" not in page
    assert "url(" not in page
    assert "<b>bold" not in page
    text = "".join(reader.text)
    assert all(name in text for name in plan.players)
    assert command_line(summary) in text
    assert page == report_page(summary)


@pytest.mark.long
def test_a_sequential_test_is_drawn_with_its_bounds() -> None:
    plan = TournamentPlan((DUEL,), names(2), 40, sprt=Sequential(0, 100))
    (fixtures,), results = pretend(plan, lambda fixture: [100 * (name == "p0") for name in fixture.players])
    test = _Test(plan)
    test.begin(fixtures)
    test.look(results)
    kept = tuple(fixtures[: test.used])
    played = Played(plan, kept, {fixture.match_id: results[fixture.match_id] for fixture in kept}, test.sprt)
    page = report_page(summarise(played))
    assert "<b>p0</b> against <b>p1</b>: stronger" in page
    assert page.count('class="level"') == 3
    assert test.sprt is not None
    again = PairedSprt(0, 100)
    for ratio in test.sprt.ratios:  # p0 wins every match of every set
        again.add([1.0, 1.0])
        assert ratio == again.log_likelihood_ratio
    assert len(test.sprt.ratios) == test.sprt.sets == test.used / 2
    assert "--sprt 0,100" in command_line(summarise(played))


def test_the_command_says_what_searches_may_use_where_that_was_asked_for() -> None:
    plan = TournamentPlan((DUEL,), names(2))
    strengths = {"p0": 1, "p1": 2}
    usual = command_line(summary_of(plan, strengths))
    more = command_line(summary_of(replace(plan, threads=2, ponder=True), strengths))
    assert more == f"{usual} --threads 2 --ponder"


def test_ticks_are_round_and_span_the_range() -> None:
    assert nice_ticks(0, 1) == [0, 0.2, 0.4, 0.6, 0.8, 1]
    assert nice_ticks(5, 5)[0] <= 5 <= nice_ticks(5, 5)[-1]
    assert thinned(list(range(1000)), 10)[-1] == (999, 999)
    assert line_plot("nothing", []) == ""


def test_a_tournament_in_which_no_match_counts_has_a_report() -> None:
    plan = TournamentPlan((DUEL,), names(2), 2, sprt=Sequential(0, 50))
    rounds, _ = pretend(plan, lambda fixture: (50, 50))
    void = [MatchResult(one.match_id, (0, 0), Ending.VOID, faults=(NO_RULES,)) for one in rounds[0]]
    summary = summary_of(plan, {"p0": 1, "p1": 2}, *void)
    test = PairedSprt(0, 50, 0.05, 0.05)
    summary = replace(summary, played=replace(summary.played, test=test))
    page, text = report_page(summary), result_text(summary)
    assert "  1 p0      0/0\n  2 p1      0/0\n" in text
    assert "It is undecided whether p0 is stronger than p1 (" in text
    assert "won or lost every match" not in text
    assert '<p class="lead">No match counts: there is nothing to compare the players by.</p>' in page
    assert "2 matches (2 void)" in page
    assert summary.as_json()["notes"] == ["No match counts: there is nothing to compare the players by."]


def test_curves_without_points_are_left_out() -> None:
    assert line_plot("empty", [], [0.5]) == ""
    assert line_plot("empty", [("one", [])], [0.5]) == ""
    assert line_plot("one", [("none", []), ("one", [0.5])]).count("<polyline") == 1
