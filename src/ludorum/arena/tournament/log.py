"""The log of a tournament: one line a finished match, on the disk before the result is told.

The first line holds the plan. A killed process leaves at most half a line, which the next process removes;
every line before it counts, so nothing that was acknowledged is lost.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from .plan import TournamentPlan, plan_from_json
from .result import MatchResult, result_from_json

LOG_NAME = "matches.jsonl"
FORMAT = "ludorum-tournament-1"


class LogError(ValueError):
    """A log that cannot be continued: says where it is wrong and what to do."""


class MatchLog:
    """The log in a folder, open for adding; one process at a time."""

    def __init__(self, path: Path, plan: TournamentPlan, results: dict[str, MatchResult], file: int) -> None:
        self.path = path
        self.plan = plan
        self.results = results
        """The results that were in the log when it was opened, and those added since, by match id."""
        self._file = file

    @classmethod
    def create(cls, folder: Path, plan: TournamentPlan) -> MatchLog:
        """A new log; LogError where the folder has one already."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / LOG_NAME
        if path.exists() and path.stat().st_size:
            raise LogError(
                f"{folder} holds a tournament already: --resume goes on with it, or name another folder"
            )
        file = _open_alone(path)
        log = cls(path, plan, {}, file)
        log._write([{"format": FORMAT, "plan": plan.as_json()}])
        _sync_folder(folder)
        return log

    @classmethod
    def resume(cls, folder: Path, plan: TournamentPlan | None = None) -> MatchLog:
        """The log of a folder with all its results. A plan that differs from the logged one is refused, but
        for the addresses of players: those may have changed."""
        path = folder / LOG_NAME
        if not path.exists():
            raise LogError(f"{folder} holds no tournament to resume: leave --resume out to begin one")
        file = _open_alone(path)
        try:
            logged, results = _read(path, file)
            if logged is None:
                # Killed before the first line was complete: nothing had been acknowledged yet.
                if plan is None:
                    raise LogError(f"{path} is empty: name games and players to begin the tournament")
                log = cls(path, plan, {}, file)
                log._write([{"format": FORMAT, "plan": plan.as_json()}])
                return log
            differ = [] if plan is None else logged.differences(plan)
            if differ:
                raise LogError(
                    f"{path} was begun with other settings: {'; '.join(differ)}. Use those, or another folder"
                )
        except BaseException:
            os.close(file)
            raise
        return cls(path, plan or logged, results, file)

    def add(self, results: Iterable[MatchResult]) -> None:
        """Write results to the disk; when this returns they survive a power cut.

        A match that has a result keeps it, unless that was void: then the last line counts.
        """
        fresh = [result for result in results if self._is_news(result)]
        if fresh:
            self._write([result.as_json() for result in fresh])
            self.results |= {result.match_id: result for result in fresh}

    def _is_news(self, result: MatchResult) -> bool:
        before = self.results.get(result.match_id)
        return before is None or (not before.counts and before != result)

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _write(self, lines: list[dict[str, object]]) -> None:
        text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
        data = memoryview(text.encode())
        while data:
            data = data[os.write(self._file, data) :]
        os.fsync(self._file)

    def __enter__(self) -> MatchLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_log(folder: Path) -> tuple[TournamentPlan, dict[str, MatchResult]]:
    """The contents of a tournament's folder, read only; the log is left as it is."""
    path = folder / LOG_NAME
    if not path.exists():
        raise LogError(f"{folder} holds no tournament: there is no {LOG_NAME}")
    plan, results, _ = _parse(path, path.read_bytes())
    if plan is None:
        raise LogError(f"{path} is empty")
    return plan, results


def _open_alone(path: Path) -> int:
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass  # where files cannot be locked, the user has to start one process only
    except OSError:
        os.close(file)
        raise LogError(f"{path} is in use: another process plays this tournament") from None
    return file


def _read(path: Path, file: int) -> tuple[TournamentPlan | None, dict[str, MatchResult]]:
    plan, results, whole = _parse(path, path.read_bytes())
    os.ftruncate(file, whole)  # half a line at the end was never acknowledged
    os.fsync(file)
    return plan, results


def _parse(path: Path, data: bytes) -> tuple[TournamentPlan | None, dict[str, MatchResult], int]:
    """Plan, results, and how many bytes of the file are whole lines."""
    whole = data.rfind(b"\n") + 1
    plan: TournamentPlan | None = None
    results: dict[str, MatchResult] = {}
    for number, line in enumerate(data[:whole].splitlines(), 1):
        try:
            value = json.loads(line)
            if number == 1:
                if value["format"] != FORMAT:
                    raise LogError(f"{path}: format {value['format']!r}, not {FORMAT!r}")
                plan = plan_from_json(value["plan"])
            else:
                result = result_from_json(value)
                results[result.match_id] = result
        except LogError:
            raise
        except (ValueError, KeyError, TypeError) as error:
            raise LogError(
                f"{path}:{number}: this line does not belong to a tournament's log ({error}): "
                "take it out and resume, its match is then played again"
            ) from None
    return plan, results, whole


def _sync_folder(folder: Path) -> None:
    """Sync a folder to the disk: a new file's name is safe only when its folder is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
