"""What several tests need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import pytest

pytest_plugins = ["pytester"]

Chunk = Dict[str, Any]

START: Chunk = {"role": "assistant", "type": "message", "start": True}
TEXT: Chunk = {"role": "assistant", "type": "message", "content": "Hello"}
END: Chunk = {"role": "assistant", "type": "message", "end": True}
HEALTHY = [START, TEXT, TEXT, END]
#: The second start is LMC202.
BROKEN = [START, TEXT, {**START, "type": "code", "format": "python"}, END]


def children() -> List[int]:
    """Return the processes, zombies included, of which this one is the parent."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found.append(int(status.parent.name))
    return found


@pytest.fixture
def no_child() -> Any:
    """Fail if the test leaves a child process."""
    before = set(children())
    yield
    assert set(children()) == before


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A stream with one mistake, in a directory without a configuration."""
    path = tmp_path / "stream.jsonl"
    path.write_text("".join(json.dumps(chunk) + "\n" for chunk in BROKEN))
    return path


def run_python(code: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run a program in another interpreter of the same kind."""
    return subprocess.run(
        [sys.executable, "-X", "dev", "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=60,
        check=False,
        **options,
    )
