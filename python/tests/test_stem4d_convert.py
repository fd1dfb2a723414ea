"""Scans as files of other formats.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np
import pytest

import sluice
from sluice import stem4d

SYNTHETIC = "synthetic:stem4d?scan=5x6&detector=16x24"


@pytest.mark.parametrize("name", ["s.zarr", "s_master.h5", "s.emd", "s.hspy", "s.zspy", "s.npy", "s.mib", "s.raw"])
def test_every_format_has_every_value(tmp_path, name):
    source = sluice.open(SYNTHETIC)
    report = stem4d.convert(SYNTHETIC, tmp_path / name, verify=True, progress=False)
    assert report.verified and report.shape == (5, 6, 16, 24)
    with sluice.open(tmp_path / name) as again:
        assert np.array_equal(again[:], source[:])
        assert np.array_equal(again[2:4, 1, 3:9, ::2], source[2:4, 1, 3:9, ::2])
        image = stem4d.virtual_image(again.load(), [stem4d.disk(5, center=(8, 12))], progress=False)
        assert image.values.shape[-2:] == (5, 6)


def test_regions_bins_and_errors(tmp_path):
    report = stem4d.convert(SYNTHETIC, tmp_path / "b.zarr", det_bin=2, scan_region=(1, 1, 3, 4), progress=False)
    assert report.shape == (3, 4, 8, 12) and report.dtype == "uint32"
    binned = sluice.load(SYNTHETIC, det_bin=2, scan_region=(1, 1, 3, 4))
    assert np.array_equal(sluice.open(tmp_path / "b.zarr")[:], binned[:])
    with pytest.raises(sluice.InvalidArgument, match="is there already"):
        stem4d.convert(SYNTHETIC, tmp_path / "b.zarr", progress=False)
    with pytest.raises(sluice.InvalidArgument, match="ending"):
        stem4d.convert(SYNTHETIC, tmp_path / "b.tif", progress=False)


def test_cancelled_work_goes_on(tmp_path):
    source = "synthetic:stem4d?scan=64x64&detector=64x64"
    with pytest.raises(sluice.Cancelled):
        stem4d.convert(source, tmp_path / "c.npy", progress=lambda done, total: done == 0)
    assert not (tmp_path / "c.npy").exists()
    report = stem4d.convert(source, tmp_path / "c.npy", resume=True, verify=True, progress=False)
    assert report.resumed and report.verified
