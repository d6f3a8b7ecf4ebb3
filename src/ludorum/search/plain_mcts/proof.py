"""Proofs in the tree: exact goal values are backed up from ends towards the root.

Values are known role by role. Where one role chooses, it gets the best of its moves; what the others then get
is known if all of its best moves agree on it, or if the game has a constant sum. Where several choose, or
nature does, a value is known if every joint move leads to it, or if a role can force its highest.
"""

from __future__ import annotations

from collections.abc import Iterable

from .nodes import Joint, TreeNode

ENOUGH_ENDS = 64
"""Ends that must agree before a sum counts as constant."""
MOST_JOINTS = 64
"""The most joint moves of a node that are checked where several roles choose."""


class ProofRules:
    """The rules of proving for one game, and what has been observed of its ends."""

    def __init__(
        self,
        roles: int,
        chance: tuple[int, ...],
        highest: list[int],
        constant_sum: int | None,
        observe: bool,
    ) -> None:
        self.players = [role for role in range(roles) if role not in chance]
        self.chance = chance
        self.highest = highest
        self._sum = constant_sum
        self._is_sure = constant_sum is not None
        self._observe = observe and not self._is_sure and len(self.players) == 2
        self._ends = 0

    @property
    def constant_sum(self) -> int | None:
        """The constant sum of both players' goals, where it counts as known."""
        if len(self.players) != 2 or not (self._is_sure or self._ends >= ENOUGH_ENDS):
            return None
        return self._sum

    def observe_end(self, points: list[int]) -> bool:
        """Note the goals at an end; False where they differ from the sum that earlier ends agreed on."""
        if not self._observe:
            return True
        total = sum(points[role] for role in self.players)
        if self._ends == 0:
            self._sum = total
        self._ends += 1
        if total == self._sum:
            return True
        self._observe, self._ends = False, 0
        return False

    def known(self, node: TreeNode, role: int) -> int | None:
        """The exact value of a node for a role."""
        value = node.values[role]
        if value is None and (total := self.constant_sum) is not None and role in self.players:
            other = node.values[self.players[0] + self.players[1] - role]
            return None if other is None else total - other
        return value

    def is_solved(self, node: TreeNode) -> bool:
        return all(self.known(node, role) is not None for role in self.players)

    def learn(self, path: Iterable[tuple[TreeNode, Joint]]) -> None:
        """Back up exact values along a path, from the last node to the first."""
        for node, joint in path:
            child = node.children.get(joint)
            if child is None:
                continue
            mover = self._mover(node)
            if mover is not None:
                edge = node.edges[mover][joint[mover]]
                value = self.known(child, mover)
                if value is not None and edge.proven is None:
                    edge.proven = value
                    self._take_best(node, mover)
            elif not node.choosers:
                self._know_all(node, [self.known(child, role) for role in range(len(node.values))])
            elif node.joints > MOST_JOINTS:
                continue
            elif len(node.choosers) == 1:
                children = list(node.children.values())
                if len(children) == node.joints and all(map(self.is_solved, children)):
                    self._agree(node, children)
            elif joint not in node.settled and self.is_solved(child):
                node.settled.add(joint)
                self._compare_joints(node)

    def _mover(self, node: TreeNode) -> int | None:
        """The one role that decides."""
        if len(node.choosers) == 1 and node.choosers[0] not in self.chance:
            return node.choosers[0]
        return None

    def _take_best(self, node: TreeNode, mover: int) -> None:
        edges = node.edges[mover]
        values = [edge.proven for edge in edges if edge.proven is not None]
        best = max(values)
        everything = len(values) == len(edges)
        if best < self.highest[mover] and not everything:
            return
        if node.values[mover] is None:
            node.values[mover] = best
        if not everything:
            return
        tied = [child for joint, child in node.children.items() if edges[joint[mover]].proven == best]
        if len(tied) == sum(edge.proven == best for edge in edges):
            self._agree(node, tied)

    def _compare_joints(self, node: TreeNode) -> None:
        if len(node.settled) == node.joints:
            self._agree(node, [node.children[joint] for joint in node.all_joints()])
        for role in node.choosers:
            if role in self.chance:
                continue
            for at in range(len(node.edges[role])):
                rows = [joint for joint in node.all_joints() if joint[role] == at]
                if all(
                    joint in node.settled and self.known(node.children[joint], role) == self.highest[role]
                    for joint in rows
                ):
                    node.values[role] = self.highest[role]

    def _agree(self, node: TreeNode, children: list[TreeNode]) -> None:
        """Set the values that all of these children agree on."""
        first = children[0]
        agreed = []
        for role in range(len(node.values)):
            value = self.known(first, role)
            same = all(self.known(child, role) == value for child in children)
            agreed.append(value if same else None)
        self._know_all(node, agreed)

    @staticmethod
    def _know_all(node: TreeNode, values: list[int | None]) -> None:
        node.values = [old if old is not None else new for old, new in zip(node.values, values, strict=True)]
