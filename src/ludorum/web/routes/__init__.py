"""The API, one file a topic; every router is put together in ``app.py``."""
