"""The check of a complete input."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any, Iterable, List, Mapping, NamedTuple, Optional, Union

from lmclint._binary import find_binary
from lmclint._options import Conversation, Words, against_flags, encode, flags
from lmclint._report import LmclintError, Report, parse_report

#: What can be checked: a path, text, bytes, records, or lines.
Source = Union[str, bytes, "os.PathLike[str]", Mapping[str, Any], Iterable[Union[Mapping[str, Any], str, bytes]]]


def check(
    source: Source,
    *,
    dialect: Optional[str] = None,
    kind: Optional[str] = None,
    auto_run: Optional[bool] = None,
    select: Optional[Words] = None,
    ignore: Optional[Words] = None,
    against: Optional[Conversation] = None,
) -> Report:
    """Check a recording and return the findings.

    source is a path of a file or a directory, the text or the bytes of a
    recording, or an iterable of records. A string is text if it contains a line
    feed or starts with { or [, and a path otherwise; pass pathlib.Path for a path
    that looks like text, and bytes for text that looks like a path. A mapping is
    one record, or an envelope such as {"messages": [...]}.

    The options are the flags of ``lmclint check``: dialect (as in "server"),
    kind ("transcript", "stream" or "session"), auto_run, select and ignore (rules
    by id, name, prefix or family), and against (a stored conversation with which
    a stream is compared, as a path or as messages). What is None is detected, or
    comes from the configuration file that is nearest to the input, or to the
    working directory.

    Raises LmclintError if the input cannot be checked.
    """
    __tracebackhide__ = True
    given = _input(source)
    with against_flags(against) as comparison:
        command = [find_binary(), "check", "--format=json", "--rendered", "--quiet"]
        command += flags(dialect=dialect, kind=kind, auto_run=auto_run, select=select, ignore=ignore)
        command += [*comparison, *given.flags, "--", given.operand]
        done = subprocess.run(command, input=given.data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    report = _parse(done.stdout, done.returncode)
    if done.returncode in (0, 1) and report is not None:
        return report
    raise LmclintError(_reason(done.stderr, done.returncode, report), done.returncode, report)


def _reason(messages: bytes, status: int, report: Optional[Report]) -> str:
    """Return why an input could not be checked."""
    text = messages.decode(errors="replace").strip()
    if status < 0:
        return f"lmclint was killed by signal {-status}" + (f": {text}" if text else "")
    return text or (str(report) if report and report.findings else f"lmclint ended with status {status}")


def _parse(output: bytes, status: int) -> Optional[Report]:
    try:
        return parse_report(json.loads(output), ok=status == 0)
    except (ValueError, KeyError):
        return None


class _Input(NamedTuple):
    operand: str
    flags: List[str]
    data: Optional[bytes]


def _input(source: Source) -> _Input:
    if isinstance(source, str) and not _is_text(source):
        return _path(source)
    if isinstance(source, os.PathLike):
        return _path(os.fsdecode(source))
    if isinstance(source, str):
        return _stdin("<text>", source.encode("utf-8", "surrogatepass"))
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _stdin("<bytes>", bytes(source))
    if isinstance(source, Mapping):
        return _stdin("<records>", encode(source))
    return _stdin("<records>", b"".join(map(_line, source)))


def _is_text(source: str) -> bool:
    return not source or "\n" in source or source.lstrip()[:1] in ("{", "[") and not os.path.exists(source)


def _path(path: str) -> _Input:
    # A file may have the name that means standard input.
    return _Input(os.path.join(".", path) if path == "-" else path, [], None)


def _stdin(name: str, data: bytes) -> _Input:
    return _Input("-", [f"--stdin-filename={name}"], data)


def _line(record: Union[Mapping[str, Any], str, bytes]) -> bytes:
    """Return a record as a line; a line, such as one of an open file, as it is."""
    if isinstance(record, str):
        record = record.encode("utf-8", "surrogatepass")
    if isinstance(record, bytes):
        return record if record.endswith(b"\n") else record + b"\n"
    return encode(record)
