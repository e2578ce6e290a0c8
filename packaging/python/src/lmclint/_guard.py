"""Guards: streams that end before the chunk that breaks the protocol."""

from __future__ import annotations

import asyncio
import collections.abc
from contextlib import ExitStack
from types import TracebackType
from typing import Any, AsyncGenerator, AsyncIterable, Generator, Iterable, List, Optional, Tuple, TypeVar

from lmclint._judge import BLOCK_BYTES, Answers, Judge, children, command, process_options, stops
from lmclint._options import Conversation, Words, against_flags, encode, flags
from lmclint._report import SEVERITIES, ConformanceError, Finding, Severity

Chunk = TypeVar("Chunk")


def guard(
    chunks: Iterable[Chunk],
    *,
    stop_on: Optional[Severity] = "error",
    dialect: Optional[str] = None,
    auto_run: Optional[bool] = None,
    select: Optional[Words] = None,
    ignore: Optional[Words] = None,
    against: Optional[Conversation] = None,
) -> "Guard[Chunk]":
    """Yield each chunk of a stream once it has been judged.

    chunks are those of ``interpreter.chat(..., stream=True)``. A finding of the
    severity stop_on or above raises ConformanceError instead of the chunk that
    caused it, and closes the stream; None never does. A chunk is yielded before
    the next one is asked for, so that nothing runs that the consumer would have
    refused. The end of the stream is judged, too: an open block, for example, raises
    when there is no chunk left.

    The other options are those of check. One child process judges the stream; it
    ends with the guard. Raises LmclintError if it ends early.
    """
    return Guard(chunks, _Settings(stop_on, dialect, auto_run, select, ignore, against))


def aguard(
    chunks: AsyncIterable[Chunk],
    *,
    stop_on: Optional[Severity] = "error",
    dialect: Optional[str] = None,
    auto_run: Optional[bool] = None,
    select: Optional[Words] = None,
    ignore: Optional[Words] = None,
    against: Optional[Conversation] = None,
) -> "AsyncGuard[Chunk]":
    """Do the same as guard for an asynchronous stream, in asyncio."""
    return AsyncGuard(chunks, _Settings(stop_on, dialect, auto_run, select, ignore, against))


class _Settings:
    """The options of a guard."""

    def __init__(
        self,
        stop_on: Optional[Severity],
        dialect: Optional[str],
        auto_run: Optional[bool],
        select: Optional[Words],
        ignore: Optional[Words],
        against: Optional[Conversation],
    ) -> None:
        if stop_on is not None and stop_on not in SEVERITIES:
            raise ValueError(f"stop_on is {stop_on!r}, expected one of {', '.join(SEVERITIES)}, or None")
        self.stop_on = stop_on
        self.against = against
        self.flags = flags(dialect=dialect, kind=None, auto_run=auto_run, select=select, ignore=ignore)
        self.found: List[Finding] = []

    def settle(self, findings: List[Finding], chunk: object, index: int) -> None:
        """Note findings. Raises ConformanceError if the guard stops at them."""
        __tracebackhide__ = True
        self.found += findings
        stopping = stops(findings, self.stop_on)
        if stopping:
            raise ConformanceError(stopping, chunk, index)


def _encode(chunk: object) -> bytes:
    if isinstance(chunk, (list, tuple)):
        raise TypeError(f"a chunk is a mapping, not a {type(chunk).__name__}")
    return encode(chunk)


class Guard(Generator[Chunk, None, None]):
    """A guarded stream: a generator of its chunks, which is also a context manager."""

    def __init__(self, chunks: Iterable[Chunk], settings: _Settings) -> None:
        self._settings = settings
        self._chunks = _guarded(chunks, settings)

    @property
    def findings(self) -> Tuple[Finding, ...]:
        """All findings so far, also those at which the guard does not stop."""
        return tuple(self._settings.found)

    def __iter__(self) -> "Guard[Chunk]":
        return self

    def __next__(self) -> Chunk:
        __tracebackhide__ = True
        return next(self._chunks)

    def send(self, value: None) -> Chunk:
        """Do the same as next()."""
        return self._chunks.send(value)

    def throw(self, typ: Any, val: Any = None, tb: Optional[TracebackType] = None) -> Chunk:
        """Raise an exception in the generator."""
        if isinstance(typ, BaseException):
            return self._chunks.throw(typ)
        return self._chunks.throw(typ, val, tb)

    def close(self) -> None:
        """End the child process, and close the stream if it is a generator."""
        self._chunks.close()

    def __enter__(self) -> "Guard[Chunk]":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _guarded(chunks: Iterable[Chunk], settings: _Settings) -> Generator[Chunk, None, None]:
    # No reference leads from here to the Guard, so that dropping it closes this.
    __tracebackhide__ = True
    with ExitStack() as stack:
        stream = iter(chunks)
        if isinstance(stream, collections.abc.Generator):
            stack.callback(stream.close)
        judge: Optional[Judge] = None
        index = 0
        for chunk in stream:
            line = _encode(chunk)
            if judge is None:
                judge = Judge(settings.flags + stack.enter_context(against_flags(settings.against)))
                stack.callback(judge.close)
            settings.settle(judge.judge(line), chunk, index)
            yield chunk
            index += 1
        if judge is not None:
            settings.settle(judge.end(), None, index)


class AsyncGuard(AsyncGenerator[Chunk, None]):
    """A guarded asynchronous stream, which is also an asynchronous context manager."""

    def __init__(self, chunks: AsyncIterable[Chunk], settings: _Settings) -> None:
        self._settings = settings
        self._chunks = _aguarded(chunks, settings)

    @property
    def findings(self) -> Tuple[Finding, ...]:
        """All findings so far, also those at which the guard does not stop."""
        return tuple(self._settings.found)

    def __aiter__(self) -> "AsyncGuard[Chunk]":
        return self

    async def __anext__(self) -> Chunk:
        __tracebackhide__ = True
        return await self._chunks.__anext__()

    async def asend(self, value: None) -> Chunk:
        """Do the same as anext()."""
        return await self._chunks.asend(value)

    async def athrow(self, typ: Any, val: Any = None, tb: Optional[TracebackType] = None) -> Chunk:
        """Raise an exception in the generator."""
        if isinstance(typ, BaseException):
            return await self._chunks.athrow(typ)
        return await self._chunks.athrow(typ, val, tb)

    async def aclose(self) -> None:
        """End the child process, and close the stream if it is a generator."""
        await self._chunks.aclose()

    async def __aenter__(self) -> "AsyncGuard[Chunk]":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


async def _aguarded(chunks: AsyncIterable[Chunk], settings: _Settings) -> AsyncGenerator[Chunk, None]:
    __tracebackhide__ = True
    judge: Optional[_AsyncJudge] = None
    stream = chunks.__aiter__()
    with ExitStack() as stack:
        try:
            index = 0
            async for chunk in stream:
                line = _encode(chunk)
                if judge is None:
                    judge = _AsyncJudge()
                    await judge.start(settings.flags + stack.enter_context(against_flags(settings.against)))
                settings.settle(await judge.judge(line), chunk, index)
                yield chunk
                index += 1
            if judge is not None:
                settings.settle(await judge.end(), None, index)
        finally:
            if judge is not None:
                await judge.close()
            if isinstance(stream, collections.abc.AsyncGenerator):
                await stream.aclose()


class _AsyncJudge:
    """A child process, spoken with in asyncio.

    Its transport writes and reads in the background, so that neither side waits
    for the other to read.
    """

    def __init__(self) -> None:
        self._process: Optional[asyncio.subprocess.Process] = None
        self._answers = Answers()
        self._sent = 0

    async def start(self, arguments: List[str]) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *command(arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            **process_options(),
        )
        children.add(self)

    @property
    def _pipes(self) -> "Tuple[asyncio.StreamWriter, asyncio.StreamReader]":
        assert self._process is not None and self._process.stdin is not None and self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    async def judge(self, line: bytes) -> List[Finding]:
        stdin, stdout = self._pipes
        stdin.write(line)
        self._sent += 1
        while self._answers.judged < self._sent:
            block = await stdout.read(BLOCK_BYTES)
            if not block:
                raise self._answers.failure(await self._wait())
            self._answers.feed(block)
        return self._answers.take()

    async def end(self) -> List[Finding]:
        stdin, stdout = self._pipes
        stdin.close()
        while True:
            block = await stdout.read(BLOCK_BYTES)
            if not block:
                break
            self._answers.feed(block)
        status = await self._wait()
        if not self._answers.summary or status not in (0, 1):
            raise self._answers.failure(status)
        return self._answers.take()

    async def close(self) -> None:
        if self._process is None:
            return
        stdin, _ = self._pipes
        stdin.close()
        if self._process.returncode is None:
            try:
                self._process.kill()
            except ProcessLookupError:
                pass
        await self._wait()

    def forget(self) -> None:
        """Release the pipes in a forked process."""
        stdin, stdout = self._pipes
        for transport in (stdin.transport, getattr(stdout, "_transport", None)):
            pipe = transport and transport.get_extra_info("pipe")
            if pipe is not None:
                pipe.close()

    async def _wait(self) -> int:
        assert self._process is not None
        return await self._process.wait()
