"""Migrations of the web application's tables, run by Alembic when a server begins."""
