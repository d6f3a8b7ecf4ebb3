"""The web application: games, matches and accounts over HTTP and websockets, and the page that shows them.

``make_app`` in ``app.py`` puts everything together; ``live/`` has matches that are being played, ``store/``
the database, ``routes/`` the API, one file a topic, and ``page/`` the built page. May import ``scene`` and
below.
"""
