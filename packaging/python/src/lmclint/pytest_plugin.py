"""The pytest plugin: the fixture lmc checks what a test produces."""

from __future__ import annotations

from typing import Any, AsyncIterable, Dict, Iterable, Optional, TypeVar

import pytest

import lmclint
from lmclint._check import Source

Chunk = TypeVar("Chunk")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lmclint")
    group.addoption("--lmc-dialect", metavar="NAME", help="dialect of LMC for the fixture lmc, such as server")
    parser.addini("lmc_dialect", "dialect of LMC for the fixture lmc", default=None)
    parser.addini("lmc_select", "the only rules that the fixture lmc applies", type="args", default=[])
    parser.addini("lmc_ignore", "rules that the fixture lmc does not apply", type="args", default=[])
    parser.addini("lmc_auto_run", "whether code runs without confirmations", type="bool", default=None)
    parser.addini("lmc_fail_on", "the least severity that fails a test: error, warning or note", default="error")


@pytest.fixture(scope="session")
def lmc(pytestconfig: pytest.Config) -> "Lmc":
    """Check LMC messages and streams; a mistake fails the test with the text report."""
    return Lmc(pytestconfig)


class Lmc:
    """The fixture lmc. Options of its methods take precedence over those of pytest."""

    def __init__(self, config: pytest.Config) -> None:
        self._options: Dict[str, Any] = {
            "dialect": config.getoption("--lmc-dialect") or config.getini("lmc_dialect") or None,
            "select": config.getini("lmc_select") or None,
            "ignore": config.getini("lmc_ignore") or None,
        }
        auto_run: Optional[bool] = config.getini("lmc_auto_run")
        if auto_run is not None:
            self._options["auto_run"] = auto_run
        self._fail_on: Any = config.getini("lmc_fail_on")
        if self._fail_on not in ("error", "warning", "note"):
            raise pytest.UsageError(f"lmc_fail_on is {self._fail_on!r}, expected error, warning or note")

    def check(self, source: Source, **options: Any) -> lmclint.Report:
        """Do the same as lmclint.check, but raise ConformanceError if a finding fails the test."""
        __tracebackhide__ = True
        report = lmclint.check(source, **{**self._options, **options})
        severities = ("note", "warning", "error")
        reached = severities[severities.index(self._fail_on) :]
        if any(finding.severity in reached for finding in report.findings):
            raise lmclint.ConformanceError(report.findings, text=str(report))
        return report

    def guard(self, chunks: Iterable[Chunk], **options: Any) -> "lmclint.Guard[Chunk]":
        """Do the same as lmclint.guard."""
        return lmclint.guard(chunks, **{"stop_on": self._fail_on, **self._options, **options})

    def aguard(self, chunks: AsyncIterable[Chunk], **options: Any) -> "lmclint.AsyncGuard[Chunk]":
        """Do the same as lmclint.aguard."""
        return lmclint.aguard(chunks, **{"stop_on": self._fail_on, **self._options, **options})
