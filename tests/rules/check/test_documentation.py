"""The page of checks names every code, and no code that does not exist."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import ludorum.engine.play_faults
import ludorum.rules
from tests.corpus_location import ROOT

PAGE = (ROOT / "docs/checks.md").read_text(encoding="utf-8")
CODE = re.compile(r"[a-z]+(-[a-z]+)*")


def files() -> Iterator[Path]:
    """The rules room, and what tells the faults that play shows."""
    assert ludorum.rules.__file__ is not None
    yield from Path(ludorum.rules.__file__).parent.rglob("*.py")
    yield Path(ludorum.engine.play_faults.__file__)


def documented() -> set[str]:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    codes = {code for row in rows for code in re.findall(r"`([a-z-]+)`", row.split("|")[1])}
    return codes | set(re.findall(r"`(repaired-[a-z-]+)`", PAGE))


def strings_of_the_room() -> Iterator[str]:
    """Every string in the rules room that could be a code; the open part of a formatted one is a star."""
    for path in files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
            elif isinstance(node, ast.JoinedStr):
                yield "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values
                )


def codes_given() -> set[str]:
    """The codes in calls that make diagnostics: the first argument that looks like one."""
    found: set[str] = set()
    for path in files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("Diagnostic", "fault", "_fault", "note"):
                prefix = "repaired-" if name == "note" else ""
                texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
                found |= {
                    prefix + text for text in texts[:1] if isinstance(text, str) and CODE.fullmatch(text)
                }
    return found


def test_every_code_is_documented() -> None:
    assert codes_given() - documented() == set()


def test_every_documented_code_exists() -> None:
    strings = set(strings_of_the_room())
    patterns = [
        re.compile(text.replace("*", "[a-z-]+")) for text in strings if CODE.fullmatch(text.replace("*", "x"))
    ]
    missing = {code for code in documented() if not any(pattern.fullmatch(code) for pattern in patterns)}
    assert missing == set()
