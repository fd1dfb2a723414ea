"""sluice.doctor(): rows with their rules, findings with advice, and a stop.

SPDX-License-Identifier: Apache-2.0
"""
import pytest

import sluice


def test_every_row_has_a_value_or_says_why_not(tmp_path):
    found = sluice.doctor(quick=True, folder=tmp_path)
    assert found.quick and found.seconds > 0
    assert not list(tmp_path.iterdir())
    for row in found.rows:
        assert row["text"] or row["not_taken"], row
        assert row["value"] is None or row["value"] >= 0
    copied = next(row for row in found.rows if row["name"] == "copying, all threads")
    assert copied["unit"] == "B/s" and copied["value"] > 1e6 and copied["expected"] > 0 and copied["rule"]
    assert copied["least"].endswith("B/s") and 0 <= copied["waited"] <= 1
    registers = next(one for one in found.scaling if one["work"] == "computing in registers")
    assert registers["threads"] >= 1 and (registers["factor"] > 0 or registers["not_taken"])
    for finding in found.findings:
        assert finding["rule"] and finding["text"] and finding["advice"]
    assert "copying, all threads" in str(found)


def test_it_stops_when_asked(tmp_path):
    with pytest.raises(sluice.Cancelled):
        sluice.doctor(quick=True, folder=tmp_path, progress=lambda done, all: False)
    with pytest.raises(sluice.NotFound):
        sluice.doctor(folder=tmp_path / "nothing")
