// Sums of detectors out of a scan's tables: of the whole detector, and of disks and annuli about
// one centre.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/compiled.h"
#include "scan/scan_tables.h"

namespace sluice::stem4d {

/// The ring of each pixel about a centre, [row][col] of the scan's detector: 2k holds the pixels at
/// distance k, 2k + 1 those between k and k + 1.
std::vector<std::uint16_t> rings_about(Scan const& scan, Point center);

/// Whether masks have every pixel that counts, without weights.
class WholeMask {
  public:
    explicit WholeMask(store::Plan const& plan);
    bool operator()(Compiled const& mask) const { return !mask.weighted && mask.valid == pixels_; }

  private:
    double pixels_;
};

/// The centre of detectors that are disks or annuli of whole radii about the same one.
std::optional<Point> common_center(Scan const& scan, std::span<Detector const> detectors,
                                   Disk const& disk);

/// [detector][frame], where tables give all of them exactly. `center`: theirs, where they have one.
std::optional<std::vector<double>> sums_from_tables(ScanTables& tables, Scan const& scan,
                                                    std::span<Compiled const> detectors,
                                                    std::optional<Point> center,
                                                    ScanTables::Making const& how);

}  // namespace sluice::stem4d
