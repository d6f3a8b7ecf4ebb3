"""Players elsewhere, by their addresses: registered, asked whether they are there, found by live matches."""
