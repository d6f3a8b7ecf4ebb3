"""The plain tree: Monte Carlo search over any ``Game``, one descent after the other, in readable Python.

It is the oracle of the compiled tree, which grows the same nodes with the same visits from the same seed, and
serves games without a circuit. Nodes are shared by all ways to a state (transpositions); statistics belong to
the moves of each role, so that every role learns from what followed its own choice (decoupled UCT, which in
turn-taking games is plain UCT). Nature draws by its odds.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..._core import SplitMix64
from ...engine.chances import draw_place
from ...engine.game import Game, State
from ..budget import Stopwatch
from ..leaf_values import LeafValues
from ..mcts_config import MctsConfig
from ..tree import MoveStats, StateStats, TreeGrowth
from .nodes import Joint, TreeNode, end_points, highest_goals, new_node
from .playout import OutOfTimeError, PlayoutPlayer
from .policy import History, Policy
from .proof import ProofRules
from .rave import learn_later_moves, rave_edges, select_by_rave
from .regret import learn_regret, select_by_regret
from .select import select

NODE_BYTES = 4_000
"""Approximate bytes of a node with its state and edges in Python."""


@dataclass(slots=True)
class DescentStep:
    """A node on the descent and the joint move selected there."""

    node: TreeNode
    joint: Joint
    sure: TreeNode | None = None
    """The child after a proven move better than all open ones: its value is backed up above this node."""


Path = list[DescentStep]


class PlainTree:
    """A tree of ``TreeNode``s, indexed by their states."""

    def __init__(self, game: Game, config: MctsConfig) -> None:
        self._game = game
        self._config = config
        self._chance = game.info.chance_seats
        self._most_nodes = max(1, config.memory_bytes // NODE_BYTES)
        self.forget()

    def forget(self) -> None:
        config, game = self._config, self._game
        self._table: dict[State, TreeNode] = {}
        self._chooser = SplitMix64(config.seed)
        self._policy = Policy(config.policy, config.policy_heat)
        self._player = PlayoutPlayer(self._policy, self._chance, self._chooser, config)
        self._proof = ProofRules(
            len(game.roles),
            self._chance,
            highest_goals(game),
            game.info.proved_sum,
            config.constant_sum == "observed",
        )

    @property
    def nodes(self) -> int:
        return len(self._table)

    @property
    def memory(self) -> int:
        return len(self._table) * NODE_BYTES

    def grow(self, state: State, role: int, watch: Stopwatch, values: LeafValues | None = None) -> TreeGrowth:
        root = self._move_root(state)
        before, playouts, depth, made = len(self._table), 0, 0, 0
        games = self._config.playouts_per_leaf or 1
        self._player.watch, self._player.values = watch, values
        while not (watch.is_up(made, playouts) or self._is_decided(root, role)):
            path, leaf = self._descend(root)
            try:
                self._back_up(path, leaf, games)
            except OutOfTimeError:
                break
            playouts += games
            depth = max(depth, len(path))
            made = len(self._table) - before
        return TreeGrowth(made, playouts, depth)

    def look(self, state: State) -> StateStats | None:
        node = self._table.get(state)
        if node is None or not node.is_expanded:
            return None
        stats = tuple(
            tuple(MoveStats(edge.move, edge.visits, edge.points, edge.proven, edge.strategy) for edge in own)
            for own in node.edges
        )
        values = tuple(self._proof.known(node, role) for role in range(len(node.values)))
        means = tuple(total / max(1, node.visits) for total in node.points)
        return StateStats(stats, values, node.visits, means)

    def _is_decided(self, root: TreeNode, role: int) -> bool:
        return self._config.solver and self._proof.known(root, role) is not None

    def _move_root(self, state: State) -> TreeNode:
        """The node of a state; all nodes that cannot be reached from it are dropped from the table."""
        root = self._table.get(state)
        if root is None:
            self._table = {}
            root = self._add(state)
        else:
            self._table = {node.state: node for node in _reachable(root)}
        if not root.is_expanded and not root.is_end:
            root.expand()
        return root

    def _add(self, state: State) -> TreeNode:
        node = new_node(state)
        self._table[state] = node
        if state.is_terminal:
            self._observe([value or 0 for value in node.values])
        elif not node.is_end and self._config.decisive:
            self._look_for_win(node)
        return node

    def _observe(self, points: list[int]) -> None:
        if self._config.solver and not self._proof.observe_end(points):
            self._drop_proofs()

    def _drop_proofs(self) -> None:
        """Drop proven values that rest on a constant sum, which does not hold after all; ends stay exact."""
        for node in self._table.values():
            if not node.is_end:
                node.values = [None] * len(node.values)
            node.settled.clear()
            for own in node.edges:
                for edge in own:
                    edge.proven = None

    def _look_for_win(self, node: TreeNode) -> None:
        """Expand a node in which the only role that chooses can win at once, and link the win."""
        if not self._config.solver:
            return
        moves = [node.state.legal(role) for role in self._game.roles]
        choosers = [role for role, own in enumerate(moves) if len(own) > 1]
        if (
            len(choosers) != 1
            or choosers[0] in self._chance
            or len(moves[choosers[0]]) > self._config.decisive_width
        ):
            return
        mover = choosers[0]
        joint = [own[0] for own in moves]
        for at, move in enumerate(moves[mover]):
            joint[mover] = move
            after = node.state.play(joint)
            if after.is_terminal and end_points(after)[mover] == self._proof.highest[mover]:
                node.expand()
                places = _only(node, mover, at)
                node.children[places] = self._table.get(after) or self._add(after)
                self._proof.learn([(node, places)])
                return

    def _descend(self, root: TreeNode) -> tuple[Path, TreeNode]:
        """The path from the root to a leaf: a node without visits, a solved one, or one at the limit."""
        path: Path = []
        node = reference = root
        on_path = {id(root)}
        while True:
            if self._config.rave == "rave" or node.visits >= self._config.rave_visits:
                reference = node
            step = self._choose(node, reference)
            path.append(step)
            child = node.children.get(step.joint)
            if child is None:
                child = self._link(node, step.joint)
            node = child
            if node.visits == 0 or self._stops(node) or len(path) >= self._config.max_depth:
                return path, node
            if id(node) in on_path:  # in a cycle: play need not make progress
                return path, node
            on_path.add(id(node))
            if not node.is_expanded:
                node.expand()

    def _stops(self, node: TreeNode) -> bool:
        return node.is_end or (self._config.solver and self._proof.is_solved(node))

    def _choose(self, node: TreeNode, reference: TreeNode) -> DescentStep:
        joint = [0] * len(node.edges)
        sure = None
        for role in node.choosers:
            if role in self._chance:
                joint[role] = self._draw_nature(node, role)
                continue
            joint[role], better = self._select(node, role, reference)
            if better is not None:
                child = node.children[_only(node, role, better)]
                if self._proof.is_solved(child):
                    sure = child
                else:
                    joint[role] = better
        return DescentStep(node, tuple(joint), sure)

    def _draw_nature(self, node: TreeNode, role: int) -> int:
        chances = self._game.chances
        return draw_place([chances.weight(edge.move) for edge in node.edges[role]], self._chooser)

    def _select(self, node: TreeNode, role: int, reference: TreeNode) -> tuple[int, int | None]:
        config, highest = self._config, self._proof.highest[role]
        if self._matches_regrets(node):
            return select_by_regret(node.edges[role], config.regret_exploration, self._chooser), None
        if config.rave == "none":
            return select(node, role, highest, config.exploration, config.first_play, self._chooser)
        later = rave_edges(node, role, reference)
        return select_by_rave(
            node, role, later, highest, config.exploration, config.rave_constant, self._chooser
        )

    def _matches_regrets(self, node: TreeNode) -> bool:
        """Whether several players choose at once and the config says so."""
        choosers = sum(role not in self._chance for role in node.choosers)
        return self._config.simultaneous == "regret" and choosers > 1

    def _link(self, node: TreeNode, joint: Joint) -> TreeNode:
        """The child after a joint move: an existing node, a new one, or a temporary one in a full tree."""
        state = node.successor(joint)
        child = self._table.get(state)
        if child is None:
            if len(self._table) >= self._most_nodes:
                return new_node(state)
            child = self._add(state)
        node.children[joint] = child
        return child

    def _back_up(self, path: Path, leaf: TreeNode, games: int) -> None:
        points = self._value(path, leaf, games)
        leaf.add(games, points)
        for step in reversed(path):
            node = step.node
            for role in node.choosers:
                if role not in self._chance:
                    edge = node.edges[role][step.joint[role]]
                    edge.visits += games
                    edge.points += points[role]
            if self._matches_regrets(node):
                learn_regret(node, step.joint, self._chance, points, games)
            if step.sure is not None:
                points = self._exact(step.sure, games)
            node.add(games, points)
        if self._config.solver:
            self._proof.learn((step.node, step.joint) for step in reversed(path))

    def _value(self, path: Path, leaf: TreeNode, games: int) -> list[int]:
        """Goal values of a leaf, summed over so many games."""
        way = [(step.node, step.joint) for step in path]
        made = self._history(path) if self._config.learns_moves else []
        if self._stops(leaf):
            points = self._exact(leaf, games)
            self._policy.learn(made, points, games)
            if self._config.rave != "none":
                learn_later_moves(way, self._chance, [], self._exact(leaf, 1))
            return points
        sums = [0] * len(leaf.values)
        before = made[-1][0] if made and made[-1] else None
        for _ in range(games):
            game = self._player.play(leaf.state, before)
            if game.is_over:
                self._observe(game.points)
            self._policy.learn(made + game.history, game.points)
            if self._config.rave != "none":
                learn_later_moves(way, self._chance, game.history, game.points)
            sums = [total + value for total, value in zip(sums, game.points, strict=True)]
        return sums

    def _history(self, path: Path) -> History:
        """The moves that players chose on the path."""
        return [
            [
                (role, step.node.edges[role][step.joint[role]].move)
                for role in step.node.choosers
                if role not in self._chance
            ]
            for step in path
        ]

    def _exact(self, node: TreeNode, games: int) -> list[int]:
        return [games * (self._proof.known(node, role) or 0) for role in range(len(node.values))]


def _only(node: TreeNode, role: int, at: int) -> Joint:
    """The joint move in which the only role that chooses makes the move of that place."""
    return tuple(at if one == role else 0 for one in range(len(node.edges)))


def _reachable(root: TreeNode) -> list[TreeNode]:
    """A node and all that follow from it, as far as the tree goes."""
    found, seen = [root], {id(root)}
    for node in found:
        for child in node.children.values():
            if id(child) not in seen:
                seen.add(id(child))
                found.append(child)
    return found
