"""`python -m sluice`: the program `sluice`, with the same words.

SPDX-License-Identifier: Apache-2.0
"""
import os
import sys

from ._errors import NotFound
from ._program import program

if __name__ == "__main__":
    try:
        path = program()
    except NotFound as error:
        sys.exit(str(error))
    os.execv(path, [path, *sys.argv[1:]])
