"""Agents and criteria of their evaluation functions, as the page docs/evaluation-agents.md.

    python bench/agents_table.py              writes the page from what is known
    python bench/agents_table.py --measure    measures our evaluations first, which takes minutes

What is published is in ``agents.toml``; what was measured here is in ``results/criteria.json``.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DATA = HERE / "agents.toml"
MEASURED = HERE / "results" / "criteria.json"
PAGE = HERE.parent / "docs" / "evaluation-agents.md"

GAMES = ("tictactoe", "nim", "blocks", "buttons", "maze", "connect_four", "breakthrough")
VERSIONS = ("v1.0", "v1.1", "final", "fluxplayer")
GROUPS = {
    "probabilistic": "random games",
    "kuhl": "Kuhl, Ogre",
    "clune": "Clune",
    "flux": "Flux",
    "nex": "Nexplayer",
}
SECONDS = 600.0
"""For what is found out late of a game, and for its exact values: all of it, on any machine."""
STATES, PLAYS = 150, 5
"""States that are asked about, and random games of which they are in large games."""

TEXT = """# How agents evaluate states

Made by `bench/agents_table.py` from `bench/agents.toml` and `bench/results/criteria.json`, not by hand. The
survey is that of Michulke, *Evaluation Functions in General Game Playing* (2012); what the criteria mean and
how ours are measured is told in [values from goals](goal-values.md#is-it-a-good-one).

## Agents

{agents}

## Criteria, as published

`+` met, `-` not met, in brackets: in part.

{published}

## Criteria, measured here

Values from goals in {count} games: {games}. `n/m`: passed in n of the m games in which it could be asked.
Moves in order: of so many pairs of moves of which one has a higher exact value, the share in which it has the
higher value, a pair with one value counted half.

{measured}
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--measure", action="store_true", help="measure our evaluations first")
    if parser.parse_args().measure:
        MEASURED.write_text(json.dumps(measured(), indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(agents_page(known_data(), json.loads(MEASURED.read_text())), encoding="utf-8")


def known_data() -> dict[str, Any]:
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


def measured() -> list[dict[str, object]]:
    """The criteria of each version in each game."""
    from ludorum.cli.explain_goals import made_value
    from ludorum.engine.load import load_game
    from ludorum.solve.goal_criteria import CriteriaConfig, report_criteria

    rows = []
    config = CriteriaConfig(most_asked=STATES, plays=PLAYS, seconds=SECONDS)
    for name in GAMES:
        game = load_game(name, "compiled")
        for version in VERSIONS:
            print(name, version, flush=True)
            found = report_criteria(game, partial(made_value, version=version, seconds=SECONDS), config)
            rows.append(
                {
                    "game": name,
                    "version": version,
                    "criteria": {
                        each.name: {"verdict": each.verdict.value, "figures": dict(each.figures)}
                        for each in found
                        if each.name != "construction"
                    },
                }
            )
    return rows


def agents_page(data: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str:
    """The whole page."""
    games = list(dict.fromkeys(row["game"] for row in rows))
    return TEXT.format(
        agents="\n".join(_agents(data["agent"])),
        published="\n".join(_published(data["criterion"])),
        measured="\n".join(_measured(rows)),
        count=len(games),
        games=", ".join(games),
    )


def _agents(agents: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "| agent | champion of | kind | value of a state | features | what it takes to make it | here |"
    yield "|---|---|---|---|---|---|---|"
    for agent in agents:
        won = ", ".join(map(str, agent["won"]))
        here = f"`{agent['here']}`" if "here" in agent else ""
        cells = (agent[key] for key in ("kind", "evaluation", "features", "construction"))
        yield f"| {agent['name']} | {won} | {' | '.join(cells)} | {here} |"


def _published(criteria: Sequence[Mapping[str, str]]) -> Iterator[str]:
    yield f"| criterion | {' | '.join(GROUPS.values())} |"
    yield "|---" * (len(GROUPS) + 1) + "|"
    for criterion in criteria:
        yield f"| {criterion['name']} | {' | '.join(criterion[group] for group in GROUPS)} |"


def _measured(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    versions = list(dict.fromkeys(row["version"] for row in rows))
    own = {name: [row["criteria"] for row in rows if row["version"] == name] for name in versions}
    yield f"| criterion | {' | '.join(versions)} |"
    yield "|---" * (len(versions) + 1) + "|"
    for name in ("compactness", "bounded cost", "consistency", "symmetry", "extrapolation"):
        yield f"| {name} | {' | '.join(_passed(own[version], name) for version in versions)} |"
    for game in dict.fromkeys(row["game"] for row in rows):
        shares = [_in_order(row["criteria"]) for row in rows if row["game"] == game]
        if None not in shares:
            yield f"| moves in order, {game} | {' | '.join(map(str, shares))} |"


def _passed(found: Sequence[Mapping[str, Any]], name: str) -> str:
    verdicts = [each[name]["verdict"] for each in found if each[name]["verdict"] != "open"]
    return f"{verdicts.count('passed')}/{len(verdicts)}"


def _in_order(found: Mapping[str, Any]) -> str | None:
    """None where exact values are not known."""
    figures = found["monotonicity"]["figures"]
    pairs = sum(figures.get(key, 0) for key in ("right", "tied", "wrong"))
    return f"{(figures['right'] + figures['tied'] / 2) / pairs:.0%} of {pairs}" if pairs else None


if __name__ == "__main__":
    main()
