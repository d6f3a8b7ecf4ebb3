"""Exact equilibria of small games, with hidden information or simultaneous moves: the game tree as arrays,
counterfactual regret minimisation, best responses and exploitability."""
