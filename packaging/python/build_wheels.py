#!/usr/bin/env python3
"""Builds the wheels of the package lmclint, with the standard library and Go.

    packaging/python/build_wheels.py [--out DIR] [--platform NAME]... [--binaries DIR]

Without --platform, all wheels are built; "this" is the platform of this machine.
--binaries takes programs that are built already, from DIR/GOOS_GOARCH/lmclint; without
it packaging/binary builds them. A wheel of the same commit has the same bytes.

The module is also a build backend (PEP 517), so that a checkout can be installed:
pip install ./packaging/python. There is no source distribution: building needs Go and
its modules, which pip cannot install, and where no wheel fits it would fail halfway
instead of saying so. `go install` builds on every platform that Go supports.
"""

from __future__ import annotations

import argparse
import base64
import functools
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Dict, Iterable, List, NamedTuple, Optional, Tuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SOURCE = HERE / "src" / "lmclint"


class Platform(NamedTuple):
    """A platform for which there is a wheel."""

    goos: str
    goarch: str
    tags: Tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.goos}-{self.goarch}"

    @property
    def program(self) -> str:
        return "lmclint.exe" if self.goos == "windows" else "lmclint"


def _linux(machine: str) -> Tuple[str, ...]:
    # The program is static, so that it needs no C library: neither glibc nor musl.
    return (f"manylinux_2_17_{machine}", f"manylinux2014_{machine}", f"musllinux_1_1_{machine}")


# macOS 12 is the oldest one that programs of Go 1.26 run on.
PLATFORMS = (
    Platform("linux", "amd64", _linux("x86_64")),
    Platform("linux", "arm64", _linux("aarch64")),
    Platform("darwin", "amd64", ("macosx_12_0_x86_64",)),
    Platform("darwin", "arm64", ("macosx_12_0_arm64",)),
    Platform("windows", "amd64", ("win_amd64",)),
    Platform("windows", "arm64", ("win_arm64",)),
)

ENTRY_POINTS = """\
[console_scripts]
lmclint = lmclint.__main__:main

[pytest11]
lmclint = lmclint.pytest_plugin
"""

METADATA = """\
Metadata-Version: 2.1
Name: lmclint
Version: {version}
Summary: Conformance linter for LMC messages, the format in which Open Interpreter stores and streams conversations
Author: The lmclint authors
License: MIT
Keywords: lmc,open-interpreter,lint,linter,conformance,pytest
Project-URL: Homepage, https://github.com/lmclint/lmclint
Project-URL: Documentation, https://github.com/lmclint/lmclint/tree/main/docs
Project-URL: Changelog, https://github.com/lmclint/lmclint/blob/main/CHANGELOG.md
Project-URL: Issues, https://github.com/lmclint/lmclint/issues
Classifier: Development Status :: 4 - Beta
Classifier: Environment :: Console
Classifier: Framework :: Pytest
Classifier: Intended Audience :: Developers
Classifier: License :: OSI Approved :: MIT License
Classifier: Operating System :: MacOS
Classifier: Operating System :: Microsoft :: Windows
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Programming Language :: Python :: 3 :: Only
Classifier: Topic :: Software Development :: Quality Assurance
Classifier: Topic :: Software Development :: Testing
Classifier: Typing :: Typed
Requires-Python: >=3.9
Description-Content-Type: text/markdown
License-File: LICENSE
License-File: THIRD-PARTY-LICENSES.txt

{readme}"""


def version_of(*arguments: str) -> str:
    """Return what packaging/version prints."""
    command = [str(ROOT / "packaging" / "version"), *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def this_platform() -> Platform:
    """Return the platform of this machine."""
    goos = {"win32": "windows"}.get(sys.platform, sys.platform)
    machine = platform.machine().lower()
    goarch = {"x86_64": "amd64", "aarch64": "arm64"}.get(machine, machine)
    for each in PLATFORMS:
        if (each.goos, each.goarch) == (goos, goarch):
            return each
    raise SystemExit(f"there is no wheel for {goos}-{goarch}")


def find_program(target: Platform, binaries: Optional[Path], scratch: Path) -> Path:
    """Return the program of a platform, which it builds unless it is there."""
    if binaries is not None:
        found = binaries / f"{target.goos}_{target.goarch}" / target.program
        if not found.is_file():
            raise SystemExit(f"{found} is missing")
        return found
    built = scratch / target.name / target.program
    subprocess.run([str(ROOT / "packaging" / "binary"), target.goos, target.goarch, str(built)], check=True)
    return built


def contents(target: Platform, program: Path, version: str) -> Iterable[Tuple[str, bytes, int]]:
    """Give the files of a wheel but RECORD: path, content and mode."""
    for path in sorted(SOURCE.rglob("*")):
        if path.suffix not in (".py", ".typed") or path.name == "_version.py":
            continue
        yield f"lmclint/{path.relative_to(SOURCE).as_posix()}", path.read_bytes(), 0o644
    stamp = f'"""The version of the package."""\n\n__version__ = "{version}"\n'
    yield "lmclint/_version.py", stamp.encode(), 0o644
    yield f"lmclint/bin/{target.program}", program.read_bytes(), 0o755
    info = f"lmclint-{version}.dist-info"
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    yield f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes(), 0o644
    yield f"{info}/THIRD-PARTY-LICENSES.txt", licenses(), 0o644
    yield f"{info}/METADATA", METADATA.format(version=version, readme=readme).encode(), 0o644
    yield f"{info}/WHEEL", wheel_file(target).encode(), 0o644
    yield f"{info}/entry_points.txt", ENTRY_POINTS.encode(), 0o644


@functools.lru_cache(maxsize=None)
def licenses() -> bytes:
    """Return the licenses of what the program contains."""
    return subprocess.run([str(ROOT / "packaging" / "licenses")], check=True, stdout=subprocess.PIPE).stdout


def wheel_file(target: Platform) -> str:
    lines = ["Wheel-Version: 1.0", "Generator: lmclint", "Root-Is-Purelib: false"]
    return "\n".join([*lines, *(f"Tag: py3-none-{tag}" for tag in target.tags)]) + "\n"


def record_line(path: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(data)}"


def write_wheel(target: Platform, program: Path, out: Path, version: str, epoch: int) -> Path:
    """Write the wheel of a platform and return its path."""
    wheel = out / f"lmclint-{version}-py3-none-{'.'.join(target.tags)}.whl"
    write_archive(wheel, f"lmclint-{version}.dist-info", contents(target, program, version), epoch)
    return wheel


def write_archive(wheel: Path, info: str, files: Iterable[Tuple[str, bytes, int]], epoch: int) -> None:
    """Write a wheel with files and its RECORD, which is in the directory info."""
    # A zip cannot express a time before 1980.
    moment = time.gmtime(max(epoch, 315532800))[:6]
    record: List[str] = []
    unfinished = wheel.with_suffix(".tmp")
    with zipfile.ZipFile(unfinished, "w") as archive:

        def add(path: str, data: bytes, mode: int) -> None:
            entry = zipfile.ZipInfo(path, moment)
            entry.create_system = 3  # Unix, so that the mode counts
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)

        for path, data, mode in files:
            add(path, data, mode)
            record.append(record_line(path, data))
        path = f"{info}/RECORD"
        record.append(f"{path},,")
        add(path, ("\n".join(record) + "\n").encode(), 0o644)
    os.replace(unfinished, wheel)


def build(targets: Iterable[Platform], out: Path, binaries: Optional[Path]) -> List[Path]:
    """Build the wheels of platforms and return their paths."""
    version, epoch = version_of("python"), int(os.environ.get("SOURCE_DATE_EPOCH") or version_of("epoch"))
    out.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix="lmclint-wheels-"))
    try:
        return [
            write_wheel(target, find_program(target, binaries, scratch), out, version, epoch) for target in targets
        ]
    finally:
        shutil.rmtree(scratch)


def need_go() -> None:
    """Exit with a sentence where Go is missing, which pip shows without a traceback."""
    if shutil.which("go") is None:
        raise SystemExit(
            "lmclint is built with Go 1.26 or later, and there is no program go on the PATH: "
            "install it from https://go.dev/dl"
        )


def forget_bytecode() -> None:
    """Remove what importing this module as a backend left in the checkout."""
    shutil.rmtree(HERE / "__pycache__", ignore_errors=True)


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Dict[str, object]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    """Implement the hook of PEP 517: build the wheel of this platform."""
    need_go()
    try:
        return build([this_platform()], Path(wheel_directory), None)[0].name
    finally:
        forget_bytecode()


def build_editable(
    wheel_directory: str,
    config_settings: Optional[Dict[str, object]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    """Implement the hook of PEP 660, to say what to do instead."""
    forget_bytecode()
    raise SystemExit(
        "lmclint cannot be installed with -e, as the package contains a program that Go builds: run "
        "pip install ./packaging/python after each change, or set PYTHONPATH to packaging/python/src "
        "and LMCLINT_BINARY to the program that go build -o FILE ./cmd/lmclint writes"
    )


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, object]] = None) -> str:
    """Implement the hook of PEP 517, which must exist."""
    raise NotImplementedError("lmclint has no source distribution; build_wheels.py says why")


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the wheels of lmclint.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / "python", help="directory of the wheels")
    names = [each.name for each in PLATFORMS]
    parser.add_argument("--platform", action="append", choices=["this", *names], help="default all; repeatable")
    parser.add_argument("--binaries", type=Path, help="directory with GOOS_GOARCH/lmclint")
    arguments = parser.parse_args()
    targets = [
        this_platform() if name == "this" else PLATFORMS[names.index(name)] for name in arguments.platform or names
    ]
    for wheel in build(targets, arguments.out, arguments.binaries):
        print(wheel)


if __name__ == "__main__":
    main()
