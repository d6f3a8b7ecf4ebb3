"""Match XML as ggp.org's stylesheets read it: one ``<match>`` with all states and moves.

Leaf elements are named like the fields of the match JSON; the states stand in ``<herstory>``, the moves in
``<history>``, the faults in ``<errorHistory>``. Most stylesheets draw all facts of the whole file, so that
there is a file with a single ``<state>`` for each step as well.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from ...rules.terms import Term, sort_key
from ..match.record import Facts
from .role_view import RoleView
from .spectator import published_json
from .xml_terms import Words, add, document

WORDS = Words("relation", "argument", str.lower)
ELSEWHERE = frozenset({"states", "moves", "errors", "goalValues"})
LEFT_OUT = frozenset({"matchHostPK", "matchHostSignature"})
"""Key and signature: they mean nothing without the JSON they sign, which tells more than a role may know."""


def ggp_xml(view: RoleView) -> str:
    """The whole match in one file."""
    root = Element("match")
    for key, value in published_json(view.match).items():
        if key in ELSEWHERE | LEFT_OUT or key.startswith("x-"):
            continue
        for leaf in value if isinstance(value, list) else [value]:
            add(root, key, str(leaf).lower() if isinstance(leaf, bool) else leaf)
    for goal in view.goals or ():
        add(root, "goalValues", goal)
    history = add(root, "history")
    for joint in view.moves:
        move = add(history, "move")
        for action in joint:
            _fill(add(move, "action"), action)
    herstory = add(root, "herstory")
    for state in view.states:
        _add_state(herstory, state)
    errors = add(root, "errorHistory")
    for row in view.errors:
        element = add(errors, "errors")
        for text in row:
            add(element, "error", text)
    return document(root)


def ggp_state_xml(view: RoleView, step: int) -> str:
    """One state, for a stylesheet to draw."""
    root = Element("match")
    _add_state(root, view.states[step])
    return document(root)


def ggp_files(view: RoleView) -> dict[str, str]:
    """The match and every state of it, by the names of their files."""
    steps = {f"step_{at + 1}.xml": ggp_state_xml(view, at) for at in range(len(view.states))}
    return {"match.xml": ggp_xml(view)} | steps


def _add_state(parent: Element, state: Facts | None) -> None:
    element = add(parent, "state")
    for fact in sorted(state or (), key=sort_key):
        _fill(add(element, "fact"), fact)


def _fill(element: Element, term: Term | None) -> None:
    """A term with arguments as relation and arguments, one without as a text, a hidden one as nothing."""
    if term is None:
        return
    if term.args:
        WORDS.fill(element, term)
    elif element.tag == "fact":
        add(element, "relation", term.name.lower())
    else:
        element.text = term.name.lower()
