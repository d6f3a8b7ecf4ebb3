"""Match XML as Dresden's stylesheets read it: a file for each state and role, names in capitals.

Stylesheets of this dialect show one step and find the next by its file name, so that a match is a folder for
each role with ``step_1.xml``, ``step_2.xml``, ... and ``finalstate.xml``.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element
from xml.sax.saxutils import quoteattr

from ...rules.terms import Term, format_term, sort_key
from .role_view import RoleView
from .xml_terms import Words, add, document

WORDS = Words("prop-f", "arg", str.upper)
DOCTYPE = '<!DOCTYPE match SYSTEM "viewmatch.dtd">'
NATURE = "RANDOM"
"""The role whose view shows everything."""


def dresden_xml(
    view: RoleView,
    step: int,
    stylesheet: str = "",
    legal: Iterable[Term] | None = None,
    chosen: Term | None = None,
    confirmed: bool = False,
) -> str:
    """One state of a match. ``legal`` are the moves offered to the person in this role."""
    match, last = view.match, step == len(view.states) - 1
    goals = view.goals if last else None
    root = Element("match")
    add(root, "match-id", match.record.match_id)
    add(root, "sight-of", NATURE if view.sight_of is None else format_term(view.sight_of).upper())
    for role in view.roles:
        add(root, "role", format_term(role).upper())
    for name in match.player_names or ():
        add(root, "player", name.upper())
    add(root, "timestamp", match.record.times[step] if match.record.times else match.start_time)
    add(root, "startclock", int(match.start_clock))
    if goals is None:  # a match that is over has no clock to run
        add(root, "playclock", int(match.play_clock))
    _add_history(root, view, step)
    if goals is not None:
        scores = add(root, "scores")
        for goal in goals:
            add(scores, "reward", goal)
    state = add(root, "state")
    for fact in sorted(view.states[step] or (), key=sort_key):
        WORDS.fill(add(state, "fact"), fact)
    if legal is not None:
        _add_choice(root, legal, chosen, confirmed)
    before = [f'<?xml-stylesheet type="text/xsl" href={quoteattr(stylesheet)}?>'] if stylesheet else []
    return document(root, *before, DOCTYPE, encoding="ISO-8859-1")


def dresden_files(view: RoleView, stylesheet: str = "") -> dict[str, str]:
    """Every state of a match, by the name of its file."""
    last = len(view.states) - 1
    return {
        "finalstate.xml" if step == last and view.goals is not None else f"step_{step + 1}.xml": dresden_xml(
            view, step, stylesheet
        )
        for step in range(last + 1)
    }


def _add_history(root: Element, view: RoleView, step: int) -> None:
    """The moves so far; empty where some are hidden, since readers tell them apart by position."""
    history = add(root, "history")
    for number, joint in enumerate(view.moves[:step], 1):
        element = add(history, "step")
        add(element, "step-number", number)
        shown = [move for move in joint if move is not None]
        for move in shown if len(shown) == len(joint) else ():
            add(element, "move", format_term(move).upper())


def _add_choice(root: Element, legal: Iterable[Term], chosen: Term | None, confirmed: bool) -> None:
    moves = add(root, "legalmoves")
    for number, move in enumerate(legal):
        element = add(moves, "move")
        add(element, "move-number", number)
        WORDS.fill(add(element, "move-term"), move)
    choice = add(root, "chosenmove")
    if chosen is not None:
        WORDS.fill(add(choice, "move-term"), chosen)
    if confirmed:
        add(choice, "confirmed")
