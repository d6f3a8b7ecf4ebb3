"""What a role can know: the states that agree with all it has perceived."""
