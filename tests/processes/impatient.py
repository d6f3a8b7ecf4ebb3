"""What a fork server serves in a test: processes that answer a number, from a warm one that soon ends."""

from multiprocessing.connection import Connection

IDLE_SECONDS = 0.2


def warm_up() -> None:
    pass


def serve(connection: Connection) -> None:
    connection.send(42)
