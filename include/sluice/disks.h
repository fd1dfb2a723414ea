// Disks: Bragg disks found by likelihood in patterns and scans, each with its errors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/bragg_vectors.h"
#include "sluice/probe_template.h"

namespace sluice::stem4d {

/// How disks are fitted.
enum class DiskMode : std::uint8_t {
    automatic,    ///< as the probe and a sample of patterns ask for
    isolated,     ///< each on its own
    touching,     ///< in turns beside the models of the others
    overlapping,  ///< likewise; refine_lattice() fits all disks of a pattern at once
    fringes       ///< by their edges, whose height varies: for disks with contrast inside
};
/// As in "isolated".
std::string_view name_of(DiskMode mode);

struct DiskOptions {
    DiskMode mode = DiskMode::automatic;
    double least_snr = 3.5;     ///< of a candidate in the correlation
    double least_score = 25;    ///< twice the gain in log-likelihood over no disk
    double least_distance = 0;  ///< between disks, in pixels; 0: a radius
    /// Pixels farther from a disk's centre are not looked at; 0: a radius and 3.9 pixels, or less
    /// where neighbours are near.
    double fit_radius = 0;
    index most = 512;  ///< disks of a pattern
    int bin = 0;       ///< of the patterns that are correlated: 1, 2; 0: by the radius
    /// The background's shape [row][col] of the detector as loaded; empty: it is measured on the
    /// scan. Of one pattern: a local plane.
    Array<double> background = {};
};

/// What find_disks() decided, in words for people and as numbers.
struct DiskSetup {
    ProbeTemplate probe;
    DiskOptions options;           ///< with every 0 and "by ..." decided
    Array<double> background;      ///< [row][col] of the detector as loaded
    std::vector<std::string> why;  ///< a sentence for each decision
};

/// Decides what is left open, from the template and a sample of patterns that it names.
Result<DiskSetup> plan_disks(Scan const& scan, ProbeTemplate const& probe,
                             DiskOptions const& options = {}, Options const& run = {});

/// The disks of one pattern [row][col]; `bad` marks pixels that weigh nothing.
Result<BraggVectors> find_disks(Array<double> const& pattern, std::span<std::uint8_t const> bad,
                                DiskSetup const& setup, Device const& device = Device::cpu());
/// The disks of all patterns of a scan, in memory or streamed.
Result<BraggVectors> find_disks(Scan const& scan, DiskSetup const& setup, Options const& run = {});

}  // namespace sluice::stem4d
