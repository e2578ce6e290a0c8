"""The child process that judges the chunks of one stream.

docs/machine.md describes how it is spoken with: it answers each line of its
standard input with findings and then a judgment. Here both of its outputs are one
pipe: what is not a JSON object is a message for people.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import weakref
from queue import SimpleQueue
from typing import IO, Any, Dict, List, Optional

from lmclint._binary import find_binary
from lmclint._report import SEVERITIES, Finding, LmclintError, Severity, parse_finding

#: The most bytes that are read at once, and kept of the messages of a child.
BLOCK_BYTES = 1 << 16


def command(flags: List[str]) -> List[str]:
    """Return the command of a child."""
    return [
        find_binary(),
        "check",
        "--kind=stream",
        "--format=jsonl",
        "--rendered",
        "--quiet",
        "--acknowledge",
        "--stdin-filename=<chunks>",
        *flags,
        "-",
    ]


def process_options() -> Dict[str, Any]:
    """Return how a child is started: Ctrl-C in a terminal is for this process."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def stops(findings: List[Finding], stop_on: Optional[Severity]) -> List[Finding]:
    """Return the findings at or above a severity; None is above all."""
    if stop_on is None:
        return []
    reached = SEVERITIES[SEVERITIES.index(stop_on) :]
    return [finding for finding in findings if finding.severity in reached]


class Answers:
    """Parses what a child writes. Feed it blocks, and take the answers."""

    def __init__(self) -> None:
        self.findings: List[Finding] = []  # since the last answer
        self.judged = 0
        self.summary = False
        self._messages = b""
        self._rest: List[bytes] = []  # an incomplete line

    def feed(self, block: bytes) -> None:
        *lines, rest = block.split(b"\n")
        for line in lines:
            self._line(b"".join([*self._rest, line]))
            self._rest = []
        if rest:
            self._rest.append(rest)

    def _line(self, line: bytes) -> None:
        try:
            value = json.loads(line)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            self._messages = (self._messages + line + b"\n")[:BLOCK_BYTES]
        elif "judged" in value:
            self.judged = value["judged"]
        elif "summary" in value:
            self.summary = True
        elif "rule" in value:
            self.findings.append(parse_finding(value))

    def take(self) -> List[Finding]:
        """Return the findings since the last call."""
        findings, self.findings = self.findings, []
        return findings

    def failure(self, status: Optional[int]) -> LmclintError:
        """Return why the child ended early."""
        messages = self._messages + b"".join(self._rest)
        text = messages.decode(errors="replace").strip()
        if status is not None and status < 0:
            text = f"lmclint was killed by signal {-status}" + (f": {text}" if text else "")
        return LmclintError(text or f"lmclint ended early, with status {status}", status)


class Judge:
    """A child process, spoken with by one thread.

    A thread of its own reads what the child writes, so that the child can always
    write, and this one never waits for a child that waits for it.
    """

    def __init__(self, flags: List[str]) -> None:
        self._process = subprocess.Popen(
            command(flags),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
            **process_options(),
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._stdin: IO[bytes] = self._process.stdin
        self._blocks: "SimpleQueue[bytes]" = SimpleQueue()
        self._answers = Answers()
        self._sent = 0
        self._ended = False  # the child has closed its output
        self._forgotten = False  # this is a fork of the process that started the child
        # Also when this object is dropped, and when the interpreter exits.
        self._finalizer = weakref.finalize(self, _end, self._process)
        children.add(self)
        self._reader = threading.Thread(
            target=_read, args=(self._process.stdout, self._blocks), name="lmclint", daemon=True
        )
        self._reader.start()

    def judge(self, line: bytes) -> List[Finding]:
        """Return the findings that a line causes."""
        if self._forgotten:
            raise LmclintError("the guard was started by another process, of which this one is a fork")
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[self._stdin.write(rest) :]
        except OSError:  # the child has ended
            raise self._failure() from None
        self._sent += 1
        while self._answers.judged < self._sent:
            if not self._receive():
                raise self._failure()
        return self._answers.take()

    def end(self) -> List[Finding]:
        """End the stream, and return the findings that this causes."""
        if self._forgotten:
            return []
        self._stdin.close()
        while self._receive():
            pass
        status = self._process.wait()
        if not self._answers.summary or status not in (0, 1):
            raise self._answers.failure(status)
        return self._answers.take()

    def close(self) -> None:
        """End the child, if it has not ended. Nothing is found any more."""
        if not self._forgotten:
            self._finalizer()
            self._reader.join()

    def forget(self) -> None:
        """Release the child in a forked process: it belongs to the parent."""
        self._forgotten = True
        self._finalizer.detach()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.returncode = 0  # so that Popen does not wait for it

    def _failure(self) -> LmclintError:
        while self._receive():
            pass
        return self._answers.failure(self._process.wait())

    def _receive(self) -> bool:
        """Wait for a block, and return False at the end of the output."""
        if not self._ended:
            block = self._blocks.get()
            self._answers.feed(block)
            self._ended = not block
        return not self._ended


def _read(pipe: IO[bytes], blocks: "SimpleQueue[bytes]") -> None:
    """Put what a pipe has into a queue, and an empty block at its end."""
    try:
        with pipe:
            while True:
                block = pipe.read(BLOCK_BYTES)
                if not block:
                    break
                blocks.put(block)
    except (OSError, ValueError):  # it was closed
        pass
    finally:
        blocks.put(b"")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a child and its pipes."""
    if process.poll() is None:
        process.kill()
    process.wait()
    if process.stdin is not None:
        try:
            process.stdin.close()
        except OSError:
            pass


#: The children of this process, which have a method forget. In a forked process
#: their pipes must be closed, or they would never see the end of their input.
children: "weakref.WeakSet[Any]" = weakref.WeakSet()


def _after_fork() -> None:
    for child in list(children):
        child.forget()
    children.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
