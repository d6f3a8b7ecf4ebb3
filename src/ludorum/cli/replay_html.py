"""A recorded match as one HTML page: board, moves, faults and goals, and nothing fetched from anywhere.

The page holds the match as data and a small script that draws it; whatever stands in the record is put in as
text, never as markup. Without the script the moves can still be read.
"""

from __future__ import annotations

import html
import json

from ..rules.kif import format_term
from ..rules.terms import sort_key
from .board import last_places
from .grid import Grid
from .replay_frames import HIDDEN, Frame, Reel

EMPTY = "."


def replay_page(reel: Reel) -> str:
    """The text of the page."""
    title = html.escape(reel.title)
    rows = "\n".join(
        f'<li data-step="{frame.step}"><button>{html.escape(frame.move_text)}</button>'
        + "".join(f" <em>{html.escape(f'{role}: {text}')}</em>" for role, text in frame.errors)
        + "</li>"
        for frame in reel.frames
    )
    return PAGE.format(
        title=title,
        result=html.escape(reel.result),
        rows=rows,
        style=STYLE,
        script=SCRIPT,
        data=_script_safe(json.dumps(page_data(reel), ensure_ascii=True, separators=(",", ":"))),
    )


def page_data(reel: Reel) -> dict[str, object]:
    """What the script draws from."""
    return {
        "grid": _grid(reel.grid),
        "frames": [_frame(frame, reel.grid) for frame in reel.frames],
        "goals": reel.goals,
        "result": reel.result,
    }


def _grid(grid: Grid | None) -> dict[str, object] | None:
    if grid is None:
        return None
    return {
        "columns": grid.columns,
        "rows": list(reversed(grid.rows)),
        "marks": sorted(set(grid.marks.values())),
    }


def _frame(frame: Frame, grid: Grid | None) -> dict[str, object]:
    cells: dict[str, list[tuple[str, str]]] = {}
    rest = []
    for fact in sorted(frame.facts or (), key=sort_key):
        spot = None if grid is None else grid.spot(fact)
        if grid is None or spot is None:
            new = frame.before is not None and fact not in frame.before
            rest.append(("* " if new else "") + format_term(fact))
            continue
        mark = grid.marks.get(spot.content, spot.content[:2])
        if mark != EMPTY:
            cells.setdefault(" ".join(spot.place), []).append((mark, spot.content))
    if frame.facts is None:
        rest.append(HIDDEN)
    last = [] if grid is None else last_places(grid, [m for _, m in frame.moves], frame.facts, frame.before)
    return {
        "cells": cells,
        "last": [" ".join(place) for place in last],
        "facts": rest,
        "moves": [(role, format_term(move)) for role, move in frame.moves],
        "errors": frame.errors,
        "told": frame.told,
        "ms": frame.milliseconds,
    }


def _script_safe(text: str) -> str:
    """JSON that cannot end the script element it stands in, nor open a comment there."""
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<h1>{title}</h1>
<p id="result">{result}</p>
<nav aria-label="steps">
<button id="first" title="Home">&#171;</button>
<button id="back" title="left arrow">&#8249;</button>
<span id="where" role="status"></span>
<button id="on" title="right arrow">&#8250;</button>
<button id="last" title="End">&#187;</button>
<button id="run" title="space" aria-pressed="false">play</button>
</nav>
<main>
<section id="picture" aria-label="state"><table id="board"></table><dl id="notes"></dl><ul id="facts"></ul></section>
<ol id="moves" start="0">
{rows}
</ol>
</main>
<script id="match" type="application/json">{data}</script>
<script>{script}</script>
</body>
</html>
"""  # noqa: E501  (an attribute that cannot be broken)

STYLE = """
:root { color-scheme: light dark; --line: #8888; --light: #f4eee0; --dark: #e5dbc3; --last: #f2c14e;
  --ink: #222; --fault: #b00020; }
@media (prefers-color-scheme: dark) {
  :root { --light: #3b3a36; --dark: #302f2b; --last: #7a5c12; --ink: #eee; --fault: #ff8a80; } }
body { font: 16px/1.45 system-ui, sans-serif; margin: 1.5rem auto; max-width: 70rem; padding: 0 1rem; }
h1 { font-size: 1.3rem; margin: 0; }
#result { margin: .2rem 0 1rem; }
nav { display: flex; gap: .5rem; align-items: center; margin-bottom: 1rem; }
button { font: inherit; padding: .2rem .7rem; cursor: pointer; }
main { display: flex; flex-wrap: wrap; gap: 2rem; align-items: flex-start; }
#board { border-collapse: collapse; }
#board td { width: 2.4em; height: 2.4em; text-align: center; font-weight: 600; border: 1px solid var(--line);
  background: var(--light); color: var(--ink); }
#board td.dark { background: var(--dark); }
#board td.last { background: var(--last); }
#board th { font-weight: 400; opacity: .7; padding: 0 .5em; }
#board .c1 { color: #1459b8; } #board .c2 { color: #b3261e; } #board .c3 { color: #1b7a36; }
#board .c4 { color: #8a5a00; } #board .c5 { color: #7b2fb0; } #board .c6 { color: #00707a; }
@media (prefers-color-scheme: dark) {
  #board .c1 { color: #8ab8ff; } #board .c2 { color: #ff9c94; } #board .c3 { color: #8fdc9f; }
  #board .c4 { color: #f0c36d; } #board .c5 { color: #d6a8ff; } #board .c6 { color: #79d6de; } }
#notes dt { font-weight: 600; float: left; clear: left; margin-right: .5em; }
#notes dd { margin: 0; } #notes .fault, #moves em { color: var(--fault); }
#facts { font-family: ui-monospace, monospace; font-size: .9rem; columns: 16rem; padding-left: 1rem; }
#moves { max-height: 70vh; overflow: auto; flex: 1 1 18rem; padding-left: 3rem; }
#moves button { border: 0; background: none; color: inherit; text-align: left; padding: .05rem .3rem; }
#moves li[aria-current] button { background: var(--last); }
"""

SCRIPT = """
"use strict";
const match = JSON.parse(document.getElementById("match").textContent);
const byId = id => document.getElementById(id);
const make = (tag, text, kind) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (kind) element.className = kind;
  return element;
};
let at = 0, timer = null;

function drawBoard(frame) {
  const board = byId("board");
  board.replaceChildren();
  if (!match.grid) return;
  match.grid.rows.forEach((row, y) => {
    const line = board.appendChild(make("tr"));
    line.appendChild(make("th", row));
    match.grid.columns.forEach((column, x) => {
      const place = column + " " + row;
      const kinds = [(x + y) % 2 ? "dark" : "", frame.last.includes(place) ? "last" : ""];
      const cell = line.appendChild(make("td", undefined, kinds.join(" ").trim()));
      (frame.cells[place] || []).forEach(([mark, content]) => {
        const piece = make("span", mark, "c" + (1 + match.grid.marks.indexOf(mark) % 6));
        piece.title = content;
        cell.appendChild(piece);
      });
    });
  });
  const foot = board.appendChild(make("tr"));
  foot.appendChild(make("th"));
  match.grid.columns.forEach(column => foot.appendChild(make("th", column)));
}

function drawNotes(frame) {
  const notes = byId("notes");
  notes.replaceChildren();
  const add = (name, text, kind) => { notes.append(make("dt", name, kind), make("dd", text, kind)); };
  frame.moves.forEach(([role, move]) => add(role, move));
  frame.errors.forEach(([role, text]) => add(role, text, "fault"));
  frame.told.forEach(([role, text]) => add(role + " is told", text));
  if (frame.ms !== null && at > 0) add("after", (frame.ms / 1000).toFixed(1) + " s");
  if (at === match.frames.length - 1) match.goals.forEach(([role, value]) => add(role + "'s goal", value));
}

function show(step, quiet) {
  at = Math.max(0, Math.min(step, match.frames.length - 1));
  const frame = match.frames[at];
  drawBoard(frame);
  drawNotes(frame);
  byId("facts").replaceChildren(...frame.facts.map(fact => make("li", fact)));
  byId("where").textContent = "step " + at + " of " + (match.frames.length - 1);
  document.querySelectorAll("#moves li").forEach((item, step) => {
    if (step === at) { item.setAttribute("aria-current", "step"); item.scrollIntoView({block: "nearest"}); }
    else item.removeAttribute("aria-current");
  });
  if (!quiet) history.replaceState(null, "", "#" + at);
}

function run(wanted) {
  clearInterval(timer);
  timer = wanted ? setInterval(() => at + 1 < match.frames.length ? show(at + 1) : run(false), 700) : null;
  byId("run").textContent = wanted ? "stop" : "play";
  byId("run").setAttribute("aria-pressed", String(wanted));
}

const go = step => { run(false); show(step); };
byId("first").onclick = () => go(0);
byId("back").onclick = () => go(at - 1);
byId("on").onclick = () => go(at + 1);
byId("last").onclick = () => go(match.frames.length - 1);
byId("run").onclick = () => run(timer === null);
byId("moves").onclick = event => {
  const item = event.target.closest("li");
  if (item) go(Number(item.dataset.step));
};
document.addEventListener("keydown", event => {
  const keys = {ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10};
  if (event.key in keys) go(at + keys[event.key]);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(match.frames.length - 1);
  else if (event.key === " ") run(timer === null);
  else return;
  event.preventDefault();
});
show(Number(location.hash.slice(1)) || 0, true);
"""
