"""Numbers that no verb can mean are misuse: told with the option's name, without a traceback."""

from collections.abc import Iterator
from typing import get_type_hints

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from ludorum.cli.app import app
from ludorum.cli.bounds import numbers_of, verbs_of

HUGE = str(10**30)


def options() -> Iterator[tuple[str, str, type, float]]:
    """Every numeric option of every verb: the verb, the option, its kind and its least value."""
    for verb, function in verbs_of(app):
        for name, kind, info in numbers_of(get_type_hints(function, include_extras=True)):
            # Within Annotated, typer takes the first name of an option for its default.
            words = (info.default, *(info.param_decls or ()))
            declared = [word for word in words if isinstance(word, str) and word.startswith("--")]
            if type(info).__name__ == "OptionInfo":
                option = declared[0] if declared else "--" + name.replace("_", "-")
                assert info.min is not None
                yield verb, option, kind, info.min


OPTIONS = list(options())
COMMAND = get_command(app)


def test_the_walk_finds_the_options_there_are() -> None:
    found = {(verb, option) for verb, option, _, _ in OPTIONS}
    assert {("solve", "--memory"), ("prove", "--seconds"), ("cards stats", "--games")} <= found
    assert len(found) > 50


@pytest.mark.parametrize(("verb", "option", "kind", "least"), OPTIONS, ids=lambda value: str(value))
def test_hostile_numbers_are_misuse(verb: str, option: str, kind: type, least: float) -> None:
    hostile = ["-1", HUGE, "-" + HUGE, "nan", "inf", "-inf", "1e999", "", "ten"]
    hostile += ["0"] if least > 0 else []
    hostile += ["1.5"] if kind is int else []
    for value in hostile:
        # The value is read before it is noticed that other arguments are missing: nothing is run.
        with pytest.raises(typer.BadParameter) as caught:
            COMMAND.main([*verb.split(), option, value], standalone_mode=False)
        assert option in caught.value.format_message(), value


def test_misuse_is_told_without_a_traceback() -> None:
    result = CliRunner().invoke(app, ["solve", "tictactoe", "--seconds", "nan"], env={"COLUMNS": "300"})
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert "--seconds" in result.stderr
