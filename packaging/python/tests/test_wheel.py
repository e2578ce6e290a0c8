"""The wheel in LMCLINT_WHEEL is as the specifications want it."""

from __future__ import annotations

import base64
import csv
import email
import hashlib
import os
import zipfile
from typing import Iterator

import pytest

WHEEL = os.environ.get("LMCLINT_WHEEL", "")

pytestmark = pytest.mark.skipif(not WHEEL, reason="LMCLINT_WHEEL is not set")


@pytest.fixture
def wheel() -> Iterator[zipfile.ZipFile]:
    with zipfile.ZipFile(WHEEL) as archive:
        yield archive


def info(wheel: zipfile.ZipFile, name: str) -> str:
    (path,) = [each for each in wheel.namelist() if each.endswith(f".dist-info/{name}")]
    return wheel.read(path).decode()


def test_record(wheel: zipfile.ZipFile) -> None:
    rows = list(csv.reader(info(wheel, "RECORD").splitlines()))
    assert sorted(row[0] for row in rows) == sorted(wheel.namelist())
    for path, digest, size in rows:
        if path.endswith("/RECORD"):
            assert (digest, size) == ("", "")
            continue
        data = wheel.read(path)
        want = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        assert (digest, int(size)) == (f"sha256={want}", len(data)), path


def test_names_and_tags(wheel: zipfile.ZipFile) -> None:
    name, version, python, abi, platforms = os.path.basename(WHEEL)[: -len(".whl")].split("-")
    assert (name, python, abi) == ("lmclint", "py3", "none")
    tags = email.message_from_string(info(wheel, "WHEEL")).get_all("Tag")
    assert tags == [f"py3-none-{each}" for each in platforms.split(".")]
    metadata = email.message_from_string(info(wheel, "METADATA"))
    assert (metadata["Name"], metadata["Version"], metadata["Requires-Python"]) == ("lmclint", version, ">=3.9")
    assert metadata["Metadata-Version"] == "2.1"
    assert metadata.get_all("Requires-Dist") is None
    assert "# lmclint" in str(metadata.get_payload())
    assert {each.split("/")[0] for each in wheel.namelist()} == {"lmclint", f"lmclint-{version}.dist-info"}


def test_modes(wheel: zipfile.ZipFile) -> None:
    for entry in wheel.infolist():
        mode = entry.external_attr >> 16 & 0o777
        assert mode == (0o755 if entry.filename.startswith("lmclint/bin/") else 0o644), entry.filename


def test_contents(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    assert "lmclint/py.typed" in names and "lmclint/pytest_plugin.py" in names
    assert "Copyright" in info(wheel, "LICENSE")
    assert "jsonschema" in info(wheel, "THIRD-PARTY-LICENSES.txt")
    program = [name for name in names if name.startswith("lmclint/bin/")]
    assert len(program) == 1
    head = wheel.read(program[0])[:4]
    assert head in (b"\x7fELF", b"\xcf\xfa\xed\xfe") or head[:2] == b"MZ"
