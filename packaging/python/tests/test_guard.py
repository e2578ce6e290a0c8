"""guard(): what is passed on, what is not, and what is left behind."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Iterator, List

import pytest

import lmclint
from conftest import BROKEN, END, HEALTHY, START, TEXT, Chunk, children, run_python

pytestmark = pytest.mark.usefixtures("no_child")

CODE: Chunk = {"role": "assistant", "type": "code", "format": "python"}
CONFIRMATION: Chunk = {
    "role": "computer",
    "type": "confirmation",
    "format": "execution",
    "content": {"type": "code", "format": "python", "content": "1"},
}


def take(chunks: Any, **options: Any) -> "tuple[List[Any], lmclint.ConformanceError]":
    passed = []
    with pytest.raises(lmclint.ConformanceError) as caught:
        for chunk in lmclint.guard(chunks, **options):
            passed.append(chunk)
    return passed, caught.value


def test_healthy_chunks_pass() -> None:
    passed = list(lmclint.guard(HEALTHY))
    assert passed == HEALTHY
    assert all(one is other for one, other in zip(passed, HEALTHY))


def test_the_wrong_chunk_is_not_passed_on() -> None:
    passed, error = take(BROKEN)
    assert passed == BROKEN[:2]
    assert (error.index, error.chunk) == (2, BROKEN[2])
    assert [finding.rule for finding in error.findings] == ["LMC202"]
    assert "<chunks>:3:1" in str(error) and "block opened here" in str(error)


@pytest.mark.parametrize("chunk", [None, 3, "text", {}, {"role": "assistant"}, {"content": float("nan")}])
def test_what_is_no_chunk(chunk: Any) -> None:
    passed, error = take(iter([chunk]))
    assert passed == [] and error.findings
    passed, error = take(iter([START, chunk]))
    assert passed == [START] and error.index == 1


def test_lists_and_values_that_json_has_not() -> None:
    with pytest.raises(TypeError, match="a mapping, not a list"):
        list(lmclint.guard([[START]]))
    with pytest.raises(TypeError, match="JSON cannot express"):
        list(lmclint.guard([START, {**TEXT, "content": object()}]))


def test_the_end_is_judged() -> None:
    passed, error = take(HEALTHY[:3])
    assert passed == HEALTHY[:3]
    assert (error.index, error.chunk) == (3, None)
    assert [finding.rule for finding in error.findings] == ["LMC203"]


def test_an_empty_stream() -> None:
    assert list(lmclint.guard([])) == []


def test_the_next_chunk_is_asked_for_after_this_one_was_passed_on() -> None:
    asked: List[int] = []

    def produce() -> Iterator[Chunk]:
        stream = [
            {**CODE, "start": True}, {**CODE, "content": "1"}, {**CODE, "end": True}, CONFIRMATION,
            {"role": "computer", "type": "console", "start": True},
            {"role": "computer", "type": "console", "format": "output", "content": "1"},
            {"role": "computer", "type": "console", "end": True},
        ]
        for number, chunk in enumerate(stream):
            asked.append(number)
            yield chunk

    for number, _ in enumerate(lmclint.guard(produce())):
        assert asked == list(range(number + 1))


def test_code_that_runs_unconfirmed() -> None:
    stream = [
        {**CODE, "start": True}, {**CODE, "content": "1"}, {**CODE, "end": True},
        {"role": "computer", "type": "console", "start": True},
        {"role": "computer", "type": "console", "format": "output", "content": "1"},
        {"role": "computer", "type": "console", "end": True},
    ]
    passed, error = take(stream, stop_on="warning")
    assert "LMC301" in [finding.rule for finding in error.findings]
    assert len(passed) == 4, "the output itself is not passed on"
    assert list(lmclint.guard(stream, auto_run=True)) == stream


def test_severities() -> None:
    empty = [START, END]  # LMC207, a warning
    guard = lmclint.guard(empty)
    assert list(guard) == empty
    assert [finding.severity for finding in guard.findings] == ["warning"]
    take(empty, stop_on="warning")
    take(empty, stop_on="note")
    guard = lmclint.guard(BROKEN, stop_on=None)
    assert list(guard) == BROKEN and len(guard.findings) == 2
    with pytest.raises(ValueError, match="fatal"):
        lmclint.guard(empty, stop_on="fatal")  # type: ignore[arg-type]


def test_options() -> None:
    assert list(lmclint.guard(BROKEN, ignore=["LMC202", "LMC203"])) == BROKEN
    assert list(lmclint.guard(BROKEN, select="LMC1")) == BROKEN
    passed, error = take(HEALTHY, against=[{"role": "assistant", "type": "message", "content": "Bye"}])
    assert error.findings[0].rule.startswith("LMC7")
    with pytest.raises(lmclint.LmclintError, match="klingon"):
        list(lmclint.guard(HEALTHY, dialect="klingon"))


def test_the_producer_is_closed() -> None:
    closed = []

    def produce() -> Iterator[Chunk]:
        try:
            yield from BROKEN
        finally:
            closed.append(True)

    stream = produce()
    take(stream)
    assert closed == [True]


def test_a_producer_that_fails() -> None:
    def produce() -> Iterator[Chunk]:
        yield START
        raise KeyError("model")

    with pytest.raises(KeyError, match="model"):
        list(lmclint.guard(produce()))


def test_closing_early() -> None:
    guard = lmclint.guard(HEALTHY)
    assert next(guard) == START
    assert len(children()) == 1
    guard.close()
    assert children() == []
    with pytest.raises(StopIteration):
        next(guard)
    guard.close()
    with lmclint.guard(HEALTHY) as guard:
        next(guard)
    assert children() == []


def test_dropping() -> None:
    guard = lmclint.guard(HEALTHY)
    next(guard)
    del guard
    gc.collect()
    assert children() == []


def test_exceptions_thrown_in() -> None:
    guard = lmclint.guard(HEALTHY)
    next(guard)
    with pytest.raises(OSError, match="thrown"):
        guard.throw(OSError("thrown"))
    assert children() == []
    unstarted = lmclint.guard(HEALTHY)
    with pytest.raises(OSError):
        unstarted.throw(OSError)


def test_large_chunks() -> None:
    large = {**TEXT, "content": "x" * 10_000_000}
    stream = [START, large, large, END]
    assert list(lmclint.guard(stream)) == stream
    # The findings of one chunk are longer than a pipe is wide.
    wrong = {**TEXT, **{f"key{n}" * 20: 1 for n in range(3000)}}
    passed, error = take([START, wrong], stop_on="warning")
    assert passed == [START] and error.findings


def test_a_killed_child() -> None:
    guard = lmclint.guard(HEALTHY)
    next(guard)
    os.kill(children()[0], signal.SIGKILL)
    with pytest.raises(lmclint.LmclintError, match="signal 9") as caught:
        next(guard)
    assert caught.value.status == -9
    with pytest.raises(StopIteration):
        next(guard)


def test_a_child_killed_before_the_end() -> None:
    def produce() -> Iterator[Chunk]:
        yield from HEALTHY
        os.kill(children()[0], signal.SIGKILL)

    passed = []
    with pytest.raises(lmclint.LmclintError, match="signal 9"):
        for chunk in lmclint.guard(produce()):
            passed.append(chunk)
    assert passed == HEALTHY


def test_a_child_that_stops_in_the_middle_of_a_large_chunk() -> None:
    large = {**TEXT, "content": "x" * 50_000_000}
    guard = lmclint.guard([START, large])
    next(guard)
    threading.Timer(0.05, os.kill, (children()[0], signal.SIGKILL)).start()
    with pytest.raises(lmclint.LmclintError):
        for _ in range(2):
            next(guard)


def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Let another program judge."""
    program = tmp_path / "lmclint"
    program.write_text(f"#!{sys.executable}\nimport sys, os, time\n{code}")
    program.chmod(0o755)
    monkeypatch.setenv("LMCLINT_BINARY", str(program))


def test_a_child_that_writes_much_before_it_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, """
os.write(2, b"warning: noise\\n" * 100_000)
os.write(1, b"noise\\n" * 100_000)
for number, line in enumerate(sys.stdin.buffer, 1):
    os.write(2, b"noise " * 100_000)
    for byte in b'\\n{"judged":%d}\\n' % number:
        os.write(1, bytes([byte]))
os.write(1, b'{"summary":{}}\\n')
""")
    large = [{**TEXT, "content": "x" * 1_000_000}] * 3
    assert list(lmclint.guard(large)) == large


def test_a_child_that_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, "sys.exit('lmclint: out of order')")
    with pytest.raises(lmclint.LmclintError, match="out of order"):
        list(lmclint.guard([{**TEXT, "content": "x" * 1_000_000}]))


def test_a_child_that_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, "sys.stdin.readline()")
    with pytest.raises(lmclint.LmclintError, match="status 0"):
        list(lmclint.guard(HEALTHY))


def test_several_at_a_time() -> None:
    guards = [lmclint.guard(HEALTHY) for _ in range(8)]
    for _ in HEALTHY:
        for guard in guards:
            next(guard)
    for guard in guards:
        with pytest.raises(StopIteration):
            next(guard)
    with ThreadPoolExecutor(8) as pool:
        assert all(list(passed) == HEALTHY for passed in pool.map(lambda _: list(lmclint.guard(HEALTHY)), range(32)))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_neither_keeps_nor_uses_the_child() -> None:
    guard = lmclint.guard(HEALTHY)
    next(guard)
    fork = os.fork()
    if fork == 0:
        status = 1
        try:
            next(guard)
        except lmclint.LmclintError:
            guard.close()
            time.sleep(2)  # with the pipe of the child, if it were open
            status = 0
        finally:
            os._exit(status)
    begun = time.monotonic()
    assert list(guard) == HEALTHY[1:]
    assert time.monotonic() - begun < 1.5
    assert os.waitpid(fork, 0)[1] == 0


def test_the_end_of_the_interpreter() -> None:
    done = run_python(
        "import lmclint\n"
        "guard = lmclint.guard([{'role': 'assistant', 'type': 'message', 'start': True}] * 2)\n"
        "next(guard)\n"
        "import sys; sys.modules['keep'] = guard\n"
        "print('end')\n"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def test_an_interpreter_that_is_killed_leaves_no_child() -> None:
    done = run_python(
        "import lmclint, os, signal, sys\n"
        "sys.path.insert(0, os.environ['TESTS'])\n"
        "from conftest import children\n"
        "guard = lmclint.guard([{'role': 'assistant', 'type': 'message', 'start': True}] * 2)\n"
        "next(guard)\n"
        "print(children()[0], flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n",
        env={**os.environ, "TESTS": os.path.dirname(__file__)},
    )
    child = int(done.stdout)
    for _ in range(100):
        try:
            state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state == "Z":
            return
        time.sleep(0.05)
    pytest.fail("the child is still there")


def test_ctrl_c_is_for_the_parent() -> None:
    done = run_python(
        "import lmclint, os, signal\n"
        "os.setpgrp()\n"
        "signal.signal(signal.SIGINT, lambda *_: print('interrupted', flush=True))\n"
        "text = {'role': 'assistant', 'type': 'message'}\n"
        "guard = lmclint.guard([{**text, 'start': True}, {**text, 'content': 'a'}, {**text, 'end': True}])\n"
        "next(guard)\n"
        "os.killpg(0, signal.SIGINT)\n"
        "print(len(list(guard)))\n"
    )
    assert (done.stdout, done.stderr) == ("interrupted\n2\n", "")


def test_many_guards_leave_nothing() -> None:
    """LMCLINT_GUARDS guards, ended in every way, leave no process, thread or descriptor."""
    many = int(os.environ.get("LMCLINT_GUARDS", "40"))
    before = len(os.listdir("/proc/self/fd")), threading.active_count()

    def use(number: int) -> None:
        guard = lmclint.guard(BROKEN if number % 4 == 0 else HEALTHY)
        if number % 4 == 0:
            with pytest.raises(lmclint.ConformanceError):
                list(guard)
        elif number % 4 == 1:
            next(guard)
            guard.close()
        elif number % 4 == 2:
            assert list(guard) == HEALTHY
        else:
            next(guard)  # and drop it

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(use, range(many)):
            pass
    gc.collect()
    assert children() == []
    assert (len(os.listdir("/proc/self/fd")), threading.active_count()) == before
