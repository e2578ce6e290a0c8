#!/usr/bin/env python3
"""A checker of LMC transcripts and streams, as JSON or JSON Lines, from docs/protocol.md.

It reads an input from standard input and writes the mistakes that it finds as JSON, by the
numbers of the requirements. It passes the cases of level must that are in these forms:

    lmclint suite run --checker 'python3 checker.py' --without kind:session
"""
import base64
import json
import math
import os
import re
import string
import sys

SYNTAX = re.compile(r'[ \t\r\n]*(?:(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(?P<word>true|false|null)|(?P<mark>[][{},:"]))')
STRING = re.compile(r'(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
FORMATS = {  # of each type: a set, ... for any, None for none
    "message": None, "code": ..., "console": {"output", "active_line"}, "file": {"path"}, "confirmation": {"execution"},
    "image": {"base64", "base64.png", "base64.jpeg", "path", "description"}, "audio": {"wav", "bytes.wav", "bytes.raw"},
    "review": {"safe", "warning", "unsafe"}, "command": None, "status": None, "error": None}
SERVER = {"status", "error"}
ROLES = {"user", "assistant", "computer", "system"}
PRE_LMC = {"start_of_message", "end_of_message", "start_of_code", "end_of_code", "executing", "end_of_execution", "output", "language", "message", "active_line"}
NOTES = {"text", "markdown", "plaintext"}
MOST_LEVELS = 512


class Broken(Exception):
    """Text that is not JSON: the requirement, and where."""


class Record:
    number = 0  # in its conversation

    def __init__(self, value, broken=None):
        self.value, self.broken = value, broken
        self.keys = value if isinstance(value, dict) else {}
        self.role, self.type, self.format = (self.keys.get(key) for key in ("role", "type", "format"))
        self.content = self.keys.get("content")

    def has(self, *keys):
        return any(key in self.keys for key in keys)


class Reader:
    """Reads the records of an input."""

    def __init__(self, text, found):
        self.text, self.found, self.records, self.lists = text, found, [], []
        self.cut = self.enveloped = False

    def line(self, at):
        return self.text.count("\n", 0, min(at, len(self.text))) + 1

    # A JSON parser that says where it fails. Places are in self.part.

    def token(self, at):
        token = SYNTAX.match(self.part, at)
        if token:
            return token, token.end()
        rest = self.part[at:].lstrip(" \t\r\n")
        cut = any(word.startswith(rest) for word in ("true", "false", "null")) or re.fullmatch(r"-?[0-9.eE+-]*", rest)
        raise Broken("LMC-INP-2" if cut else "LMC-INP-1", len(self.part) - len(rest))

    def string(self, at):
        token = STRING.match(self.part, at)
        end = token.end()
        if self.part[end:end + 1] != '"':
            cut = not self.part[end:].strip("\r\n") or re.fullmatch(r"\\(u[0-9a-fA-F]{0,3})?", self.part[end:])
            raise Broken("LMC-INP-2" if cut else "LMC-INP-1", end)
        value = json.loads('"' + token.group() + '"')
        if re.search("[\ud800-\udfff]", value):
            self.problems.append(("LMC-INP-6", at))
        return value, end + 1

    def value(self, at, level=0):
        token, end = self.token(at)
        if token["number"] or token["word"]:
            return json.loads(token["number"] or token["word"]), end
        if token["mark"] == '"':
            return self.string(end)
        if token["mark"] not in "[{":
            raise Broken("LMC-INP-1", end - 1)
        if level == MOST_LEVELS:
            raise Broken("LMC-INP-10", end - 1)
        is_list = token["mark"] == "["
        values, keys, wanted = [], {}, "first"
        while True:
            token, after = self.token(end)
            if token["mark"] == ("]" if is_list else "}") and wanted != "value":
                return (values if is_list else keys), after
            if wanted == "comma":
                if token["mark"] != ",":
                    raise Broken("LMC-INP-1", token.end() - len(token.group().strip()))
                end, wanted = after, "value"
                continue
            key = None
            if not is_list:
                if token["mark"] != '"':
                    raise Broken("LMC-INP-1", token.end() - len(token.group().strip()))
                key, end = self.string(after)
                token, end = self.token(end)
                if token["mark"] != ":":
                    raise Broken("LMC-INP-1", token.end() - len(token.group().strip()))
            value, end = self.value(end, level + 1)
            if not is_list and key in keys:
                self.problems.append(("LMC-INP-4", after - 1))
            values.append(value)
            keys[key] = value
            wanted = "comma"

    def skip(self, at):
        return len(self.text) - len(self.text[at:].lstrip(" \t\r\n"))

    def read(self, only_one):
        """Reads all records."""
        at = self.skip(1 if self.text.startswith("\ufeff") else 0)
        while at < len(self.text):
            if self.text[at] == "[" and (self.lists or not self.records):
                at = self.list(at)
            elif self.text[at] == "," and self.records:
                self.found("LMC-INP-1", self.line(at))
                at += 1
            else:
                at = self.one(at)
            at = self.skip(at)
            if only_one and at < len(self.text):
                self.found("LMC-INP-1", self.line(at))
                return

    def one(self, at, in_list=False):
        """Reads a value, or passes over what is none, and returns where that ends. Outside a
        list, a line that begins with a brace begins a record: what is open then is broken."""
        stop = self.text.find("\n{", at)
        self.part, base = (self.text, 0) if in_list else (self.text[at:stop if stop >= 0 else len(self.text)], at)
        self.problems = []
        try:
            value, end = self.value(at - base)
        except Broken as broken:
            return self.broken(at, base, stop, in_list, *broken.args)
        for requirement, where in self.problems:
            self.found(requirement, self.line(base + where))
        self.add(value, any(requirement == "LMC-INP-4" for requirement, _ in self.problems))
        return base + end

    def broken(self, at, base, stop, in_list, requirement, where):
        where += base
        if requirement == "LMC-INP-2" and not in_list and stop >= 0:
            requirement, where = "LMC-INP-1", stop
        self.cut = self.cut or requirement == "LMC-INP-2"
        self.found(requirement, self.line(where))
        messages = re.compile(r'\{\s*"(messages|chunks)"\s*:\s*(?=\[)').match(self.text, at)
        if messages:
            self.list(messages.end())
        else:
            self.records.append(Record(None, "unreadable"))
        if requirement == "LMC-INP-2":
            return len(self.text)
        depth = 0
        for token in re.compile(r'"(?:[^"\\\n]|\\.)*"?|[][{}]').finditer(self.text, at) if in_list and self.text[at] in "[{" else ():
            depth += (token.group() in ("[", "{")) - (token.group() in ("]", "}"))
            if depth == 0:
                return token.end()
        end = self.text.find("\n", where)
        return len(self.text) if end < 0 else end

    def add(self, value, twice=False):
        """Adds a value, or what it wraps."""
        record = Record(value, "twice" if twice else None)
        if isinstance(value, dict) and not record.has("role", "type") and (self.enveloped or not self.records):
            for inner in value.values():
                if isinstance(inner, dict) and (Record(inner).has("role") or inner.get("type") in FORMATS):
                    record, self.enveloped = Record(inner), True
                elif isinstance(inner, list) and inner and isinstance(inner[0], dict) and Record(inner[0]).has("role", "type"):
                    self.enveloped = True
                    self.lists.append([Record(element) for element in inner])
                    self.records.extend(self.lists[-1])
                    return
        self.records.append(record)

    def list(self, at):
        """Reads a list element by element, so that one that is broken hides no other."""
        first, wanted, at = len(self.records), "first", self.skip(at + 1)
        while at < len(self.text) and self.text[at] != "]":
            if self.text[at] == "," and wanted == "comma":
                wanted, at = "value", self.skip(at + 1)
                continue
            if wanted == "comma" or self.text[at] == ",":
                self.found("LMC-INP-1", self.line(at))
            if self.text[at] != ",":
                at, wanted = self.one(at, True), "comma"
            else:
                at += 1
            at = self.skip(at)
        if at >= len(self.text) and not self.cut:
            self.cut = True
            self.found("LMC-INP-2", self.line(len(self.text.rstrip())))
        if not self.enveloped or not self.records[first:]:
            self.lists.append(self.records[first:])
        return at + 1


def is_flag(record):
    return record.has("start", "end", "stop")


def is_stream_list(records):
    """Reports whether a list is a stream that was saved as one."""
    if len(records) > 1 and records[0].has("start") and not records[1].has("start") and \
            (records[0].role, records[0].type) == (records[1].role, records[1].type):
        return True
    flags = [r for r in records[:64] if is_flag(r) and not r.has("content")]
    first_is_users = records and records[0].role == "user" and records[0].has("content")
    return len(flags) >= 4 and len(flags) * 10 >= len(records[:64]) and not first_is_users


def are_parts(lists):
    """Reports whether a list goes on with a block that the one before leaves open."""
    for before, after in zip(lists, lists[1:]):
        if before and after and not before[-1].has("end", "stop") and is_flag(lists[0][0]) and not after[0].has("start") and \
                (before[-1].role, before[-1].type) == (after[0].role, after[0].type):
            return True
    return False


def is_server_sign(r):
    return r.role == "server" or r.type in ("command", "status") or r.has("auth", "ack") or r.role == "user" and is_flag(r) and not r.has("type")


def is_stream(records):
    """Reports whether records one after another are a stream."""
    by_user = records and records[0].role == "user" and records[0].has("content") and not is_flag(records[0])
    for r in records[:1000]:
        if is_flag(r) or is_server_sign(r):
            return True
        if not by_user and (r.format == "active_line" or r.type == "confirmation"):
            return True
    continued, words, starts, last = 0, 0, 0, None
    for r in records:
        if r.role != "assistant" or r.type not in ("message", "code") or not isinstance(r.content, str):
            last = None
            continue
        if last is None or (last.type, last.format) != (r.type, r.format):
            words, starts = 0, 0
        elif not re.search(r"[.!?。！？؟।…:\n]\s*$", last.content) and last.content and r.content:
            continued += r.content[0].isspace() or r.content[0] in string.punctuation or last.content[-1] == " "
        word = re.fullmatch(r"[A-Za-z]+[.,!?]?|[0-9]+[.,!?]?", r.content) is not None
        words = words + 1 if word else 0
        starts = starts + (word and not r.content[0].isupper()) if word else 0
        if continued >= 2 or words >= 4 and starts >= 2:
            return True
        last = r
    return False


class Checker:
    """What transcripts and streams have in common: records by themselves."""

    def __init__(self, found, dialect, named):
        self.found, self.dialect, self.named, self.pre_lmc = found, dialect, named, False
        self.end = "stop" if dialect == "interpreter-0.1" else "end"

    def report(self, requirement, record):
        self.found(requirement, None, record.number)

    def shape(self, r, stream):
        """Reports what is wrong with a record by itself. Returns whether its meaning is clear."""
        if r.broken:
            return False
        if not isinstance(r.value, dict):
            self.report("LMC-INP-5", r)
            return False
        if not r.has("type", "content") and any(key in r.keys for key in PRE_LMC) or r.has("role") and not r.has("type") and r.has("message", "code", "output"):
            if not self.pre_lmc:
                self.report("LMC-REC-14", r)
            self.pre_lmc = True
            return False
        if r.has("auth", "ack") and not r.has("role"):
            if not stream:
                self.report("LMC-TRN-2", r)
            return False
        if not stream and (r.type in ("confirmation", "review", "command") or r.type in SERVER or r.role == "server" or r.type == "console" and r.format == "active_line"):
            if self.named or r.format != "active_line":
                self.report("LMC-TRN-2", r)
            return True
        if not r.has("role"):
            self.report("LMC-REC-1", r)
            if not r.has("type"):
                return False
        elif r.role not in ROLES and not (r.role == "server" and r.type in SERVER):
            self.report("LMC-VOC-1", r)
        if not r.has("type"):
            self.report("LMC-REC-2", r)
        elif not isinstance(r.type, str) or r.type not in FORMATS:
            self.report("LMC-VOC-2", r)
        else:
            self.format(r)
        self.events(r, stream)
        if r.has("recipient"):
            if r.keys["recipient"] not in ("user", "assistant"):
                self.report("LMC-REC-10", r)
            if is_flag(r):
                self.report("LMC-REC-11", r)
        return r.has("type") and isinstance(r.type, str) and r.type in FORMATS

    def format(self, r):
        formats = FORMATS[r.type]
        if formats is None:
            if r.has("format"):
                self.report("LMC-REC-4", r)
                return
        elif r.type == "console" and is_flag(r) and not r.has("content"):
            if r.has("format"):
                self.report("LMC-STR-9" if r.format in formats else "LMC-VOC-3", r)
                self.report("LMC-STR-9", r)
        elif not r.has("format") or r.format == "":
            if r.type != "file" or r.has("format"):
                self.report("LMC-REC-3", r)
                return
        elif not isinstance(r.format, str) or formats is not ... and r.format not in formats:
            self.report("LMC-VOC-3", r)
            return
        if r.has("content"):
            self.value(r, r.content)

    def value(self, r, content):
        if r.type == "console" and r.format == "active_line":
            digits = not self.named and isinstance(content, str) and content.isdigit()
            if not (content is None or digits or type(content) in (int, float) and 0 < content < math.inf and content % 1 == 0):
                self.report("LMC-EXE-8", r)
        elif r.type == "confirmation":
            keys = set(content) if isinstance(content, dict) else set()
            right = keys == {"type", "format", "content"} or keys == {"type", "language", "code"} and not self.named
            if not right or content["type"] != "code" or not all(isinstance(value, str) for value in content.values()):
                self.report("LMC-VOC-7", r)
        elif not isinstance(content, str):
            self.report("LMC-REC-6", r)
        elif r.type == "file" or r.type == "image" and r.format == "path":
            if not content:
                self.report("LMC-CNT-6", r)
            elif content.startswith("data:") or re.match(r"(iVBOR|/9j/)[A-Za-z0-9+/\s]{20}", content):
                self.report("LMC-CNT-7", r)

    def events(self, r, stream):
        events = [key for key in ("start", self.end, "content") if key in r.keys]
        other = "end" if self.end == "stop" else "stop"
        if not stream:
            if r.has("start", "end"):
                self.report("LMC-TRN-1", r)
            elif not r.has("content"):
                self.report("LMC-REC-5", r)
            return
        if r.has(other) and not events:
            self.report("LMC-REC-8", r)
        elif len(events) != 1 or r.type == "confirmation" and not r.has("content"):
            self.report("LMC-REC-5", r)
        for key in events:
            if key != "content" and r.keys[key] is not True:
                self.report("LMC-REC-7", r)

    def image(self, r, content):
        """Reports what is wrong with the data of an image."""
        if not isinstance(content, str) or r.type != "image" or not str(r.format).startswith("base64"):
            return
        text = content.rstrip("\r\n \t")
        pure = re.match(r"[A-Za-z0-9+/]*={0,2}", text).group()
        digits = pure.rstrip("=")
        data = base64.b64decode(digits[:len(digits) // 4 * 4] + (digits[len(digits) // 4 * 4:] + "==")[:4] * (len(digits) % 4 > 1))
        kind = "png" if data.startswith(b"\x89PNG\r\n\x1a\n") else "jpeg" if data.startswith(b"\xff\xd8\xff") else None
        size = picture_size(kind, data)
        if size is not None and (len(pure) < len(text) or size < len(data)):
            self.report("LMC-CNT-3", r)  # something follows the image
        elif len(pure) < len(text) or len(pure) % 4:
            self.report("LMC-CNT-1", r)
            return
        elif kind and size is None or not pure:
            self.report("LMC-CNT-3", r)
        if pure and kind != ("jpeg" if r.format == "base64.jpeg" else "png"):
            self.report("LMC-CNT-2", r)


def picture_size(kind, data):
    """Returns how many bytes of data are one image, or None if it is cut."""
    if kind == "jpeg":
        end = data.find(b"\xff\xd9")
        return None if end < 0 else end + 2
    at = 8
    while kind == "png" and at + 12 <= len(data):
        size, name = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        if at + 12 + size > len(data):
            return None
        at += 12 + size
        if name == b"IEND":
            return at
    return None


class Transcript(Checker):
    def check(self, records, cut):
        coded = False  # the message or code before was code, or may have been
        for r in records:
            if not self.shape(r, False):
                coded = True  # what it was is not known
                continue
            if r.type == "console" and r.format != "active_line" and not coded and not (cut and len(records) <= 2):
                self.report("LMC-TRN-3", r)
            if r.role == "system":
                self.report("LMC-TRN-6", r)
            if r.type == "audio" and (self.named or r.format != "wav"):
                self.report("LMC-TRN-7", r)
            self.image(r, r.content)
            if r.type not in ("console", "image", "confirmation", "review"):
                coded = r.type == "code"


class Stream(Checker):
    block = None      # the open block
    closed = None     # the block that the start of another one has closed
    stray = None      # role and type of content outside a block
    unclear = False   # a record of unclear meaning explains the next misfit
    code = None       # the last code of the assistant: text (None if unknown), format, state
    confirmed = True  # what runs next is confirmed
    running = False   # an execution goes on
    asked = told = False

    def misfit(self, requirement, r):
        if not self.unclear:
            self.report(requirement, r)
        self.unclear = False

    def check(self, records, cut, auto_run):
        self.auto_run, self.confirmed = auto_run, True
        r = None
        for r in records:
            if r.broken or not self.shape(r, True):
                self.unclear_record(r)
            else:
                self.step(r)
        if self.block and not self.block["over"]:
            if not cut and not self.unclear:
                self.report("LMC-STR-3", r)
            self.block["images"] = []
        if self.block:
            self.close(None)

    def unclear_record(self, r):
        if r.format == "execution" or isinstance(r.content, dict):
            self.confirmation(r)
        elif r.broken or not r.has("auth", "ack"):
            self.unclear = True
            self.confirmed = True
            if self.code:
                self.code["text"] = None
            if self.block:
                self.block["lost"] = True
            if r.has("start") and not r.broken:
                self.block = self.new(r, None)

    def step(self, r):
        if r.type == "confirmation":
            self.confirmation(r)
        elif r.type in SERVER or r.role == "server":
            self.interrupt(r)
        elif r.has("start"):
            self.interrupt(r)
            self.stray = None
            self.block = self.new(r, r.type)
            self.begin(r)
            if r.has("content") and r.content != "":
                self.content(r)
            if r.has("end", "stop"):
                self.close(r)
        elif r.has("end", "stop") and (not r.has("content") or r.content == ""):
            self.ended(r)
        elif r.has("content"):
            self.content(r)
            if self.block and r.has("end", "stop"):
                self.block["over"] = True
        else:
            self.unclear = True

    def new(self, r, kind):
        return {"role": r.role if r.role in ROLES else None, "type": kind, "format": r.format, "texts": [], "images": [], "lost": False, "over": False,
                "start": r, "unconfirmed": False}

    def fits(self, block, r):
        return block["role"] in (None, r.role) and block["type"] in (None, r.type) and \
            (r.type == "console" or block["format"] == r.format or not isinstance(block["format"], str) or not r.has("format"))

    def interrupt(self, r):
        """What starts closes the block that is open."""
        if self.block:
            block, over = self.block, self.block["over"]
            self.close(None)
            if not over:
                self.misfit("LMC-STR-2", r)
                self.closed = block
                return
        self.closed = None

    def begin(self, r):
        """Notes what a block, or content without one, says about execution."""
        if r.type == "code" and r.role != "computer":
            self.running, self.confirmed, self.code = False, False, {"text": None, "format": r.format, "ran": False}
        elif r.type == "message":
            self.confirmed = self.confirmed and not self.running
            self.running = False
        elif r.role == "computer" and r.type in ("console", "image") and not self.running:
            self.running = True
            if self.confirmed or not self.code and not self.asked:
                self.confirmed = False
                if self.code:
                    self.code["ran"] = True
            elif self.block and self.block["start"] is r:
                self.block["unconfirmed"] = True
            else:
                self.unconfirmed(r)

    def unconfirmed(self, r):
        note = self.code and str(self.code["format"]).strip().lower() in NOTES
        if self.code:
            self.code["ran"] = True
        if note or self.auto_run or self.dialect in ("server", "01"):
            return
        if self.unclear:
            self.unclear = False
        elif self.asked or not self.told:
            self.told = True
            self.report("LMC-EXE-1", r)

    def content(self, r):
        block = self.block
        if block is None:
            if self.stray != (r.role, r.type):
                self.misfit("LMC-STR-1", r)
                self.begin(r)
            self.stray = (r.role, r.type)
            return
        block["over"] = False
        if block["type"] is None and block["role"] in (None, r.role):
            block["type"] = r.type
        if not self.fits(block, r):
            self.misfit("LMC-STR-6", r)
            block["lost"] = True
            if r.type == "code" and r.role == "assistant":
                self.begin(r)
            return
        if block["type"] == "image" and block["images"]:
            self.report("LMC-CNT-4", r)
        block["role"], block["type"] = r.role, r.type
        if block["format"] is None and r.type != "console":
            block["format"] = r.format
        block["texts"].append(r.content)
        block["images"].append(r)

    def ended(self, r):
        block, self.closed = self.block, None if self.block else self.closed
        if block:
            if not self.fits(block, r) or block["type"] not in (None, "console") and not r.has("format") and isinstance(block["format"], str):
                self.misfit("LMC-STR-5", r)
            self.close(r)
        elif self.stray and self.stray == (r.role, r.type):
            self.stray = None
        elif self.closed and self.fits(self.closed, r):
            self.closed = None
        else:
            self.misfit("LMC-STR-4", r)

    def close(self, end):
        block, self.block = self.block, None
        texts = block["texts"]
        pieces = [text for text in texts if not re.match("iVBOR|/9j/", str(text))]
        if block["type"] == "image" and (len(texts) == 1 or not pieces):  # else the pieces of one image
            for r in block["images"]:
                self.image(r, r.content)
        if block["type"] == "code" and block["role"] != "computer":
            known = not block["lost"] and all(isinstance(text, str) for text in texts)
            self.code = {"text": "".join(texts) if known else None, "format": block["format"], "ran": False}
        if block["unconfirmed"]:
            if self.refusal(texts):
                self.running = False
                if self.code:
                    self.code["ran"] = True
            else:
                self.unconfirmed(block["start"])

    def refusal(self, texts):
        """Reports whether a block is the answer to code that was not run."""
        text, code = texts[0] if len(texts) == 1 else None, self.code or {"text": None, "format": None}
        if not isinstance(text, str):
            return False
        language = str(code["format"]).strip().lower()
        return text.strip() == "`" + language + "` disabled or not supported." or \
            text.startswith("Code block was empty.") and not (code["text"] or "").strip()

    def confirmation(self, r):
        late = self.block and self.block["unconfirmed"] and not self.auto_run
        if late:
            self.unconfirmed(self.block["start"])
            self.block["unconfirmed"] = False
        elif self.block and not (self.block["type"] == "code" and self.block["over"]):
            self.interrupt(r)
        elif self.block:
            self.close(None)
        self.stray, self.asked = None, True
        content = r.content if isinstance(r.content, dict) else {}
        text, language = content.get("content", content.get("code")), content.get("format", content.get("language"))
        code = self.code
        same = code and (code["text"] is None or not isinstance(text, str) or self.confirms(code, text, language))
        if not code or code["ran"] and not same and not late:
            if not self.unclear:
                self.report("LMC-EXE-3", r)
            self.unclear = False
        elif not same and r.type == "confirmation":
            self.misfit("LMC-EXE-5", r)
        if not late:
            self.confirmed, self.running = True, False

    @staticmethod
    def confirms(code, text, language):
        streamed, expected = code["text"], str(code["format"]).strip().lower()
        try:
            call = json.loads(streamed)
            if isinstance(call, dict) and isinstance(call.get("code"), str) and call["code"] == text:
                return True
        except ValueError:
            pass
        return streamed == text and (not isinstance(language, str) or language.strip().lower() == expected)


def main():
    findings, data = [], sys.stdin.buffer.read()

    def found(requirement, line=None, record=None):
        findings.append({"requirement": requirement, "line": line} if record is None else {"requirement": requirement, "record": record})

    for number, line in enumerate(data.split(b"\n")):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            found("LMC-INP-3", number + 1)
    option = lambda name: os.environ.get("LMC_" + name, "")
    reader = Reader(data.decode("utf-8", "replace"), found)
    reader.read(option("FORM") == "json")
    records, lists = reader.records, reader.lists
    if not records and not findings and not lists and not option("ALLOW_EMPTY"):
        found("LMC-INP-7", 1)
    if sum(map(len, lists)) != len(records):
        lists = []
    stream = option("KIND") == "stream" or not option("KIND") and (are_parts(lists) or is_stream_list(lists[0]) if lists else is_stream(records))
    dialect = option("DIALECT") or ("server" if any(map(is_server_sign, records)) else "interpreter")
    for part in [records] if stream or not lists else lists:
        for number, r in enumerate(part):
            r.number = number
        if stream:
            always = dialect in ("interpreter-0.2", "interpreter-0.1", "docs")
            Stream(found, dialect, option("DIALECT")).check(part, reader.cut, option("AUTO_RUN") and not always)
        else:
            Transcript(found, dialect, option("DIALECT")).check(part, reader.cut)
    json.dump({"findings": findings}, sys.stdout)


if __name__ == "__main__":
    main()
