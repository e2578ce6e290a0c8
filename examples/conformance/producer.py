#!/usr/bin/env python3
"""A producer of LMC streams: reads a transcript, a JSON array of messages, and
writes the chunks of a stream, one per line.

    lmclint suite run --producer 'python3 producer.py'
"""
import json
import os
import sys

DIALECT = os.environ.get("LMC_DIALECT", "interpreter")
ALWAYS = ("docs", "interpreter-0.1", "interpreter-0.2")  # confirm with auto_run, too
CONFIRMS = DIALECT in ALWAYS or DIALECT not in ("server", "01") and not os.environ.get("LMC_AUTO_RUN")
END = "stop" if DIALECT == "interpreter-0.1" else "end"
FINAL_LINE = DIALECT != "interpreter-0.1"  # an execution ends with active_line null
PIECE = 12  # characters of a chunk


def emit(head, **rest):
    print(json.dumps({**head, **rest}))


def block(message, final):
    """Writes one message as a block; final means that an execution ends with it."""
    kind, content = message["type"], message["content"]
    head = {"role": message["role"], "type": kind}
    if kind == "console":
        contents = [dict(head, format="output", content=piece) for piece in pieces(content)]
        if final and FINAL_LINE or not contents:
            contents.append(dict(head, format="active_line", content=None if FINAL_LINE else 1))
    else:
        if message.get("format") is not None:
            head["format"] = message["format"]
        whole = kind == "image"  # consumers cannot join the base64 of two chunks
        contents = [dict(head, content=piece) for piece in ([content] if whole else pieces(content))]
    emit(head, start=True)
    for chunk in contents:
        if message.get("recipient"):
            chunk["recipient"] = message["recipient"]
        emit(chunk)
    emit(head, **{END: True})
    if final and kind in ("code", "image") and FINAL_LINE:
        block({"role": "computer", "type": "console", "content": ""}, final)


def pieces(text):
    return [text[i:i + PIECE] for i in range(0, len(text), PIECE)]


def is_refusal(message):
    text = message["content"].strip()
    return text.endswith("disabled or not supported.") or text.startswith("Code block was empty")


def main():
    messages = [m for m in json.load(sys.stdin) if m["role"] != "user"]
    pending = None  # code that is not confirmed yet
    for i, message in enumerate(messages):
        following = messages[i + 1] if i + 1 < len(messages) else None
        runs = message["role"] == "computer"
        if runs and pending and CONFIRMS and not is_refusal(message):
            content = {"type": "code", "format": pending["format"], "content": pending["content"]}
            emit({"role": "computer", "type": "confirmation", "format": "execution"}, content=content)
        if runs:
            pending = None
        block(message, final=runs and (following is None or following["role"] != "computer"))
        if message["role"] == "assistant" and message["type"] == "code":
            pending = message
        elif message["role"] == "assistant":
            pending = None


if __name__ == "__main__":
    main()
