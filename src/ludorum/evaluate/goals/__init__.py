"""Evaluation functions from goal rules by logic alone: how near a state is to each goal.

``theory`` has the goals as one graph of conjunctions and disjunctions over facts. ``networks`` are neurons of
that shape, whose weights follow from it: those of C-IL2P (``global_weights``) or of each neuron for itself
(``local_weights``). ``state_value`` joins the networks of all goal values to one value.
"""
