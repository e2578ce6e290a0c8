"""Every snippet of README.md runs."""

from __future__ import annotations

import json
import re
import sys
import types
from pathlib import Path
from typing import Any, AsyncIterator, Dict

import pytest

from conftest import BROKEN, HEALTHY, Chunk

README = Path(__file__).resolve().parent.parent / "README.md"
BLOCK = re.compile(r"^(?:<!-- snippet: (\w+) -->\n)?```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SNIPPETS: Dict[str, str] = {name: text for name, _, text in BLOCK.findall(README.read_text(encoding="utf-8")) if name}


async def stream() -> AsyncIterator[Chunk]:
    for chunk in HEALTHY:
        yield chunk


def test_all_snippets_are_named() -> None:
    languages = {(name, language) for name, language, _ in BLOCK.findall(README.read_text(encoding="utf-8"))}
    assert {language for name, language in languages if not name} <= {"sh"}
    assert set(SNIPPETS) == {"record", "check", "sources", "guard", "aguard", "pytest", "ini"}


@pytest.mark.parametrize("name", ["record", "check", "sources", "guard", "aguard"])
def test_snippet(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    (tmp_path / "stream.jsonl").write_text("".join(json.dumps(chunk) + "\n" for chunk in BROKEN))
    monkeypatch.chdir(tmp_path)
    package: Any = types.ModuleType("interpreter")
    package.interpreter = types.SimpleNamespace(chat=lambda text, stream, display=True: iter(BROKEN))
    monkeypatch.setitem(sys.modules, "interpreter", package)
    exec(compile(SNIPPETS[name], str(README), "exec"), {"stream": stream, "__name__": name})
    printed = capsys.readouterr().out
    assert ("error[LMC202]" in printed) == (name in ("check", "guard"))


def test_recording_page_has_the_snippet() -> None:
    page = (README.parent.parent.parent / "docs" / "record.md").read_text(encoding="utf-8")
    assert SNIPPETS["record"] in page


def test_pytest_snippets(pytester: pytest.Pytester) -> None:
    from test_plugin import run

    Path("stream.jsonl").write_text("".join(json.dumps(chunk) + "\n" for chunk in HEALTHY))
    pytester.makeini(SNIPPETS["ini"])
    pytester.makepyfile(f"def produce():\n    return {HEALTHY!r}\n\n\n" + SNIPPETS["pytest"])
    run(pytester).assert_outcomes(passed=2)
    pytester.makepyfile(f"def produce():\n    return {BROKEN!r}\n\n\n" + SNIPPETS["pytest"])
    run(pytester).assert_outcomes(passed=1, failed=1)
