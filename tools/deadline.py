"""When `./dev test` leaves the rest of what it keeps verdicts on (tools/verdicts.py) to its next run.

SPDX-License-Identifier: Apache-2.0
"""
import math
import os
import time

MINUTES = 75  # CI ends a run after 90
VARIABLE = "SLUICE_TEST_UNTIL"  # that moment, in seconds since 1970: tools/lint.py is another process


def begin():
    """Sets the limit, where nobody has set one."""
    os.environ.setdefault(VARIABLE, f"{time.time() + MINUTES * 60:.0f}")


def seconds_left():
    """Seconds until the limit; infinite where nobody has set one."""
    until = os.environ.get(VARIABLE)
    return float(until) - time.time() if until else math.inf
