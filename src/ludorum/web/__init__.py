"""The web application: pages, their API, and live matches between people and players."""
