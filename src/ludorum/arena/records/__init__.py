"""Records of matches: stored, signed, published, read back and verified."""
