"""The pytest plugin, in a pytest of its own."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import Any, List

import pytest

POINTS: Any = metadata.entry_points()
PLUGINS = POINTS.select(group="pytest11") if hasattr(POINTS, "select") else POINTS.get("pytest11", [])
PLUGIN: List[str] = [] if any(each.name == "lmclint" for each in PLUGINS) else ["-p", "lmclint.pytest_plugin"]

TESTS = """
import asyncio
from pathlib import Path

START = {"role": "assistant", "type": "message", "start": True}
END = {"role": "assistant", "type": "message", "end": True}
TEXT = {"role": "assistant", "type": "message", "content": "Hello"}

def test_check(lmc):
    assert lmc.check([START, TEXT, END]).ok

def test_check_fails(lmc):
    lmc.check([START, TEXT, START])

def test_guard(lmc):
    assert len(list(lmc.guard([START, TEXT, END]))) == 3

def test_guard_fails(lmc):
    list(lmc.guard([START, TEXT, START]))

def test_aguard(lmc):
    async def stream():
        for chunk in [START, TEXT, END]:
            yield chunk
    async def main():
        return [chunk async for chunk in lmc.aguard(stream())]
    assert len(asyncio.run(main())) == 3

def test_warning(lmc):
    lmc.check([START, END], kind="stream")
"""


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess(*PLUGIN, "-p", "no:cacheprovider", *arguments)


def test_fixture(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TESTS)
    result = run(pytester)
    result.assert_outcomes(passed=4, failed=2)
    result.stdout.fnmatch_lines(["*lmclint.ConformanceError: error?LMC202?: *", "*<records>:3:1", "*block opened here*"])
    result.stdout.fnmatch_lines(["*lmclint.ConformanceError: error?LMC202?: *", "*<chunks>:3:1", "*block opened here*"])
    result.stdout.no_fnmatch_line("*_guard.py*")
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")  # the test is where it failed


def test_settings(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TESTS)
    pytester.makeini("[pytest]\nlmc_fail_on = warning\nlmc_ignore = LMC202 LMC203 LMC204\n")
    result = run(pytester, "-k", "fails or warning")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*LMC207*"])


def test_dialect(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        def test_dialect(lmc):
            report = lmc.check([{"role": "user", "type": "message", "content": "Hi"}])
            assert report.files[0].dialect == "docs"

        def test_own(lmc):
            report = lmc.check([{"role": "user", "type": "message", "content": "Hi"}], dialect="interpreter-0.2")
            assert report.files[0].dialect == "interpreter-0.2"
        """
    )
    run(pytester, "--lmc-dialect", "docs").assert_outcomes(passed=2)
    pytester.makeini("[pytest]\nlmc_dialect = docs\n")
    run(pytester).assert_outcomes(passed=2)
    pytester.makeini("[pytest]\nlmc_dialect = server\n")
    run(pytester, "--lmc-dialect", "docs").assert_outcomes(passed=2)


def test_a_wrong_setting(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test(lmc): pass")
    pytester.makeini("[pytest]\nlmc_fail_on = never\n")
    result = run(pytester)
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*lmc_fail_on is 'never'*"])
