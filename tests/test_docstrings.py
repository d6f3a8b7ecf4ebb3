"""Examples in docstrings are run."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import ludorum

PACKAGE = Path(ludorum.__file__).parent
WITH_EXAMPLES = sorted(
    path.relative_to(PACKAGE.parent).with_suffix("")
    for path in PACKAGE.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("module", WITH_EXAMPLES, ids=str)
def test_examples_in_docstrings_are_right(module: Path) -> None:
    parts = module.parts[:-1] if module.name == "__init__" else module.parts
    found = doctest.testmod(import_module(".".join(parts)), optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0
    assert found.failed == 0
