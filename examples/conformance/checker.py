#!/usr/bin/env python3
"""A small checker of LMC streams and transcripts, as JSON Lines or a JSON array.

It reads an input from standard input and writes the mistakes that it finds as
JSON, by the numbers of the requirements in docs/protocol.md:

    lmclint suite run --checker 'python3 checker.py' --id 'core/**'
"""
import json
import os
import sys

IMAGES, DIALECT = {"base64", "base64.png", "base64.jpeg", "path", "description"}, os.environ.get("LMC_DIALECT", "")
FORMATS = {"message": None, "code": ..., "console": {"output", "active_line"}, "image": IMAGES, "file": None,
           "audio": {"wav", "bytes.wav", "bytes.raw"}, "confirmation": {"execution"}, "review": {"safe", "warning", "unsafe"}}
ROLES = {"user", "assistant", "computer", "system"}
NOTES = {"text", "markdown", "plaintext"}
END = "stop" if DIALECT == "interpreter-0.1" else "end"


def unique(pairs):
    if len({key for key, _ in pairs}) < len(pairs):
        raise KeyError("a key twice")
    return dict(pairs)


def no_constant(word):
    raise ValueError(word + " is not JSON")


DECODER = json.JSONDecoder(object_pairs_hook=unique, parse_constant=no_constant)


def records(text):
    """Yields the line, the number and the value of each record; or a requirement instead of a value."""
    at, number, array = len(text) - len(text.lstrip("\ufeff \t\r\n")), 0, text.lstrip("\ufeff \t\r\n")[:1] == "["
    at += array
    while at < len(text):
        if text[at] in " \t\r\n," if array else text[at] in " \t\r\n":
            at += 1
            continue
        if array and text[at] == "]":
            return
        line, stop = text.count("\n", 0, at) + 1, text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        try:
            value, at = DECODER.raw_decode(text, at)
        except KeyError:
            value, at = "LMC-INP-4", stop
        except (ValueError, RecursionError) as error:
            cut = getattr(error, "pos", 0) >= len(text.rstrip()) or "Unterminated" in str(error) and stop >= len(text.rstrip())
            value, at = "LMC-INP-2" if cut else "LMC-INP-1", stop
        yield line, number, value if isinstance(value, (dict, str)) and not (isinstance(value, str) and value[:4] != "LMC-") else "LMC-INP-5"
        number += 1
    if array:
        yield text.rstrip().count("\n") + 1, number - 1, "LMC-INP-2"


def shape(r, stream):
    """Returns the requirement that a record breaks by itself, or None."""
    kind, events = r.get("type"), [key for key in ("start", END, "content") if key in r]
    formats = FORMATS.get(kind) if isinstance(kind, str) else None
    if r.get("role") is None:
        return "LMC-REC-1"
    if r["role"] not in ROLES:
        return "LMC-VOC-1"
    if kind is None:
        return "LMC-REC-2"
    if kind not in FORMATS or not stream and kind in ("confirmation", "review"):
        return "LMC-VOC-2" if stream or kind not in FORMATS else "LMC-TRN-2"
    if not stream and r.get("format") == "active_line":
        return "LMC-TRN-2"
    if not stream and ("start" in r or "end" in r):
        return "LMC-TRN-1"
    if formats and "format" not in r and (kind != "console" or "content" in r):
        return "LMC-REC-3"
    if formats is None and "format" in r and kind != "file":
        return "LMC-REC-4"
    if isinstance(formats, set) and "format" in r and r["format"] not in formats:
        return "LMC-VOC-3"
    if len(events) != 1 or not stream and events != ["content"]:
        return "LMC-REC-5"
    if events[0] != "content":
        return "LMC-REC-7" if r[events[0]] is not True else "LMC-STR-9" if kind == "console" and "format" in r else None
    content = r["content"]
    if kind == "confirmation":
        right = isinstance(content, dict) and set(content) == {"type", "format", "content"} and content["type"] == "code"
        return None if right else "LMC-VOC-7"
    if r.get("format") == "active_line":
        return None if content is None or type(content) is int and content > 0 else "LMC-EXE-8"
    return None if isinstance(content, str) else "LMC-REC-6"


def check(found, text):
    """Calls found with each requirement that is broken, and where."""
    parsed = list(records(text))
    stream = os.environ.get("LMC_KIND") == "stream" or not os.environ.get("LMC_KIND") and text.lstrip("\ufeff \t\r\n")[:1] != "[" and any(
        isinstance(r, dict) and ({"start", "end", "stop"} & set(r) or r.get("format") == "active_line" or r.get("type") == "confirmation") for _, _, r in parsed)
    opened, code, confirmed, asked, stray, coded, line, number = None, None, False, False, False, False, 1, 0
    if not parsed and text.strip() != "[]":
        found("LMC-INP-7", 1, 0)
    for line, number, r in parsed:
        broken = r if isinstance(r, str) else shape(r, stream)
        if broken:
            found(broken, line, number)
        if isinstance(r, str) or broken and broken not in ("LMC-REC-7", "LMC-STR-9", "LMC-REC-6", "LMC-EXE-8"):
            opened = {"lost": True} if stream else None  # what it was is not clear: the next misfit is explained by it
            confirmed = confirmed or isinstance(r, dict) and "confirm" in str(r.get("type", r.get("format")))
            coded = True
            continue
        if opened == {"lost": True}:
            opened = None if "start" in r or END in r or r["type"] == "confirmation" else dict(r, lost=True)
            if END in r:
                continue
        same = opened and all(opened.get(k) == r.get(k) for k in ("role", "type") + (() if r["type"] == "console" else ("format",)))
        if not stream:
            if r["type"] == "console" and not coded:
                found("LMC-TRN-3", line, number)
            coded = True if r["type"] == "code" else coded if r["type"] in ("console", "image") else False
            if r["role"] == "system":
                found("LMC-TRN-6", line, number)
        elif r["type"] == "confirmation" or "start" in r:
            if opened and not opened.get("lost"):
                found("LMC-STR-2", line, number)
            opened = dict(r) if "start" in r else None
            if r["type"] == "confirmation" and code is None:
                found("LMC-EXE-3", line, number)
            elif r["type"] == "confirmation":
                confirmed = asked = True
            elif r["role"] == "computer" and code and not confirmed and not os.environ.get("LMC_AUTO_RUN") and not (DIALECT == "server"):
                opened["unconfirmed"] = (line, number)
            elif r["role"] == "assistant" and r["type"] == "code":
                code, confirmed = r, r["format"] in NOTES
            stray = False
        elif opened and opened.get("lost") and END not in r:
            pass
        elif not opened:
            if END in r and not stray:
                found("LMC-STR-4", line, number)
            elif END not in r and stray != r["type"]:
                found("LMC-STR-1", line, number)
                stray = r["type"]
            stray = False if END in r else stray
        elif END in r:
            if not same and not opened.get("lost"):
                found("LMC-STR-5", line, number)
            opened = None
        elif not same:
            found("LMC-STR-6", line, number)
        else:
            if opened.get("unconfirmed") and "disabled or not supported" not in str(r["content"]) and not str(r["content"]).startswith("Code block was empty"):
                found("LMC-EXE-1", *opened["unconfirmed"])
            code, opened = code if not opened.pop("unconfirmed", None) else None, opened
    if opened and not opened.get("lost"):
        found("LMC-STR-3", line, number)


def main():
    findings, data = [], sys.stdin.buffer.read()
    found = lambda requirement, line, record: findings.append({"requirement": requirement, "line": line, "record": record})
    for index, line in enumerate(data.split(b"\n")):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            found("LMC-INP-3", index + 1, None)
    check(found, data.decode("utf-8", "replace"))
    json.dump({"findings": findings}, sys.stdout)


if __name__ == "__main__":
    main()
