"""An evaluation function for people and for programs: structures, features, weights, effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import typer

from ..arena.feature_report import Comparison, noted_effect
from ..engine.game import State
from ..evaluate import Disjoint, Feature, Features, Heuristic
from ..evaluate.heuristic_store import Stored
from ..rules.terms import format_term
from .structure_text import structure_lines


@dataclass(frozen=True)
class ExplainFindings:
    """The findings of ``ludorum explain``."""

    features: Features
    heuristic: Heuristic | None
    state: State
    report: Sequence[Comparison]
    known: Stored | None
    """The stored heuristic of the game; None where it is new."""
    noted: Sequence[Mapping[str, object]]
    """Matches in which heuristics of the game were used."""

    def as_json(self) -> dict[str, object]:
        values = self.features.values(self.state)
        return {
            "game": self.features.game.name,
            "structures": [each.as_json() for each in self.features.structures],
            "features": [
                self._feature(feature, float(value))
                for feature, value in zip(self.features.all, values, strict=True)
            ],
            "missing": self.features.missing,
            "roles": self._roles(),
            "heuristic": None if self.heuristic is None else self.heuristic.id,
            "known": None if self.known is None else {
                "id": self.known.id,
                "examples": self.known.examples,
                "matches": self.known.rating.matches,
                "points": self.known.rating.points,
            },
            "report": [each.as_json() for each in self.report],
            "noted": {
                key: effect.as_json() for key, effect in noted_effect(self.noted, self.features.keys).items()
            } if self.noted else {},
        }  # fmt: skip

    def _feature(self, feature: Feature, value: float) -> dict[str, object]:
        own = self.heuristic
        roles = () if own is None else tuple(own.combinations)
        directions = {role: own.direction(feature, role) for role in roles} if own is not None else {}
        return {
            "key": feature.key,
            "text": feature.text,
            "line": feature.line,
            "value": round(value, 6),
            "weights": {format_term(role): own.weight(feature, role) for role in roles} if own else {},
            "directions": {
                format_term(role): None if way is None else way.value for role, way in directions.items()
            },
        }

    def _roles(self) -> dict[str, object]:
        if self.heuristic is None:
            return {}
        found: dict[str, object] = {}
        for role, combination in self.heuristic.combinations.items():
            fit = self.heuristic.fits.get(role)
            found[format_term(role)] = {
                "combination": "disjoint" if isinstance(combination, Disjoint) else "overlapping",
                "value": round(self.heuristic(self.state, role), 3),
                "examples": None if fit is None else fit.examples,
                "error": None if fit is None else fit.error,
                "overlapping_error": None if fit is None else fit.overlapping_error,
                "disjoint_error": None if fit is None else fit.disjoint_error,
                "baseline_error": None if fit is None else fit.baseline_error,
            }
        return found

    # -- for people --------------------------------------------------------------------------------------

    def print(self) -> None:
        self._print_structures()
        self._print_features()
        self._print_roles()
        if self.report:
            self._print_report()

    def _print_structures(self) -> None:
        typer.echo("structures" if self.features.structures else "no structures")
        for line in structure_lines(self.features.structures):
            typer.echo(f"  {line}")

    def _print_features(self) -> None:
        values = self.features.values(self.state)
        roles = () if self.heuristic is None else tuple(self.heuristic.combinations)
        names = "".join(f"{format_term(role)[:14]:>16}" for role in roles)
        typer.echo(f"\n{'features':<52}{'here':>7}{names}")
        for feature, value in zip(self.features.all, values, strict=True):
            weights = "".join(f"{self._weight(feature, role):>16}" for role in roles)
            typer.echo(f"  {feature.text[:50]:<50}{value:>7.3f}{weights}")
        for kind, why in self.features.missing.items():
            typer.echo(f"  none of the kind {kind}: {why}")

    def _weight(self, feature: Feature, role: object) -> str:
        assert self.heuristic is not None
        weight = self.heuristic.weight(feature, role)  # type: ignore[arg-type]
        return "table" if weight is None else f"{weight:+.1f}" if weight else "-"

    def _print_roles(self) -> None:
        if self.heuristic is None:
            return
        typer.echo("")
        for role, combination in self.heuristic.combinations.items():
            kind = "a table of combinations" if isinstance(combination, Disjoint) else "a sum"
            fit = self.heuristic.fits.get(role)
            told = "" if fit is None else (
                f"; off by {fit.error:.1f} points on games held back, the mean alone by "
                f"{fit.baseline_error:.1f} ({fit.examples} states)"
            )  # fmt: skip
            value = self.heuristic(self.state, role)
            typer.echo(f"{format_term(role)}: worth {value:.1f} here, by {kind}{told}")
        if self.known is not None:
            rating = self.known.rating
            typer.echo(
                f"known already: heuristic {self.known.id}, "
                f"{rating.points:g} points in {rating.matches} matches"
            )

    def _print_report(self) -> None:
        typer.echo(f"\n{'with all features against':<34}{'points':>12}{'share':>8}  95 % interval")
        for each in self.report:
            name = "none at all" if each.left_out == "all" else f"all but {each.left_out}"
            low, high = each.interval
            points = f"{each.points:g}/{each.matches}"
            typer.echo(
                f"  {name[:32]:<32}{points:>12}{each.share:>8.2f}  {low:.2f} to {high:.2f}  {each.verdict}"
            )
