"""Acquisitions and scans: what is opened, and what is loaded of it.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from ._dataset import Dataset
from ._frames import log
from ._memory import from_array
from ._open import Sources, as_scan, load, open
from ._scan import Scan
from ._series import Series, list_members, open_series

__all__ = ["Dataset", "Scan", "Series", "Sources", "as_scan", "from_array", "list_members", "load", "log", "open",
           "open_series"]
