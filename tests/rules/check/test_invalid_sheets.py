"""Sheets other validators must reject or warn about get our verdict, with our codes."""

from pathlib import Path

import pytest

from ludorum.rules.check import check_source
from ludorum.rules.source import Severity
from ludorum.rules.syntax import load_source

INVALID = {
    "badparens1": {"bracket"},
    "badparens2": {"bracket"},
    "badparens3": {"bracket"},
    "badparens4": {"list-head"},
    "badparens5": {"list-head"},
    "baseDependsOnTrue": {"base-depends-on-state"},
    "base_depen": {"base-depends-on-state"},
    "emptyDisjunction": {"connective-arity"},
    "headsafe": {"unsafe-head"},
    "init_depen": {"init-depends-on-state"},
    "input_depen": {"input-depends-on-state"},
    "legal_depen": {"depends-on-does"},
    "misplacedDatalogKeyword1": {"misplaced-connective"},
    "misplacedDatalogKeyword2": {"misplaced-connective"},
    "misplacedDatalogKeyword3": {"misplaced-connective"},
    "ndef_goal": {"missing-goal"},
    "ndef_legal": {"missing-legal"},
    "ndef_role": {"missing-role"},
    "ndef_terminal": {"missing-terminal"},
    "notsafe": {"negation-only-variable"},
    "notunstrat": {"negation-cycle"},
    "orsafe": {"unsafe-head"},
    "recurseunstrat": {"growing-term"},
    "unstratrec": {"negation-cycle"},
    "varInTopLevelSentence": {"variable-in-fact"},
}

SYNTAX = {"bracket", "empty-list", "list-head", "connective-arity", "nesting", "quote"}


def codes(path: Path, least: Severity) -> set[str]:
    return {fault.code for fault in check_source(load_source(path)) if fault.severity >= least}


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_sheet_is_rejected_for_the_right_reason(corpus: Path, name: str) -> None:
    assert INVALID[name] <= codes(corpus / "invalid" / f"{name}.kif", Severity.ERROR)


def test_every_invalid_sheet_has_a_verdict(corpus: Path) -> None:
    names = {path.stem for path in (corpus / "invalid").glob("*.kif")}
    assert names == {*INVALID, "mularity", "commentEof"}


def test_two_arities_warn(corpus: Path) -> None:
    assert "relation-arities" in codes(corpus / "invalid" / "mularity.kif", Severity.WARNING)


def test_a_comment_is_no_syntax_error(corpus: Path) -> None:
    assert not SYNTAX & codes(corpus / "invalid" / "commentEof.kif", Severity.NOTE)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("test_case_3b__ggpbase", "unsafe-head"),
        ("test_case_3e__ggpbase", "unsafe-head"),
        ("test_case_3f__ggpbase", "unsafe-negation"),
        ("test_clean_not_distinct__ggpbase", "negated-distinct"),
    ],
)
def test_sheets_another_validator_rejects_are_rejected(corpus: Path, name: str, code: str) -> None:
    assert code in codes(corpus / "gdl1" / f"{name}.kif", Severity.ERROR)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("test_case_1a__ggpbase", "empty-body"),
        ("test_case_3a__ggpbase", "lone-brackets"),
        ("test_invalid_function_arities_differ__ggpbase", "function-arities"),
        ("test_invalid_sentence_arities_differ__ggpbase", "relation-arities"),
    ],
)
def test_sheets_another_validator_warns_about_warn(corpus: Path, name: str, code: str) -> None:
    path = corpus / "gdl1" / f"{name}.kif"
    assert code in codes(path, Severity.WARNING)
    assert not codes(path, Severity.ERROR)
