"""Options of a check, as flags of the program; records, as its input."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import contextmanager
from typing import Any, Iterable, Iterator, List, Mapping, Optional, Union

Path = Union[str, "os.PathLike[str]"]
Words = Union[str, Iterable[str]]
#: A file with a conversation, or its messages.
Conversation = Union[Path, Iterable[Mapping[str, Any]]]


def flags(
    *,
    dialect: Optional[str],
    kind: Optional[str],
    auto_run: Optional[bool],
    select: Optional[Words],
    ignore: Optional[Words],
) -> List[str]:
    """Return the flags for options. None leaves it to detection or configuration."""
    result = []
    for name, value in (("dialect", dialect), ("kind", kind)):
        if value is not None:
            result.append(f"--{name}={value}")
    if auto_run is not None:
        result.append(f"--auto-run={'true' if auto_run else 'false'}")
    for name, words in (("select", select), ("ignore", ignore)):
        if words is not None:
            result.append(f"--{name}={words if isinstance(words, str) else ','.join(words)}")
    return result


@contextmanager
def against_flags(against: Optional[Conversation]) -> Iterator[List[str]]:
    """Give the flags for a conversation to compare with, in a file while it is used."""
    if against is None:
        yield []
    elif isinstance(against, (str, os.PathLike)):
        yield [f"--against={os.fspath(against)}"]
    else:
        with tempfile.TemporaryDirectory(prefix="lmclint-") as folder:
            path = os.path.join(folder, "conversation.json")
            with open(path, "wb") as file:
                file.write(encode(against if isinstance(against, Mapping) else list(against)))
            yield [f"--against={path}"]


def encode(value: object) -> bytes:
    """Return a value as JSON on one line, with a line feed.

    Text is written as it is, for the excerpts in findings, unless it contains a
    lone surrogate, which UTF-8 cannot express. What JSON cannot express but
    Python writes, such as NaN, is left for the linter to find.
    """
    try:
        return (json.dumps(value, ensure_ascii=False, default=_plain) + "\n").encode()
    except UnicodeEncodeError:
        return (json.dumps(value, default=_plain) + "\n").encode()


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a record contains {type(value).__name__}, which JSON cannot express")
