"""A build backend (PEP 517) for an empty wheel that depends on the package lmclint.

The version is the one of the tag that is checked out. pre-commit fetches a single
commit without its tags, so that the remote is asked for them. A commit that is no
release depends on the newest one.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Dict, Optional

from build_wheels import ROOT, forget_bytecode, version_of, write_archive

METADATA = """\
Metadata-Version: 2.1
Name: lmclint-pre-commit
Version: {version}
Summary: The pre-commit hook of lmclint
License: MIT
Requires-Python: >=3.9
Requires-Dist: lmclint{constraint}
"""

WHEEL = "Wheel-Version: 1.0\nGenerator: lmclint\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def git(*arguments: str) -> str:
    """Return what git prints, nothing if it fails."""
    command = ["git", "-C", str(ROOT), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def released_version() -> Optional[str]:
    """Return the version of the release that is checked out, or None."""
    version = version_of("python")
    if ".dev" not in version:
        return version
    head = git("rev-parse", "HEAD")
    for line in git("ls-remote", "--tags", "origin", "v*").splitlines():
        commit, _, reference = line.partition("\t")
        if commit == head:
            # An annotated tag is listed twice; the line of its commit ends with ^{}.
            return version_of("python", reference[len("refs/tags/") :].partition("^")[0])
    return None


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Dict[str, object]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    """Implement the hook of PEP 517."""
    released = released_version()
    version = released or "0.0.0.dev0"
    info = f"lmclint_pre_commit-{version}.dist-info"
    constraint = f"=={released}" if released else ""
    files = [
        (f"{info}/METADATA", METADATA.format(version=version, constraint=constraint).encode(), 0o644),
        (f"{info}/WHEEL", WHEEL.encode(), 0o644),
    ]
    name = f"lmclint_pre_commit-{version}-py3-none-any.whl"
    write_archive(Path(wheel_directory) / name, info, files, int(version_of("epoch")))
    forget_bytecode()
    shutil.rmtree(Path(__file__).parent / "__pycache__", ignore_errors=True)
    return name


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, object]] = None) -> str:
    """Implement the hook of PEP 517, which must exist."""
    raise NotImplementedError("only pre-commit installs this")
