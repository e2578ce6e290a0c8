import pytest
from accumulator import accumulate


def test_message():
    chunks = [
        {"role": "assistant", "type": "message", "start": True},
        {"role": "assistant", "type": "message", "content": "Hello"},
        {"role": "assistant", "type": "message", "end": True},
    ]
    assert accumulate(chunks)[0]["content"] == "Hello"


def test_code():
    chunks = [
        {"role": "assistant", "type": "code", "format": "python", "start": True},
        {"role": "assistant", "type": "code", "format": "python", "content": "1"},
        {"role": "assistant", "type": "code", "format": "python", "end": True},
    ]
    assert accumulate(chunks) == [dict(role="assistant", type="code", format="python", content="1")]
