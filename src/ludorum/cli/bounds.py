"""Bounds of all numbers on the command line: an impossible number is a usage error, reported at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, get_args, get_type_hints

import typer
from typer.models import ParameterInfo

MOST_COUNT = 2**31 - 1
"""Largest count, where an option sets no bound of its own: kernels count with 32 bits."""
MOST_SEED = 2**64 - 1
MOST_AMOUNT = 1e9
"""Most seconds (thirty years) and megabytes, where an option sets no bound of its own."""


def verbs_of(app: typer.Typer) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every verb with its function, those of groups as ``cards check``."""
    for command in app.registered_commands:
        assert command.callback is not None
        yield command.name or command.callback.__name__, command.callback
    for group in app.registered_groups:
        assert group.typer_instance is not None
        for name, verb in verbs_of(group.typer_instance):
            yield f"{group.name} {name}", verb


def numbers_of(hints: dict[str, Any]) -> Iterator[tuple[str, type, ParameterInfo]]:
    """The numeric parameters among some: name, ``int`` or ``float``, and typer's info of each."""
    for name, hint in hints.items():
        if hasattr(hint, "__metadata__"):
            kinds = get_args(get_args(hint)[0]) or get_args(hint)[:1]
            yield from ((name, kind, hint.__metadata__[0]) for kind in (int, float) if kind in kinds)


def bound_numbers(app: typer.Typer) -> None:
    """Refuse negative and infinite numbers, and NaN, in every verb."""
    for _, verb in verbs_of(app):
        hints = get_type_hints(verb, include_extras=True)
        for name, kind, info in numbers_of(hints):
            info.min = 0 if info.min is None else info.min
            if info.max is None:  # checked, but not shown: 2147483647 helps no reader
                info.callback = _at_most(
                    MOST_SEED if name == "seed" else MOST_COUNT if kind is int else MOST_AMOUNT
                )
            elif kind is float:
                info.callback = _at_most(info.max)
        verb.__annotations__ = hints  # evaluated again from their texts they would lose the bounds


def _at_most(most: float) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        for one in value if isinstance(value, list) else [value]:
            # NaN is neither below a bound nor above it.
            if one is not None and not one <= most:
                raise typer.BadParameter(f"{one} is not a number up to {most:g}")
        return value

    return check
