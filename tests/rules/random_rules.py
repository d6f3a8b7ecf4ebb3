"""Hypothesis strategies for terms and rules, and equality of rules up to the names of variables."""

from pathlib import Path

from hypothesis import strategies as st

from ludorum.rules import And, Atom, Distinct, Formula, Not, Or, Pattern, Rule, Ruleset, Term, Variable
from ludorum.rules.ruleset import with_other_terms
from tests.corpus_location import ROOT, corpus_folder

FIVE_GAMES = ("blocks", "buttons", "maze", "tictactoe", "hodgepodge")
"""The games of the answer-set player's specification."""

CONNECTIVES = {"not", "and", "or", "distinct"}

# `<=` is the one symbol that GDL cannot use as a name, bars or not.
symbols: st.SearchStrategy[str] = st.one_of(
    st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True),
    st.from_regex(r"[0-9]{1,3}", fullmatch=True),
    st.sampled_from(["x-y", "007", "2147483648", "+", "-1", "x_1", "Upper", "two words", "a;b", "(", "|",
                     "?q", "it's", "back\\slash", "new\nline", "", "_", "ß", "名", "İ", "a.b", "p(x)", "%"]),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=4),
).filter(lambda name: name != "<=")  # fmt: skip

names = symbols.filter(lambda name: name not in CONNECTIVES)

variables = st.builds(
    Variable, st.sampled_from(["x", "y", "xa", "x_2", "x-1", "1", "_", "_1", "_x", "+", "é"])
)

constants = st.builds(Term, symbols)


def compounds(inner: st.SearchStrategy[Pattern]) -> st.SearchStrategy[Term]:
    return st.builds(Term, symbols, st.lists(inner, min_size=1, max_size=3).map(tuple))


ground_terms: st.SearchStrategy[Term] = st.recursive(constants, compounds, max_leaves=8)

patterns: st.SearchStrategy[Pattern] = st.recursive(st.one_of(variables, constants), compounds, max_leaves=6)

sentences = st.builds(Term, names, st.lists(patterns, max_size=3).map(tuple))

formulas: st.SearchStrategy[Formula] = st.recursive(
    st.one_of(st.builds(Atom, sentences), st.builds(Distinct, patterns, patterns)),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(And, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(Or, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    ),
    max_leaves=6,
)

rules = st.builds(Rule, sentences, st.lists(formulas, max_size=4).map(tuple))

rulesets = st.builds(Ruleset, st.lists(rules, max_size=4).map(tuple))


def canonical(ruleset: Ruleset) -> Ruleset:
    """The rules with the variables of each named v0, v1, ... in order of appearance."""
    return ruleset.with_rules(_canonical_rule(rule) for rule in ruleset.rules)


def _canonical_rule(rule: Rule) -> Rule:
    found: dict[Variable, Variable] = {}

    def rename(pattern: Pattern) -> Pattern:
        if isinstance(pattern, Variable):
            return found.setdefault(pattern, Variable(f"v{len(found)}"))
        return Term(pattern.name, tuple(map(rename, pattern.args)))

    return with_other_terms(rule, rename)


def game_text(name: str) -> str:
    """The text of one of our own sheets."""
    return (ROOT / "games" / "gdl" / f"{name}.kif").read_text()


def corpus_sheets() -> list[Path]:
    """Every rule sheet of the corpus, sorted."""
    folder = corpus_folder()
    return [] if folder is None else sorted(folder.rglob("*.kif"))


def sample(sheets: list[Path], every: int = 9) -> list[Path]:
    """A share of the sheets that a quick run can afford."""
    return [path for path in sheets[::every] if path.stat().st_size < 30_000]
