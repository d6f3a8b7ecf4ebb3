"""Knowledge as boxes of known and open facts: the published method of 2013, and the ladder above it.

A rule sheet comes in, ground once or step by step; a ``Knower`` for a role goes out (``BoxKnower``,
``StepwiseKnower``), with supports that say why something is known (``explain_box.py``).
"""
