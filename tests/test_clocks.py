"""Clocks that run where nobody asked for seconds: each is listed here with the reason why it may."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludorum

SOURCES = Path(ludorum.__file__).parent

ALLOWED = {
    # A limit that is hit is an error with its reason, never another answer; `auto` goes on without.
    "engine/compiled.py:__init__": 60.0,
    "engine/compile_circuit.py:compile_circuit": 60.0,
    "asp/ground.py:ground_rules": 60.0,
    "processes/session.py:run_limited": 60.0,
    # Measuring speed is measuring time.
    "engine/lifted.py:measure_playouts": 1.0,
    # Waits for a circuit, which answers the same.
    "engine/auto.py:best_engine": 0.0,
}
"""Functions below matches whose `seconds` have a default, by file and name."""

ROOMS = (
    "processes", "rules", "asp", "engine", "knowledge", "search", "evaluate", "solve", "cards", "players",
)  # fmt: skip


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    for room in ROOMS:
        for path in sorted((SOURCES / room).rglob("*.py")):
            name = path.relative_to(SOURCES).as_posix()
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef):
                    yield f"{name}:{node.name}", node


def clocks_of(function: ast.FunctionDef) -> Iterator[float]:
    """The default seconds of a function that has some."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = list(
        zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True)
    )
    pairs += [
        (argument, default)
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is not None
    ]
    for argument, default in pairs:
        if argument.arg == "seconds" and isinstance(default, ast.Constant) and default.value is not None:
            yield default.value  # type: ignore[misc]


def test_no_function_has_a_clock_that_nobody_asked_for() -> None:
    found = {name: value for name, function in functions() for value in clocks_of(function)}
    assert found == ALLOWED


@pytest.mark.long
def test_searches_whose_caller_says_nothing_count_their_work() -> None:
    """`Budget(seconds=...)` as a default stands only where an answer says that it ran out of time."""
    found = {
        name
        for name, function in functions()
        if name.startswith(("search/", "evaluate/", "cards/"))
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Budget"
        if any(key.arg == "seconds" and isinstance(key.value, ast.Constant) for key in node.keywords)
    }
    assert found == set()
