"""The knowledge of a role: the states that agree with all its percepts."""
