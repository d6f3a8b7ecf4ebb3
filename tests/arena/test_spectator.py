"""Published match JSON: what our matches write is read back whole, and keeps the promises of the format."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.arena import MatchRecord, RecordError, load_record, parse_record, verify
from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import START, ErrorCode, Match, Reply
from ludorum.arena.records.record_checks import growth_faults, record_faults
from ludorum.arena.records.spectator import (
    PublishedMatch,
    format_published,
    load_published,
    parse_published,
    publish,
    published_json,
    rules_version,
)
from ludorum.engine.reference import ReferenceGame
from ludorum.players import RandomPlayer
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term
from tests.arena.counter import counter_game, spectator
from tests.corpus.records import load_case, record_names
from tests.how_much import sample
from tests.small_games import DOOR, coin, door

LEFT, RIGHT, PUSH, WAIT, GUESSER = map(parse_term, ("left", "right", "push", "wait", "guesser"))
CLOCKS = Clocks(10, 0.5)


def published(match: Match, aborted: bool = False) -> PublishedMatch:
    names = tuple(f"player {role}" for role in match.game.roles)
    return publish(match.record(), CLOCKS, names, rules=match.game, aborted=aborted)


def rich_match() -> Match:
    """A match with a bit of everything: faults at the start and later, replies, latencies."""
    ticks = iter(range(1_600_000_000, 1_600_000_100))
    match = Match(door(), 2**64 - 3, match_id="kiosk.1", now=lambda: next(ticks))
    match.prepared(
        {LEFT: Reply(text="ready", seconds=0.25), RIGHT: Reply(code=ErrorCode.LOST, text="refused")}
    )
    match.settle({LEFT: Reply(Term("fly"), seconds=0.1), RIGHT: Reply(WAIT, text="WAIT", seconds=0.002)})
    match.settle({LEFT: Reply(None, ErrorCode.LATE, "", 1.5), RIGHT: Reply(PUSH)})
    return match


def test_a_match_is_written_field_by_field() -> None:
    data = published_json(published(rich_match()))
    assert {key: value for key, value in data.items() if key not in ("gameMetaURL", "randomToken")} == {
        "matchId": "kiosk.1",
        "startTime": 1_600_000_000_000,
        "startClock": 10,
        "playClock": 0.5,
        "gameName": "door",
        "isCompleted": True,
        "isAborted": False,
        "states": ["(closed (step 0))", "(closed (step 1))", "(open (step 2))"],
        "moves": [["push", "wait"], ["push", "push"]],
        "stateTimes": [1_600_000_000_000, 1_600_000_001_000, 1_600_000_002_000],
        "gameRoleNames": ["left", "right"],
        "errors": [["", "CE refused"], ["IL fly", ""], ["TO", ""]],
        "playerNamesFromHost": ["player left", "player right"],
        "goalValues": [100, 100],
        "x-seed": "18446744073709551613",
        "x-percepts": [[[], []], [[], []]],
        "x-replies": [
            [{"text": "ready", "ms": 250}, {"text": "refused", "ms": 0}],
            [{"text": "fly", "ms": 100}, {"text": "WAIT", "ms": 2}],
            [{"text": "", "ms": 1500}, {"text": "push", "ms": 0}],
        ],
    }
    assert str(data["gameMetaURL"]).endswith(f"/games/door/v{rules_version(door())}/")
    assert len(str(data["randomToken"])) == 32


def test_the_version_of_rules_is_their_content() -> None:
    same = ReferenceGame(parse_kif("; another comment\n" + DOOR), "door")
    other = ReferenceGame(parse_kif(DOOR.replace("100", "90")), "door")
    assert rules_version(same) == rules_version(door()) != rules_version(other)


def test_our_matches_are_read_back_without_loss() -> None:
    match = published(rich_match())
    again = parse_published(format_published(match))
    assert again == match
    assert format_published(again) == format_published(match)
    assert Match.resumed(door(), again.record).record() == rich_match().record()


@settings(max_examples=25)
@given(st.integers(0, 2**64 - 1), st.integers(0, 2), st.booleans())
def test_every_prefix_of_a_match_round_trips_and_holds(seed: int, steps: int, aborted: bool) -> None:
    match = play_match(Match(coin(), seed), {GUESSER: RandomPlayer(seed)}, 1.0, limit=steps)
    found = published(match, aborted)
    assert parse_published(format_published(found)) == found
    assert record_faults(published_json(found)) == []
    assert verify(coin(), found.record).agrees


def test_a_growing_match_passes_the_checks_of_growth() -> None:
    match = Match(door(), 1)
    versions = [published_json(published(match))]
    while not match.is_over:
        match.settle({LEFT: Reply(WAIT), RIGHT: Reply(PUSH)})
        versions.append(published_json(published(match)))
    for before, after in pairwise(versions):
        assert growth_faults(before, after) == []
        assert growth_faults(after, before) != []


def test_several_goal_values_have_a_place_of_their_own() -> None:
    rules = DOOR + "(<= (goal left 7) (true open))"
    match = Match(ReferenceGame(parse_kif(rules), "door"))
    match.play({LEFT: PUSH, RIGHT: PUSH})
    data = published_json(published(match))
    assert "goalValues" not in data
    assert data["x-goals"] == [["7", "100"], ["100"]]
    assert parse_published(json.dumps(data)) == published(match)


def test_a_foreign_match_keeps_what_its_host_said() -> None:
    foreign = spectator() | {
        "x-mood": ["good"],
        "previewClock": -1,
        "scrambled": True,
        "playerNamesFromHost": ["A", "B"],
        "isPlayerHuman": [False, True],
        "tournamentNameFromHost": "cup",
        "matchHostPK": "0abc",
        "matchHostSignature": "A0def",
    }
    found = parse_published(json.dumps(foreign))
    assert found.extra == {"x-mood": ["good"]}
    assert (found.start_clock, found.preview_clock, found.humans) == (10, -1, (False, True))
    written = published_json(found)
    assert parse_published(json.dumps(written)) == found
    assert verify(counter_game(), found.record).agrees


def test_a_missing_or_wrong_field_is_named(tmp_path: Path) -> None:
    for key in ("startTime", "randomToken", "startClock", "playClock", "gameMetaURL", "states", "moves"):
        short = spectator()
        del short[key]
        with pytest.raises(RecordError, match=f"`{key}` is missing"):
            parse_published(json.dumps(short))
    for key, value in (
        ("startTime", -5),
        ("stateTimes", [1, 2, "x", 4]),
        ("x-seed", 2**64),
        ("x-replies", [[None, None]]),
        ("x-percepts", [[["?x"], []]] * 3),
        ("playClock", "soon"),
    ):
        with pytest.raises(RecordError, match=key):
            parse_published(json.dumps(spectator() | {key: value}))
    with pytest.raises(RecordError, match="cannot read the file"):
        load_published(tmp_path / "none.json")


FAULTS: list[tuple[str, dict[str, object]]] = [
    ("kinds", {"startTime": "now"}),
    ("known fields", {"mood": "good"}),
    ("token", {"randomToken": "short"}),
    ("meta url", {"gameMetaURL": "http://games.ggp.org/base/games/counter/"}),
    ("states and moves", {"moves": [["add", "wait"]]}),
    ("state times", {"stateTimes": [1_400_000_000_000] * 3}),
    ("errors", {"errors": [["", ""]]}),
    ("state texts", {"states": ["()", "()", "count", "()"]}),
    (
        "times go on",
        {"stateTimes": [1_400_000_000_000 + at for at in (1, 0, 2, 3)]},
    ),
    ("times go on", {"stateTimes": [1, 2, 3, 4]}),
    ("widths", {"goalValues": [1, 2, 3]}),
    ("widths", {"playerNamesFromHost": ["A"]}),
    ("widths", {"moves": [["add", "wait"], ["add"], ["add", "wait"]]}),
    ("moves are texts", {"moves": [["add", 1], ["add", "wait"], ["add", "wait"]]}),
    ("goals only when completed", {"isCompleted": False}),
    ("not completed and aborted", {"isAborted": True}),
    ("signed whole", {"matchHostPK": "0abc"}),
]


def right_match() -> dict[str, object]:
    return spectator() | {"stateTimes": [1_400_000_000_000 + at for at in range(4)]}


@pytest.mark.parametrize(("check", "change"), FAULTS)
def test_each_invariant_is_checked(check: str, change: dict[str, object]) -> None:
    assert record_faults(right_match()) == []
    assert check in {fault.check for fault in record_faults(right_match() | change)}


def test_required_fields_are_missed() -> None:
    assert [str(fault) for fault in record_faults({})][:2] == [
        "required fields: `matchId` is missing",
        "required fields: `startTime` is missing",
    ]


@pytest.mark.parametrize(
    ("check", "change"),
    [
        ("identity stays", {"matchId": "other"}),
        ("identity stays", {"randomToken": "mnopqrstuvwx"}),
        ("identity stays", {"gameMetaURL": "http://games.ggp.org/base/games/counter/v1/"}),
        ("lists only grow", {"moves": []}),
        ("lists only grow", {"errors": [["", ""], ["", ""], ["", ""], ["", ""]]}),
        ("completed stays", {"isCompleted": False}),
        ("nothing after the end", {"goalValues": [0, 50]}),
    ],
)
def test_each_invariant_of_growth_is_checked(check: str, change: dict[str, object]) -> None:
    assert growth_faults(right_match(), right_match()) == []
    assert check in {fault.check for fault in growth_faults(right_match(), right_match() | change)}


@pytest.mark.corpus
@pytest.mark.parametrize("name", sample([name for name in record_names() if name.startswith("tiltyard/")], 3))
def test_tiltyard_matches_are_published_again(corpus: Path, name: str, tmp_path: Path) -> None:
    original = load_record(corpus / "matches" / f"{name}.json")
    assert isinstance(original, MatchRecord)
    found = publish(replace(original, match_id=name.replace("/", ".")), CLOCKS)
    path = tmp_path / "match.json"
    path.write_text(format_published(found))
    again = load_published(path)
    assert again == found
    assert record_faults(json.loads(path.read_text())) == []
    record = parse_record(path.read_text())
    assert isinstance(record, MatchRecord)
    assert (record.moves, record.states, record.goals) == (original.moves, original.states, original.goals)
    if "chess" not in name.lower():  # its rules are slow, and tests/corpus looks at it
        game, _ = load_case(corpus, name)
        assert verify(game, replace(record, game=original.game), seconds=20).disagreement_count == 0


def test_faults_of_the_start_belong_to_the_first_state() -> None:
    match = rich_match()
    assert [fault.step for fault in match.faults] == [START, 0, 1]
