"""Where the program lmclint is."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

#: Name of the environment variable that names another program.
OVERRIDE = "LMCLINT_BINARY"


def find_binary() -> str:
    """Return the path of the program.

    It is the value of LMCLINT_BINARY, or the one in this package. Raises
    FileNotFoundError if there is none.
    """
    override = os.environ.get(OVERRIDE)
    if override:
        if not os.path.isfile(override):
            raise FileNotFoundError(f"{OVERRIDE} names {override}, which is not a file")
        return override
    name = "lmclint.exe" if sys.platform == "win32" else "lmclint"
    binary = Path(__file__).parent / "bin" / name
    if not binary.is_file():
        raise FileNotFoundError(
            f"{binary} is missing: install lmclint from a wheel for this platform, or set {OVERRIDE}"
        )
    if sys.platform != "win32" and not os.access(binary, os.X_OK):
        # Some installers drop the mode of files in a wheel.
        binary.chmod(binary.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return str(binary)
