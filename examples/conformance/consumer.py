#!/usr/bin/env python3
"""A consumer of LMC streams: reads chunks, one per line, and writes the messages.

Whatever is wrong with a stream, it neither fails nor loses a message that came
whole: a line that is not a chunk is skipped; a start or a confirmation ends the
message before it even if its end is lost, and content without a start begins one, too.

    lmclint suite run --consumer 'python3 consumer.py'
"""
import json
import os
import sys

END = "stop" if os.environ.get("LMC_DIALECT") == "interpreter-0.1" else "end"
NOT_STORED = {"confirmation", "review", "status", "error", "completion", "command"}


class Consumer:
    def __init__(self):
        self.messages = []
        self.open = None  # the message of the open block

    def add(self, chunk):
        kind = chunk.get("type")
        if not isinstance(chunk.get("role"), str) or not isinstance(kind, str):
            return
        if kind in NOT_STORED:
            self.open = None
            return
        if "start" in chunk:
            self.begin(chunk)
        if "content" in chunk:
            if self.open is None or not self.fits(chunk):
                self.begin(chunk)
            self.extend(chunk)
        if END in chunk:
            self.open = None

    def begin(self, chunk):
        self.open = {"role": chunk["role"], "type": chunk["type"]}
        if chunk["type"] == "console":
            self.open["format"] = "output"
        elif "format" in chunk:
            self.open["format"] = chunk["format"]
        self.open["content"] = ""
        self.messages.append(self.open)

    def fits(self, chunk):
        """Reports whether a chunk is of the open block."""
        keys = ("role", "type") if chunk["type"] == "console" else ("role", "type", "format")
        return all(chunk.get(key) == self.open.get(key) for key in keys)

    def extend(self, chunk):
        if chunk.get("format") == "active_line":
            return  # where the execution is, not what it prints
        if isinstance(chunk["content"], str):
            self.open["content"] += chunk["content"]
        if "recipient" in chunk:
            self.open["recipient"] = chunk["recipient"]


def main():
    consumer = Consumer()
    for line in sys.stdin.buffer:
        try:
            chunk = json.loads(line)
        except (ValueError, RecursionError):
            continue  # not JSON, or not UTF-8
        if isinstance(chunk, dict):
            consumer.add(chunk)
    json.dump([m for m in consumer.messages if m["role"] != "user"], sys.stdout)


if __name__ == "__main__":
    main()
