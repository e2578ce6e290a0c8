"""The console script, and python -m lmclint."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import List

import pytest

import lmclint

MODULE = [sys.executable, "-m", "lmclint"]
SCRIPT = shutil.which("lmclint", path=os.path.dirname(sys.executable))
COMMANDS = [MODULE] + ([[SCRIPT]] if SCRIPT else [])


@pytest.mark.parametrize("command", COMMANDS)
def test_exit_statuses(command: List[str], recording: Path) -> None:
    done = subprocess.run([*command, str(recording)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1 and b"LMC202" in done.stdout
    assert subprocess.run([*command, "nowhere"], stderr=subprocess.PIPE, check=False).returncode == 2
    version = subprocess.run([*command, "version", "--json"], stdout=subprocess.PIPE, check=True)
    assert json.loads(version.stdout)["name"] == "lmclint"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_process_becomes_the_program(command: List[str]) -> None:
    arguments = ["check", "--kind", "stream", "--format", "jsonl", "--acknowledge", "-"]
    with subprocess.Popen(
        [*command, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b'{"role": "assistant", "type": "message", "start": true}\n')
        process.stdin.flush()
        assert b"judged" in process.stdout.readline()
        assert os.path.realpath(f"/proc/{process.pid}/exe") == os.path.realpath(lmclint.find_binary())
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 143


def test_a_missing_binary() -> None:
    done = subprocess.run(
        [*MODULE, "version"], env={**os.environ, "LMCLINT_BINARY": "/nowhere"}, stderr=subprocess.PIPE, check=False
    )
    assert done.returncode == 2 and b"LMCLINT_BINARY" in done.stderr


def test_versions_agree() -> None:
    if lmclint.__version__ == "0.0.0.dev0":
        pytest.skip("not installed from a wheel")
    printed = subprocess.run([lmclint.find_binary(), "version", "--json"], stdout=subprocess.PIPE, check=True)
    version = json.loads(printed.stdout)["version"].lstrip("v")
    assert version.split("-")[0] == lmclint.__version__.split(".dev")[0].split("+")[0]
