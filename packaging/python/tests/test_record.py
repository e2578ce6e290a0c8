"""Recordings that record() writes."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, AsyncIterator, Iterator, List

import pytest

import lmclint
from conftest import END, HEALTHY, START, TEXT, Chunk


def lines(path: Path) -> List[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_record(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    seen = []
    for chunk in lmclint.record(iter(HEALTHY), path):
        seen.append(chunk)
        assert lines(path) == seen  # written before it is yielded
    assert seen == HEALTHY
    report = lmclint.check(path)
    assert report.ok and not report.findings


def test_record_replaces_or_appends(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    for append, count in ((False, 4), (True, 8), (False, 4)):
        assert list(lmclint.record(HEALTHY, path, append=append)) == HEALTHY
        assert len(lines(path)) == count


def test_record_ends_an_unfinished_line(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    path.write_text('{"role": "user", "type": "message", "content": "tru', encoding="utf-8")
    list(lmclint.record(HEALTHY, path, append=True))
    assert path.read_text(encoding="utf-8").splitlines()[0].endswith("tru")
    assert [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]] == HEALTHY
    path.write_text("", encoding="utf-8")
    list(lmclint.record(HEALTHY, path, append=True))
    assert lines(path) == HEALTHY


@pytest.mark.parametrize("stop", [KeyboardInterrupt, asyncio.CancelledError, SystemExit])
def test_record_of_a_user_who_stops(tmp_path: Path, stop: type) -> None:
    path = tmp_path / "stream.jsonl"

    def stopped() -> Iterator[Chunk]:
        yield START
        raise stop

    with pytest.raises(stop):
        list(lmclint.record(stopped(), path))
    assert lines(path) == [START]


def test_record_marks_an_exception(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"

    def fails() -> Iterator[Chunk]:
        yield START
        yield TEXT
        raise ValueError("no model")

    with pytest.raises(ValueError, match="no model"):
        list(lmclint.record(fails(), path))
    *before, last = lines(path)
    assert before == [START, TEXT]
    assert (last["role"], last["type"]) == ("server", "error")
    assert last["content"].rstrip().endswith("ValueError: no model")
    report = lmclint.check(path)
    assert [(f.rule, f.line) for f in report.findings] == [("LMC202", 3)]


def test_record_consumer_stops(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    closed = []

    def stream() -> Iterator[Chunk]:
        try:
            yield from HEALTHY
        finally:
            closed.append(True)

    recorded = lmclint.record(stream(), path)
    assert next(recorded) == START
    recorded.close()
    assert closed == [True]
    assert lines(path) == [START]


def test_record_wrong_path_and_chunk(tmp_path: Path) -> None:
    def never() -> Iterator[Chunk]:
        raise AssertionError("the stream began")
        yield START

    with pytest.raises(FileNotFoundError):
        next(lmclint.record(never(), tmp_path / "missing" / "stream.jsonl"))
    path = tmp_path / "stream.jsonl"
    with pytest.raises(TypeError, match="JSON cannot express"):
        list(lmclint.record([START, {"content": object()}], path))
    assert lines(path) == [START]


def test_record_asynchronous(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"

    async def stream(fails: bool) -> AsyncIterator[Chunk]:
        for chunk in HEALTHY:
            yield chunk
        if fails:
            raise KeyError("type")

    async def consume(fails: bool) -> List[Chunk]:
        return [chunk async for chunk in lmclint.record(stream(fails), path)]

    assert asyncio.run(consume(False)) == HEALTHY
    assert lines(path) == HEALTHY
    with pytest.raises(KeyError):
        asyncio.run(consume(True))
    assert lines(path)[-1]["content"].rstrip().endswith("KeyError: 'type'")


def test_record_keeps_text(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    chunks = [START, {**TEXT, "content": "Привет \ud83c 🎉\n"}, END]
    list(lmclint.record(chunks, path))
    assert lines(path) == chunks


def test_record_killed(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    code = (
        "import os, signal, lmclint\n"
        f"for n, chunk in enumerate(lmclint.record({HEALTHY!r}, {str(path)!r})):\n"
        "    if n == 2: os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == -signal.SIGKILL
    assert lines(path) == HEALTHY[:3]
