"""Recordings: streams that are written to a file while they are consumed."""

from __future__ import annotations

import collections.abc
import os
import traceback
from contextlib import ExitStack, contextmanager
from typing import AsyncGenerator, AsyncIterable, Generator, Iterable, Iterator, TypeVar, Union, overload

from lmclint._options import encode

Chunk = TypeVar("Chunk")


@overload
def record(
    chunks: Iterable[Chunk], path: "Union[str, os.PathLike[str]]", *, append: bool = False
) -> Generator[Chunk, None, None]: ...


@overload
def record(
    chunks: AsyncIterable[Chunk], path: "Union[str, os.PathLike[str]]", *, append: bool = False
) -> AsyncGenerator[Chunk, None]: ...


def record(
    chunks: Union[Iterable[Chunk], AsyncIterable[Chunk]], path: "Union[str, os.PathLike[str]]", *, append: bool = False
) -> Union[Generator[Chunk, None, None], AsyncGenerator[Chunk, None]]:
    """Yield each chunk of a stream after writing it to a file as a line of JSON.

    chunks are those of ``interpreter.chat(..., stream=True)``, or an asynchronous
    stream, which gives an asynchronous generator. Each line is passed to the
    operating system before its chunk is yielded, so that a killed program loses
    nothing that its consumer saw. An exception of the stream is written as a last
    record of role server and type error, as the server of Open Interpreter sends
    it, and raised again. A consumer that stops reading, Ctrl-C or the cancellation
    of a task ends the recording.

    The file is replaced, or continued with append=True, as for the next turn of
    the same conversation. A last line that is unfinished, as a full disk leaves
    it, is ended first. It is opened before the first chunk is requested. Raises
    OSError if it cannot be written, and TypeError for a chunk that JSON cannot
    express.
    """
    if isinstance(chunks, collections.abc.AsyncIterable):
        return _arecorded(chunks, path, append)
    return _recorded(chunks, path, append)


def _is_unfinished(path: "Union[str, os.PathLike[str]]") -> bool:
    """Tell whether a file has a last line without its end."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return False
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"


class _File:
    """A file that has a line when write returns."""

    def __init__(self, path: "Union[str, os.PathLike[str]]", append: bool) -> None:
        unfinished = append and _is_unfinished(path)
        self._file = open(path, "ab" if append else "wb", buffering=0)
        if unfinished:
            self._file.write(b"\n")

    def __enter__(self) -> "_File":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, value: object) -> None:
        line = encode(value)
        while line:  # a write may take a part of it
            line = line[self._file.write(line) or 0 :]

    @contextmanager
    def failures(self) -> Iterator[None]:
        """Write an exception of the stream. What is no Exception is of its consumer: GeneratorExit, Ctrl-C, a cancellation."""
        try:
            yield
        except Exception:
            self.write({"role": "server", "type": "error", "content": traceback.format_exc()})
            raise


def _recorded(
    chunks: Iterable[Chunk], path: "Union[str, os.PathLike[str]]", append: bool
) -> Generator[Chunk, None, None]:
    with ExitStack() as stack:
        file = stack.enter_context(_File(path, append))
        stream = iter(chunks)
        if isinstance(stream, collections.abc.Generator):
            stack.callback(stream.close)
        while True:
            with file.failures():
                try:
                    chunk = next(stream)
                except StopIteration:
                    return
            file.write(chunk)
            yield chunk


async def _arecorded(
    chunks: AsyncIterable[Chunk], path: "Union[str, os.PathLike[str]]", append: bool
) -> AsyncGenerator[Chunk, None]:
    with _File(path, append) as file:
        stream = chunks.__aiter__()
        try:
            while True:
                with file.failures():
                    try:
                        chunk = await stream.__anext__()
                    except StopAsyncIteration:
                        return
                file.write(chunk)
                yield chunk
        finally:
            if isinstance(stream, collections.abc.AsyncGenerator):
                await stream.aclose()
