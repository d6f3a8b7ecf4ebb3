"""The package as a whole: its version, the files that travel with it, and the names of its classes."""

import ast
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path

import ludorum
from ludorum._paths import games_folder

PACKAGE = Path(ludorum.__file__).parent


def public_classes() -> dict[str, list[str]]:
    """By name, the files that define it. A class inside another is named by both, and not listed."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path.relative_to(PACKAGE).as_posix())
    return found


def test_version_is_that_of_the_distribution() -> None:
    assert ludorum.__version__ == version("ludorum")


def test_game_library_is_found() -> None:
    assert list(games_folder().glob("gdl/*.kif"))


def test_no_two_public_classes_share_a_name() -> None:
    classes = public_classes()
    assert classes["Game"] == ["engine/game.py"]
    assert {name: files for name, files in classes.items() if len(files) > 1} == {}
