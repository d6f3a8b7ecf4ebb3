"""Faulty sheets and the changes that mend them: what the author meant, and no more."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from ludorum.cli.app import app
from ludorum.rules.library import find_sheet
from ludorum.rules.reader import read_rules
from ludorum.rules.source import Source, Span
from ludorum.solve.repair import Mended, mend
from ludorum.solve.repair.choose import Option, choose
from ludorum.solve.repair.distance import distance, nearness
from ludorum.solve.repair.focus import Focus
from ludorum.solve.repair.generate_brackets import segments
from ludorum.solve.repair.generate_keywords import propose_keywords
from ludorum.solve.repair.play import count_states, play
from ludorum.solve.repair.proposal import Edit, Proposal, apply_edits, insert
from ludorum.solve.repair.sheet import TextUnderRepair
from ludorum.solve.repair.symptoms import Symptom
from ludorum.solve.repair.validate import all_symptoms, refusals
from tests.solve.repair.meaning import same_meaning


def text_of(name: str) -> str:
    return find_sheet(name).source.text


def replaced(text: str, old: str, new: str) -> str:
    """The text with the first occurrence replaced; there must be one."""
    assert old in text
    return text.replace(old, new, 1)


def mended(text: str) -> Mended:
    found = mend(Source("sheet.kif", text))
    assert found.left == []
    return found


def added_lines(found: Mended) -> list[str]:
    return [
        line[1:].strip()
        for line in found.diff.splitlines()
        if re.match(r"\+(?!\+)", line) and line[1:].strip()
    ]


def states(text: str) -> int:
    return count_states(read_rules(Source("sheet.kif", text))[0], 1000)


@pytest.mark.parametrize("name", ["tictactoe", "blocks", "buttons", "nim", "connect_four", "racetrack"])
def test_good_sheets_stay_as_they_are(name: str) -> None:
    found = mended(text_of(name))
    assert found.offers == ()
    assert found.diff == ""


RESTORED = [
    # the three of the issue
    (
        "tictactoe",
        "    (true (cell ?m ?n b)))\n(<= (legal ?p noop)",
        "    (cell ?m ?n b))\n(<= (legal ?p noop)",
    ),
    ("nim", "(<= (next (heap ?heap ?m))", "(<= (next (heep ?heap ?m))"),
    ("dots_and_boxes", "(<= terminal", "(<= termnal"),
    # brackets, where they were lost or are too many
    ("nim", "(leaves ?n ?k ?m)\n    (distinct", "(leaves ?n ?k ?m\n    (distinct"),
    ("nim", "(leaves ?n ?k ?m)\n    (distinct", "leaves ?n ?k ?m)\n    (distinct"),
    ("blocks", "(<= (next (step ?n))", "(<= (next (step ?n)"),
    ("blocks", "(true (on a b))", "(true (on a b)))"),
    ("blocks", "(true (on a b))", "(true ((on a b))"),
    # question marks
    ("tictactoe", "(<= (next (control ?q))", "(<= (next (control q))"),
    ("tictactoe", "    (true (cell ?m ?n b)))\n(<= (legal", "    (true (cell m ?n b)))\n(<= (legal"),
    ("nim", "(<= (next (heap ?heap ?m))", "(<= (next (heap ?heap m))"),
    # names
    ("blocks", "(<= (legal robot (u ?x ?y))", "(<= (legel robot (u ?x ?y))"),
    ("rock_paper_scissors", "(opponent left right)", "(opponent left righht)"),
    ("blocks", "(<= (next (step ?n))", "(<= (next (step ?nn))"),
    # words around a literal
    ("blocks", "(true (on a b))", "(on a b)"),
    ("blocks", "(<= terminal\n    tower)", "(<= terminal\n    (true tower))"),
    ("buttons", "(does white ?button)", "(white ?button)"),
    ("blocks", "(distinct ?x ?y)", "(?x ?y)"),
    ("nim", "(does ?player (take ?heap ?k)))", "(take ?heap ?k))"),
    # arguments
    ("nim", "(does ?player (take ?heap ?k))\n", "(does ?player (take ?heap))\n"),
    ("buttons", "(takes c q r)", "(takes c q q r)"),
    ("nim", "(heap_size a 1)", "(heap_size 1 a)"),
    ("lights_out", "(succ 13 14)", "(succ 14 13)"),
    # arguments of tables go on with them, and one that stands twice is too many
    ("maze", "(succ 3 4)", "(succ 3)"),
    ("maze", "(succ 3 4)", "(succ 3 3 4)"),
    ("hex", "(touches ?x1 ?y1 ?x2 ?y2)", "(touches ?x1 ?y1 ?x22 ?y2)"),
]


RUN = """
(role red) (role blue)
(init (at red 0))
(init (at blue 0))
(init (control red))
(after 0 1) (after 1 2) (after 2 3) (after 3 4)
(other red blue) (other blue red)
(<= (legal ?p (walk ?x ?y)) (true (control ?p)) (true (at ?p ?x)) (after ?x ?y))
(<= (legal ?p (jump ?x ?z)) (true (control ?p)) (true (at ?p ?x)) (after ?x ?y) (after ?y ?z))
(<= (legal ?p wait) (role ?p) (not (true (control ?p))))
(<= (next (at ?p ?y)) (does ?p (walk ?x ?y)))
(<= (next (at ?p ?y)) (does ?p (jump ?x ?y)))
(<= (next (at ?p ?x)) (true (at ?p ?x)) (not (true (control ?p))))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= (home ?p) (true (at ?p 4)))
(<= terminal (home ?p))
(<= (goal ?p 100) (home ?p))
(<= (goal ?p 0) (role ?p) (not (home ?p)))
"""


@pytest.mark.long
@pytest.mark.parametrize("role", ["red", "blue"])
def test_a_fact_with_swapped_arguments_is_mended_and_not_a_rule(role: str) -> None:
    """Variables that stand so in other rules are hardly wrong, though a rule might be bent to the fact."""
    found = mended(replaced(RUN, f"(at {role} 0)", f"(at 0 {role})"))
    assert found.after.text == RUN
    assert states(found.after.text) == states(RUN)


WALK = "(<= (next (at ?p ?y)) (does ?p (walk ?x ?y)))"
HOME = "(<= (home ?p) (true (at ?p 4)))"


@pytest.mark.parametrize(
    ("good", "bad", "reason"),
    [
        # a variable that the head and the body call differently
        (WALK, "(<= (next (at ?p ?y)) (does ?p (walk ?x ?z)))", "`?z` looks like a slip for `?y`"),
        (WALK, "(<= (next (at ?p ?z)) (does ?p (walk ?x ?y)))", "`?z` looks like a slip for `?y`"),
        (WALK, "(<= (next (at ?q ?y)) (does ?p (walk ?x ?y)))", "`?q` looks like a slip for `?p`"),
        # a lost arrow: alone, with the brackets of the head, with those of the rule
        (WALK, "((next (at ?p ?y)) (does ?p (walk ?x ?y)))", "`<=` is missing"),
        (
            WALK,
            "(next (at ?p ?y) (does ?p (walk ?x ?y)))",
            "`<=` is missing: what stands after (next (at ?p ?y)) are its conditions",
        ),
        (
            WALK,
            "(next (at ?p ?y)) (does ?p (walk ?x ?y))",
            "`<=` and its brackets are missing around (next (at ?p ?y)) and what follows",
        ),
        (
            "(<= terminal (home ?p))",
            "(terminal (home ?p))",
            "`<=` is missing: what stands after terminal are its conditions",
        ),
        (
            "(<= terminal (home ?p))",
            "terminal (home ?p)",
            "`<=` and its brackets are missing around terminal and what follows",
        ),
        (HOME, "(home ?p (true (at ?p 4)))",
         "`<=` is missing: what stands after (home ?p) are its conditions"),
        (
            WALK,
            "(<= (next (at ?p ?y) (does ?p (walk ?x ?y))))",
            "the bracket of (next (at ?p ?y)) closes too late",
        ),
        ("(true (at ?p ?x)) (after ?x ?y))\n", "(true (at ?p ?x) (after ?x ?y)))\n",
         "the bracket of (true (at ?p ?x)) closes too late"),
        # an arrow as other languages write it
        (WALK, "(:- (next (at ?p ?y)) (does ?p (walk ?x ?y)))", "`:-` stands where `<=` should"),
        (WALK, "(if (next (at ?p ?y)) (does ?p (walk ?x ?y)))", "`if` stands where `<=` should"),
        (WALK, "(=> (next (at ?p ?y)) (does ?p (walk ?x ?y)))", "`=>` stands where `<=` should"),
        # one keyword for another, in bodies and in heads
        (HOME, "(<= (home ?p) (next (at ?p 4)))", "`next` stands where `true` is meant"),
        (HOME, "(<= (home ?p) (init (at ?p 4)))", "`init` stands where `true` is meant"),
        (HOME, "(<= (home ?p) (does (at ?p 4)))", "`does` stands where `true` is meant"),
        ("(next (control ?q)) (true", "(next (control ?q)) (next", "`next` stands where `true` is meant"),
        (WALK, WALK.replace("does", "legal"), "`legal` stands where `does` is meant"),
        (WALK, WALK.replace("does", "true"), "`true` stands where `does` is meant"),
        (WALK, WALK.replace("next", "true"), "`true` stands where `next` is meant"),
        (WALK, WALK.replace("next", "init"), "`init` stands where `next` is meant"),
        ("(legal ?p wait)", "(does ?p wait)", "`does` stands where `legal` is meant"),
        ("(init (control red))", "(next (control red))", "`next` stands where `init` is meant"),
        ("(init (at red 0))", "(next (at red 0))", "`next` stands where `init` is meant"),
        ("(init (control red))", "(true (control red))", "`true` stands where `init` is meant"),
    ],
)  # fmt: skip
def test_arrows_and_words_and_variables_of_heads_come_back(good: str, bad: str, reason: str) -> None:
    found = mended(replaced(RUN, good, bad))
    line = replaced(RUN, good, bad)[: RUN.index(good)].count("\n") + 1
    assert found.after.text == RUN
    assert [str(change) for change in found.made] == [f"line {line}: {reason}"]


def test_a_fluent_that_always_holds_after_the_start_is_no_slip() -> None:
    text = replaced(RUN, "(<= terminal (home ?p))", "(next begun)\n(<= terminal (home ?p) (true begun))")
    assert mended(text).offers == ()


def test_a_legal_move_that_is_also_done_is_no_slip() -> None:
    text = replaced(RUN, WALK, f"{WALK[:-1]} (legal ?p (walk ?x ?y)))")
    assert mended(text).offers == ()


def test_conditions_that_stood_alone_are_not_played_by_themselves() -> None:
    """`(other ?p ?q)` between the head and the last condition binds nothing: no engine takes it as a fact."""
    rule = "(<= (goal ?p 0) (role ?p) (not (home ?p)))"
    apart = "(goal ?p 0) (other ?p ?q) (not (home ?p))"
    assert mended(replaced(RUN, rule, apart)).after.text == replaced(RUN, rule, f"(<= {apart})")


def test_an_arrow_that_is_lost_over_several_lines() -> None:
    """Layout tells which of the forms that follow are conditions, and which are facts."""
    rule = "(<= (ahead ?player)\n    (opponent ?player ?other)\n    (true (won ?player ?m))\n"
    text = text_of("rock_paper_scissors")
    assert rule in text
    end = text.index("(more ?m ?n))", text.index(rule)) + len("(more ?m ?n)")
    bad = text[:end] + text[end + 1 :]
    assert mended(replaced(bad, rule, rule.removeprefix("(<= "))).after.text == text


@pytest.mark.parametrize(("name", "good", "bad"), RESTORED)
def test_a_slip_is_undone_to_the_letter(name: str, good: str, bad: str) -> None:
    text = text_of(name)
    found = mended(replaced(text, good, bad))
    assert found.after.text == text
    assert len(found.made) == 1


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("hex", "(true (control ?p))\n    (index ?x)", "(index ?x)"),
        ("tictactoe", "(true (cell ?m ?n ?c))\n    (distinct ?c b)", "(distinct ?c b)"),
    ],
)
def test_turns_and_frames_bind_what_nothing_binds(name: str, good: str, bad: str) -> None:
    """Who waits while another is in control moves when in control; a fluent that goes on held before."""
    text = text_of(name)
    found = mended(replaced(text, good, bad))
    assert len(found.made) == 1
    assert good.splitlines()[0] in found.made[0].reason
    assert same_meaning(*(read_rules(Source("sheet.kif", each))[0] for each in (text, found.after.text)))


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("(<= (next (step ?n))", "(<= (next (step ?n)"),
        ("(true (on a b))", "(true (on a b)))"),
        ("(successor 2 3)", "successor 2 3)"),
    ],
)
def test_brackets_of_sheets_without_indentation(good: str, bad: str) -> None:
    """Where conditions stand in the first column as rules do, a bracket there begins no rule."""
    text = re.sub(r"\n +", "\n", text_of("blocks"))
    assert mended(replaced(text, good, bad)).after.text == text


def test_a_fluent_that_nothing_looks_at_may_get_lost() -> None:
    text = text_of("blocks") + "(base fire) (init fire)\n"
    assert mended(text).offers == ()


def test_a_game_over_at_the_start_is_never_offered() -> None:
    text = """
        (role a) (succ 1 2) (init (at 1))
        (<= (legal a (go ?y)) (true (at ?x)) (succ ?x ?y))
        (<= (next (at ?y)) (does a (go ?y)))
        terminal
        (<= (goal a 100) (true (att ?x)))
    """
    found = mend(Source("sheet.kif", text))
    assert found.offers == ()
    assert "the game is over before the first move" in found.left


def test_a_missing_turn_is_passed_on_and_the_game_is_as_long_as_before() -> None:
    text = text_of("tictactoe")
    rule = "(<= (next (control ?q))\n    (true (control ?p))\n    (opponent ?p ?q))\n"
    found = mended(replaced(text, rule, ""))
    assert added_lines(found) == ["(<= (next (control ?q))", "(true (control ?p))", "(opponent ?p ?q))"]
    assert states(found.after.text) == states(text) == 1000


@pytest.mark.long
def test_a_turn_that_is_passed_on_in_one_case_only() -> None:
    rule = "(<= (next (control ?q))\n    (true (control ?p))\n    (opponent ?p ?q)\n    (not (scores ?p)))\n"
    found = mended(replaced(text_of("dots_and_boxes"), rule, ""))
    assert added_lines(found) == [line.strip() for line in rule.splitlines()]


def test_a_role_that_waits_gets_its_move() -> None:
    rule = "(<= (legal ?p noop)\n    (role ?p)\n    (not (true (control ?p))))\n"
    found = mended(replaced(text_of("tictactoe"), rule, ""))
    assert added_lines(found) == ["(<= (legal ?r noop)", "(role ?r)", "(not (true (control ?r))))"]
    assert [str(change) for change in found.made] == [
        "line 110: a role that is not in control has no move; it may do noop"
    ]


def test_lists_of_moves_and_fluents_are_no_slips_for_what_is_missing() -> None:
    sheet = TextUnderRepair(Source("sheet.kif", "(role a) (base (at 1)) (input a go) (init (at 1))"))
    assert list(propose_keywords(sheet, Focus(sheet, ()))) == []


def test_a_condition_that_bound_a_variable() -> None:
    bound = "    (true (clear ?x))\n    (true (table ?x))\n    (true (clear ?y))\n"
    found = mended(replaced(text_of("blocks"), bound, "    (true (clear ?x))\n    (true (table ?x))\n"))
    assert added_lines(found) == ["(distinct ?x ?y)", "(true (clear ?y)))"]


def test_facts_that_are_missing() -> None:
    assert added_lines(mended(replaced(text_of("nim"), "(init (control left))", ""))) == [
        "(init (control left))"
    ]
    assert added_lines(mended(replaced(text_of("nim"), "(role right)\n", ""))) == ["(role right)"]


def test_a_rule_that_only_the_other_role_has() -> None:
    text = (
        "(role a) (role b) (init (turn a)) (init (step 1)) (succ 1 2) (succ 2 3)\n"
        "(<= (legal a go) (true (turn a)))\n(<= (legal b go) (true (turn b)))\n"
        "(<= (legal a wait) (true (turn b)))\n"
        "(<= (next (turn a)) (true (turn b)))\n(<= (next (turn b)) (true (turn a)))\n"
        "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))\n"
        "(<= terminal (true (step 3)))\n(<= (goal ?p 100) (role ?p))\n"
    )
    assert added_lines(mended(text)) == ["(<= (legal b wait)", "(true (turn a)))"]


def test_two_slips_at_once() -> None:
    text = replaced(text_of("blocks"), "(true (on a b))", "(on a b)")
    found = mended(replaced(text, "(<= (next (step ?n))", "(<= (next (step ?nn))"))
    assert found.after.text == text_of("blocks")
    assert len(found.made) == 2


def test_a_bracket_and_a_name() -> None:
    text = replaced(text_of("blocks"), "(true (on a b))", "(true (on a b)")
    found = mended(replaced(text, "    tower)\n(<= terminal", "    towr)\n(<= terminal"))
    assert found.after.text == text_of("blocks")


# -- what is never done -----------------------------------------------------------------------------------


@pytest.mark.long
def test_no_rule_is_added_that_ends_the_game() -> None:
    text = re.sub(r"\(<= terminal\n(    [^\n]*\n)+", "", text_of("tictactoe"))
    found = mend(Source("sheet.kif", text))
    assert "terminal" not in "".join(added_lines(found))
    assert any("terminal" in fault for fault in found.left)


def test_what_cannot_be_mended_is_said() -> None:
    found = mend(Source("sheet.kif", "(role a) (legal a go) (<= terminal (not terminal)) (goal a 100)"))
    assert found.left
    assert found.after.text == found.before.text


def test_prolog_sheets_are_refused_with_the_way_out() -> None:
    with pytest.raises(ValueError, match="format --to kif"):
        mend(Source("sheet.pl", "role(a).\n"))


LOOP = (
    "(role a) (init (at 0)) (legal a go) (goal a 100)\n"
    "(<= (next (at 1)) (true (at 0)))\n(<= terminal (true (at 1)))"
)


def why_refused(before: str, edit: Edit) -> list[str]:
    sheet = TextUnderRepair(Source("sheet.kif", before))
    after = sheet.after([edit])
    return refusals(sheet, (edit,), after, all_symptoms(after))


def test_the_validator_refuses_games_over_at_the_start() -> None:
    assert why_refused(LOOP, insert(len(LOOP), "\n(<= terminal (true (at 0)))")) == [
        "the game is over before the first move"
    ]


def test_the_validator_refuses_games_in_which_a_role_is_stuck() -> None:
    faults = why_refused(LOOP, insert(len(LOOP), "\n(role b) (goal b 0) (<= (legal b go) (true (at 7)))"))
    assert faults == ["b has no move although the game is not over"]


def test_the_validator_refuses_games_without_end() -> None:
    at = LOOP.index("(at 1)")
    faults = why_refused(LOOP, Edit(Span(at, at + 6), "(at 0)"))
    assert faults == ["random games do not come to their end within 400 steps"]


def test_the_validator_refuses_to_lose_positions() -> None:
    text = (
        "(role a) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)\n(legal a go)\n(legal a stay)\n"
        "(<= (next (at ?n)) (true (at ?m)) (succ ?m ?n) (does a go))\n"
        "(<= (next (at ?m)) (true (at ?m)) (does a stay))\n"
        "(<= terminal (true (at 3)))\n(goal a 100)\n"
    )
    assert why_refused(text, insert(len(text), "(<= terminal (true (at 1)))")) == [
        "fewer than 4 positions can be reached, although the rest of the rules allows as many"
    ]
    assert why_refused(text, insert(len(text), "(legal a rest)")) == []


def test_play_is_the_same_each_time() -> None:
    rules = read_rules(Source("sheet.kif", text_of("nim")))[0]
    assert play(rules) == play(rules)
    assert play(rules).ended == 4


# -- parts ------------------------------------------------------------------------------------------------


def test_slips_between_words() -> None:
    assert [distance("heap", other) for other in ("heep", "hepa", "heapp", "hp", "heap")] == [1, 1, 1, 2, 0]
    assert nearness("x", "o") is None
    assert nearness("12", "13") is None
    assert nearness("control", "kontroll") == 2


def test_segments_are_cut_where_rules_begin() -> None:
    text = "(role a)\n(init (p 1)\n(<= (q ?x)\n    (true (p ?x))\n(legal a go)\n"
    assert [segment.depth for segment in segments(text)] == [(0, 0), (1, 0), (1, 0), (0, 0)]


def test_the_cheapest_choice_without_conflicts() -> None:
    symptoms = [Symptom("x", "one", 100), Symptom("x", "two", 100), Symptom("x", "no matter", 3)]

    def option(start: int, end: int, mends: set[int], cost: int) -> Option:
        return Option(Proposal("", (Edit(Span(start, end), str(cost)),), cost), frozenset(mends), cost)

    options = [option(0, 5, {0, 1}, 5), option(0, 5, {0}, 1), option(10, 12, {1}, 2), option(4, 6, {1}, 1)]
    assert choose(symptoms, options, []) == frozenset({1, 2})
    assert choose(symptoms, options, [frozenset({1, 2})]) == frozenset({0})


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 40), st.sets(st.integers(0, 3), min_size=1)), min_size=1, max_size=6)
)
def test_choices_cost_least(proposals: list[tuple[int, set[int]]]) -> None:
    """Against counting through all sets; what is left wrong counts as well."""
    weights = [100, 40, 22, 3]
    symptoms = [Symptom("x", str(number), weight) for number, weight in enumerate(weights)]
    options = [
        Option(Proposal("", (Edit(Span(number * 2, number * 2 + 1), ""),), cost), frozenset(mends), cost)
        for number, (cost, mends) in enumerate(proposals)
    ]

    def total(chosen: frozenset[int]) -> int:
        mended_ = set().union(*(options[number].mends for number in chosen))
        return sum(options[number].cost for number in chosen) + sum(
            weight for number, weight in enumerate(weights) if number not in mended_
        )

    choice = choose(symptoms, options, [])
    assert choice is not None
    sets = [
        frozenset(number for number in range(len(options)) if bits >> number & 1)
        for bits in range(1, 2 ** len(options))
    ]
    assert total(choice) == min(map(total, sets))


def test_edits_keep_their_places() -> None:
    source = Source("x", "abcdef")
    edits = [Edit(Span(0, 1), "AAA"), Edit(Span(4, 6), ""), Edit(Span(2, 2), "-")]
    assert apply_edits(source, edits).text == "AAAb-cd"


# -- the verb ---------------------------------------------------------------------------------------------


def test_the_verb_shows_and_writes(tmp_path: Path) -> None:
    sheet = tmp_path / "blocks.kif"
    sheet.write_text(replaced(text_of("blocks"), "(true (on a b))", "(on a b)"))
    shown = CliRunner().invoke(app, ["repair", str(sheet)])
    assert shown.exit_code == 0
    assert "-    (on a b)\n+    (true (on a b))\n" in shown.stdout
    assert "- line 95: `true` is missing around (on a b)\n" in shown.stdout
    assert "(true (on a b))" not in sheet.read_text()
    written = CliRunner().invoke(app, ["repair", str(sheet), "--write", "--json"])
    answer = json.loads(written.stdout)
    assert answer["written"] is True
    assert answer["repairs"][0]["changes"] == [
        {"line": 95, "column": 5, "reason": "`true` is missing around (on a b)", "cost": 10}
    ]
    assert sheet.read_text() == text_of("blocks")
    again = CliRunner().invoke(app, ["repair", str(sheet)])
    assert "nothing to mend" in again.stdout


def test_the_verb_tells_what_it_cannot_mend(tmp_path: Path) -> None:
    sheet = tmp_path / "bad.kif"
    sheet.write_text("(role a) (legal a go) (<= terminal (not terminal)) (goal a 100)")
    found = CliRunner().invoke(app, ["repair", str(sheet)])
    assert found.exit_code == 1
    assert "not mended" in found.output


HALF_MENDED = """
(role a) (init (at 1)) (succ 1 2)
(<= (legal a (go ?y)) (true (at ?x)) (succ ?x ?y))
(legal a stay)
(<= (next (at ?y)) (does a (go ?z)))
(<= (next (at ?x)) (true (at ?x)) (does a stay))
(goal a 100)
"""
"""A slip beside a game that never ends: no rule is ever added that ends one."""


def test_nothing_is_written_unless_the_sheet_is_mended(tmp_path: Path) -> None:
    sheet = tmp_path / "half.kif"
    sheet.write_text(HALF_MENDED)
    left = ["no terminal rule: the game never ends"]
    told = "not mended: no terminal rule: the game never ends\n"
    shown = CliRunner().invoke(app, ["repair", str(sheet), "--write"])
    assert shown.exit_code == 1
    assert "- line 5: `?z` looks like a slip for `?y`\n" in shown.stdout
    assert shown.stderr == (
        f"{told}nothing was written, since the sheet is not mended by this; "
        "adding --partial writes it all the same\n"
    )
    answer = json.loads(CliRunner().invoke(app, ["repair", str(sheet), "--write", "--json"]).stdout)
    assert (answer["left"], answer["written"], len(answer["repairs"])) == (left, False, 1)
    assert sheet.read_text() == HALF_MENDED
    forced = CliRunner().invoke(app, ["repair", str(sheet), "--write", "--partial"])
    assert forced.exit_code == 1
    assert forced.stderr == f"{told}written, although the sheet is not mended\n"
    assert sheet.read_text() == HALF_MENDED.replace("?z", "?y")


def test_partial_needs_write(tmp_path: Path) -> None:
    sheet = tmp_path / "half.kif"
    sheet.write_text(HALF_MENDED)
    found = CliRunner().invoke(app, ["repair", str(sheet), "--partial"])
    assert found.exit_code == 2
    assert found.stderr == "error: --partial says what --write may write: give both\n"


@pytest.mark.long
def test_repairs_that_are_as_likely_are_all_offered(tmp_path: Path) -> None:
    """Which of two facts a chain has lost cannot be known: `(takes c r)` of buttons lacks one of three."""
    sheet = tmp_path / "buttons.kif"
    sheet.write_text(replaced(text_of("buttons"), "(takes c q r)", "(takes c r)"))
    found = CliRunner().invoke(app, ["repair", str(sheet), "--json"])
    repairs = json.loads(found.stdout)["repairs"]
    assert len(repairs) > 1
    assert len({repair["cost"] for repair in repairs}) == 1
    assert len({repair["diff"] for repair in repairs}) == len(repairs)
    second = CliRunner().invoke(app, ["repair", str(sheet), "--choice", "2", "--json"])
    assert json.loads(second.stdout)["repairs"][0] == repairs[1]
    none = CliRunner().invoke(app, ["repair", str(sheet), "--choice", "99"])
    assert none.exit_code == 2
    assert "there are" in none.output
