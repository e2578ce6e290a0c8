#!/usr/bin/env python3
"""Breaks a subject, to show that the suite notices: runs a command and spoils its
answer in one of these ways.

    broken.py hang|crash|dropped-end|merged-blocks|lost-finding COMMAND...

A transcript loses its last message for a dropped end, and has two messages
in one for merged blocks; a stream loses the records themselves.
"""
import json
import subprocess
import sys
import time


def is_end(record):
    return bool({"end", "stop"} & set(record))


def spoil_stream(how, records):
    ends = [i for i, r in enumerate(records) if is_end(r)]
    drop = set(ends[-1:])
    if how == "merged-blocks" and len(ends) > 1:
        drop = {ends[0], ends[0] + 1}  # an end, and the start or confirmation after it
    return [r for i, r in enumerate(records) if i not in drop]


def spoil_transcript(how, messages):
    if how == "merged-blocks" and len(messages) > 1:
        first, second = messages[:2]
        return [dict(first, content=first["content"] + second["content"])] + messages[2:]
    return messages[:-1]


def main():
    how, command = sys.argv[1], sys.argv[2:]
    if how == "hang":
        time.sleep(3600)
    answer = subprocess.run(command, stdin=sys.stdin.buffer, stdout=subprocess.PIPE, check=True).stdout.decode()
    if how == "crash":
        raise RuntimeError("deliberately broken")
    if how == "lost-finding":
        print(json.dumps({"findings": json.loads(answer)["findings"][1:]}))
    elif answer.lstrip().startswith("["):
        print(json.dumps(spoil_transcript(how, json.loads(answer))))
    else:
        for record in spoil_stream(how, [json.loads(line) for line in answer.splitlines()]):
            print(json.dumps(record))


if __name__ == "__main__":
    main()
