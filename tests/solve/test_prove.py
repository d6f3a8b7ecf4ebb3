"""Proofs of properties: exhaustive search is the oracle of induction, and witnesses are replayed."""

from __future__ import annotations

import pytest

from ludorum.engine import load_game
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game, GameInfo, Known, Status
from ludorum.engine.lifted import LiftedGame
from ludorum.players.traits import measure_traits
from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Ruleset
from ludorum.search.budget import Budget
from ludorum.solve.prove import PROPERTIES, ProofLimits, Verdict, VerdictStatus, prove, prove_info
from tests.how_much import sample

from ..small_games import CIRCLE, COIN, DOOR
from .test_planner import LADDER, rules_of
from .test_temporal import HELPERS, PATHS

PROVED = Status.PROVED

EXHAUSTIVE = ProofLimits(induct=False, plays=50)
INDUCTION = ProofLimits(explore=False, plays=50)

STUCK = """
; After two steps only the left one can move, and nothing says that the game is over.
(role left) (role right)
(succ 0 1) (succ 1 2) (succ 2 3)
(init (step 0))
(legal left go)
(<= (legal right go) (true (step ?n)) (succ ?n ?m) (distinct ?n 2))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 3)))
(goal left 100) (goal right 0)
"""

TWO_GOALS = """
; Whoever takes both stones has two goal values; whoever takes none has none.
(role a)
(init (stone p)) (init (stone q)) (init (step 0))
(succ 0 1) (succ 1 2)
(<= (legal a (take ?s)) (true (stone ?s)))
(legal a wait)
(<= (next (stone ?s)) (true (stone ?s)) (not (does a (take ?s))))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 2)))
(<= (goal a 100) (not (true (stone p))))
(<= (goal a 50) (not (true (stone q))))
"""

SMALL = {
    "door": DOOR, "circle": CIRCLE, "coin": COIN, "ladder": LADDER, "helpers": HELPERS, "paths": PATHS,
    "stuck": STUCK, "two_goals": TWO_GOALS,
}  # fmt: skip
LIBRARY = ["blocks", "buttons", "maze", "tictactoe", "hodgepodge", "nim", "rock_paper_scissors"]


def rules_named(name: str) -> Ruleset:
    return parse_kif(SMALL[name]) if name in SMALL else rules_of(name)


def verdicts(name: str, limits: ProofLimits, *properties: str, seconds: float = 30) -> dict[str, Verdict]:
    found = prove(rules_named(name), properties or ["all"], Budget(seconds=seconds), name=name, limits=limits)
    return {verdict.property: verdict for verdict in found}


def replays(game: Game, verdict: Verdict) -> bool:
    """Whether a witness shows what it claims to."""
    assert verdict.witness is not None
    states = verdict.witness.replay(game)
    last = states[-1]
    if verdict.witness.loop:
        return last == states[len(verdict.witness.moves)]
    match verdict.property:
        case "playable":
            return not last.is_terminal and any(not last.legal(role) for role in game.roles)
        case "turn-taking":
            return sum(len(last.legal(role)) > 1 for role in game.info.players) > 1 and not last.is_terminal
        case "unique-goal":
            return last.is_terminal and any(last.goal(role) is None for role in game.info.players)
        case "monotone-goals":
            pairs = [(states[-2].goal(role), last.goal(role)) for role in game.info.players]
            return any(then is not None and now is not None and now < then for then, now in pairs)
        case "constant-sum":
            return last.is_terminal
        case "maximum-length":
            return len(states) - 1 == verdict.value
        case "winnable" | "strongly-winnable":
            return last.is_terminal and 100 in [last.goal(role) for role in game.info.players]
    return False


@pytest.mark.parametrize("name", sample([*SMALL, *LIBRARY], 6))
def test_induction_and_exhaustive_search_agree(name: str) -> None:
    """Whatever both decide they decide alike; what induction lists, all states confirm."""
    whole, inductive = verdicts(name, EXHAUSTIVE), verdicts(name, INDUCTION, seconds=12)
    game = LiftedGame(rules_named(name), name)
    decided = (VerdictStatus.PROVED, VerdictStatus.REFUTED)
    for property_name in PROPERTIES:
        by_states, by_steps = whole[property_name], inductive[property_name]
        if by_states.status in decided and by_steps.status in decided:
            assert by_states.status is by_steps.status, property_name
        for verdict in (by_states, by_steps):
            if verdict.witness is not None and verdict.status in decided:
                assert replays(game, verdict), (property_name, verdict)
    assert bound(inductive["terminates"]) >= bound(whole["terminates"])
    assert families(inductive) <= families(whole)
    assert latches(inductive) <= latches(whole)


def bound(verdict: Verdict) -> int:
    return (
        verdict.value if isinstance(verdict.value, int) and verdict.status is VerdictStatus.PROVED else 10**9
    )


def families(found: dict[str, Verdict]) -> set[tuple[str, str]]:
    """Every family listed; where exactly one holds, at most one does."""
    value = found["exclusion"].value
    assert isinstance(value, list)
    listed = {
        (each["family"], each["holds"]) for each in value if found["exclusion"].status is VerdictStatus.PROVED
    }
    return listed | {(family, "at most one") for family, _ in listed}


def latches(found: dict[str, Verdict]) -> set[tuple[str, str]]:
    value = found["persistence"].value
    assert isinstance(value, dict)
    if found["persistence"].status is not VerdictStatus.PROVED:
        return set()
    return {(kind, fluent) for kind, fluents in value.items() for fluent in fluents}


@pytest.mark.spec("asp-player", 22)
@pytest.mark.parametrize("limits", [EXHAUSTIVE, INDUCTION], ids=["exhaustive", "induction"])
@pytest.mark.parametrize(
    ("name", "longest"),
    sample([("blocks", 3), ("buttons", 6), ("maze", 9), ("tictactoe", 9), ("hodgepodge", 3)], 3),
)
def test_maximum_length(name: str, longest: int, limits: ProofLimits) -> None:
    found = verdicts(name, limits, "maximum-length")["maximum-length"]
    assert (found.status, found.value) == (VerdictStatus.PROVED, longest)
    assert replays(load_game(name), found)


@pytest.mark.long
@pytest.mark.spec("asp-player", 22)
def test_a_step_counter_is_detected_by_proof() -> None:
    for name, longest in (("blocks", 3), ("buttons", 6), ("maze", 9), ("hodgepodge", 3)):
        found = verdicts(name, INDUCTION, "terminates")["terminates"]
        assert found.status is VerdictStatus.PROVED
        assert (found.value, "counts the moves" in found.reason) == (longest, True), found.reason


@pytest.mark.parametrize("limits", [EXHAUSTIVE, INDUCTION], ids=["exhaustive", "induction"])
def test_faulty_games_are_refuted_with_a_witness(limits: ProofLimits) -> None:
    for name, faulty in (("stuck", "playable"), ("two_goals", "unique-goal"), ("circle", "terminates")):
        found = verdicts(name, limits, faulty)[faulty]
        assert found.status is VerdictStatus.REFUTED
        assert replays(LiftedGame(rules_named(name), name), found)


def test_facts_about_tictactoe() -> None:
    found = verdicts("tictactoe", EXHAUSTIVE)
    proved = {name for name, verdict in found.items() if verdict.status is VerdictStatus.PROVED}
    assert {"playable", "terminates", "winnable", "turn-taking", "unique-goal", "constant-sum"} <= proved
    assert found["constant-sum"].value == 100
    assert found["strongly-winnable"].status is VerdictStatus.REFUTED
    assert ("(cell . . ?)", "exactly one") in families(found)


def test_only_one_of_two_can_win_hodgepodge() -> None:
    for limits in (EXHAUSTIVE, INDUCTION):
        found = verdicts("hodgepodge", limits, "winnable")["winnable"]
        assert found.status is VerdictStatus.REFUTED
        assert found.value == {"role": "mazeplayer"}
    strong = verdicts("hodgepodge", EXHAUSTIVE, "strongly-winnable")["strongly-winnable"]
    assert strong.value == {"roles": ["blocksplayer"]}


def test_without_time_nothing_is_claimed() -> None:
    found = verdicts(
        "tictactoe", ProofLimits(explore=False, induct=False, plays=5), "playable", "strongly-winnable"
    )
    assert found["playable"].status is VerdictStatus.OBSERVED
    assert found["strongly-winnable"].status is VerdictStatus.UNKNOWN


@pytest.mark.long
@pytest.mark.spec("evaluation-functions", 6)
def test_proofs_take_the_place_of_observations() -> None:
    game = load_game("tictactoe")
    info = prove_info(game, Budget(seconds=30), ProofLimits(plays=20))
    assert (info.turn_taking, info.simultaneous) == (Known(True, PROVED), Known(False, PROVED))
    assert (info.zero_sum, info.constant_sum) == (Known(True, PROVED), Known(100, PROVED))
    assert info.maximum_length == Known(9, PROVED)
    assert measure_traits(replaced(game, info), 0.1).constant_sum
    both = prove_info(load_game("hodgepodge"), Budget(seconds=30), ProofLimits(plays=20))
    assert (both.simultaneous, both.zero_sum) == (Known(True, PROVED), Known(False, PROVED))


def replaced(game: Game, info: GameInfo) -> Game:
    game.info = info
    return game


@pytest.mark.long
def test_pieces_that_only_go_forwards_bring_a_game_to_its_end() -> None:
    """Breakthrough has too many states to look at: a ranking is learned, and proved by induction."""
    found = verdicts("breakthrough", ProofLimits(explore=False, plays=100), "terminates", "playable")
    assert [verdict.status for verdict in found.values()] == [VerdictStatus.PROVED, VerdictStatus.PROVED]
    # 16 pieces a side have 6 rows to go each at most, with some to be lost on the way.
    assert isinstance(found["terminates"].value, int)
    assert found["terminates"].value >= 100


@pytest.mark.parametrize("name", sample(["connect_four", "peg_solitaire", "knights_tour"], 3))
def test_larger_games_by_induction(name: str) -> None:
    found = verdicts(name, ProofLimits(explore=False, plays=30), "playable", "terminates")
    assert found["terminates"].status is VerdictStatus.PROVED
    simulator = CompiledGame(rules_named(name), name).simulator()
    report = simulator.playouts(1000, max_steps=bound(found["terminates"]) + 1)
    assert report.capped == 0
    if found["playable"].status is VerdictStatus.PROVED:
        assert report.stuck == 0
