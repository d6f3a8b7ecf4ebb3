"""The checks that specifications ask for, one bad description for each rule."""

import re
from pathlib import Path

import pytest

from ludorum.rules.check import check_source, refuse_hidden_information
from ludorum.rules.kif import parse_kif, read_nodes
from ludorum.rules.source import Severity, Source
from ludorum.rules.syntax import load_source
from tests.how_much import FULL
from tests.rules.check.sheets import GOOD, check, check_added, errors

GAMES = Path(__file__).parents[3] / "games"

LIGHTS = "(role robot)\n(init (off 1))\n(<= (legal robot (press ?n)) (true (off ?n)))\n"
LIGHTS += "(<= (next (on ?n)) (does robot (press ?n)))\n(<= terminal (true (on 1)))\n(goal robot 100)\n"

DUEL = "(role a) (role b)\n(init start)\n(<= (legal ?p rock) (role ?p))\n"
DUEL += "(<= (next (played ?p ?m)) (does ?p ?m))\n"
DUEL += "(<= terminal (true (played a rock)))\n(<= (goal ?p 50) (role ?p) (not (true start)))\n"


@pytest.mark.spec("asp-player", 2)
@pytest.mark.parametrize("text", [GOOD, LIGHTS, DUEL], ids=["nim", "lights", "duel"])
def test_removing_any_one_bracket_is_an_error_with_a_place(text: str) -> None:
    assert not errors(check(text))
    for at, sign in enumerate(text):
        if sign in "()":
            faults = check(text[:at] + text[at + 1 :])
            bad = [fault for fault in faults if fault.code == "bracket"]
            assert bad, f"without the bracket at {at}"
            assert all(
                fault.severity is Severity.ERROR and fault.line >= 1 and fault.column >= 1 for fault in bad
            )


@pytest.mark.long
@pytest.mark.spec("asp-player", 2)
def test_removing_a_bracket_of_any_library_game_is_an_error() -> None:
    for path in sorted(GAMES.glob("gdl*/*.kif")):
        source = load_source(path)
        code = "\n".join(line.split(";")[0] for line in source.text.splitlines())
        places = [at for at, sign in enumerate(code) if sign in "()"]
        for at in places[:: max(1, len(places) // 2)]:
            faults = check_source(Source(source.name, code[:at] + code[at + 1 :]))
            assert "bracket" in errors(faults), f"{path.name} without the bracket at {at}"


@pytest.mark.long
@pytest.mark.spec("asp-player", 2)
def test_any_bracket_of_any_library_game_is_missed_at_its_rule() -> None:
    """Each bracket of each rule, with the rules before and after it: one fault, with a place in that rule.

    In the quick tests one bracket of three.
    """
    seen: set[str] = set()
    for path in sorted(GAMES.glob("gdl*/*.kif")):
        text = load_source(path).text
        nodes, _ = read_nodes(Source(path.name, text))
        pieces = [" ".join(text[node.span.start : node.span.end].split()) for node in nodes]
        for at, piece in enumerate(pieces):
            shape = re.sub(r"[^\s()]+", "a", piece)
            if ";" in piece or "|" in piece or shape in seen:
                continue  # what differs in names only is read alike
            seen.add(shape)
            before, after = pieces[max(0, at - 1)], pieces[min(at + 1, len(pieces) - 1)]
            for found in list(re.finditer(r"[()]", piece))[:: 1 if FULL else 3]:
                damaged = f"{before}\n{piece[: found.start()]}{piece[found.end() :]}\n{after}\n"
                _, faults = read_nodes(Source(path.name, damaged))
                assert [fault.code for fault in faults] == ["bracket"], damaged
                assert faults[0].line == 2, damaged
                assert 1 <= faults[0].column <= len(piece)
    assert len(seen) > 300


@pytest.mark.spec("asp-player", 4)
@pytest.mark.parametrize(
    ("added", "code"),
    [
        ("(<= (legal white) (true (heap 1)))", "keyword-arity"),
        ("(<= (goal white 1 2) (true (heap 1)))", "keyword-arity"),
        ("(<= (next (heap 1)) (does take))", "keyword-arity"),
        ("(<= (init (heap 1)) (true (heap 2)))", "init-depends-on-state"),
        ("(<= (init (heap 1)) (does white take))", "init-depends-on-state"),
        ("(<= (init (heap 1)) (next (heap 2)))", "init-depends-on-state"),
        ("(<= (init (heap 1)) (legal white take))", "init-depends-on-state"),
        ("(<= (init (heap 1)) (goal white 100))", "init-depends-on-state"),
        ("(<= (init (heap 1)) terminal)", "init-depends-on-state"),
        ("(true (heap 1))", "keyword-head"),
        ("(<= (does white take) (true (heap 1)))", "keyword-head"),
        ("(<= (legal white stop) (does black take))", "depends-on-does"),
        ("(<= (goal white 50) (moved white))\n(<= (moved ?p) (does ?p take))", "depends-on-does"),
        ("(<= terminal (not (moved white)))\n(<= (moved ?p) (does ?p take))", "depends-on-does"),
    ],
)
def test_keyword_arity_and_placement(added: str, code: str) -> None:
    assert code in errors(check_added(added))


@pytest.mark.spec("asp-player", 4)
@pytest.mark.parametrize(
    ("added", "code"),
    [
        ("(<= (role ?p) (other ?p white))", "role-by-rule"),
        ("(<= terminal (next (heap 0)))", "next-in-body"),
        ("(<= terminal (init (heap 0)))", "init-in-body"),
    ],
)
def test_keyword_placement_that_only_warns(added: str, code: str) -> None:
    assert code in {fault.code for fault in check_added(added) if fault.severity is Severity.WARNING}


@pytest.mark.spec("asp-player", 5)
@pytest.mark.spec("filtering-gdl2", 2)
@pytest.mark.parametrize(
    ("added", "code"),
    [
        ("(<= (next (heap ?x)) (true (heap 1)))", "unsafe-head"),
        ("(<= terminal (true (heap 1)) (not (succ ?x 1)))", "negation-only-variable"),
        ("(<= terminal (true (heap 1)) (distinct ?x 1))", "unsafe-distinct"),
        ("(<= p (true (heap 1)) (not q))\n(<= q p)\n(<= terminal p)", "negation-cycle"),
        ("(num 0)\n(<= (num (s ?x)) (num ?x))\n(<= terminal (num 1))", "growing-term"),
        ("(num 0 1)\n(<= (num ?x 1) (num ?x ?y))\n(<= terminal (num 1 1))", "recursion-restriction"),
    ],
)
def test_safety_stratification_and_recursion(added: str, code: str) -> None:
    assert code in errors(check_added(added))


@pytest.mark.spec("asp-player", 6)
def test_gdl_ii_is_refused_where_only_gdl_i_is_played() -> None:
    assert refuse_hidden_information(parse_kif(GOOD)) == []
    sees = refuse_hidden_information(parse_kif(GOOD + "(<= (sees white ?m)\n    (does black ?m))"))
    chance = refuse_hidden_information(parse_kif("(role random)\n" + GOOD))
    assert [(fault.code, fault.severity) for fault in sees + chance] == [
        ("hidden-information", Severity.ERROR),
        ("hidden-information", Severity.ERROR),
    ]
    assert (chance[0].line, chance[0].column) == (1, 1)


def test_the_library_has_no_errors_and_no_warnings() -> None:
    for path in sorted(GAMES.glob("gdl*/*.kif")):
        bad = [fault for fault in check_source(load_source(path)) if fault.severity > Severity.NOTE]
        assert not bad, f"{path.name}: {bad[0]}"
