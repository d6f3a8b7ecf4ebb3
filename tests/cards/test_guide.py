"""The guide names every word of the language and every code of a fault; its examples are run elsewhere."""

from __future__ import annotations

import re

import pytest

from ludorum.cards.language.language import FUNCTIONS, STATEMENTS
from tests.corpus_location import ROOT

GUIDE = (ROOT / "docs" / "languages" / "fcdl.md").read_text(encoding="utf-8")
WORDS = [name for name in (*STATEMENTS, *FUNCTIONS) if name != "assign"]


@pytest.mark.parametrize("word", WORDS)
def test_the_guide_explains_every_word(word: str) -> None:
    assert re.search(rf"(?<![A-Za-z.]){re.escape(word)}(?![A-Za-z])", GUIDE)


def test_the_guide_lists_every_fault() -> None:
    sources = [*(ROOT / "src" / "ludorum" / "cards").glob("*.py")]
    sources += (ROOT / "src" / "ludorum" / "cards" / "check").glob("*.py")
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    codes = set(re.findall(r'fault\(\s*"([a-z0-9-]+)"', text)) | set(
        re.findall(r'"([a-z]+-[a-z]+)" if not', text)
    )
    assert len(codes) > 20
    assert [code for code in sorted(codes) if f"`{code}`" not in GUIDE] == []
