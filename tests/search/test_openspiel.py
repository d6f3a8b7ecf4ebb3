"""Where OpenSpiel is installed (the extra ``rivals``): its games are ours, and our tree beats its tree."""

import importlib
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from tests.corpus_location import ROOT

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install '.[rivals]'")


@pytest.fixture
def match_script(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    yield importlib.import_module("openspiel")
    sys.modules.pop("openspiel", None)


@pytest.mark.parametrize("name", ["connect_four", "breakthrough", "othello", "hex"])
def test_the_rules_are_the_same(match_script: ModuleType, name: str) -> None:
    match_script.check_twin(match_script.TWINS[name], games=10)


def test_a_short_match_is_won(match_script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = match_script.parse(["connect_four", "--games", "10", "--seconds", "0.1", "--opening", "2"])
    row = match_script.compare("connect_four", asked)
    assert row["games"] == 10
    assert row["score"] >= 0.6
