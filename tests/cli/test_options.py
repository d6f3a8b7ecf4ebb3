"""The same option means the same in every verb, and help texts read as people write."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from ludorum.cli.app import app

COMMAND: Any = get_command(app)


def verbs(command: Any = COMMAND, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every command with its words, groups included."""
    yield name, command
    for word, verb in getattr(command, "commands", {}).items():
        yield from verbs(verb, f"{name} {word}".strip())


VERBS = dict(verbs())


def options() -> dict[str, list[tuple[str, Any]]]:
    """Every option by its long name, with the verbs that have it."""
    found = defaultdict(list)
    for verb, command in VERBS.items():
        for parameter in command.params:
            if parameter.param_type_name == "option":
                name = next(one for one in parameter.opts if one.startswith("--"))
                found[name].append((verb, parameter))
    return found


OPTIONS = options()

OPENINGS = {
    "--engine": "engine that runs the rules: ",
    "--seed": "seed of every random choice",
    "--seconds": "time in seconds ",
    "--json": "print one JSON value for programs",
    "--lenient": "repair the faults of old sheets, and say so",
    "--clock": "seconds to prepare and for a move",
    "--players": "players, separated by commas: ",
    "--memory": "memory in megabytes ",
}
OTHER_FORMS = {"--to"}
"""Rules and charts are written in different languages, which only ``cards`` lists as choices."""

KEEPS_RULES_AS_WRITTEN = {"format"}
SHOWS_REPAIRS_ITSELF = {"repair"}
CHARTS_HAVE_NO_OLD_DIALECT = {
    "cards check",
    "cards compile",
    "cards decompile",
    "cards step",
    "cards analyse",
    "cards stats",
}


def kind_of(parameter: Any) -> type:
    """``int``, ``float``, ``str``, ... as the value comes to the verb; of a list, its elements'."""
    annotation = parameter.type_descriptor.annotation
    return annotation if isinstance(annotation, type) else annotation.__args__[0]


def test_the_walk_finds_all_verbs() -> None:
    assert {"", "play", "arena", "bench engine", "cards stats"} <= set(VERBS)
    assert len(VERBS) > 30
    assert len(OPTIONS) > 90


@pytest.mark.parametrize("name", sorted(set(OPTIONS) - OTHER_FORMS))
def test_options_of_one_name_take_one_kind_of_value(name: str) -> None:
    assert len({kind_of(parameter) for _, parameter in OPTIONS[name]}) == 1, [v for v, _ in OPTIONS[name]]


@pytest.mark.parametrize("name", OPENINGS)
def test_shared_options_begin_with_the_same_words(name: str) -> None:
    assert len(OPTIONS[name]) > 2
    for verb, parameter in OPTIONS[name]:
        assert parameter.help.startswith(OPENINGS[name]), verb


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_every_option_says_what_it_does(name: str) -> None:
    for verb, parameter in OPTIONS[name]:
        assert parameter.help, (verb, name)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb or "ludorum")
def test_help_shows_no_types_of_flags_and_no_huge_bounds(verb: str) -> None:
    shown = CliRunner().invoke(app, [*verb.split(), "--help"], env={"COLUMNS": "120", "TERM": "dumb"})
    assert shown.exit_code == 0
    assert "<bool>" not in shown.output
    assert "BOOLEAN" not in shown.output
    assert not re.search(r"\d{9}", shown.output)


def test_every_verb_that_reads_rules_in_logic_can_read_old_ones() -> None:
    reading = {
        verb
        for verb, command in VERBS.items()
        if any(one.param_type_name == "argument" and one.name in ("game", "games") for one in command.params)
    }
    lenient = {verb for verb, _ in OPTIONS["--lenient"]}
    assert reading - lenient == KEEPS_RULES_AS_WRITTEN | SHOWS_REPAIRS_ITSELF | CHARTS_HAVE_NO_OLD_DIALECT


def test_every_verb_that_draws_by_lot_takes_a_seed() -> None:
    players = {verb for name in ("--player", "--players", "--as") for verb, _ in OPTIONS[name]}
    assert players == {
        "play",
        "match",
        "arena",
        "host",
        "player",
        "rehearse",
        "cards stats",
        "bench strength",
    }
    assert players <= {verb for verb, _ in OPTIONS["--seed"]}


def test_every_verb_but_play_speaks_to_programs() -> None:
    silent = {verb for verb, command in VERBS.items() if not hasattr(command, "commands")}
    silent -= {verb for verb, _ in OPTIONS["--json"]}
    assert silent == {"play"}
