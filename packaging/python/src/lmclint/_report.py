"""What a check returns, and what it raises."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any, Literal, Mapping, Optional, Sequence, Tuple

Severity = Literal["error", "warning", "note"]

#: The severities, the least severe one first.
SEVERITIES: Tuple[Severity, ...] = ("note", "warning", "error")


@dataclass(frozen=True)
class Place:
    """A place in an input.

    Lines and columns count from 1, columns in code points. Offsets count bytes,
    and records count, from 0; record is None between records. Pointer is a JSON
    Pointer (RFC 6901) from the record, or from the document for an array.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    offset: int
    end_offset: int
    record: Optional[int]
    pointer: str


@dataclass(frozen=True)
class Related(Place):
    """Another place that a finding refers to, such as the start of an open block."""

    message: str
    #: The file that it is in, if that is not the finding's.
    path: Optional[str] = None


@dataclass(frozen=True)
class Edit:
    """A change of the input: text replaces the bytes between two offsets."""

    line: int
    column: int
    end_line: int
    end_column: int
    offset: int
    end_offset: int
    text: str


@dataclass(frozen=True)
class Fix:
    """How a finding is mended. ``lmclint fix`` applies it."""

    message: str
    #: Whether it cannot change what the recording means.
    safe: bool
    #: Empty if the edits depend on more than the record.
    edits: Tuple[Edit, ...]


@dataclass(frozen=True)
class Finding(Place):
    """One mistake. str() is the text report of it."""

    #: Id of the rule, such as LMC202.
    rule: str
    #: Name of the rule, such as unclosed-block.
    name: str
    severity: Severity
    message: str
    #: What to do about it; may be empty.
    help: str
    path: str
    #: Number of the conversation from 0, in an input with several.
    conversation: Optional[int]
    related: Tuple[Related, ...]
    #: The text report of the finding, without color.
    rendered: str = field(repr=False)
    #: How to mend it, or None.
    fix: Optional[Fix] = None

    def __str__(self) -> str:
        return self.rendered


@dataclass(frozen=True)
class File:
    """One input as a whole. What could not be detected is None."""

    path: str
    protocol: Optional[str]
    kind: Optional[str]
    form: Optional[str]
    dialect: Optional[str]
    records: int
    errors: int
    warnings: int
    notes: int
    #: Why the input was not checked to its end, or None.
    failure: Optional[str] = None


@dataclass(frozen=True)
class Report:
    """The result of a check. str() is the text report with the summary."""

    #: Whether no finding is at or above fail-on, which is error unless a
    #: configuration file says otherwise.
    ok: bool
    findings: Tuple[Finding, ...]
    files: Tuple[File, ...]
    records: int
    errors: int
    warnings: int
    notes: int
    #: The counts in words, such as "1 error in 1 file (10 records)".
    summary: str

    def __str__(self) -> str:
        return "\n\n".join([*map(str, self.findings), self.summary])


class LmclintError(Exception):
    """The check failed, so that nothing is known about the input.

    The input cannot be read, is of another protocol or has no records, an option
    is invalid, or the program was killed.
    """

    def __init__(self, message: str, status: Optional[int] = None, report: Optional[Report] = None) -> None:
        super().__init__(message)
        self._arguments = (message, status, report)
        #: Exit status of the program, negative for a signal, None if it did not run.
        self.status = status
        #: The findings before the failure, if there are any.
        self.report = report

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), self._arguments


class ConformanceError(Exception):
    """An input breaks the protocol. str() is the text report."""

    def __init__(
        self, findings: Sequence[Finding], chunk: Any = None, index: Optional[int] = None, text: Optional[str] = None
    ) -> None:
        super().__init__(text or "\n\n".join(map(str, findings)))
        self._arguments = (findings, chunk, index, text)
        #: The findings that the chunk caused, of the severity at which a guard
        #: stops or above; or all findings of a check.
        self.findings = tuple(findings)
        #: The chunk of a guarded stream that was not passed on; None if the
        #: stream ended too early.
        self.chunk = chunk
        #: Its number from 0; at the end of the stream the number of chunks.
        self.index = index

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), self._arguments


def parse_finding(data: Mapping[str, Any]) -> Finding:
    """Return the finding that an object of the JSON report describes."""
    return Finding(
        **_place(data),
        rule=sys.intern(data["rule"]),
        name=sys.intern(data["name"]),
        severity=data["severity"],
        message=data["message"],
        help=data.get("help", ""),
        path=data["path"],
        conversation=data.get("conversation"),
        related=tuple(
            Related(**_place(each), message=each["message"], path=each.get("path")) for each in data["related"]
        ),
        rendered=data["rendered"],
        fix=_fix(data["fix"]) if "fix" in data else None,
    )


def parse_report(data: Mapping[str, Any], ok: bool) -> Report:
    """Return the report that a document of --format json describes."""
    summary = data["summary"]
    return Report(
        ok=ok,
        findings=tuple(map(parse_finding, data["findings"])),
        files=tuple(map(_file, data["files"])),
        records=summary["records"],
        errors=summary["errors"],
        warnings=summary["warnings"],
        notes=summary["notes"],
        summary=summary["rendered"],
    )


def _fix(data: Mapping[str, Any]) -> Fix:
    return Fix(data["message"], data["safe"], tuple(map(_edit, data.get("edits", ()))))


def _edit(data: Mapping[str, Any]) -> Edit:
    return Edit(
        line=data["line"],
        column=data["column"],
        end_line=data["endLine"],
        end_column=data["endColumn"],
        offset=data["offset"],
        end_offset=data["endOffset"],
        text=data["text"],
    )


def _place(data: Mapping[str, Any]) -> "dict[str, Any]":
    return {
        "line": data["line"],
        "column": data["column"],
        "end_line": data["endLine"],
        "end_column": data["endColumn"],
        "offset": data["offset"],
        "end_offset": data["endOffset"],
        "record": data.get("record"),
        "pointer": data["pointer"],
    }


def _file(data: Mapping[str, Any]) -> File:
    return File(
        path=data["path"],
        protocol=data.get("protocol"),
        kind=data.get("kind"),
        form=data.get("form"),
        dialect=data.get("dialect"),
        records=data["records"],
        errors=data["errors"],
        warnings=data["warnings"],
        notes=data["notes"],
        failure=data.get("failure"),
    )
