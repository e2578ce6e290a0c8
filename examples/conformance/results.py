#!/usr/bin/env python3
"""Runs the suite against the subjects of this directory, and keeps the table in
docs/conformance.md: writes it with --update, else fails if it is stale, which a few
new cases do not make it. Also fails if the suite does not notice a subject that is
broken on purpose: its answer is spoiled (broken.py), or a line of it is changed.

    python3 examples/conformance/results.py [--update] LMCLINT DIRECTORY-OF-COMPILED-TYPESCRIPT
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs" / "conformance.md"
SUITE = HERE.parent.parent / "testdata"
BEGIN, END = "<!-- results -->\n", "<!-- results end -->"

# The small checkers pass the profile core, but for the known failures.
CHECKER = ["--profile", "core", "--level", "one", "--expected-failures", str(HERE / "known-failures.txt")]
OTHERS = ["--profile", "all"]

WHY = {  # of the subjects that do not pass
    "checker.pl": "written from the text alone; its first run passed 84 %, before the text was corrected",
    "process_chunk.mjs": "stores the confirmation as `[object Object]` in the code before it, appends content without a start to the last message, and throws an exception at a line that is not JSON",
}


def subjects(lmclint, compiled):
    python = [sys.executable or "python3"]
    node = ["node"]
    return [
        ("lmclint", "checker", [lmclint, "check", "--isolated", "--each", "--format", "json", "--stdin-filename", "{file}", "{flags}", "-"], ["--profile", "all", "--strict", "--level", "may"]),
        ("checker.py", "checker", python + [str(HERE / "checker.py")], CHECKER),
        ("checker.mts", "checker", node + [str(compiled / "checker.mjs")], CHECKER),
        ("checker.pl", "checker", ["perl", str(HERE / "checker.pl")], ["--profile", "core", "--level", "one"]),
        ("consumer.py", "consumer", python + [str(HERE / "consumer.py")], OTHERS),
        ("consumer.mts", "consumer", node + [str(compiled / "consumer.mjs")], OTHERS),
        ("process_chunk.mjs", "consumer", node + [str(HERE / "process_chunk.mjs")], OTHERS),
        ("producer.py", "producer", python + [str(HERE / "producer.py")], OTHERS),
        ("producer.mts", "producer", node + [str(compiled / "producer.mjs")], OTHERS),
    ]


def run(lmclint, kind, words, flags):
    """Runs the suite and returns its status and its report."""
    quoted = " ".join("'" + word + "'" for word in words)
    command = [lmclint, "suite", "run", "--suite", str(SUITE), "--" + kind, quoted, "--format", "json", "--quiet", "--timeout", "120", *flags]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}")
    return done.returncode, json.loads(done.stdout)


def row(name, kind, report):
    levels = ", ".join(f"{n['passed']} of {n['passed'] + n['failed']} {level}" for level, n in report["levels"].items())
    failed = [f"{r['id']} ({r['failed']})" for r in sorted(report["requirements"], key=lambda r: -r["failed"]) if r["failed"]]
    most = ", ".join(failed[:6]) + (f" and {len(failed) - 6} more" if len(failed) > 6 else "")
    known = report["total"].get("knownFailures", 0)
    why = WHY.get(name, f"{known} known failures, in known-failures.txt beside it with the reason" if known else "")
    return f"| {name} | {kind} | {levels} | {report['total']['skipped']} | {most or 'none'} | {why} |\n"


def table(lmclint, compiled):
    text = "| subject | kind | passed | skipped | fails most at | why |\n| --- | --- | --- | ---: | --- | --- |\n"
    for name, kind, words, flags in subjects(lmclint, compiled):
        status, report = run(lmclint, kind, words, flags)
        if name not in WHY and status != 0:
            failed = next(c for c in report["cases"] if c["outcome"] == "failed")
            sys.exit(f"{name} fails {report['total']['failed']} cases: {failed}")
        total = report["total"]
        if total["passed"] < LEAST.get(name, 0) * (total["passed"] + total["failed"]):
            sys.exit(f"{name} passes too little: {total}")
        text += row(name, kind, report)
        print(f"{name}: {report['total']}", flush=True)
    return text


LEAST = {"checker.pl": 0.9}  # of the cases: less means that the text does not say what they demand

TOLERANCE = 0.02  # of what is passed; more means that the table is stale


def shares(text):
    """Returns what each subject of a table passes, by level, between 0 and 1."""
    return {line.split("|")[1].strip(): {level: int(n) / int(of) for n, of, level in re.findall(r"(\d+) of (\d+) (must|one|should|may)", line)}
            for line in text.splitlines()[2:]}


def is_stale(published, fresh):
    """Reports whether a table says something else, and not only of other cases."""
    old, new = shares(published), shares(fresh)
    if {name: set(levels) for name, levels in old.items()} != {name: set(levels) for name, levels in new.items()}:
        return True
    return any(abs(share - new[name][level]) > TOLERANCE or (share == 1) != (new[name][level] == 1)
               for name, levels in old.items() for level, share in levels.items())


def break_each(lmclint, compiled):
    """Fails unless each broken variant of each subject fails."""
    variants = {"checker": ["lost-finding", "hang", "crash"], "consumer": ["dropped-end", "merged-blocks", "hang", "crash"],
                "producer": ["dropped-end", "merged-blocks", "hang", "crash"]}
    case = {"checker": "core/bad/lmc204_end_twice.jsonl", "consumer": "recorded/v0.4.2/py_output.chunks.jsonl",
            "producer": "recorded/v0.4.2/py_output.messages.json"}
    for name, kind, words, _ in subjects(lmclint, compiled):
        if name == "lmclint" or name == "process_chunk.mjs":
            continue
        status, report = run(lmclint, kind, words, ["--id", case[kind]])
        if status != 0:
            sys.exit(f"{name} is not broken, and fails {case[kind]}: {report['cases']}")
        for how in variants[kind]:
            limit = "3" if how == "hang" else "120"
            status, _ = run(lmclint, kind, [sys.executable, str(HERE / "broken.py"), how, *words], ["--id", case[kind], "--timeout", limit])
            if status != 1:
                sys.exit(f"{name} with {how} passes {case[kind]}")
        print(f"{name}: {', '.join(variants[kind])} are noticed", flush=True)


# What is wrong with a program, which, and the text of it that is changed.
MUTANTS = [
    ("ignores the end flag", "consumer", "        if END in chunk:", "        if False:"),
    ("closes nothing at a confirmation", "consumer", "            self.open = None\n            return\n", "            return\n"),
    ("does not compare roles", "consumer", " for key in keys)", " for key in keys[1:])"),
    ("drops system messages", "consumer", 'm["role"] != "user"', 'm["role"] not in ("user", "system")'),
    ("confirms each block of the computer", "producer", "        if runs:\n            pending = None\n", ""),
    ("sends no final line", "producer", "final and FINAL_LINE or not contents", "not contents"),
]


def break_program(lmclint):
    """Fails unless each mutant of the programs in Python fails a case of the profile core."""
    with tempfile.TemporaryDirectory() as directory:
        for wrong, kind, old, new in MUTANTS:
            source = (HERE / f"{kind}.py").read_text(encoding="utf-8")
            if source.count(old) != 1:
                sys.exit(f"{kind}.py has {old!r} {source.count(old)} times: change MUTANTS")
            mutant = pathlib.Path(directory) / f"{kind}.py"
            mutant.write_text(source.replace(old, new), encoding="utf-8")
            status, report = run(lmclint, kind, [sys.executable, str(mutant)], ["--fail-fast"])
            if status != 1:
                sys.exit(f"a {kind} that {wrong} passes: {report['total']}")
            failed = next(c for c in report["cases"] if c["outcome"] == "failed")
            print(f"a {kind} that {wrong} fails {failed['id']}", flush=True)


def main():
    update = sys.argv[1] == "--update"
    lmclint, compiled = sys.argv[-2], pathlib.Path(sys.argv[-1])
    break_each(lmclint, compiled)
    break_program(lmclint)
    fresh = table(lmclint, compiled)
    head, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    published, tail = rest.split(END, 1)
    if update:
        PAGE.write_text(head + BEGIN + fresh + END + tail, encoding="utf-8")
    elif is_stale(published, fresh):
        sys.exit(f"{PAGE.name} is stale: run .ci/suite --update and commit the result\n{fresh}")


if __name__ == "__main__":
    main()
