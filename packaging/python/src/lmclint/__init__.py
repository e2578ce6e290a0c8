"""Lint LMC messages, the format in which Open Interpreter stores and streams conversations.

record() writes one, check() lints it; guard() and aguard() stop a stream before the chunk that
breaks the protocol. https://github.com/lmclint/lmclint describes the rules.
"""

from lmclint._binary import find_binary
from lmclint._check import check
from lmclint._guard import AsyncGuard, Guard, aguard, guard
from lmclint._record import record
from lmclint._report import ConformanceError, Edit, File, Finding, Fix, LmclintError, Place, Related, Report, Severity
from lmclint._version import __version__

for _each in (AsyncGuard, ConformanceError, Edit, File, Finding, Fix, Guard, LmclintError, Place, Related, Report):
    _each.__module__ = __name__  # where users find them, as tracebacks say
del _each

__all__ = [
    "AsyncGuard",
    "ConformanceError",
    "Edit",
    "File",
    "Finding",
    "Fix",
    "Guard",
    "LmclintError",
    "Place",
    "Related",
    "Report",
    "Severity",
    "__version__",
    "aguard",
    "check",
    "find_binary",
    "guard",
    "record",
]
