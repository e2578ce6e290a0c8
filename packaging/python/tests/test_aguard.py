"""aguard(): what is passed on, what is not, and what is left behind."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Any, AsyncIterator, Coroutine, Iterable, List, TypeVar

import pytest

import lmclint
from conftest import BROKEN, HEALTHY, START, TEXT, Chunk, children

pytestmark = pytest.mark.usefixtures("no_child")

T = TypeVar("T")


def run(main: "Coroutine[Any, Any, T]") -> T:
    return asyncio.run(main)


async def stream(chunks: Iterable[Chunk]) -> AsyncIterator[Chunk]:
    for chunk in chunks:
        await asyncio.sleep(0)
        yield chunk


async def collect(chunks: Any, **options: Any) -> List[Chunk]:
    return [chunk async for chunk in lmclint.aguard(chunks, **options)]


def test_healthy_chunks_pass() -> None:
    assert run(collect(stream(HEALTHY))) == HEALTHY
    assert run(collect(stream([]))) == []


def test_the_wrong_chunk_is_not_passed_on() -> None:
    async def main() -> None:
        passed = []
        guard = lmclint.aguard(stream(BROKEN))
        with pytest.raises(lmclint.ConformanceError, match="block opened here") as caught:
            async for chunk in guard:
                passed.append(chunk)
        assert passed == BROKEN[:2] and caught.value.index == 2
        assert [finding.rule for finding in guard.findings] == ["LMC202"]
        assert children() == []

    run(main())


def test_the_end_is_judged() -> None:
    with pytest.raises(lmclint.ConformanceError) as caught:
        run(collect(stream(HEALTHY[:3])))
    assert caught.value.index == 3 and caught.value.chunk is None


def test_producer_and_consumer_wait_for_each_other() -> None:
    async def main() -> None:
        answered = asyncio.Event()

        async def produce() -> AsyncIterator[Chunk]:
            for chunk in HEALTHY:
                answered.clear()
                yield chunk
                await answered.wait()

        async for _ in lmclint.aguard(produce()):
            answered.set()

    run(asyncio.wait_for(main(), 30))


def test_closing_early() -> None:
    async def main() -> None:
        closed = []

        async def produce() -> AsyncIterator[Chunk]:
            try:
                for chunk in HEALTHY:
                    yield chunk
            finally:
                closed.append(True)

        async with lmclint.aguard(produce()) as guard:
            assert await guard.__anext__() == START
            assert len(children()) == 1
        assert children() == [] and closed == [True]
        with pytest.raises(StopAsyncIteration):
            await guard.__anext__()
        await guard.aclose()

    run(main())


def test_dropped_guards_end_with_the_loop() -> None:
    async def main() -> None:
        guard = lmclint.aguard(stream(HEALTHY))
        await guard.__anext__()
        del guard
        other = lmclint.aguard(stream(HEALTHY))
        await other.__anext__()

    run(main())
    assert children() == []


def test_cancellation() -> None:
    async def main() -> None:
        async def endless() -> AsyncIterator[Chunk]:
            yield START
            while True:
                yield TEXT

        task = asyncio.ensure_future(collect(endless()))
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert children() == []

    run(main())


def test_a_killed_child() -> None:
    async def main() -> None:
        guard = lmclint.aguard(stream(HEALTHY))
        await guard.__anext__()
        os.kill(children()[0], signal.SIGKILL)
        with pytest.raises(lmclint.LmclintError, match="signal 9"):
            async for _ in guard:
                pass

    run(main())


def test_large_chunks_and_many_at_a_time() -> None:
    async def main() -> None:
        large = [START, {**TEXT, "content": "x" * 10_000_000}, HEALTHY[3]]
        results = await asyncio.gather(*(collect(stream(large if n == 0 else HEALTHY)) for n in range(10)))
        assert results[0] == large and all(each == HEALTHY for each in results[1:])

    run(main())


def test_a_bad_option() -> None:
    with pytest.raises(lmclint.LmclintError, match="klingon"):
        run(collect(stream(HEALTHY), dialect="klingon"))


def test_exceptions_thrown_in() -> None:
    async def main() -> None:
        guard = lmclint.aguard(stream(HEALTHY))
        await guard.__anext__()
        with pytest.raises(OSError, match="thrown"):
            await guard.athrow(OSError("thrown"))

    run(main())
