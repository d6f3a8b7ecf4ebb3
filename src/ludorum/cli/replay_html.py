"""A recorded match as one HTML page: board, moves, faults and goals, and nothing fetched from anywhere.

The page holds the match as data and a script that draws it; whatever stands in the record is put in as text,
never as markup, and the page's own policy lets no other script run. Without scripts the moves can still be
read.
"""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import UTC, datetime
from html import escape
from importlib.resources import files

from ..show.pieces import CHANCE, role_colours
from .replay_data import page_data, told_moves
from .replay_frames import Frame, Reel

MOST_FAULTS = 12
"""Faults that are linked above the board; the list of moves has them all."""
LATEST = 253402300799_000
"""The last millisecond of the year 9999: later ones are no dates."""


def replay_page(reel: Reel) -> str:
    """The text of the page."""
    script = _asset("board.js") + _asset("replay.js")
    colours = dict(zip(reel.roles, role_colours(reel.roles), strict=True))
    return PAGE.format(
        title=escape(reel.title),
        heading=escape(_heading(reel)),
        about=escape(_about(reel)),
        result=escape(reel.result),
        players="\n".join(_player(reel, at, colours) for at in range(len(reel.roles))),
        faults=_faults(reel),
        rows="\n".join(_row(frame, colours) for frame in reel.frames),
        steps=len(reel.frames) - 1,
        style=_asset("replay.css"),
        script=script,
        script_hash=_hash(script),
        data=_script_safe(json.dumps(page_data(reel), ensure_ascii=True, separators=(",", ":"))),
    )


def _asset(name: str) -> str:
    return files("ludorum.cli").joinpath("pages", name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    """How a policy names the one script that may run."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _heading(reel: Reel) -> str:
    name = reel.match.game_name or reel.match.record.game or "match"
    return name.replace("_", " ") + (f" (as {reel.sight_of} may see it)" if reel.sight_of else "")


def _about(reel: Reel) -> str:
    match = reel.match
    parts = [f"{len(reel.frames) - 1} steps"]
    if 0 < match.start_time < LATEST:
        began = datetime.fromtimestamp(match.start_time / 1000, UTC)
        parts.append(f"{began.day} {began:%B %Y, %H:%M} UTC")
    if match.play_clock:
        parts.append(f"clocks {match.start_clock:g} s + {match.play_clock:g} s")
    return " · ".join([*parts, *filter(None, [match.tournament, match.record.match_id])])


def _player(reel: Reel, at: int, colours: dict[str, str]) -> str:
    role, goals = reel.roles[at], dict(reel.goals)
    names = reel.match.player_names or ()
    kind = ' class="won"' if role == _winner(goals) else ""
    goal = f'<b class="goal" title="goal value">{escape(goals[role])}</b>' if role in goals else ""
    name = names[at] if at < len(names) else ""
    player = f'<span class="name">{escape(name)}</span>'
    return f"<li{kind}>{_role(role, colours)} {player} {goal}</li>"


def _winner(goals: dict[str, str]) -> str | None:
    """The one player with the highest goal value, if there are others and they have less."""
    values = {role: int(goal) for role, goal in goals.items() if goal.isdigit() and role != CHANCE}
    best = [role for role, value in values.items() if value == max(values.values())]
    return best[0] if len(best) == 1 < len(values) else None


def _role(role: str, colours: dict[str, str]) -> str:
    return f'<i class="dot {colours.get(role, "grey")}"></i><b class="role">{escape(role)}</b>'


def _faults(reel: Reel) -> str:
    """Buttons that lead to the steps where something went wrong."""
    found = [(frame.step, role, text) for frame in reel.frames for role, text in frame.errors]
    if not found:
        return ""
    links = "".join(
        f'<li><button type="button" data-step="{step}">step {step}: {escape(role)} '
        f"<em>{escape(text)}</em></button></li>"
        for step, role, text in found[:MOST_FAULTS]
    )
    more = f"<li>and {len(found) - MOST_FAULTS} more below</li>" if len(found) > MOST_FAULTS else ""
    count = f"{len(found)} fault{'s' if len(found) > 1 else ''}"
    return f'<details id="faults"><summary>{count}</summary><ul>{links}{more}</ul></details>'


def _row(frame: Frame, colours: dict[str, str]) -> str:
    """A line in the list of moves; a button, so that it can be reached and pressed."""
    said = told_moves(frame)
    moves = " ".join(f"<span>{_role(role, colours)} {escape(move)}</span>" for role, move in said)
    faults = "".join(f" <em>{escape(f'{role}: {text}')}</em>" for role, text in frame.errors)
    return (
        f'<li data-step="{frame.step}"><button type="button" tabindex="-1"><small>{frame.step}</small>'
        f"<span>{moves or escape(frame.move_text)}{faults}</span></button></li>"
    )


def _script_safe(text: str) -> str:
    """JSON that cannot end the script element it stands in, nor open a comment there."""
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src '{script_hash}'">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<header>
<h1>{heading}</h1>
<p id="about">{about}</p>
</header>
<main>
<section id="stage" aria-label="state">
<div id="board"></div>
<nav id="steps" aria-label="steps" hidden>
<div id="slide"><input id="slider" type="range" min="0" max="{steps}" value="0" aria-label="step"></div>
<div id="buttons">
<button type="button" id="first" aria-label="first step" title="first (Home)"><svg viewBox="0 0 20 20"><path d="M4 4h2v12H4zM16 4v12l-9-6z"/></svg></button>
<button type="button" id="back" aria-label="step back" title="back (left arrow)"><svg viewBox="0 0 20 20"><path d="M14 4v12l-9-6z"/></svg></button>
<button type="button" id="run" aria-label="play" title="play and stop (space)"><svg viewBox="0 0 20 20"><path id="run-icon" d="M5 3v14l12-7z"/></svg></button>
<button type="button" id="on" aria-label="step on" title="on (right arrow)"><svg viewBox="0 0 20 20"><path d="M6 4v12l9-6z"/></svg></button>
<button type="button" id="last" aria-label="last step" title="last (End)"><svg viewBox="0 0 20 20"><path d="M14 4h2v12h-2zM4 4v12l9-6z"/></svg></button>
<label>speed <select id="speed"><option value="1400">½</option><option value="700" selected>1</option><option value="350">2</option><option value="140">5</option></select></label>
<output id="where" role="status"></output>
</div>
</nav>
<div id="notes"></div>
<dl id="facts"></dl>
</section>
<aside>
<ul id="players" aria-label="players">
{players}
</ul>
<p id="result">{result}</p>
{faults}
<ol id="moves" aria-label="moves">
{rows}
</ol>
</aside>
</main>
<noscript><p>Scripts are off: the moves can be read, but not stepped through.</p></noscript>
<script id="match" type="application/json">{data}</script>
<script>{script}</script>
</body>
</html>
"""  # noqa: E501  (buttons with their pictures)
