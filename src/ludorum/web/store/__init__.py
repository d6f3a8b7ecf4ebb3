"""The database of the web application: SQLite by default, PostgreSQL by URL.

``open_database`` brings a database to the newest schema and returns it; one file a topic has the questions
and the changes, each a plain function of a connection. Imports nothing else of the web application.
"""
