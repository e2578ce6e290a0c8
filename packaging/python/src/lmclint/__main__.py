"""Run the program: python -m lmclint."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NoReturn

from lmclint._binary import find_binary


def main() -> NoReturn:
    """Become the program, with the arguments of this process."""
    try:
        binary = find_binary()
    except OSError as error:
        print(f"lmclint: {error}", file=sys.stderr)
        sys.exit(2)
    command = [binary, *sys.argv[1:]]
    if sys.platform != "win32":
        # Signals and the exit status are those of the program.
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(binary, command)
    # Windows has no exec. Ctrl-C reaches the program as well, which reports
    # what it has found; this process waits for it.
    with subprocess.Popen(command) as process:
        while True:
            try:
                sys.exit(process.wait())
            except KeyboardInterrupt:
                continue


if __name__ == "__main__":
    main()
