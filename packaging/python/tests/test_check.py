"""check(): sources, options, reports and failures."""

from __future__ import annotations

import dataclasses
import json
import pickle
import subprocess
from pathlib import Path
from typing import Any

import pytest

import lmclint
from conftest import BROKEN, HEALTHY, TEXT

MESSAGES = [
    {"role": "user", "type": "message", "content": "Hi"},
    {"role": "assistant", "type": "message", "content": "Hello"},
]


def test_findings(recording: Path) -> None:
    report = lmclint.check(recording)
    assert not report.ok
    assert (report.records, report.errors, report.warnings, report.notes) == (4, 2, 0, 0)
    first = report.findings[0]
    assert (first.rule, first.name, first.severity) == ("LMC202", "unclosed-block", "error")
    assert (first.line, first.column, first.record, first.pointer, first.conversation) == (3, 1, 2, "", None)
    assert first.path == str(recording)
    assert first.related[0].line == 1 and first.related[0].path is None
    (file,) = report.files
    assert (file.kind, file.form, file.dialect, file.failure) == ("stream", "jsonl", "interpreter", None)


def test_fix(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    path.write_text("".join(json.dumps(chunk) + "\n" for chunk in [*HEALTHY[:3], {**HEALTHY[3], "end": "true"}]))
    (finding,) = lmclint.check(path).findings
    assert finding.fix is not None and finding.fix.safe and finding.fix.message
    (edit,) = finding.fix.edits
    text = path.read_bytes()
    assert text[edit.offset : edit.end_offset] == b'"true"' and edit.text == "true"
    assert (edit.line, edit.end_line) == (4, 4)


def test_text_report_is_that_of_the_program(recording: Path) -> None:
    report = lmclint.check(recording)
    printed = subprocess.run(
        [lmclint.find_binary(), "check", "--isolated", str(recording)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=False,
    )
    # The program also says which commands explain the rules and fix the findings.
    lines = [line for line in printed.stdout.splitlines() if "= more: lmclint explain" not in line]
    assert str(report).splitlines() == [*lines, "", printed.stderr.splitlines()[0]]
    assert str(report.findings[0]) in str(report)


def test_findings_are_frozen(recording: Path) -> None:
    finding = lmclint.check(recording).findings[0]
    with pytest.raises(dataclasses.FrozenInstanceError):
        finding.rule = "LMC000"  # type: ignore[misc]
    assert finding == lmclint.check(recording).findings[0]
    assert len({finding, lmclint.check(recording).findings[0]}) == 1


@pytest.mark.parametrize(
    "source",
    [
        json.dumps(BROKEN),
        json.dumps(BROKEN).encode(),
        bytearray(json.dumps(BROKEN).encode()),
        "".join(json.dumps(each) + "\n" for each in BROKEN),
        "\n  " + json.dumps(BROKEN),
        BROKEN,
        tuple(BROKEN),
        iter(BROKEN),
        (each for each in BROKEN),
        {"chunks": BROKEN},
        [json.dumps(each) for each in BROKEN],
        [json.dumps(each).encode() + b"\n" for each in BROKEN],
    ],
    ids=lambda source: type(source).__name__,
)
def test_sources(source: Any) -> None:
    assert [finding.rule for finding in lmclint.check(source).findings] == ["LMC202", "LMC203"]


def test_paths(recording: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    want = ["LMC202", "LMC203"]
    monkeypatch.chdir(recording.parent)
    for name in ("-", "--dash.jsonl", "[draft].jsonl", "{x", "a b.jsonl"):
        Path(name).write_bytes(recording.read_bytes())
        assert [finding.rule for finding in lmclint.check(name).findings] == want, name
    assert [finding.rule for finding in lmclint.check("stream.jsonl").findings] == want
    with open("stream.jsonl", encoding="utf-8") as lines:
        assert [finding.rule for finding in lmclint.check(lines).findings] == want
    assert lmclint.check(recording.parent).errors >= 2


def test_options(tmp_path: Path) -> None:
    assert lmclint.check(MESSAGES).ok
    assert lmclint.check(BROKEN, select="LMC1").ok
    assert lmclint.check(BROKEN, ignore=["LMC202", "LMC203"]).ok
    assert lmclint.check(HEALTHY, kind="stream").files[0].kind == "stream"
    assert lmclint.check(HEALTHY, dialect="docs").files[0].dialect == "docs"
    run = [
        {"role": "assistant", "type": "code", "format": "python", "start": True},
        {"role": "assistant", "type": "code", "format": "python", "content": "1"},
        {"role": "assistant", "type": "code", "format": "python", "end": True},
        {"role": "computer", "type": "console", "start": True},
        {"role": "computer", "type": "console", "format": "output", "content": "1"},
        {"role": "computer", "type": "console", "end": True},
    ]
    rules = lambda **options: [finding.rule for finding in lmclint.check(run, **options).findings]  # noqa: E731
    assert "LMC301" in rules()
    assert "LMC301" in rules(auto_run=False)
    assert "LMC301" not in rules(auto_run=True)


def test_against(tmp_path: Path) -> None:
    stored = [{"role": "assistant", "type": "message", "content": "HelloHello"}]
    other = [{"role": "assistant", "type": "message", "content": "Bye"}]
    path = tmp_path / "conversation.json"
    path.write_text(json.dumps(stored))
    assert lmclint.check(HEALTHY, against=path).ok
    assert lmclint.check(HEALTHY, against=str(path)).ok
    assert lmclint.check(HEALTHY, against=stored).ok
    assert lmclint.check(HEALTHY, against=iter(stored)).ok
    assert not lmclint.check(HEALTHY, against=other).ok


def test_configuration_decides_what_is_ok(recording: Path) -> None:
    (recording.parent / ".lmclint.yaml").write_text("fail-on: never\n")
    report = lmclint.check(recording)
    assert report.ok and report.errors == 2


def test_text_that_needs_care() -> None:
    text = {**TEXT, "content": "\u2028\x00\x1f\u202e日本\U0001f600 \\ \" \n"}
    report = lmclint.check([HEALTHY[0], text, HEALTHY[3]], kind="stream")
    assert report.ok, report
    lone = lmclint.check([HEALTHY[0], {**TEXT, "content": "\ud83c"}, HEALTHY[3]], kind="stream")
    assert [finding.rule for finding in lone.findings] == ["LMC007"]
    number = lmclint.check([{"role": "user", "type": "message", "content": float("nan")}])
    assert [finding.rule for finding in number.findings] == ["LMC001"]


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        ("nowhere.jsonl", {}, "no such file"),
        ([], {}, "no records"),
        ("", {}, "no records"),
        (b"", {}, "no records"),
        ("hello\nworld\n", {}, "unknown protocol"),
        (MESSAGES, {"dialect": "klingon"}, "klingon"),
        (MESSAGES, {"select": "LMC999"}, "LMC999"),
        (MESSAGES, {"kind": "film"}, "film"),
    ],
)
def test_failures(source: Any, options: Any, message: str) -> None:
    with pytest.raises(lmclint.LmclintError, match=message) as caught:
        lmclint.check(source, **options)
    assert caught.value.status == 2


def test_values_that_json_has_not() -> None:
    with pytest.raises(TypeError, match="set"):
        lmclint.check([{"role": "user", "content": {1, 2}}])


def test_errors_can_be_pickled(recording: Path) -> None:
    report = lmclint.check(recording)
    error = lmclint.ConformanceError(report.findings, BROKEN[0], 3)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.findings, copy.chunk, copy.index) == (str(error), error.findings, error.chunk, 3)
    failure = pickle.loads(pickle.dumps(lmclint.LmclintError("why", 2, report)))
    assert (str(failure), failure.status, failure.report) == ("why", 2, report)


def test_a_missing_binary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LMCLINT_BINARY", "/nowhere/lmclint")
    with pytest.raises(FileNotFoundError, match="LMCLINT_BINARY"):
        lmclint.check(MESSAGES)
    with pytest.raises(FileNotFoundError, match="LMCLINT_BINARY"):
        next(lmclint.guard(HEALTHY))


def test_a_killed_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "lmclint"
    program.write_text("#!/bin/sh\nkill -KILL $$\n")
    program.chmod(0o755)
    monkeypatch.setenv("LMCLINT_BINARY", str(program))
    with pytest.raises(lmclint.LmclintError, match="signal 9") as caught:
        lmclint.check(MESSAGES)
    assert caught.value.status == -9
