"""Records are read from every format into one value, and foreign text does no more than raise RecordError."""

import json
import pickle
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.arena import MatchRecord, RecordError, SampleRecord, format_record, load_record, parse_record
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from tests.arena.counter import MOVES, STATES, playout, replay, samples, spectator

LEFT, RIGHT = Term("left"), Term("right")


def parse_match(value: object) -> MatchRecord:
    record = parse_record(json.dumps(value), "match.json")
    assert isinstance(record, MatchRecord)
    return record


def fault_of(value: object) -> str:
    with pytest.raises(RecordError) as caught:
        parse_record(json.dumps(value), "match.json")
    return str(caught.value)


def spoiled(record: dict[str, Any], *path: str | int, value: object) -> dict[str, Any]:
    """The record with one value replaced; its fault must name that place."""
    at: Any = record
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return record


def test_a_replay_is_read() -> None:
    record = parse_match(replay())
    assert record.game == "counter"
    assert record.roles == (LEFT, RIGHT)
    assert record.moves == tuple(tuple(map(parse_term, joint)) for joint in MOVES)
    assert record.states == tuple(frozenset(map(parse_term, state)) for state in STATES)
    assert record.goals == (frozenset({Term("100")}), frozenset({Term("50")}))
    assert record.terminal is True
    assert (record.legal, record.legal_counts, record.percepts) == ((), (), ())


def test_a_replay_without_goals_says_nothing_about_the_end() -> None:
    unfinished = replay()
    del unfinished["goals"]
    record = parse_match(unfinished)
    assert record.goals is None
    assert record.terminal is None


def test_a_replay_may_note_legal_moves_of_its_first_steps() -> None:
    record = parse_match(replay() | {"legal": [{"left": ["add"], "right": []}]})
    assert record.legal == ((frozenset({Term("add")}), frozenset()), None, None, None)


def test_a_playout_is_read() -> None:
    record = parse_match(playout())
    assert record.states[0] == frozenset({parse_term("(count 0)")})
    assert record.states[2] is None
    assert record.states[3] == frozenset({parse_term("(count 2)")})
    assert record.noted_states == 3
    assert record.legal_counts == ((2, 2),) * 4
    assert record.legal[1] == (
        frozenset({Term("add"), Term("wait")}),
        frozenset(map(parse_term, ["(guess 1)", "(guess 2)"])),
    )
    assert record.percepts == (
        (frozenset(), frozenset({Term("add")})),
        (frozenset(), frozenset({Term("wait")})),
        None,
    )
    assert record.goals == (frozenset({Term("100")}), frozenset({Term("50")}))
    assert record.terminal is True


def test_goal_values_may_be_missing_or_double() -> None:
    record = parse_match(spoiled(playout(), "final", "goals", value={"left": [], "right": ["0", "100"]}))
    assert record.goals == (frozenset(), frozenset({Term("0"), Term("100")}))


def test_a_published_match_is_read() -> None:
    record = parse_match(spectator())
    plain = parse_match(replay())
    assert record.game == "counter"
    assert record.roles is None
    assert (record.moves, record.states, record.goals) == (plain.moves, plain.states, plain.goals)
    assert record.terminal is True
    assert record.errors[1] == ("", "TO")
    assert record.source == "kiosk.counter-1"


def test_a_published_match_may_name_its_roles() -> None:
    record = parse_match(spectator() | {"gameRoleNames": ["left", "right"]})
    assert record.roles == (LEFT, RIGHT)


def test_a_published_match_is_of_the_game_its_address_names() -> None:
    assert parse_match(spectator() | {"gameName": "Counting Up"}).game == "counter"
    assert parse_match(spectator() | {"gameName": "Counting Up", "gameMetaURL": None}).game == "Counting Up"
    assert parse_match(spectator() | {"gameMetaURL": "nowhere"}).game == ""


@pytest.mark.parametrize("unfinished", [{"isCompleted": False}, {"isAborted": True}])
def test_goals_of_a_match_that_was_not_finished_do_not_count(unfinished: dict[str, object]) -> None:
    record = parse_match(spectator() | unfinished)
    assert record.terminal is None
    assert record.goals is None


def test_states_in_one_string_alone_tell_a_published_match() -> None:
    bare = {key: value for key, value in spectator().items() if key in ("states", "moves")}
    assert parse_match(bare).states == parse_match(replay()).states


def test_samples_are_read() -> None:
    record = parse_record(json.dumps(samples()))
    assert isinstance(record, SampleRecord)
    assert [sample.question for sample in record.samples] == ["next", "legal", "goal", "terminal", "terminal"]
    assert record.samples[0].does == ((LEFT, Term("add")),)
    assert record.samples[0].expect == frozenset({parse_term("(count 1)")})
    assert record.samples[2].expect == frozenset({(LEFT, Term("100")), (RIGHT, Term("50"))})
    assert record.samples[4].expect is False


def test_case_does_not_matter() -> None:
    assert parse_match(spoiled(replay(), "moves", 0, 0, value="ADD")) == parse_match(replay())


@pytest.mark.parametrize("make", [replay, spectator])
def test_what_is_written_is_read_back(make: Any) -> None:
    record = parse_match(make() | {"gameRoleNames": ["left", "right"]})
    again = parse_match(json.loads(format_record(record)))
    assert (again.states, again.moves, again.goals) == (record.states, record.moves, record.goals)
    assert (again.roles, again.terminal, again.source) == (record.roles, record.terminal, record.source)


def test_a_match_with_percepts_and_legal_moves_is_written_and_read_back() -> None:
    nothing: list[str] = []
    told = {"percepts": [{"left": nothing, "right": ["add"]}] * 3, "terminal": False}
    record = parse_match(replay() | told | {"legal": [{"left": ["add"], "right": ["(guess 1)"]}] * 4})
    assert record.terminal is False
    assert parse_record(format_record(record)) == record


def test_a_match_with_gaps_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="every state"):
        format_record(parse_match(playout()))


def test_records_travel_between_processes() -> None:
    for value in (replay(), playout(), spectator(), samples()):
        record = parse_record(json.dumps(value))
        assert pickle.loads(pickle.dumps(record)) == record


FAULTS = [
    (spoiled(replay(), "states", 1, value="x"), "states[1]: a list is needed, here is a text"),
    (spoiled(replay(), "states", 1, 0, value=7), "states[1][0]: a text is needed, here is a number"),
    (spoiled(replay(), "states", 2, 0, value="(count"), "states[2][0]: not a ground term"),
    (spoiled(replay(), "states", 2, 0, value=""), "states[2][0]: not a ground term"),
    (spoiled(replay(), "states", 2, 0, value="?x"), "states[2][0]: not a ground term"),
    (spoiled(replay(), "states", 2, 0, value="a b"), "states[2][0]: not a ground term"),
    (spoiled(replay(), "states", 2, 0, value="\ud800"), "states[2][0]: half of a surrogate pair"),
    (spoiled(replay(), "states", 2, 0, value="(" * 5000), "states[2][0]: not a ground term"),
    (spoiled(replay(), "moves", 2, value=["add"]), "moves[2]: 1 moves for 2 roles"),
    (spoiled(replay(), "moves", value=None), "moves: a list is needed, here is null"),
    (spoiled(replay(), "moves", value=[]), "states: 4 entries where 1 are needed: one state more than moves"),
    (spoiled(replay(), "goals", value=[100]), "goals: 1 entries where 2 are needed: one value for each role"),
    (spoiled(replay(), "goals", 0, value=True), "goals[0]: a whole number is needed, here is true or false"),
    (spoiled(replay(), "goals", 0, value=0.5), "goals[0]: a whole number is needed, here is a fraction"),
    (spoiled(replay(), "goals", 0, value=10**30), "goals[0]: a number beyond any count or goal value"),
    (spoiled(replay(), "roles", value={}), "roles: a list is needed, here is an object"),
    ({"states": [], "moves": []}, "the field `roles` is missing"),
    (replay() | {"legal": [{"left": ["add"]}]}, "legal[0]: nothing for the role right"),
    (replay() | {"legal": [{"left": [], "right": [], "me": []}]}, "legal[0].me: no role of this match"),
    (replay() | {"percepts": [{"left": [], "right": []}] * 4}, "percepts: 4 entries where at most 3 fit"),
    (spoiled(playout(), "nlegal", 1, value=[2]), "nlegal[1]: 1 entries where 2 are needed"),
    (spoiled(playout(), "nlegal", value=[[2, 2]]), "nlegal: 1 entries where 4 are needed"),
    (spoiled(playout(), "steps", value=[{}] * 5), "steps: 5 steps for 3 joint moves; at most 4 fit"),
    (spoiled(playout(), "steps", value=[{}] * 3 + [{"sees": {"left": [], "right": []}}]),
     "steps[3].sees: percepts of a step in which nobody moved"),
    (spoiled(playout(), "final", value=3), "final: an object is needed, here is a number"),
    (spoiled(spectator(), "states", 0, value="(count 0"), "states[0]: not a state"),
    (spoiled(spectator(), "states", 0, value="((count ?n))"), "states[0]: not a state"),
    (spoiled(spectator(), "states", 0, value=["(count 0)"]), "states[0]: a text is needed, here is a list"),
    (spoiled(spectator(), "isCompleted", value="yes"), "isCompleted: true or false is needed"),
    (spoiled(spectator(), "errors", 1, value=[""]), "errors[1]: 1 entries where 2 are needed"),
    (spoiled(samples(), "samples", value=[]), "samples: an object is needed, here is a list"),
    (spoiled(samples(), "samples", "sees", value=[]), "samples: unknown question 'sees'"),
    (spoiled(samples(), "samples", "next", 0, "does", value=[["left"]]),
     "samples.next[0].does[0]: a role and a term are needed, here are 1 terms"),
    (spoiled(samples(), "samples", "next", 0, value={"expect": []}),
     "samples.next[0]: the field `state` is missing"),
    ([], "an object is needed, here is a list"),
    (None, "an object is needed, here is null"),
    ({}, "no record: a match has `states` and `moves`"),
    ({"x": 1, "y": 2}, "the fields here are x, y"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "expected"), FAULTS, ids=[fault for _, fault in FAULTS])
def test_a_fault_names_its_field(value: object, expected: str) -> None:
    fault = fault_of(value)
    assert fault.startswith("match.json: ")
    assert expected in fault
    assert len(fault) < 800


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "not JSON: line 1, column 1"),
        ('{"states": [\n', "not JSON: line 2, column 1"),
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
        ("1" * 5000, "not usable JSON"),
        ('{"states": NaN, "moves": []}', "states: a list is needed, here is a fraction"),
    ],
)
def test_text_that_is_no_json_is_refused(text: str, expected: str) -> None:
    with pytest.raises(RecordError, match=expected):
        parse_record(text)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"nowhere\.json: cannot read the file"):
        load_record(tmp_path / "nowhere.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    with pytest.raises(RecordError, match="byte 0 is not UTF-8"):
        load_record(tmp_path / "bytes.json")
    (tmp_path / "good.json").write_text(json.dumps(replay()))
    assert load_record(tmp_path / "good.json") == parse_match(replay())


KEYS = st.sampled_from(
    ["states", "moves", "roles", "goals", "legal", "steps", "nlegal", "final", "samples", "next", "expect",
     "state", "does", "terminal", "sees", "goalValues", "isCompleted", "matchId", "gameRoleNames", "left"]
)  # fmt: skip
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.sampled_from(["left", "(count 0)", "((a))", "("]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=15,
)  # fmt: skip


def assert_record_or_fault(value: object) -> None:
    with suppress(RecordError):
        assert parse_record(json.dumps(value))


@given(st.dictionaries(KEYS, ANYTHING, max_size=8))
def test_any_json_is_a_record_or_a_readable_error(value: dict[str, object]) -> None:
    assert_record_or_fault(value)


def spoil_anywhere(make: Any) -> st.SearchStrategy[object]:
    """A right record with one value, anywhere in it, replaced by something else."""

    def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
        inner = (
            value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        )
        return [path, *(place for key, below in inner for place in places(below, (*path, key)))][
            0 if path else 1 :
        ]

    copy = json.loads(json.dumps(make()))
    return st.builds(
        lambda place, other: spoiled(json.loads(json.dumps(make())), *place, value=other),
        st.sampled_from(places(copy)),
        ANYTHING,
    )


@given(st.one_of(*(spoil_anywhere(make) for make in (replay, playout, spectator, samples))))
def test_a_record_spoiled_anywhere_is_a_record_or_a_readable_error(value: object) -> None:
    assert_record_or_fault(value)
