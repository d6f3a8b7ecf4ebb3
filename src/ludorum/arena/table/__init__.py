"""A table at which people and players sit down to one match."""
