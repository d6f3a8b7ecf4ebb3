"""Runs inside GNU Backgammon (`gnubg -t -q -p gnubg_server.py`): answers questions about positions.

Each line is JSON: ``men`` of the player to move and of the other one, by points of their own with the bar at
25, and ``dice``. The answer has the ``best`` move by evaluation of the positions after it (0-ply) as pairs of
points, or, where ``all`` is asked for, every legal move.
"""

import json
import os
import socket

import gnubg

SETTINGS = (
    "set automatic game off", "set automatic roll off", "set automatic move off", "set automatic bearoff off",
    "set player 0 human", "set player 1 human", "set cube use off", "set jacoby off", "set confirm new off",
    "set display off", "new session", "set turn 1",
)  # fmt: skip
MOST_MOVES = 10_000
UNUSED = 0


def pairs(points):
    return [(points[at], points[at + 1]) for at in range(0, len(points), 2) if points[at] != UNUSED]


def answer(asked):
    mine, other = (tuple(men[1:26]) for men in asked["men"])
    gnubg.command("set board " + gnubg.positionid((other, mine)))
    gnubg.command("set dice {} {}".format(*asked["dice"]))
    if asked["all"]:
        hints = gnubg.hint(MOST_MOVES) or {"hint": []}
        return [
            pairs([point for hop in gnubg.parsemove(one["move"]) for point in hop]) for one in hints["hint"]
        ]
    context = gnubg.evalcontext(0, 0, 1, 0, 0.0)  # cubeless, 0-ply, deterministic, no pruning, no noise
    return pairs(gnubg.findbestmove((other, mine), gnubg.cubeinfo(), context) or ())


for setting in SETTINGS:
    gnubg.command(setting)
with (
    socket.create_connection(("127.0.0.1", int(os.environ["LUDORUM_PORT"]))) as line,
    line.makefile("rw") as told,
):
    for question in told:
        told.write(json.dumps(answer(json.loads(question))) + "\n")
        told.flush()
